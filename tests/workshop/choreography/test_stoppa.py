"""What must hold of every evening of Stoppa, whatever is played by any players."""

import itertools
import math
from random import Random

import pytest
from hypothesis import given, settings
from played import Evening, of_stoppa, opened

from companion.games.stoppa.rules import State, apply, begin, log
from workshop.choreography.stoppa.script import read_script
from workshop.choreography.timeline import Timeline

few = settings(max_examples=20, deadline=None)


def states(timeline: Timeline) -> list[State]:
    """The engine's state after each line."""
    game = timeline.lines[0].event
    assert isinstance(game, log.Game)
    return list(itertools.accumulate(timeline.lines[1:], lambda state, line: apply(state, line.event), initial=begin(game)))


@few
@given(of_stoppa())
def test_when_an_iteration_is_dealt_everybody_has_got_its_cards(evening: Evening) -> None:
    timeline = evening.timeline
    for line, t, state in zip(timeline.lines, timeline.events, states(timeline), strict=True):
        if isinstance(line.event, log.Piccolo) and state.hand is not None:
            dealt = sum(state.table.deals[: state.hand.iteration])
            for seat in range(len(timeline.plan.seats)):
                assert sum(card.owner_at(t + 1e-6) == seat for card in timeline.cards.values()) == dealt


@few
@given(of_stoppa())
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
@given(of_stoppa())
def test_what_is_laid_lies_on_top_of_the_pile(evening: Evening) -> None:
    timeline = evening.timeline
    for t, card, event in opened(timeline):
        if isinstance(event, log.Lay) and card == event.cards[-1]:
            near = [one for one in timeline.at(t + 1e-3).cards if math.hypot(one.x, one.y) < 120 and one.face_up]
            assert near[-1].id == card


@few
@given(of_stoppa())
def test_the_money_of_a_decided_hand_has_left_the_table(evening: Evening) -> None:
    timeline = evening.timeline
    for line, t, state in zip(timeline.lines, timeline.events, states(timeline), strict=True):
        if isinstance(line.event, log.Lay) and state.hand is not None and state.hand.pots[-1].how != "carried":
            assert not any(coin.track.where_at(t) == "table" for coin in timeline.coins)


@few
@given(of_stoppa())
def test_each_is_dealt_in_an_iteration_what_they_show_of_it(evening: Evening) -> None:
    script = read_script(evening.lines, Random(0))
    for number, hand in enumerate(script.hands):
        for iteration in hand.dealt:
            cards = [*itertools.chain(*iteration.values())]
            assert len(set(cards)) == len(cards)
        told, at = evening.lines[hand.line + 1 :], -1
        for line in itertools.takewhile(lambda line: not isinstance(line.event, log.Hand), told):
            at += isinstance(line.event, log.Piccolo)
            if isinstance(line.event, log.Grosso):
                break
            if isinstance(line.event, log.Show):
                seat = script.players.index(line.event.by)
                assert set(line.event.cards) <= set(hand.dealt[at][seat]), f"hand {number}"
