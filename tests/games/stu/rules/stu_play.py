"""Random play for the tests: legal acts drawn by chance, and games with real cards."""

from __future__ import annotations

import random
from collections.abc import Iterator

from companion.decks.stu import KINDS, RANK
from companion.games import stu
from companion.games.stu.rules import log
from companion.games.stu.rules.run import must_hand_back
from companion.games.stu.rules.state import State

HOUSES = [
    log.HouseRules(salta, run, lowest)
    for salta in ("deck", "stop")
    for run in ("choice", "forced")
    for lowest in ("others", "matti")
]


def real_game(seed: int, players: int, hands: int = 40, *, careless: float = 0.0) -> Iterator[log.Event]:
    """A game with shuffled cards, everybody passing low ones, told with the faces that a table sees; at most so many hands.

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
        back = [p.name for p in state.players if not p.in_play and state.ricompere_open and chance.random() < 0.5]
        for event in (*(log.Rebuy(by=name) for name in back), log.Hand()):
            state = stu.apply(state, event)
            yield event
        deck = chance.sample(KINDS * 2, 40)
        cards: dict[int, log.Kind] = {}
        while state.hand is not None:
            mistaken = chance.random() < careless
            event = _mistake(state, cards, deck, chance) if mistaken else _next(state, cards, deck, chance)
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


def _mistake(state: State, cards: dict[int, log.Kind], deck: list[log.Kind], chance: random.Random) -> log.Event:
    """Something that can happen and should not have: a passo of any card, an exchange whatever is held, a face shown early."""
    hand = state.hand
    assert hand is not None
    position = chance.choice(hand.positions())
    name = state.table.names[hand.order[position]]
    if hand.asking is not None and chance.random() < 0.7:
        return log.Swap(with_=state.table.names[hand.order[hand.asking.asked]])
    if hand.asking is None and hand.drawing < 0 and hand.turn < len(hand.order) and chance.random() < 0.7:
        return log.Passo(by=state.table.names[hand.order[hand.turn]])
    asked = hand.asking is not None and hand.asking.asked == position
    if asked or hand.faces[hand.holds[position]] is not None:
        return _next(state, cards, deck, chance)
    token = hand.holds[position]
    return log.Reveal(by=name, card=cards.setdefault(token, deck[token]))
