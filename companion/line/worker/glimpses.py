"""What the camera side looks with, and what it sends of one picture, in messages that need no arrays."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from companion.decks.lists import ListId
from companion.eyes.check import check
from companion.eyes.corners import find_table
from companion.eyes.image import Image, encode_jpeg
from companion.eyes.seeing import Look
from companion.eyes.sighting import CardSeen
from companion.eyes.source import Picture
from companion.line.appearance import Appearance
from companion.line.camera import AdviceView, CheckView, FoundCorners, Point, SeenCard
from companion.line.follow import Glimpse
from companion.line.footage import JPEG_QUALITY, MAX_WIDTH
from companion.line.placewatch import PlaceWatch, lengths_at, more_advice
from companion.line.tablefile import TableFile
from companion.line.worker.messages import Glimpsed, Job
from companion.referee.record import Saw, encode_entry
from companion.table.errors import BadDeck


def corners_in(image: Image) -> FoundCorners | None:
    """Where the table lies in the picture (H, W, 3); None where none is found."""
    found = find_table(image)
    return FoundCorners(_points(found.quad), found.shape, found.confidence) if found is not None else None


def checked(
    image: Image, cards: Sequence[CardSeen], file: TableFile | None, corners: tuple[Point, ...], places: tuple[Point, ...],
    per_second: float, watch: PlaceWatch,
) -> CheckView:  # fmt: skip
    """What the eyes see in the picture (H, W, 3), and what they advise. ``file``: the table of the game that is on, which counts
    instead of ``corners`` and ``places``; ``per_second``: pictures of a live camera, 0 of a file; ``watch``: what was seen of the
    places."""
    if file is not None:
        table = file.table
        scale = image.shape[1] / table.image_size[0]
        corners = tuple((x * scale, y * scale) for x, y in table.corners)
        places = tuple((x * scale, y * scale) for x, y in (seat.place for seat in table.players))
    found = check(image, cards, corners or None, places, per_second)
    size = (image.shape[1], image.shape[0])
    shown = watch.shown(places, lengths_at(size, cards, corners, places))
    measured = tuple(AdviceView(one.code, one.value, one.place) for one in found.advice)
    return CheckView(
        size,
        tuple(
            SeenCard(card.quad, card.side, card.deck, card.card, length, None if place is None else place + 1)
            for card, length, place in zip(cards, found.lengths, found.places, strict=True)
        ),
        found.light, found.glare, found.sharpness, found.per_second,
        (*measured, *more_advice(size, shown, measured, watch.seconds)), shown, round(watch.seconds, 1),
    )  # fmt: skip


def glimpsed(
    job: Job, table: TableFile, glimpse: Glimpse, keep: bool, looks: Appearance | None = None, waiting: bool = False
) -> Glimpsed:
    """What came of a picture while a game is followed. ``keep``: it is kept as a still of the last minutes; ``looks``,
    ``waiting``: as of `Glimpsed`."""
    image, blind = glimpse.picture.image, glimpse.frame_quality.blind
    return Glimpsed(
        job.number, glimpse.picture.t, glimpse.cards if blind is None else None,
        tuple(encode_entry(Saw(sighting), table.game) for sighting in glimpse.sightings), blind, glimpse.frame_quality.since,
        (image.shape[1], image.shape[0]), _points(glimpse.top.corners), _points(glimpse.top.to_pixels(glimpse.top.places)),
        encode_jpeg(image, MAX_WIDTH, JPEG_QUALITY) if keep else None, looks, tuple(sorted(glimpse.hidden)),
        waiting,
    )  # fmt: skip


def _points(pixels: np.ndarray) -> tuple[Point, ...]:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in pixels)


_log = logging.getLogger(__name__)

EyesOf = Callable[[ListId, str], Look]
"""Makes the eyes for a list of cards and the taught deck of this name, "" for the shipped one. Raises BadDeck where its file
cannot be used."""


class LoadedEyes:
    """``loading``: they are being loaded just now, or look for the first time, which takes as long on a slow machine, as the
    networks set themselves up; ``deck_lost``: the shipped deck stands in for a taught one that cannot be used."""

    def __init__(self, eyes_of: EyesOf) -> None:
        self._eyes_of = eyes_of
        self._look: Look | None = None
        self._has_looked = False
        self._is_of: tuple[ListId, str, int] | None = None
        self.loading = self.deck_lost = False

    def of(self, job: Job, tell: Callable[[], object]) -> Look:
        """The eyes for this job. ``tell``: called before and after they are loaded, and before and after their first look."""
        wanted = job.cards, job.deck, job.deck_read
        if self._look is None or self._is_of != wanted:
            self.loading, lost = True, False
            tell()
            try:
                self._look = self._eyes_of(job.cards, job.deck)
            except BadDeck as error:
                _log.warning("the shipped deck is played with instead: %s", error)
                self._look, lost = self._eyes_of(job.cards, ""), True
            finally:
                self.loading = False
            self._is_of, self.deck_lost, self._has_looked = wanted, lost, False
            tell()
        return self._look if self._has_looked else partial(self._first, self._look, tell)

    def _first(self, look: Look, tell: Callable[[], object], picture: Picture) -> tuple[CardSeen, ...]:
        """What they find in the ``picture``, which may be the first."""
        if self._has_looked:
            return look(picture)
        self.loading = True
        tell()
        try:
            found = look(picture)
            self._has_looked = True
        finally:
            self.loading = False
        tell()
        return found
