"""Random play for the tests and the benchmarks: games with real cards, told with the faces that a table sees."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from companion.decks.stu import COPIES, DECK, KINDS, RANK, Kind
from companion.games import stu
from companion.games.stu.rules import log
from companion.games.stu.rules.run import must_hand_back
from companion.games.stu.rules.state import Hand, State
from companion.games.stu.rules.trumps import LOWEST_TRUMP
from companion.games.stu.rules.waiting import awaited

HOUSES = [
    log.HouseRules(salta, run, lowest)
    for salta in ("deck", "stop")
    for run in ("choice", "forced")
    for lowest in ("others", "matti")
]
DRAWS = 2
"""Cards that a hand takes from the deck, at most: an asker's past a dealer's Salta, and the dealer's."""


def real_game(seed: int, players: int, hands: int = 40, *, careless: float = 0.0) -> Iterator[log.Event]:
    """A game with shuffled cards in which everybody passes low ones; at most ``hands`` hands.

    ``careless`` is how often (0 to 1) somebody passes or exchanges what they should not, or shows a card too early.
    """
    chance = random.Random(seed)
    names = [f"P{i}" for i in range(players)]
    game = log.new_game(
        names, 100, chance.choice(names), edition=chance.choice(("booklet", "piazza-2010")), house_rules=chance.choice(HOUSES)
    )
    yield game
    state = stu.begin(game)
    while not state.won and len(state.hands) < hands:
        back = [name for name, pedine in zip(names, state.pedine, strict=True) if not pedine and state.ricompere_open]
        for event in (*(log.Rebuy(by=name) for name in back if chance.random() < 0.5), log.Hand()):
            state = stu.apply(state, event)
            yield event
        deck = chance.sample(KINDS * COPIES, min(players + DRAWS, DECK))  # from the top, as far as a hand can need it
        while (hand := state.hand) is not None:
            mistaken = careless and chance.random() < careless
            event = _mistake(state, hand, deck, chance) if mistaken else _next(state, hand, deck, chance)
            state = stu.apply(state, event)
            yield event


def _next(state: State, hand: Hand, deck: Sequence[Kind], chance: random.Random) -> log.Event:
    """What somebody does who knows the rules. A token of the hand is a place in the deck."""
    wait, holds = awaited(hand), hand.holds
    step = wait.step
    if step == "show":
        for position in hand.positions():
            if hand.faces[holds[position]] is None:
                return log.Reveal(by=state.table.names[hand.order[position]], card=deck[holds[position]])
        return log.End()
    name, card = state.table.names[hand.order[wait.who]], deck[holds[wait.who]]
    if step == "decide":
        return (log.Passo if RANK[card] < 1 + int(8 * chance.random()) else log.Sto)(by=name)
    if step == "keep":
        return (log.Passo if chance.random() < 0.5 else log.Sto)(by=name)
    if step == "draw":
        return log.Draw(by=name)
    if RANK[card] < LOWEST_TRUMP or (wait.back and must_hand_back(hand, wait.whom, wait.who)):
        return log.Swap(with_=name)
    if card == "taverna" and not wait.back and chance.random() < 0.5:
        return log.Taverna(by=name)
    return log.Reveal(by=name, card=card)


def _mistake(state: State, hand: Hand, deck: Sequence[Kind], chance: random.Random) -> log.Event:
    """Something that can happen and should not have: a passo of any card, an exchange whatever is held, a face shown early."""
    wait = awaited(hand)
    if wait.step == "answer" and chance.random() < 0.7:
        return log.Swap(with_=state.table.names[hand.order[wait.who]])
    if wait.step == "decide" and chance.random() < 0.7:
        return log.Passo(by=state.table.names[hand.order[wait.who]])
    position = chance.choice(hand.positions())
    if (wait.step == "answer" and wait.who == position) or hand.face_of(position) is not None:
        return _next(state, hand, deck, chance)
    return log.Reveal(by=state.table.names[hand.order[position]], card=deck[hand.holds[position]])
