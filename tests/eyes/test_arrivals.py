"""Cards that are put down in the middle: rulings on when they are looked for, and for how long they are known to lie there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from kings import COURT
from numpy.typing import NDArray
from test_cardfit import ELSEWHERE, PILE, Image, arm, best, card, changed
from test_covered import table

from companion.eyes.arrivals import QUIET_SECONDS, REMEMBER_AGAIN_SECONDS, SETTLED_SECONDS, Arrivals, middle_of
from companion.eyes.beside import Lying
from companion.eyes.crops import Crop, whole
from companion.eyes.geometry import card_length, polygon_iou
from companion.eyes.incremental import IncrementalDetector
from companion.eyes.look import Known
from companion.eyes.plane import KnownPlane
from companion.eyes.reading import Reading
from companion.eyes.sighting import CardSeen, Quad
from companion.eyes.source import Picture

GRID = (45, 80)
SIZE = (1280, 720)
TOP = np.array([[250, 150], [1050, 150], [1200, 690], [100, 690]], np.float64)
FRAME = 1 / 15
NAMES = tuple(COURT)
LENGTH = float(card_length(card(500, 300, 0)))
LIES = card(505, 295, 40)


def known(quad: NDArray[np.float64]) -> CardSeen:
    corners: Quad = tuple((float(x), float(y)) for x, y in quad)  # type: ignore[assignment]
    return CardSeen(corners, "italian", "face", 0.95, "coppe-1", (("coppe-1", 1.0),))


class Table:
    """A table with a pile, watched picture by picture, and what is looked for."""

    def __init__(self) -> None:
        self.arrivals, self.plane = Arrivals(), KnownPlane()
        self.image = table(*PILE)
        self.t = 0.0
        self.changed = np.full(GRID, -9.0)
        self.places: list[NDArray[np.float64]] = []
        self.see(FRAME)
        self.plane.learn(known(card(*at)) for at in ELSEWHERE)
        self.see(1.0)

    def see(self, seconds: float, image: Image | None = None, *, moving: bool = False) -> int:
        """Pictures for ``seconds``, with motion in the middle or without: how often something was looked for."""
        before = len(self.places)
        for _ in range(max(1, round(seconds / FRAME))):
            self.t += FRAME
            self.image = self.image if image is None else image
            if moving:
                self.changed[15:38, 28:52] = self.t
            picture = Picture(self.t, self.image, TOP)
            self.places += [one.places for one in self.arrivals.step(picture, self.changed.copy(), LENGTH, self.plane.of(SIZE))]
        return len(self.places) - before


WITH = table(*PILE, (NAMES[0], LIES))
DIFFERS = changed(table(*PILE), WITH)
assert DIFFERS is not None


@pytest.mark.parametrize("known", [True, False])
def test_a_card_is_looked_for_once_the_hand_has_gone_and_where_it_is_not_known_once_more(known: bool) -> None:
    there = Table()
    assert there.see(0.6, arm(WITH), moving=True) == 0
    assert there.see(QUIET_SECONDS + 2 * FRAME, WITH)
    assert best(there.places[0], LIES) > 0.85
    if known:
        there.arrivals.done()
    there.places.clear()
    assert bool(there.see(SETTLED_SECONDS, WITH)) != known
    assert known or best(there.places[0], LIES) > 0.85
    assert there.see(2.0, WITH) == 0


def test_where_nothing_moved_nothing_is_looked_for() -> None:
    assert Table().see(3 * REMEMBER_AGAIN_SECONDS) == 0


def test_the_next_card_is_what_has_changed_since_the_last_one() -> None:
    there = Table()
    there.see(0.6, arm(WITH), moving=True)
    there.see(SETTLED_SECONDS + 3 * FRAME, WITH)
    upper = card(475, 320, 110)
    both = table(*PILE, (NAMES[0], LIES), (NAMES[1], upper))
    there.see(0.6, arm(both), moving=True)
    there.places.clear()
    assert there.see(QUIET_SECONDS + 2 * FRAME, both)
    assert best(there.places[0][:8], upper) > 0.85


def test_a_hand_that_rested_is_not_what_the_table_looked_like() -> None:
    there = Table()
    there.see(0.4, arm(WITH), moving=True)
    there.see(SETTLED_SECONDS + 3 * FRAME, arm(table(*PILE)))  # it rests, with the card still in it
    there.see(0.4, arm(WITH), moving=True)
    there.places.clear()
    there.see(QUIET_SECONDS + 2 * FRAME, WITH)
    assert max(best(places, LIES) for places in there.places) > 0.85


def test_a_card_is_known_to_lie_there_until_something_covers_it() -> None:
    there, everywhere = Table(), (whole(SIZE),)
    there.arrivals.keep(WITH, LIES, DIFFERS)
    noisy = np.clip(WITH.astype(np.int16) + np.random.default_rng(5).integers(-6, 7, WITH.shape), 0, 255).astype(np.uint8)
    assert len(there.arrivals.near(noisy, everywhere)) == 1
    assert not len(there.arrivals.near(table(*PILE, (NAMES[0], LIES), (NAMES[1], LIES + 12)), everywhere))
    assert not len(there.arrivals.near(noisy, ()))


def test_a_new_picture_of_the_table_forgets_all_that_lay_there() -> None:
    there = Table()
    there.arrivals.keep(WITH, LIES, DIFFERS)
    there.arrivals.forget(Picture(there.t, WITH, TOP))
    assert not len(there.arrivals.near(WITH, (whole(SIZE),)))


def test_a_card_put_down_as_the_light_changes_is_found_by_how_the_table_looked_before() -> None:
    there = Table()
    there.see(0.6, arm(WITH), moving=True)
    there.arrivals.disturbed(there.t)
    assert there.see(QUIET_SECONDS + 2 * FRAME, np.asarray(0.8 * WITH, np.uint8))
    assert max(best(places, LIES) for places in there.places) > 0.85


def test_a_card_that_is_known_to_lie_there_is_not_taken_for_another() -> None:
    """A hand may come and go, and bring nothing."""
    there = Table()
    there.arrivals.keep(WITH, LIES, DIFFERS)
    assert there.arrivals.lies(WITH, LIES + 1)
    assert not there.arrivals.lies(WITH, LIES + 30)
    assert not there.arrivals.lies(table(*PILE), LIES)


def test_where_nothing_says_where_the_plane_is_no_card_is_looked_for() -> None:
    there = Table()
    there.plane = KnownPlane()
    there.see(0.6, arm(WITH), moving=True)
    assert there.see(1.0, WITH) == 0


def test_the_middle_is_where_the_diagonals_cross_and_nowhere_without_a_table() -> None:
    cells = middle_of(TOP, GRID, (SIZE[1], SIZE[0]), 100.0)
    rows, columns = np.nonzero(cells)
    assert (columns.mean() * 16, rows.mean() * 16) == pytest.approx((650, 345), abs=25)
    assert not middle_of(None, GRID, (SIZE[1], SIZE[0]), 100.0).any()


class Knowing:
    """In the place of `Eyes`: finds the cards that lie about, and knows the one that was put down where it lies."""

    def __init__(self, *pile: NDArray[np.float64]) -> None:
        self.pile = pile

    def look(
        self, image: Image, width: int, crops: Sequence[Crop], seen: Known
    ) -> tuple[CardSeen, ...]:
        about = [known(quad) for quad in (*(card(*at) for at in ELSEWHERE), *self.pile)]
        put_down = [replace(known(one.quad), around=one.around) for one in seen.arrived]
        found = [one for one in about if one.quad not in seen.still and any(crop.owns([one.quad])[0] for crop in crops)]
        return (*found, *put_down)

    def on_top(self, image: Image, places: NDArray[np.float64]) -> Lying | None:
        quad = max(places, key=lambda one: polygon_iou(one, LIES))
        return Lying(quad, Reading("italian", 0.99, (("coppe-1", 0.99),))) if polygon_iou(quad, LIES) > 0.85 else None


class Watched:
    """A incremental on a table on which a card is put down."""

    def __init__(self, *pile: NDArray[np.float64]) -> None:
        self.incremental, self.t = IncrementalDetector(Knowing(*pile)), 0.0  # type: ignore[arg-type]
        bare = table(*PILE)
        assert not self.see(1.0, lambda n: bare)
        assert not self.see(0.6, lambda n: arm(WITH if n > 4 else bare, 25 * n))

    def see(self, seconds: float, picture: Callable[[int], Image] = lambda n: WITH) -> list[CardSeen]:
        """Pictures for ``seconds``: the cards that were put down."""
        for n in range(round(seconds / FRAME)):
            self.t += FRAME
            cards = self.incremental.look(Picture(self.t, picture(n), TOP))
        return [one for one in cards if one.around is not None]


def test_a_gaze_sees_the_card_that_was_put_down_for_as_long_as_it_lies_there() -> None:
    watched = Watched(PILE[-1][1])
    (there,) = watched.see(0.6)
    assert polygon_iou(there.quad, LIES) > 0.85
    assert there.around is not None
    assert there.around < 0.15
    assert watched.see(7.0) == [there]  # each part of the picture has been looked at once more


def test_what_was_put_down_where_no_card_lay_is_the_detectors_to_find() -> None:
    """A coin on the bare table is no ace of coins."""
    assert not Watched().see(1.0)
