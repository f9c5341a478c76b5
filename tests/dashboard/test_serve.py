"""`companion serve` and the server, as a newcomer starts them."""

import contextlib
import http.client
import json
import socket
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from unittest.mock import Mock

import pytest
from click.testing import CliRunner
from games import GNAFFATA, lines
from phones import Phone
from serving import served, until

from companion.cli import evening, main
from companion.dashboard import create_app
from companion.dashboard.front.connections import Connections
from companion.dashboard.serve import Server
from companion.games import log_format
from companion.ledger import Ledger
from companion.table.errors import CannotServe


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join(GNAFFATA))
    return path


def test_a_log_is_shown_at_the_address_that_is_printed(log: Path) -> None:
    command = [sys.executable, "-m", "companion", "serve", str(log), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        try:
            url = next(word for word in program.stdout.readline().split() if word.startswith("http://"))
            with urllib.request.urlopen(f"{url}/api/game") as response:
                view = json.load(response)
        finally:
            program.terminate()
        assert [p["player"] for p in view["ruling"]["payments"]] == ["Anna", "Anna"]
        program.communicate()


def test_a_hand_whose_cards_all_lie_open_is_over_for_tv_and_phone_also_where_its_log_does_not_say_so(log: Path) -> None:
    assert json.loads(GNAFFATA[-1])["e"] == "end"
    log.write_text("\n".join(GNAFFATA[:-1]))
    with Ledger.in_memory(log_format) as ledger:
        evening.import_log(ledger, log)
        app = create_app(ledger)
        phone, shown = Phone(app), app.test_client().get("/api/game").json
        assert shown["ruling"]["final"]
        assert [paid["text"] for paid in shown["ruling"]["payments"]] == phone.view["hand"]["ruling"]
        phone.tap("Nuova mano: il mazzo ad Anna")
        assert app.test_client().get("/api/game").json["hand"] == 2


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        pytest.param(lambda text: text.replace('"passo"', '"pass"', 1), "line 4", id="not a log"),
        pytest.param(lambda text: text.replace('"by":"Bruno"', '"by":"Carla"'), "line 6", id="cannot have happened"),
        pytest.param(lambda text: "", "line 1", id="empty"),
    ],
)
def test_a_bad_log_is_one_line_and_exit_2(log: Path, spoil, told: str) -> None:
    log.write_text(spoil(log.read_text()))
    result = CliRunner().invoke(main, ["serve", str(log)])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert told in result.stderr
    assert str(log) in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_bad_log_is_not_taken_into_the_ledger(log: Path, tmp_path: Path) -> None:
    log.write_text(log.read_text().replace('"passo"', '"pass"', 1))
    assert CliRunner().invoke(main, ["serve", str(log), "--ledger", str(tmp_path / "a.ledger")]).exit_code == 2
    with Ledger.open(tmp_path / "a.ledger", log_format) as ledger:
        assert ledger.games() == ()


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["{tmp}/nowhere.jsonl"], id="no such log"),
        pytest.param(["--ledger", "{tmp}"], id="a folder as ledger"),
        pytest.param(["--ledger", "{tmp}/a.ledger", "--game", "7"], id="no such game"),
        pytest.param(["{tmp}/game.jsonl", "--game", "1"], id="a log and a game"),
        pytest.param(["--ledger", "{tmp}/a.ledger", "--deck", "{tmp}/nonna.deck"], id="no such deck"),
        pytest.param(["--ledger", "{tmp}/a.ledger", "--deck", "{tmp}/game.jsonl"], id="no deck file"),
        pytest.param(["{tmp}/game.jsonl", "--decks", "{tmp}"], id="a log and decks"),
        pytest.param(["{tmp}/game.jsonl", "--host", "203.0.113.1"], id="not this machine's address"),
    ],
)
def test_what_cannot_be_served_is_one_line_and_exit_2(log: Path, tmp_path: Path, arguments: list[str]) -> None:
    result = CliRunner().invoke(main, ["serve", *(argument.format(tmp=tmp_path) for argument in arguments)])
    assert result.exit_code == 2, result.output
    assert result.stderr.count("\n") == 1


def test_a_taken_port_is_said_with_what_to_do() -> None:
    with socket.socket() as taken, Ledger.in_memory(log_format) as ledger:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(CannotServe, match="choose another port"):
            Server(create_app(ledger), "127.0.0.1", taken.getsockname()[1])


def test_a_host_that_is_not_this_machine_is_said_with_what_to_do() -> None:
    with Ledger.in_memory(log_format) as ledger, pytest.raises(CannotServe, match=r"choose 127\.0\.0\.1"):
        Server(create_app(ledger), "203.0.113.1", 0)


def test_closing_the_server_ends_it_though_pages_still_follow() -> None:
    with Ledger.in_memory(log_format) as ledger:
        ledger.record(ledger.new_game(), lines(*GNAFFATA))
        server = Server(create_app(ledger), "127.0.0.1", 0)
        running = threading.Thread(target=server.run)
        running.start()
        with urllib.request.urlopen(f"{server.url}/api/stream") as page:
            assert page.readline().startswith(b"retry")
            server.close()
            running.join()


def test_closing_while_pages_are_being_made_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """It used to end in "Bad file descriptor" when an answer was finished a moment too late."""

    answers: list[int] = []

    def ask(url: str) -> None:
        with contextlib.suppress(OSError, http.client.HTTPException):  # until the server is gone
            while True:
                with urllib.request.urlopen(f"{url}/api/game", timeout=60) as answer:
                    answers.append(answer.status)

    for _ in range(8):
        answers.clear()
        with Ledger.in_memory(log_format) as ledger, served(create_app(ledger)) as server:
            asking = [threading.Thread(target=ask, args=(server.url,)) for _ in range(4)]
            for one in asking:
                one.start()
            until(lambda: len(answers) >= 20)
        for one in asking:
            one.join()
    # A busy machine makes questions wait for a thread, and waitress says so: that is no trouble.
    assert [record.getMessage() for record in caplog.records if record.name != "waitress.queue"] == []


def test_who_comes_while_the_server_closes_is_cut_off() -> None:
    connections, before, late = Connections(5), *(Mock(address="192.0.2.1", transport=Mock()) for _ in range(2))
    connections.enter(before)
    before.transport.abort.assert_not_called()
    connections.end()
    connections.enter(late)
    before.transport.abort.assert_called_once()
    late.transport.abort.assert_called_once()


def test_many_pages_are_served_at_once() -> None:
    with Ledger.in_memory(log_format) as ledger, served(create_app(ledger)) as server, contextlib.ExitStack() as following:
        game = ledger.new_game()
        ledger.record(game, lines(*GNAFFATA[:3]))
        pages = [following.enter_context(urllib.request.urlopen(f"{server.url}/api/stream")) for _ in range(20)]
        ledger.record(game, lines(*GNAFFATA))
        for page in pages:
            while page.readline().strip() != f"id: {game}.2".encode():
                pass


@pytest.mark.parametrize("kept", [False, True], ids=["in memory alone", "on the disk"])
def test_video_of_an_earlier_evening_is_pointed_out_where_it_is_not_gone_on_with(
    kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evening, "run_evening", lambda *_: None)
    folder = tmp_path / "a.ledger.footage"
    folder.mkdir()
    result = CliRunner().invoke(main, ["serve", "--ledger", str(tmp_path / "a.ledger"), *["--footage-on-disk"] * kept])
    assert result.exit_code == 0, result.output
    assert (str(folder) in result.stderr) is not kept
