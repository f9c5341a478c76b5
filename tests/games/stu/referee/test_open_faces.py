"""Showing a hand once more: which seconds decided it, and which faces everybody had been shown by then."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from evenings import evenings
from games import GAME, GNAFFATA, lines
from hypothesis import given, settings
from msgspec.structs import replace

from companion.games import GAMES
from companion.games.stu import rules
from companion.games.stu.pages import PAGES
from companion.games.stu.referee import MODEL
from companion.games.stu.rules.log import Hand, Reveal
from companion.games.stu.rules.state import State
from companion.games.stu.sightings import Exchanged, Shown, Sighting
from companion.pages.moments import Moment, follow
from companion.referee.chapter import Chapter
from companion.referee.clips import LEAD_SECONDS, MAX_CLIPS_SECONDS, TAIL_SECONDS, FaceUp, clips, laid_open
from companion.referee.values import HandReports
from companion.table.log import Line


def timed(log: Sequence[Line], every: float = 5.0) -> tuple[Line, ...]:
    """The same log with a line ``every`` seconds."""
    return tuple(replace(line, t=every * index) for index, line in enumerate(log))


def hands(log: Sequence[Line]) -> list[tuple[State, tuple[Line, ...]]]:
    """The state before each hand, and its lines."""
    state, found = rules.begin(log[0].event), list[tuple[State, list[Line]]]()
    for line in log[1:]:
        if isinstance(line.event, Hand):
            found.append((state, []))
        if state.hand is not None or isinstance(line.event, Hand):
            found[-1][1].append(line)
        state = rules.apply(state, line.event)
    return [(before, tuple(told)) for before, told in found]


def sighted(log: Sequence[Line], names: Sequence[str]) -> tuple[Sighting, ...]:
    """Every card that is shown is seen to lie there since then."""
    return tuple(
        Shown(line.t, names.index(line.event.by), index, ((line.event.card, 1.0),))
        for index, line in enumerate(log) if isinstance(line.event, Reveal) and line.t is not None
    )  # fmt: skip


def open_in(before: State, told: tuple[Line, ...], seen: tuple[Sighting, ...]) -> tuple[FaceUp, ...]:
    return MODEL.faces_up(MODEL.history(before, told, 0.0), before, seen)


def played(log: Sequence[Line]) -> list[Moment]:
    return list(follow(rules, PAGES, log))


@settings(max_examples=60, deadline=None)
@given(evenings())
def test_a_face_lies_open_only_where_the_tv_shows_it_too(log: tuple[Line, ...]) -> None:
    log = timed(log)
    moments = played(log)
    shown = {}  # when → place → face, as every spectator sees it
    for moment, line in zip(moments, log, strict=True):
        laid = moment.laid
        shown[line.t] = {
            seat: face for seat in range(len(moment.seen.table.names))
            if laid is not None and seat in laid.order and (face := laid.face_of(laid.order.index(seat))) is not None
        }  # fmt: skip
    checked = 0
    for before, told in hands(log):
        end = told[-1].t
        for face in open_in(before, told, sighted(told, before.table.names)):
            for line in told:
                if face.since <= line.t < min(face.until, end):
                    assert shown[line.t].get(face.place) == face.kind
                    checked += 1
    early = any(isinstance(line.event, Reveal) for _, told in hands(log) for line in told[:-1])
    assert checked or not early


@settings(max_examples=60, deadline=None)
@given(evenings())
def test_what_the_eyes_did_not_see_lie_open_does_not(log: tuple[Line, ...]) -> None:
    for before, told in hands(timed(log)):
        assert open_in(before, told, ()) == ()
        late = tuple(Shown(one.t + 2, one.place, one.episode, one.alternatives) for one in sighted(told, before.table.names))
        since = {face.since for face in open_in(before, told, late)}
        assert since <= {one.t for one in late}, "a face that was under a hand lies open from when it was seen"


@settings(max_examples=60, deadline=None)
@given(evenings())
def test_who_has_paid_something_was_decided_by_some_line_of_the_hand(log: tuple[Line, ...]) -> None:
    for before, told in hands(log):
        found = MODEL.deciding(before, told)
        assert list(found) == sorted(set(found))
        assert all(0 <= index < len(told) for index in found)
        state = before
        for line in told:
            state = rules.apply(state, line.event)
        paid = [payment for payment in rules.ruling(state, len(before.hands) + 1).payments if payment.delta]
        assert bool(found) == bool(paid) or not paid or all(payment.cause == "penalty" for payment in paid)


def test_a_gnaffata_is_decided_when_the_gnao_is_shown_and_the_lowest_card_when_that_is() -> None:
    (before, told), *_ = hands(lines(*GNAFFATA))
    assert [told[index].event for index in MODEL.deciding(before, told)] == [
        Reveal(by="Bruno", card="gnao"), Reveal(by="Anna", card="3"),
    ]  # fmt: skip


def test_the_player_who_got_the_lowest_card_in_an_exchange_got_it_then() -> None:
    log = lines(
        GAME, '{"e":"hand"}', '{"e":"passo","by":"Anna"}', '{"e":"swap","with":"Bruno"}', '{"e":"sto","by":"Carla"}',
        '{"e":"reveal","by":"Anna","card":"9"}', '{"e":"reveal","by":"Bruno","card":"3"}',
        '{"e":"reveal","by":"Carla","card":"7"}', '{"e":"end"}',
    )  # fmt: skip
    (before, told), *_ = hands(log)
    assert [told[index].event.__struct_config__.tag for index in MODEL.deciding(before, told)] == ["swap", "reveal"]
    assert told[MODEL.deciding(before, told)[1]].event.by == "Bruno"


def chapter(told: tuple[Line, ...], before: State, seen: tuple[Sighting, ...], *others: tuple[Line, ...]) -> Chapter:
    """A hand that is over. ``others``: histories that are as likely as this one."""
    beam = []
    for one in (told, *others):
        state = before
        for line in one:
            state = rules.apply(state, line.event)
        beam.append(MODEL.history(state, one, 0.0))
    return Chapter(GAMES["stu"], HandReports(1, seen, closed=True), before, histories=tuple(beam))


def test_a_cut_goes_from_before_an_act_until_it_is_over() -> None:
    (before, told), *_ = hands(timed(lines(*GNAFFATA), 20.0))
    seen = (Exchanged(80.0, 82.5, (0, 1), 0.9), *sighted(told, before.table.names))
    found = clips(chapter(told, before, seen))
    assert [(cut.since, cut.until) for cut in found] == [
        (80 - LEAD_SECONDS, 82.5 + TAIL_SECONDS), (140 - LEAD_SECONDS, 140 + TAIL_SECONDS)
    ]  # fmt: skip


def test_of_what_was_told_by_thumb_there_is_no_video() -> None:
    (before, told), *_ = hands(lines(*GNAFFATA))
    assert clips(chapter(told, before, ())) == ()


@settings(max_examples=40, deadline=None)
@given(evenings())
def test_cuts_are_in_order_apart_and_no_longer_than_a_ruling_may_be_covered(log: tuple[Line, ...]) -> None:
    for before, told in hands(timed(log, 1.5)):
        found = clips(chapter(told, before, sighted(told, before.table.names)))
        assert all(cut.since < cut.until for cut in found)
        assert all(one.until < other.since for one, other in pairwise(found))
        assert sum(cut.until - cut.since for cut in found) <= MAX_CLIPS_SECONDS + 1e-6


def test_a_face_counts_as_shown_when_that_is_sure_whatever_face_it_is() -> None:
    (before, told), *_ = hands(timed(lines(*(line for line in GNAFFATA if '"deal"' not in line))))
    at = next(index for index, line in enumerate(told) if line.event == Reveal(by="Anna", card="3"))
    other = (*told[:at], replace(told[at], event=Reveal(by="Anna", card="4")), *told[at + 1 :])
    seen = sighted(told, before.table.names)
    assert laid_open(chapter(told, before, seen, other), told[at].t)[0] == {"3", "4"}
    unshown = (*told[:at], *(replace(line, t=line.t + 50) for line in told[at:]))
    assert 0 not in laid_open(chapter(told, before, seen, unshown), told[at].t), "in half of the histories it was not"
