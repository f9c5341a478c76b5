"""``python -m workshop.bench.stoppa.laid SCANS CACHE CLIP …``: how well the eyes alone tell which card was laid.

Of clips of `datasets/bench-stoppa.yaml`, filmed and watched as by `companion evaluate game`, or taken from the folder CACHE.
SCANS: the folder of scanned decks. Printed are, per clip, how probable the eyes called the cards that were laid, and how much
they saw change around one, by how many were laid together.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

from companion.assets import asset
from companion.games import GAMES
from companion.games.stoppa.rules.log import Lay
from companion.games.stoppa.sightings import Laid
from companion.table.log import Line
from workshop.bench.betting.run import watched
from workshop.bench.filming import film_clip
from workshop.bench.recipe import read_bench
from workshop.bench.watching import Look

NEAR = 0.7
"""Seconds by which the eyes may report a card before or after it was laid."""
SOON = 1.5
"""Seconds after it was laid for which it is looked for among the cards found."""
LEAST = 1e-3
"""A card to which the eyes gave less counts as this: one that was not seen at all would count without end."""


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card laid at ``t`` seconds as one of ``many``. ``p``: how probable the eyes called its kind; ``around``: how much they
    saw change around the one on top, in cards; None: that is not known."""

    t: float
    kind: str
    many: int
    p: float
    around: float | None


def laid_cards(truth: Sequence[Line], looks: Sequence[Look]) -> Iterator[LaidCard]:
    """The cards of a true log whose lines have times, as the eyes have told them."""
    told: dict[int, Laid] = {}
    for look in looks:
        told |= {seen.episode: seen for seen in look.decoded(GAMES["stoppa"]) if isinstance(seen, Laid)}
    for line in truth:
        if isinstance(line.event, Lay) and line.t is not None:
            here = [dict(seen.alternatives) for seen in told.values() if abs(seen.t - line.t) < NEAR]
            cards = line.event.cards
            around = _around(cards, line.t, looks)
            yield from (
                LaidCard(line.t, kind, len(cards), max((odds.get(kind, 0.0) for odds in here), default=0.0), around)
                for kind in cards
            )


def _around(cards: Sequence[str], t: float, looks: Sequence[Look]) -> float | None:
    seen = (card for look in looks if t < look.t < t + SOON for card in look.cards if card.card in cards)
    return next((card.around for card in seen if card.around is not None), None)


def main(scans: Path, cache: Path, names: Sequence[str]) -> None:
    """Film and watch these clips where they are not in the cache, and print what the eyes told."""
    found: list[LaidCard] = []
    for recipe in read_bench(asset("datasets/bench-stoppa.yaml")).clips:
        if recipe.name in names:
            filmed = film_clip(recipe, cache, scans / recipe.scans if recipe.scans else None)
            here = list(laid_cards(filmed.log(), watched(filmed, cache, asset("models").resolve()).looks))
            found += here
            if here:
                print(f"{recipe.name}: {_figures(here)}")
    print(f"all: {_figures(found)}" if found else "none of these clips has a card laid")
    for many in sorted({card.many for card in found}):
        around = sorted(card.around for card in found if card.many == many and card.around is not None)
        if around:
            print(f"around one of {many}: {around[0]:.2f} to {around[-1]:.2f}, median {median(around):.2f}, "
                  f"nine in ten up to {around[int(0.9 * (len(around) - 1))]:.2f}")  # fmt: skip


def _figures(cards: Sequence[LaidCard]) -> str:
    known = sum(card.p >= 0.5 for card in cards)
    worth = fmean(math.log(max(card.p, LEAST)) for card in cards)
    return f"{len(cards)} cards laid, {known} of them called so with 0.5 or more, mean log-probability {worth:.2f}"


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
