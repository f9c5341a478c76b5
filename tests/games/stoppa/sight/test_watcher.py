"""The eyes of Stoppa over choreographies that nobody has filmed, and over looks made up by hand."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from companion.eyes.sighting import CardSeen, Motion, Point, Quad, TableView
from companion.games.stoppa.bots import PLAIN, Settings, seated, simulate
from companion.games.stoppa.sight.watcher import Eyesight
from companion.games.stoppa.sightings import Cleared, Dealt, Laid, Shown, Sighting, TakenBack
from companion.table.log import Line
from companion.workshop.choreography.stoppa.director import direct
from companion.workshop.streams.glimpses import SIGHT
from companion.workshop.streams.stoppa.glimpsed import glimpsed, laid_figures

LENGTH = 0.1
CENTRES = np.array([(0.0, -0.4), (0.4, 0.0), (0.0, 0.4), (-0.4, 0.0)])
"""Four places round a pile at the origin; a card is 0.1 long."""
X, Y = np.meshgrid(np.arange(-0.5, 0.5, 0.03), np.arange(-0.5, 0.5, 0.03))
GROUND = np.stack([X.ravel(), Y.ravel()], axis=1)
MIDDLE = (0.0, 0.0)


class Looks:
    """Looks at a table, ten a second. ``lying``: what is found in each: kind (None: a back), middle, turn."""

    def __init__(self) -> None:
        self.eyes, self.t = Eyesight(CENTRES), 0.0
        self.lying: list[tuple[str | None, Point, float]] = []
        self.seen: list[Sighting] = []

    def look(self, seconds: float, moves: int | None = None) -> Looks:
        """For so long; between a place and the pile something ``moves``."""
        for _ in range(round(seconds * 10)):
            self.t += 0.1
            cards = tuple(_card(kind) for kind, *_ in self.lying)
            centres, turns = (tuple(one[at] for one in self.lying) for at in (1, 2))
            moving = np.zeros(len(GROUND), bool)
            if moves is not None:
                way = CENTRES[moves]
                along = GROUND @ way / (way @ way)
                moving = (np.hypot(*(GROUND - along[:, None] * way).T) < 0.05) & (along > 0.1) & (along < 1)
            lengths = tuple(LENGTH for _ in cards)
            view = TableView(self.t, cards, centres, lengths, turns, Motion(GROUND, moving))  # type: ignore[arg-type]
            self.seen += self.eyes.step(view)
        return self

    def of(self, kind: type) -> list[Sighting]:
        return [one for one in self.seen if isinstance(one, kind)]


def _card(kind: str | None) -> CardSeen:
    quad: Quad = ((0, 0), (1, 0), (1, 2), (0, 2))
    if kind is None:
        return CardSeen(quad, "napoletane", "back", 0.9)
    return CardSeen(quad, "napoletane", "face", 0.9, kind, ((kind, 0.99),))


def dealt() -> Looks:
    """A table at which a packet has been dealt and taken up: it is known how long a card is."""
    table = Looks()
    table.lying = [(None, (0.0, -0.4), 0.0)]
    table.look(1.0)
    table.lying = []
    return table.look(1.0)


def laid(table: Looks, place: int, kind: str, at: Point = MIDDLE) -> Looks:
    """A card is laid by this place on what lies there."""
    table.look(0.5, moves=place)
    table.lying.append((kind, at, 90.0 if place % 2 == 0 else 0.0))
    return table.look(1.0)


def test_a_card_on_the_pile_is_reported_once_with_the_place_that_reached_out() -> None:
    table = laid(laid(dealt(), 1, "denari-5"), 2, "coppe-6")
    found = table.of(Laid)
    assert [(one.alternatives[0][0], one.places[0][0]) for one in found] == [("denari-5", 1), ("coppe-6", 2)]
    assert all(one.places[0][1] > 0.9 for one in found)
    assert len({one.motion for one in found}) == 2


def test_cards_that_come_together_are_one_motion() -> None:
    table = Looks().look(1.0).look(0.5, moves=3)
    table.lying += [("denari-1", (-0.01, 0.0), 0.0), ("spade-1", (0.01, 0.0), 0.0)]
    found = table.look(1.0).of(Laid)
    assert len(found) == 2
    assert len({one.motion for one in found}) == 1


def test_between_two_cards_of_a_fan_that_lie_far_apart_there_is_a_third_one() -> None:
    table = Looks().look(1.0).look(0.5, moves=3)
    table.lying += [("denari-1", (-0.022, 0.0), 0.0), ("spade-1", (0.022, 0.0), 0.0)]
    found = [one.alternatives for one in table.look(1.0).of(Laid)]
    assert [one[0][0] for one in found[:2]] == ["denari-1", "spade-1"]
    assert {kind for kind, _ in found[2]} == {"coppe-1", "bastoni-1"}


def test_a_hand_that_only_comes_and_goes_may_have_put_nothing_down() -> None:
    table = laid(laid(dealt(), 1, "denari-5"), 2, "coppe-6").look(0.5, moves=3).look(1.0)
    *_, last = table.of(Laid)
    assert sum(p for _, p in last.alternatives) == pytest.approx(0.9, abs=0.01)


def test_a_card_seen_in_passing_does_not_lie_on_the_pile() -> None:
    table = Looks().look(1.0)
    for step in range(5):
        table.lying = [("denari-5", (0.15 - 0.06 * step, 0.0), 0.0)]
        table.look(0.1)
    table.lying = []
    assert not table.look(2.0).of(Laid)


def test_a_card_that_is_taken_off_the_pile_is_taken_back() -> None:
    table = laid(laid(Looks().look(1.0), 1, "denari-5", (-0.02, 0.0)), 2, "coppe-6", (0.02, 0.0))
    table.look(0.5, moves=2)
    table.lying.pop()
    (back,) = table.look(2.0).of(TakenBack)
    assert back.top == table.of(Laid)[0].episode


def test_the_pile_is_gathered_once_nothing_lies_there_and_no_hand_is_over_it() -> None:
    table = laid(Looks().look(1.0), 1, "denari-5")
    table.lying = []
    assert len(table.look(3.0).of(Cleared)) == 1


def test_backs_before_a_place_are_dealt_again_after_they_were_taken_up() -> None:
    table = Looks().look(1.0)
    for _ in range(2):
        table.lying = [(None, (0.0, -0.4), 0.0)]
        table.look(2.0)
        table.lying = []
        table.look(2.0)
    assert [one.place for one in table.of(Dealt)] == [0, 0]


def test_faces_laid_open_before_a_place_are_shown_and_shown_again_later() -> None:
    table = Looks().look(1.0)
    for _ in range(2):
        table.lying = [("coppe-3", (0.36, 0.0), 0.0), ("coppe-7", (0.42, 0.0), 0.0)]
        table.look(2.0)
        table.lying = []
        table.look(3.0)
    found = table.of(Shown)
    assert [(one.place, one.alternatives[0][0]) for one in found] == [(1, "coppe-3"), (1, "coppe-7")] * 2
    assert len({one.episode for one in found}) == 4


@pytest.mark.parametrize("seed", [1, 9])
def test_what_is_laid_in_a_whole_hand_is_found_with_the_right_player(seed: int) -> None:
    table = simulate(Settings(players=seated(4), rarities=PLAIN), hands=1, seed=seed)
    timeline = direct(table, seed=seed, level="easy")
    true = tuple(Line(line.event, round(t, 3)) for line, t in zip(timeline.lines, timeline.events, strict=True))
    found = laid_figures(true, glimpsed(timeline, SIGHT["easy"], Random(seed)))
    assert found.laid > 20
    assert found.found >= 0.9 * found.laid
    assert found.place >= 0.95 * found.found
    assert found.false <= 0.1 * found.laid
