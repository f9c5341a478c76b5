"""Reads a folder of photos that are named by the cards they show, as `companion enrol PHOTOS` takes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from companion.decks.deckfile import DeckFile
from companion.decks.lists import BACK, ListId, cards_of, list_with
from companion.eyes.detector import Detector
from companion.eyes.enrol import reasons
from companion.eyes.enrol.deck import Cohort, enrol, like_pedine, named_alike
from companion.eyes.enrol.photo import CardPhoto, Refusal, cut, read_photo
from companion.eyes.image import Image, read_picture
from companion.eyes.reader import Reader
from companion.table.errors import CannotEnrol, UnreadablePicture

COARSE_SIZE: Final = (48, 84)
"""Width and height in pixels at which pictures are compared."""
RESAVED_LEVELS: Final = 20.0
"""Grey levels, 99th percentile over a card's pixels: two photos that differ by less are one, saved twice. A cheap messenger's
compression changes 12; the most similar cards of one deck, cut out in the same way, differ by 70."""
PERHAPS_LEVELS: Final = 100.0
"""The same while the corners were found separately in each photo, and may differ: photos that differ by less are compared again
at the same corners."""
MAX_RATIO_DIFFERENCE: Final = 0.02
"""Relative difference of two photos' width / height from which on they are not the same photo."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found out about the photos. ``refused``: those that cannot be used, by name; ``missing``: cards of the list that
    have no photo; ``left_out``: cards whose photos were all refused; ``warnings``: further lines."""

    deck: DeckFile | None
    refused: tuple[tuple[str, Refusal], ...]
    missing: tuple[str, ...]
    left_out: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    right: float = 0.0

    @property
    def lines(self) -> Iterator[str]:
        """All findings, a line each."""
        yield from (f"{photo}: {why}" for photo, why in self.refused)
        yield from (f"{card}: no photo of it can be used" for card in self.left_out)
        yield from (f"{card}: missing" for card in self.missing)
        yield from self.warnings


def enrol_folder(
    folder: Path, detector: Detector, reader: Reader, cohort: Cohort,
    progress: Callable[[int, int], object] = lambda done, of: None,
) -> Findings:  # fmt: skip
    """Read all photos in ``folder``, and make the deck of them. ``progress``: is told how many photos are done, and how many
    there are.

    There is no deck (None) where a card is left without a photo.

    Raises:
        CannotEnrol: the folder cannot be read, or no deck can be made of what is in it.
    """
    photos = photos_in(folder)
    refused: dict[str, Refusal] = {}
    looked: dict[Path, CardPhoto] = {}
    asked: dict[str, None] = {}
    of = _most_common([card_of(path) for path in photos])
    for n, path in enumerate(photos):
        progress(n, len(photos))
        card = card_of(path)
        here = list_with(card)
        if card != BACK and here is None:
            refused[path.name] = Refusal(reasons.NO_SUCH_CARD)
            continue
        asked[card] = None
        found = _looked(path, detector) if card == BACK or here == of else Refusal(reasons.OTHER_LIST)
        if isinstance(found, Refusal):
            refused[path.name] = found
        else:
            looked[path] = found
    progress(len(photos), len(photos))
    for one, other in combinations(looked, 2):
        if card_of(one) != card_of(other) and same_photo(one, looked[one], other, looked[other]):
            refused |= {path.name: Refusal(reasons.TWICE) for path in (one, other)}
    cards: dict[str, list[CardPhoto]] = {}
    for path, photo in looked.items():
        if path.name not in refused:
            cards.setdefault(card_of(path), []).append(photo)
    told = tuple((path.name, refused[path.name]) for path in photos if path.name in refused)
    left_out = tuple(card for card in asked if card not in cards)
    if left_out or not cards:
        missing = () if of is None else tuple(card for card in cards_of(of) if card not in asked)
        return Findings(None, told, missing, left_out)
    enrolled = enrol(cards, reader, cohort)
    warnings = named_alike(enrolled.deck)
    if like_pedine(enrolled.deck, reader.prototypes):
        warnings.append("back: it cannot be told from the back of the pedine: use pedine of another colour, or face up")
    return Findings(enrolled.deck, told, enrolled.deck.missing, (), tuple(warnings), enrolled.right)


def photos_in(folder: Path) -> Sequence[Path]:
    """The files in ``folder`` without hidden ones, sorted by name. Raises `CannotEnrol`."""
    try:
        found = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    except OSError as error:
        raise CannotEnrol(f"{folder}: {error.strerror or error}: expected a folder of photos, such as gnao.jpg") from error
    if not found:
        raise CannotEnrol(f"{folder}: no photos there: expected a photo for each card, named by its id, such as gnao.jpg")
    return found


def card_of(path: Path) -> str:
    """The id in a photo's name: ``gnao`` of ``gnao.jpg`` and of ``gnao~2.jpg``, whatever the case."""
    return path.stem.partition("~")[0].strip().lower()


def _looked(path: Path, detector: Detector) -> CardPhoto | Refusal:
    try:
        image = read_picture(path)
    except UnreadablePicture:
        return Refusal(reasons.NO_PICTURE)
    looked = read_photo(image, detector)
    return looked.card or looked.refusal or Refusal(reasons.NO_CARD)


def same_photo(one: Path, card: CardPhoto, other: Path, its: CardPhoto) -> bool:
    """Whether two photos, with the cards found in them, are the same photo, perhaps saved again, smaller or turned."""
    if min(_differ(card.picture, seen) for seen in (its.picture, its.picture[::-1, ::-1])) > PERHAPS_LEVELS:
        return False
    image, again = read_picture(one), read_picture(other)
    for quarters in range(4):
        turned = np.rot90(again, quarters)
        scale = np.array(turned.shape[1::-1]) / image.shape[1::-1]
        if abs(scale[0] / scale[1] - 1) < MAX_RATIO_DIFFERENCE:
            there = cut(np.ascontiguousarray(turned), (card.quad + 0.5) * scale - 0.5)  # not where found
            if _differ(card.picture, there.picture) < RESAVED_LEVELS:
                return True
    return False


def _differ(one: Image, other: Image) -> float:
    """The difference, in grey levels, that 99 % of the pixels of two straightened cards, (336, 192, 3) each, do not exceed."""
    a, b = (np.asarray(cv2.resize(picture, COARSE_SIZE, interpolation=cv2.INTER_AREA), np.float32) for picture in (one, other))
    return float(np.percentile(np.abs(a - b), 99))


def _most_common(cards: Sequence[str]) -> ListId | None:
    lists = Counter(of for card in cards if (of := list_with(card)) is not None)
    return lists.most_common(1)[0][0] if lists else None
