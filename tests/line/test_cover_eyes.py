"""Faces that nobody has shown, laid into the bundled clip wherever somebody may look at one, before the trained eyes: whatever
these make of them, none is left in what everybody gets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest

from companion.assets import asset
from companion.eyes.image import Image
from companion.eyes.source import Picture, pictures
from companion.line.cover import LASTING_SECONDS, hidden
from companion.line.defaults import LOOKS_PER_SECOND
from companion.line.follow import watch
from companion.line.footage import Footage
from companion.line.tablefile import read_table_file
from companion.line.trained import trained
from companion.referee import Evening, observe
from companion.referee.clips import laid_open

DEMO = asset("datasets/demo")
BEGIN, END = 40.0, 60.0
"""The clip's second hand: dealt, exchanged, not yet shown."""

pytestmark = pytest.mark.networks


@dataclass(frozen=True)
class Glimpse:
    """From ``since`` for 0.8 seconds a face is seen in ``quad`` (4, 2 pixels), which sways a little; its picture is ``face`` of
    ``image``."""

    since: float
    image: Image
    face: np.ndarray
    quad: np.ndarray

    def at(self, t: float) -> np.ndarray | None:
        if not self.since <= t <= self.since + 0.8:
            return None
        return (self.quad + (6 * np.sin(8 * t), 4 * np.cos(7 * t))).astype(np.float32)


def glimpses(rng: np.random.Generator) -> list[Glimpse]:
    """A look every 1.25 seconds, in turn where a player's card lies, lifted a little, and nearer to the table's middle."""
    places = [np.float32(seat.place) for seat in read_table_file(DEMO / "table.json").table.players]
    middle = np.mean(places, axis=0)
    picture = next(pictures(str(DEMO / "demo.mp4"), 10, 64.0))
    faces = [np.float32(card.quad) for card in trained()(picture) if card.side == "face" and card.deck == "stu"]
    assert len(faces) == 5
    found = []
    for number, since in enumerate(np.arange(43.0, 58.0, 1.25)):
        face, home, turn = faces[rng.integers(5)], places[number % 5], rng.uniform(-0.6, 0.6)
        turned = np.float32([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        at = home + rng.uniform(-15, 15, 2) if number % 2 == 0 else middle + (home - middle) * rng.uniform(0.2, 0.6)
        shape = (face - face.mean(axis=0)) * rng.uniform(1, 1.5) * (1, rng.uniform(0.55, 1))
        found.append(Glimpse(float(since), picture.image, face, shape @ turned.T + at - (0, rng.uniform(0, 30))))
    return found


def filmed(looks: list[Glimpse]) -> Iterator[Picture]:
    for picture in pictures(str(DEMO / "demo.mp4"), LOOKS_PER_SECOND, BEGIN):
        if picture.t > END:
            return
        image = picture.image.copy()
        for one in looks:
            quad = one.at(picture.t)
            if quad is not None:
                way = cv2.getPerspectiveTransform(one.face, quad)
                warped = cv2.warpPerspective(one.image, way, (image.shape[1], image.shape[0]), flags=cv2.INTER_AREA)
                inside = filled(quad, image.shape[:2])
                image[inside] = warped[inside]
        yield replace(picture, image=image)


def filled(quad: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    return cv2.fillConvexPoly(np.zeros(shape, np.uint8), np.rint(quad).astype(np.int32), 1) > 0


@pytest.mark.parametrize("seed", [1, 2])
def test_no_face_that_somebody_looked_at_is_left_in_the_picture(seed: int) -> None:
    table, looks = read_table_file(DEMO / "table.json"), glimpses(np.random.default_rng(seed))
    evening, footage = Evening.of(table.game, table.first), Footage()
    for seen in watch(filmed(looks), table, trained()):
        footage.put(1, seen.picture, seen.cards if seen.frame_quality.blind is None else None, seen.top)
        for sighting in seen.sightings:
            evening = observe(evening, sighting)
    checked, visible = 0, []
    for still in footage.between(1, BEGIN, END):
        chapter = next((one for one in reversed(evening.chapters) if one.lines), evening.current)
        mask = hidden(still, footage.looks(1, still.t, LASTING_SECONDS), laid_open(chapter, still.t), 1.0, (720, 1280)) > 0
        for one in looks:
            quad = one.at(still.t)
            if quad is not None:
                checked += 1
                left = float((~mask[filled(quad, mask.shape)]).mean())
                visible += [(still.t, left)] if left > 0.02 else []
    assert checked > 30
    assert visible == []
