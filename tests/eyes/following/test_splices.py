"""Time cut out of a source whose clock says nothing of it: many cards have moved, and no hand was at them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

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
