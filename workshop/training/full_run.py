"""All three networks in one run: pictures, detector, proposals, refiner, reader, models, each with a share of the time.

A run lives in a folder: ``pictures/`` with a folder for each recipe, ``detector/``, ``refiner/`` and ``reader/`` with their
checkpoints, ``models/`` with what comes of it, ``carry/`` (`carrying`), and ``progress.json``. It can be ended at any moment, by
a signal too, and goes on in the stage where it was.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Timer
from types import FrameType
from typing import Any

import msgspec
import numpy as np
import torch

from companion.files import written_whole
from companion.table.errors import CannotTrain
from workshop.dataset.recipe import Recipe
from workshop.evaluation.detection import calibrations
from workshop.evaluation.labels import LabelledPicture, read_labels
from workshop.evaluation.reading import calibrate_reader
from workshop.training import widths
from workshop.training.checkpoint import CHECKPOINT
from workshop.training.crops import backdrops, classes
from workshop.training.detector import DetectorPlan, DetectorRun
from workshop.training.drawing import Drawing, Sources, Work, drawn, scaled
from workshop.training.export import FOLDER, PROGRESS, export_detector, keep_weights, pack, rewrite_notes, unpack
from workshop.training.proposals import NEWS_EVERY, propose, read_proposals
from workshop.training.reader import ReaderPlan, ReaderRun, export_reader
from workshop.training.refiner import RefinerPlan, RefinerRun, export_refiner
from workshop.training.training_run import TrainingRun

STAGES = ("pictures", "detector", "proposals", "refiner", "reader", "models")
SHARES = {
    "cuda": {"pictures": 4, "detector": 48, "proposals": 1, "refiner": 38, "reader": 6, "models": 3},
    "cpu": {"pictures": 25, "detector": 40, "proposals": 6, "refiner": 18, "reader": 9, "models": 2},
}
"""Percentages of the time that the stages have, by the kind of device. Where a GPU trains, drawing goes on beside it until the
detector is done; two processor cores do one after the other. What a stage leaves over, the next ones have."""
PHOTOS = 0.1
"""Share of the detector's views that come from ``photos``, and the least, about, of the refiner's pictures."""
SOONER = 0.3
"""Share of the refiner's lessons after which it has had all photos, and all pictures that only it sees."""
ENOUGH = 1500
"""Pictures with which a GPU begins, while more are drawn."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """What suits a device: batches (of pictures; of pictures with up to 26 crops each, or of crops that a GPU holds; of handfuls
    of four crops), learning rates, and processes that load."""

    detector: int
    refiner: int
    reader: int
    rate: float
    workers: int


@dataclass(frozen=True, slots=True)
class FullRunConfig:
    """A run of everything. ``minutes``: in all, over resumptions; ``piece``: minutes after which this part of it ends.

    ``pictures``: number to draw, or as many as the recipes say; those of ``refining`` only the refiner sees, ``vals`` are what is
    calibrated on. ``photos``: folders of other labelled pictures. ``start_from``: a folder with detector.pt, refiner.pt and
    reader.pt. ``width``, ``refiner_width``: of the two networks (`widths`). ``jobs``: processor cores. ``held``: gigabytes for
    decoded pictures. ``styles``: of the drawn deck, for the reader.
    """

    out: Path
    minutes: float
    recipes: tuple[Recipe, ...]
    refining: Recipe
    vals: tuple[Recipe, ...]
    device: str = "cpu"
    piece: float | None = None
    pictures: int | None = None
    sources: Sources = field(default_factory=Sources)
    photos: tuple[Path, ...] = ()
    start_from: Path | None = None
    width: float = widths.DETECTOR
    refiner_width: float = widths.REFINER
    jobs: int = 2
    held: float | None = None
    batch: int | None = None
    styles: int = 40
    strangers: int = 120
    seed: int = 0

    def sizes(self) -> Sizes:
        """The sizes for the device and its processor cores."""
        if torch.device(self.device).type == "cpu":
            return Sizes(self.batch or 8, 8, 16, 2e-3, 1)
        return Sizes(self.batch or 192, 2048, 192, 3e-3, max(1, self.jobs - 1))

    def works(self) -> list[Work]:
        """The pictures to draw: to learn from, to refine on, to calibrate on."""
        total = sum(recipe.count for recipe in (*self.recipes, self.refining))
        share = 1.0 if self.pictures is None else self.pictures / total
        folder = self.out / "pictures"
        learnt = [Work(scaled(one, share), folder / f"learnt-{n}") for n, one in enumerate(self.recipes)]
        checked = [Work(scaled(one, min(share, 0.5), 8), folder / f"checked-{n}", soon=True) for n, one in enumerate(self.vals)]
        return [*learnt, Work(scaled(self.refining, share), folder / "refined"), *checked]


class Progress(msgspec.Struct):
    """How far a run has got: seconds ``spent`` in each stage, and the stages that are ``done``."""

    spent: dict[str, float] = {}
    done: list[str] = []

    def stage(self) -> str | None:
        """The one to go on with; None when all are done."""
        return next((stage for stage in STAGES if stage not in self.done), None)


class FullRun:
    """One run of everything. Raises `CannotTrain` where ``whole.out`` holds another run and this is not to ``resume`` it."""

    def __init__(self, whole: FullRunConfig, resume: bool) -> None:
        self.whole, self.asked = whole, False
        self.training: TrainingRun[Any, Any, Any] | None = None
        self.kind = "cpu" if torch.device(whole.device).type == "cpu" else "cuda"
        self.models = whole.out / "models"
        path = whole.out / PROGRESS
        if not resume and (path.exists() or (whole.out / FOLDER / PROGRESS).exists()):
            raise CannotTrain(f"{whole.out} holds a run: go on with --resume, or choose another --out")
        if resume and not path.exists() and (whole.out / FOLDER / PROGRESS).exists():
            unpack(whole.out)
        self.progress = msgspec.json.decode(path.read_bytes(), type=Progress) if path.exists() else Progress()
        self.models.mkdir(parents=True, exist_ok=True)

    def run(self) -> Iterator[str]:
        """Goes through the stages that are not done and yields progress messages; ends early when asked to by a signal."""
        shares = SHARES[self.kind]
        yield f"{self.whole.minutes:g} minutes: " + ", ".join(f"{stage} {share} %" for stage, share in shares.items())
        works = self.whole.works()
        if not all(drawn(work.out) for work in works) and "pictures" in self.progress.done:  # on another machine
            self.progress.done.remove("pictures")
        drawn_until = "pictures" if self.kind == "cpu" else "detector"
        if drawn_until in self.progress.done and "pictures" in self.progress.done:
            works = []
        with self._signals(), Drawing(works, self.whole.sources, self._drawers()) as drawing:
            while (stage := self.progress.stage()) is not None and not self.asked:
                begun, before = time.monotonic(), self.progress.spent.get(stage, 0.0)
                done = False
                for news in self._stage(stage, drawing):
                    done = news is None
                    self.progress.spent[stage] = before + time.monotonic() - begun
                    self._save()
                    if news is not None:
                        yield f"{stage:9} {news}"
                    if self.asked and stage in ("pictures", "proposals"):
                        break
                self.progress.spent[stage] = before + time.monotonic() - begun
                if done:
                    self.progress.done.append(stage)
                self._save()
                if done and drawn_until in self.progress.done:
                    drawing.stop()
        stage = self.progress.stage()
        yield from pack(self.whole.out, stage)
        spent = sum(self.progress.spent.values()) / 60
        ended = "stopped; --resume goes on" if stage else f"done: {self.models}"
        yield f"after {spent:.1f} minutes {ended}"

    def _stage(self, stage: str, drawing: Drawing) -> Iterator[str | None]:
        """The stage's progress messages, and None at its end; without that it was stopped."""
        # It tries several ways for each new shape. Batches of what is held have one shape, the others a new one at every step.
        torch.backends.cudnn.benchmark = stage in ("detector", "refiner") and self.kind != "cpu"
        match stage:
            case "pictures":
                return self._pictures(drawing)
            case "detector":
                return self._detector()
            case "proposals":
                return self._proposals()
            case "refiner":
                return self._refiner()
            case "reader":
                return self._reader()
        return self._models()

    def _drawers(self) -> int:
        """Processes that draw."""
        return self.whole.jobs if self.kind == "cpu" else max(1, self.whole.jobs - 2)

    def _left(self, stage: str) -> float:
        """Seconds that ``stage`` has from now on: until its share and those before it are spent, yet a quarter of its own."""
        shares = SHARES[self.kind]
        total = self.whole.minutes * 60 / sum(shares.values())
        until = sum(shares[one] for one in STAGES[: STAGES.index(stage) + 1]) * total
        least = shares[stage] * total / 4 - self.progress.spent.get(stage, 0.0)
        return max(until - sum(self.progress.spent.values()), least, 1.0)

    def _pictures(self, drawing: Drawing) -> Iterator[str | None]:
        end, works = time.monotonic() + self._left("pictures"), self.whole.works()
        told = 0.0
        while not self.asked:
            there = [drawn(work.out) for work in works]
            going_on = drawing.going_on()
            count = f"{sum(there)} of {sum(work.recipe.count for work in works)} pictures"
            if not going_on or (all(there) and (time.monotonic() > end or (self.kind != "cpu" and sum(there) >= ENOUGH))):
                yield f"{count} are there"
                yield None
                return
            if time.monotonic() - told > NEWS_EVERY:
                yield count
                told = time.monotonic()
            time.sleep(0.5)

    def _folders(self) -> list[Path]:
        return [work.out for work in self.whole.works() if work.out.name.startswith("learnt")]

    def _checked(self) -> list[LabelledPicture]:
        return [one for work in self.whole.works() if work.soon for one in read_labels(work.out)]

    def _trained(self, run: TrainingRun[Any, Any, Any], lessons: Any) -> Iterator[str | None]:
        """Goes on with the run, or starts it from other weights, for what is left of its stage's time."""
        name = run.folder.name
        if (run.folder / CHECKPOINT).exists():
            run.resume()
        elif self.whole.start_from is not None:
            run.start_from(self.whole.start_from / f"{name}.pt")
        minutes = (run.seconds + self._left(name)) / 60
        run.plan = replace(run.plan, minutes=minutes)
        self.training, run.asked = run, self.asked
        yield from run.train(lessons)
        if run.seconds >= minutes * 60:
            yield None
        else:
            self.asked = True

    def _detector(self) -> Iterator[str | None]:
        whole, sizes = self.whole, self.whole.sizes()
        often = tuple((str(folder), PHOTOS / len(whole.photos)) for folder in whole.photos)
        cores = whole.jobs if self.kind == "cpu" else 1
        held = whole.held or (1.5 / cores if self.kind == "cpu" else torch.cuda.mem_get_info()[0] * 0.5 / 1e9)
        plan = DetectorPlan(
            whole.minutes, sizes.detector, sizes.rate, whole.seed, cores, 1 if self.kind == "cpu" else 4, width=whole.width,
            save_every=60.0, held=held, ahead=0 if self.kind == "cpu" else 3, often=often,
        )  # fmt: skip
        run = DetectorRun(whole.out / "detector", plan, whole.device)
        yield from self._trained(run, [*self._folders(), *whole.photos])

    def _proposals(self) -> Iterator[str | None]:
        end = time.monotonic() + self._left("proposals")
        detector = self.models / "detector.onnx"
        export_detector(self.whole.out / "detector" / CHECKPOINT, detector, {})
        keep_weights(self.whole.out / "detector" / CHECKPOINT, detector.with_suffix(".pt"))
        (self.whole.out / "refiner").mkdir(exist_ok=True)
        if self.kind == "cpu":  # for a GPU other processes propose while the refiner learns
            for news in propose(detector, self._lessons(), self._cache(), 1, self.whole.jobs):
                yield news
                if time.monotonic() > end:
                    break
        if not self.asked:
            yield None

    def _cache(self) -> Path:
        return self.whole.out / "refiner" / "proposals.npz"

    def _lessons(self) -> list[LabelledPicture]:
        """What the refiner may learn from, in the order in which there is time for it: of everything, but sooner of real photos,
        and those several times, and of what the detector has not learnt from, for there it proposes as at a table."""
        fresh = read_labels(self.whole.out / "pictures" / "refined")
        photos = [one for folder in self.whole.photos for one in read_labels(folder)]
        seen = [one for folder in self._folders() for one in read_labels(folder)]
        photos *= max(1, round(PHOTOS * len(seen) / max(len(photos), 1)))
        order = np.random.default_rng(self.whole.seed).permutation(len(seen))
        shares = ((SOONER, fresh), (SOONER, photos), (1.0, [seen[int(i)] for i in order]))
        when = [(share * (n + 0.5) / len(some), one) for share, some in shares for n, one in enumerate(some)]
        return [one for _, one in sorted(when, key=lambda entry: entry[0])]

    def _refiner(self) -> Iterator[str | None]:
        whole, sizes = self.whole, self.whole.sizes()
        detector, pictures, proposals = self.models / "detector.onnx", self._lessons(), {}
        plan = RefinerPlan(whole.minutes, sizes.refiner, sizes.rate, whole.seed, 1, sizes.workers, width=whole.refiner_width)
        if self.kind == "cpu":
            if not self._cache().exists():  # on another machine than where they were made
                yield from (news for news in self._proposals() if news is not None)
            proposals = read_proposals(self._cache())
            pictures = [one for one in pictures if str(one.path) in proposals]
            plan = replace(plan, threads=whole.jobs)
        else:
            torch.cuda.empty_cache()  # what held the detector's pictures
            plan = replace(plan, held=whole.held or torch.cuda.mem_get_info()[0] * 0.6 / 1e9, detector=detector)
        run = RefinerRun(whole.out / "refiner", plan, whole.device)
        yield from self._trained(run, (pictures, proposals))

    def _reader(self) -> Iterator[str | None]:
        whole, sizes = self.whole, self.whole.sizes()
        known = classes(whole.styles, whole.seed, whole.sources.scans, strangers=whole.strangers, jobs=whole.jobs)
        cores = whole.jobs if self.kind == "cpu" else 1
        plan = ReaderPlan(whole.minutes, sizes.reader, 3e-3, whole.seed, cores, sizes.workers, names=known.names)
        run = ReaderRun(whole.out / "reader", plan, whole.device)
        yield from self._trained(run, (known, backdrops(whole.sources.backgrounds), self._lessons()))

    def _models(self) -> Iterator[str | None]:
        whole, checked = self.whole, self._checked()
        detector, refiner, reader = (self.models / f"{name}.onnx" for name in ("detector", "refiner", "reader"))
        export_detector(whole.out / "detector" / CHECKPOINT, detector, {})
        export_refiner(whole.out / "refiner" / CHECKPOINT, refiner)
        export_reader(whole.out / "reader" / CHECKPOINT, reader, self.models / "prototypes.npz", {})
        for name in ("detector", "refiner", "reader"):
            keep_weights(whole.out / name / CHECKPOINT, self.models / f"{name}.pt")
        yield f"written to {self.models}"
        rewrite_notes(detector, calibrations(detector, None, checked))
        rewrite_notes(refiner, calibrations(detector, refiner, checked))
        yield f"detector and refiner are calibrated on {len(checked)} pictures"
        scenes = backdrops(whole.sources.backgrounds)
        sharpness, stranger = calibrate_reader(
            reader, self.models / "prototypes.npz", whole.sources.scans, scenes, whole.seed + 1, checked
        )
        yield f"the reader is calibrated: sharpness {sharpness:.1f}, strangers below {stranger:.3f}"
        yield None

    def _save(self) -> None:
        with written_whole(self.whole.out / PROGRESS) as scratch:
            scratch.write_bytes(msgspec.json.encode(self.progress))

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """SIGTERM, SIGINT and the end of the piece end the run after what is in hand, instead of killing it."""

        def ask(number: int, frame: FrameType | None) -> None:
            self.asked = True
            if self.training is not None:
                self.training.asked = True

        before = {number: signal.signal(number, ask) for number in (signal.SIGTERM, signal.SIGINT)}
        timer = Timer((self.whole.piece or 0) * 60, os.kill, [os.getpid(), signal.SIGTERM])
        timer.daemon = True
        if self.whole.piece is not None:
            timer.start()
        try:
            yield
        finally:
            timer.cancel()
            for number, handler in before.items():
                signal.signal(number, handler)
