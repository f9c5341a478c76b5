"""How fast a game is followed: `companion watch`, compared with ultralytics' predict and track of the same weights.

Wall time is what people wait for; processor time says more on a machine with other work. Both are given.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from companion.assets import asset
from companion.eyes.crops import whole
from companion.eyes.geometry import polygon_iou
from companion.eyes.image import Image
from companion.eyes.incremental import IncrementalDetector
from companion.eyes.look import Eyes
from companion.eyes.source import pictures
from companion.eyes.table import TableMap
from companion.line.defaults import LOOKS_PER_SECOND
from companion.line.tablefile import read_table_file
from companion.table.errors import CompanionError
from workshop.clip.video import write_clip

IDLE_SIZE = (1920, 1080)
IDLE_FPS = 25.0
IDLE_SECONDS = 20.0
NOISE = 1.5
"""Standard deviation of the noise in a picture of a table where nothing happens, grey levels."""
AGREE_SECONDS = 60.0
AGREE_EVERY = 0.47
"""Seconds. No multiple of the incremental detector's steps, so that the comparison covers pictures it looks at and pictures it
does
not."""
DIFFERENT = 8
"""Number of pictures with noise of their own, which are repeated in turn."""


class CannotMeasure(CompanionError):
    """A clip that cannot be read, or a run that failed; the message says which."""


@dataclass(frozen=True, slots=True)
class Run:
    """What following ``frames`` frames took: ``wall`` and ``cpu`` in seconds, ``resident``: most memory in MB (0: not
    measured)."""

    frames: int
    wall: float
    cpu: float
    resident: float = 0.0

    @property
    def per_second(self) -> float:
        """Frames per second of wall time."""
        return self.frames / self.wall

    @property
    def cpu_ms(self) -> float:
        """Milliseconds of processor time per frame."""
        return 1000 * self.cpu / self.frames


def watched(clip: Path, table: Path, folder: Path) -> Run:
    """`companion watch` of the whole ``clip``, in a process of its own, with its log in ``folder``. Raises `CannotMeasure`.

    Its greatest size is never less than this process' own: a new process begins as a copy of its parent, and that counts.
    """
    frames = length(clip)
    log = folder / f"{clip.stem}.jsonl"
    command = [sys.executable, "-m", "companion", "watch", str(clip), "--table", str(table), "--log", str(log), "--quiet"]
    began = time.monotonic()
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    assert process.stderr is not None
    said = process.stderr.read().decode(errors="replace")
    _, status, used = os.wait4(process.pid, 0)  # this child alone: getrusage would add up all children there ever were
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode:
        raise CannotMeasure(f"companion watch {clip} failed: {said.strip() or process.returncode}")
    kilobytes = used.ru_maxrss / 1024 if sys.platform == "darwin" else used.ru_maxrss
    return Run(frames, time.monotonic() - began, used.ru_utime + used.ru_stime, kilobytes * 1024 / 1e6)


def agreement(clip: Path, table: Path, seconds: float = AGREE_SECONDS, eyes: Eyes | None = None) -> float:
    """The share of the cards on the table that the incremental detector knows (IoU 0.5), among those that a look at the whole
    picture finds.

    Compared every `AGREE_EVERY` seconds in the first ``seconds`` of ``clip``; NaN where no card was found.
    """
    eyes = eyes or Eyes.load(asset("models"))
    incremental, laid = IncrementalDetector(eyes), read_table_file(table).table
    top, due, found, known = None, 0.0, 0, 0
    for picture in pictures(str(clip), LOOKS_PER_SECOND):
        if picture.t > seconds:
            break
        size = picture.image.shape[1], picture.image.shape[0]
        top = TableMap(laid, size).corners if top is None else top
        cards = incremental.look(replace(picture, top=top))
        if picture.t < due:
            continue
        due += AGREE_EVERY
        outline = top.astype(np.float32)
        for card in eyes.look(picture.image, incremental.width(size[0]), [whole(size)]):
            x, y = np.mean(card.quad, axis=0)
            if cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0:
                found += 1
                known += any(polygon_iou(card.quad, other.quad) > 0.5 for other in cards)
    return known / found if found else math.nan


def can_track() -> bool:
    """Whether ultralytics and torch are installed."""
    return all(find_spec(name) is not None for name in ("torch", "ultralytics"))


def input_width(clip: Path, looks: int = 40) -> int:
    """The detector's input width in pixels that `companion watch` uses for this clip after ``looks`` looks."""
    incremental = IncrementalDetector(Eyes.load(asset("models")))
    width = 0
    for picture in islice(pictures(str(clip), LOOKS_PER_SECOND), looks):
        incremental.look(picture)
        width = incremental.width(picture.image.shape[1])
    return width


def _yolo(weights: Path, threads: int) -> Any:
    """Our ``weights`` (detector.pt) in ultralytics' own model. Needs torch and ultralytics."""
    import torch
    from ultralytics import YOLO

    from workshop.training.architecture import CardModel
    from workshop.training.checkpoint import read_checkpoint

    torch.set_num_threads(threads)
    state = read_checkpoint(weights)
    model = CardModel(**state["shape"])
    model.load_state_dict(state["average"])
    first = model.model[0].conv.weight
    first.data = first.data[:, [2, 1, 0]]  # ours take blue-green-red, ultralytics gives red-green-blue
    yolo = YOLO("yolo11n-pose.yaml", verbose=False)  # an untrained pose model: nothing is downloaded
    yolo.model = model.float().eval()
    return yolo


TRACKING: Final = {"tracker": "bytetrack.yaml", "device": "cpu", "verbose": False, "save": False}


def tracker(weights: Path, width: int, threads: int = 1) -> Callable[[Image], object]:
    """Ultralytics' own predict and track (ByteTrack) with our ``weights`` (detector.pt), picture by picture; ``width``: of the
    input, pixels."""
    yolo = _yolo(weights, threads)
    return lambda image: yolo.track(image, persist=True, imgsz=width, **TRACKING)


def tracked(clip: Path, weights: Path, frames: int, width: int, threads: int = 2) -> Run:
    """How fast Ultralytics' own tracking is on the first ``frames`` frames of a clip. Neither loading nor the first frame is
    counted."""
    results = _yolo(weights, threads).track(str(clip), stream=True, imgsz=width, **TRACKING)
    next(results)
    began, cpu, count = time.monotonic(), time.process_time(), 0
    for _ in results:
        count += 1
        if count >= frames:
            break
    return Run(count, time.monotonic() - began, time.process_time() - cpu)


def still_clip(clip: Path, at: float, seconds: float, made: Path, size: tuple[int, int] = IDLE_SIZE) -> None:
    """Writes ``made``: ``seconds`` of the one picture that ``clip`` shows ``at`` that second, scaled to ``size``, with noise."""
    picture = np.asarray(cv2.resize(frame_at(clip, at), size, interpolation=cv2.INTER_CUBIC), np.float32)
    rng = np.random.default_rng(0)
    noisy = [np.asarray(np.clip(picture + rng.normal(0, NOISE, picture.shape), 0, 255), np.uint8) for _ in range(DIFFERENT)]
    write_clip(made, (noisy[number % DIFFERENT] for number in range(round(seconds * IDLE_FPS))), size, IDLE_FPS)


def length(clip: Path) -> int:
    """How many frames ``clip`` has. Raises `CannotMeasure`."""
    capture = cv2.VideoCapture(str(clip))
    try:
        frames = int(capture.get(cv2.CAP_PROP_FRAME_COUNT))
    finally:
        capture.release()
    if frames < 1:
        raise CannotMeasure(f"{clip}: not a video that OpenCV can read")
    return frames


def frame_at(clip: Path, seconds: float) -> Image:
    """The picture of ``clip`` at ``seconds``, or its last one. Raises `CannotMeasure`."""
    capture = cv2.VideoCapture(str(clip))
    try:
        number = min(round(seconds * (capture.get(cv2.CAP_PROP_FPS) or 25.0)), length(clip) - 1)
        capture.set(cv2.CAP_PROP_POS_FRAMES, number)
        ok, image = capture.read()
    finally:
        capture.release()
    if not ok:
        raise CannotMeasure(f"{clip}: its picture at {seconds:g} s cannot be read")
    return np.asarray(image, np.uint8)


def figures(play: Run, idle: Run, rival: Run | None, agrees: float) -> dict[str, float]:
    """The report's figures by their short names; ``rival``: ultralytics' run, None where it is not installed; ``agrees``: see
    `agreement`."""
    found = {
        "play_fps": play.per_second,
        "play_cpu_ms": play.cpu_ms,
        "idle_fps": idle.per_second,
        "idle_cpu_ms": idle.cpu_ms,
        "resident_mb": max(play.resident, idle.resident),
        "found_as_looking_at_everything": agrees,
    }
    if rival is not None:
        found |= {
            "ultralytics_fps": rival.per_second,
            "ultralytics_cpu_ms": rival.cpu_ms,
            "play_times": play.per_second / rival.per_second,
            "play_cpu_times": rival.cpu_ms / play.cpu_ms,
        }
    return found
