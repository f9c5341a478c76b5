"""A player gets another name in an evening, or forgotten: in its log, in what was reported of it, in the ledger's bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path

import pytest
from any_game import played_by_bots
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import GAMES, log_format
from companion.games.stoper import bots as stoper
from companion.games.stoppa import bots as stoppa
from companion.games.stu import bots as stu
from companion.games.stu.rules.log import Hand, Partner, Penalty, Rebuy, Reveal, Void, new_game
from companion.ledger import Ledger, Phones, UnknownGame, opening
from companion.line.recorder import EveningRecorder, evening_of, taken_on
from companion.line.renaming import FORGOTTEN, names_in, rename
from companion.line.season import SeasonKeeper
from companion.referee import replay
from companion.table.log import Line, encode_line
from companion.table.people import name_key
from companion.table.renaming import Renaming, names_of

PLAYERS = ("Annunziata", "Bartolomeo", "Carmelina", "Domenico")
OTHERS = ("Ermenegilda", "Fortunato", "Gelsomina", "Ildebrando")
RENAMED = Renaming(dict(zip(PLAYERS, OTHERS, strict=True)))
BACK = Renaming(dict(zip(OTHERS, PLAYERS, strict=True)))
SIMULATED: dict[str, Callable[[Sequence[str], int], tuple[Line, ...]]] = {
    "stu": lambda players, seed: stu.simulate(stu.Settings(players=tuple(players), pedine=1), hands=5, seed=seed),
    "stoppa": lambda players, seed: stoppa.simulate(stoppa.Settings(players=tuple(players), faces=True), hands=2, seed=seed),
    "stoper": lambda players, seed: stoper.simulate(stoper.Settings(players=tuple(players)), hands=4, seed=seed),
}
"""Evenings that are rich in names, of games that have more to say than their usual bots do."""
WITH_BOTS = [id for id, one in GAMES.items() if one.simulation is not None]


def simulated(game: str, players: Sequence[str], seed: int) -> tuple[Line, ...]:
    """A log of a few hands of these four."""
    own = SIMULATED.get(game)
    return own(players, seed) if own is not None else played_by_bots(GAMES[game], players, hands=4, seed=seed)


@pytest.mark.parametrize("game", WITH_BOTS)
@given(seed=st.integers(0, 2**20))
@settings(max_examples=8, deadline=None)
def test_a_log_with_other_names_is_the_log_of_others_who_played_the_same(game: str, seed: int) -> None:
    lines = simulated(game, PLAYERS, seed)
    told = [RENAMED.event(line.event) for line in lines]
    text = b"\n".join(encode_line(Line(event)) for event in told).decode()
    assert not any(name in text for name in PLAYERS)
    assert set(PLAYERS) <= set().union(*(names_of(line.event) for line in lines))
    assert not {"matto", "denari-1", "cash", "EUR"} & set().union(*(names_of(line.event) for line in lines))
    state = GAMES[game].rules.begin(told[0])
    for event in told[1:]:
        state = GAMES[game].rules.apply(state, event)  # it can have happened
    assert [BACK.event(event) for event in told] == [line.event for line in lines]


@pytest.mark.parametrize("name", ["matto", "booklet", "EUR", "reveal", "stu", "deck", "2"])
def test_a_name_that_is_also_a_word_of_the_log_is_changed_as_a_name_alone(name: str) -> None:
    renaming = Renaming({name: "Anna"})
    first = renaming.event(new_game([name, "Bruno"], 200, name))
    assert (first.players, first.dealer, first.edition, first.currency) == (("Anna", "Bruno"), "Anna", "booklet", "EUR")
    shown = renaming.event(Reveal(by=name, card="matto"))
    assert (shown.by, shown.card) == ("Anna", "matto")


def test_names_are_words_in_what_people_have_written() -> None:
    renaming = Renaming({"Anna": "Qualcuno", "Anna Maria": "Qualcuno 2"})
    assert renaming.event(Penalty(player="Anna", reason="ANNA ha parlato con Anna Maria")) == Penalty(
        player="Qualcuno", reason="Qualcuno ha parlato con Qualcuno 2"
    )
    assert renaming.event(Void(reason="Annamaria ride")).reason == "Annamaria ride"


def told_by_hand(ledger: Ledger, game: str = "stu", seed: int = 1) -> EveningRecorder:
    """An evening with everything that is kept of one: versions, reports, hands."""
    lines = simulated(game, PLAYERS, seed)
    recorder = EveningRecorder.begin(ledger, lines[0].event, "Annunziata.mp4")
    return taken_on(ledger, recorder.game_id, evening_of(lines))


@pytest.mark.parametrize("game", WITH_BOTS)
def test_an_evening_goes_on_with_the_new_names(game: str) -> None:
    with Ledger.in_memory(log_format) as ledger:
        recorder = told_by_hand(ledger, game)
        before = recorder.evening.log
        version = ledger.version(recorder.game_id)
        rename(ledger, [recorder.game_id], {"Annunziata": "Anna"})
        wanted = [Renaming({"Annunziata": "Anna"}).event(line.event) for line in before]
        assert [line.event for line in ledger.lines(recorder.game_id)] == wanted
        assert ledger.version(recorder.game_id) == version + 1  # all that follow the log hear of it
        assert [line.event for line in recorder.evening.log] == wanted
        again = EveningRecorder.resume(ledger, recorder.game_id).evening
        assert [line.event for line in again.log] == wanted
        assert replay(again.game, again.record).log == again.log  # also decoded from the reports
        assert "Annunziata" not in names_in(ledger, recorder.game_id)


def test_what_was_under_way_when_a_player_was_renamed_is_done_in_the_new_names(ledger: Ledger) -> None:
    recorder = EveningRecorder.begin(ledger, new_game(PLAYERS, 200, "Domenico"))
    rename(ledger, [recorder.game_id], {"Annunziata": "Anna"})
    recorder.change(lambda evening: evening)
    assert recorder.evening.log[0].event.players[0] == "Anna"


def bytes_of(path: Path) -> bytes:
    """All that the ledger's files hold."""
    return b"".join(file.read_bytes() for file in sorted(path.parent.glob(f"{path.name}*")))


def holds(path: Path, *words: str) -> list[str]:
    data = bytes_of(path)
    return [word for word in words if word.encode() in data or word.casefold().encode() in data]


@pytest.mark.parametrize("game", WITH_BOTS)
def test_nothing_of_an_evening_that_was_erased_is_in_the_file(tmp_path: Path, game: str) -> None:
    path = tmp_path / "evenings.ledger"
    with Ledger.open(path, log_format) as ledger:
        kept = ledger.begin(simulated(game, OTHERS, 2))
        gone = told_by_hand(ledger, game).game_id
        SeasonKeeper(ledger).seasons()
        assert holds(path, *PLAYERS)
        ledger.erase(gone)
        assert holds(path, *PLAYERS) == []
        assert [entry.id for entry in ledger.games()] == [kept]
        assert ledger.deleted() == ()
        assert ledger.begin(simulated(game, OTHERS, 3)) > gone  # its id is nobody else's
        assert ledger.lines(kept) == simulated(game, OTHERS, 2)
    assert holds(path, *PLAYERS) == []
    with pytest.raises(UnknownGame), Ledger.open(path, log_format) as ledger:
        ledger.erase(99)


def test_what_an_older_program_left_in_free_pages_goes_too(tmp_path: Path) -> None:
    path = tmp_path / "evenings.ledger"
    with Ledger.open(path, log_format) as ledger:
        game = told_by_hand(ledger).game_id
        with ledger.writing() as writing:
            writing.execute("PRAGMA secure_delete = OFF")
            for number in range(300):
                writing.execute("INSERT OR REPLACE INTO note VALUES (?, ?, ?)", (game, "long", f"Annunziata {number}" * 500))
            writing.execute("DELETE FROM note WHERE name = 'long'")
        ledger.erase(game)
        assert holds(path, "Annunziata") == []


def test_a_program_that_reads_meanwhile_puts_the_scrubbing_off_and_not_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "BUSY_SECONDS", 0.2)  # the reader ends after the writer has given up, however long that waits
    path = tmp_path / "evenings.ledger"
    with Ledger.open(path, log_format) as ledger:
        game, other = told_by_hand(ledger).game_id, ledger.begin(simulated("stu", OTHERS, 2))
        with Ledger.look(path, log_format) as reader, reader.reading() as connection:
            connection.execute("BEGIN")
            connection.execute("SELECT count(*) FROM game").fetchone()
            ledger.erase(game)
            connection.execute("COMMIT")
        ledger.note(other, shows="")
        assert holds(path, *PLAYERS) == []


def test_a_forgotten_name_is_in_no_evening_and_no_byte_and_comes_back_when_it_is_typed(tmp_path: Path) -> None:
    path = tmp_path / "evenings.ledger"
    with Ledger.open(path, log_format) as ledger:
        games = [told_by_hand(ledger, game).game_id for game in WITH_BOTS]
        deleted, newest = games[0], games[-1]
        ledger.delete(deleted)
        Phones(ledger).pair("Telefono di Annunziata")
        keeper = SeasonKeeper(ledger)
        keeper.forget(name_key("Annunziata"))
        assert holds(path, "Annunziata") == []
        for game in games:
            assert {"Qualcuno", *PLAYERS[1:]} <= names_in(ledger, game)
        assert [phone.name for phone in Phones(ledger).all()] == ["Telefono di Qualcuno"]
        assert ledger.newest() == newest
        assert keeper.recall("annunziata")
        assert all("Annunziata" in names_in(ledger, game) for game in games)
        assert not any("Qualcuno" in names_in(ledger, game) for game in games)


def test_a_forgotten_name_that_is_typed_again_is_forgotten_once_the_evening_is_past(ledger: Ledger) -> None:
    told_by_hand(ledger)
    keeper = SeasonKeeper(ledger)
    keeper.forget(name_key("Annunziata"))
    again = EveningRecorder.begin(ledger, new_game(["Annunziata", "Bruno"], 200, "Bruno")).game_id
    keeper.settle()
    assert "Annunziata" in names_in(ledger, again)  # that is what a player at the table is called
    ledger.begin(simulated("stu", OTHERS, 2))
    SeasonKeeper(ledger).settle()  # also after a restart
    assert names_in(ledger, again) == {"Qualcuno", "Bruno"}


def test_two_forgotten_at_one_table_are_two_and_each_comes_back(ledger: Ledger) -> None:
    game = told_by_hand(ledger).game_id
    keeper = SeasonKeeper(ledger)
    for name in PLAYERS[:2]:
        keeper.forget(name_key(name))
    assert {"Qualcuno", "Qualcuno 2"} <= names_in(ledger, game)
    keeper.recall("Bartolomeo")
    assert {"Qualcuno", "Bartolomeo"} <= names_in(ledger, game)
    rename(ledger, [game], {"Qualcuno": "Piero"})
    keeper.recall("Annunziata")
    assert {"Piero", "Bartolomeo"} <= names_in(ledger, game)
    assert ledger.notes(game)[FORGOTTEN] == "{}"


def test_partners_from_outside_are_forgotten_too(ledger: Ledger) -> None:
    rebuy = Rebuy(by="Anna", partners=(Partner("Zi' Peppe", Decimal("0.5")),))
    lines = [Line(new_game(["Anna", "Bruno", "Carla"], 200, "Carla")), Line(Hand()), Line(Void()), Line(rebuy)]
    game = ledger.begin(lines)
    keeper = SeasonKeeper(ledger)
    keeper.forget(name_key("Zi' Peppe"))
    assert names_in(ledger, game) == {"Anna", "Bruno", "Carla", "Qualcuno"}
