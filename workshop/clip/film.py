"""Films a table log: chooses camera, table and light by the seed, renders every frame, writes the clip, TABLE.json and the
truth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.files import write_whole, written_whole
from companion.table.errors import ClipError, CompanionError
from companion.table.log import Line
from workshop.choreography.barlife import Level
from workshop.choreography.layout import pick_camera, surface_of, turned
from workshop.choreography.play import direct
from workshop.choreography.seated import Company, company
from workshop.choreography.timeline import Timeline
from workshop.choreography.troubles import PEACEFUL, Amount, Troubles, kept_in_view, plan
from workshop.clip import truth
from workshop.clip.video import write_clip
from workshop.deck import raster
from workshop.deck.raster import DeckImages
from workshop.deck.style import Style
from workshop.stage import camera as cam
from workshop.stage import light as looks
from workshop.stage import surfaces
from workshop.stage.cards import Textures
from workshop.stage.renderer import SHUTTER, Renderer
from workshop.stage.scene import Camera, Frame, Image, Look, Scene, Shape, Surface
from workshop.stage.sprites import smear

_HARDNESS = {"easy": 0.0, "medium": 0.3, "hard": 0.8}


@dataclass(frozen=True, slots=True)
class FilmRecipe:
    """How a log is filmed. The same recipe and log give the same pictures.

    ``size``: width and height in pixels, even. ``deck``: None is the drawn deck, else a folder of scans of the Stù faces and
    back. ``surface``: one of `stage.surfaces.KINDS`; ``look``: one of `stage.light.LOOKS`; ``shape``: the table's; None draws
    each. ``backgrounds``: a folder of panoramas for the room beyond the table. ``crf``: x264's quality, 0 best to 51.
    ``trouble``: how much goes wrong with the camera, one of `choreography.troubles.AMOUNTS`. ``lifts``:
    share of hands after whose deal everybody lifts their card at once to look. ``people``: the players sit at the table, with
    room for their elbows. ``elevation``, ``azimuth``: degrees at which the camera looks, as of `Camera`; None draws each.
    ``view``: 0 is the first camera; each further one, of the same evening, has light, noise and troubles of its own.
    """

    seed: int = 0
    size: tuple[int, int] = (1280, 720)
    fps: float = 25.0
    tempo: float = 1.0
    level: Level = "medium"
    deck: Path | None = None
    surface: str | None = None
    look: str | None = None
    shape: Shape | None = None
    backgrounds: Path | None = None
    crf: int = 25
    trouble: Amount = "none"
    lifts: float = 0.0
    people: bool = False
    elevation: float | None = None
    azimuth: float | None = None
    view: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class FilmSet:
    """A directed log with its camera, table and light: everything that is decided before the first frame.

    ``camera``: as it stands in the beginning. ``company``: those who sit at the table; None: nobody is drawn.
    """

    recipe: FilmRecipe
    timeline: Timeline
    camera: Camera
    surface: Surface
    look: Look
    troubles: Troubles = PEACEFUL
    company: Company | None = None

    @property
    def frames(self) -> int:
        """How many frames are filmed; the clip lacks those that are `missing`."""
        return max(round(self.timeline.duration * self.recipe.fps), 1)

    def missing(self, number: int) -> bool:
        """Whether this frame is missing from the clip: its time passes without a picture."""
        gap = self.troubles.silent(number / self.recipe.fps)
        return gap is not None and not gap.frozen

    def camera_at(self, t: float) -> Camera:
        """The camera at ``t`` seconds."""
        return self.troubles.camera(self.camera, t)

    def scene_at(self, t: float) -> Scene:
        """All that is there at ``t`` seconds, with those who sit there."""
        scene = self.timeline.at(t)
        return scene if self.company is None else self.company.scene(scene)


def prepare(lines: Sequence[Line], recipe: FilmRecipe) -> FilmSet:
    """Everything that is decided before the first frame.

    Raises:
        ScriptError: the log cannot be played out. CompanionError: no such surface or look.
    """
    for given, known, what in ((recipe.surface, surfaces.KINDS, "surface"), (recipe.look, tuple(looks.LOOKS), "look")):
        if given is not None and given not in known:
            raise CompanionError(f"no {what} is called {given!r}: expected one of {', '.join(known)}")
    timeline = direct(lines, seed=recipe.seed, tempo=recipe.tempo, level=recipe.level, shape=recipe.shape,
                      lifts=recipe.lifts, people=recipe.people)  # fmt: skip
    rng = Random(f"view {recipe.seed}")
    camera = pick_camera(timeline.plan, rng, recipe.size)
    if recipe.elevation is not None or recipe.azimuth is not None:
        camera = turned(timeline.plan, camera, recipe.elevation, recipe.azimuth)
    kind, cloth = recipe.surface or rng.choice(surfaces.KINDS), rng.randrange(10_000)
    look = looks.LOOKS[recipe.look] if recipe.look else _light(recipe.seed, recipe.level)
    # The clip is compressed itself: no JPEG round trip before that.
    look = replace(look, jpeg=0)
    which = f" of view {recipe.view}" * bool(recipe.view)
    if recipe.view:
        look = _other_sensor(look, Random(f"sensor {recipe.seed}{which}"))
    troubles = plan(Random(f"trouble {recipe.seed}{which}"), timeline.duration, recipe.trouble)
    places = [seat.place for seat in timeline.plan.seats]
    troubles = kept_in_view(troubles, camera, places)
    here = company(timeline, recipe.seed) if recipe.people else None
    return FilmSet(recipe, timeline, camera, surface_of(timeline.plan, kind, cloth), look, troubles, here)


def other_views(recipe: FilmRecipe, azimuth: float, count: int) -> tuple[FilmRecipe, ...]:
    """Recipes of further cameras for the same evening, ``count`` of them, evenly all around from the first, which is at
    ``azimuth`` degrees: opposite it where there is one."""
    return tuple(
        replace(recipe, view=number, azimuth=(azimuth + 360 * number / (count + 1) + 180) % 360 - 180)
        for number in range(1, count + 1)
    )


def _other_sensor(look: Look, rng: Random) -> Look:
    """The look of the same light through another camera."""
    return replace(
        look, exposure=look.exposure * rng.uniform(0.85, 1.15), warmth=look.warmth + rng.uniform(-0.15, 0.15),
        noise=look.noise * rng.uniform(0.8, 1.25), blur=look.blur * rng.uniform(0.85, 1.15),
    )  # fmt: skip


def _light(seed: int, level: Level) -> Look:
    """A light drawn by the seed, dim only at hard levels."""
    rng = np.random.default_rng([seed, 7])
    look = looks.random_look(rng, _HARDNESS[level])
    while level != "hard" and look.exposure < 0.8:
        look = looks.random_look(rng, _HARDNESS[level])
    return look


def textures(recipe: FilmRecipe, cards: str = "stu", style: Style | None = None, px_per_mm: float = 8.0) -> DeckImages:
    """The pictures of a clip's cards: of the deck ``cards`` and, for pedine, of ramino.

    ``style``, ``px_per_mm``: of drawn cards, as of `raster.drawn`.

    Raises:
        CompanionError: the folder of scans lacks a card.
    """
    keys = raster.DECKS[cards] if cards != "stu" else raster.STU_KEYS + raster.RAMINO_KEYS
    drawn = raster.drawn(style, px_per_mm, keys)
    return drawn if recipe.deck is None else drawn.merged(raster.from_scans(recipe.deck, cards))


def filmed(made: FilmSet, pictures: DeckImages) -> Iterator[tuple[Scene, NDArray[np.uint8], Any]]:
    """(scene, BGR picture, truth about the cards) of every frame in turn. Frozen and missing frames repeat the last one."""
    recipe = made.recipe
    panorama = _panorama(recipe.backgrounds, Random(f"room {recipe.seed}")) if recipe.backgrounds else None
    decks = Textures(pictures)
    renderer = Renderer(made.camera, made.surface, decks, made.look, recipe.seed, panorama)
    sizes = {deck: pictures.size_mm((deck, "back")) for deck, card in pictures if card == "back"}
    previous = last = None
    for number in range(made.frames):
        t = number / recipe.fps
        if last is not None and made.troubles.silent(t):
            yield last
            continue
        camera = made.camera_at(t)
        swing = _swing(renderer.camera, camera)
        if camera != renderer.camera:
            renderer = Renderer(camera, made.surface, decks, made.look, recipe.seed, panorama)
        scene = made.troubles.scene(_sized(made.scene_at(t), sizes), made.camera.azimuth)
        frame = renderer.frame(scene, previous)
        previous = scene
        last = scene, smear(frame.image, *swing), frame.truth
        yield last


def filmed_at(made: FilmSet, pictures: DeckImages, t: float) -> Image:
    """The one BGR picture at ``t`` seconds, as `filmed` gives it but without motion blur."""
    return next(snapshots(made, pictures, (t,))).image


def snapshots(made: FilmSet, pictures: DeckImages, times: Iterable[float]) -> Iterator[Frame]:
    """The frames at these ``times``, seconds, as `filmed` gives them but without motion blur."""
    recipe = made.recipe
    panorama = _panorama(recipe.backgrounds, Random(f"room {recipe.seed}")) if recipe.backgrounds else None
    decks, renderer = Textures(pictures), None
    sizes = {deck: pictures.size_mm((deck, "back")) for deck, card in pictures if card == "back"}
    for t in times:
        if renderer is None or renderer.camera != made.camera_at(t):
            renderer = Renderer(made.camera_at(t), made.surface, decks, made.look, recipe.seed, panorama)
        yield renderer.frame(_sized(made.scene_at(t), sizes))


def _swing(before: Camera, now: Camera) -> tuple[float, float]:
    """How far (x, y pixels) the picture's middle moves over the sensor while the shutter is open."""
    way = (cam.project(now, [now.target]) - cam.project(before, [now.target]))[0] * SHUTTER
    return float(way[0]), float(way[1])


def _sized(scene: Scene, sizes: dict[str, tuple[float, float]]) -> Scene:
    """The scene with cards of this deck's size."""
    cards = tuple(replace(card, size=sizes[card.key[0]]) for card in scene.cards)
    stacks = tuple(replace(stack, size=sizes[stack.key[0]]) for stack in scene.stacks)
    places = tuple(replace(place, size=sizes[place.key[0]]) for place in scene.places)
    return replace(scene, cards=cards, stacks=stacks, places=places)


def _panorama(folder: Path, rng: Random) -> Image:
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in (".jpg", ".jpeg", ".png", ".webp"))
    if not files:
        raise CompanionError(f"{folder}: no picture there; expected panoramas (.jpg, .png, .webp)")
    chosen = rng.choice(files)
    picture = cv2.imread(str(chosen), cv2.IMREAD_COLOR)
    if picture is None:
        raise CompanionError(f"{chosen}: cannot be read as a picture")
    return np.asarray(picture, np.uint8)


def film(
    lines: Sequence[Line], recipe: FilmRecipe, clip: Path, table: Path | None = None, truth_path: Path | None = None,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> FilmSet:  # fmt: skip
    """Renders the log to ``clip``; writes TABLE.json to ``table`` and the truth to ``truth_path`` where they are given.

    Each file appears when it is whole; when something fails before, no file is touched. ``progress(done, frames)`` is called
    after every frame. Another camera at the same evening is another recipe: see `other_views`.

    Raises:
        ScriptError, ClipError, CompanionError: the message says what to do.
    """
    made = prepare(lines, recipe)
    pictures = textures(recipe, made.timeline.plan.cards)
    with ExitStack() as open_files:
        true = _TruthFile(open_files.enter_context(written_whole(truth_path)), made) if truth_path else None
        if true:
            open_files.enter_context(true.file)
        lost = [number for number in range(made.frames) if made.missing(number)]
        write_clip(clip, _frames(made, pictures, true, progress), recipe.size, recipe.fps, crf=recipe.crf, lost=lost)
        if true:
            true.finish()
    if table:
        entry = truth.table_json(made.timeline, made.camera, made.surface)
        write_whole(table, msgspec.json.format(msgspec.json.encode(entry), indent=1) + b"\n")
    return made


def _frames(
    made: FilmSet, pictures: DeckImages, true: _TruthFile | None, progress: Callable[[int, int], None]
) -> Iterator[NDArray[np.uint8]]:
    for number, (scene, image, seen) in enumerate(filmed(made, pictures)):
        if true and not made.missing(number):
            true.add(number / made.recipe.fps, scene, seen)
        yield image
        progress(number + 1, made.frames)


class _TruthFile:
    """The truth while it is being written, frame by frame."""

    def __init__(self, path: Path, made: FilmSet) -> None:
        self.made = made
        self.file = path.open("wb")
        self.events = truth.event_lines(made.timeline)
        recipe = made.recipe
        self.number = 0
        frames = made.frames - sum(made.missing(number) for number in range(made.frames))
        self._write(truth.meta(made.timeline, recipe.seed, recipe.size, recipe.fps, frames, made.troubles))

    def _write(self, entry: dict[str, Any]) -> None:
        self.file.write(msgspec.json.encode(entry) + b"\n")

    def add(self, t: float, scene: Scene, seen: Any) -> None:
        """Write the clip's next frame, at ``t`` seconds; a frozen one shows an earlier ``scene``."""
        while self.events and self.events[0][0] <= t:
            self._write(self.events.pop(0)[1])
        line = truth.frame_line(self.made.timeline, self.made.camera_at(scene.t), scene, seen, self.number)
        self._write(line | {"t": round(t, 3)})
        self.number += 1

    def finish(self) -> None:
        """Write the log's lines that happen after the last frame."""
        for _, entry in self.events:
            self._write(entry)


__all__ = ["ClipError", "FilmRecipe", "FilmSet", "film", "filmed", "prepare", "textures"]
