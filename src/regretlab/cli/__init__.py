"""The command line: arguments → call → print."""

from regretlab.cli.main import main, run

__all__ = ["main", "run"]
