"""How hard to try: ``HYPOTHESIS_PROFILE=long`` for a thorough run."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

_QUIET = [HealthCheck.too_slow, HealthCheck.differing_executors]
settings.register_profile("default", max_examples=150, deadline=None, suppress_health_check=_QUIET)
settings.register_profile("long", max_examples=20_000, deadline=None, suppress_health_check=_QUIET)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regen", action="store_true", help="rewrite the expected results of fixtures/*.md"
    )
