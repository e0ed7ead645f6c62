"""Types in signatures lead to where they are described, whatever module they come from; fields say what they are."""

import inspect
import re
from dataclasses import is_dataclass
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.pycode import ModuleAnalyzer
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


def describe_fields(owner: type) -> None:
    """Have autodoc describe the fields of a class by what stands behind them in the code."""
    for each in inspect.getmro(owner):
        if each.__module__.startswith("regretlab."):
            known = ModuleAnalyzer.for_module(each.__module__).find_attr_docs()
            for field, said in re.findall(r"^    (\w+): [^#\n]*  # (.*)$", inspect.getsource(each), re.MULTILINE):
                words = re.sub(r"([|*])", r"\\\1", said)  # which mean something else where autodoc puts them
                known.setdefault((each.__qualname__, field), [f"{words[:1].upper()}{words[1:]}.", ""])


def leave_out_fields(app: Sphinx, what: str, name: str, value: Any, *_: Any) -> tuple[str, None] | None:
    """Nobody makes results by hand: what they are made of is listed once, below the name of the class."""
    is_result = what == "class" and is_dataclass(value) and not value.__module__.startswith("regretlab.games.")
    return ("", None) if is_result else None
