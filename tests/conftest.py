"""What holds for every test: Hypothesis is deterministic, and where REGRETLAB_NO_SKIP is set nothing may be skipped.

But for tests that need files which nobody may pass on: their reason begins with "not free"."""

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

# No test asserts a time: neither a deadline for an example nor the health check that generating it is quick.
settings.register_profile("ci", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ci")

# Programs in the background ignore Ctrl-C, and so would all that the tests start to send it to.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def skipped(config: pytest.Config) -> int:
    """The number of skipped tests and files that must not be skipped."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    # Workers of pytest-xdist have no reporter: the process that started them counts.
    if not os.environ.get("REGRETLAB_NO_SKIP") or reporter is None:
        return 0
    return sum("Skipped: not free: " not in str(report.longrepr) for report in reporter.stats.get("skipped", []))


# These two hooks see the whole session. Those for single tests would miss the doctests in src and skipped files.
def pytest_sessionfinish(session: pytest.Session) -> None:
    if skipped(session.config) and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if count := skipped(config):
        terminalreporter.write_line(f"FAILED: {count} skipped, and REGRETLAB_NO_SKIP allows no skips", red=True)
