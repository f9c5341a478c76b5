"""The bench's recipe: its clips, frozen by their seeds, and what easy, medium and hard mean."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.games import GAMES, first_game
from companion.table.errors import CompanionError
from companion.table.log import Line
from workshop.choreography.barlife import Level
from workshop.choreography.troubles import Amount
from workshop.clip.film import FilmRecipe
from workshop.games import workshop_of
from workshop.stage.light import LOOKS
from workshop.stage.scene import Shape
from workshop.stage.surfaces import KINDS as SURFACES
from workshop.yamlfile import read_yaml_or

Side = Annotated[int, Meta(ge=64, le=7680, multiple_of=2)]
Range = tuple[float, float]
"""The least and the most, both included."""


Dealing = Literal["at-once", "one-by-one"]
"""All cards first, or each when it is needed, where a game has both."""
DEFAULT_GAME = first_game().id
"""The game of clips that do not say one."""


class BadBench(CompanionError):
    """A bench that cannot be run; the message says where and what was expected."""


class ClipRecipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One clip: who plays how many hands, and how they are filmed.

    ``seed`` decides the game, the table, the camera and the people. ``size``: width and height in pixels, even. ``tempo``: 2
    plays twice as fast. ``look``: a name of `stage.light.LOOKS`; None draws one as hard as ``life``. ``style``: seed of the
    drawn deck's printing; None is the printing that is shipped. ``cloth``: seed of the table top's pattern. ``trouble``: what
    goes wrong with the camera, one of `choreography.troubles.AMOUNTS`. ``game``: its id.

    What depends on the game, see `workshop.games.GameWorkshop`: ``mistakes``: some play carelessly, and what is seldom seen
    happens. ``lifts``: share of hands after whose deal, a fast one, everybody lifts their card at once to look. ``scans``: the
    shipped deck whose scans are played with; None: drawn cards.
    """

    name: Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,40}$")]
    level: Level
    seed: Annotated[int, Meta(ge=0)]
    players: Annotated[int, Meta(ge=2, le=20)]
    hands: Annotated[int, Meta(ge=1, le=100)]
    size: tuple[Side, Side]
    fps: Annotated[float, Meta(ge=5, le=120)]
    tempo: Annotated[float, Meta(ge=0.25, le=4)]
    life: Level
    surface: str
    cloth: Annotated[int, Meta(ge=0)]
    shape: Shape
    look: str | None = None
    style: Annotated[int, Meta(ge=0)] | None = None
    dealing: Dealing = "at-once"
    trouble: Amount = "none"
    mistakes: bool = False
    crf: Annotated[int, Meta(ge=0, le=40)] = 25
    lifts: Annotated[float, Meta(ge=0, le=1)] = 0.0
    game: str = DEFAULT_GAME
    scans: Literal["napoletane", "piacentine"] | None = None

    def played(self) -> tuple[Line, ...]:
        """The log of the game that is played."""
        return workshop_of(self.game).clip_log(self)

    def filming(self) -> FilmRecipe:
        """How it is filmed; deck and cloth are the bench's own (`filming.prepare_clip`)."""
        return FilmRecipe(
            seed=self.seed, size=self.size, fps=self.fps, tempo=self.tempo, level=self.life, surface=self.surface,
            look=self.look, shape=self.shape, crf=self.crf, trouble=self.trouble, lifts=self.lifts,
        )  # fmt: skip


class LevelRecipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a difficulty means: the ranges in which its clips lie.

    ``card``: length in pixels of the smallest card in a place. ``life``: the bar life (`choreography.barlife`).
    """

    about: str
    players: tuple[int, int]
    width: tuple[int, int]
    card: Range
    fps: Range
    tempo: Range
    life: Level
    looks: tuple[str, ...]


class Bench(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A frozen set of clips."""

    about: str
    levels: dict[Level, LevelRecipe]
    clips: tuple[ClipRecipe, ...]

    @property
    def game(self) -> str:
        """The game that all clips are of."""
        return self.clips[0].game

    def chosen(
        self, level: str | None = None, count: int | None = None, names: Sequence[str] = (), skip: int = 0
    ) -> tuple[ClipRecipe, ...]:
        """The first ``count`` clips of each level, after ``skip`` of them; of one ``level`` only, or those with these ``names``.

        One of each level in turn, so that a run that is stopped early has measured something of each.

        Raises:
            BadBench: no clip is left, or no clip has one of the names.
        """
        if unknown := [name for name in names if name not in {clip.name for clip in self.clips}]:
            raise BadBench(f"no clip is called {', '.join(unknown)}: there are {', '.join(clip.name for clip in self.clips)}")
        of_level: dict[str, list[ClipRecipe]] = {}
        for clip in self.clips:
            if level in (None, clip.level) and (not names or clip.name in names):
                of_level.setdefault(clip.level, []).append(clip)
        kept = [clips[skip:][:count] for clips in of_level.values()]
        if not any(kept):
            of = f" of level {level}" * bool(level) + f" among {', '.join(names)}" * bool(names)
            raise BadBench(f"the bench has no clip{of}" + f" after the first {skip} of each level" * bool(skip))
        return tuple(clip for turn in zip_longest(*kept) for clip in turn if clip is not None)


def read_bench(path: Path) -> Bench:
    """Read and check a bench (YAML). Raises `BadBench`, which names the file, the clip and the field."""
    bench = read_yaml_or(path, Bench, BadBench, "a bench is a YAML file such as datasets/bench.yaml")
    names = [clip.name for clip in bench.clips]
    for clip in bench.clips:
        if problem := _problem(bench, clip, names):
            raise BadBench(f"{path}: clip {clip.name}: {problem}")
    if not names:
        raise BadBench(f"{path}: clips: none")
    if len({clip.game for clip in bench.clips}) > 1:
        raise BadBench(f"{path}: clips of several games: a bench is of one")
    return bench


def _problem(bench: Bench, clip: ClipRecipe, names: Sequence[str]) -> str | None:
    if names.count(clip.name) > 1:
        return "two clips have this name"
    if clip.surface not in SURFACES:
        return f"surface {clip.surface!r}: expected one of {', '.join(SURFACES)}"
    if clip.look is not None and clip.look not in LOOKS:
        return f"look {clip.look!r}: expected one of {', '.join(LOOKS)}, or none for one drawn by the seed"
    if clip.game not in GAMES:
        return f"game {clip.game!r}: expected one of {', '.join(GAMES)}"
    if fault := workshop_of(clip.game).clip_fault(clip):
        return fault
    level = bench.levels.get(clip.level)
    if level is None:
        return f"level {clip.level!r} is not among the levels"
    kept = {"players": (clip.players, level.players), "width": (clip.size[0], level.width), "fps": (clip.fps, level.fps),
            "tempo": (clip.tempo, level.tempo)}  # fmt: skip
    for name, (value, (low, high)) in kept.items():
        if not low <= value <= high:
            return f"{name} {value:g}: {clip.level} clips have {low:g} to {high:g}"
    if clip.life != level.life:
        return f"life {clip.life!r}: {clip.level} clips have {level.life!r}"
    if (clip.look or "drawn") not in level.looks:
        return f"look {clip.look or 'drawn'!r}: {clip.level} clips have {', '.join(level.looks)}"
    return None
