"""``python -m companion.workshop.streams [HANDS]``: fits the eyes' traffic, and measures the times behind the referee's costs.

Prints what to put into `companion.eyes.traffic` and what `companion.referee.costs` was made from; takes half a second a hand.
"""

from __future__ import annotations

import sys

from companion.workshop.streams import times, traffic
from companion.workshop.streams.evenings import evenings, timed


def main(hands: int) -> None:
    """Fit on so many hands of each kind of bar life."""
    for name, seconds in times.gaps(timed(played) for played in evenings(10 * hands, seed=5)).items():
        if not seconds:
            continue
        print(f"{name:>8} {len(seconds):6}", *(f"{share:.0%} {q:.2f} s " for share, q in zip(
            times.QUANTILES, times.quantiles(seconds), strict=True)))  # fmt: skip
    found = traffic.glimpsed_cases(hands, seed=3)
    for name, deck in (("PAIR_WEIGHTS", False), ("DECK_WEIGHTS", True)):
        weights = traffic.fit(found, deck)
        print(f"{name} = ({', '.join(f'{weight:.2f}' for weight in weights)})  # loss {traffic.loss(found, deck, weights):.4f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
