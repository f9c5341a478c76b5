"""A correction composed while other things happened: it means the same, or is refused. Never a silent different change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from evenings import evenings
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.dashboard.organiser.editor import events_of
from companion.editing.commands import Answer, Change, Command, Confirm, Insert, Say, StaleVersion, Undo
from companion.editing.edit import obey
from companion.editing.rebase import rebased
from companion.games import GAMES
from companion.games.stu.pages.offers import offers
from companion.games.stu.rules.log import End, Event, Hand, Passo, Reveal, Sto, Swap, Void, new_game
from companion.games.stu.sightings import Appeared, Cleared, Exchanged, Shown
from companion.line.recorder import evening_of
from companion.referee import Evening
from companion.referee.evening import reported
from companion.referee.questions import NotAsked, question
from companion.referee.record import Saw
from companion.table.errors import Illegal
from companion.table.log import Line
from companion.table.sure import SURE_FROM

BEGUN: tuple[Event, ...] = (Hand(),)
ANNA_STAYS, BRUNO_STAYS, ALL_STAY = Sto(by="Anna"), Sto(by="Bruno"), Sto(by="Carla")
ANNA_SWAPS: tuple[Event, ...] = (Passo(by="Anna"), Swap(with_="Bruno"))
BRUNO_SWAPS: tuple[Event, ...] = (Passo(by="Bruno"), Swap(with_="Carla"))
SHOWN = (Reveal(by="Anna", card="4"), Reveal(by="Bruno", card="5"), Reveal(by="Carla", card="9"))


GNAO = Reveal(by="Bruno", card="gnao")


def told(*events: Event) -> Evening:
    """An evening of Anna, Bruno and Carla, who deals, by thumb."""
    evening = Evening.of(GAMES["stu"], new_game(["Anna", "Bruno", "Carla"], 200, "Carla"))
    return obey(evening, Say(events)) if events else evening


def done(command: Command, then: Evening, now: Evening) -> tuple[Event, ...] | None:
    """The last hand's events after a command that was made on ``then``; None where it was so already."""
    found = rebased(command, events_of(then.log), now)
    if found is None:
        return None
    after = obey(now, found)
    shown = after.current if after.current.lines else after.chapters[-2]
    return tuple(line.event for line in shown.lines)


@pytest.mark.parametrize(
    ("then", "since", "tap", "comes_to"),
    [
        pytest.param([], [ANNA_STAYS], [ANNA_STAYS], None, id="the camera has just seen it"),
        pytest.param([], [*ANNA_SWAPS, BRUNO_STAYS], ANNA_SWAPS, None, id="seen, and more"),
        pytest.param([], [Passo(by="Anna")], ANNA_SWAPS, [*ANNA_SWAPS], id="half of it was seen"),
        pytest.param([], [Reveal(by="Carla", card="4")], [ANNA_STAYS], [Reveal(by="Carla", card="4"), ANNA_STAYS],
                     id="something that changes nothing of whose turn it is"),
        pytest.param([], [BRUNO_STAYS], [ANNA_STAYS], [ANNA_STAYS, BRUNO_STAYS], id="it came before what was seen"),
        pytest.param([], [Reveal(by="Carla", card="9"), GNAO], [Passo(by="Anna"), GNAO],
                     [Reveal(by="Carla", card="9"), Passo(by="Anna"), GNAO], id="its end was seen, not its beginning"),
        pytest.param([], [*BRUNO_SWAPS], [ANNA_STAYS], [ANNA_STAYS, *BRUNO_SWAPS], id="it came before an exchange that was seen"),
        pytest.param([], [Void()], [ANNA_STAYS], [ANNA_STAYS, Void()], id="it came before the hand was void"),
        pytest.param([], [ANNA_STAYS], [ALL_STAY], [ANNA_STAYS, ALL_STAY], id="what was seen is part of it"),
        pytest.param([ALL_STAY], [Reveal(by="Anna", card="4")], [Reveal(by="Bruno", card="5")],
                     [ALL_STAY, Reveal(by="Anna", card="4"), Reveal(by="Bruno", card="5")], id="two cards shown at once"),
        pytest.param([ALL_STAY], [Reveal(by="Anna", card="4")], [Reveal(by="Anna", card="4")], None, id="the same card"),
    ],
)  # fmt: skip
def test_a_tap_of_what_happens_next_is_done_once_and_in_its_place(
    then: Sequence[Event], since: Sequence[Event], tap: Sequence[Event], comes_to: Sequence[Event] | None
) -> None:
    before = told(*BEGUN, *then)
    found = done(Say(tuple(tap)), before, obey(before, Say(tuple(since))))
    assert found == (None if comes_to is None else (*BEGUN, *comes_to))


@pytest.mark.parametrize(
    ("then", "since", "tap"),
    [
        pytest.param([], ANNA_SWAPS, [ANNA_STAYS], id="she did something else"),
        pytest.param([], [ANNA_STAYS], ANNA_SWAPS, id="she stayed"),
        pytest.param([ALL_STAY], [Reveal(by="Anna", card="4")], [Reveal(by="Anna", card="5")], id="she has shown another card"),
        pytest.param([], [ALL_STAY, *SHOWN, Hand()], [Void()], id="another hand is played"),
        pytest.param([], [ALL_STAY, GNAO], [Passo(by="Anna"), GNAO], id="its end was seen where its beginning cannot be"),
        pytest.param([], [*BRUNO_SWAPS], [ALL_STAY], id="not all have stayed"),
        pytest.param([ANNA_STAYS], [Passo(by="Bruno"), Reveal(by="Carla", card="gnao"), Swap(with_="Anna")], [BRUNO_STAYS],
                     id="his turn is over"),
    ],
)  # fmt: skip
def test_a_tap_that_would_mean_something_else_is_refused(
    then: Sequence[Event], since: Sequence[Event], tap: Sequence[Event]
) -> None:
    before = told(*BEGUN, *then)
    now = before
    for event in since:
        now = obey(now, Say((event,)))
    with pytest.raises((StaleVersion, Illegal)):
        done(Say(tuple(tap)), before, now)


SHOWDOWN = (*BEGUN, ALL_STAY, Reveal(by="Anna", card="4"))


def change(then: Evening, start: int, stop: int, *events: Event, beside: int | None = None) -> Change:
    """A change as a phone sends it that shows the last hand as it was ``then``."""
    return Change(then.current.id, start, stop, events, shown=tuple(line.event for line in then.current.lines), beside=beside)


def test_a_changed_line_is_found_by_what_it_says_wherever_it_stands_now() -> None:
    then = told(*BEGUN, ALL_STAY, Reveal(by="Anna", card="4"))
    now = obey(obey(then, Say((Reveal(by="Bruno", card="5"),))), Change(0, 1, 1, (ANNA_STAYS,)))
    found = done(change(then, 2, 3, Reveal(by="Anna", card="10")), then, now)
    assert found == (*BEGUN, ANNA_STAYS, ALL_STAY, Reveal(by="Anna", card="10"), Reveal(by="Bruno", card="5"))


def test_a_line_that_is_gone_is_not_changed() -> None:
    then = told(*SHOWDOWN)
    now = obey(then, Change(0, 2, 3, (Reveal(by="Anna", card="7"),)))
    with pytest.raises(StaleVersion):
        done(change(then, 2, 3, Reveal(by="Anna", card="10")), then, now)


def test_the_same_change_from_two_phones_is_made_once() -> None:
    then = told(*SHOWDOWN)
    command = change(then, 2, 3, Reveal(by="Anna", card="10"))
    assert done(command, then, obey(then, command)) is None
    gone = change(then, 2, 3)
    assert done(gone, then, obey(then, gone)) is None


def test_changes_of_two_lines_from_two_phones_both_stand() -> None:
    then = told(*SHOWDOWN, Reveal(by="Bruno", card="5"))
    now = obey(then, change(then, 2, 3, Reveal(by="Anna", card="10")))
    assert done(change(then, 3, 4, Reveal(by="Bruno", card="9")), then, now) == (
        *BEGUN, ALL_STAY, Reveal(by="Anna", card="10"), Reveal(by="Bruno", card="9"))  # fmt: skip


def test_what_is_put_before_a_line_goes_with_that_line() -> None:
    then = told(*BEGUN, BRUNO_STAYS)
    now = obey(then, Change(0, 2, 2, (Reveal(by="Carla", card="4"),)))
    assert done(change(then, 1, 1, *ANNA_SWAPS, beside=1), then, now) == (
        *BEGUN, *ANNA_SWAPS, BRUNO_STAYS, Reveal(by="Carla", card="4"))  # fmt: skip
    without = obey(then, Change(0, 1, 2, BRUNO_SWAPS))
    with pytest.raises(StaleVersion):
        done(change(then, 1, 1, *ANNA_SWAPS, beside=1), then, without)


def test_one_of_several_lines_that_say_the_same_is_not_taken_for_another() -> None:
    first = Evening.of(GAMES["stu"], new_game(["Anna", "Bruno", "Carla", "Dino"], 200, "Dino"))
    run = (Passo(by="Bruno"), Swap(with_="Carla"), Passo(by="Carla"), Reveal(by="Dino", card="gnao"), Swap(with_="Bruno"))
    then = obey(first, Say((*BEGUN, *ANNA_SWAPS, *run)))
    command = change(then, 7, 8, Reveal(by="Bruno", card="bragon"))
    assert done(command, then, obey(then, Change(0, 8, 8, (Reveal(by="Anna", card="4"),)))) == (
        *BEGUN, *ANNA_SWAPS, *run[:-1], Reveal(by="Bruno", card="bragon"), Reveal(by="Anna", card="4"))  # fmt: skip
    with pytest.raises(StaleVersion):
        done(command, then, obey(then, Change(0, 1, 3, (ANNA_STAYS,))))


def test_a_hand_two_phones_have_missed_is_put_in_once() -> None:
    then = told(*BEGUN, ALL_STAY, Void())
    command = Insert(0, (*BEGUN, ANNA_STAYS, Void()))
    assert rebased(command, events_of(then.log), obey(then, command)) is None
    assert rebased(command, events_of(then.log), obey(then, Say(BEGUN))) == command


def test_just_so_is_said_of_what_was_shown() -> None:
    then = told(*SHOWDOWN)
    now = obey(then, Say((Reveal(by="Bruno", card="5"),)))
    shown = tuple(line.event for line in then.current.lines)
    with pytest.raises(StaleVersion):
        rebased(Confirm(0, shown=shown), events_of(then.log), now)


def test_an_undo_takes_back_what_it_says_and_nothing_else() -> None:
    then = told(*BEGUN)
    one = then.record.undoable[-1]
    now = obey(then, Say((ANNA_STAYS,)))
    with pytest.raises(StaleVersion):
        rebased(Undo(one), None, now)
    undone = obey(now, Undo())
    assert rebased(Undo(now.record.undoable[-1]), None, undone) is None  # tapped twice


def seen(*sightings: object) -> Evening:
    evening = Evening.of(GAMES["stu"], new_game(["Anna", "Bruno", "Carla"], 200, "Carla"))
    for sighting in sightings:
        evening = reported(evening, Saw(sighting))
    return evening


DEALT = tuple(Appeared(1.0 + place, place) for place in range(3))
UNSURE = Shown(15.0, 0, 1, (("2", 0.6), ("8", 0.4)))
ASKED = (*DEALT, UNSURE, Shown(15.5, 1, 2, (("5", 1.0),)), Shown(16.0, 2, 3, (("9", 1.0),)), Cleared(20.0))


def test_an_answer_is_good_while_its_question_is_open() -> None:
    then, now = seen(*ASKED), seen(*ASKED, Appeared(30.0, 0))
    asked = question(then)
    assert asked is not None
    command = Answer(asked.id, "8")
    assert rebased(command, events_of(then.log)[:-1], now) == command
    answered = obey(now, command)
    assert rebased(command, events_of(then.log), answered) is None
    with pytest.raises(NotAsked):
        rebased(Answer(asked.id, "2"), events_of(then.log), answered)


# Any interleaving.

CARDS = st.sampled_from(["2", "5", "8", "9", "gnao", "bragon"])
SIGHTING = st.one_of(
    st.builds(lambda t, pair, p: Exchanged(t, t + 1, pair, p), st.floats(4, 30), st.sampled_from([(0, 1), (1, 2)]),
              st.sampled_from([0.6, 0.95])),
    st.builds(lambda t, place, card, p: Shown(t, place, place, ((card, p), ("7", 1 - p))), st.floats(4, 40), st.integers(0, 2),
              CARDS, st.sampled_from([0.6, 0.97])),
    st.builds(Cleared, st.floats(41, 50)),
    st.builds(Appeared, st.floats(60, 70), st.integers(0, 2)),
)  # fmt: skip
SIGHTINGS = st.lists(SIGHTING, max_size=6).map(lambda found: sorted(found, key=lambda one: one.t))


def taps(evening: Evening) -> list[tuple[Event, ...]]:
    """What the phone offers now."""
    current = evening.current
    found = offers(current.after, "it", just_over=current.over)
    told = [offer.events for offer in (*found.offers, *(found.refusals.offers if found.refusals else ()))]
    told += [(Reveal(by=covered.player, card=covered.kinds[0]),) for covered in found.covered]
    return [*told, (Void(),)] if found.void else told


def face(t: float, place: int, card: str, p: float) -> Shown:
    return Shown(t, place, place, ((card, p), ("7", 1 - p)))


@settings(max_examples=60, deadline=None)
@given(SIGHTINGS, st.integers(0, 6), st.integers(0, 500))
@example([face(8, 0, "2", 0.6), face(12, 1, "gnao", 0.97)], 0, (Passo(by="Anna"), Reveal(by="Bruno", card="gnao")))
@example([face(12, 2, "9", 0.97), Cleared(41)], 0, (Passo(by="Anna"), Reveal(by="Bruno", card="taverna")))
@example([face(12, 2, "2", 0.6), face(20, 1, "8", 0.97)], 1, (Void(),))
def test_a_tap_while_the_camera_looks_on_is_done_once_or_refused(found: list, split: int, tap: int | tuple[Event, ...]) -> None:
    then, now = seen(*DEALT, *found[:split]), seen(*DEALT, *found)
    possible = taps(then)
    if isinstance(tap, tuple):
        assert tap in possible
        check_tap(tap, then, now)
    elif possible:
        check_tap(possible[tap % len(possible)], then, now)


@settings(max_examples=60, deadline=None)
@given(evenings(most=5), st.data())
def test_a_tap_while_another_phone_taps_is_done_once_or_refused(lines: tuple[Line, ...], data: st.DataObject) -> None:
    then = evening_of(lines[: data.draw(st.integers(1, len(lines)))])
    now = then
    for _ in range(data.draw(st.integers(0, 3))):
        try:
            now = obey(now, Say(data.draw(st.sampled_from(taps(now) or [(Hand(),)]))))
        except Illegal:
            break
    if possible := taps(then):
        check_tap(data.draw(st.sampled_from(possible)), then, now)


def check_tap(events: tuple[Event, ...], then: Evening, now: Evening) -> None:
    """It is so already; or its events, each once, come to what stands, in the hand that it was said of; or it is refused."""
    was, is_now = events_of(then.log), events_of(now.log)
    try:
        command = rebased(Say(events), None if was == is_now else was, now)
        after = now if command is None else obey(now, command)
    except (StaleVersion, Illegal):
        return
    hands = sum(isinstance(event, Hand) for event in was) + (not then.game.rules.in_hand(then.current.after))
    is_now, comes_to = first_hands(is_now, hands), Counter(first_hands(events_of(after.log), hands))
    sure = all(line.confidence is None or line.confidence >= SURE_FROM for line in now.log)
    put_in = (comes_to if sure else by_hand(after, hands)) - Counter(is_now) - Counter([End()])
    assert not put_in - Counter(events)
    if command is None:
        assert not Counter(events) - (Counter(is_now) - Counter(was))
    if was != is_now and is_now[: len(was)] == was:
        for event in set(events) - {End(), Hand()}:
            assert comes_to[event] == max(Counter(was)[event] + Counter(events)[event], Counter(is_now)[event])


def by_hand(evening: Evening, hands: int) -> Counter[Event]:
    """What somebody has said, in the first hands: the eyes may take what they were not sure of for something else after a tap."""
    lines = [(line.event, index in chapter.fixed) for chapter in evening.chapters for index, line in enumerate(chapter.lines)]
    many = len(first_hands(tuple(event for event, _ in lines), hands))
    return Counter(event for event, fixed in lines[:many] if fixed)


def first_hands(events: tuple[Event, ...], many: int) -> tuple[Event, ...]:
    """The events up to the hand that comes after this many."""
    begun = [index for index, event in enumerate(events) if isinstance(event, Hand)]
    return events[: begun[many]] if len(begun) > many else events


@settings(max_examples=60, deadline=None)
@given(SIGHTINGS, st.integers(0, 6), st.data())
def test_a_correction_while_the_camera_looks_on_means_the_same_or_is_refused(
    found: list, split: int, data: st.DataObject
) -> None:
    then, now = seen(*DEALT, *found[:split]), seen(*DEALT, *found)
    check_change(then, now, data)


@settings(max_examples=80, deadline=None)
@given(evenings(most=5), st.data())
def test_a_correction_while_another_phone_corrects_means_the_same_or_is_refused(
    lines: tuple[Line, ...], data: st.DataObject
) -> None:
    then = now = evening_of(lines)
    events = [line.event for line in lines[1:]] or [Void()]
    for _ in range(data.draw(st.integers(0, 3))):
        chapter = data.draw(st.sampled_from(now.chapters))
        at = data.draw(st.integers(0, len(chapter.lines)))
        stop = data.draw(st.integers(at, min(at + 1, len(chapter.lines))))
        told = tuple(data.draw(st.lists(st.sampled_from(events), max_size=1)))
        try:
            now = obey(now, Change(chapter.id, at, stop, told, mend=data.draw(st.booleans())))
        except Illegal:
            continue
    check_change(then, now, data)


def check_change(then: Evening, now: Evening, data: st.DataObject) -> None:
    """The lines that give way are those that were shown, and all others stay, in their order."""
    chapter = data.draw(st.sampled_from([one for one in then.chapters if one.lines] or then.chapters))
    shown = tuple(line.event for line in chapter.lines)
    start = data.draw(st.integers(0, len(shown)))
    stop = data.draw(st.integers(start, min(start + 2, len(shown))))
    events = tuple(data.draw(st.lists(st.sampled_from([*shown, Reveal(by="Anna", card="10"), ANNA_STAYS, Void()]), max_size=2)))
    beside = data.draw(st.sampled_from([None, start, start - 1])) if start == stop else None
    command = Change(chapter.id, start, stop, events, shown=shown, beside=beside if beside != -1 else None)
    try:
        lines = tuple(line.event for line in now.chapter(chapter.id).lines)
        made = rebased(command, events_of(then.log), now)
    except (KeyError, StaleVersion):
        return
    if made is None:
        assert not Counter(events) - Counter(lines)
        return
    assert isinstance(made, Change)
    assert (made.hand, made.events, made.mend) == (command.hand, command.events, command.mend)
    assert lines[made.start : made.stop] == shown[start:stop]
    once = [event for event, times in Counter(shown).items() if times == 1 and lines.count(event) == 1]
    for event in once:
        was, is_now = shown.index(event), lines.index(event)
        if start < stop:
            assert (was < start, was >= stop) == (is_now < made.start, is_now >= made.stop) or moved(shown, lines, event)
    if start == stop and beside is None:
        assert (shown[start - 1] if start else None) == (lines[made.start - 1] if made.start else None)
    if beside == start and start < len(shown):
        assert lines[made.start] == shown[start]
    if beside == start - 1 and start:
        assert lines[made.start - 1] == shown[start - 1]


def moved(shown: tuple[Event, ...], lines: tuple[Event, ...], event: Event) -> bool:
    """Whether the line has another place among those that are there once, then and now."""
    once = [one for one in shown if shown.count(one) == 1 and lines.count(one) == 1]
    return once != [one for one in lines if one in once] and event in once
