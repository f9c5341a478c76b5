"""What must hold of every evening of Stoppa, whatever is played and whoever sits there."""

import itertools
import math
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from played import Evening, evenings

from companion.games.stoppa.rules import State, apply, begin, log
from companion.table.errors import ScriptError
from companion.table.log import Line
from companion.workshop.choreography.motion import distance
from companion.workshop.choreography.play import direct
from companion.workshop.choreography.stoppa.script import read_script
from companion.workshop.choreography.timeline import Timeline
from companion.workshop.choreography.view import pick_camera
from companion.workshop.stage.cardshape import shows_face

FASTEST = 6.0
"""m/s: nobody moves a card faster at normal tempo."""
BEFORE = 4.0
"""Seconds before a card lies open from which on its face may be seen, at half the normal tempo."""
few = settings(max_examples=20, deadline=None)


def states(timeline: Timeline) -> list[State]:
    """The engine's state after each line."""
    game = timeline.lines[0].event
    assert isinstance(game, log.Game)
    return list(itertools.accumulate(timeline.lines[1:], lambda state, line: apply(state, line.event), initial=begin(game)))


def opened(timeline: Timeline) -> Iterator[tuple[float, str, log.Show | log.Lay | log.Declare]]:
    """When (seconds) which card lies open, and the event that says so."""
    for line, t in zip(timeline.lines, timeline.events, strict=True):
        if isinstance(line.event, log.Show | log.Lay | log.Declare):
            for card in line.event.cards:
                yield t, card, line.event


@few
@given(evenings())
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
@given(evenings(), st.floats(0, 1))
def test_the_pack_is_whole_at_every_moment(evening: Evening, share: float) -> None:
    timeline = evening.timeline
    t = share * timeline.duration
    scene = timeline.at(t)
    ids = [thing.id for thing in (*scene.cards, *scene.fingers, *scene.props, *scene.stacks)]
    assert len(ids) == len(set(ids))
    in_hands = sum(timeline.where(name, t) == "held" for name in timeline.cards)
    of = {3: 39, 4: 40, 5: 40, 6: 36}[len(timeline.plan.seats)]
    assert len(timeline.cards) == of
    assert sum(stack.count for stack in scene.stacks) + len(scene.cards) + in_hands == of


@few
@given(evenings())
def test_when_an_iteration_is_dealt_everybody_has_got_its_cards(evening: Evening) -> None:
    timeline = evening.timeline
    for line, t, state in zip(timeline.lines, timeline.events, states(timeline), strict=True):
        if isinstance(line.event, log.Piccolo) and state.hand is not None:
            dealt = sum(state.table.deals[: state.hand.iteration])
            for seat in range(len(timeline.plan.seats)):
                assert sum(card.owner_at(t + 1e-6) == seat for card in timeline.cards.values()) == dealt


@few
@given(evenings())
def test_every_card_shown_lies_face_up_where_the_log_says(evening: Evening) -> None:
    timeline = evening.timeline
    names = [seat.name for seat in timeline.plan.seats]
    for t, card, event in opened(timeline):
        pose, seat = timeline.pose(card, t), names.index(event.by)
        assert timeline.where(card, t) == "table"
        assert (pose.turn, pose.pitch) == pytest.approx((180, 0))
        assert timeline.cards[card].owner_at(t) == seat
        place = (0.0, 0.0) if isinstance(event, log.Lay) else timeline.plan.seats[seat].place
        assert math.dist((pose.x, pose.y), place) < 190


@few
@given(evenings())
def test_what_is_laid_lies_on_top_of_the_pile(evening: Evening) -> None:
    timeline = evening.timeline
    for t, card, event in opened(timeline):
        if isinstance(event, log.Lay) and card == event.cards[-1]:
            near = [one for one in timeline.at(t + 1e-3).cards if math.hypot(one.x, one.y) < 120 and one.face_up]
            assert near[-1].id == card


@few
@given(evenings(), st.integers(0, 1000))
def test_no_camera_sees_a_face_that_the_log_does_not_show(evening: Evening, seed: int) -> None:
    timeline = evening.timeline
    camera = pick_camera(timeline.plan, Random(seed), (1280, 720))
    shown: dict[str, list[float]] = {}
    for t, card, _ in opened(timeline):
        shown.setdefault(card, []).append(t)
    hands = [t for line, t in zip(timeline.lines, timeline.events, strict=True) if isinstance(line.event, log.Hand)]
    tempo = evening.recipe[4]
    for k in range(int(timeline.duration / 0.7)):
        t = k * 0.7
        begun = max((start for start in hands if start <= t), default=0.0)
        for card in timeline.at(t).cards:
            if shows_face(camera, card):
                open_at = [at for at in shown.get(card.id, ()) if at >= begun and at - BEFORE / tempo <= t]
                assert open_at, f"{card.id} is seen at {t:.1f} s"


@few
@given(evenings())
def test_what_happens_in_turn_happens_in_that_order(evening: Evening) -> None:
    timeline = evening.timeline
    assert list(timeline.events) == sorted(timeline.events)
    assert timeline.duration >= max(timeline.events) + 2


@few
@given(evenings())
def test_the_money_of_a_decided_hand_has_left_the_table(evening: Evening) -> None:
    timeline = evening.timeline
    for line, t, state in zip(timeline.lines, timeline.events, states(timeline), strict=True):
        if isinstance(line.event, log.Lay) and state.hand is not None and state.hand.pots[-1].how != "carried":
            assert not any(coin.track.where_at(t) == "table" for coin in timeline.coins)


@few
@given(evenings())
def test_a_hand_comes_from_its_owners_side(evening: Evening) -> None:
    timeline = evening.timeline
    for fingers in timeline.fingers:
        seat = timeline.plan.seats[fingers.seat]
        for t, where in fingers.track.stays:
            if where == "table":
                pose = fingers.track.at(t)
                assert math.dist((pose.x, pose.y), seat.edge) < 300


@settings(max_examples=8, deadline=None)
@given(evenings(), st.floats(0, 1))
def test_the_same_seed_is_the_same_evening(evening: Evening, share: float) -> None:
    one, two = evening.timeline, evening.again()
    t = share * one.duration
    assert one.events == two.events
    assert one.at(t) == two.at(t)


@few
@given(evenings())
def test_each_is_dealt_in_an_iteration_what_they_show_of_it(evening: Evening) -> None:
    script = read_script(evening.lines, Random(0))
    for number, hand in enumerate(script.hands):
        for iteration in hand.dealt:
            cards = [card for seat in iteration for card in seat]
            assert len(set(cards)) == len(cards)
        told, at = evening.lines[hand.line + 1 :], -1
        for line in itertools.takewhile(lambda line: not isinstance(line.event, log.Hand), told):
            at += isinstance(line.event, log.Piccolo)
            if isinstance(line.event, log.Grosso):
                break
            if isinstance(line.event, log.Show):
                seat = script.game.players.index(line.event.by)
                assert set(line.event.cards) <= set(hand.dealt[at][seat]), f"hand {number}"


def test_backs_are_held_up_only_where_no_camera_sees_their_faces() -> None:
    fans = 0
    for seed in range(12):
        timeline = Evening(5, 1, seed, "hard", 1.0).timeline
        for k in range(int(timeline.duration)):
            fans += sum(card.tilt != 0 and card.tilt_axis != 0 for card in timeline.at(float(k)).cards)
    assert fans > 100


@pytest.mark.parametrize("lifts", [0.5, 1.0])
def test_lifts_are_refused(lifts: float) -> None:
    with pytest.raises(ScriptError, match="Lu Stù alone"):
        direct(Evening(3, 1, 1, "easy", 1.0).lines, seed=1, lifts=lifts)


def test_a_log_that_cannot_have_happened_says_where() -> None:
    lines = Evening(3, 1, 1, "easy", 1.0).lines
    with pytest.raises(ScriptError, match="line 2"):
        read_script((lines[0], Line(log.Grosso())), Random(0))
    with pytest.raises(ScriptError, match="no game line"):
        read_script(lines[1:], Random(0))
