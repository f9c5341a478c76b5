"""What the house expects of the house rules in a log's first line, of every game that ships."""

from __future__ import annotations

import msgspec
import pytest
from first_lines import agreed_in, first_line_of

from companion.games import GAMES
from companion.table.errors import Malformed

WITH_HOUSE_RULES = [
    id for id, game in GAMES.items()
    if any(field.name == "house_rules" for field in msgspec.structs.fields(game.rules.LOG.event(agreed_in(id))))
]  # fmt: skip
"""The games whose first line can have `house_rules`."""
REFUSES_UNKNOWN_HOUSE_RULES = {"stu": False, "stoppa": True, "stoper": True}
"""Lu Stù's own log may hold any key; in the formats of the two others an unknown house rule is an error of the first
line, as it has to be in a new game's."""


def test_the_games_that_ship_with_house_rules_are_tried() -> None:
    assert set(REFUSES_UNKNOWN_HOUSE_RULES) <= set(WITH_HOUSE_RULES)


@pytest.mark.parametrize("id", WITH_HOUSE_RULES)
def test_an_unknown_house_rule_is_ignored_or_refused_with_those_that_there_are(id: str) -> None:
    log_format, first = GAMES[id].rules.LOG, first_line_of(id).encode()
    usual = type(log_format.decode_line(first).event.house_rules)
    known = [field.encode_name for field in msgspec.structs.fields(usual)]
    unknown = first[:-1] + b',"house_rules":{"of_no_game":1}}'
    if not REFUSES_UNKNOWN_HOUSE_RULES.get(id, True):
        assert log_format.decode_line(unknown) == log_format.decode_line(first)
        return
    with pytest.raises(Malformed) as refused:
        log_format.read_lines(unknown)
    assert refused.value.line == 1
    assert "`house_rules`" in str(refused.value)
    assert "`of_no_game`" in str(refused.value)
    assert refused.value.expected == f"any of {', '.join(known)}"


@pytest.mark.parametrize("id", WITH_HOUSE_RULES)
def test_an_unknown_value_of_a_house_rule_is_refused_by_every_game(id: str) -> None:
    log_format, first = GAMES[id].rules.LOG, first_line_of(id).encode()
    for field in msgspec.structs.fields(type(log_format.decode_line(first).event.house_rules)):
        with pytest.raises(Malformed) as refused:
            log_format.read_lines(first[:-1] + b',"house_rules":{"' + field.encode_name.encode() + b'":"of_no_game"}}')
        assert refused.value.line == 1
        assert f"`house_rules.{field.encode_name}`" in str(refused.value)
