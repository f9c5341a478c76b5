"""Makes a data set whose pictures Cycles renders: the scenes of a recipe as `dataset.make` composes them, with the same truth."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.table.errors import CompanionError
from workshop.cycles import WORKER, setting, solids
from workshop.cycles.shapes import Shot
from workshop.dataset import make as drawn
from workshop.dataset.decks import Together
from workshop.dataset.make import BLOCK, Composed, Picture, Task
from workshop.dataset.recipe import Recipe
from workshop.evaluation.labels import TRUTH
from workshop.stage import sensor
from workshop.stage.light import UNIT
from workshop.stage.scene import Image, Look

SAMPLES = 8
"""Paths for each pixel before the denoiser."""

class Blender:
    """A process that renders shots one after another, in the environment of ``python``, which has `bpy`.

    Raises:
        CompanionError: there is no such Python, it has no `bpy`, or Blender ends.
    """

    def __init__(self, python: str, log: Path) -> None:
        self._log = log
        own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        try:
            with log.open("wb") as errors:
                self._process = subprocess.Popen([python, "-u", str(WORKER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                                 stderr=errors, text=True, env=own)
        except OSError as error:
            raise CompanionError(f"{python}: {error.strerror}: {HOW_TO_GET}") from error
        if not self._answers("ready"):
            said = log.read_text(errors="replace")
            self.close()
            if "No module named 'bpy'" in said:
                raise CompanionError(f"{python} has no bpy, Blender as a module: {HOW_TO_GET}")
            raise CompanionError(f"{python}: bpy, Blender as a module, does not start: {_last(said)}: {HOW_TO_GET}")

    def _answers(self, expected: str) -> bool:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip() == expected

    def render(self, shot: Shot, told: Path) -> NDArray[np.float32]:
        """The picture in linear light, float32 height x width x 3 (BGR). ``told``: the file that the shot is written into."""
        assert self._process.stdin is not None
        told.write_bytes(msgspec.json.encode(shot))
        try:
            self._process.stdin.write(f"{told}\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # the answer that does not come says so
        if not self._answers("done"):
            raise CompanionError(f"Blender ended while it rendered: {_last(self._log.read_text(errors='replace'))}")
        picture = cv2.imread(shot.out, cv2.IMREAD_UNCHANGED)
        Path(shot.out).unlink(missing_ok=True)
        if picture is None:
            raise CompanionError(f"Blender wrote no picture: {_last(self._log.read_text(errors='replace'))}")
        return np.asarray(picture, np.float32)

    def close(self) -> None:
        """Ends the process."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


HOW_TO_GET = ("make it an environment of its own, python3.11 -m venv cycles && cycles/bin/pip install bpy, and name it:"
              " --blender cycles/bin/python")


def _last(said: str) -> str:
    lines = [line for line in said.splitlines() if line.strip()]
    return lines[-1] if lines else "it said nothing"


def develop(light: NDArray[np.float32], look: Look, seed: int, exposed: float = 1.0) -> Image:
    """What the camera makes of linear light (float32 height x width x 3, BGR). It exposes by itself, so that the bright parts are
    just not burnt, and balances about half of the light's tint out; then lens and sensor do as in the drawn pictures.
    ``exposed``: gain of the exposure beside that.
    """
    rng = np.random.default_rng([seed, 91])
    light = np.nan_to_num(light, posinf=1e3).clip(0, 1e3)
    grey = light.reshape(-1, 3).mean(0)
    light = light * ((grey.mean() / np.maximum(grey, 1e-6)) ** rng.uniform(0.35, 0.95)).astype(np.float32)
    bright = light @ np.array([0.114, 0.587, 0.299], np.float32)
    gain = min(0.75 / max(1e-6, float(np.percentile(bright, 97))), 0.34 / max(1e-6, float(bright.mean())))
    level = np.clip(light * (gain * rng.uniform(0.85, 1.15)), 0, 1)
    level = np.where(level <= 0.0031308, 12.92 * level, 1.055 * np.maximum(level, 1e-6) ** (1 / 2.4) - 0.055)
    height, width = level.shape[:2]
    ys, xs = np.mgrid[0:height, 0:width]
    far = np.hypot(xs / width - 0.5, ys / height - 0.5) * np.sqrt(2)
    fall = np.repeat((UNIT * (1 - look.vignette * far**2.5))[..., None], 3, 2).astype(np.uint8)
    canvas = np.ascontiguousarray((level * 255 + 0.5).astype(np.uint8))
    optical = sensor.optics(canvas, fall, sensor.blur_sigma(look, width, 0.0))
    return sensor.expose(optical, look, seed, float(rng.uniform(0, 60)), exposed)


class Studio:
    """Renders composed scenes, on ``jobs`` processes of Blender in the environment of ``python``, with ``samples`` paths a pixel.

    A context manager: leaving it ends them. Raises `CompanionError` where there is no Blender.
    """

    def __init__(self, python: str, samples: int = SAMPLES, jobs: int = 1) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="companion-cycles-")
        self._at = Path(self._folder.name)
        self._samples, self._jobs = samples, jobs
        self._prints = solids.Prints(self._at)
        self._free: SimpleQueue[Blender] = SimpleQueue()
        self._all: list[Blender] = []
        try:
            for n in range(jobs):
                self._all.append(Blender(python, self._at / f"blender-{n}.log"))
                self._free.put(self._all[-1])
        except CompanionError:
            self.__exit__(None, None, None)
            raise

    def __enter__(self) -> Studio:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for blender in self._all:
            blender.close()
        self._folder.cleanup()

    def picture(self, one: Composed) -> Picture:
        """One finished picture with its truth."""
        rng = np.random.default_rng([one.seed, 90])
        laid = setting.settle(one.laid, rng)
        room = setting.panorama_file(one.panorama, self._at) if one.panorama is not None else None
        seen = setting.seen(one.laid, laid, Together(one.decks), one.look, room, self._prints, rng)
        truth = setting.truth(laid, seen.hide)
        shot = seen.shot(self._at / f"{one.index}.hdr", self._samples, one.seed)
        told = self._at / f"{one.index}.json"
        blender = self._free.get()
        try:
            light = blender.render(shot, told)
        finally:
            self._free.put(blender)
            told.unlink(missing_ok=True)
        image = develop(light, one.look, one.seed)
        for gain in drawn.GAINS if one.metered else ():
            if not drawn.blown(image):
                break
            image = develop(light, one.look, one.seed, gain)
        return Picture(one.index, image, truth, one.scanned)

    def pictures(self, scenes: Iterator[Composed]) -> Iterator[Picture]:
        """The pictures of the scenes, in order, ``jobs`` at a time."""
        with ThreadPoolExecutor(self._jobs) as pool:
            waiting: deque[Future[Picture]] = deque()
            for one in scenes:
                waiting.append(pool.submit(self.picture, one))
                if len(waiting) > self._jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()


def make(
    recipe: Recipe,
    out: Path,
    studio: Studio,
    scans: Path | None = None,
    backgrounds: Path | None = None,
    progress: Callable[[int], object] = lambda done: None,
    surfaces: Path | None = None,
) -> None:
    """As `dataset.make.make`, rendered in the studio.

    Raises:
        CompanionError: as there, or Blender ends.
    """
    drawn.prepare(recipe, out, scans, backgrounds, surfaces)
    with (out / TRUTH).open("wb") as file:
        for first in range(0, recipe.count, BLOCK):
            task = Task(recipe, first, min(first + BLOCK, recipe.count), scans, backgrounds, surfaces)
            for picture in studio.pictures(drawn.composed(task)):
                file.write(drawn.save(picture, out))
                file.flush()
                progress(1)
