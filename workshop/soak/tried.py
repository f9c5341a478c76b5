"""How often a fault was tried, and what came of it: the rows that `companion soak` and `tools/faults.py` print.

After every fault must hold: no acknowledged tap is lost or doubled, no unshown face is told, memory does not grow.
"""

from __future__ import annotations

import json
import re
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from companion.decks import italian
from companion.games import log_format
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder
from companion.referee import replay
from workshop.soak.visitors import Json


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


MOST_GROWTH, WARMING_BYTES = 0.05, 8 * 2**20
"""Share of its memory, and bytes beside it, by which the program may grow: in two minutes it is still warming up (145 to 154 MB),
in seven it grows by 2 to 5 MB."""
HIDDEN = ("deal", "draw", "cambio")
"""Lines whose cards only one player has seen."""
ITALIAN = re.compile(r"\b(?:denari|coppe|spade|bastoni)-(?:10|[1-9])\b")


def check_kept(path: Path, acknowledged: Mapping[str, int], tried: Tried) -> list[str]:
    """Whether the ledger has every tap that was acknowledged, once, and thinks of it as it did.

    ``acknowledged``: token of a tap → its game. The tokens that are lost.
    """
    gone = []
    with Ledger.look(path, log_format) as ledger:
        for game in {*acknowledged.values()}:
            there = taps_in(ledger.reports(game))
            lost, twice = amiss(there, [token for token, of in acknowledged.items() if of == game])
            tried.check(not lost, f"of game {game} {len(lost)} acknowledged taps are lost")
            tried.check(not twice, f"of game {game} {len(twice)} taps are there twice")
            gone += lost
        if (newest := ledger.newest()) is not None:
            evening = EveningRecorder.resume(ledger, newest).evening
            again = replay(evening.game, evening.record)
            same = [line.event for line in again.log] == [line.event for line in evening.log]
            tried.check(same, "it thinks otherwise of the same reports")
    return gone


def check_unshown(log: bytes, view: Json, tried: Tried) -> None:
    """Whether the public log or the TV has a face of the hand in progress that nobody has shown, in any game."""
    hand: list[Json] = []
    for line in map(json.loads, log.splitlines()):
        hand = [] if line["e"] == "hand" else [*hand, line]
    told = set[str]().union(*(_faces(line) for line in hand if line["e"] in HIDDEN))
    shown = set[str]().union(*(_faces(line) for line in hand if line["e"] not in HIDDEN))
    tried.check(not told - shown, f"the public log has {told - shown}, which nobody has shown")
    if view.get("status") == "hand_in_progress":
        faces = _faces_on_tv(view)
        tried.check(faces <= shown, f"the TV shows {faces - shown}, which nobody has shown")
    tried.counted["pages looked through"] += 1


def _faces(line: Json) -> set[str]:
    """The cards that a line of a log names."""
    one, several = line.get("card"), [line.get(key) for key in ("cards", "faces", "discards")]
    return {card for cards in several if isinstance(cards, list) for card in cards} | ({one} if one else set())


def _faces_on_tv(view: Json) -> set[str]:
    """The cards that a view shows or names. Names of cards may be words and numbers that sentences have, too: but for the Italian
    ones, only the seats' count. What ``happened`` tells of hands before."""
    seats = [seat["card"] for seat in view.get("seats", ()) if isinstance(seat.get("card"), dict)]
    said = str({key: value for key, value in view.items() if key != "happened"}).casefold()
    named = {kind for kind, name in italian.NAMES.items() if name.it.casefold() in said}
    return {card["face"] for card in seats if card.get("face")} | {*ITALIAN.findall(said)} | named


def check_growth(memory: Mapping[str, Sequence[float]], tried: Tried) -> None:
    """Whether memory (bytes, as measured one after the other, by what has it) grew in the second half: the last quarter of it
    beside the second, as the first warms up."""
    for what, measured in memory.items():
        quarter = len(measured) // 4
        if quarter < 1:
            continue
        before, after = (statistics.median(measured[at : at + quarter]) for at in (quarter, 3 * quarter))
        for said, figure in (("at first", before), ("at last", after)):
            tried.counted[f"MB {what} {said}"] = round(figure / 2**20)
        tried.check(after < before * (1 + MOST_GROWTH) + WARMING_BYTES, f"{what}: {before / 2**20:.0f} to {after / 2**20:.0f} MB")
