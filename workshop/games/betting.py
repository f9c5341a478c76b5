"""What the workshops of games with betting have in common: a bench whose words and amounts a phone tells, Italian cards."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from companion.decks import italian
from companion.table.log import Event, Line
from workshop.games import BenchRun, GameWorkshop

if TYPE_CHECKING:
    from workshop.bench.betting.run import Betting
    from workshop.bench.recipe import ClipRecipe
    from workshop.bench.watching import Stream

HIGH = tuple(kind for kind in italian.KINDS if kind.endswith(("-1", "-7", "-8", "-9", "-10")))
"""The cards that every deck of these games has."""


class BettingWorkshop(GameWorkshop):
    """Clips are played with cards that are taught before, drawn ones or scans."""

    clip_scans = True

    @property
    def bench_rooms(self) -> tuple[str, ...]:
        return ("workshop/bench/betting", *super().bench_rooms)

    @property
    @abstractmethod
    def betting(self) -> Betting[Any]:
        """The game as its bench measures it."""

    def measure(self, run: BenchRun) -> tuple[str, Any]:
        from workshop.bench.betting.report import measure

        return measure(self.betting, run)

    def followed(self, run: BenchRun, clips: Sequence[ClipRecipe]) -> Iterator[Any]:
        from workshop.bench.betting.run import playable
        from workshop.bench.betting.run import run as followed

        return followed(self.betting, playable(clips, run.scans), run.cache, run.models, run.scans, run.say, run.real_time)

    def ruled(self, clip: ClipRecipe, truth: Sequence[Line], first: Event, stream: Stream) -> Any:
        from workshop.bench.betting.run import ruled

        return ruled(self.betting, clip, truth, first, stream)

    def glimpse(self, names: Sequence[str], chance: Random) -> dict[str, Any]:
        return {"e": "deal", "to": chance.choice(names), "cards": 3, "faces": chance.sample(HIGH, 3)}
