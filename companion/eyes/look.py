"""Detector and reader together: from a picture to the cards in it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.decks.deckfile import DeckFile
from companion.decks.lists import BESIDE, PEDINE, SHIPPED, ListId
from companion.eyes.arrivals import Arrival
from companion.eyes.beside import Lying
from companion.eyes.crops import Crop
from companion.eyes.detection import CLASSES, INFERRED_PROBABILITY, SAME_CARD_IOU, Detection
from companion.eyes.detector import Detector
from companion.eyes.enrol.deck import Cohort, adapter_of, points_in, renewed
from companion.eyes.fanned import Fans
from companion.eyes.geometry import card_length, polygon_iou, shared_area, signed_area
from companion.eyes.plane import Plane
from companion.eyes.proposer import VIDEO_WIDTH
from companion.eyes.reader import Prototypes, Reader, legible
from companion.eyes.reading import Reading, expected
from companion.eyes.sighting import CardSeen, Quad, Side
from companion.eyes.templates import Templates
from companion.eyes.wrong_size import apart, plane_of_sure, whole

MIN_NAMED_PROBABILITY = 0.5
"""Least probability of a face's likeliest kind: below it the face is reported as one that cannot be read."""

MIN_DECK_PROBABILITY = 0.5
"""Least probability that a card is of one of our decks: below it it is reported as a card of an unknown deck."""

MIN_READABLE_PIXELS = 40.0
"""Card length in pixels from which on a card that the reader does not know is of another deck, and not too small to read."""

GIVEN_FACTOR = 10.0
"""Factor by which a card is likelier of a deck that was given than of a shipped one with the same list of cards."""

MIN_ON_TOP_PROBABILITY = 0.8
"""Least probability of the reading, for a card that was put down to be taken to lie at a possible place."""

MAX_MOVED_PLACES = 3
"""Number of the likeliest places beside which the reader tries again where it knows the card at none of the places."""

COVERED_SHARE = 0.25
"""Covered share of a card from which on its deck may be unreadable."""

OTHER_SIDE_PROBABILITY = 0.8
"""Probability from which on the reader overrules the detector about a card's side: a back that reads as a deck's face is a face
that is printed all over; a face that reads as a deck's back is a back with a picture; and a stack whose deck and kind are both
as probable is a face that lies a little raised."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the table before a picture is looked at.

    ``still``: quads of cards that lie as before, which are neither looked at again nor returned. ``arrived``: faces that were put
    down and lie on top. ``plane``: the table's; None: not known.
    """

    still: Sequence[Quad] = ()
    arrived: Sequence[Arrival] = ()
    plane: Plane | None = None


NOTHING: Final = Known()


class Eyes:
    """The trained detector and reader. Not for several threads at once: each thread loads its own."""

    def __init__(self, detector: Detector, reader: Reader) -> None:
        self.detector, self.reader = detector, reader
        self._fans = Fans(detector.refiner) if detector.refiner is not None else None

    @staticmethod
    def load(models: Path, threads: int = 1, decks: Sequence[tuple[str, DeckFile]] = (), cards: ListId | None = None) -> Eyes:
        """Load the eyes from the folder ``models`` (detector.onnx, reader.onnx, prototypes.npz, cohort.npz).

        ``decks``: names and files of enrolled decks, in addition to the shipped ones; one with a shipped deck's name takes its
        place. ``cards``: the list of cards of the game that is played. All decks of that list then count as one with the list's
        name, decks of the list beside it (`companion.decks.lists.BESIDE`) as pedine, and all others as strangers'.

        Raises:
            companion.table.errors.BadModel: one of them is missing or damaged.
            companion.table.errors.BadDeck: a deck made by another network holds a picture that cannot be read.
        """
        prototypes = Prototypes.load(models / "prototypes.npz")
        refiner = models / "refiner.onnx"
        detector = Detector(models / "detector.onnx", threads, refiner if refiner.exists() else None)
        eyes = Eyes(detector, Reader(models / "reader.onnx", prototypes, threads))
        return eyes.taught(decks, Cohort.load(models / "cohort.npz") if decks else None, cards)

    def taught(self, decks: Sequence[tuple[str, DeckFile]], cohort: Cohort | None, cards: ListId | None = None) -> Eyes:
        """These eyes with further decks, as in `load`. ``cohort``: needed where another network has made a deck."""
        prototypes = self.reader.prototypes
        lists = dict(SHIPPED)
        aside = BESIDE.get(cards) if cards else None
        given = {deck.list for _, deck in decks} - {cards, aside}
        alike = [name for name, of in SHIPPED.items() if of in given and name not in dict(decks)]
        prototypes = prototypes.less_likely(alike, GIVEN_FACTOR)
        templates = dict(self.reader.templates)
        for name, deck in decks:
            fresh = deck if cohort is None else renewed(deck, self.reader, cohort, name)
            points = points_in(fresh, name)
            prototypes = prototypes.without(name).taught(*points, fresh.sharpness, fresh.stranger, adapter_of(fresh))
            lists[name], templates[name] = fresh.list, Templates.of(fresh.cards)
        if cards is not None:
            own = [deck for deck, of in lists.items() if of == cards]
            pedine = {PEDINE: [deck for deck, of in lists.items() if of == aside]} if aside else {}
            prototypes = prototypes.for_game(cards, own, pedine)
            pictures = (its for name, its in templates.items() if name in own)
            templates = {cards: reduce(Templates.and_those, pictures, Templates({}))}
        return Eyes(self.detector, self.reader.reading(prototypes, templates))

    def look(
        self, image: NDArray[np.uint8], width: int = VIDEO_WIDTH, crops: Sequence[Crop] | None = None, known: Known = NOTHING
    ) -> tuple[CardSeen, ...]:
        """The cards in one picture of a running game ((H, W, 3) uint8 BGR), surest first.

        ``width``: of the detector's input for the whole picture, pixels. ``crops``: look only in these, at the same scale, with
        what is ``known`` already. Faces are read from ``image`` itself, at its full resolution.
        """
        if crops is None:
            return self._fanned(image, self.name(image, self.detector.detect(image, width), in_game=True))
        found = self.detector.detect_in(image, crops, width, still=known.still, plane=known.plane)
        for card in known.arrived:
            face = Detection(card.quad, CLASSES.index("face"), INFERRED_PROBABILITY, INFERRED_PROBABILITY, INFERRED_PROBABILITY,
                             around=card.around)
            found = [*(one for one in found if polygon_iou(one.quad, card.quad) <= SAME_CARD_IOU), face]
        return self._fanned(image, self.name(image, found, in_game=True, plane=known.plane), known.still)

    def _fanned(self, image: NDArray[np.uint8], cards: tuple[CardSeen, ...], still: Sequence[Quad] = ()) -> tuple[CardSeen, ...]:
        """The ``cards``, with the pedine that lie under other pedine in a fan, if the game is played with pedine."""
        pedine = [card.quad for card in cards if card.deck not in self.reader.prototypes.read and card.side != "stack"]
        if not pedine or not self.reader.prototypes.unnamed or self._fans is None:
            return cards
        found = self._fans.neighbours(image, pedine, [*(card.quad for card in cards), *still])
        read = zip(found, self.reader.read(image, [one.quad for one in found]), strict=True)
        seen = (replace(sighting(one, reading, in_game=True), alternatives=()) for one, reading in read)
        further = [card for card in seen if card.deck not in self.reader.prototypes.read]
        return tuple(sorted((*cards, *further), key=lambda one: -one.score))

    def on_top(self, image: NDArray[np.uint8], places: NDArray[np.float64]) -> Lying | None:
        """The card that lies on top at one of these ``places`` (n, 4, 2), pixels of ``image``: a face that the reader knows for
        sure, or a back; None where it knows neither."""
        lying = [Lying(quad, reading) for quad, reading in zip(places, self.reader.read(image, places), strict=True)]
        face = max(lying, key=lambda one: one.reading.sure, default=None)
        if face is None or face.reading.sure >= MIN_ON_TOP_PROBABILITY:
            return face
        back = max(lying, key=lambda one: one.reading.back[1])
        if back.reading.back[1] >= OTHER_SIDE_PROBABILITY:
            return back
        likely = sorted(range(len(lying)), key=lambda n: -lying[n].reading.sure)[:MAX_MOVED_PLACES]
        moved = max(self.reader.told(image, places[likely]), key=lambda one: one.reading.sure)
        return moved if moved.reading.sure >= MIN_ON_TOP_PROBABILITY else None

    def look_closely(self, image: NDArray[np.uint8]) -> tuple[CardSeen, ...]:
        """As `look`, at several input sizes, for single pictures with near and far cards; slower."""
        return self.name(image, self.detector.detect_still(image))

    def name(
        self, image: NDArray[np.uint8], found: Sequence[Detection], in_game: bool = False, plane: Plane | None = None
    ) -> tuple[CardSeen, ...]:
        """The cards that the detector ``found`` in ``image``, each with its deck, and named where it is a face; surest first.

        ``in_game``: backs and pedine are expected to be of known decks, so that it takes more to call one a stranger's.
        ``plane``: the table's; None: that of the cards that were found.
        """
        own = plane or plane_of_sure(found, (image.shape[1], image.shape[0]))
        found = apart(found, own, partial(self.reader.told, image, plane=plane))
        faces = [n for n, one in enumerate(found) if one.name == "face"]
        readings = self.reader.read(image, [one.quad for one in found])
        read = list(zip(found, readings, strict=True))
        lies = [Lying(found[n].quad, readings[n]) for n in faces]
        lies = lies if plane is None else self._whole(image, lies, plane)
        lying = self.reader.uncovered(image, [one.quad for one in lies], [one.reading for one in lies], plane)
        for n, card in zip(faces, lying, strict=False):
            if found[n].around is None:  # what was just put down lies on top, whatever the others look like
                read[n] = replace(found[n], quad=card.quad), card.reading
        read += [(Detection(card.quad, CLASSES.index("face"), INFERRED_PROBABILITY, INFERRED_PROBABILITY), card.reading)
                 for card in lying[len(faces) :]]
        seen = [sighting(one, reading, in_game) for one, reading in read]
        cards = _together(list(_apart(sorted(seen, key=_first))))
        return tuple(sorted(cards, key=lambda one: -one.score))

    def _whole(self, image: NDArray[np.uint8], lying: Sequence[Lying], plane: Plane) -> list[Lying]:
        """The faces, with those that were read unsurely and found only in part completed to whole cards."""
        quads = np.array([one.quad for one in lying]).reshape(-1, 4, 2)
        grown = whole(quads, [n for n, one in enumerate(lying) if one.reading.sure < MIN_ON_TOP_PROBABILITY], plane)
        others = np.flatnonzero((grown != quads).any(axis=(1, 2)))
        again = dict(zip(others.tolist(), self.reader.read(image, grown[others]), strict=True)) if len(others) else {}
        return [
            Lying(quad, max(one.reading, again.get(n, one.reading), key=lambda reading: reading.sure))
            for n, (one, quad) in enumerate(zip(lying, grown, strict=True))
        ]


def sighting(found: Detection, reading: Reading, in_game: bool = False) -> CardSeen:
    """One detection and its reading, as the rest of the program uses them.

    The ``score`` is the probability that the whole entry is right: that there is a card, with this side up, of this deck, and of
    this kind. A kind that is less probable than not is left out: a face that cannot be read is better than no card.
    """
    corners = tuple((float(x), float(y)) for x, y in found.quad)
    quad: Quad = (corners[0], corners[1], corners[2], corners[3])
    clear = float(card_length(found.quad)) >= MIN_READABLE_PIXELS
    side = _side(found, reading)
    score = found.score * (found.sure if side == found.name else 1.0)
    if side != "face":
        deck, known = reading.back
        if side == "stack":
            deck, known = max(reading.back, (reading.deck, reading.known), key=lambda entry: entry[1])
        return _of_deck(CardSeen(quad, deck, side, score), known, clear, in_game)
    if reading.card is None or (reading.known < MIN_DECK_PROBABILITY and clear):
        face = CardSeen(quad, reading.deck, "face", score)
        return _of_deck(face, reading.known, clear, in_game and reading.card is None, reading.supposed)
    known = score * reading.known
    if not legible(found.quad) or reading.known < MIN_DECK_PROBABILITY or reading.probability < MIN_NAMED_PROBABILITY:
        return CardSeen(quad, reading.deck, "face", known, None, reading.alternatives, found.around)
    return CardSeen(quad, reading.deck, "face", known * reading.probability, reading.card, reading.alternatives, found.around)


def _side(found: Detection, reading: Reading) -> Side:
    """The side of the card that is up: the detector's, unless the reader is sure of another."""
    if found.name == "face":
        return "back" if reading.back[1] >= OTHER_SIDE_PROBABILITY else "face"
    if reading.card is None or reading.known < OTHER_SIDE_PROBABILITY:
        return found.name
    raised = min(found.score, reading.known * reading.probability) >= OTHER_SIDE_PROBABILITY
    return "face" if found.name == "back" or raised else "stack"


def _of_deck(
    card: CardSeen, known: float, clear: bool, in_game: bool, supposed: tuple[tuple[str, float], ...] = ()
) -> CardSeen:
    """``card`` with its deck, to which it belongs with the probability ``known``; or with an unknown deck where that is too
    low."""
    known = expected(known) if in_game else known
    if known < MIN_DECK_PROBABILITY and clear:
        return replace(card, deck="unknown", score=card.score * (1 - known), alternatives=supposed)
    return replace(card, score=card.score * known)


def _first(card: CardSeen) -> tuple[bool, float]:
    """The sort key of cards: first those that were just put down, as nothing lies on them; then the surest."""
    return card.around is None, -card.score


def _apart(seen: Sequence[CardSeen]) -> Iterator[CardSeen]:
    """``seen``, surest first, without further quads of the same card: two quads that share more than `SAME_CARD_IOU` are one
    card, unless they show two different faces."""
    kept: list[CardSeen] = []
    for one in seen:
        if not any(_one_card(one, other) for other in kept):
            kept.append(one)
            yield one


def _together(seen: Sequence[CardSeen]) -> Iterator[CardSeen]:
    """``seen``, where a card that lies so far under another one that its deck cannot be read gets that other card's deck: cards
    that lie on one another are mostly of one deck."""
    for one in seen:
        known = [other for other in seen if other.deck != "unknown" and other.side == one.side] if one.deck == "unknown" else []
        share, hiding = max(((_covered(one, other), n) for n, other in enumerate(known)), default=(0.0, 0))
        if share < COVERED_SHARE:
            yield one
        else:  # its names are Stù's: a pedina has none
            yield replace(one, deck=known[hiding].deck, alternatives=one.alternatives if known[hiding].alternatives else ())


def _covered(one: CardSeen, other: CardSeen) -> float:
    """The share of ``one``, 0..1, that the ``other`` may hide."""
    return shared_area(one.quad, other.quad) / max(abs(float(signed_area(np.asarray(one.quad)))), 1e-9)


def _one_card(one: CardSeen, other: CardSeen) -> bool:
    if one.card is not None and other.card is not None and one.card != other.card:
        return False
    (x, y), (u, v) = np.mean(one.quad, axis=0), np.mean(other.quad, axis=0)
    return math.hypot(x - u, y - v) < float(card_length(one.quad)) / 2 and polygon_iou(one.quad, other.quad) > SAME_CARD_IOU
