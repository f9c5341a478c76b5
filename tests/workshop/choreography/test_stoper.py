"""What must hold of every evening of Stoper, whatever is played by any players."""

import itertools
import math
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import example, given, settings
from played import Evening, Stoper, of_stoper

from companion.games.stoper.rules import State, apply, begin, log
from companion.games.stoper.rules.log import new_game
from companion.table.log import Event, Line
from workshop.choreography.play import direct
from workshop.choreography.stoper.director import AT_ONCE
from workshop.choreography.stoper.script import read_script
from workshop.choreography.timeline import Timeline

few = settings(max_examples=20, deadline=None)
WIDTH = 50.0
"""mm of a card."""


def told(timeline: Timeline) -> Iterator[tuple[float, Event, State, State]]:
    """When (seconds) each line after the first has happened, its event, and the game before it and after it."""
    state = begin(timeline.lines[0].event)
    for line, t in zip(timeline.lines[1:], timeline.events[1:], strict=True):
        after = apply(state, line.event)
        yield t, line.event, state, after
        state = after


def own(timeline: Timeline, name: str, t: float) -> list[str]:
    """Ids of the cards that are this player's at ``t``, also those that they have put out."""
    seat = [place.name for place in timeline.plan.seats].index(name)
    return [card for card, one in timeline.cards.items() if one.owner_at(t + 1e-6) == seat]


def in_the_middle(timeline: Timeline, t: float) -> set[str]:
    """Ids of the cards that lie face down in the middle of the table."""
    return {
        card.id for card in timeline.at(t + 1e-6).cards if not card.face_up and not card.tilt and math.hypot(card.x, card.y) < 150
    }


@few
@given(of_stoper())
def test_players_sit_clockwise(evening: Evening) -> None:
    ways = [math.degrees(math.atan2(seat.place[1], seat.place[0])) for seat in evening.timeline.plan.seats]
    assert sum((before - after) % 360 for before, after in itertools.pairwise([*ways, ways[0]])) == pytest.approx(360)


@few
@given(of_stoper())
@example(Stoper(4, 2, 2221665, "easy", 1.0))
def test_before_the_first_word_all_who_take_part_have_three_cards(evening: Evening) -> None:
    for t, event, before, _ in told(evening.timeline):
        # Where too few have chips to be asked, the first word is the exchange.
        first = not isinstance(event, log.Buio | log.Deal | log.Void | log.Cambio)
        if before.hand is not None and not before.hand.looked and first:
            for seat, name in enumerate(before.table.names):
                assert len(own(evening.timeline, name, t)) == (3 if seat in before.hand.order else 0)


@few
@given(of_stoper())
def test_each_is_dealt_throws_away_and_shows_what_the_log_says(evening: Evening) -> None:
    script = read_script(evening.lines, Random(0))
    for hand in script.hands:
        acts = {act.seat: act for act in hand.acts if hasattr(act, "received")}
        changed = [card for act in acts.values() for card in act.received]
        cards = [*itertools.chain(*hand.dealt[0].values()), *changed]
        assert len(set(cards)) == len(cards)
        assert set(cards) <= set(hand.deck)
        for line in itertools.takewhile(lambda line: not isinstance(line.event, log.Hand), script.lines[hand.line + 1 :]):
            event = line.event
            if isinstance(event, log.Deal):
                assert set(event.faces) <= set(hand.dealt[0][script.players.index(event.to)])
            elif isinstance(event, log.Cambio):
                act = acts[script.players.index(event.by)]
                assert len(act.discards) == len(act.received) == event.n
                assert set(act.discards) <= set(hand.dealt[0][act.seat])
                assert event.discards is None or set(event.discards) == set(act.discards)
            elif isinstance(event, log.Show):
                seat = script.players.index(event.by)
                kept = set(hand.dealt[0][seat]) - set(acts[seat].discards if seat in acts else ())
                assert set(event.cards) == kept | set(acts[seat].received if seat in acts else ())


@few
@given(of_stoper())
def test_as_many_backs_go_out_to_the_middle_as_are_changed_and_as_many_come_in(evening: Evening) -> None:
    timeline = evening.timeline
    before_it = 0.0
    for t, event, before, after in told(timeline):
        if isinstance(event, log.Cambio):
            out = in_the_middle(timeline, t) - in_the_middle(timeline, before_it)
            assert len(out) == event.n
            assert out <= set(own(timeline, event.by, t))
            assert len(own(timeline, event.by, t)) - 3 in (event.n, min(event.n, 1))
        elif before.hand is not None and before.hand.phase in ("final", "showdown") and not isinstance(event, log.Void):
            for seat, name in enumerate(before.table.names):
                if before.hand.live >> seat & 1 and (after.hand is None or after.hand.live >> seat & 1):
                    assert len(own(timeline, name, t)) == 3 + before.hand.known[seat].changed
        before_it = t


@few
@given(of_stoper())
def test_who_passes_or_concedes_throws_the_cards_in_face_down(evening: Evening) -> None:
    timeline = evening.timeline
    for t, event, _, after in told(timeline):
        hand = after.hand or after.ended
        if isinstance(event, log.Passo | log.Muck) and hand is not None:
            seat = after.table.names.index(event.by)
            if isinstance(event, log.Muck) or not hand.live >> seat & 1:
                assert set(own(timeline, event.by, t)) <= in_the_middle(timeline, t)


@few
@given(of_stoper())
@example(Stoper(6, 1, 152, "easy", 1.0))
def test_a_hand_laid_open_is_a_fan_of_three_before_the_place(evening: Evening) -> None:
    timeline = evening.timeline
    for t, event, _, _ in told(timeline):
        if isinstance(event, log.Show):
            seat = next(place for place in timeline.plan.seats if place.name == event.by)
            lying = sorted((timeline.pose(card, t) for card in event.cards), key=lambda pose: pose.z)
            assert all(timeline.where(card, t) == "table" for card in event.cards)
            assert all((pose.turn, pose.pitch) == (pytest.approx(180), 0) for pose in lying)
            assert all(math.dist((pose.x, pose.y), seat.place) < 75 for pose in lying)
            for below, above in itertools.pairwise(lying):
                assert WIDTH / 4 < math.dist((below.x, below.y), (above.x, above.y)) < WIDTH


@few
@given(of_stoper())
def test_the_chips_of_an_awarded_pot_have_left_the_middle(evening: Evening) -> None:
    timeline = evening.timeline
    for t, event, before, _ in told(timeline):
        if isinstance(event, log.Hand) and not before.carried.pot:
            coins = [coin.track.at(t) for coin in timeline.coins if coin.track.where_at(t) == "table"]
            assert not any(math.hypot(pose.x, pose.y) < 130 for pose in coins)


FOUR = ("Ada", "Bice", "Ciro", "Dora")


def lines(*events: Event, stacks: int | dict[str, int] = 10_000) -> tuple[Line, ...]:
    """A log of four players. Ada deals; Bice opens."""
    first = (new_game(FOUR, stacks, "Ada"), log.Hand(cip=50, invito=50), log.Apro(by="Bice", to=100), log.Vedo(by="Ciro"))
    return tuple(Line(event) for event in (*first, log.Passo(by="Dora"), log.Passo(by="Ada"), *events))


def test_the_second_cards_come_when_all_have_the_first_or_at_once() -> None:
    log_of_two = lines(log.Cambio(by="Bice", n=2), log.Cambio(by="Ciro", n=2), log.Busso(by="Bice"))
    later = 0
    for seed in range(12):
        timeline = direct(log_of_two, seed=seed, level="easy")
        bices, ciros = (len(own(timeline, name, timeline.events[6 + n])) - 3 for n, name in enumerate(("Bice", "Ciro")))
        assert bices == ciros
        later += bices == 1
        assert {len(own(timeline, name, timeline.events[-1])) for name in ("Bice", "Ciro")} == {5}
    assert 0 < later < 12
    assert abs(later / 12 - (1 - AT_ONCE)) < 0.3


def test_stacks_of_a_player_all_in_lie_in_the_middle_and_go_back_to_a_winner() -> None:
    bice, ciro = ("spade-1", "coppe-1", "denari-1"), ("spade-5", "coppe-6", "denari-7")
    events = (log.Cambio(by="Bice", n=0), log.Cambio(by="Ciro", n=0), log.Punto(by="Bice", to=300), log.Vedo(by="Ciro"))
    shows = (log.Show(by="Bice", cards=bice), log.Show(by="Ciro", cards=ciro))
    stacks = {"Ada": 10_000, "Bice": 500, "Ciro": 500, "Dora": 10_000}
    timeline = direct(lines(*events, *shows, stacks=stacks), seed=3, level="easy")
    place = next(seat for seat in timeline.plan.seats if seat.name == "Bice").place

    def near(t: float) -> set[str]:
        lying = [coin for coin in timeline.coins if coin.track.where_at(t) == "table"]
        return {coin.prop.id for coin in lying if math.dist((coin.track.at(t).x, coin.track.at(t).y), place) < 180}

    before, after, at_the_end = near(0.5), near(timeline.events[9] + 0.01), near(timeline.duration)
    assert before
    assert not after
    assert at_the_end == before


def test_who_keeps_the_discards_that_they_opened_with_turns_them_up_beside_the_hand() -> None:
    shown = log.Show(by="Bice", cards=("spade-1", "coppe-1", "denari-5"), discards=("denari-10",))
    events = (log.Cambio(by="Bice", n=1), log.Cambio(by="Ciro", n=0), log.Busso(by="Bice"), log.Busso(by="Ciro"), shown)
    timeline = direct(lines(*events), seed=5, level="easy")
    lying = {card.id: card for card in timeline.at(timeline.events[-1]).cards}
    assert all(lying[card].face_up for card in (*shown.cards, "denari-10"))
    place = next(seat for seat in timeline.plan.seats if seat.name == "Bice").place
    assert 60 < math.dist((lying["denari-10"].x, lying["denari-10"].y), place) < 130
    assert not lying.keys() & in_the_middle(timeline, timeline.events[7]) & set(own(timeline, "Bice", timeline.events[7]))


def test_cards_that_are_turned_up_early_lie_open_before_the_betting_goes_on() -> None:
    stacks = {"Ada": 10_000, "Bice": 10_000, "Ciro": 200, "Dora": 10_000}
    first = (new_game(FOUR, stacks, "Ada"), log.Hand(cip=50, invito=50), log.Apro(by="Bice", to=100), log.Vedo(by="Ciro"))
    shown = log.Show(by="Ciro", cards=("spade-5", "coppe-6", "denari-7"))
    rest = (log.Vedo(by="Dora"), log.Passo(by="Ada"), log.Cambio(by="Bice", n=2), log.Cambio(by="Ciro", n=2), shown,
            log.Cambio(by="Dora", n=2), log.Busso(by="Bice"))  # fmt: skip
    for seed in range(4):
        timeline = direct(tuple(Line(event) for event in (*first, *rest)), seed=seed, level="easy")
        lying = {card.id for card in timeline.at(timeline.events[8]).cards if card.face_up}
        assert lying == set(shown.cards)


def test_the_pack_is_that_of_the_hand() -> None:
    events = (new_game((*FOUR, "Elsa", "Fabio"), 1000, "Ada"), log.Hand(cip=50, invito=50), log.Void(),
              log.Hand(absent=("Elsa", "Fabio"), deck=28), log.Parola(by="Bice"))  # fmt: skip
    timeline = direct(tuple(map(Line, events)), seed=1)
    for t, of in ((0.5, 36), (timeline.events[3] + 0.5, 28)):
        assert sum(timeline.where(card, t) == "deck" for card in timeline.cards) == of
    assert sum(timeline.where(card, timeline.duration) == "away" for card in timeline.cards) == 8
