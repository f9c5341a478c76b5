"""How many examples the properties are tried on, and which: always the same few, or with ``--explore`` many new ones.

Without it each is tried on 40 % of the examples that its settings say: cases that are data stand beside most of them.
"""

from __future__ import annotations

import math
import os

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture.providers import HypothesisProvider
from hypothesis.internal.constants_ast import Constants

settings.register_profile("fixed", deadline=None, derandomize=True)
# In CI the many are the same every time, too: what they find must have been found before.
settings.register_profile("exploring", deadline=None, derandomize=bool(os.environ.get("CI")), print_blob=True)


USUAL = 0.4
"""How many times the examples of its settings a property is tried on, if nobody explores."""


def stretched(plain: settings, factor: float) -> settings:
    return settings(plain, max_examples=math.ceil(plain.max_examples * factor))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--explore", type=int, metavar="TIMES",
                     help="run the properties alone, on this many times their examples, new ones each time")  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    """No timed assertions in either case.

    Hypothesis likes to try the constants that stand in the modules that are imported. Which ones are, hangs on what else is
    tested: so a property would not be tried on the same examples by itself and among others. Besides, each worker would read
    every module for them, 4 s.
    """
    if config.getoption("--explore"):
        settings.load_profile("exploring")
    else:
        settings.load_profile("fixed")
        HypothesisProvider._local_constants = Constants()  # type: ignore[misc, assignment]


@pytest.hookimpl(trylast=True)  # Hypothesis marks what is its
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    properties = [item for item in items if isinstance(item, pytest.Function) and item.get_closest_marker("hypothesis")]
    factor = config.getoption("--explore")
    if factor:
        config.hook.pytest_deselected(items=[item for item in items if item not in properties])
        items[:] = properties
    for owner, name in {(id(owner), name): (owner, name) for owner, name in map(_settings_of, properties)}.values():
        setattr(owner, name, stretched(getattr(owner, name, None) or settings.default, factor or USUAL))


def _settings_of(item: pytest.Function) -> tuple[object, str]:
    """Where Hypothesis keeps the settings of this test: on the class of a state machine, or on the function."""
    if isinstance(getattr(item.cls, "settings", None), settings):
        return item.cls, "settings"
    return item.function, "_hypothesis_internal_use_settings"
