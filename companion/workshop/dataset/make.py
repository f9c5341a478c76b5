"""Makes a data set from a recipe: pictures, labels and truth, the same for the same seed whatever the number of processes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.eyes.detector import CLASSES
from companion.table.errors import CompanionError
from companion.workshop.dataset import compose, labels
from companion.workshop.dataset.decks import Deck, Together, deck
from companion.workshop.dataset.recipe import Recipe
from companion.workshop.evaluation.labels import TRUTH, PictureLabel
from companion.workshop.stage.looks import random_look
from companion.workshop.stage.renderer import Renderer
from companion.workshop.stage.scene import CardTruth, Image, Surface

BLOCK = 160
"""Number of pictures in a row that share their decks, surfaces and rooms, which are costly to draw."""
TOPS = 16
"""Number of table tops in a block."""


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
    """The pictures of one block, in order."""
    recipe = task.recipe
    rng = np.random.default_rng([recipe.seed, 1, task.first // BLOCK])
    decks = _decks(recipe, task.scans, rng)
    kinds = recipe.surface_kinds
    order = rng.permutation(TOPS * len(kinds))[:TOPS].tolist()
    tops = [(kinds[n % len(kinds)], int(rng.integers(*recipe.surfaces))) for n in order]
    photographed = table_tops(recipe, task.surfaces, task.first // BLOCK)
    tops[: len(photographed)] = photographed
    paths = rooms(task.backgrounds, recipe)
    panoramas = [cv2.imread(str(paths[int(n)])) for n in rng.integers(0, len(paths), 6)] if paths else []
    for index in range(task.first, task.last):
        yield _picture(recipe, index, decks, tops, [np.asarray(p, np.uint8) for p in panoramas if p is not None])


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


def _picture(
    recipe: Recipe, index: int, decks: dict[str, list[Deck]], tops: list[tuple[str, int]], panoramas: list[Image]
) -> Picture:
    rng = np.random.default_rng([recipe.seed, 2, index])
    kind, seed = tops[int(rng.integers(len(tops)))]
    surface = Surface(kind, seed, "round" if rng.random() < 0.35 else "rect")
    like_game = rng.random() < recipe.game
    others = [name for name in decks if name not in ("stu", "ramino") and not like_game and rng.random() < 0.35]
    chosen = [decks[name][int(rng.integers(len(decks[name])))] for name in ("stu", "ramino", *others)]
    laid = (compose.game if like_game else compose.scattered)(recipe, chosen, surface, rng)
    panorama = panoramas[int(rng.integers(len(panoramas)))] if panoramas and rng.random() < 0.6 else None
    look = random_look(rng, recipe.hard)
    renderer = Renderer(laid.camera, laid.surface, Together(chosen), look, int(rng.integers(1 << 30)), panorama)
    frame = renderer.frame(laid.scene, laid.before)
    return Picture(index, frame.image, frame.truth, chosen[0].scanned)


def _write(task: tuple[Task, Path]) -> list[bytes]:
    """Renders and writes one block. Returns its lines of truth, for one process to write in order."""
    cv2.setNumThreads(1)
    lines = []
    for picture in block(task[0]):
        name = f"{picture.index:06d}"
        height, width = picture.image.shape[:2]
        cv2.imwrite(str(task[1] / "images" / f"{name}.jpg"), picture.image, [cv2.IMWRITE_JPEG_QUALITY, 94])
        rows = [row for card in picture.truth if (row := labels.pose_line(card, width, height)) is not None]
        (task[1] / "labels" / f"{name}.txt").write_text("".join(f"{row}\n" for row in rows))
        cards = tuple(labels.card_label(card) for card in picture.truth)
        lines.append(msgspec.json.encode(PictureLabel(f"images/{name}.jpg", width, height, cards, picture.scanned)) + b"\n")
    return lines


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
    if (out / TRUTH).exists():
        raise CompanionError(f"{out} already holds pictures ({TRUTH} is there): choose another --out or remove it first")
    rooms(backgrounds, recipe)
    table_tops(recipe, surfaces, 0)
    if scans is not None and not scans.is_dir():
        raise CompanionError(f"{scans}: no such folder: --scans expects one with stu/, french/, … of card scans")
    for folder in ("images", "labels"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    (out / "data.yaml").write_bytes(msgspec.yaml.encode(_description(out)))
    firsts = range(0, recipe.count, BLOCK)
    tasks = [(Task(recipe, first, min(first + BLOCK, recipe.count), scans, backgrounds, surfaces), out) for first in firsts]
    with (out / TRUTH).open("wb") as file:
        for lines in _all(tasks, jobs):
            file.writelines(lines)
            file.flush()
            progress(len(lines))


def _all(tasks: list[tuple[Task, Path]], jobs: int) -> Iterator[list[bytes]]:
    if jobs == 1:
        yield from map(_write, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(_write, tasks)


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
