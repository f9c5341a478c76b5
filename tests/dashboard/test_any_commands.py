"""Whatever organisers do, the log can have happened, and an undo leads back to what was before."""

from collections.abc import Iterator

from evenings import evenings
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.dashboard.organiser.editor import events_of
from companion.editing.commands import Change, Command, Insert, Redo, Say, Undo
from companion.editing.edit import mended, obey
from companion.games import GAMES
from companion.games.stu.pages.offers import offers
from companion.games.stu.rules import Illegal, replay_log
from companion.games.stu.rules.log import Event, Hand, Matto, Penalty, Rebuy, Reveal, Standing, Void, new_game
from companion.line.recorder import evening_of
from companion.referee import Evening
from companion.referee.following import NothingThere, can
from companion.table.log import Line, write_lines


def possible(evening: Evening) -> Iterator[tuple[Event, ...]]:
    """What the phone offers now, button by button."""
    current = evening.current
    found = offers(current.after, "it", just_over=current.played and current.after.hand is None)
    yield from (offer.events for offer in found.offers)
    yield from (offer.events for offer in (found.refusals.offers if found.refusals else ()))
    yield from ((Reveal(by=covered.player, card=kind),) for covered in found.covered for kind in covered.kinds)
    yield from ((Rebuy(by=player),) for player in (found.rebuy.players if found.rebuy else ()))
    yield from ((Penalty(player=player),) for player in found.penalty)
    if found.matti is not None:
        yield (Matto(in_deck=1 if found.matti == 2 else 2),)
    for form in (one.form for one in found.more if one.form is not None):
        player = form.event.names[0]
        yield (replace(form.event, standing={player: Standing(2, False)}),)
        yield (replace(form.event, standing={player: Standing(0, False)}, ricompere=None),)
    if found.void:
        yield (Void(),)


def check(evening: Evening) -> None:
    replay_log(write_lines(evening.log))


@settings(max_examples=12)
@given(st.integers(2, 5), st.sampled_from(["booklet", "piazza-2010"]), st.lists(st.integers(0, 10**6), max_size=25))
def test_a_game_by_thumb_is_a_game_and_every_tap_can_be_undone(players: int, edition: str, taps: list[int]) -> None:
    names = ["Anna", "Bruno", "Carla", "Dino", "Elsa"][:players]
    evening = Evening.of(GAMES["stu"], new_game(names, 200, names[-1], edition=edition))
    for tap in taps:
        buttons = list(possible(evening))
        if not buttons:
            break
        events = buttons[tap % len(buttons)]
        if evening.game.rules.check(evening.current.after, events[0]) is not None:
            continue  # nobody would be left
        before, evening = evening, obey(evening, Say(events))
        check(evening)
        back = obey(evening, Undo())
        assert (back.chapters, can(back)[1]) == (before.chapters, True)
        assert obey(back, Redo()).chapters == evening.chapters


@settings(max_examples=10)
@given(evenings(most=5), st.data())
def test_any_change_of_any_hand_leaves_a_game_or_is_refused(lines: tuple[Line, ...], data: st.DataObject) -> None:
    evening = evening_of(lines)
    check(evening)
    events = [line.event for line in lines[1:]]
    for _ in range(data.draw(st.integers(1, 6))):
        chapter = data.draw(st.sampled_from(evening.chapters))
        start = data.draw(st.integers(0, len(chapter.lines)))
        stop = data.draw(st.integers(start, min(start + 2, len(chapter.lines))))
        told = data.draw(st.lists(st.sampled_from(events or [Void()]), max_size=2))
        command = Change(chapter.id, start, stop, tuple(told))
        try:
            after = obey(evening, command)
        except Illegal:
            instead = mended(evening, command)
            if instead is None:
                continue
            after = instead.after
        check(after)
        assert events_of(obey(after, Undo()).log) == events_of(evening.log)
        evening = after


@settings(max_examples=10)
@given(evenings(most=5), st.data())
def test_any_hand_told_afterwards_makes_one_hand_more_or_is_refused(lines: tuple[Line, ...], data: st.DataObject) -> None:
    evening = evening_of(lines)
    before = data.draw(st.sampled_from(evening.chapters))
    hands = {chapter.id: tuple(line.event for line in chapter.lines) for chapter in evening.chapters if chapter.played}
    own = hands.get(before.id, (Hand(), Void()))
    other = data.draw(st.sampled_from(list(hands.values()) or [own]))
    shortened = own[: data.draw(st.integers(1, len(own)))]
    for events in (own, other, shortened, (*own, *own)):
        try:
            after = obey(evening, Insert(before.id, events))
        except Illegal:
            continue
        check(after)
        assert len(after.chapters) == len(evening.chapters) + 1
        assert events_of(obey(after, Undo()).log) == events_of(evening.log)


@settings(max_examples=10)
@given(st.lists(st.sampled_from([Undo(), Redo()]), max_size=12))
def test_undo_and_redo_in_any_order_end_at_their_ends(commands: list[Command]) -> None:
    evening = Evening.of(GAMES["stu"], new_game(["Anna", "Bruno"], 200, "Bruno"))
    logs = [events_of(evening.log)]
    for _ in range(4):
        evening = obey(evening, Say(next(iter(possible(evening)))))
        logs.append(events_of(evening.log))
    at = len(logs) - 1
    for command in commands:
        step = -1 if isinstance(command, Undo) else 1
        try:
            evening = obey(evening, command)
            at += step
        except NothingThere:
            assert not 0 <= at + step < len(logs)
        assert events_of(evening.log) == logs[at]
