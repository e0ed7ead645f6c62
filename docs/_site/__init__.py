"""What the documentation site adds to the Markdown in docs/: nothing of it is needed to read the files themselves."""

from typing import Any

from sphinx.application import Sphinx

from _site import contents, filled, references


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("source-read", filled.fill)
    app.connect("source-read", contents.add)
    app.connect("autodoc-process-signature", references.leave_out_fields)
    app.connect("missing-reference", references.resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
