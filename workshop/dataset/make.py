"""Makes a data set from a recipe: pictures, labels and truth, the same for the same seed whatever the number of processes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.eyes.detection import CLASSES
from companion.table.errors import CompanionError
from workshop.dataset import compose
from workshop.dataset.decks import Deck, Together, deck, strange
from workshop.dataset.furnish import furnished
from workshop.dataset.recipe import Recipe
from workshop.evaluation.labels import TRUTH, CardLabel, PictureLabel
from workshop.stage.light import random_look
from workshop.stage.renderer import Renderer
from workshop.stage.scene import CardTruth, Image, Look, Surface

Floats = NDArray[np.float64]
SMALLEST = 0.25
"""Smallest share of a card in view with which it is labelled (docs/camera.md: a quarter)."""


def ordered(quad: Floats) -> Floats:
    """The corners (4 x 2 px, clockwise) beginning with one that does not depend on the print: a short edge comes first, and of
    the two corners at which one begins, the one with the smaller y, then with the smaller x."""
    edges = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
    start = 0 if edges[0] + edges[2] <= edges[1] + edges[3] else 1
    return np.roll(quad, -min((start, start + 2), key=lambda n: (quad[n, 1], quad[n, 0])), 0)


def card_label(truth: CardTruth) -> CardLabel:
    """A card as in a line of ``truth.jsonl``."""
    quad = tuple((round(float(x), 2), round(float(y), 2)) for x, y in truth.quad)
    card = truth.key[1] if truth.side == "face" else None
    return CardLabel(quad, truth.key[0], truth.side, round(truth.visible, 3), card)  # type: ignore[arg-type]


def pose_line(truth: CardTruth, width: int, height: int) -> str | None:
    """A line in ultralytics' pose format: class, box (middle x, y, width, height) and the four corners as `ordered`, in shares of
    the picture; None for a card that is not labelled. Pixel (0, 0) covers 0..1 in that format, so half a pixel is added."""
    if truth.visible < SMALLEST:
        return None
    size = np.array([width, height], np.float64)
    quad = (ordered(truth.quad) + 0.5) / size
    low, high = np.clip(quad.min(0), 0, 1), np.clip(quad.max(0), 0, 1)
    if np.any(high - low <= 0):
        return None
    numbers = [*((low + high) / 2), *(high - low), *quad.ravel()]
    return " ".join([str(CLASSES.index(truth.side)), *(f"{number:.6f}" for number in numbers)])

BLOCK = 160
"""Number of pictures in a row that share their decks, surfaces and rooms, which are costly to draw."""
TOPS = 16
"""Number of table tops in a block."""
STRANGERS = 24
"""Number of strange decks in a block."""
GAINS = (0.82, 0.68, 0.56)
"""What the exposure of a metered picture is tried with, one after the other."""
WHITE = 246
"""Grey level above which nothing can be told apart."""
BLOWN = 0.04
"""Most of a metered picture that may be whiter than that."""


@dataclass(frozen=True, slots=True)
class Task:
    """One block: its recipe, its pictures ``first`` to before ``last``, and the folders of scans, backgrounds and surfaces."""

    recipe: Recipe
    first: int
    last: int
    scans: Path | None
    backgrounds: Path | None
    surfaces: Path | None


@dataclass(frozen=True, slots=True, eq=False)
class Composed:
    """All that a renderer needs for the picture ``index``. ``decks``: the Stù deck first; ``seed``: of noise and floor.
    ``metered``: see `Recipe`."""

    index: int
    laid: compose.Laid
    decks: list[Deck]
    look: Look
    seed: int
    panorama: Image | None
    metered: bool = False

    @property
    def scanned(self) -> bool:
        """The Stù deck is a scanned one."""
        return self.decks[0].scanned and not self.decks[0].strange


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """One finished picture."""

    index: int
    image: Image
    truth: tuple[CardTruth, ...]
    scanned: bool
    """The Stù deck is a scanned one."""


def rooms(backgrounds: Path | None, recipe: Recipe) -> list[Path]:
    """The panoramas that the recipe may use, sorted. Raises `CompanionError` where the folder has none."""
    if backgrounds is None:
        return []
    found = _pictures_in(backgrounds, "--backgrounds expects a folder of panoramas")
    low, high = (round(share * len(found)) for share in recipe.rooms)
    return found[low:high]


def _pictures_in(folder: Path, expected: str) -> list[Path]:
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    found = [path for path in files if path.suffix.lower() in (".jpg", ".jpeg", ".png")]
    if not found:
        raise CompanionError(f"{folder}: no .jpg or .png picture: {expected}")
    return found


def table_tops(recipe: Recipe, surfaces: Path | None, number: int) -> list[tuple[str, int]]:
    """Kinds and seeds of the photographed table tops of block ``number``: the recipe's share of `TOPS`.

    Raises `CompanionError` where the folder ``surfaces`` has no pictures.
    """
    if surfaces is None:
        return []
    found = _pictures_in(surfaces, "--surfaces expects a folder of bare surfaces, such as companion dataset surfaces writes")
    rng = np.random.default_rng([recipe.seed, 3, number])
    share = round(TOPS * recipe.photo_surfaces)
    return [(str(found[int(rng.integers(len(found)))]), int(rng.integers(*recipe.surfaces))) for _ in range(share)]


def block(task: Task) -> Iterator[Picture]:
    """The pictures of one block, drawn, in order."""
    yield from map(_drawn, composed(task))


def composed(task: Task) -> Iterator[Composed]:
    """The scenes of one block, in order."""
    recipe = task.recipe
    rng = np.random.default_rng([recipe.seed, 1, task.first // BLOCK])
    decks, strangers = _decks(recipe, task.scans, rng), _strangers(recipe, task.scans, task.first // BLOCK)
    kinds = recipe.surface_kinds
    order = rng.permutation(TOPS * len(kinds))[:TOPS].tolist()
    tops = [(kinds[n % len(kinds)], int(rng.integers(*recipe.surfaces))) for n in order]
    photographed = table_tops(recipe, task.surfaces, task.first // BLOCK)
    tops[: len(photographed)] = photographed
    paths = rooms(task.backgrounds, recipe)
    panoramas = [cv2.imread(str(paths[int(n)])) for n in rng.integers(0, len(paths), 6)] if paths else []
    for index in range(task.first, task.last):
        pictures = [np.asarray(p, np.uint8) for p in panoramas if p is not None]
        yield _composed(recipe, index, decks, strangers, tops, pictures)


def _decks(recipe: Recipe, scans: Path | None, rng: np.random.Generator) -> dict[str, list[Deck]]:
    """Several decks of each name, with the recipe's share of scanned ones."""
    found: dict[str, list[Deck]] = {}
    for name, number in (("stu", 4), ("ramino", 4), ("napoletane", 1), ("piacentine", 1)):
        for n in range(number):
            scan = scans if name not in ("stu", "ramino") or n < round(number * recipe.scans) else None
            made = deck(name, int(rng.integers(*recipe.styles)), scan, rng)
            if made is not None:
                found.setdefault(name, []).append(made)
    return found


def _strangers(recipe: Recipe, scans: Path | None, number: int) -> list[Deck]:
    """The strange decks of block ``number``; none where the recipe has none."""
    if not recipe.strange:
        return []
    rng = np.random.default_rng([recipe.seed, 4, number])
    families = rng.choice(recipe.strange_faces, STRANGERS)
    made = (strange(str(family), recipe.strange_backs, recipe.styles, scans, rng, recipe.black) for family in families)
    return [one for one in made if one is not None]


def _joined(chosen: list[Deck], strangers: list[Deck], like_game: bool, rng: np.random.Generator) -> list[Deck]:
    """The decks of a picture with one or two strange ones, which take the places of ours or lie beside them."""
    ours = dict(zip(("stu", "ramino"), chosen, strict=True))
    beside: list[Deck] = []
    names = {deck.name for deck in chosen}
    for n in rng.permutation(len(strangers)):
        one = strangers[int(n)]
        if one.name in names:  # textures are found by a deck's name
            continue
        names.add(one.name)
        role = str(rng.choice(["stu", "ramino", ""], p=[0.4, 0.6, 0] if like_game else [0.25, 0.3, 0.45]))
        if role and not ours[role].strange:
            ours[role] = replace(one, role=role)
        else:
            beside.append(one)
        if len(names) == len(chosen) + 2 or rng.random() < 0.55:
            break
    return [*ours.values(), *beside]


def _composed(
    recipe: Recipe, index: int, decks: dict[str, list[Deck]], strangers: list[Deck], tops: list[tuple[str, int]],
    panoramas: list[Image],
) -> Composed:  # fmt: skip
    rng = np.random.default_rng([recipe.seed, 2, index])
    if recipe.hard_from is not None:
        recipe = msgspec.structs.replace(recipe, hard=float(rng.uniform(recipe.hard_from, recipe.hard)))
    kind, seed = tops[int(rng.integers(len(tops)))]
    surface = Surface(kind, seed, "round" if rng.random() < 0.35 else "rect")
    like_game = rng.random() < recipe.game
    foreign = [name for name in decks if name not in ("stu", "ramino")] if not recipe.strange else []
    others = [name for name in foreign if not like_game and rng.random() < 0.35]
    chosen = [decks[name][int(rng.integers(len(decks[name])))] for name in ("stu", "ramino", *others)]
    chosen = [deck for deck in chosen if deck.name in ("stu", "ramino", *recipe.foreign)]
    apart = np.random.default_rng([recipe.seed, 5, index])
    if strangers and apart.random() < recipe.strange:
        chosen = _joined(chosen, strangers, like_game, apart)
    laid = (compose.game if like_game else compose.scattered)(recipe, chosen, surface, rng)
    laid = furnished(recipe, laid, np.random.default_rng([recipe.seed, 6, index]))
    panorama = panoramas[int(rng.integers(len(panoramas)))] if panoramas and rng.random() < 0.6 else None
    look, noise = random_look(rng, recipe.hard), int(rng.integers(1 << 30))
    return Composed(index, laid, chosen, look, noise, panorama, recipe.metered)


def blown(image: Image) -> bool:
    """Whether so large a share of a picture is white that a camera with a light meter would expose it less."""
    return float((image.min(2) > WHITE).mean()) > BLOWN


def _drawn(one: Composed) -> Picture:
    renderer = Renderer(one.laid.camera, one.laid.surface, Together(one.decks), one.look, one.seed, one.panorama)
    frame = renderer.frame(one.laid.scene, one.laid.before)
    for gain in GAINS if one.metered else ():
        if not blown(frame.image):
            break
        frame = renderer.frame(replace(one.laid.scene, gain=gain), one.laid.before)
    return Picture(one.index, frame.image, frame.truth, one.scanned)


def write_block(task: tuple[Task, Path]) -> list[bytes]:
    """Renders and writes one block. Returns its lines of truth, for one process to write in order."""
    cv2.setNumThreads(1)
    return [save(picture, task[1]) for picture in block(task[0])]


def save(picture: Picture, out: Path) -> bytes:
    """Writes a picture and its labels into ``out``. Returns its line of truth."""
    name = f"{picture.index:06d}"
    height, width = picture.image.shape[:2]
    cv2.imwrite(str(out / "images" / f"{name}.jpg"), picture.image, [cv2.IMWRITE_JPEG_QUALITY, 94])
    rows = [row for card in picture.truth if (row := pose_line(card, width, height)) is not None]
    (out / "labels" / f"{name}.txt").write_text("".join(f"{row}\n" for row in rows))
    cards = tuple(card_label(card) for card in picture.truth)
    return msgspec.json.encode(PictureLabel(f"images/{name}.jpg", width, height, cards, picture.scanned)) + b"\n"


def make(
    recipe: Recipe,
    out: Path,
    scans: Path | None = None,
    backgrounds: Path | None = None,
    jobs: int = 1,
    progress: Callable[[int], object] = lambda done: None,
    surfaces: Path | None = None,
) -> None:
    """Writes ``images/``, ``labels/`` (ultralytics' pose format), ``truth.jsonl`` and ``data.yaml`` into ``out``.

    ``jobs``: number of processes. ``progress`` is called with the number of pictures just finished.

    Raises:
        CompanionError: ``out`` already has pictures, or one of the folders cannot be used.
    """
    prepare(recipe, out, scans, backgrounds, surfaces)
    firsts = range(0, recipe.count, BLOCK)
    tasks = [(Task(recipe, first, min(first + BLOCK, recipe.count), scans, backgrounds, surfaces), out) for first in firsts]
    with (out / TRUTH).open("wb") as file:
        for lines in _all(tasks, jobs):
            file.writelines(lines)
            file.flush()
            progress(len(lines))


def prepare(recipe: Recipe, out: Path, scans: Path | None, backgrounds: Path | None, surfaces: Path | None) -> None:
    """Checks the folders that a data set is made of and makes ``out`` ready for `save`. Raises as `make`."""
    if (out / TRUTH).exists():
        raise CompanionError(f"{out} already holds pictures ({TRUTH} is there): choose another --out or remove it first")
    rooms(backgrounds, recipe)
    table_tops(recipe, surfaces, 0)
    if scans is not None and not scans.is_dir():
        raise CompanionError(f"{scans}: no such folder: --scans expects one with stu/, french/, … of card scans")
    for folder in ("images", "labels"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    (out / "data.yaml").write_bytes(msgspec.yaml.encode(_description(out)))


def _all(tasks: list[tuple[Task, Path]], jobs: int) -> Iterator[list[bytes]]:
    if jobs == 1:
        yield from map(write_block, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(write_block, tasks)


def _description(out: Path) -> dict[str, object]:
    """``data.yaml``: what ultralytics reads of a data set with keypoints."""
    return {
        "path": str(out.resolve()),
        "train": "images",
        "val": "images",
        "names": dict(enumerate(CLASSES)),
        "kpt_shape": [4, 2],
        "flip_idx": [1, 0, 3, 2],
    }
