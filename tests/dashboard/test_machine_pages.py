"""The pages of this machine: where to begin, what is missing, the copies of the evenings; and who may see and do what."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner
from fake_camera import FakeCamera
from flask import Flask
from flask.testing import FlaskClient
from games import GNAFFATA, lines
from phones import Organiser
from serving import program, until

import companion
from companion import assets
from companion.cli import evening, main
from companion.dashboard import create_app
from companion.dashboard.changes import changes
from companion.dashboard.organiser.on_tv import SHOWN_SECONDS, OnTv
from companion.dashboard.setup import machine_pages
from companion.games import log_format
from companion.ledger import Ledger
from companion.line import autostart, doctor, installed, page_watch
from companion.line.backups import Backups
from companion.table.errors import AssetMissing

HERE = {"base_url": "http://127.0.0.1:8000", "environ_base": {"REMOTE_ADDR": "127.0.0.1"},
        "headers": {"Connection": "keep-alive"}}
ELSEWHERE = {"base_url": "http://192.168.1.20:8000", "environ_base": {"REMOTE_ADDR": "192.168.1.30"}}


@dataclass
class Bar:
    """The application over a ledger with one game, and what it does once it is to end."""

    app: Flask
    ledger: Ledger
    backups: Backups
    stick: Path
    sticks: list[Path]

    @property
    def ledger_folder(self) -> Path:
        return self.backups.beside.parent

    def phone(self) -> Organiser:
        return Organiser(self.app)

    @property
    def machine(self) -> FlaskClient:
        return self.app.test_client()


@pytest.fixture
def bar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bar]:
    monkeypatch.setattr(autostart, "is_on", lambda: None)
    stick = tmp_path / "CHIAVETTA"
    stick.mkdir()
    with Ledger.open(tmp_path / "evenings.ledger", log_format) as ledger:
        ledger.begin(lines(*GNAFFATA))
        sticks: list[Path] = []
        backups = Backups(ledger, tmp_path / "evenings.ledger", tmp_path / "decks", sticks=lambda: tuple(sticks))
        app = create_app(ledger, camera=FakeCamera(ledger), backups=backups)
        monkeypatch.setattr(app.extensions["ending"], "stop", lambda: ended.append(True))
        ended: list[bool] = []
        app.extensions["ended"] = ended
        yield Bar(app, ledger, backups, stick, sticks)


def notices(phone: Organiser) -> list[str]:
    return json.loads(phone.client.application.extensions["organiser"].beat("it"))["notices"]


def post(phone: Organiser, path: str, **form: str):
    return phone.client.post(path, data={"csrf": phone.csrf, **form})


@pytest.mark.parametrize("path", ["/setup/doctor", "/setup/backups"])
def test_strangers_are_sent_to_the_pin(bar: Bar, path: str) -> None:
    answer = bar.app.test_client().get(path)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/pair?next={path}")


@pytest.mark.parametrize("path", ["/setup/backups", "/setup/backups/now", "/setup/backups/restore", "/setup/doctor/autostart"])
def test_nothing_is_done_for_strangers_or_for_another_sites_form(bar: Bar, path: str) -> None:
    assert bar.app.test_client().post(path).status_code == 302
    phone = bar.phone()
    assert phone.client.post(path, data={"csrf": "guessed"}).status_code == 403
    assert not bar.backups.copies()
    assert not bar.app.extensions["ended"]


def test_the_first_page_and_its_stop_are_for_this_machine_alone(bar: Bar) -> None:
    assert bar.machine.get("/start", **HERE).status_code == 200
    assert bar.machine.get("/start", **ELSEWHERE).status_code == 403
    assert bar.machine.post("/start/stop", **ELSEWHERE).status_code == 403
    assert bar.machine.post("/start/stop", **HERE).status_code == 403, "without the page's own token"
    client = bar.machine
    csrf = re.search(r'name="csrf" value="([^"]+)"', client.get("/start", **HERE).text)
    assert csrf
    assert client.post("/start/stop", data={"csrf": csrf[1]}, **HERE).location == "/start/stopped"
    assert bar.app.extensions["ended"]


def test_the_pin_is_folded_away_once_this_screen_may_be_the_television(bar: Bar, ledger: Ledger) -> None:
    for app, known in ((bar.app, True), (create_app(ledger, camera=FakeCamera(ledger)), False)):
        app.extensions["pairing"].reachable = lambda: ("http://192.168.1.20:8000",)
        page = app.test_client().get("/start", **HERE).text
        assert (page.find("<details>") in range(page.find('class="pin"'))) == known
        assert "http://192.168.1.20:8000" in page


def test_the_first_page_says_what_an_evening_lacks(bar: Bar, monkeypatch: pytest.MonkeyPatch) -> None:
    assert 'class="problem">Disk' not in bar.machine.get("/start?lang=en", **HERE).text
    monkeypatch.setattr(doctor, "disk", lambda folder: doctor.finding("disk", False, "7 MB free in /, 500 wanted"))
    page = bar.machine.get("/start?lang=en", **HERE).text
    assert 'class="problem">Disk: 7 MB free in /, 500 wanted. Make room' in page
    assert "Copies" not in page, "what can wait stands on its own page"


def test_evenings_that_cannot_be_written_and_a_missing_browser_are_said_with_their_command(
    bar: Bar, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[Path] = []

    def refused(folder: Path) -> doctor.Finding:
        looked.append(folder)
        return doctor.finding("evenings", False, "{path} may not be written by this user", "sudo chown lu", path=folder)

    monkeypatch.setattr(doctor, "evenings", refused)
    monkeypatch.setattr(page_watch, "installed_browser", lambda: None)
    monkeypatch.setattr(autostart, "kiosk_is_on", lambda: True)
    phone = bar.phone()
    for page in (bar.machine.get("/start/machine?lang=it", **HERE).text, phone.get("/setup/doctor?lang=it").text):
        rows = {title: rest for title, _, rest in re.findall(r"<h2>(.*?): (.*?)</h2>(.*?)</li>", page, re.S)}
        assert "non può essere scritto da questo utente" in rows["Serate"]
        assert "<code>sudo chown lu</code>" in rows["Serate"]
        assert f"<code>{doctor.KIOSK_BROWSER}</code>" in rows["Televisore"]
    assert set(looked) == {bar.ledger_folder}
    first = bar.machine.get("/start?lang=en", **HERE).text
    assert 'class="problem">Evenings: ' in first
    assert "Television: " not in first, "an evening can do without it"


@pytest.mark.parametrize("for_all", [True, False])
def test_where_no_phone_finds_the_machine_each_page_says_the_same_reason(ledger: Ledger, for_all: bool) -> None:
    app = create_app(ledger, camera=FakeCamera(ledger))
    app.extensions["pairing"].for_all = for_all
    why, other = "connect it to the bar’s network", "companion serve --host 0.0.0.0"
    for path in ("/", "/start", "/pair/show"):
        page = app.test_client().get(f"{path}?lang=en", **HERE).text
        assert (why in page, other in page) == (for_all, not for_all), path


def invitation(client: FlaskClient, asked: str = "") -> dict[str, str] | None:
    answer = client.get("/start/television", query_string={"asked": asked} if asked else {}, **HERE)
    assert answer.status_code == 200
    found: dict[str, str] | None = answer.json["invitation"]
    return found


def lets_in(app: Flask, pin: str) -> bool:
    return app.test_client().post("/pair", data={"pin": pin}, **ELSEWHERE).status_code == 302


@pytest.fixture
def unknown(ledger: Ledger) -> Flask:
    """A program with which nobody has begun, on a machine with one screen."""
    app = create_app(ledger, camera=FakeCamera(ledger))
    app.extensions["pairing"].reachable = lambda: ("http://192.168.1.20:8000",)
    return app


def test_the_television_of_this_machine_shows_the_pin_until_the_first_phone_is_paired_and_it_counts_no_longer(
    unknown: Flask,
) -> None:
    tv = unknown.test_client()
    assert 'data-at="/start/television"' in tv.get("/?kiosk", **HERE).text
    shown = invitation(tv)
    assert shown
    assert (shown["address"], shown["code"][:4]) == ("http://192.168.1.20:8000/pair", "<svg")
    assert lets_in(unknown, shown["pin"])
    assert invitation(tv) is None
    assert not lets_in(unknown, shown["pin"]), "who has photographed the television comes too late"


def test_this_machines_own_browser_is_not_the_first_phone(unknown: Flask) -> None:
    tv, own = unknown.test_client(), unknown.test_client()
    shown = invitation(tv)
    assert shown
    assert own.post("/pair", data={"pin": shown["pin"]}, **HERE).status_code == 302
    assert own.get("/setup", **HERE).status_code == 200, "it may keep the game"
    again = invitation(tv)
    assert again, "a television without a keyboard still lets a phone in"
    assert lets_in(unknown, again["pin"])
    assert invitation(tv) is None


def test_looking_at_what_is_missing_pairs_nobody(unknown: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "disk", lambda folder: doctor.finding("disk", False, "7 MB free in /, 500 wanted"))
    machine = unknown.test_client()
    link = re.search(r'href="([^"]+)">Is anything missing', machine.get("/start?lang=en", **HERE).text)
    assert link
    page = machine.get(link[1], **HERE)
    assert (page.status_code, "Memory: " in page.text, "<form" in page.text) == (200, True, False)
    assert unknown.test_client().get(link[1], **ELSEWHERE).status_code == 403
    assert unknown.extensions["phones"].all() == ()


def test_no_other_television_is_told_the_pin(unknown: Flask) -> None:
    other = unknown.test_client()
    assert other.get("/start/television", **ELSEWHERE).status_code == 403
    page = other.get("/?kiosk", **ELSEWHERE).text
    assert 'class="kiosk"' in page
    assert "/start/television" not in page
    assert "/start/television" not in other.get("/", **HERE).text, "a browser in which somebody looks at the table"
    pin = unknown.extensions["pairing"].pin.digits
    assert all(part not in page for part in (pin, f"{pin[:3]} {pin[3:]}"))


def test_later_it_shows_the_pin_to_somebody_who_asks_at_the_machine_and_for_as_long_as_it_is_shown(bar: Bar) -> None:
    bar.app.extensions["pairing"].reachable = lambda: ("http://192.168.1.20:8000",)
    tv, pin = bar.machine, bar.app.extensions["pairing"].pin
    first = pin.digits
    assert invitation(tv) is None
    assert pin.digits == first, "what nobody has shown goes on counting"
    shown = invitation(tv, asked="1")
    assert shown
    assert lets_in(bar.app, shown["pin"])
    assert invitation(tv) is None
    assert not lets_in(bar.app, shown["pin"])
    again = invitation(tv, asked="1")
    assert again
    assert invitation(tv, asked="0") is None
    assert not lets_in(bar.app, again["pin"])


def test_what_the_television_shows_counts_for_a_minute_even_if_its_browser_is_gone() -> None:
    renewed: list[float] = []

    class Pin:
        def renew(self) -> None:
            renewed.append(now)

    now = 5.0
    on_tv = OnTv(Pin(), clock=lambda: now)
    on_tv.ask(True)
    assert on_tv.showing(nobody_known=False)
    now += SHOWN_SECONDS - 1
    on_tv.past()
    assert on_tv.showing(nobody_known=False)
    assert renewed == []
    now += 1
    on_tv.past()
    assert renewed == [now]
    assert not on_tv.showing(nobody_known=False)
    assert renewed == [now]


def test_an_update_is_told_with_what_it_has_changed(bar: Bar, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "#news" not in bar.machine.get("/start", **HERE).text
    monkeypatch.setattr(Backups, "updated_from", "0.0.9")
    assert "da 0.0.9 a " in bar.machine.get("/start?lang=it", **HERE).text
    monkeypatch.setattr(Backups, "updated_from", companion.__version__)
    page = bar.machine.get("/start?lang=it", **HERE).text
    assert "aggiornato alla versione " in page, "another build of the same version"
    assert "#news" in page
    assert 'id="news"' in bar.machine.get("/about").text


def test_an_update_of_a_version_that_has_not_said_which_it_was_is_told_too(tmp_path: Path) -> None:
    file = tmp_path / "evenings.ledger"
    shutil.copy(Path(__file__).parents[1] / "line" / "ledgers" / "schema-3.ledger", file)
    with Ledger.open(file, log_format) as ledger:
        backups = Backups(ledger, file, tmp_path / "decks", version="9.0")
        app = create_app(ledger, camera=FakeCamera(ledger), backups=backups)
        assert "aggiornato alla versione " in app.test_client().get("/start?lang=it", **HERE).text
        [copy] = [one for one in backups.copies() if one.path.name == "evenings-schema-3.ledger"]
        assert copy.here
    fresh = tmp_path / "fresh.ledger"
    with Ledger.open(fresh, log_format) as ledger:
        assert Backups(ledger, fresh, tmp_path / "decks", version="9.0").updated_from == ""


def test_an_update_that_takes_the_files_away_breaks_no_page_of_the_program_that_runs(
    bar: Bar, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.hold(bar.app)

    def gone(*_: object) -> None:
        raise FileNotFoundError("the update has taken this file's place")

    def no_assets() -> Path:
        raise AssetMissing("in the middle of an update")

    monkeypatch.setattr(bar.app.jinja_env.loader, "load", gone)
    monkeypatch.setattr(assets, "root", no_assets)
    phone = bar.phone()
    paths = [rule.rule for rule in bar.app.url_map.iter_rules()
             if "GET" in (rule.methods or ()) and not rule.arguments and rule.endpoint != "static"]
    assert {"/", "/start", "/start/again", "/setup/doctor", "/season"} <= set(paths)
    pages = [path for path in paths if "/live" not in path and "stream" not in path and "events" not in path]
    for path in pages:
        answer = phone.client.get(path, **HERE)
        assert answer.status_code < 500, path


def test_the_code_of_every_page_is_read_before_an_update_can_take_its_place() -> None:
    told = subprocess.run(
        [sys.executable, "-c", "from companion.line import installed; installed.import_all(); import sys; print(*sys.modules)"],
        capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    rooms = ("dashboard", "editing", "games", "ledger", "line", "pages", "photos", "referee", "table", "tournament")
    root = Path(companion.__file__).parent
    files = [path.relative_to(root.parent).with_suffix("") for room in rooms for path in (root / room).rglob("*.py")]
    assert len(files) > 300
    assert {".".join(path.parts).removesuffix(".__init__") for path in files} <= set(told)
    assert not {"psycopg", "companion.hall", "torch"} & set(told)


def test_an_update_that_is_installed_while_the_program_runs_is_told_and_begun_with_a_button(
    bar: Bar, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = bar.machine
    assert machine.get("/start/program", **HERE).json == {"outdated": False}
    assert "/start/again" not in machine.get("/start", **HERE).text
    monkeypatch.setattr(installed, "stamp", lambda: "another")
    assert machine.get("/start/program", **HERE).json == {"outdated": True}
    assert bar.machine.get("/start/program", **ELSEWHERE).status_code == 403
    page = machine.get("/start?lang=en", **HERE).text
    assert "An update is installed: it counts from the next start." in page
    csrf = re.search(r'name="csrf" value="([^"]+)"', page)
    assert csrf
    assert machine.post("/start/again", **HERE).status_code == 403
    told = machine.post("/start/again", data={"csrf": csrf[1]}, **HERE)
    ending = bar.app.extensions["ending"]
    assert (ending.again, ending.bring_back, bar.app.extensions["ended"]) == (True, None, [True])
    assert 'data-then="/start"' in machine.get(told.location, **HERE).text
    monkeypatch.setattr(installed, "stamp", lambda: "")
    assert machine.get("/start/program", **HERE).json == {"outdated": False}, "nothing is there in the middle of an update"


CHANGELOG = """# Changelog

## [0.3]: new

### Added

- A **thing**, see [there](docs/there.md).
- Another `thing`
  in two lines.

## [0.2]

### Fixed

- Something.

## [0.1]
"""


@pytest.mark.parametrize(
    ("since", "told"), [("0.2", ["0.3: new"]), ("0.1", ["0.3: new", "0.2"]), ("", ["0.3: new"]), ("9", ["0.3: new"])]
)
def test_the_versions_since_the_one_before_are_told(since: str, told: list[str]) -> None:
    assert [version.name for version in changes(since, CHANGELOG)] == told


def test_what_has_changed_says_in_the_pages_language_what_it_is(bar: Bar) -> None:
    news = bar.machine.get("/about?lang=it").text.partition('id="news"')[2]
    assert "Le voci sono in inglese" in news
    parts = re.findall(r"<summary>(.*?) \(\d+\)</summary><ul( lang=\"en\")?>", news)
    assert parts
    known = {"Novità", "Cambiamenti", "Correzioni", "Tolto", "In via di abbandono", "Sicurezza"}
    assert {heading for heading, _ in parts} <= known
    assert all(english for _, english in parts)
    assert "in English" not in bar.machine.get("/about?lang=en").text.partition('id="news"')[2].partition("<details")[0]


def test_entries_are_told_as_plain_text() -> None:
    assert changes("", CHANGELOG)[0].parts == (("Added", ("A thing, see there.", "Another thing in two lines.")),)


def test_a_copy_is_made_by_a_button_and_goes_to_the_stick_that_was_chosen(bar: Bar) -> None:
    phone = bar.phone()
    assert "Nessuna chiavetta" in phone.get("/setup/backups?lang=it").text
    assert post(phone, "/setup/backups", folder=str(bar.stick)).status_code == 400, "it is not plugged in"
    bar.sticks.append(bar.stick)
    assert "CHIAVETTA" in phone.get("/setup/backups").text
    assert post(phone, "/setup/backups", folder=str(bar.stick)).location == "/setup/backups"
    assert "La copia delle serate è fatta" in phone.get("/setup/backups").text
    assert [copy.here for copy in bar.backups.copies()] == [False, True]
    bar.sticks.clear()
    refused = post(phone, "/setup/backups/now")
    assert (refused.status_code, "Nessuna copia fatta: la chiavetta non è inserita." in refused.text) == (400, True)


def test_the_page_of_the_copies_says_how_they_stand(bar: Bar, monkeypatch: pytest.MonkeyPatch) -> None:
    phone = bar.phone()

    def said() -> str:
        return phone.get("/setup/backups?lang=en").text

    assert "Copies lie on this machine alone" in said()
    bar.sticks.append(bar.stick)
    bar.backups.choose(bar.stick)
    assert "There is no copy of this machine’s evenings on the stick yet." in said()
    post(phone, "/setup/backups/now")
    assert "The last copy on the stick: " in said()
    assert "no copy yet" not in said()
    monkeypatch.setattr(Backups, "old_days", lambda self: 12)
    assert "The last copy on the stick is 12 days old (" in said()
    bar.sticks.clear()
    post(phone, "/setup/backups/now")
    assert "The last copy was not made: the stick is not plugged in." in said()


def test_a_stick_on_which_nothing_can_be_written_is_named(bar: Bar, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != bar.stick)
    bar.sticks.append(bar.stick)
    page = bar.phone().get("/setup/backups?lang=en").text
    assert "CHIAVETTA is plugged in, but nothing can be written on it." in page
    assert "No stick is plugged in" not in page


def test_a_stick_of_another_machine_is_listed_brought_back_and_not_written_over(bar: Bar, tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    with Ledger.open(tmp_path / "old" / "evenings.ledger", log_format) as old:
        old.begin(lines(*GNAFFATA))
        there = Backups(old, tmp_path / "old" / "evenings.ledger", tmp_path / "old" / "decks", sticks=lambda: (bar.stick,))
        there.choose(bar.stick)
        made = there.make()
    assert made is not None
    kept = made.read_bytes()
    bar.sticks.append(bar.stick)
    phone = bar.phone()
    page = phone.get("/setup/backups?lang=en").text
    assert "on the stick CHIAVETTA · evenings of another machine or table" in page
    name = re.search(r'name="copy" value="([^"]+)"', page)
    assert name
    asked = post(phone, "/setup/backups/restore", copy=name[1])
    assert (asked.status_code, "evenings in it: 1" in asked.text) == (409, True)
    post(phone, "/setup/backups", folder=str(bar.stick))
    assert made.read_bytes() == kept
    post(phone, "/setup/backups/restore", copy=f"there/{made.name}", sure="1")
    assert bar.app.extensions["ending"].bring_back == made


def test_on_a_new_machine_a_chosen_stick_waits_for_the_first_evening(ledger: Ledger, tmp_path: Path) -> None:
    stick = tmp_path / "CHIAVETTA"
    stick.mkdir()
    backups = Backups(ledger, tmp_path / "evenings.ledger", tmp_path / "decks", sticks=lambda: (stick,))
    phone = Organiser(create_app(ledger, camera=FakeCamera(ledger), backups=backups))
    assert post(phone, "/setup/backups", folder=str(stick)).location == "/setup/backups"
    assert "Qui non si è ancora giocato" in phone.get("/setup/backups").text
    assert (backups.chosen, list(stick.iterdir())) == (stick / "companion-backups", [])


@pytest.mark.parametrize("folder", ["/", "/etc", "..", "/media"])
def test_no_other_folder_of_the_machine_can_be_named(bar: Bar, folder: str) -> None:
    assert post(bar.phone(), "/setup/backups", folder=folder).status_code == 400
    assert bar.backups.chosen is None


def test_a_copy_is_brought_back_after_a_question(bar: Bar) -> None:
    phone = bar.phone()
    post(phone, "/setup/backups/now")
    [copy] = bar.backups.copies()
    name = f"here/{copy.path.name}"
    asked = post(phone, "/setup/backups/restore", copy=name)
    assert (asked.status_code, bar.app.extensions["ended"]) == (409, [])
    assert "serate che contiene: 1" in asked.text
    assert post(phone, "/setup/backups/restore", copy=name, sure="1").status_code == 200
    ending = bar.app.extensions["ending"]
    assert (ending.again, ending.bring_back, bar.app.extensions["ended"]) == (True, copy.path, [True])


def test_what_a_copy_has_taken_the_place_of_is_brought_back_in_the_same_way(bar: Bar, tmp_path: Path) -> None:
    bar.ledger.copy_to(tmp_path / "evenings-before-20261128-010203.ledger")
    phone = bar.phone()
    post(phone, "/setup/backups/now")
    page = phone.get("/setup/backups?lang=en").text
    assert "<b>before a copy was brought back, Nov 28, 2026, 01:02</b>" in page
    assert "before an update" not in page
    post(phone, "/setup/backups/restore", copy="here/evenings-before-20261128-010203.ledger", sure="1")
    assert bar.app.extensions["ending"].bring_back == tmp_path / "evenings-before-20261128-010203.ledger"


def test_what_companion_backup_wrote_at_a_sticks_root_is_brought_back_by_a_click(bar: Bar) -> None:
    copy = bar.stick / "evenings.ledger"
    done = CliRunner().invoke(main, ["backup", "--ledger", str(bar.backups.beside.parent / "evenings.ledger"), str(bar.stick)])
    assert (done.exit_code, copy.exists()) == (0, True), done.output
    bar.sticks.append(bar.stick)
    phone = bar.phone()
    page = phone.get("/setup/backups?lang=en").text
    assert re.search(r"<b>evenings\.ledger, with all that was played until \w+ \d+, \d{4}, \d\d:\d\d</b>"
                     r"[^·]+on the stick CHIAVETTA ·", page)  # fmt: skip
    name = re.search(r'name="copy" value="([^"]+)"', page)
    assert name
    asked = post(phone, "/setup/backups/restore", copy=name[1])
    assert (asked.status_code, "evenings in it: 1" in asked.text) == (409, True)
    post(phone, "/setup/backups/restore", copy=name[1], sure="1")
    assert bar.app.extensions["ending"].bring_back == copy


@pytest.mark.parametrize("name", ["", "here/none.ledger", "/etc/passwd", "here/../evenings.ledger"])
def test_nothing_but_a_listed_copy_is_brought_back(bar: Bar, name: str) -> None:
    phone = bar.phone()
    post(phone, "/setup/backups/now")
    assert post(phone, "/setup/backups/restore", copy=name, sure="1").status_code == 400
    assert not bar.app.extensions["ended"]


def test_a_copy_that_is_damaged_is_not_brought_back(bar: Bar) -> None:
    phone = bar.phone()
    post(phone, "/setup/backups/now")
    [copy] = bar.backups.copies()
    copy.path.write_bytes(b"rot" * 2000)
    answer = post(phone, "/setup/backups/restore", copy=f"here/{copy.path.name}", sure="1")
    assert (answer.status_code, "non si legge" in answer.text, bar.app.extensions["ended"]) == (400, True, [])


def test_who_is_forgotten_and_what_is_erased_stand_in_no_copy(bar: Bar) -> None:
    phone = bar.phone()
    post(phone, "/setup/backups/now")
    [copy] = bar.backups.copies()
    assert b"Carla" in copy.path.read_bytes()
    player = re.search(r'href="/season/([^"?/]+)[^>]*>Carla', phone.get("/season").text)
    assert player, phone.get("/season").text
    post(phone, "/season/settings", do="forget", player=player[1], sure="1")
    [copy] = bar.backups.copies()
    assert b"Carla" not in copy.path.read_bytes()
    assert b"Bruno" in copy.path.read_bytes()
    post(phone, "/setup/delete", game="1", sure="1", for_good="1")
    [copy] = bar.backups.copies()
    assert b"Bruno" not in copy.path.read_bytes()


def test_phones_are_told_of_an_old_copy_and_spectators_are_not(bar: Bar, monkeypatch: pytest.MonkeyPatch) -> None:
    phone = bar.phone()
    assert notices(phone) == []
    monkeypatch.setattr(Backups, "old_days", lambda self: 12)
    assert notices(phone) == ["L’ultima copia delle serate è di 12 giorni fa: inserisci la chiavetta"]
    assert machine_pages.notice(bar.backups, "en") == ["The last copy of the evenings is 12 days old: plug in its stick"]
    assert bar.app.test_client().get("/api/notices").json == {"notices": []}


def test_the_doctors_page_has_what_is_to_be_mended_first_with_a_button_each(bar: Bar) -> None:
    page = bar.phone().get("/setup/doctor?lang=it").text
    rows = re.findall(r"<h2>(.*?): (.*?)</h2>(.*?)</li>", page, re.S)
    states = [state for _, state, _ in rows]
    assert states == sorted(states, key=lambda state: state == "a posto")
    assert {"Rete", "Telecamera", "Copie delle serate", "Disco", "Memoria", "Voce"} <= {title for title, _, _ in rows}
    for title, state, rest in rows:
        if state != "a posto":
            assert rest.count('class="button primary"') + rest.count("<button") == 1, title


@pytest.mark.parametrize("path", ["/setup/doctor?lang=it", "/start/machine?lang=it"])
def test_no_row_that_is_well_shows_a_command(bar: Bar, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    absent = doctor.voice(lambda name: None)
    assert "sudo" in absent.found
    monkeypatch.setattr(doctor, "voice", lambda: absent)
    monkeypatch.setattr(doctor, "closed_cameras", lambda: [Path("/dev/video0")])
    phone = bar.phone()
    found = phone.client.get(path, **HERE).text if path.startswith("/start") else phone.get(path).text
    rows = re.findall(r"<h2>(.*?): (.*?)</h2>(.*?)</li>", found, re.S)
    well = {title: rest for title, state, rest in rows if state == "a posto"}
    assert "nessuna, e non serve" in well["Voce"]
    assert not [title for title, rest in well.items() if re.search(r"<code>|sudo|companion \w+ --|apt ", rest)]
    assert [rest for _, state, rest in rows if state != "a posto" and "<code>sudo usermod" in rest], "what is to be typed is told"


def test_starting_with_the_machine_is_one_button(bar: Bar, monkeypatch: pytest.MonkeyPatch) -> None:
    switched: list[str] = []
    monkeypatch.setattr(autostart, "is_on", lambda: bool(switched))
    monkeypatch.setattr(autostart, "switch_on", lambda: switched.append("on") or [])
    phone = bar.phone()
    assert "/setup/doctor/autostart" in phone.get("/setup/doctor").text
    assert post(phone, "/setup/doctor/autostart").location == "/setup/doctor"
    page = phone.get("/setup/doctor?lang=it").text
    assert "D’ora in poi il programma parte" in page
    assert "/setup/doctor/autostart" not in page


def test_a_machine_that_refuses_says_why(bar: Bar, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> list[str]:
        raise autostart.NoAutostart("systemctl: no")

    monkeypatch.setattr(autostart, "switch_on", refuse)
    phone = bar.phone()
    post(phone, "/setup/doctor/autostart")
    assert "systemctl: no" in phone.get("/setup/doctor?lang=en").text


def test_the_real_program_brings_a_copy_back_and_goes_on_by_itself(tmp_path: Path) -> None:
    import http.cookiejar
    import socket
    import urllib.error
    import urllib.parse
    import urllib.request

    file = tmp_path / "evenings.ledger"
    with Ledger.open(file, log_format) as ledger:
        ledger.begin(lines(*GNAFFATA))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def send(url: str, **form: str) -> str:
        with opener.open(url, urllib.parse.urlencode(form).encode() if form else None, timeout=60) as answer:
            return answer.read().decode()

    with program(file, "--port", port, "--https-port", "0") as running:
        send(f"{running.url}/pair", pin=running.pin)
        found = re.search(r'name="csrf" value="([^"]+)"', send(f"{running.url}/setup/backups"))
        assert found
        until(lambda: "evenings-" in send(f"{running.url}/setup/backups"))
        copy = re.search(r'name="copy" value="([^"]+)"', send(f"{running.url}/setup/backups"))
        assert copy
        send(f"{running.url}/setup/delete", csrf=found[1], game="1", sure="1")
        assert '"game":0' in send(f"{running.url}/api/game")
        send(f"{running.url}/setup/backups/restore", csrf=found[1], copy=copy[1], sure="1")

        def back() -> bool:
            try:
                return '"game":1' in send(f"{running.url}/api/game")
            except (urllib.error.URLError, ConnectionError):
                return False

        until(back)
        assert running.process.poll() is None
        assert "prima di riportare una copia, " in send(f"{running.url}/setup/backups?lang=it"), "the way back is a tap"
        assert "Copie" in send(f"{running.url}/setup/backups?lang=it"), "the phone is paired still"
