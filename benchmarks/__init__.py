"""regretlab side by side with its peers, and with what the machine allows.

Nothing is loaded here: ``one_core`` sets how many threads the libraries may start, and has to run before they load.
"""

from pathlib import Path

ROOT = Path(__file__).parents[1]
"""The folder in which ``python -m benchmarks`` works: processes of our own are started there."""
