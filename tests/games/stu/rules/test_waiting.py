"""What the table waits for, by positions, by names and in words: all three agree, and with the legal acts."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from stu_play import real_game

from companion.games import stu
from companion.games.stu.rules import log
from companion.games.stu.rules.state import NOBODY
from companion.games.stu.rules.waiting import awaited, pending
from companion.table.game import Between, Over, Turn, Waiting
from companion.table.log import Line

ANNA, BRUNO, CARLA, DINO = "Anna", "Bruno", "Carla", "Dino"
HAND, END = log.Hand(), log.End()


def passo(by: str) -> log.Passo:
    return log.Passo(by=by)


def swap(with_: str) -> log.Swap:
    return log.Swap(with_=with_)


def shows(by: str, card: log.Kind) -> log.Reveal:
    return log.Reveal(by=by, card=card)


RUN = [HAND, passo(CARLA), shows(DINO, "gnao")]
SHOWDOWN = [shows(ANNA, "4"), shows(BRUNO, "5"), shows(CARLA, "6"), shows(DINO, "7"), END]
CASES: dict[str, tuple[list[log.Event], Waiting]] = {
    "nothing has begun": ([], Between()),
    "di mano decides first": ([HAND], Turn("decide", ANNA, BRUNO)),
    "the next decides after a sto": ([HAND, log.Sto(by=ANNA)], Turn("decide", BRUNO, CARLA)),
    "the dealer would go to the deck": ([HAND, log.Sto(by=CARLA)], Turn("decide", DINO, None)),
    "who is asked answers": ([HAND, passo(ANNA)], Turn("answer", BRUNO, ANNA)),
    "who has exchanged decides": ([HAND, passo(ANNA), swap(BRUNO)], Turn("decide", BRUNO, CARLA)),
    "the one after a Salta answers": ([HAND, passo(ANNA), shows(BRUNO, "salta")], Turn("answer", CARLA, ANNA)),
    "the asker draws past a dealer's Salta": ([HAND, passo(CARLA), shows(DINO, "salta")], Turn("draw", CARLA, None)),
    "the dealer draws": ([HAND, passo(DINO)], Turn("draw", DINO, None)),
    "an offer of the run is answered": (RUN, Turn("answer", BRUNO, CARLA)),
    "the travelling card may be kept or sent on": ([*RUN, swap(BRUNO)], Turn("keep", BRUNO, ANNA)),
    "it is offered further back": ([*RUN, swap(BRUNO), passo(BRUNO)], Turn("answer", ANNA, BRUNO)),
    "the run is over, and the next decides": ([*RUN, swap(BRUNO), log.Sto(by=BRUNO)], Turn("decide", DINO, None)),
    "all have decided": ([HAND, log.Sto(by=DINO)], Turn("show", None, None)),
    "a hand is over": ([HAND, *SHOWDOWN], Between()),
}


@pytest.mark.parametrize("case", CASES)
def test_what_the_table_waits_for(case: str) -> None:
    events, expected = CASES[case]
    state = stu.begin(log.new_game((ANNA, BRUNO, CARLA, DINO), 100, DINO))
    for event in events:
        state = stu.apply(state, event)
    assert stu.waiting(state) == expected


def test_a_game_that_is_won_waits_for_nothing() -> None:
    out = {name: log.Standing(0, False) for name in (ANNA, BRUNO, CARLA)}
    state = stu.begin(log.new_game((ANNA, BRUNO, CARLA, DINO), 100, DINO, standing=out))
    assert stu.waiting(state) == Between(), "a virgin is in play: somebody may still come back"
    assert stu.waiting(stu.apply(state, log.Close())) == Over()


@given(seed=st.integers(0, 2**32), players=st.integers(2, 7))
@settings(max_examples=40, deadline=None)
def test_the_acts_that_are_legal_are_those_that_are_waited_for(seed: int, players: int) -> None:
    events = list(real_game(seed, players, hands=3, careless=0.2))
    for count in range(1, len(events) + 1):
        state = stu.replay(Line(event) for event in events[:count])
        if (hand := state.hand) is None:
            assert isinstance(stu.waiting(state), Over if state.won else Between)
            continue
        turn, wait = stu.waiting(state), awaited(hand)
        names = (*(state.table.names[seat] for seat in hand.order), None)
        assert turn == Turn(wait.step, names[wait.who], names[wait.whom])
        assert pending(hand) == (wait.step in ("answer", "draw"))
        acts = stu.decisions(state)
        stays = [act.by for act in acts if isinstance(act, log.Sto)]
        answers = {act.with_ for act in acts if isinstance(act, log.Swap)}
        draws = {act.by for act in acts if isinstance(act, log.Draw)}
        assert answers == ({names[wait.who]} if wait.step == "answer" else set())
        assert bool(stays) == (wait.step in ("decide", "keep"))
        assert not stays or stays[0] == names[wait.who]
        if wait.step == "draw":
            assert draws == {names[wait.who]}
        if wait.step in ("decide", "keep") and wait.whom != NOBODY:
            after = stu.apply(state, log.Passo(by=names[wait.who] or ""))
            assert after.hand is None or awaited(after.hand).step != "answer" or awaited(after.hand).whom == wait.who
