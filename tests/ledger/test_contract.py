"""What every ledger promises, in a file or in memory."""

import threading
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games import log_format
from companion.games.stu.rules.log import End, Hand, Passo, Reveal, Split, Sto, new_game
from companion.ledger import Ledger, UnknownGame
from companion.table.errors import LedgerError
from companion.table.log import Line

GAME = Line(new_game(["Anna", "Bruno", "Carla"], 200, "Carla"))
HAND = Line(Hand())
STO = Line(Sto(by="Anna"), 1.5, 0.9)
PASSO = Line(Passo(by="Anna"), 1.5, 0.6)
SHOWN = Line(Reveal(by="Bruno", card="gnao"))
END = Line(End(), 9.25, 0.98)


def test_games_are_listed_newest_first_with_where_they_were_seen(ledger: Ledger) -> None:
    assert ledger.newest() is None
    first = ledger.new_game(source="demo.mp4", started=1000.0)
    second = ledger.new_game(source="camera 0", started=2000.0)
    ledger.record(first, [GAME])
    assert [(g.id, g.source, g.started, g.version) for g in ledger.games()] == [
        (second, "camera 0", 2000.0, 0),
        (first, "demo.mp4", 1000.0, 1),
    ]
    assert ledger.newest() == second


def test_a_new_game_has_an_empty_log_at_version_0(ledger: Ledger) -> None:
    game = ledger.new_game()
    assert ledger.at(game) == (0, ())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param([GAME], [GAME, HAND, STO], id="more at the end"),
        pytest.param([GAME, HAND, STO, END], [GAME, HAND, PASSO, END], id="changed in the middle"),
        pytest.param([GAME, HAND, END], [GAME, HAND, STO, SHOWN, END], id="put in between"),
        pytest.param([GAME, HAND, STO, END], [GAME, HAND], id="taken back"),
        pytest.param([GAME, HAND, HAND, HAND], [GAME, HAND, HAND], id="one of several alike taken out"),
        pytest.param([GAME], [], id="everything taken back"),
    ],
)
def test_both_versions_can_be_had_back(ledger: Ledger, before: list[Line], after: list[Line]) -> None:
    game = ledger.new_game()
    assert ledger.record(game, before) == 1
    assert ledger.record(game, after) == 2
    assert ledger.lines(game) == tuple(after)
    assert ledger.lines(game, 1) == tuple(before)
    assert ledger.lines(game, 0) == ()


def test_the_same_log_again_is_no_new_version(ledger: Ledger) -> None:
    game = ledger.new_game()
    assert ledger.record(game, [GAME, HAND]) == ledger.record(game, [GAME, HAND]) == 1


def test_games_do_not_mix(ledger: Ledger) -> None:
    one, other = ledger.new_game(), ledger.new_game()
    ledger.record(one, [GAME, HAND])
    ledger.record(other, [GAME])
    assert ledger.lines(one) == (GAME, HAND)
    assert ledger.lines(other) == (GAME,)


def test_names_and_shares_come_back_to_the_letter(ledger: Ledger) -> None:
    odd = "Zoé\u2028 \x85 \"'; DROP TABLE game; -- 👵🏽"
    lines = (
        Line(new_game([odd, "مريم"], 1, odd)),
        Line(Split(shares={odd: Decimal("0.3333333333333333333333"), "مريم": Decimal("0.1")}), 0.1, 1.0),
    )
    game = ledger.new_game(source=odd)
    ledger.record(game, lines)
    assert ledger.lines(game) == lines
    assert ledger.games()[0].source == odd


@given(st.lists(st.lists(st.sampled_from([GAME, HAND, STO, PASSO, SHOWN, END]), max_size=8), max_size=8))
def test_whatever_is_recorded_every_version_is_what_it_was(logs: list[list[Line]]) -> None:
    with Ledger.in_memory(log_format) as ledger:
        game = ledger.new_game()
        kept = {0: ()}
        for log in logs:
            kept[ledger.record(game, log)] = tuple(log)
        for version, log in kept.items():
            assert ledger.lines(game, version) == log


@pytest.mark.parametrize("what", ["lines", "version", "wait", "record"])
def test_a_game_that_is_not_there_is_an_unknown_game(ledger: Ledger, what: str) -> None:
    acts = {
        "lines": lambda: ledger.lines(7),
        "version": lambda: ledger.version(7),
        "wait": lambda: ledger.wait(7, 0, 0),
        "record": lambda: ledger.record(7, [GAME]),
    }
    with pytest.raises(UnknownGame, match="no game 7"):
        acts[what]()


@pytest.mark.parametrize("version", [-1, 2])
def test_a_version_that_is_not_there_is_unknown(ledger: Ledger, version: int) -> None:
    game = ledger.new_game()
    ledger.record(game, [GAME])
    with pytest.raises(UnknownGame, match="its newest is 1"):
        ledger.lines(game, version)


def test_waiting_ends_with_the_next_version(ledger: Ledger) -> None:
    game = ledger.new_game()
    writer = threading.Thread(target=ledger.record, args=(game, [GAME]))
    writer.start()
    assert ledger.wait(game, 0, timeout=60) == 1
    writer.join()


def test_waiting_for_what_is_there_already_does_not_wait(ledger: Ledger) -> None:
    game = ledger.new_game()
    ledger.record(game, [GAME])
    assert ledger.wait(game, 0, timeout=1e9) == 1


def test_waiting_in_vain_gives_the_version_back(ledger: Ledger) -> None:
    game = ledger.new_game()
    ledger.record(game, [GAME])
    assert ledger.wait(game, 1, timeout=0) == 1


def test_waiting_for_anything_else_ends_with_it(ledger: Ledger) -> None:
    told: list[bool] = []
    reader = threading.Thread(target=lambda: told.append(ledger.wait_until(lambda: len(ledger.games()) == 2, 1e6)))
    reader.start()
    ledger.new_game()
    ledger.new_game()
    reader.join()
    assert told == [True]
    assert ledger.wait_until(lambda: len(ledger.games()) == 3, timeout=0) is False


def test_closing_wakes_those_who_wait_and_refuses_everything_after(ledger: Ledger) -> None:
    game = ledger.new_game()
    told: list[str] = []

    def read() -> None:
        try:
            ledger.wait(game, 0, timeout=1e6)
        except LedgerError as error:
            told.append(str(error))

    reader = threading.Thread(target=read)
    reader.start()
    ledger.close()
    ledger.close()
    reader.join()
    assert "closed" in told[0]
    with pytest.raises(LedgerError, match="closed"):
        ledger.record(game, [GAME])


def test_many_threads_record_and_read_without_loss(ledger: Ledger) -> None:
    games = [ledger.new_game() for _ in range(4)]
    log = [GAME, *([STO] * 30)]
    wrong: list[object] = []

    def write(game: int) -> None:
        for length in range(1, len(log) + 1):
            ledger.record(game, log[:length])

    def read(game: int) -> None:
        version = 0
        while version < len(log):
            version = ledger.wait(game, version, timeout=60)
            at, lines = ledger.at(game)
            if lines != tuple(log[:at]):
                wrong.append((at, lines))

    threads = [threading.Thread(target=act, args=(game,)) for game in games for act in (write, read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert [ledger.version(game) for game in games] == [len(log)] * 4


def test_notes_are_kept_with_their_game_and_the_last_of_a_name_counts(ledger: Ledger) -> None:
    first, second = ledger.new_game(), ledger.new_game()
    ledger.note(first, table="{}", source="0")
    ledger.note(first, source="1")
    assert ledger.notes(first) == {"table": "{}", "source": "1"}
    assert ledger.notes(second) == {}


def test_a_log_and_the_reports_it_is_made_of_are_recorded_together_or_not_at_all(ledger: Ledger) -> None:
    game, other = ledger.new_game(), ledger.new_game()
    assert ledger.record(game, [GAME], reports=["a", "b"]) == 1
    assert ledger.record(game, [GAME], reports=["c"], notes={"at": "1.5"}) == 1
    assert ledger.reports(game) == ("a", "b", "c")
    assert ledger.reports(other) == ()
    with pytest.raises(UnknownGame):
        ledger.record(other + 1, [GAME], reports=["d"], notes={"at": "2"})
    assert ledger.reports(game) == ("a", "b", "c")
    assert ledger.notes(game) == {"at": "1.5"}


def test_what_is_asked_of_a_game_that_is_not_there_is_refused(ledger: Ledger) -> None:
    for ask in (ledger.notes, ledger.reports, ledger.note):
        with pytest.raises(UnknownGame):
            ask(7)


def test_an_archived_game_is_listed_and_never_the_newest(ledger: Ledger) -> None:
    played = ledger.new_game(source="0")
    archived = ledger.new_game(source="old.jsonl", archived=True)
    assert [game.id for game in ledger.games()] == [archived, played]
    assert ledger.newest() == played


def test_a_game_that_is_taken_up_again_is_the_newest_until_another_is_begun_or_taken_up(ledger: Ledger) -> None:
    first, archived, last = ledger.new_game(), ledger.new_game(archived=True), ledger.new_game()
    for game in (first, archived, first, first, last, first):
        ledger.take_up(game)
        assert ledger.newest() == game
    assert [game.id for game in ledger.games()] == [last, archived, first]
    assert ledger.newest() == first
    assert ledger.new_game() == ledger.newest()
    with pytest.raises(UnknownGame):
        ledger.take_up(99)
