"""The layers of the package: each imports only layers to its left."""

import ast
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "regretlab"
TOP_LEVEL = frozenset(path.stem for path in PACKAGE.glob("*.py"))

# From left to right; layers in one row do not import each other.
ORDER = (
    ("documents",),
    ("games",),
    ("forms",),
    ("rules", "evaluation", "reference", "interop", "endgames"),
    ("feedback",),
    ("deep",),
    ("solving",),
    ("explaining",),
    ("experiments",),
    ("plots", "watch"),
    ("web",),
    ("cli",),
)
RANK = {layer: rank for rank, row in enumerate(ORDER) for layer in row}

# Judges know only the arrays, and the textbook is independent of the engine that it is compared with.
NARROWER = {"evaluation": {"forms"}, "reference": {"games"}}
# What is read of a spot at a node is what judges find there; what judges find is shown as documents.
WIDER = {"endgames": {"evaluation"}, "evaluation": {"documents"}}
# The face reaches every layer, so importing it would be a way around the order for all but those that people use.
MAY_IMPORT_FACE = {"web", "cli"}
ONLY_IN = {"torch": "deep", "starlette": "web", "uvicorn": "web"}
NOT_IN = {"numba": "reference"}
# What stands beside the package is not in the wheel.
BESIDE_THE_PACKAGE = {"benchmarks", "studies"}
BANNED_NAMES = {"utils.py", "common.py"}


def violations(path: str, source: str, top_level: frozenset[str] = TOP_LEVEL) -> list[str]:
    """What is wrong with the file at `path` (relative to the package), where `top_level` are the files in no layer."""
    place = PurePosixPath(path)
    wrong = [f"{path}: a file needs a name that says what it holds"] if place.name in BANNED_NAMES else []
    layer = place.parts[0] if len(place.parts) > 1 else ""
    if layer and layer not in RANK:
        return [*wrong, f"{path}: the order does not know the folder {layer}"]
    tree = ast.parse(source)
    nodes = loaded_with(tree) if path == "__init__.py" else ast.walk(tree)
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            reasons = (forbidden(path, layer, module) for module in imported_modules(node, place, top_level))
            wrong += [f"{path}:{node.lineno}: {reason}" for reason in reasons if reason]
    return wrong


def loaded_with(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run when the module is imported: not in functions, not under TYPE_CHECKING."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            yield from loaded_with(ast.Module(node.orelse, []))
            continue
        yield node
        yield from loaded_with(node)


def imported_modules(node: ast.Import | ast.ImportFrom, place: PurePosixPath, top_level: frozenset[str]) -> list[str]:
    """The full names of the modules that an import statement names; names of the face count as `regretlab`."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    module = absolute(node, place)
    if module != "regretlab":
        return [module]
    submodules = RANK.keys() | top_level
    return [f"regretlab.{alias.name}" if alias.name in submodules else "regretlab" for alias in node.names]


def absolute(node: ast.ImportFrom, place: PurePosixPath) -> str:
    """The module that `from … import` takes names from, with leading dots resolved."""
    if not node.level:
        return node.module or ""
    folders = ("regretlab", *place.parts[:-1])
    base = folders[: len(folders) - node.level + 1]
    return ".".join((*base, node.module) if node.module else base)


def forbidden(path: str, layer: str, module: str) -> str:
    """Why the file at `path` in `layer` (empty if in none) must not import `module`; empty if it may."""
    package, _, rest = module.partition(".")
    target = rest.partition(".")[0]
    if package in BESIDE_THE_PACKAGE:
        return f"the wheel has no {package}"
    if ONLY_IN.get(package, layer) != layer or NOT_IN.get(package) == layer:
        return f"{layer or 'a file outside the layers'} must not import {package}"
    if package != "regretlab" or path == "__main__.py":
        return ""
    if not target:
        return "" if layer in MAY_IMPORT_FACE else "only the last layers may import names from regretlab itself"
    if target not in RANK or target == layer:
        return ""
    if not layer:
        return f"a file outside the layers must not import {target}"
    allowed = NARROWER.get(layer, {other for other in RANK if RANK[other] < RANK[layer]}) | WIDER.get(layer, set())
    return "" if target in allowed else f"{layer} must not import {target}"


def test_package_keeps_the_layers() -> None:
    files = sorted(PACKAGE.rglob("*.py"))
    assert files
    wrong = [
        line
        for file in files
        for line in violations(file.relative_to(PACKAGE).as_posix(), file.read_text(encoding="utf-8"))
    ]
    assert not wrong, "\n".join(wrong)


BESIDE = frozenset({"errors", "numbers"})


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("games/kuhn.py", "import regretlab.forms"),
        ("games/kuhn.py", "import numpy, regretlab.forms.tree as t"),
        ("games/kuhn.py", "from regretlab import forms"),
        ("games/kuhn.py", "from regretlab.forms.tree import Tree"),
        ("games/kuhn.py", "from .. import forms"),
        ("games/kuhn.py", "from ..forms import tree"),
        ("games/deep/kuhn.py", "from ...forms import tree"),
        ("games/__init__.py", "from ..forms import tree"),
        ("games/kuhn.py", "def f():\n    from ..solving import loop"),
        ("games/kuhn.py", "if TYPE_CHECKING:\n    from ..solving import loop"),
        ("rules/hedge.py", "from regretlab.evaluation import value"),
        ("rules/hedge.py", "from regretlab.reference import cfr"),
        ("feedback/chance.py", "from regretlab.deep import network"),
        ("forms/tree.py", "from regretlab.rules import hedge"),
        ("solving/loop.py", "from regretlab.explaining import glossary"),
        ("plots/curve.py", "from regretlab.watch import scenes"),
        ("plots/curve.py", "from benchmarks import peers"),
        ("cli/main.py", "import studies.deep_cfr"),
        ("web/server.py", "from regretlab.cli import main"),
        ("evaluation/value.py", "from regretlab.games import kuhn"),
        ("evaluation/value.py", "from regretlab.rules import hedge"),
        ("reference/cfr.py", "from regretlab.forms import tree"),
        ("reference/cfr.py", "import numba"),
        ("reference/cfr.py", "def f():\n    from numba.core import types"),
        ("solving/loop.py", "import torch.nn"),
        ("watch/training.py", "from starlette.exceptions import HTTPException"),
        ("watch/training.py", "from regretlab.web.server import guard"),
        ("errors.py", "import torch"),
        ("solving/loop.py", "import regretlab"),
        ("solving/loop.py", "from regretlab import load"),
        ("solving/loop.py", "from .. import load"),
        ("errors.py", "from regretlab.games import kuhn"),
        ("errors.py", "from .games import kuhn"),
        ("errors.py", "def f():\n    from . import games"),
        ("__init__.py", "from .games import load"),
        ("__init__.py", "import regretlab.solving"),
        ("__init__.py", "try:\n    from . import solving\nexcept ImportError:\n    pass"),
        ("__init__.py", "class A:\n    from . import solving"),
        ("__init__.py", "if TYPE_CHECKING:\n    pass\nelse:\n    from . import solving"),
        ("__init__.py", "if not TYPE_CHECKING:\n    from . import solving"),
        ("helpers/text.py", ""),
        ("helpers/__init__.py", ""),
        ("forms/utils.py", ""),
        ("common.py", ""),
        ("games/sub/common.py", ""),
    ],
)
def test_bad_example_is_found(path: str, source: str) -> None:
    assert len(violations(path, source, BESIDE)) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("games/kuhn.py", "import numpy\nfrom fractions import Fraction"),
        (
            "games/kuhn.py",
            "from . import protocol\nfrom .protocol import Game\nfrom regretlab.games.protocol import Game",
        ),
        ("games/kuhn.py", "from .. import errors\nfrom ..numbers import number\nfrom regretlab import errors"),
        ("games/forms.py", "from .forms import x\nfrom . import solve"),
        ("forms/compiling.py", "from regretlab.games import protocol\nfrom numba import njit"),
        ("rules/hedge.py", "from regretlab.forms import passes"),
        ("evaluation/value.py", "from regretlab.forms import passes\nfrom regretlab import errors"),
        ("reference/cfr.py", "from regretlab.games import kuhn\nimport random"),
        ("deep/network.py", "import torch\nfrom regretlab.rules import hedge"),
        ("solving/loop.py", "from regretlab.evaluation import value\nfrom regretlab.feedback import chance"),
        ("cli/main.py", "import regretlab as rl\nfrom regretlab import load\nfrom ..plots import curve"),
        ("errors.py", "from .numbers import number\nimport difflib"),
        ("__main__.py", "from regretlab.cli import main"),
        ("__main__.py", "from .cli import main"),
        ("__init__.py", "from .errors import UserError\nfrom importlib import import_module"),
        ("__init__.py", "if TYPE_CHECKING:\n    from .solving import solve"),
        ("__init__.py", "if typing.TYPE_CHECKING:\n    from .solving import solve"),
        ("__init__.py", "def __getattr__(name):\n    from .solving import solve\n    return solve"),
    ],
)
def test_good_example_passes(path: str, source: str) -> None:
    assert violations(path, source, BESIDE) == []
