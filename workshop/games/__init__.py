"""What the workshop asks of a game: how it is filmed, how streams of its sightings are made, its bench and its soak.

A game says it in `workshop.games.ID`, and one whose package lies elsewhere in the module ``workshop`` of that package: found by
its id, listed nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, cast

from companion.games import GAMES
from companion.table.errors import CompanionError
from companion.table.log import Event, Line

if TYPE_CHECKING:
    import click

    from workshop.bench.recipe import Bench, ClipRecipe
    from workshop.bench.watching import Stream
    from workshop.choreography.barlife import Level
    from workshop.choreography.timeline import Timeline
    from workshop.stage.scene import Shape


class Streams(NamedTuple):
    """Verdicts on the hands of evenings, an evening at a time, and what makes figures (a dataclass or a struct) of them all."""

    evenings: Iterable[Sequence[Any]]
    figures: Any


@dataclass(frozen=True, slots=True)
class BenchRun:
    """What `companion evaluate game` was asked for.

    ``benches``, ``chosen``: by the benches' names, and the clips of each that are run. ``cache``, ``models``: folders. ``deck``,
    ``scans``: folders of scans: of one deck, and with one folder for each deck. ``without_pictures``: with simulated eyes;
    ``baseline``: also with ByteTrack. ``real_time``: as of `workshop.bench.watching.footage_of`. ``command``: what makes the
    report again. ``say``: what is being done, and its share that is done.
    """

    benches: Mapping[str, Bench]
    chosen: Mapping[str, Sequence[ClipRecipe]]
    cache: Path
    models: Path
    deck: Path | None
    scans: Path | None
    without_pictures: bool
    baseline: bool
    real_time: bool
    command: str
    say: Any
    echo: Any


class GameWorkshop:
    """The workshop of one game. A game overrides what it has; what it has not is refused by name.

    ``id``: the game's. ``bench_alone``: its bench has a report of its own, and goes with neither scans of a single deck nor a
    baseline. ``clip_players``: the fewest and the most players of a clip. ``clip_scans``: its clips may be played with scans.
    ``clip_variants``: they may have another dealing, and hands lifted all at once. ``bench_rooms``: folders whose code decides
    how a clip is ruled and scored, from the checkout's root. ``stakes``: what a soaked evening is played for, as the first line
    of its log says it. ``commands``: commands of `companion evaluate` that are this game's alone.
    """

    bench_alone: ClassVar[bool] = True
    clip_players: ClassVar[tuple[int, int]] = (2, 20)
    clip_scans: ClassVar[bool] = False
    clip_variants: ClassVar[bool] = False
    stakes: ClassVar[Mapping[str, Any]] = MappingProxyType({})

    def __init__(self, id: str) -> None:
        self.id = id

    @property
    def title(self) -> str:
        """What people call the game."""
        return GAMES[self.id].title

    @property
    def bench_rooms(self) -> tuple[str, ...]:
        return (f"workshop/bench/{self.id}", f"workshop/streams/{self.id}")

    @property
    def commands(self) -> Sequence[click.Command]:
        return ()

    def direct(
        self, lines: Sequence[Line], *, seed: int, tempo: float = 1.0, level: Level = "medium", shape: Shape | None = None,
        lifts: float = 0.0,
    ) -> Timeline:  # fmt: skip
        """The timeline of a whole log. The same arguments give the same timeline.

        ``tempo``: 2 plays twice as fast. ``level``: how much bar life there is. ``shape``: the table's; None draws one.
        ``lifts``: share of hands after whose deal everybody lifts their card at once.

        Raises:
            ScriptError: the log cannot be played out; the message names the line.
        """
        raise self._lacking("film")

    def streams(self, hands: int, noise: str, seed: int) -> Streams:
        """What the referee makes of streams with this many ``hands`` in all; ``noise``: none, easy, medium or hard."""
        raise self._lacking("streams of sightings")

    def clip_log(self, clip: ClipRecipe) -> tuple[Line, ...]:
        """The log of the game that is played in a clip of the bench."""
        raise self._lacking("bench")

    def clip_fault(self, clip: ClipRecipe) -> str | None:
        """What is wrong with a clip of the bench; None: nothing."""
        low, high = self.clip_players
        if clip.scans and not self.clip_scans:
            return f"scans {clip.scans!r}: not of {self.title} (evaluate game --deck)"
        variant = (clip.lifts or clip.dealing != "at-once") and not self.clip_variants
        if variant or not low <= clip.players <= high:
            return f"clips of {self.title} have {low} to {high} players" + ", and neither lifts nor another dealing" * (
                not self.clip_variants
            )
        return None

    def measure(self, run: BenchRun) -> tuple[str, Any]:
        """The report's text and its figures, of the clips chosen."""
        raise self._lacking("bench")

    def followed(self, run: BenchRun, clips: Sequence[ClipRecipe]) -> Iterator[Any]:
        """The result of each of these clips: a ``score`` of its ``hands``, how many ``looks`` and pictures ``left_out``."""
        raise self._lacking("bench")

    def ruled(self, clip: ClipRecipe, truth: Sequence[Line], first: Event, stream: Stream) -> Any:
        """What the referee makes of a ``stream`` beside the true log: a result with a ``score`` of its ``hands``.

        ``first``: the first line of the log, as the table file has it.
        """
        raise self._lacking("bench")

    def glimpse(self, names: Sequence[str], chance: Random) -> dict[str, Any] | None:
        """A line that tells a card that one player alone has seen; None: no line of the game tells such a card."""
        return None

    def terms(self, dealer: str) -> dict[str, Any]:
        """What a soaked evening is played for, and who deals first, as the first line of its log and TABLE.json say it."""
        return {"currency": "EUR", "dealer": dealer, **self.stakes}

    def first(self, names: Sequence[str], dealer: str) -> Event:
        """The first line of a soaked evening."""
        told = {"e": "game", "v": 1, "game": self.id, "players": list(names), **self.terms(dealer)}
        return GAMES[self.id].rules.LOG.event(told)

    def _lacking(self, what: str) -> CompanionError:
        return CompanionError(f"{self.id} has no {what} yet: say it in `workshop.games.{self.id}`")


@cache
def workshop_of(id: str) -> GameWorkshop:
    """The workshop of the game with this id; one that has nothing where none is written."""
    for package in (__name__, GAMES[id].package):
        module = f"{package}.{id if package == __name__ else 'workshop'}"
        if hasattr(import_module(package), "__path__") and find_spec(module) is not None:
            return cast(GameWorkshop, import_module(module).WORKSHOP)
    return cast(GameWorkshop, getattr(import_module(GAMES[id].package), "workshop", GameWorkshop(id)))


def workshops() -> tuple[GameWorkshop, ...]:
    """The workshops of all games, in the order of `GAMES`."""
    return tuple(workshop_of(id) for id in GAMES)
