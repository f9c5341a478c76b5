"""docs/rules/stoppa.md and stoper.md say what is so: every rule has its cases, every house rule its values."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, get_args

import msgspec
import pytest
from documents import DOCS, anchors
from rulings import read_cases

from companion.games.stoper import words as stoper_words
from companion.games.stoper.rules import log as stoper_log
from companion.games.stoppa import words as stoppa_words
from companion.games.stoppa.rules import log as stoppa_log


class Told(NamedTuple):
    """A game's page: how many rules it has, and what the report may name, each with its rule."""

    id: str
    rules: int
    log: ModuleType
    named: dict[str, int]

    @property
    def page(self) -> Path:
        return DOCS / "rules" / f"{self.id}.md"

    @property
    def text(self) -> str:
        return self.page.read_text("utf-8")


PAGES = (
    Told("stoppa", 19, stoppa_log,
         {name: rule for name, rule in stoppa_words.RULE_OF.items() if name not in ("piccolo", "grosso")}),
    Told("stoper", 17, stoper_log, {name: rule for name, rule in stoper_words.RULE_OF.items() if name != "conceded"}),
)  # fmt: skip


@pytest.fixture(params=PAGES, ids=lambda told: told.id)
def told(request: pytest.FixtureRequest) -> Told:
    found: Told = request.param
    return found


def test_every_rule_has_its_anchor_and_its_rulings(told: Told) -> None:
    cases = read_cases(Path(__file__).parent / told.id / "rules" / "rulings.txt")
    assert {f"rule-{number}" for number in range(1, told.rules + 1)} <= anchors(told.page)
    assert set(re.findall(r"`((?:bad-)?r\d\d-[a-z0-9-]+)`", told.text)) <= set(cases)
    for number in range(1, told.rules + 1):
        section = re.split(r"^## ", told.text.partition(f'<a id="rule-{number}">')[2], flags=re.M)[0]
        assert re.search(rf"`(bad-)?r{number:02}-", section), f"rule {number} names no ruling of its own"


def test_every_house_rule_is_told_with_its_values(told: Told) -> None:
    section = told.text.partition('<a id="house-rules">')[2].partition("\n## ")[0]
    rows: dict[str, str] = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", section, flags=re.M))
    for field in msgspec.structs.fields(told.log.HouseRules):
        said = rows[field.encode_name]
        default = str(field.default).lower() if isinstance(field.default, bool) else str(field.default)
        assert re.search(rf"`?{default}`? \(default\)", said), field.encode_name
        for value in get_args(field.type):
            assert not isinstance(value, str) or f"`{value}`" in said, value


def test_what_the_report_names_is_told_with_its_rule(told: Told) -> None:
    for name, rule in told.named.items():
        assert re.search(rf"^\|[^|]*`{name}`[^|]*\| \[{rule}\]", told.text, flags=re.M), name


def test_every_event_is_told(told: Told) -> None:
    for event in told.log.Event.__args__:
        assert re.search(rf"^\|[^|]*`{event.__struct_config__.tag}`", told.text, flags=re.M), event
