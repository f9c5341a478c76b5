"""``python -m workshop.streams.stu [HANDS]``: measures the times that the referee's costs are fitted to."""

from __future__ import annotations

import sys

from workshop.streams.stu import times
from workshop.streams.stu.evenings import evenings, timed


def main(hands: int) -> None:
    """Measure on this many hands, and print quantiles."""
    for name, seconds in times.gaps(timed(played) for played in evenings(hands, seed=5)).items():
        if not seconds:
            continue
        print(f"{name:>8} {len(seconds):6}", *(f"{share:.0%} {q:.2f} s " for share, q in zip(
            times.QUANTILES, times.quantiles(seconds), strict=True)))  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
