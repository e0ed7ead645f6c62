"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from regretlab.errors import UserError


@contextmanager
def written_beside(path: str | Path) -> Iterator[IO[bytes]]:
    """A file to write into that takes the place of ``path`` when the block ends well, and vanishes otherwise."""
    path = Path(path)
    beside = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            beside = Path(file.name)
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.umask(mask := os.umask(0))  # what new files may not be; it can only be read by setting it
        beside.chmod(0o666 & ~mask)  # a temporary file is private, the result should not be
        beside.replace(path)
    except BaseException as error:
        if beside is not None:
            beside.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise UserError(f"can't write '{path}': {error.strerror or error}") from None
        raise
