"""`companion start`, `kiosk`, `autostart` and `restore`: what somebody types, or a menu and a desktop start, in a bar."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner, Result
from fake_camera import FakeCamera
from flask import Flask
from serving import served, until

from companion.cli import kiosk, main, start
from companion.dashboard import create_app
from companion.games import log_format
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.line import autostart, installed, page_watch
from companion.table.errors import CompanionError
from companion.table.log import Line

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments])


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What this machine's browser was sent to."""
    urls: list[str] = []
    monkeypatch.setenv("DISPLAY", ":7")
    monkeypatch.setattr("webbrowser.open", lambda url: urls.append(url) or True)
    return urls


# start


def test_a_program_that_runs_already_is_found_and_its_page_opened(ledger: Ledger, opened: list[str]) -> None:
    with served(create_app(ledger)) as server:
        result = run("start", "--port", str(server.port))
    assert (result.exit_code, opened) == (0, [f"http://127.0.0.1:{server.port}/start"])
    assert "runs already" in result.output


def test_a_program_that_runs_without_the_update_says_so(
    ledger: Ledger, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(create_app(ledger, camera=FakeCamera(ledger))) as server:
        assert "update" not in run("start", "--port", str(server.port)).output
        monkeypatch.setattr(installed, "stamp", lambda: "another")
        result = run("start", "--port", str(server.port))
    assert (result.exit_code, "An update is installed since it was started" in result.output) == (0, True)
    with served(create_app(ledger)) as server:
        assert "update" not in run("start", "--port", str(server.port)).output, "one that only shows a game has no first page"


def test_a_program_of_before_that_cannot_say_whether_it_is_outdated_is(ledger: Ledger) -> None:
    older = create_app(ledger, camera=FakeCamera(ledger))
    older.view_functions["start.program"] = lambda: ("", 404)
    with served(older) as server:
        assert start.outdated(server.port)
    assert not start.outdated(server.port)


def test_another_program_at_the_port_is_not_taken_for_ours() -> None:
    other = Flask("other")
    other.add_url_rule("/healthz", view_func=lambda: "[1, 2]")
    from wsgiref.simple_server import make_server

    with make_server("127.0.0.1", 0, other) as server:
        thread = Thread(target=server.handle_request)
        thread.start()
        assert not start.runs(f"http://127.0.0.1:{server.server_port}")
        thread.join()
    assert not start.runs(f"http://127.0.0.1:{server.server_port}"), "nobody answers there any more"


def test_something_that_does_not_speak_http_is_not_taken_for_ours() -> None:
    with socket.create_server(("127.0.0.1", 0)) as printer:
        def answer() -> None:
            peer, _ = printer.accept()
            with peer:
                peer.recv(1024)
                peer.sendall(b"READY\n")

        thread = Thread(target=answer)
        thread.start()
        assert not start.runs(f"http://127.0.0.1:{printer.getsockname()[1]}")
        thread.join()


def test_from_a_menu_a_refusal_is_told_in_the_browser(opened: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "companion").mkdir()
    (tmp_path / "companion" / "evenings.ledger").write_bytes(b"<b>no ledger</b>" * 100)
    result = run("start", "--port", "1025")
    assert result.exit_code == 2
    [url] = opened
    page = Path(url.removeprefix("file://")).read_text()
    assert "Il programma non è partito" in page
    assert "is no ledger" in page


def test_without_a_screen_no_browser_is_opened(opened: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.cli.common import open_browser

    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not open_browser("http://127.0.0.1:8000/start")
    assert opened == []


# kiosk


@pytest.mark.slow
def test_the_browser_is_started_again_and_again_until_the_kiosk_is_stopped(ledger: Ledger, tmp_path: Path) -> None:
    ran, browser = tmp_path / "ran", tmp_path / "chromium"
    browser.write_text(f'#!/bin/sh\necho "$@" >> {ran}\necho "$GTK_THEME" >> {ran}.theme\n'
                       f'echo "$BREAKPAD_DUMP_LOCATION" > {ran}.crashes\n'
                       f'ls {tmp_path}/cache/companion/kiosk >> {ran}.left\nexit 1\n')
    browser.chmod(0o755)
    profile = tmp_path / "cache" / "companion" / "kiosk"
    profile.mkdir(parents=True)
    (profile / "SingletonLock").symlink_to("a-machine-that-lost-its-power-4711")
    environment = {name: value for name, value in os.environ.items() if name != "GTK_THEME"}
    environment |= {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    with served(create_app(ledger)) as server:
        command = [sys.executable, "-m", "companion", "kiosk", "--url", server.here, "--browser", str(browser)]
        with subprocess.Popen(command, cwd=ROOT, env=environment) as process:
            lines: Callable[[], list[str]] = lambda: ran.read_text().splitlines() if ran.exists() else []  # noqa: E731
            until(lambda: len(lines()) >= 2)
            process.send_signal(signal.SIGTERM)
            assert process.wait() == 0
    told = " ".join(kiosk.line(str(browser), server.here, profile)[1:])
    assert lines()[:2] == [f"{page_watch.SWITCH} {told}", told], "one that does not know the pipe is started without it"
    assert lines()[0].endswith(f"--kiosk {server.here}/?kiosk")
    assert "Singleton" not in Path(f"{ran}.left").read_text()
    assert Path(f"{ran}.crashes").read_text() == f"{profile}/Crash Reports\n", "it goes with the rest"
    assert set(Path(f"{ran}.theme").read_text().split()) == {"Adwaita:dark"}, "a browser's own window is white before its page"


def test_the_window_is_as_large_as_the_screen_where_nobody_else_sees_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setenv("DISPLAY", ":7")
    xrandr = tmp_path / "xrandr"
    xrandr.write_text("#!/bin/sh\necho 'Screen 0: minimum 1 x 1, current 1920 x 1080, maximum 4096 x 4096'\n")
    xrandr.chmod(0o755)
    assert kiosk.whole_screen(os.environ) == ["--window-position=0,0", "--window-size=1920,1080"]
    xrandr.write_text("#!/bin/sh\necho no display >&2; exit 1\n")
    assert kiosk.whole_screen(os.environ) == []
    monkeypatch.delenv("DISPLAY")
    assert kiosk.whole_screen(os.environ) == []


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://127.0.0.1:8000", []),
        ("http://localhost:8000", []),
        ("https://192.168.1.20:8444", []),
        ("http://192.168.1.20:8000", ["--unsafely-treat-insecure-origin-as-secure=http://192.168.1.20:8000"]),
        ("http://companion.local", ["--unsafely-treat-insecure-origin-as-secure=http://companion.local"]),
    ],
)
def test_a_page_of_another_machine_may_keep_the_screen_on_too(url: str, told: list[str], tmp_path: Path) -> None:
    assert [switch for switch in kiosk.line("chromium", url, tmp_path) if "insecure" in switch] == told


def test_a_second_kiosk_and_a_missing_browser_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    assert "is not installed" in run("kiosk", "--browser", "no-such-browser").stderr
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "companion" / "kiosk").mkdir(parents=True)
    with (tmp_path / "companion" / "kiosk" / "running").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        result = run("kiosk", "--browser", "true")
    assert (result.exit_code, "is shown on this machine already" in result.stderr) == (2, True)


def test_a_pointer_is_on_the_tv_but_not_in_a_kiosk(ledger: Ledger) -> None:
    client = create_app(ledger).test_client()
    assert '<body class="kiosk">' in client.get("/?kiosk").text
    assert 'class="kiosk"' not in client.get("/").text
    assert '<meta name="google" content="notranslate">' in client.get("/?kiosk").text, "no browser offers to translate it"


# autostart


class Systemd:
    """Takes commands down; answers as a machine that has, or has not, a unit of the program."""

    def __init__(self, *, packaged: bool, refuses: str = "") -> None:
        self.packaged, self.refuses = packaged, refuses
        self.ran: list[str] = []

    def __call__(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        words = " ".join(command)
        self.ran.append(words)
        fails = (" cat " in words and not self.packaged) or (self.refuses and self.refuses in words)
        return subprocess.CompletedProcess(command, int(bool(fails)), "enabled\n" if "is-enabled" in words else "", "no bus")


def test_a_unit_of_the_package_is_switched_on_and_nothing_is_written(tmp_path: Path) -> None:
    systemd = Systemd(packaged=True)
    assert autostart.switch_on(run=systemd, config=tmp_path) == []
    assert systemd.ran[1:] == ["systemctl --user enable companion.service", "loginctl enable-linger"]
    assert list(tmp_path.iterdir()) == []


def test_without_a_package_the_unit_runs_this_very_program_and_goes_away_again(tmp_path: Path) -> None:
    systemd = Systemd(packaged=False)
    written = autostart.switch_on(kiosk=True, run=systemd, config=tmp_path)
    unit, entry = (Path(one).read_text() for one in written)
    assert f"ExecStart={autostart.this_program()} serve --host 0.0.0.0\n" in unit
    assert "Restart=on-failure" in unit
    assert f"Exec={autostart.this_program()} kiosk\n" in entry
    assert autostart.switch_off(run=systemd, config=tmp_path, cache=tmp_path) == written
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def in_a_home(home: Path) -> set[str]:
    return {str(path.relative_to(home)) for path in home.rglob("*") if not path.is_dir() or path.is_symlink()}


@pytest.mark.parametrize("systemctl", ["exit 1", ""])
def test_off_leaves_nothing_but_the_evenings_also_where_no_systemd_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, systemctl: str
) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "lu"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / "bin").mkdir()
    if systemctl:
        (tmp_path / "bin" / "systemctl").write_text(f"#!/bin/sh\n{systemctl}\n")
        (tmp_path / "bin" / "systemctl").chmod(0o755)
    evenings = tmp_path / "lu" / ".local" / "share" / "companion" / "evenings.ledger"
    unit, entry = (tmp_path / "lu" / ".config" / path for path in ("systemd/user/companion.service",
                                                                  "autostart/companion-kiosk.desktop"))  # fmt: skip
    browser = tmp_path / "lu" / ".cache" / "companion" / "kiosk" / "Default" / "History"
    for path in (evenings, unit, entry, browser):
        path.parent.mkdir(parents=True)
        path.write_text("")
    (unit.parent / "default.target.wants").mkdir()
    (unit.parent / "default.target.wants" / unit.name).symlink_to(unit)
    result = run("autostart", "--off")
    assert result.exit_code == (2 if systemctl else 0), "what systemd refuses is said"
    assert in_a_home(tmp_path / "lu") == {".local/share/companion/evenings.ledger"}
    assert not (tmp_path / "lu" / ".cache" / "companion").exists()


def test_off_leaves_a_browser_that_runs_its_folder(tmp_path: Path) -> None:
    import fcntl

    folder = autostart.kiosk_folder(tmp_path)
    folder.mkdir(parents=True)
    with (folder / autostart.RUNNING).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert autostart.switch_off(run=Systemd(packaged=True), config=tmp_path, cache=tmp_path) == []
    assert folder.is_dir()
    assert autostart.switch_off(run=Systemd(packaged=True), config=tmp_path, cache=tmp_path) == [str(folder)]


def test_a_machine_that_refuses_is_told_with_its_words(tmp_path: Path) -> None:
    with pytest.raises(CompanionError, match=r"systemctl --user enable companion\.service: no bus"):
        autostart.switch_on(run=Systemd(packaged=True, refuses=" enable "), config=tmp_path)


@pytest.mark.parametrize("refuses", ["daemon-reload", " enable "])
@pytest.mark.parametrize("had", [True, False])
def test_a_machine_that_refuses_is_left_as_it_was(tmp_path: Path, refuses: str, had: bool) -> None:
    unit, entry = tmp_path / "systemd" / "user" / autostart.UNIT, tmp_path / "autostart" / autostart.KIOSK
    if had:
        for path in (unit, entry):
            path.parent.mkdir(parents=True)
            path.write_text("by hand")
    before = {path: path.read_bytes() if path.is_file() else None for path in tmp_path.rglob("*")}
    with pytest.raises(CompanionError, match="no bus"):
        autostart.switch_on(kiosk=True, run=Systemd(packaged=False, refuses=refuses), config=tmp_path)
    assert {path: path.read_bytes() if path.is_file() else None for path in tmp_path.rglob("*")} == before


def test_a_machine_without_systemd_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert autostart.is_on() is None
    result = run("autostart")
    assert (result.exit_code, "this machine has no systemctl" in result.stderr) == (2, True)


# restore


def test_a_copy_is_put_in_the_ledgers_place_with_its_decks(tmp_path: Path) -> None:
    file, stick = tmp_path / "evenings.ledger", tmp_path / "stick"
    (stick / "decks").mkdir(parents=True)
    (stick / "decks" / "nonno.deck").write_bytes(b"a deck")
    with Ledger.open(file, log_format) as ledger:
        ledger.begin([Line(new_game(["Anna", "Bruno"], 200, "Bruno"))])
        ledger.copy_to(stick / "evenings-2026-11-28.ledger")
        ledger.begin([Line(new_game(["Anna", "Carla"], 200, "Carla"))])
    result = run("restore", stick / "evenings-2026-11-28.ledger", "--ledger", file)
    assert (result.exit_code, "the evenings of before are in" in result.output) == (0, True)
    assert len(run("export", "--ledger", file).output.splitlines()) == 1
    assert (tmp_path / "decks" / "nonno.deck").read_bytes() == b"a deck"


@pytest.mark.parametrize(("copy", "told"), [("none.ledger", "does not exist"), ("evenings.ledger", "is the ledger itself")])
def test_what_cannot_be_brought_back_is_one_line(tmp_path: Path, copy: str, told: str) -> None:
    Ledger.open(tmp_path / "evenings.ledger", log_format).close()
    result = run("restore", tmp_path / copy, "--ledger", tmp_path / "evenings.ledger")
    assert (result.exit_code, len(result.stderr.splitlines()), told in result.stderr) == (2, 1, True)
