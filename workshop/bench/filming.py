"""Films the bench's clips into a cache: each clip once, and again only when its recipe or its choreography changes."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from random import Random

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games import read_lines
from companion.table.log import Line, write_lines
from workshop.bench import keys
from workshop.bench.recipe import DEFAULT_GAME, ClipRecipe
from workshop.choreography.layout import shortest
from workshop.choreography.troubles import NAMES
from workshop.clip import truth
from workshop.clip.film import FilmSet, filmed, prepare, textures
from workshop.clip.video import write_clip
from workshop.deck.style import Style

PX_PER_MM = 4.0
"""Resolution of the drawn cards: several times that of a clip."""


@dataclass(frozen=True, slots=True)
class Filmed:
    """A clip in the cache, in a ``folder`` of its own, under its ``key`` (see `key_of`)."""

    recipe: ClipRecipe
    key: str
    folder: Path

    @property
    def clip(self) -> Path:
        """The video."""
        return self.folder / "clip.mp4"

    @property
    def table(self) -> Path:
        """Its TABLE.json."""
        return self.folder / "table.json"

    def log(self) -> tuple[Line, ...]:
        """The true log, each line with the time ``t`` (seconds) at which it has happened."""
        return read_lines((self.folder / "true.jsonl").read_bytes())


def prepare_clip(recipe: ClipRecipe) -> FilmSet:
    """Everything that is decided before the first frame: the game played, the people directed, camera and table chosen.

    The recipe names the table top's pattern, so that it is one that no training picture shows.
    """
    made = prepare(recipe.played(), recipe.filming())
    return replace(made, surface=replace(made.surface, seed=recipe.cloth))


def key_of(recipe: ClipRecipe, made: FilmSet, deck: Path | None = None) -> str:
    """The clip's name in the cache: a hash of the recipe, of the game played, of when everything happens, and of the scans.

    How the renderer paints is not part of it: after a change there, remove the cache to have new pictures.
    """
    digest = hashlib.sha256(recipe_bytes(recipe))
    digest.update(write_lines(timed_log(made)))
    digest.update(keys.encoded(made.camera, made.timeline.duration, made.frames))
    digest.update(keys.encoded(*((NAMES[type(trouble)], astuple(trouble)) for trouble in made.troubles.all)))
    for scan in sorted(deck.iterdir()) if deck else ():
        digest.update(f"{scan.name} {scan.stat().st_size}".encode())
    return digest.hexdigest()[:16]


def recipe_bytes(recipe: ClipRecipe) -> bytes:
    """A recipe as its key has it: without fields that say nothing, and that recipes did not have when the first were filmed."""
    said = msgspec.to_builtins(recipe)
    later = {"lifts": 0.0, "game": DEFAULT_GAME, "scans": None}
    return msgspec.json.encode({key: value for key, value in said.items() if key not in later or value != later[key]})


def timed_log(made: FilmSet) -> tuple[Line, ...]:
    """What happens in the clip, each line with the time at which it has happened."""
    events = zip(made.timeline.lines, made.timeline.events, strict=True)
    return tuple(Line(line.event, round(t, 3)) for line, t in events)


def film_clip(
    recipe: ClipRecipe, cache: Path, deck: Path | None = None, progress: Callable[[int, int], None] = lambda done, of: None
) -> Filmed:
    """The clip from the cache, filmed first if it is not there. ``progress(frames done, frames)`` is called while filming.

    ``deck``: a folder of scans of the cards, used in place of the drawn ones.

    Raises:
        CompanionError: the folder of scans lacks a card.
    """
    made = prepare_clip(recipe)
    key = key_of(recipe, made, deck)
    folder = cache / f"{recipe.name}-{key}"
    if folder.is_dir():
        return Filmed(recipe, key, folder)
    cache.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=f".{recipe.name}.", dir=cache))
    try:
        lost = [number for number in range(made.frames) if made.missing(number)]
        frames = _frames(made, recipe, deck, progress)
        write_clip(scratch / "clip.mp4", frames, recipe.size, recipe.fps, crf=recipe.crf, lost=lost)
        table = truth.table_json(made.timeline, made.camera, made.surface)
        (scratch / "table.json").write_bytes(msgspec.json.format(msgspec.json.encode(table), indent=1) + b"\n")
        (scratch / "true.jsonl").write_bytes(write_lines(timed_log(made)))
        scratch.chmod(0o755)
        try:
            os.rename(scratch, folder)
        except OSError:
            if not folder.is_dir():  # another process has filmed it meanwhile
                raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return Filmed(recipe, key, folder)


def _frames(
    made: FilmSet, recipe: ClipRecipe, deck: Path | None, progress: Callable[[int, int], None]
) -> Iterator[NDArray[np.uint8]]:
    style = Style.standard() if recipe.style is None else Style.random(Random(recipe.style))
    pictures = textures(replace(made.recipe, deck=deck), made.timeline.plan.cards, style, PX_PER_MM)
    for number, (_, image, _) in enumerate(filmed(made, pictures), start=1):
        yield image
        progress(number, made.frames)


def smallest_card(made: FilmSet) -> float:
    """Length in pixels of the smallest card that lies in a place."""
    return shortest(made.timeline.plan, made.camera)
