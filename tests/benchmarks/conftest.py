"""What all tests of the benchmark share."""

import pytest


@pytest.fixture(autouse=True)
def keep_garbage(monkeypatch: pytest.MonkeyPatch) -> None:
    """No collection before each measurement: with all that the tests have loaded it takes longer than they do."""
    monkeypatch.setattr("benchmarks.clock.gc.collect", lambda: 0)
