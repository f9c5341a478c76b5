"""What is black, or shows no table, is said: when, and when no more."""

from __future__ import annotations

import time

import numpy as np
import pytest
from side_eyes import dealt

from companion.eyes.source import Picture
from companion.eyes.table import TableMap, parse_table
from companion.line.witness import BLACK_SECONDS, NOTHING_SECONDS, Blackness, Freshness, Witness

BLACK = np.zeros((18, 32, 3), np.uint8)
NEARLY = BLACK.copy()
NEARLY[5, 5, 1] = 1
TOP = TableMap(parse_table(
    '{"v":1,"image_size":[32,18],"corners":[[4,2],[28,2],[31,17],[1,17]],'
    '"players":[{"name":"Anna","place":[16,14]},{"name":"Bruno","place":[25,6]}]}'
), (32, 18))  # fmt: skip


def test_black_pictures_are_said_after_a_while_and_only_those_that_are_exactly_black() -> None:
    black = Blackness()
    for t in (0.0, 1.0, BLACK_SECONDS - 0.1):
        black.put(t, BLACK)
        assert not black.lasting
    black.put(BLACK_SECONDS, BLACK)
    assert (black.lasting, black.only) == (True, True)
    black.put(3.0, NEARLY)
    assert (black.lasting, black.only) == (False, False)
    black.put(4.0, BLACK)
    black.put(9.0, BLACK)
    assert (black.lasting, black.only) == (True, False)


@pytest.mark.parametrize("what", ["nothing", "cards", "hand", "table"])
def test_where_nothing_is_seen_for_a_minute_it_is_said_until_something_is(what: str) -> None:
    looked: list[float] = []

    def find(image: object, top: object) -> bool:
        looked.append(t)
        return what == "table"

    witness = Witness(find)
    for n in range(int(NOTHING_SECONDS) * 2 + 1):
        t = n / 2
        cards = dealt(Picture(t, BLACK)) if what == "cards" and t > 5 else ()
        witness.put(t, NEARLY, cards, what == "hand" and t > 5, TOP)
    assert witness.seen == (what != "nothing") != witness.nothing
    assert len(looked) == {"nothing": 6, "table": 1}.get(what, 0)
    witness.put(t + 1, NEARLY, (), True, TOP)
    assert not witness.nothing


def test_a_table_is_looked_for_in_the_last_picture_of_a_short_film() -> None:
    witness = Witness(lambda image, top: True)
    witness.put(0.0, NEARLY, (), False, TOP)
    assert not witness.seen
    witness.ended()
    assert witness.seen


def test_a_picture_that_two_late_looks_have_taken_is_no_camera_that_stands_still() -> None:
    fresh, now = Freshness(), time.monotonic()
    fresh.put(None, BLACK, now - 9)
    still = []
    for late in (6, 3, 0):
        fresh.put(BLACK, BLACK, now - late)
        still.append(fresh.frozen)
    assert still == [False, False, True]
