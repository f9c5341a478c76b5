"""How well what is said to be sure is right."""

from __future__ import annotations

from collections.abc import Iterable

BINS = 10


def calibration_error(judged: Iterable[tuple[float, bool]]) -> float:
    """Expected calibration error (0 to 1) of confidences, each with whether it was right, in ten bins of equal width."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in judged:
        bins.setdefault(min(int(confidence * BINS), BINS - 1), []).append((confidence, right))
    total = sum(map(len, bins.values()))
    gaps = (abs(sum(sure for sure, _ in group) - sum(right for _, right in group)) for group in bins.values())
    return sum(gaps) / total if total else 0.0
