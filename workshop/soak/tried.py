"""How often a fault was tried, and what came of it: the rows that `companion soak` and `tools/faults.py` print."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass
class Tried:
    """How often a fault was ``tried``, how much was ``acknowledged``, what was ``counted`` besides, and what went ``wrong``.
    ``slowest``: seconds, of what was waited for."""

    tried: int = 0
    acknowledged: int = 0
    counted: Counter[str] = field(default_factory=Counter)
    slowest: dict[str, float] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def check(self, holds: bool, what: str) -> None:
        """Note what does not hold."""
        if not holds:
            self.wrong.append(f"try {self.tried}: {what}")

    def took(self, what: str, seconds: float) -> None:
        """Something was waited for."""
        self.slowest[what] = max(seconds, self.slowest.get(what, 0.0))

    @property
    def besides(self) -> str:
        """What else there is to say."""
        told = [f"{number} {said}" for said, number in self.counted.items()]
        return ", ".join([*told, *(f"{what} in {seconds:.1f} s" for what, seconds in self.slowest.items())])


HEAD = ("| fault | tried | acknowledged | besides | lost or wrong |", "|---|---|---|---|---|")


def row(what: str, tried: Tried) -> str:
    """A row below `HEAD`."""
    return f"| {what} | {tried.tried} | {tried.acknowledged} | {tried.besides} | {len(tried.wrong)} |"


def taps_in(reports: Iterable[str]) -> Counter[tuple[str, int | None]]:
    """How often each tap's token stands in what a ledger has of each hand of a game: one tap can end one and begin the next."""
    found = Counter[tuple[str, int | None]]()
    for text in reports:
        (fields,) = json.loads(text).values()
        if token := fields.get("tap"):
            found[token, fields.get("hand")] += 1
    return found


def amiss(there: Mapping[tuple[str, int | None], int], acknowledged: Iterable[str]) -> tuple[list[str], list[str]]:
    """Taps that were acknowledged and are not there, and taps that are there twice."""
    tokens = {token for token, _ in there}
    return [one for one in acknowledged if one not in tokens], [token for (token, _), times in there.items() if times > 1]
