"""docs/rules/stoppa.md says what is so: every rule has its cases, every house rule its values."""

from __future__ import annotations

import re
from typing import get_args

import msgspec
from documents import DOCS, anchors
from test_rulings import CASES

from companion.games.stoppa.rules import log
from companion.games.stoppa.words import RULE_OF

PAGE = DOCS / "rules" / "stoppa.md"
TEXT = PAGE.read_text("utf-8")


def test_every_rule_has_its_anchor_and_its_rulings() -> None:
    assert {f"rule-{number}" for number in range(1, 20)} <= anchors(PAGE)
    assert set(re.findall(r"`((?:bad-)?r\d\d-[a-z0-9-]+)`", TEXT)) <= set(CASES)
    for number in range(1, 20):
        section = re.split(r"^## ", TEXT.partition(f'<a id="rule-{number}">')[2], flags=re.M)[0]
        assert re.search(rf"`(bad-)?r{number:02}-", section), f"rule {number} names no ruling of its own"


def test_every_house_rule_is_told_with_its_values() -> None:
    rows: dict[str, str] = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", TEXT, flags=re.M))
    for field in msgspec.structs.fields(log.HouseRules):
        told = rows[field.encode_name]
        default = str(field.default).lower() if isinstance(field.default, bool) else str(field.default)
        assert re.search(rf"`?{default}`? \(default\)", told), field.encode_name
        for value in get_args(field.type):
            assert not isinstance(value, str) or f"`{value}`" in told, value


def test_causes_and_irregularities_are_told_with_their_rules() -> None:
    for name in ("stoppata", "misera", "four_kings", "undeclared", "omitted", "wrong_dealer"):
        assert re.search(rf"^\|[^|]*`{name}`[^|]*\| \[{RULE_OF[name]}\]", TEXT, flags=re.M), name


def test_every_event_is_told() -> None:
    for event in log.Event.__args__:
        assert re.search(rf"^\|[^|]*`{event.__struct_config__.tag}`", TEXT, flags=re.M), event
