"""Shares with their confidence intervals."""

from __future__ import annotations

import math

import msgspec


class Rate(msgspec.Struct, frozen=True):
    """``hits`` out of ``of``, with the 95 % Wilson score interval of the share, ``low`` to ``high``."""

    hits: int
    of: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """0..1; NaN out of none."""
        return self.hits / self.of if self.of else math.nan


def rate(hits: int, of: int) -> Rate:
    """A rate with its interval: Wilson (1927), z = 1.96."""
    if not of:
        return Rate(hits, of, 0.0, 1.0)
    z, p = 1.96, hits / of
    middle = (p + z * z / (2 * of)) / (1 + z * z / of)
    half = z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return Rate(hits, of, max(0.0, middle - half), min(1.0, middle + half))
