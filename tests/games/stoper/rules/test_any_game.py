"""What holds in every game of Stoper, tried on random legal play."""

from __future__ import annotations

from itertools import pairwise

import hypothesis.strategies as st
from hypothesis import given, settings
from stoper_play import HOUSES, everything, game_line, plainest, play

from companion.games import stoper
from companion.games.stoper.rules import log

games = st.builds(game_line, st.integers(4, 6), st.sampled_from(("cash", "torneo")), st.sampled_from(HOUSES), st.integers(0, 99))
seeds = st.integers(0, 1_000_000)


@settings(max_examples=60)
@given(games, seeds)
def test_chips_are_conserved(first: log.Game, seed: int) -> None:
    brought = sum(stoper.begin(first).stacks)
    for event, state in play(first, seed, 150):
        brought += event.amount if isinstance(event, log.Chips) else 0
        on_table = state.carried.pot if state.hand is None else state.hand.pot
        assert min((*state.stacks, on_table)) >= 0
        assert sum(state.stacks) + on_table == brought == state.brought
        plain = stoper.report(state).to_dict()
        for hand, grew in zip(plain["hands"], carried_from_hand_to_hand(plain), strict=False):
            if not hand["void"]:
                assert sum(paid["delta"] for paid in hand["payments"]) == -grew


def carried_from_hand_to_hand(plain: dict) -> list[int]:  # type: ignore[type-arg]
    """By how much each hand that is over made the carried pot grow."""
    pots = [hand["carried_in"] for hand in plain["hands"]]
    if plain["table"] is None:
        pots.append(plain["carried"]["pot"])
    return [now - was for was, now in pairwise(pots)]


@settings(max_examples=40)
@given(games, seeds)
def test_pots_take_what_is_in_and_nobody_wins_more_than_their_share(first: log.Game, seed: int) -> None:
    before = None
    for _, state in play(first, seed, 150):
        if before is not None and before.hand is not None and state.hand is None and not state.hands[-1].void:
            ended, book = state.ended, state.hands[-1]
            assert ended is not None
            assert sum(pot.amount for pot in book.pots) + sum(back.amount for back in book.returned) == (
                0 if book.unassigned else ended.pot
            )
            assert len({pot.entitled for pot in book.pots}) == len(book.pots)
            for wider, narrower in pairwise(book.pots):
                assert set(narrower.entitled) < set(wider.entitled)
            for pot in book.pots:
                assert pot.winner in pot.entitled
                assert (pot.how == "alone") == (not pot.ranking)
                assert [one.score for one in pot.ranking] == sorted((one.score for one in pot.ranking), reverse=True)
        before = state


@settings(max_examples=60)
@given(games, seeds, st.integers(0, 40))
def test_legal_acts_are_exactly_the_plain_acts_that_can_happen(first: log.Game, seed: int, most: int) -> None:
    *_, (_, state) = play(first, seed, 3 * most)
    legal = stoper.legal_acts(state)
    assert len(set(legal)) == len(legal)
    assert set(legal) == plainest({event for event in everything(state) if stoper.check(state, event) is None})


@settings(max_examples=30)
@given(games, seeds)
def test_a_void_hand_leaves_nothing_but_its_number_and_its_mistakes(first: log.Game, seed: int) -> None:
    before = None
    for event, state in play(first, seed, 80):
        if isinstance(event, log.Hand) and before is not None:
            start, dealer = before, state.hand.dealer if state.hand is not None else None
        if state.hand is not None:
            void = stoper.apply(state, log.Void())
            assert (void.stacks, void.carried, void.brought) == (start.stacks, start.carried, start.brought)
            assert void.dealer == dealer
            book = void.hands[-1]
            assert book.void
            assert (book.pots, book.returned, book.payments, book.opened, book.unassigned) == ((), (), (), None, None)
            assert book.irregularities == state.hand.irregularities
        before = state


@settings(max_examples=30)
@given(games, seeds)
def test_a_hand_in_progress_waits_for_one_who_can_act(first: log.Game, seed: int) -> None:
    for _, state in play(first, seed, 80):
        hand, plain = state.hand, stoper.report(state)
        if hand is None:
            assert plain.table is None
            continue
        assert plain.table is not None
        assert (plain.table.turn is None) == (plain.table.phase == "showdown")
        assert hand.live.bit_count() > 1
        for seat in hand.todo:
            assert hand.live >> seat & 1
            assert state.stacks[seat] or hand.phase == "exchange"
        if hand.phase in ("blind", "opening", "final"):
            assert sum(bool(state.stacks[seat]) for seat in hand.order if hand.live >> seat & 1) > 1 or hand.high
