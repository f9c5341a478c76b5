"""Random play for the tests: legal acts drawn by chance, and games with real cards."""

from __future__ import annotations

import random
from collections.abc import Iterator

from companion import stu
from companion.stu import log
from companion.stu.cards import KINDS, RANK
from companion.stu.run import must_hand_back
from companion.stu.table import State

HOUSES = [
    log.HouseRules(salta, run, lowest)
    for salta in ("deck", "stop")
    for run in ("choice", "forced")
    for lowest in ("others", "matti")
]


def real_game(seed: int, players: int, hands: int = 40) -> Iterator[log.Event]:
    """A game with shuffled cards, everybody passing low ones, told with the faces that a table sees; at most so many hands."""
    chance = random.Random(seed)
    names = [f"P{i}" for i in range(players)]
    game = log.new_game(
        names, 100, chance.choice(names), edition=chance.choice(("booklet", "piazza-2010")), house_rules=chance.choice(HOUSES)
    )
    yield game
    state = stu.begin(game)
    while not state.won and len(state.hands) < hands:
        back = [p.name for p in state.players if not p.in_play and state.ricompere_open and chance.random() < 0.5]
        for event in (*(log.Rebuy(by=name) for name in back), log.Hand()):
            state = stu.apply(state, event)
            yield event
        deck = chance.sample(KINDS * 2, 40)
        cards: dict[int, log.Kind] = {}
        while state.hand is not None:
            event = _next(state, cards, deck, chance)
            state = stu.apply(state, event)
            yield event


def _next(state: State, cards: dict[int, log.Kind], deck: list[log.Kind], chance: random.Random) -> log.Event:
    hand = state.hand
    assert hand is not None

    def card(position: int) -> log.Kind:
        token = hand.holds[position]
        return cards.setdefault(token, deck[token])

    def name(position: int) -> str:
        return state.table.names[hand.order[position]]

    if (ask := hand.asking) is not None:
        if RANK[card(ask.asked)] < 11 or (ask.back and must_hand_back(hand, ask.asker, ask.asked)):
            return log.Swap(with_=name(ask.asked))
        if card(ask.asked) == "taverna" and not ask.back and chance.random() < 0.5:
            return log.Taverna(by=name(ask.asked))
        return log.Reveal(by=name(ask.asked), card=card(ask.asked))
    if hand.drawing >= 0:
        return log.Draw(by=name(hand.drawing))
    if hand.back >= 0:
        return (log.Passo if chance.random() < 0.5 else log.Sto)(by=name(hand.back))
    if hand.turn < len(hand.order):
        return (log.Passo if RANK[card(hand.turn)] < chance.randint(1, 8) else log.Sto)(by=name(hand.turn))
    unseen = [position for position in hand.positions() if hand.face_of(position) is None]
    return log.Reveal(by=name(unseen[0]), card=card(unseen[0])) if unseen else log.End()
