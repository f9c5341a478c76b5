"""``python -m workshop.streams.stu.times [HANDS]``: measures how long people at the choreographed table take from one act to the
next: data for the referee's costs.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from companion.games.stu.rules import apply, begin
from companion.games.stu.rules import log as tl
from companion.table.log import Line
from workshop.streams.stu.evenings import evenings, timed

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


def gaps(logs: Iterable[tuple[Line, ...]]) -> dict[str, list[float]]:
    """Seconds from the last visible act to the next one, in true timed logs, by kind.

    ``refusal N``: to a card shown to refuse; ``first N``: to the first card of the showdown; ``turn``: from one card of the
    showdown to the next. N: how many decided in between, including the refused passo.
    """
    found: dict[str, list[float]] = defaultdict(list)
    for lines in logs:
        game = lines[0].event
        assert isinstance(game, tl.Game)
        state, acted, decided, showdown = begin(game), 0.0, 0, list[float]()
        for line in lines[1:]:
            hand, t = state.hand, line.t or 0.0
            asked = hand is not None and hand.asking is not None
            state = apply(state, line.event)
            if isinstance(line.event, tl.Hand | tl.Deal | tl.Swap | tl.Taverna | tl.Draw):
                acted = t
                decided *= isinstance(line.event, tl.Deal)
            elif isinstance(line.event, tl.Sto | tl.Passo):
                decided += 1
            elif isinstance(line.event, tl.Reveal) and asked:
                found[f"refusal {decided}"].append(t - acted)
                acted, decided = t, 0
            elif isinstance(line.event, tl.Reveal):
                showdown.append(t)
            elif isinstance(line.event, tl.End | tl.Void):
                turned = sorted(showdown)
                found[f"first {decided}"] += [turned[0] - acted] if turned else []
                found["turn"] += [after - before for before, after in pairwise(turned)]
                showdown, decided = [], 0
    return found


def quantiles(seconds: list[float]) -> tuple[float, ...]:
    """The `QUANTILES` of these seconds."""
    return tuple(float(q) for q in np.quantile(seconds, QUANTILES))


def main(hands: int) -> None:
    """Measure on this many hands, and print quantiles."""
    for name, seconds in gaps(timed(played) for played in evenings(hands, seed=5)).items():
        if not seconds:
            continue
        print(f"{name:>8} {len(seconds):6}", *(f"{share:.0%} {q:.2f} s " for share, q in zip(
            QUANTILES, quantiles(seconds), strict=True)))  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure how long people at the choreographed table take between two acts.")
    parser.add_argument("hands", nargs="?", type=int, default=400, metavar="HANDS", help="400 by default")
    main(parser.parse_args().hands)
