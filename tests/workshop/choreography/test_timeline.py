"""What must hold of every evening, whatever is played by any players."""

import itertools
import math

import pytest
from directed import GNAFFATA, Evening, evenings
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.stu.rules import State, apply, begin
from companion.games.stu.rules import log as tl
from workshop.choreography.director import STILL
from workshop.choreography.motion import distance
from workshop.choreography.stu.director import direct
from workshop.choreography.timeline import Timeline

FASTEST = 5.0
"""m/s: nobody slides a card faster at normal tempo."""
NEAR = 60.0
"""mm from the place within which a card lies in it."""
few = settings(max_examples=25, deadline=None)


def states(timeline: Timeline) -> list[State]:
    """The engine's state after each line."""
    game = timeline.lines[0].event
    assert isinstance(game, tl.Game)
    told = [begin(game)]
    for line in timeline.lines[1:]:
        told.append(apply(told[-1], line.event))
    return told


def hands(timeline: Timeline) -> list[range]:
    """The indices of the lines of each hand that was played to its end."""
    found = []
    start = None
    for index, line in enumerate(timeline.lines):
        if isinstance(line.event, tl.Hand):
            start = index
        elif isinstance(line.event, tl.End) and start is not None:
            found.append(range(start, index + 1))
            start = None
        elif isinstance(line.event, tl.Void):
            start = None
    return found


def held_by(timeline: Timeline, seat: int, t: float) -> list[str]:
    """Ids of the Stù cards that are this seat's at ``t``."""
    return [name for name, card in timeline.cards.items() if card.key[0] == "stu" and card.owner_at(t) == seat]


@few
@given(evenings())
def test_no_card_leaps(evening: Evening) -> None:
    timeline = evening.timeline
    for name, card in timeline.cards.items():
        track = card.track
        for before, move in itertools.pairwise(track.moves):
            leaps = distance(before.end, move.start) > 0.1
            assert not leaps or timeline.where(name, move.t0 - 1e-6) != "table", f"{name} leaps at {move.t0:.2f} s"
        for move in track.moves:
            if move.t1 == move.t0:
                continue
            assert move.t1 - move.t0 > 0.05
            points = [move.at(move.t0 + (move.t1 - move.t0) * k / 40) for k in range(41)]
            speed = max(distance(a, b) for a, b in itertools.pairwise(points)) / (move.t1 - move.t0) * 40 / 1000
            assert speed < FASTEST * 1.8, f"{name} goes {speed:.1f} m/s at {move.t0:.2f} s"


@few
@given(evenings(), st.floats(0, 1))
def test_the_deck_is_whole_at_every_moment(evening: Evening, share: float) -> None:
    timeline = evening.timeline
    t = share * timeline.duration
    scene = timeline.at(t)
    ids = [thing.id for thing in (*scene.cards, *scene.fingers, *scene.props, *scene.stacks)]
    assert len(ids) == len(set(ids))
    stu = [name for name, card in timeline.cards.items() if card.key[0] == "stu"]
    away = sum(timeline.where(name, t) == "away" for name in stu)
    in_hands = sum(timeline.where(name, t) == "held" for name in stu)
    on_table = sum(card.key[0] == "stu" for card in scene.cards)
    assert (len(stu), away) in ((40, 0), (40, 1))
    assert sum(stack.count for stack in scene.stacks) + on_table + in_hands + away == 40


@few
@given(evenings())
def test_at_every_exchange_and_draw_each_place_has_the_card_the_engine_says(evening: Evening) -> None:
    timeline = evening.timeline
    cards_of: dict[tuple[int, int], str] = {}  # (hand, token) → card
    for line, t, state in zip(timeline.lines, timeline.events, states(timeline), strict=True):
        if not isinstance(line.event, tl.Swap | tl.Taverna | tl.Draw) or state.hand is None:
            continue
        hand = state.hand
        for position in hand.positions():
            seat = hand.order[position]
            held = held_by(timeline, seat, t)
            if not held and hand.holds[position] == position:
                continue  # one at a time: not dealt yet
            (card,) = held
            assert cards_of.setdefault((hand.n, hand.holds[position]), card) == card


@few
@given(evenings())
def test_at_the_end_of_a_hand_all_lie_face_up_in_their_places(evening: Evening) -> None:
    timeline = evening.timeline
    told = states(timeline)
    for lines in hands(timeline):
        end = lines[-1]
        before = told[end - 1].hand
        if before is None:
            continue  # won outright: the end says nothing new
        t = timeline.events[end]
        for position in before.positions():
            seat = before.order[position]
            (card,) = held_by(timeline, seat, t)
            pose = timeline.pose(card, t)
            assert timeline.where(card, t) == "table"
            assert pose.turn == 180
            assert timeline.cards[card].key[1] == before.face_of(position)
            assert math.dist((pose.x, pose.y), timeline.plan.seats[seat].place) < NEAR


@few
@given(evenings())
def test_the_last_faces_lie_still_before_the_clearing(evening: Evening) -> None:
    timeline = evening.timeline
    told = states(timeline)
    for lines in hands(timeline):
        before = told[lines[-1] - 1].hand
        if before is None:
            continue
        shown = max(timeline.events[i] for i in lines if isinstance(timeline.lines[i].event, tl.Reveal))
        for position in before.positions():
            (card,) = held_by(timeline, before.order[position], shown)
            assert timeline.pose(card, shown + STILL - 0.05) == timeline.pose(card, shown + 0.01)


@few
@given(evenings())
def test_no_face_shows_that_the_log_does_not_show(evening: Evening) -> None:
    timeline = evening.timeline
    shows: dict[str, list[float]] = {}
    for line, t in zip(timeline.lines, timeline.events, strict=True):
        if isinstance(line.event, tl.Reveal | tl.Taverna):
            kind = line.event.card if isinstance(line.event, tl.Reveal) else "taverna"
            for name in (f"{kind}.0", f"{kind}.1"):
                shows.setdefault(name, []).append(t)
    for name, card in timeline.cards.items():
        if card.key[0] != "stu":
            continue
        for move in card.track.moves:
            if move.end.turn > 90 and move.start.turn < 90:
                assert any(abs(move.t1 - t) < 8 for t in shows.get(name, [])), f"{name} turns up at {move.t1:.2f} s"


@few
@given(evenings())
def test_what_happens_in_turn_happens_in_that_order(evening: Evening) -> None:
    timeline = evening.timeline
    in_turn = (tl.Hand, tl.Passo, tl.Swap, tl.Taverna, tl.Draw, tl.End, tl.Void, tl.Rebuy)
    times = [t for line, t in zip(timeline.lines, timeline.events, strict=True) if isinstance(line.event, in_turn)]
    assert times == sorted(times)
    assert timeline.duration >= max(timeline.events) + 2


@few
@given(evenings(most=9))
def test_when_a_hand_begins_everybody_shows_their_pedine(evening: Evening) -> None:
    timeline = evening.timeline
    hides = {s for s in range(len(timeline.plan.seats)) if not any(c.startswith(f"pedina.{s}.") for c in timeline.cards)}
    for line, t, state in zip(timeline.lines, timeline.events, states(timeline), strict=True):
        if not isinstance(line.event, tl.Hand) or state.hand is None:
            continue
        for seat, player in enumerate(state.players):
            lying = sum(
                name.startswith(f"pedina.{seat}.") and timeline.where(name, t) == "table" for name in timeline.cards
            )
            assert lying == (0 if player.virgin or seat in hides else player.pedine)


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


@settings(max_examples=10, deadline=None)
@given(evenings(most=6), st.floats(0, 1))
def test_the_same_seed_is_the_same_evening(evening: Evening, share: float) -> None:
    one, two = evening.timeline, evening.again()
    t = share * one.duration
    assert one.events == two.events
    assert one.at(t) == two.at(t)


@pytest.mark.parametrize(("tempo", "least", "most"), [(1.0, 18, 60), (2.0, 9, 32)])
def test_tempo_scales_a_hand(tempo: float, least: float, most: float) -> None:
    lengths = [direct(GNAFFATA, seed=seed, tempo=tempo).duration for seed in range(20)]
    assert least < min(lengths)
    assert max(lengths) < most


@pytest.mark.parametrize("seed", range(6))
def test_everybody_lifts_their_own_card_at_once_after_a_fast_deal(seed: int) -> None:
    """All cards are up before anybody passes, several at a time; none goes near another's place, and no face turns up."""
    timeline = direct(GNAFFATA, seed=seed, lifts=1.0)
    passo = timeline.events[2]
    up: dict[int, set[float]] = {}
    for seat, place in enumerate(timeline.plan.seats):
        for t in (timeline.events[1] + 0.05 * k for k in range(int((passo - timeline.events[1]) / 0.05))):
            for card in held_by(timeline, seat, t):
                pose = timeline.pose(card, t)
                assert pose.turn < 90
                assert math.dist((pose.x, pose.y), place.place) < math.dist((pose.x, pose.y), timeline.plan.seats[seat - 1].place)
                if pose.pitch > 5 or timeline.where(card, t) == "held":
                    up.setdefault(seat, set()).add(round(t, 2))
    assert len(up) == len(timeline.plan.seats)
    times = [t for seats in up.values() for t in seats]
    assert max(times.count(t) for t in times) >= 2
    dealt = max(track.moves[1].t1 for name, card in timeline.cards.items() if (track := card.track).where_at(passo) == "table"
                and card.key[0] == "stu")  # fmt: skip
    slow = direct(GNAFFATA, seed=seed)
    assert dealt - timeline.events[1] < slow.events[2] - slow.events[1]
