"""From straightened pictures of a deck's cards to its prototypes and thresholds: what a deck file holds.

A `Cohort` has embeddings of cards of many other decks, which an enrolled deck must not take for its own: thresholds are set
against it, as in speaker verification. `companion train decks` makes it once, for the reader that ships.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.decks.deckfile import MAX_PICTURE_BYTES, MAX_PICTURES, VERSION, Alike, DeckFile, TaughtCard
from companion.decks.lists import BACK, BESIDE, PEDINE, SHIPPED, ListId, cards_of, list_with
from companion.eyes.enrol.photo import CardPhoto
from companion.eyes.enrol.views import Image, views
from companion.eyes.image import decode_jpeg, encode_jpeg, opens
from companion.eyes.reader import Prototypes, Reader
from companion.table.errors import BadDeck, BadModel, CannotEnrol

# Embeddings of cards of many other decks: what an enrolled deck must not take for its own.
#
# In speaker verification such a sample is a cohort; thresholds are set against it. It is made once, by `companion train decks`,
# for the reader that ships.


@dataclass(frozen=True, eq=False)
class Cohort:
    """``points`` (n, d) float32 of length 1; ``decks`` (n,): the deck of each; ``reader``: SHA-256 of the network."""

    points: NDArray[np.float32]
    decks: tuple[str, ...]
    reader: str

    @staticmethod
    def load(path: Path) -> Cohort:
        """Reads what `save` wrote. Raises `BadModel`."""
        try:
            with np.load(path, allow_pickle=False) as stored:
                points = np.asarray(stored["points"], np.float32)
                return Cohort(points, tuple(str(deck) for deck in stored["decks"]), str(stored["reader"]))
        except OSError as error:
            raise BadModel(f"{path}: {error.strerror or error}: the cohort comes with companion's models") from error
        except (ValueError, KeyError) as error:
            raise BadModel(f"{path}: not a cohort of companion: {error}") from error

    def save(self, path: Path) -> None:
        """Writes it as an .npz file, in half precision."""
        np.savez_compressed(path, points=self.points.astype(np.float16), decks=np.array(self.decks), reader=self.reader)

    def without(self, decks: Collection[str]) -> NDArray[np.float32]:
        """The points (m, d) of the cards of all other decks."""
        return self.points[[deck not in decks for deck in self.decks]]


Points = NDArray[np.float32]

VIEWS_A_PHOTO: Final = 32
"""Number of views of each photo from which prototypes are made."""
CHECKS_A_PHOTO: Final = 24
"""Number of harder views of each photo on which thresholds are fitted."""
SHARPNESSES: Final = tuple(8.0 * 1.12**step for step in range(15))
STRANGER_COSINES: Final = tuple(0.4 + 0.025 * step for step in range(15))
"""Cosines that are tried as the threshold for strangers: at most 0.75, as play differs more from a photo than its own views
do."""
CONFUSED_SHARE: Final = 0.2
"""Share of a card's views that are closer to one other card, from which on the two look too much alike."""
PEDINA_COSINE: Final = 0.85
"""Cosine to a pedina's back from which on a deck's back looks like one."""


@dataclass(frozen=True, slots=True)
class Enrolled:
    """A ``deck`` to be written, and ``right``: the share (0 to 1) of harder views of its own photos that it names rightly."""

    deck: DeckFile
    right: float


def enrol(
    cards: Mapping[str, Sequence[CardPhoto]], reader: Reader, cohort: Cohort,
    progress: Callable[[str], object] = lambda card: None,
) -> Enrolled:  # fmt: skip
    """The deck of these ``cards``, id → photos of it; ``back`` is the back's. ``progress`` is called once for each card.

    Raises:
        CannotEnrol: there is no card, or they are of several lists.
    """
    of = the_list(cards)
    order = [card for card in cards_of(of) if cards.get(card)]
    pictures = {card: tuple(_jpeg(one.picture) for one in cards[card][:MAX_PICTURES]) for card in order}
    ratio = median(one.ratio for card in order for one in cards[card])
    return _made(of, ratio, pictures, reader, cohort, progress)


def renewed(deck: DeckFile, reader: Reader, cohort: Cohort, named: str = "the deck") -> DeckFile:
    """The ``deck`` with points made by this ``reader``: where another network made them, they are made again from its pictures.

    ``named``: what messages call the deck.

    Raises:
        BadDeck: one of its pictures cannot be decoded.
    """
    if deck.reader == reader.digest and deck.size == reader.prototypes.points.shape[1]:
        return deck
    for one in deck.cards:
        if not all(opens(picture) for picture in one.pictures):
            raise BadDeck(f"{named}: a picture of {one.card} in this deck file cannot be read: have the deck taught again")
    return _made(deck.list, deck.ratio, {one.card: one.pictures for one in deck.cards}, reader, cohort).deck


def the_list(cards: Mapping[str, object]) -> ListId:
    """The list that all of these cards belong to. Raises `CannotEnrol`."""
    lists = {card: of for card in cards if (of := list_with(card)) is not None}
    if not lists:
        raise CannotEnrol("no photo can be used: expected one at least that is named by its card, such as gnao.jpg")
    if len(set(lists.values())) > 1:
        one, other = next((a, b) for a in lists for b in lists if lists[a] != lists[b])
        raise CannotEnrol(f"{one} is a card of the list {lists[one]}, {other} of {lists[other]}: a deck is of one list")
    return next(iter(lists.values()))


def points_of(pictures: Sequence[Image], reader: Reader, rng: np.random.Generator) -> Points:
    """The prototypes (2 k, d) of a card: for each of its k ``pictures``, and either way up, the mean of the views of it."""
    return np.concatenate([means(reader.embed(views(picture, VIEWS_A_PHOTO, rng))) for picture in pictures])


def means(seen: Points) -> Points:
    """The means (2, d) of the embeddings of one picture's `views`: of the upright ones, and of those upside down."""
    both = np.stack([seen[n::2].astype(np.float64).mean(axis=0) for n in (0, 1)])
    return np.asarray(both / np.linalg.norm(both, axis=1, keepdims=True), np.float32)


def points_in(deck: DeckFile, name: str) -> tuple[tuple[str, ...], Points]:
    """The names ``name/card`` (n,) and the prototypes (n, d) of a deck file."""
    points = [np.frombuffer(one.points, "<f4").reshape(-1, deck.size) for one in deck.cards]
    names = tuple(f"{name}/{one.card}" for one, these in zip(deck.cards, points, strict=True) for _ in these)
    return names, np.concatenate(points).astype(np.float32)


def adapter_of(deck: DeckFile) -> Points | None:
    """The matrix (d, d) of a deck that was tuned; None for any other."""
    return np.frombuffer(deck.adapter, "<f4").reshape(deck.size, deck.size).astype(np.float32) if deck.adapter else None


def _jpeg(picture: Image) -> bytes:
    made = (encode_jpeg(picture, quality=quality) for quality in (88, 75, 60, 40, 20, 5))
    return next(data for data in made if len(data) <= MAX_PICTURE_BYTES)


def _made(
    of: ListId, ratio: float, pictures: Mapping[str, tuple[bytes, ...]], reader: Reader, cohort: Cohort,
    progress: Callable[[str], object] = lambda card: None,
) -> Enrolled:  # fmt: skip
    rng = np.random.default_rng(len(pictures))
    points: dict[str, Points] = {}
    checks: dict[str, Points] = {}
    for card, stored in pictures.items():
        images = [decode_jpeg(data) for data in stored]
        points[card] = points_of(images, reader, rng)
        checks[card] = reader.embed([view for image in images for view in views(image, CHECKS_A_PHOTO, rng, harder=True)])
        progress(card)
    others = cohort.without([deck for deck, its in SHIPPED.items() if its == of])
    sharpness, stranger = thresholds(points, checks, others)
    deck = DeckFile(
        VERSION, of, float(np.clip(ratio, 0.35, 1.0)), reader.digest, reader.prototypes.points.shape[1], sharpness, stranger,
        tuple(TaughtCard(card, pictures[card], points[card].astype("<f4").tobytes()) for card in pictures),
        tuple(alike(points, checks)),
    )  # fmt: skip
    return Enrolled(deck, share_right(points, checks))


def closeness(points: Mapping[str, Points], seen: Points) -> NDArray[np.float64]:
    """The cosine of each of ``seen`` (m, d) to the closest prototype of each card, (m, cards)."""
    return np.stack([(seen.astype(np.float64) @ its.T.astype(np.float64)).max(axis=1) for its in points.values()], axis=1)


def share_right(points: Mapping[str, Points], checks: Mapping[str, Points]) -> float:
    right = [closeness(points, seen).argmax(axis=1) == n for n, seen in enumerate(checks.values())]
    return float(np.concatenate(right).mean())


def alike(points: Mapping[str, Points], checks: Mapping[str, Points]) -> Iterator[Alike]:
    """The pairs of cards that may be taken for one another. Backs are left out."""
    cards = [card for card in points if card != BACK]
    faces = {card: points[card] for card in cards}
    named = {card: closeness(faces, checks[card]).argmax(axis=1) for card in cards}
    for n, one in enumerate(cards):
        for m, other in enumerate(cards[:n]):
            if max(float((named[one] == m).mean()), float((named[other] == n).mean())) > CONFUSED_SHARE:
                yield Alike(other, one, float((points[one] @ points[other].T).max()))


def like_pedine(deck: DeckFile, prototypes: Prototypes) -> bool:
    """Whether the back of a deck to play with looks like the back of pedine that the eyes know."""
    if deck.list in BESIDE.values():
        return False
    backs = prototypes.points[[name == f"{PEDINE}/{BACK}" for name in prototypes.names]]
    own = [np.frombuffer(one.points, "<f4").reshape(-1, deck.size) for one in deck.cards if one.card == BACK]
    return bool(own and len(backs) and float((own[0] @ backs.T).max()) > PEDINA_COSINE)


def thresholds(points: Mapping[str, Points], checks: Mapping[str, Points], others: Points) -> tuple[float, float]:
    """The sharpness, and the cosine of the answer "nobody's", that make the deck's own views and the cards of other decks
    likeliest; both groups have equal weight."""
    seen = np.concatenate([*checks.values(), others]).astype(np.float64)
    cosines = [seen @ its.T.astype(np.float64) for its in points.values()]
    card = np.concatenate([np.full(len(its), n) for n, its in enumerate(checks.values())] + [np.full(len(others), -1)])
    weight = np.where(card < 0, 1 / max(len(others), 1), 1 / max(int((card >= 0).sum()), 1))
    best = (np.inf, SHARPNESSES[0], STRANGER_COSINES[0])
    for sharpness in SHARPNESSES:
        grown = [np.exp(sharpness * (one - 1)).sum(axis=1) for one in cosines]  # shares of the cards, before "nobody's"
        known = np.stack(grown, axis=1)
        total = known.sum(axis=1)
        own = np.where(card >= 0, known[np.arange(len(known)), np.maximum(card, 0)], 0.0)
        for stranger in STRANGER_COSINES:
            nobody = np.exp(sharpness * (stranger - 1))
            share = np.where(card >= 0, own, nobody) / (total + nobody)
            best = min(best, (float(-(weight * np.log(share)).sum()), sharpness, stranger))
    return best[1], best[2]


def named_alike(deck: DeckFile) -> list[str]:
    """A line for each pair of cards that look too much alike."""
    return [f"{pair.one} and {pair.other} look too much alike: one may be taken for the other" for pair in deck.alike]
