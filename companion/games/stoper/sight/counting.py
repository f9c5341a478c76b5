"""How many cards went or came, from how many backs were found: cards lie on one another, and some of them are not seen.

The shares are rounded from 163 throws and 60 packets of simulated eyes (`workshop.streams.glimpses`, easy): of three
cards thrown on others hardly ever more than the one on top was found, so that such a throw says nothing of their number. Of 27
single cards in three filmed clips three were found as two: a card of the heap lies a little differently afterwards.
"""

from __future__ import annotations

from companion.games.stoper.sightings import CountOdds

_CAME: tuple[CountOdds, ...] = (
    ((1, 0.8), (2, 0.17), (3, 0.03)), ((2, 0.6), (3, 0.34), (1, 0.06)), ((3, 0.9), (2, 0.07), (1, 0.03)),
)  # fmt: skip
_THROWN: tuple[CountOdds, ...] = ((), ((2, 0.46), (3, 0.42), (1, 0.12)), ((3, 0.9), (2, 0.08), (1, 0.02)))
_ALONE: CountOdds = ((1, 0.8), (2, 0.12), (3, 0.08))
_WITH_OTHERS: CountOdds = ((3, 0.55), (2, 0.38), (1, 0.07))
APART = 1.2
"""From so many backs found in a look on, on average, there is more than one."""


def came(found: int) -> CountOdds:
    """The numbers of cards that were dealt to a place where so many came, at least one, as far as could be told."""
    return _CAME[min(found, len(_CAME)) - 1]


def thrown(found: int, alone: float | None) -> CountOdds:
    """The numbers of cards that were thrown where so many new ones lie on top, at least one. ``alone``: how many backs a look
    finds there on average, where none lay before; None: others did."""
    if found == 1 and alone is not None:
        return _WITH_OTHERS if alone >= APART else _ALONE
    return _THROWN[min(found, len(_THROWN)) - 1]
