"""Types in signatures lead to where they are described, whatever module they come from."""

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.inspect import TypeAliasForwardRef
from sphinx.util.nodes import make_refnode

# Names of ``autodoc_type_aliases`` that stand in a union or a tuple would be shown as Sphinx keeps them, call and all.
TypeAliasForwardRef.__repr__ = lambda alias: alias.name  # type: ignore[method-assign]


def resolve(app: Sphinx, env: BuildEnvironment, node: pending_xref, text: nodes.Element) -> nodes.Element | None:
    """A link to the description of a Python name; of one that is described nowhere, the name alone."""
    if node.get("refdomain") != "py":
        return None
    last = node["reftarget"].rpartition(".")[2]
    for name, described in env.domains.python_domain.objects.items():
        if name.startswith("regretlab.") and name.rpartition(".")[2] == last and name.count(".") <= 2:
            return make_refnode(app.builder, node["refdoc"], described.docname, described.node_id, text, name)
    return text
