"""An evening is kept: by any phone, and whenever the program is stopped, it goes on from where it stood."""

from pathlib import Path

import pytest

from companion.games import log_format
from companion.games.stu.rules import Illegal
from companion.games.stu.rules.log import new_game
from companion.games.stu.sightings import Appeared, Cleared, Exchanged, Shown, Sighting
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder
from companion.referee.record import Saw, encode_entry
from companion.table.errors import LedgerError, NotKept
from companion.table.log import Line

GAME = new_game(["Anna", "Bruno", "Carla"], 200, "Carla")
SIGHTINGS: list[Sighting] = [
    Appeared(1.0, 0),
    Appeared(1.5, 1),
    Appeared(2.0, 2),
    Exchanged(6.0, 7.5, (0, 1), 0.95),
    Shown(15.0, 0, 1, (("5", 0.99), ("6", 0.01))),
    Shown(15.5, 1, 2, (("3", 1.0),)),
    Shown(16.0, 2, 3, (("9", 1.0),)),
    Cleared(20.0),
    Appeared(30.0, 1),
    Appeared(30.5, 2),
    Appeared(31.0, 0),
]


@pytest.mark.parametrize("stop", range(len(SIGHTINGS) + 1))
def test_wherever_the_program_was_stopped_it_goes_on_as_if_it_had_not_been(tmp_path: Path, stop: int) -> None:
    with Ledger.in_memory(log_format) as ledger:
        whole = EveningRecorder.begin(ledger, GAME)
        for sighting in SIGHTINGS:
            whole.report(Saw(sighting))
    with Ledger.open(tmp_path / "a.ledger", log_format) as ledger:
        game = EveningRecorder.begin(ledger, GAME, "camera 0", table="{}").game_id
        for sighting in SIGHTINGS[:stop]:
            EveningRecorder.resume(ledger, game).report(Saw(sighting))
    with Ledger.open(tmp_path / "a.ledger", log_format) as ledger:
        again = EveningRecorder.resume(ledger, game)
        assert ledger.lines(game) == again.evening.log
        for sighting in SIGHTINGS[stop:]:
            again.report(Saw(sighting))
        assert again.evening.log == whole.evening.log
        assert ledger.lines(game) == whole.evening.log
        assert ledger.notes(game) == {"table": "{}"}


def test_what_the_disk_refuses_has_not_happened() -> None:
    ledger = Ledger.in_memory(log_format)
    recorder = EveningRecorder.begin(ledger, GAME)
    ledger.close()
    before = recorder.evening
    with pytest.raises(LedgerError):
        recorder.report(Saw(SIGHTINGS[0]))
    assert recorder.evening is before


def test_a_log_that_was_made_elsewhere_is_shown_and_not_gone_on_with() -> None:
    with Ledger.in_memory(log_format) as ledger:
        recorder = EveningRecorder.begin(ledger, GAME)
        recorder.report(*(Saw(sighting) for sighting in SIGHTINGS[:8]))
        alone, empty = ledger.new_game(), ledger.new_game()
        ledger.record(alone, recorder.evening.log)
        for game in (alone, empty):
            with pytest.raises(NotKept, match=f"game {game}"):
                EveningRecorder.resume(ledger, game)


def test_reports_of_a_newer_program_are_refused_in_a_sentence() -> None:
    with Ledger.in_memory(log_format) as ledger:
        game = ledger.new_game()
        ledger.record(game, [Line(GAME)], reports=['{"Telepathy": {}}'])
        with pytest.raises(NotKept, match="Telepathy"):
            EveningRecorder.resume(ledger, game)


def test_a_sighting_that_cannot_go_with_what_people_said_is_left_out_and_the_others_count(monkeypatch) -> None:
    from companion.line import recorder as module
    from companion.referee.evening import reported

    def strict(evening, entry):
        if isinstance(entry, Saw) and isinstance(entry.sighting, Exchanged):
            raise Illegal("somebody has said something else")
        return reported(evening, entry)

    monkeypatch.setattr(module, "reported", strict)
    with Ledger.in_memory(log_format) as ledger:
        recorder = EveningRecorder.begin(ledger, GAME)
        recorder.saw(SIGHTINGS[:5], at="15.6")
        assert [type(sighting) for sighting in recorder.evening.sightings] == [Appeared, Appeared, Appeared, Shown]
        assert len(ledger.reports(recorder.game_id)) == 4
        assert ledger.notes(recorder.game_id)["at"] == "15.6"


def test_what_came_encoded_goes_into_the_ledger_as_it_came() -> None:
    with Ledger.in_memory(log_format) as ledger:
        recorder = EveningRecorder.begin(ledger, GAME)
        game = recorder.evening.game
        entries = [encode_entry(Saw(sighting), game) for sighting in SIGHTINGS]
        spaced = [entry.replace(b":", b": ", 1) for entry in entries]
        recorder.saw(spaced)
        assert [text.encode() for text in ledger.reports(recorder.game_id)] == spaced
        plainly = EveningRecorder.begin(ledger, GAME)
        plainly.saw(SIGHTINGS)
        assert [text.encode() for text in ledger.reports(plainly.game_id)] == entries
        assert recorder.evening.log == plainly.evening.log
        with pytest.raises(ValueError, match="Telepathy"):
            recorder.saw([b'{"Telepathy": {}}'])
        assert len(ledger.reports(recorder.game_id)) == len(entries)
