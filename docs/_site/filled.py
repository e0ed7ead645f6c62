"""Pages that list what there is get the rest from the code: a block of names becomes what belongs to each of them.

    ```{recipes}
    cfr cfr+ …
    ```

Readers of the file itself see the names; the site shows what the code says of each.
"""

import inspect
import re
import sys
from collections.abc import Callable
from textwrap import indent

from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer

import regretlab as rl
from _site.cells import with_outputs
from _site.references import describe_fields

BLOCK = re.compile(r"^```\{(?P<kind>api|commands|games|recipes)\}\n(?P<names>.*?)^```$", re.DOTALL | re.MULTILINE)


def fill(app: Sphinx, name: str, source: list[str]) -> None:
    """Replace the blocks of a page before Sphinx reads it."""
    page = with_outputs(source[0], name)
    source[0] = BLOCK.sub(lambda block: FILLINGS[block["kind"]](block["names"].split()), page)


def api(names: list[str]) -> str:
    """The signature and the docstring of each name of the package, methods included."""
    described = []
    for name in names:
        value: object = rl
        for part in name.split("."):
            value = getattr(value, part)
        if inspect.isclass(value):
            kind = "exception" if issubclass(value, Exception) else "class"
            describe_fields(value)
            described.append(f".. auto{kind}:: regretlab.{name}\n   :members:\n   :undoc-members:")
        elif callable(value):
            described.append(f".. autofunction:: regretlab.{name}")
        else:
            described.append(f".. py:data:: regretlab.{name}\n\n{indent(said_of(name), '   ')}")
    return fenced("{eval-rst}", "\n\n".join(described))


def said_of(constant: str) -> str:
    """What stands below a constant in the module that defines it."""
    for name in [name for name in sys.modules if name.startswith("regretlab.")]:
        said = ModuleAnalyzer.for_module(name).find_attr_docs().get(("", constant))
        if said:
            return "\n".join(said)
    raise LookupError(f"nothing is said of {constant}")


def commands(names: list[str]) -> str:
    """What ``--help`` says of each command, those below it and the examples included."""
    from regretlab.cli.main import app

    text = app.generate_docs(recursive=True).replace("**Parameters**", "**Options**")
    text = re.sub(r"^(regretlab [a-z ]+) -m \S+", r"\1", text, flags=re.MULTILINE)  # how Sphinx was started
    _, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    by_name = dict(section.split("\n", 1) for section in sections)
    parts = []
    for name in names:
        body = re.sub(r"^#+ Table of Contents\n\n(?:- .*\n)+\n", "", by_name[f"regretlab {name}"], flags=re.MULTILINE)
        _, _, examples = str(app[name].help_epilogue).partition("\n")
        parts.append(f"## regretlab {name}\n{body}\n**Examples**:\n\n{fenced('sh', inspect.cleandoc(examples))}")
    return "\n\n".join(parts)


def games(names: list[str]) -> str:
    """A row for each game: how it is called, and in a few words what it is."""
    from regretlab.games import GAMES

    rows = []
    for name in names:
        signature = ", ".join(f"{key.name}={key.default}" for key in inspect.signature(GAMES[name]).parameters.values())
        rows.append(f"| `{name}({signature})` | {first_line(GAMES[name])} |")
    return "\n".join(["| game | what it is |", "|---|---|", *rows])


def recipes(names: list[str]) -> str:
    """A row for each recipe: what it changes in vanilla CFR, where it comes from, what is known of it."""
    plain = rl.recipe("cfr").parts
    rows = []
    for name in names:
        recipe = rl.recipe(name)
        changed = [f"`{part}={value}`" for part, value in recipe.parts.items() if value != plain.get(part)]
        cited = "; ".join(citation.short for citation in recipe.citations)
        rows.append(f"| `{name}` | {recipe.title} | {' '.join(changed)} | {cited or '–'} | {recipe.status} |")
    return "\n".join(["| recipe | in words | beside `cfr` | from | status |", "|---|---|---|---|---|", *rows])


def first_line(described: object) -> str:
    """The first sentence of a docstring."""
    return (inspect.getdoc(described) or "").partition("\n")[0]


def fenced(language: str, text: str) -> str:
    """A block in a language, or for a directive."""
    return f"```{language}\n{text}\n```"


FILLINGS: dict[str, Callable[[list[str]], str]] = {
    "api": api,
    "commands": commands,
    "games": games,
    "recipes": recipes,
}
"""What becomes of the names in a block of each kind."""
