"""How hard to try: ``HYPOTHESIS_PROFILE=long`` for a thorough run, with other examples each time."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

_QUIET = [HealthCheck.too_slow, HealthCheck.differing_executors]
settings.register_profile(
    "default",
    max_examples=150,
    deadline=None,
    # The same in each run, so that a change is never blamed for a fault that was there before.
    derandomize=True,
    suppress_health_check=_QUIET,
)
settings.register_profile("long", max_examples=20_000, deadline=None, suppress_health_check=_QUIET)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regen", action="store_true", help="rewrite the expected results of fixtures/*.md"
    )


_MAY_BE_SKIPPED = ("the theme has no dark colours",)
"""A check that one theme has nothing for."""


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where everything is installed, a skip hides a missing part, so it fails the run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if not os.environ.get("MDIT_CITATIONS_REQUIRE_ALL") or reporter is None:
        return
    for report in reporter.stats.get("skipped", ()):
        reason = str(report.longrepr)
        if not any(allowed in reason for allowed in _MAY_BE_SKIPPED):
            reporter.write_line(f"skipped though all must run: {reason}")
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
