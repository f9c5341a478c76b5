"""From what the detector found and the reader read to an entry: which side, which deck, which card, how sure."""

from dataclasses import replace

import numpy as np
import pytest

from companion.eyes.detection import CLASSES, Detection
from companion.eyes.look import _apart, _first, _together, sighting
from companion.eyes.reading import Reading
from companion.eyes.sighting import CardSeen

GNAO = (("gnao", 0.95), ("salta", 0.05))


def found(side: str, length: float = 90.0, score: float = 0.9, sure: float = 1.0, x: float = 0.0) -> Detection:
    quad = np.array([[0, 0], [0.55 * length, 0], [0.55 * length, length], [0, length]], np.float64) + [x, 0]
    return Detection(quad, CLASSES.index(side), score, 0.9, score, sure)


STU = Reading("stu", 0.9, GNAO, ("stu", 0.02), GNAO)
PEDINA = Reading("ramino", 0.9, (), ("ramino", 0.02), GNAO)
STU_BACK = Reading("stu", 0.02, GNAO, ("stu", 0.9), GNAO)
STRANGER = Reading("stu", 0.1, GNAO, ("stu", 0.1), GNAO)

ENTRIES = [
    ("a face of Stù", found("face"), STU, ("stu", "face", "gnao", 0.9 * 0.9 * 0.95)),
    ("a pedina is not named", found("face"), PEDINA, ("ramino", "face", None, 0.81)),
    ("a back of Stù", found("back"), STU_BACK, ("stu", "back", None, 0.81)),
    ("a stranger's face", found("face"), STRANGER, ("unknown", "face", None, 0.9 * 0.9)),
    ("a stranger's back", found("back"), STRANGER, ("unknown", "back", None, 0.9 * 0.9)),
    ("a small strange face is one that cannot be read", found("face", 30.0), STRANGER, ("stu", "face", None, 0.09)),
    ("a side that is doubtful", found("back", sure=0.5), STU_BACK, ("stu", "back", None, 0.405)),
    ("a deck with its back on top", found("stack"), STU_BACK, ("stu", "stack", None, 0.81)),
    ("a face that rests a little raised is no stack", found("stack", sure=0.6), STU, ("stu", "face", "gnao", 0.9 * 0.9 * 0.95)),
    ("a face printed all over is no back", found("back", sure=0.6), STU, ("stu", "face", "gnao", 0.9 * 0.9 * 0.95)),
    ("a back that looks like a picture is no face", found("face", sure=0.6), STU_BACK, ("stu", "back", None, 0.9 * 0.9)),
    ("a stranger's back with a picture stays a face", found("face"), STRANGER, ("unknown", "face", None, 0.81)),
    ("a doubtful one stays a stack", found("stack", score=0.7), STU, ("stu", "stack", None, 0.63)),
]


@pytest.mark.parametrize(("one", "reading", "expected"), [row[1:] for row in ENTRIES], ids=[row[0] for row in ENTRIES])
def test_an_entry(one: Detection, reading: Reading, expected: tuple[str, str, str | None, float]) -> None:
    seen = sighting(one, reading)
    assert (seen.deck, seen.side, seen.card) == expected[:3]
    assert seen.score == pytest.approx(expected[3])


def test_a_strangers_face_says_what_it_would_be_if_it_were_ours() -> None:
    assert sighting(found("face"), STRANGER).alternatives == GNAO


@pytest.mark.parametrize("side", ["back", "stack"])
def test_in_a_game_a_doubtful_back_is_one_of_its_decks(side: str) -> None:
    seen = sighting(found(side), STRANGER, in_game=True)
    assert seen.deck == "stu"
    assert 0.5 < seen.score < 0.81


def test_in_a_game_a_strange_face_is_still_strange() -> None:
    assert sighting(found("face"), STRANGER, in_game=True).deck == "unknown"


def seen(x: float, score: float, card: str | None) -> CardSeen:
    return CardSeen(((x, 0.0), (x + 50, 0.0), (x + 50, 90.0), (x, 90.0)), "stu", "face", score, card)


def test_two_faces_that_share_much_are_two_cards() -> None:
    cards = [seen(0, 0.9, "gnao"), seen(10, 0.8, "salta")]
    assert list(_apart(cards)) == cards


def lying(x: float, deck: str, side: str = "face") -> CardSeen:
    return CardSeen(((x, 0.0), (x + 50, 0.0), (x + 50, 90.0), (x, 90.0)), deck, side, 0.8)  # type: ignore[arg-type]


UNDER = [
    ("half under a pedina it is one", [lying(0, "ramino"), lying(25, "unknown")], "ramino"),
    ("beside a pedina it is a stranger", [lying(0, "ramino"), lying(45, "unknown")], "unknown"),
    ("a face under a back is a stranger", [lying(0, "stu", "back"), lying(25, "unknown")], "unknown"),
    ("strangers on each other are strangers", [lying(0, "unknown"), lying(25, "unknown")], "unknown"),
]


@pytest.mark.parametrize(("cards", "deck"), [row[1:] for row in UNDER], ids=[row[0] for row in UNDER])
def test_a_card_whose_deck_cannot_be_read_is_of_the_deck_that_hides_it(cards: list[CardSeen], deck: str) -> None:
    first, second = _together(cards)
    assert (first, second.deck) == (cards[0], deck)


def test_a_pedina_under_another_has_no_names_of_our_faces() -> None:
    strange = CardSeen(*[getattr(lying(25, "unknown"), name) for name in ("quad", "deck", "side", "score", "card")], GNAO)
    _, second = _together([lying(0, "ramino"), strange])
    assert (second.deck, second.alternatives) == ("ramino", ())


@pytest.mark.parametrize("other", ["gnao", None], ids=["the same face", "no face that can be read"])
def test_two_looks_at_one_card_are_one(other: str | None) -> None:
    cards = [seen(0, 0.9, "gnao"), seen(10, 0.8, other)]
    assert list(_apart(cards)) == cards[:1]


def test_nothing_lies_on_a_card_that_was_just_put_down() -> None:
    top = replace(seen(0.0, 0.6, "2"), around=0.05)
    below = seen(6.0, 0.95, None)
    assert list(_apart(sorted([below, top], key=_first))) == [top]


def test_what_changed_around_a_card_that_was_put_down_is_told_with_it() -> None:
    reading = Reading("stu", 0.97, (("2", 0.99), ("3", 0.01)))
    assert sighting(replace(found("face"), around=0.3), reading, in_game=True).around == 0.3
    assert sighting(found("face"), reading, in_game=True).around is None
