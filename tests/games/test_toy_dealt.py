"""What a new game tells the tests of leaks, shown by a small one with cards that nobody may see (`toy_dealt`)."""

from __future__ import annotations

import random
import re

import pytest
import test_no_leak as no_leak
from hidden_cards import HIDDEN, Hidden, Log
from hypothesis import strategies as st
from msgspec.structs import replace
from toy_dealt import DEALT, LOG, Deal, Show, rules

from companion.games import GAMES
from companion.table.log import Line, tag

FIRST = LOG.event({"e": "game", "v": 1, "game": "dealt", "players": ["Anna", "Bruno", "Carla"]})


def hands(seed: int, many: int = 3) -> tuple[Line, ...]:
    """A log of as many hands, in which a camera has caught some of the cards that were dealt."""
    chance, state, events = random.Random(seed), rules.begin(FIRST), [FIRST]
    while rules.hands(state) < many and (legal := [act for act in rules.legal_acts(state) if tag(act) != "void"]):
        event = chance.choice(legal)
        state, events = rules.apply(state, event), [*events, event]
    return tuple(map(Line, events))


def blind(lines: Log) -> Log:
    """The same log, had no camera caught a card."""
    return tuple(replace(line, event=Deal(to=line.event.to)) if isinstance(line.event, Deal) else line for line in lines)


HIDDEN_CARDS = Hidden(
    logs=st.integers(0, 500).map(hands),
    whole=lambda: hands(1),
    blind=blind,
    faces=lambda plain: set(re.findall(r"shows (\d)", str(plain))),
    money=lambda told: (told.table.players, told.table.tokens, told.table.paid),
)
"""A new game writes this into `HIDDEN` of `tests/dashboard/hidden_cards.py`."""


@pytest.fixture(autouse=True)
def in_the_house(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, DEALT.id, DEALT)
    monkeypatch.setitem(HIDDEN, DEALT.id, HIDDEN_CARDS)


TESTS = [
    no_leak.test_what_the_log_knows_of_hidden_cards_changes_nothing,
    no_leak.test_what_organisers_have_said_of_hidden_cards_changes_nothing,
    no_leak.test_every_face_on_a_page_is_one_that_was_laid_open_in_this_hand,
    no_leak.test_the_public_log_tells_the_same_money_and_no_card_that_was_dealt,
    no_leak.test_the_logs_have_cards_that_nobody_may_see,
]


@pytest.mark.parametrize("test", TESTS, ids=lambda test: test.__name__.removeprefix("test_"))
def test_it_holds_of_a_game_that_says_what_is_hidden(test) -> None:
    test(name=DEALT.id)


def test_pages_that_tell_what_was_dealt_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(DEALT.pages), "public", lambda self, known, seen, line: (line,))
    with pytest.raises(AssertionError):
        no_leak.test_the_public_log_tells_the_same_money_and_no_card_that_was_dealt(name=DEALT.id)
    assert any(isinstance(line.event, Show) for line in hands(1))
