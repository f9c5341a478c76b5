"""What lines name of a player's cards agrees exactly when there is a way to deal and change them that fits all of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from companion.decks.italian_sets import mask_of
from companion.games import stoper
from companion.games.stoper.rules import log
from companion.games.stoper.rules.cards import opens
from companion.games.stoper.rules.known import agree, proved_false
from companion.games.stoper.rules.state import Known

CARDS = (0, 6, 9, 19, 22, 24, 33)
"""A deck small enough to look at every way: denari-1, denari-7, denari-10, coppe-10, spade-3, spade-5, bastoni-4."""


def ways(changed: int) -> Iterator[tuple[int, int, int]]:
    """Every hand dealt, what is thrown away of it, and what comes for that."""
    for dealt in combinations(CARDS, 3):
        others = [card for card in CARDS if card not in dealt]
        for thrown in combinations(dealt, changed):
            for received in combinations(others, changed):
                yield mask_of(dealt), mask_of(thrown), mask_of(received)


def some(most: int) -> st.SearchStrategy[int]:
    return st.sets(st.sampled_from(CARDS), max_size=most).map(mask_of)


@st.composite
def named(draw: st.DrawFn) -> Known:
    """What lines may have named: often of one way, sometimes of none."""
    changed = draw(st.integers(0, 2))
    dealt, thrown, received = draw(st.sampled_from(list(ways(changed))))
    shown = dealt & ~thrown | received
    if draw(st.booleans()):
        dealt, received = draw(some(3)), draw(some(changed))
    if draw(st.booleans()):
        shown = mask_of(draw(st.sets(st.sampled_from(CARDS), min_size=3, max_size=3)))
    return Known(
        dealt=dealt & draw(some(7)),
        changed=changed,
        discards=thrown if draw(st.booleans()) else 0,
        received=received & draw(some(7)),
        shown=shown if draw(st.integers(0, 3)) else 0,
    )


@settings(max_examples=400)
@given(named())
def test_it_agrees_when_there_is_a_way(known: Known) -> None:
    assert agree(known) == any(
        not known.dealt & ~dealt
        and known.discards in (0, thrown)
        and not known.received & ~received
        and known.shown in (0, dealt & ~thrown | received)
        for dealt, thrown, received in ways(known.changed)
    )


@pytest.mark.parametrize("level", ["donna", "cavallo", "re"])
@settings(max_examples=100)
@given(known=named())
def test_an_opening_is_proved_false_when_no_hand_that_could_be_opens(level: str, known: Known) -> None:
    if not known.shown or not agree(known):
        return
    state = stoper.begin(log.new_game(("Ada", "Bice", "Ciro", "Dora"), 1000, "Ada"))
    state = stoper.apply(state, log.Hand(cip=1, invito=0))
    assert state.hand is not None
    hand = replace(state.hand, level=level, known=(known, *state.hand.known[1:]))
    could = [
        dealt for dealt, thrown, received in ways(known.changed)
        if known.discards == thrown and known.shown == dealt & ~thrown | received
    ]  # fmt: skip
    opened = any(opens(dealt, level, by_figure_alone=False, ace_pair_third="figure") for dealt in could)  # type: ignore[arg-type]
    unnamed = known.changed > 0 and not known.discards
    assert proved_false(state.table, hand, 0) == (not opened and not unnamed)
