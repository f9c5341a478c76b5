"""`companion enrol --tune` on a deck of a style that the reader never learnt: better on views that nothing was learnt from."""

import numpy as np
import pytest

pytest.importorskip("torch")

import cv2

from companion.assets import asset
from companion.decks.deckfile import DeckFile, decode_deck, encode_deck
from companion.decks.lists import LISTS
from companion.eyes.enrol import CardPhoto, enrol
from companion.eyes.enrol.deck import Cohort
from companion.eyes.enrol.photo import SIZE
from companion.eyes.enrol.views import views
from companion.eyes.look import Eyes
from workshop.deck.strange.decks import StrangeDeck
from workshop.training.tune import tune

pytestmark = [pytest.mark.train, pytest.mark.slow]


@pytest.fixture(scope="module")
def eyes() -> Eyes:
    return Eyes.load(asset("models"), threads=2)


@pytest.fixture(scope="module")
def cohort() -> Cohort:
    return Cohort.load(asset("models") / "cohort.npz")


@pytest.fixture(scope="module")
def deck(eyes: Eyes, cohort: Cohort) -> DeckFile:
    drawn = StrangeDeck("enamelled", "lattice", 5, 400)
    faces = [key for key in drawn if key[1] != "back"][:10]
    photos = {LISTS["italian"].KINDS[n]: [photo(drawn[key])] for n, key in enumerate(faces)}
    return enrol(photos, eyes.reader, cohort).deck


def photo(texture: np.ndarray) -> CardPhoto:
    picture = cv2.resize(texture[..., :3], SIZE, interpolation=cv2.INTER_AREA)
    return CardPhoto(np.zeros((4, 2)), np.asarray(picture, np.uint8), 0.6)


def right(eyes: Eyes, deck: DeckFile) -> float:
    """The share of fresh harder views that the reader names, beside all shipped decks."""
    reader, rng = eyes.taught([("mine", deck)], None).reader, np.random.default_rng(99)
    told = []
    for card in deck.cards:
        picture = cv2.imdecode(np.frombuffer(card.pictures[0], np.uint8), cv2.IMREAD_COLOR)
        seen = reader.embed(views(np.asarray(picture, np.uint8), 24, rng, harder=True))
        told += [(one.deck, one.card) == ("mine", card.card) for one in reader.prototypes.readings(seen)]
    return float(np.mean(told))


def test_tuning_helps_and_its_deck_is_read_like_any_other(eyes: Eyes, cohort: Cohort, deck: DeckFile) -> None:
    shares: list[float] = []
    found = tune(deck, eyes.reader, cohort, 2.5, shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert found.better, found
    assert found.after.score > found.before.score
    assert len(found.deck.adapter) == 4 * deck.size**2
    assert decode_deck(encode_deck(found.deck), "tuned") == found.deck
    assert right(eyes, found.deck) >= right(eyes, deck) - 0.01, "nor do the shipped decks take its cards"


def test_what_is_not_better_is_not_kept(eyes: Eyes, cohort: Cohort, deck: DeckFile) -> None:
    found = tune(deck, eyes.reader, cohort, 1e-6)
    assert (found.rounds, found.better) == (0, False)
    assert found.deck is deck
    assert found.before == found.after
