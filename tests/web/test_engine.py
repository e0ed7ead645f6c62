"""Requests right after the start, while the engine is still being loaded."""

import subprocess
import sys

TWO_AT_ONCE = """
import threading
from regretlab.web.server import engine

seen, imported = [], engine.import_module

def slow(name):
    seen.append((threading.get_ident(), name))
    return imported(name)

engine.import_module = slow
threads = [threading.Thread(target=engine.load_engine) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert [name for _, name in seen] == list(engine.PARTS), seen
assert len({who for who, _ in seen}) == 1, seen
"""

NOTHING_IS_LEFT = """
import sys
from pathlib import Path
import regretlab
from regretlab.web.server import application, engine

engine.load_engine()
folders = {path.parent.name for path in Path(regretlab.__file__).parent.glob("*/__init__.py")}
missing = {name for name in folders - {"cli", "plots", "deep", "interop"} if f"regretlab.{name}" not in sys.modules}
assert not missing, missing
"""


def run(program: str) -> None:
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_one_thread_loads_the_engine_however_many_ask() -> None:
    run(TWO_AT_ONCE)


def test_every_package_that_answers_need_is_loaded() -> None:
    run(NOTHING_IS_LEFT)
