"""What holds in every game of Stoppa, tried on random legal play."""

from __future__ import annotations

import hypothesis.strategies as st
from hypothesis import given, settings
from stoppa_play import HOUSES, everything, game_line, play

from companion.games import stoppa
from companion.games.stoppa.rules import log
from companion.games.stoppa.rules.cards import cards_in
from companion.table.log import tag

games = st.builds(game_line, st.integers(3, 6), st.sampled_from(HOUSES), st.integers(0, 5))
seeds = st.integers(0, 1_000_000)


@settings(max_examples=25)
@given(games, seeds)
def test_money_and_cards_are_conserved(first: log.Game, seed: int) -> None:
    for _, state in play(first, seed, 120):
        assert sum(state.balances) + (state.carried if state.hand is None else -sum(state.balances)) == 0
        plain = stoppa.report(state).to_dict()
        on_table = plain["table"]["on_table"] if plain["table"] is not None else state.carried
        assert sum(player["balance"] for player in plain["players"]) + on_table == 0
        assert on_table >= 0
        hand = state.hand
        if hand is None:
            continue
        table = state.table
        owed = table.misera * len(table.names) + hand.carried_in
        bets = 0 if hand.betting is None or hand.betting.decided else hand.betting.bets
        assert on_table == owed + bets - sum(pot.prize for pot in hand.pots if pot.how != "carried")
        for seat, known in enumerate(hand.known):
            assert not hand.laid[seat] & ~known
            assert not known & ~table.deck
            assert known.bit_count() <= table.size
            assert not any(known & other for other in hand.known[seat + 1 :])
        assert sorted(hand.named) == sorted(card for known in hand.known for card in cards_in(known))
        assert not any(one & other for at, one in enumerate(hand.dealt_in) for other in hand.dealt_in[at + 1 :])


@settings(max_examples=12)
@given(games, seeds, st.integers(0, 40))
def test_legal_acts_are_exactly_the_plain_acts_that_can_happen(first: log.Game, seed: int, most: int) -> None:
    *_, (_, state) = play(first, seed, 3 * most)
    legal = stoppa.legal_acts(state)
    assert len(set(legal)) == len(legal)
    possible = {event for event in everything(state) if stoppa.check(state, event) is None}
    if state.hand is not None and state.hand.declared:
        possible = {event for event in possible if tag(event) != "hand"}
    assert set(legal) == possible


@settings(max_examples=15)
@given(games, seeds)
def test_a_void_hand_leaves_no_trace_in_the_balances(first: log.Game, seed: int) -> None:
    before = None
    for event, state in play(first, seed, 80):
        if isinstance(event, log.Hand):
            before = (state.hand.balances_before, state.hand.carried_in) if state.hand is not None else None
        if state.hand is not None and before is not None:
            void = stoppa.apply(state, log.Void())
            assert (void.balances, void.carried) == before
            assert void.counted == state.counted
            assert void.hands[-1].void
            assert void.hands[-1].pots == void.hands[-1].payments == ()
            assert void.dealer == state.hand.dealer


@settings(max_examples=15)
@given(games, seeds)
def test_a_lay_taken_back_leaves_the_sequence_as_it_was(first: log.Game, seed: int) -> None:
    before = None
    for event, state in play(first, seed, 120):
        if isinstance(event, log.Lay) and before is not None and state.hand is not None and before.hand is not None:
            back = stoppa.apply(state, log.Back(lays=1))
            assert back.hand is not None
            was = before.hand
            assert (back.hand.top, back.hand.wants, back.hand.last, back.hand.laid) == (was.top, was.wants, was.last, was.laid)
            assert set(back.hand.irregularities) >= set(was.irregularities)
        before = state
