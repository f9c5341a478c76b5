"""Evenings to measure on: simulated games of Stoper, each line with its time; no pictures."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from companion.games.stoper.bots import PLAIN, Settings, seated, simulate
from companion.games.stoper.rules import apply, begin
from companion.games.stoper.rules import log as tl
from companion.games.stoper.rules.log import HouseRules
from companion.table.log import Event, Line

HANDS = 6
"""Most hands of one evening."""
SECONDS: dict[type[Event], float] = {
    tl.Hand: 6.0, tl.Chips: 4.0, tl.Cambio: 4.0, tl.Show: 2.5, tl.Muck: 2.0,
}  # fmt: skip
"""Mean time before a line, where it is not `WORD_SECONDS`."""
WORD_SECONDS = 2.5
CARD_SECONDS = 0.4
"""From one card dealt to the next."""
LOOKING_SECONDS = 4.0
"""Before the first word people look at their cards; before the first one after the exchange, too."""


def evenings(hands: int, seed: int) -> Iterator[tuple[Line, ...]]:
    """True logs with times, with ``hands`` hands in all: 4 to 6 players, cash and tournaments, the house rules that change the
    play."""
    number = 0
    while hands > 0:
        made = evening(Random(f"stoper {seed} {number}"), min(HANDS, hands), 1000 * seed + number)
        hands -= sum(isinstance(line.event, tl.Hand) for line in made)
        number += 1
        yield made


def evening(rng: Random, hands: int, seed: int) -> tuple[Line, ...]:
    """One evening of at most ``hands`` hands."""
    house = HouseRules(
        ace_pair_third=rng.choice(("figure", "any")),
        blind_speaks_last=rng.choice(("always", "unless_reraised")),
        dealer_pays=rng.random() < 0.8,
    )
    settings = Settings(
        players=seated(rng.randint(4, 6)), mode=rng.choice(("cash", "torneo")), stacks=rng.choice((None, 600)),
        house_rules=house, event_probabilities=PLAIN,
    )  # fmt: skip
    return timed(simulate(settings, hands=hands, seed=seed), rng)


def timed(lines: tuple[Line, ...], rng: Random) -> tuple[Line, ...]:
    """The log with a time for each line: people take 0.6 to 1.8 times the mean for what they do; cards are dealt in between."""
    t, found, state = 0.0, [lines[0]], begin(lines[0].event)
    for before, line in pairwise(lines):
        t += SECONDS.get(type(line.event), WORD_SECONDS) * rng.uniform(0.6, 1.8)
        hand, was = state.hand, before.event
        if hand is not None and not hand.looked and not isinstance(line.event, tl.Buio) and isinstance(was, tl.Hand | tl.Buio):
            t += LOOKING_SECONDS + CARD_SECONDS * 3 * len(hand.order)
        elif isinstance(was, tl.Cambio) and not isinstance(line.event, tl.Cambio):
            t += LOOKING_SECONDS
        elif isinstance(was, tl.Show):
            t += 0.5
        found.append(Line(line.event, round(t, 3)))
        state = apply(state, line.event)
    return tuple(found)
