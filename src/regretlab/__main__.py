"""``python -m regretlab`` is the command ``regretlab``."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> NoReturn:
    """Run the command that the process was started with, and leave with its status.

    Importing takes a tenth of a second, in which people press Ctrl-C, too.
    """
    try:
        from regretlab.cli import main as command

        command()
    except KeyboardInterrupt:
        print("regretlab: interrupted", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
