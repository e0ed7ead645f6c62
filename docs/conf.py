"""The settings of the documentation site, which ``make docs`` builds."""

import sys
from importlib.metadata import version as installed
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # where _site lies

project = "regretlab"
author = "The regretlab developers"
release = version = installed("regretlab")
root_doc = "index"
exclude_patterns = ["_site"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "_site"]
nitpicky = True
smartquotes = False  # which would make one dash of the two before an option

# Links lead to headings as on other sites that show Markdown: page.md#how-large-it-is
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
# Names that stand for several types are shown as they are written; the page says what they mean.
autodoc_type_aliases = {
    name: name for name in ("AnyForm", "Callback", "Floats", "GameLike", "Lock", "Number", "Profile", "Readable")
}
python_use_unqualified_type_names = True
maximum_signature_line_length = 88
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = "regretlab"
html_logo = html_favicon = "../src/regretlab/web/page/icon.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_search_scorer = str(Path(__file__).parent / "_static" / "scorer.js")
html_copy_source = False
html_show_sphinx = html_show_copyright = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b6e4f", "color-brand-content": "#0b6e4f"},
    "dark_css_variables": {"color-brand-primary": "#5fd3a6", "color-brand-content": "#5fd3a6"},
}
