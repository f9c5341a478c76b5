"""Random play of Stoper for the tests: any legal act, and acts less plain than those."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace
from random_play import by_kind, drawn, played

from companion.decks.italian import KINDS
from companion.decks.italian_sets import cards_in, kinds_in, mask_of
from companion.games import stoper
from companion.games.stoper.rules import log
from companion.games.stoper.rules.acts import plain_hand
from companion.games.stoper.rules.log import Event, HouseRules

NAMES = ("Ada", "Bice", "Ciro", "Dora", "Elsa", "Fabio")
HOUSES = (
    HouseRules(),
    HouseRules(ace_pair_third="any", dealer_pays=False, bet_min=7, opening_point="figure_only", false_opening="forfeit"),
    HouseRules(blind_speaks_last="unless_reraised", no_chips_no_opening="thrown_in", carry_join="always", parola_level="step"),
    HouseRules(dealer_pays=False, carry_join="always", parola_join="absent_only", deck_follows="start"),
    HouseRules(false_opening="forfeit", no_chips_no_opening="thrown_in", parola_join="absent_only"),
)
WEIGHTS = {"void": 0.05, "close": 0.02, "deal": 0.3, "chips": 0.3, "passo": 0.6, "end": 0.3}
"""How often a kind of act is chosen, beside 1 for the others."""


def game_line(players: int, mode: log.Mode, house: HouseRules = HOUSES[0], seed: int = 0) -> log.Game:
    chance = random.Random(seed)
    names = NAMES[:players]
    stacks: int | dict[str, int] = 300
    if mode == "cash":
        stacks = {name: chance.choice((0, 3, 40, 110, 300, 2000)) for name in names}
    return log.new_game(names, stacks, names[seed % players], mode=mode, house_rules=house)


def choose(state: stoper.State, chance: random.Random) -> Event | None:
    """A legal act, sometimes with a larger amount, other stakes, or cards named."""
    acts = by_kind(stoper.legal_acts(state))
    if not acts:
        return None
    event = drawn(acts, WEIGHTS, chance)
    richer = event
    match event:
        case log.Hand():
            richer = replace(event, cip=chance.choice((1, 10, 60)), invito=chance.choice((0, 0, 30)))
            if chance.random() < 0.3:
                richer = replace(event, cip=state.cip or 1, invito=state.invito, absent=tuple(chance.sample(NAMES[:4], 2)))
        case log.Chips(by=by):
            richer = log.Chips(by=by, amount=chance.choice((5, 200)))
        case log.Apro() | log.Punto() | log.Rilancio() if state.hand is not None:
            seat = state.table.names.index(event.by)
            most = state.stacks[seat] + state.hand.totals[seat]
            richer = replace(event, to=chance.choice((most, min(most, event.to + chance.randrange(60)))))
        case log.Cambio(by=by, n=n) if n and state.hand is not None and chance.random() < 0.5:
            seat = state.table.names.index(by)
            cards = cards_in(plain_hand(state.hand, seat))
            richer = log.Cambio(by=by, n=n, discards=kinds_in(mask_of(cards[:n])))
        case log.Deal(to=to) if chance.random() < 0.5:
            richer = log.Deal(to=to, faces=(chance.choice(KINDS),))
        case log.Show(by=by) if chance.random() < 0.7:
            richer = log.Show(by=by, cards=tuple(chance.sample(KINDS, 3)))
    return richer if stoper.check(state, richer) is None else event


def play(first: log.Game, seed: int, most: int) -> Iterator[tuple[Event, stoper.State]]:
    """A game at random: each event with the state after it."""
    return played(stoper.begin, stoper.apply, choose, first, seed, most)


def everything(state: stoper.State) -> Iterator[Event]:
    """Every event in its plainest form, possible or not."""
    names, hand = state.table.names, state.hand
    high = 0 if hand is None else hand.high
    stakes = {} if state.cip else {"cip": 1, "invito": 0}
    yield from (log.Hand(**stakes), log.Void(), log.End(), log.Close())
    amounts = {1, high + 1, state.cip, state.table.house.bet_min, 0 if hand is None else hand.pot}
    of = state.ended if hand is None else hand
    for seat, name in enumerate(names):
        yield from (log.Hand(dealer=name, **stakes), log.Hand(absent=(name,), **stakes), log.Hand(join=(name,), **stakes))
        yield from (log.Parola(by=name), log.Passo(by=name), log.Busso(by=name), log.Vedo(by=name), log.Muck(by=name))
        yield from (log.Buio(by=name), log.Deal(to=name, cards=1), log.Chips(by=name, amount=1))
        yield from (log.Cambio(by=name, n=n) for n in (0, 1, 2))
        if of is not None:
            yield log.Show(by=name, cards=kinds_in(plain_hand(of, seat)))
        totals = {state.stacks[seat] + (0 if hand is None else hand.totals[seat])}
        for to in sorted({amount for amount in amounts | totals if isinstance(amount, int) and amount > 0}):
            yield from (log.Apro(by=name, to=to), log.Punto(by=name, to=to), log.Rilancio(by=name, to=to))


def plainest(events: set[Event]) -> set[Event]:
    """Of the openings, bets and raises of each player the smallest alone."""
    least: dict[tuple[type, str], Event] = {}
    others = set[Event]()
    for event in events:
        if isinstance(event, log.Apro | log.Punto | log.Rilancio):
            kind = (type(event), event.by)
            if kind not in least or event.to < least[kind].to:
                least[kind] = event
        else:
            others.add(event)
    return others | set(least.values())


def triples(state: stoper.State, hand: stoper.Hand) -> Iterator[tuple[str, ...]]:
    """All hands of three cards of the deck in use."""
    yield from (tuple(KINDS[card] for card in three) for three in combinations(cards_in(hand.deck), 3))
