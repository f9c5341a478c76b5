"""What must hold of every evening with cards in the hand, whatever is played by any players."""

import itertools
import math
from collections.abc import Callable, Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from played import Evening, Stoper, Stoppa, of_any, opened

from companion.table.errors import ScriptError
from companion.table.log import Line, tag
from workshop.choreography.layout import pick_camera
from workshop.choreography.motion import distance
from workshop.choreography.play import direct
from workshop.choreography.stoper.script import read_script as read_stoper
from workshop.choreography.stoppa.script import read_script as read_stoppa
from workshop.stage.cardshape import shows_face

FASTEST = 6.0
"""m/s: nobody moves a card faster at normal tempo."""
BEFORE = 4.0
"""Seconds before a card lies open from which on its face may be seen, at half the normal tempo."""
few = settings(max_examples=20, deadline=None)


@few
@given(of_any())
def test_no_card_leaps(evening: Evening) -> None:
    timeline = evening.timeline
    for name, card in timeline.cards.items():
        for before, move in itertools.pairwise(card.track.moves):
            leaps = distance(before.end, move.start) > 0.1
            assert not leaps or timeline.where(name, move.t0 - 1e-6) != "table", f"{name} leaps at {move.t0:.2f} s"
        for move in card.track.moves:
            lasts = move.t1 - move.t0
            points = [move.at(move.t0 + lasts * k / 40) for k in range(41)]
            speed = max(distance(a, b) for a, b in itertools.pairwise(points)) / lasts * 40 / 1000 if lasts else 0
            assert speed < FASTEST * 1.8, f"{name} goes {speed:.1f} m/s at {move.t0:.2f} s"


@few
@given(of_any(), st.floats(0, 1))
def test_the_pack_is_whole_at_every_moment(evening: Evening, share: float) -> None:
    timeline = evening.timeline
    t = share * timeline.duration
    scene = timeline.at(t)
    ids = [thing.id for thing in (*scene.cards, *scene.fingers, *scene.props, *scene.stacks)]
    assert len(ids) == len(set(ids))
    where = [timeline.where(name, t) for name in timeline.cards]
    of, in_hands = evening.pack[len(timeline.plan.seats)], where.count("held")
    assert len(where) - where.count("away") == of
    assert sum(stack.count for stack in scene.stacks) + len(scene.cards) + in_hands == of


@few
@given(of_any(), st.integers(0, 1000))
def test_no_camera_sees_a_face_that_the_log_does_not_show(evening: Evening, seed: int) -> None:
    timeline = evening.timeline
    camera = pick_camera(timeline.plan, Random(seed), (1280, 720))
    shown: dict[str, list[float]] = {}
    for t, card, _ in opened(timeline):
        shown.setdefault(card, []).append(t)
    hands = [t for line, t in zip(timeline.lines, timeline.events, strict=True) if tag(line.event) == "hand"]
    tempo = evening.recipe[4]
    for k in range(int(timeline.duration / 0.7)):
        t = k * 0.7
        begun = max((start for start in hands if start <= t), default=0.0)
        for card in timeline.at(t).cards:
            if shows_face(camera, card):
                open_at = [at for at in shown.get(card.id, ()) if at >= begun and at - BEFORE / tempo <= t]
                assert open_at, f"{card.id} is seen at {t:.1f} s"


@few
@given(of_any())
def test_what_happens_in_turn_happens_in_that_order(evening: Evening) -> None:
    timeline = evening.timeline
    assert list(timeline.events) == sorted(timeline.events)
    assert timeline.duration >= max(timeline.events) + 2


@few
@given(of_any())
def test_a_hand_comes_from_its_owners_side(evening: Evening) -> None:
    timeline = evening.timeline
    for fingers in timeline.fingers:
        seat = timeline.plan.seats[fingers.seat]
        for t, where in fingers.track.stays:
            if where == "table":
                pose = fingers.track.at(t)
                assert math.dist((pose.x, pose.y), seat.edge) < 300


@settings(max_examples=8, deadline=None)
@given(of_any(), st.floats(0, 1))
def test_the_same_seed_is_the_same_evening(evening: Evening, share: float) -> None:
    one, two = evening.timeline, evening.again()
    t = share * one.duration
    assert one.events == two.events
    assert one.at(t) == two.at(t)


@pytest.mark.parametrize("game", [Stoppa, Stoper])
def test_backs_are_held_up_only_where_no_camera_sees_their_faces(game: type[Evening]) -> None:
    fans = 0
    for seed in range(12):
        timeline = game(5, 1, seed, "hard", 1.0).timeline
        for k in range(int(timeline.duration)):
            fans += sum(card.tilt != 0 and card.tilt_axis != 0 for card in timeline.at(float(k)).cards)
    assert fans > 50


@pytest.mark.parametrize("game", [Stoppa, Stoper])
def test_a_log_that_cannot_have_happened_says_where(game: type[Evening]) -> None:
    lines = game(4, 1, 1, "easy", 1.0).lines
    with pytest.raises(ScriptError, match="line 2"):
        direct((lines[0], Line(game.log.Show(by=lines[0].event.players[0], cards=()))), seed=0)


@pytest.mark.parametrize("read", [read_stoppa, read_stoper])
def test_a_log_of_nothing_says_how_to_make_one(read: Callable[[Sequence[Line], Random], object]) -> None:
    with pytest.raises(ScriptError, match=r"line 1: no game line of Sto.*companion simulate --game sto"):
        read((), Random(0))
