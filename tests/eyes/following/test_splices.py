"""Time cut out of a source whose clock says nothing of it: many cards have moved, and no hand was at them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.eyes.following.splices import unspliced
from companion.eyes.seeing import Seen
from companion.eyes.sighting import CardSeen, Point, Unseen
from companion.eyes.source import Picture
from companion.eyes.table import Seat, Table, TableMap
from companion.eyes.trouble import FrameQuality

SIZE, CELLS, STEP = (800, 450), (45, 80), 1 / 15
BLACK = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
SEATS = Seat("Anna", (100, 100)), Seat("Bruno", (700, 300))
TOP = TableMap(Table(1, SIZE, ((0, 0), (800, 0), (800, 450), (0, 450)), SEATS), SIZE)
A, B, C, D, E = ((100.0 + 150 * number, 200.0) for number in range(5))


def card(at: Point, side: str = "back") -> CardSeen:
    x, y = at
    return CardSeen(((x - 20, y - 30), (x + 20, y - 30), (x + 20, y + 30), (x - 20, y + 30)), "stu", side, 0.9)  # type: ignore[arg-type]


def picture(n: int, cards: Sequence[Point], hands: Sequence[Point] = (), frame_quality: FrameQuality = FrameQuality()) -> Seen:  # noqa: B008
    moving = np.zeros(CELLS, np.bool_)
    for x, y in hands:
        moving[int(y / 10), int(x / 10)] = True
    return Seen(Picture(n * STEP, BLACK), tuple(map(card, cards)), frame_quality, TOP, moving)


def gaps(pictures: Sequence[Seen]) -> list[int]:
    """Before which pictures something was not seen, as far as the guard has not said so."""
    found = list(unspliced(pictures))
    assert [one.picture.t for one in found] == [one.picture.t for one in pictures]
    said = [(n, one.frame_quality.sightings) for n, one in enumerate(found)
            if one.frame_quality.sightings != pictures[n].frame_quality.sightings]
    assert all(isinstance(unseen, Unseen) and unseen.places is None and found[n].frame_quality.resumed for n, (unseen,) in said)
    return [n for n, _ in said]


def before(cards: Sequence[Point] = (A, B, C), hands: Sequence[Point] = ()) -> list[Seen]:
    return [picture(n, cards, hands if n == 9 else ()) for n in range(10)]


def after(cards: Sequence[Point], hands: Sequence[Point] = ()) -> list[Seen]:
    return [picture(n, cards, hands if n == 11 else ()) for n in range(10, 14)]


@pytest.mark.parametrize(
    ("pictures", "found"),
    [
        ([*before(), *after((A, D, E))], [10]),
        ([*before(), *after(())], [10]),
        ([*before(()), *after((A, B, C))], [10]),
        ([*before(), *after((A, B))], []),
        ([*before(), *after((A, B, D))], []),
        ([*before(hands=(B, C, E)), *after((A, D, E))], []),
        ([*before(), *after((A, D, E), hands=(B, C, D, E))], []),
        ([*before(), picture(10, (A, D, E)), *after((A, B, C))[1:]], []),
        ([*before(), picture(10, (A, D, E), frame_quality=FrameQuality(resumed=True)), *after((A, D, E))[1:]], []),
        ([*before(), picture(10, (), frame_quality=FrameQuality("dark", 0.6)), *after((A, D, E))[1:]], []),
        ([*before(()), picture(10, (A, B, C)), *after(())[1:]], []),
        ([*before(), picture(10, (A, D, E))], []),
    ],
    ids=[
        "two lie elsewhere", "all are gone", "three have come", "one is gone", "one lies elsewhere", "a hand was at them",
        "a hand is at them", "it was a flicker", "the clock says so", "it was dark", "what was found once", "the last picture",
    ],
)  # fmt: skip
def test_many_cards_that_have_moved_without_a_hand_are_a_time_not_seen(pictures: list[Seen], found: list[int]) -> None:
    assert gaps(pictures) == found


def test_a_card_turned_over_without_a_hand_counts_twice() -> None:
    up = [Seen(one.picture, (card(A, "face"), card(B, "face"), card(C)), one.frame_quality, TOP, one.moving) for one in after(())]
    assert gaps([*before(), *up]) == [10]


def shown(n: int, cards: Sequence[CardSeen], hands: Sequence[Point] = ()) -> Seen:
    return replace(picture(n, (), hands), cards=tuple(cards))


def named(at: Point, name: str, around: float | None = None) -> CardSeen:
    return replace(card(at, "face"), card=name, around=around)


JITTERING = st.lists(st.tuples(st.floats(-24, 24), st.floats(-24, 24)), max_size=4)


@given(st.lists(JITTERING, min_size=14, max_size=14), st.booleans(), st.sampled_from(["face", "back"]))
def test_cards_of_a_pile_that_cannot_be_read_are_found_here_and_there(
    piles: list[list[Point]], cut: bool, side: str
) -> None:  # fmt: skip
    """They are no time not seen, and hide none: three other cards are gone at once."""
    top, others = named(A, "spade-1"), [named(B, "coppe-2"), card(C), named(D, "denari-3")]
    pictures = [
        shown(n, [top, *(card((A[0] + x, A[1] + y), side) for x, y in pile), *others[: 0 if cut and n >= 10 else None]])
        for n, pile in enumerate(piles)
    ]
    assert gaps(pictures) == ([10] if cut else [])


@pytest.mark.parametrize("hand", [True, False])
@pytest.mark.parametrize("known", ["on others", "by what has changed", "elsewhere"])
def test_cards_that_are_found_a_few_looks_late_belong_to_the_hand_that_put_them_down(known: str, hand: bool) -> None:
    """Where they lie on others, or were looked for by what a hand had changed; others are found within half a second."""
    lying = [named(at, f"spade-{number}") for number, at in enumerate((A, B, C), start=1)]
    places = [(x + 30, y + (0 if known == "on others" else 200)) for x, y in (A, B, C)]
    around = 0.1 if known == "by what has changed" else None
    new = [named(at, f"coppe-{number}", around) for number, at in enumerate(places, start=1)]
    pictures = [shown(n, [*lying, *new[: 3 if n >= 14 else 0]], places if hand and n == 2 else ()) for n in range(18)]
    assert gaps(pictures) == ([] if hand and known != "elsewhere" else [14])


def test_a_card_that_is_another_than_before_has_not_moved_a_little() -> None:
    """Three cards that can be read, each with another one a little beside where it lay."""
    lay, lies = ([named((x + aside, y), f"{suit}-2") for x, y in (A, B, C)] for suit, aside in (("spade", 0), ("coppe", 20)))
    assert gaps([shown(n, lay if n < 10 else lies) for n in range(14)]) == [10]
