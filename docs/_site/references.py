"""Types in signatures lead to where they are described, whatever module they come from; fields say what they are."""

import inspect
import re
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.inspect import TypeAliasForwardRef
from sphinx.util.nodes import make_refnode

import regretlab

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


def say_fields(app: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    """Fields of dataclasses and named tuples are described by what stands behind them in the code."""
    owner_name, _, field = name.rpartition(".")
    if what != "attribute" or lines:
        return
    owner: Any = regretlab
    for part in owner_name.split(".")[1:]:
        owner = getattr(owner, part)
    for each in inspect.getmro(owner):
        if field in vars(each).get("__annotations__", {}):
            found = re.search(rf"^    {field}: [^#\n]*  # (.*)$", inspect.getsource(each), re.MULTILINE)
            lines += [f"{found[1][:1].upper()}{found[1][1:]}."] if found else []
            return
