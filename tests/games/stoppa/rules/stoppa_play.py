"""Random play of Stoppa for the tests: any legal act, and acts less plain than those."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

from random_play import by_kind, drawn, played

from companion.decks.italian import KINDS
from companion.games import stoppa
from companion.games.stoppa.rules import log
from companion.games.stoppa.rules.cards import KINGS, cards_in
from companion.games.stoppa.rules.log import Event, HouseRules

NAMES = ("Anna", "Bruno", "Carla", "Dino", "Elsa", "Fabio")
HOUSES = (
    HouseRules(),
    HouseRules(pass_="checks", grosso_nobody="carried", no_stoppata="three_aces", two_misere="each", cards_per_misera=3),
    HouseRules(three_aces_anytime=True, all_at_once="left", declaration_price=250, stoppata_unit=75, bet_min=5),
    HouseRules(no_stoppata="four_aces_no_king", grosso_nobody="carried", all_at_once="left"),
    HouseRules(no_stoppata="three_aces_no_king", three_aces_anytime=True, pass_="checks"),
)
WEIGHTS = {"void": 0.1, "close": 0.05, "annul": 0.2, "giro": 0.2, "deal": 0.3, "back": 0.4, "declare": 0.3, "end": 0.5,
           "lay": 4.0, "piccolo": 4.0, "grosso": 4.0}  # fmt: skip
"""How often a kind of act is chosen, beside 1 for the others; lays are what a hand is made of."""


def game_line(players: int, house: HouseRules = HOUSES[0], seed: int = 0) -> log.Game:
    removed = KINDS[cards_in(KINGS)[seed % 4]] if players == 3 else None
    return log.new_game(NAMES[:players], 600, 100, NAMES[seed % players], removed=removed, house_rules=house)


def choose(state: stoppa.State, chance: random.Random) -> Event | None:
    """A legal act, sometimes with a larger amount, more cards, or a number skipped."""
    acts = by_kind(stoppa.legal_acts(state))
    if not acts:
        return None
    event = drawn(acts, WEIGHTS, chance)
    richer = event
    match event:
        case log.Rilancio(by=by, to=to):
            richer = log.Rilancio(by=by, to=to + chance.randrange(50))
        case log.Show(by=by, cards=cards):
            others = [one.cards[0] for one in acts["show"] if one.by == by and one.cards != cards]
            richer = log.Show(by=by, cards=(*cards, *chance.sample(others, min(len(others), chance.randrange(3)))))
        case log.Lay(by=by) if chance.random() < 0.15:
            richer = log.Lay(by=by, cards=(chance.choice(KINDS),), skipped=True)
    return richer if stoppa.check(state, richer) is None else event


def play(first: log.Game, seed: int, most: int) -> Iterator[tuple[Event, stoppa.State]]:
    """A game at random: each event with the state after it."""
    return played(stoppa.begin, stoppa.apply, choose, first, seed, most)


def everything(state: stoppa.State) -> Iterator[Event]:
    """Every event in its plainest form, possible or not."""
    names, house = state.table.names, state.table.house
    high = state.hand.betting.high if state.hand is not None and state.hand.betting is not None else 0
    yield from (log.Hand(), log.Piccolo(), log.Grosso(), log.Annul(), log.Void(), log.End(), log.Close())
    standing = len(state.hand.lays) if state.hand is not None else 0
    yield from (log.Back(lays=count) for count in range(1, standing + 2))
    for name in names:
        yield from (log.Hand(dealer=name), log.Passo(by=name), log.Vedo(by=name), log.Muck(by=name), log.Giro(by=name))
        yield from (log.Punto(by=name, to=house.bet_min), log.Rilancio(by=name, to=high + 1), log.Deal(to=name))
        yield from (log.Declare(by=name, what=what) for what in ("four_kings", "misera", "no_stoppata"))
        for kind in KINDS:
            yield log.Deal(to=name, faces=(kind,))
            yield log.Show(by=name, cards=(kind,))
        for number in range(1, 11):
            of = [kind for kind in KINDS if kind.endswith(f"-{number}")]
            for count in range(1, 5):
                yield from (log.Lay(by=name, cards=cards) for cards in combinations(of, count))
