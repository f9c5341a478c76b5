"""Films the evenings of full tables into a cache, each from all its sides: each once, and again only when its recipe changes."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games import read_lines
from companion.table.log import Line, write_lines
from workshop.bench import keys
from workshop.bench.cache import Say
from workshop.bench.filming import PX_PER_MM, timed_log
from workshop.clip import truth
from workshop.clip.film import FilmSet, filmed, prepare, textures
from workshop.clip.video import write_clip
from workshop.deck.style import Style
from workshop.full_tables.stu.recipe import FullClip

LETTERS = "ABC"
"""What the cameras are called."""


class Shares(msgspec.Struct, frozen=True):
    """How much of each place was in view, 0 to 1: a row every second, a number for each player. ``card``: length in pixels of the
    shortest card that lies in a place."""

    card: float
    places: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class FilmedEvening:
    """An evening in the cache, in a ``folder`` of its own, all its views side by side."""

    recipe: FullClip
    folder: Path

    def clip(self, view: int) -> Path:
        """The video of the camera with this number, from 0."""
        return self.folder / f"{LETTERS[view]}.mp4"

    def table(self, view: int) -> Path:
        """Its TABLE.json."""
        return self.folder / f"{LETTERS[view]}.json"

    def shares(self, view: int) -> Shares:
        """What the camera with this number could see of the places."""
        return msgspec.json.decode((self.folder / f"{LETTERS[view]}.places.json").read_bytes(), type=Shares)

    def log(self) -> tuple[Line, ...]:
        """The true log, each line with the time ``t`` (seconds) at which it has happened."""
        return read_lines((self.folder / "true.jsonl").read_bytes())


def prepare_view(recipe: FullClip, view: int, lines: tuple[Line, ...] | None = None) -> FilmSet:
    """Everything that is decided before the first frame of this view. ``lines``: the log, where it has been played already."""
    made = prepare(lines or recipe.played(), recipe.filming_of(view))
    return replace(made, surface=replace(made.surface, seed=recipe.cloth))


def film_evening(recipe: FullClip, cache: Path, say: Say = lambda what, share: None) -> FilmedEvening:
    """The evening from the cache, filmed first if it is not there, one camera after the other."""
    lines = recipe.played()
    views = [prepare_view(recipe, number, lines) for number in range(len(recipe.views))]
    digest = hashlib.sha256(msgspec.json.encode(recipe))
    digest.update(write_lines(timed_log(views[0])))
    digest.update(keys.encoded(*((made.camera, made.timeline.duration, made.frames) for made in views)))
    folder = cache / f"{recipe.name}-{digest.hexdigest()[:16]}"
    if folder.is_dir():
        return FilmedEvening(recipe, folder)
    cache.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=f".{recipe.name}.", dir=cache))
    try:
        evening = FilmedEvening(recipe, scratch)
        for number, made in enumerate(views):
            _film(evening, number, made, say)
        (scratch / "true.jsonl").write_bytes(write_lines(timed_log(views[0])))
        scratch.chmod(0o755)
        try:
            os.rename(scratch, folder)
        except OSError:
            if not folder.is_dir():  # another process has filmed it meanwhile
                raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return FilmedEvening(recipe, folder)


def _film(evening: FilmedEvening, number: int, made: FilmSet, say: Say) -> None:
    recipe = evening.recipe
    style = Style.standard() if recipe.style is None else Style.random(Random(recipe.style))
    pictures = textures(made.recipe, made.timeline.plan.cards, style, PX_PER_MM)
    rows: list[tuple[float, ...]] = []
    lengths: list[float] = []

    def frames() -> Iterator[NDArray[np.uint8]]:
        for done, (scene, image, seen) in enumerate(filmed(made, pictures), start=1):
            if scene.t >= len(rows):
                places = [one for one in seen if one.side == "place"]
                rows.append(tuple(round(one.visible, 2) for one in places))
                lengths.extend(_length(one.quad) for one in places)
            yield image
            say(f"filming {LETTERS[number]}", done / made.frames)

    lost = [frame for frame in range(made.frames) if made.missing(frame)]
    write_clip(evening.clip(number), frames(), recipe.size, recipe.fps, crf=recipe.crf, lost=lost)
    table = truth.table_json(made.timeline, made.camera, made.surface)
    evening.table(number).write_bytes(msgspec.json.format(msgspec.json.encode(table), indent=1) + b"\n")
    shares = Shares(round(min(lengths), 1), tuple(rows))
    evening.folder.joinpath(f"{LETTERS[number]}.places.json").write_bytes(msgspec.json.encode(shares))


def _length(quad: NDArray[np.float64]) -> float:
    sides = np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1)
    return float(max(sides[0] + sides[2], sides[1] + sides[3]) / 2)
