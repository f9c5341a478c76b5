"""Evenings that were kept: by the version before, and by this one, which need not think them through again after a restart."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from companion.games import GAMES, find_game, log_format, stu
from companion.games.stu.rules.log import Matto, Reveal
from companion.ledger import Ledger
from companion.line import recorder as recorders
from companion.line.recorder import EveningRecorder
from companion.referee import Evening
from companion.referee.chapter import Chapter
from companion.referee.corrections import Correction, correct
from companion.referee.following import can, redo
from companion.referee.keeping import Unkept, encode_hand, restored
from companion.referee.questions import question
from companion.referee.record import Saw, decode

OLD = Path(__file__).parent / "ledgers" / "schema-3.ledger"
"""Written by the program before hands were kept: two hands of the stream ``gnao4``, cut in mid-hand after 66 s. The first was
confirmed by hand, a Matto was taken out before the second, and that was undone."""
STREAMS = Path(__file__).parents[1] / "games" / "stu" / "referee" / "streams"
CUT = 66.0


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A copy of the old ledger."""
    return Path(shutil.copy(OLD, tmp_path / "old.ledger"))


def rest_of_the_stream() -> list[Saw]:
    _, record = decode((STREAMS / "gnao4.sightings.jsonl").read_bytes(), find_game)
    return [entry for entry in record.entries if isinstance(entry, Saw) and entry.sighting.t > CUT]


def test_an_evening_of_the_version_before_goes_on_in_mid_hand_to_the_true_rulings(old: Path) -> None:
    with Ledger.open(old, log_format) as ledger:
        kept = ledger.lines(1)
        recorder = EveningRecorder.resume(ledger, 1)
        assert [line.event for line in recorder.evening.log] == [line.event for line in kept]
        assert recorder.state.hand is not None
        for entry in rest_of_the_stream():
            recorder.saw([entry.sighting])
        told = stu.replay(ledger.lines(1))
    true = stu.replay_log((STREAMS / "gnao4.true.jsonl").read_bytes())
    assert [hand.payments for hand in told.hands] == [hand.payments for hand in true.hands]


def test_what_was_taken_back_in_the_version_before_can_be_redone(old: Path) -> None:
    with Ledger.open(old, log_format) as ledger:
        recorder = EveningRecorder.resume(ledger, 1)
        assert can(recorder.evening) == (True, True)
        recorder.change(redo)
        assert Matto(in_deck=1) in [line.event for line in ledger.lines(1)]


def test_the_hands_of_an_old_evening_are_kept_from_its_first_change_on(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, *others = rest_of_the_stream()
    with Ledger.open(old, log_format) as ledger:
        assert ledger.hands(1) == ()
        EveningRecorder.resume(ledger, 1).report(first)
        assert len(ledger.hands(1)) == 2
    monkeypatch.setattr(recorders, "replay", thinking_is_not_needed)
    with Ledger.open(old, log_format) as ledger:
        recorder = EveningRecorder.resume(ledger, 1)
        for entry in others:
            recorder.report(entry)
        assert [chapter.played for chapter in recorder.evening.chapters] == [True, True, True]


def thinking_is_not_needed(*_: object) -> Evening:
    raise AssertionError("the evening was decoded again")


@pytest.fixture
def evening() -> Evening:
    """Two hands that are over and one in progress, as the eyes told them, with a card corrected in the first."""
    with Ledger.in_memory(log_format) as ledger:
        _, record = decode((STREAMS / "gnao4.sightings.jsonl").read_bytes(), find_game)
        recorder = EveningRecorder.begin(ledger, record.game)
        for entry in record.entries[:-6]:
            recorder.report(entry)
        at, shown = last_shown(recorder.evening.chapters[0])
        return recorder.change(lambda now: correct(now, Correction(0, at, at + 1, (Reveal(by=shown.by, card="5"),))))


def last_shown(chapter: Chapter) -> tuple[int, Reveal]:
    """The last card that was shown in a hand, and which of its lines that is."""
    return [(i, line.event) for i, line in enumerate(chapter.lines) if isinstance(line.event, Reveal)][-1]


def kept_and_back(evening: Evening) -> Evening:
    return restored(evening.game, evening.record, evening.log, [encode_hand(chapter) for chapter in evening.chapters])


def test_a_restored_evening_is_what_it_was(evening: Evening) -> None:
    again = kept_and_back(evening)
    assert again.log == evening.log
    assert again.current == evening.current
    assert [chapter.reports for chapter in again.chapters] == [chapter.reports for chapter in evening.chapters]
    assert [chapter.after for chapter in again.chapters] == [chapter.after for chapter in evening.chapters]
    assert [chapter.fixed for chapter in again.chapters] == [chapter.fixed for chapter in evening.chapters]
    assert [chapter.probability for chapter in again.chapters] == [chapter.probability for chapter in evening.chapters]
    assert question(again) == question(evening)


def test_past_hands_are_thought_through_only_when_somebody_asks(evening: Evening) -> None:
    again = kept_and_back(evening)
    past: Chapter = again.chapters[0]
    assert past.histories is None
    assert past.outcome == evening.chapters[0].outcome


def test_a_past_hand_can_be_corrected_after_a_restart_as_before_it(evening: Evening) -> None:
    again = kept_and_back(evening)
    second = evening.chapters[1]
    at, shown = last_shown(second)
    change = Correction(second.id, at, at + 1, (Reveal(by=shown.by, card="8"),))
    assert correct(again, change).log == correct(evening, change).log


@pytest.mark.parametrize("spoilt", ["a hand missing", "a line missing", "no text", "another program's"])
def test_hands_that_do_not_fit_the_log_are_not_believed(evening: Evening, spoilt: str) -> None:
    hands, log = [encode_hand(chapter) for chapter in evening.chapters], evening.log
    if spoilt == "a hand missing":
        hands = hands[1:]
    elif spoilt == "a line missing":
        log = log[: len(evening.chapters[0].lines)]
    elif spoilt == "no text":
        hands = []
    else:
        hands[0] = hands[0].replace('"Shown"', '"Sung"')
    with pytest.raises(Unkept):
        restored(GAMES["stu"], evening.record, log, hands)


def test_a_hand_in_progress_is_not_taken_for_one_that_is_over(evening: Evening) -> None:
    with pytest.raises(Unkept):
        restored(evening.game, evening.record, evening.log, [encode_hand(evening.current), encode_hand(evening.current)])


def test_hands_that_are_no_more_are_forgotten() -> None:
    with Ledger.in_memory(log_format) as ledger:
        _, record = decode((STREAMS / "salta4.sightings.jsonl").read_bytes(), find_game)
        recorder = EveningRecorder.begin(ledger, record.game)
        for entry in record.entries:
            recorder.report(entry)
        fewer = replace(recorder.evening, chapters=recorder.evening.chapters[-1:])
        assert len(ledger.hands(recorder.game_id)) == len(recorder.evening.chapters) > 1
        changed, gone = recorders.hands_changed(recorder.evening, fewer)
        assert set(gone) == {chapter.id for chapter in recorder.evening.chapters[:-1]}
        assert {place for place, _ in changed.values()} == {0}
