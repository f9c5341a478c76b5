"""A recap as pictures one after the other, each made when it is wanted: no more than three are in memory at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.dashboard.recap import drawing
from companion.dashboard.recap.drawing import HEIGHT, TABLE_LOW, TABLE_TOP, WIDE, WIDTH
from companion.eyes.image import decode_jpeg
from companion.pages.recap import Recap
from companion.pages.recap_scenes import Scene

Frame = NDArray[np.uint8]
"""A picture, (HEIGHT, WIDTH, 3) uint8 BGR."""

FADE_SECONDS = 0.24
"""Seconds in which one picture becomes the next."""
LAST_SHOT_SECONDS = 1.2
"""Least seconds for which the table stays after a film; else the film's last picture stays."""


@dataclass(frozen=True, slots=True)
class Film:
    """Some seconds of video of a moment, as everybody may see them. ``stills``: seconds from its beginning, and what gives the
    picture then as JPEG; ``says``: a line below it."""

    stills: Sequence[tuple[float, Callable[[], bytes]]]
    seconds: float
    says: str


def count(recap: Recap, fps: int) -> int:
    """How many pictures a recap has."""
    return sum(many for _picture, many in _parts(recap, "", {}, fps))


def frames(recap: Recap, night: str, films: Mapping[int, Film], fps: int) -> Iterator[Frame]:
    """The pictures, ``fps`` for each second. ``night``: the day in words; ``films``: index of a scene → video of it, which takes
    the place of its first tables."""
    before: Frame | None = None
    for picture, many in _parts(recap, night, films, fps):
        fading = min(many, round(FADE_SECONDS * fps)) if before is not None else 0
        last = before
        for number, frame in enumerate(picture(many)):
            if number < fading and before is not None:
                share = (number + 1) / (fading + 1)
                yield np.asarray(cv2.addWeighted(before, 1 - share, frame, share, 0), np.uint8)
            else:
                yield frame
            last = frame
        before = last


Picture = Callable[[int], Iterator[Frame]]
"""Gives this many frames."""


def _parts(recap: Recap, night: str, films: Mapping[int, Film], fps: int) -> Iterator[tuple[Picture, int]]:
    """The parts of a recap and how many frames each has. They are counted from the beginning on, so that what is rounded does not
    add up."""
    at, shown = 0.0, 0
    for seconds, picture in _timed(recap, night, films, fps):
        at += seconds
        many = round(at * fps) - shown
        shown += many
        yield picture, many


def _timed(recap: Recap, night: str, films: Mapping[int, Film], fps: int) -> Iterator[tuple[float, Picture]]:
    yield recap.title_seconds, _still(partial(drawing.title, recap, night))
    for at, scene in enumerate(recap.scenes):
        yield scene.seconds, _still(partial(drawing.words, scene, recap, at))
        yield from _tables(recap, scene, at, films.get(at), fps)
    yield recap.end_seconds, _still(partial(drawing.end, recap))


def _tables(recap: Recap, scene: Scene, at: int, film: Film | None, fps: int) -> Iterator[tuple[float, Picture]]:
    left, shots = sum(shot.seconds for shot in scene.shots), scene.shots
    if film is not None and shots:
        filmed = film.seconds if left - film.seconds >= LAST_SHOT_SECONDS else left
        yield filmed, _moving(recap, scene, at, film, fps)
        if filmed < left:
            yield left - filmed, _still(partial(drawing.table, shots[-1], scene, recap, at))
        return
    for shot in shots:
        yield shot.seconds, _still(partial(drawing.table, shot, scene, recap, at))


def _still(png: Callable[[], bytes]) -> Picture:
    def shown(many: int) -> Iterator[Frame]:
        frame = _decoded(png())
        for _ in range(many):
            yield frame

    return shown


def _moving(recap: Recap, scene: Scene, at: int, film: Film, fps: int) -> Picture:
    def shown(many: int) -> Iterator[Frame]:
        around = _decoded(drawing.film(scene, recap, at, film.says))
        # the last seconds of it: in them it was decided
        since = max(0.0, film.seconds - many / fps)
        frame, now = around, -1
        for number in range(many):
            t = since + number / fps
            still = max((index for index, (when, _) in enumerate(film.stills) if when <= t), default=0)
            if still != now:
                frame, now = _with(around, decode_jpeg(film.stills[still][1]())), still
            yield frame

    return shown


def _with(around: Frame, picture: Frame) -> Frame:
    """The picture in the place of the table, as large as it fits."""
    scale = WIDTH / WIDE
    top, low, wide = round(TABLE_TOP * scale), round(TABLE_LOW * scale), WIDTH - round(48 * scale)
    times = min(wide / picture.shape[1], (low - top) / picture.shape[0])
    size = max(1, round(picture.shape[1] * times)), max(1, round(picture.shape[0] * times))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if times < 1 else cv2.INTER_LINEAR)
    x, y = (WIDTH - size[0]) // 2, (top + low - size[1]) // 2
    whole = around.copy()
    whole[y : y + size[1], x : x + size[0]] = small
    return whole


def _decoded(png: bytes) -> Frame:
    frame = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert frame is not None
    assert frame.shape == (HEIGHT, WIDTH, 3), "it was drawn in this size"
    return np.asarray(frame, np.uint8)
