"""A clock that is put right in mid-evening, by two days or by fifty years: nobody is shut out, and dates come right."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
from cryptography import x509
from games import GAME, lines
from phones import Phone

from companion import clock
from companion.clock import Clock
from companion.dashboard import create_app, limits
from companion.dashboard.network import EARLIEST_NOW, certificate
from companion.dashboard.phone_camera import PhoneDoor
from companion.ledger import Ledger, store
from companion.line.phone_camera import PhoneCamera

DAY = 86400.0
NOW = 1_800_000_000.0
JUMPS = {"by two days": 2 * DAY, "by sixty days": 60 * DAY, "from 1970": 56 * 365 * DAY, "back by a year": -365 * DAY}


class Time:
    """A clock that a test sets, and one that nobody sets."""

    def __init__(self, wall: float) -> None:
        self.wall, self.steady = wall, 1000.0

    def go_on(self, seconds: float) -> None:
        self.wall += seconds
        self.steady += seconds


@pytest.fixture
def time(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Time:
    """The time of this program: it began in an hour before the jump."""
    found = Time(NOW - max(getattr(request, "param", 0.0), 0.0))
    for module in (store, limits, clock):
        for name in ("since_boot", "time"):
            if name == "since_boot" and hasattr(module, name):
                monkeypatch.setattr(module, name, lambda: found.steady)
    monkeypatch.setattr("time.time", lambda: found.wall)
    monkeypatch.setattr(limits, "CLOCK", Clock(lambda: found.wall, lambda: found.steady))
    return found


@pytest.mark.parametrize("jump", JUMPS.values(), ids=JUMPS)
@pytest.mark.parametrize(("used", "counts"), [(3600.0, True), (29 * DAY, True), (31 * DAY, False)], ids=["hour", "29 d", "31 d"])
def test_an_age_is_what_this_program_has_run_whatever_the_clock_does(jump: float, used: float, counts: bool) -> None:
    time = Time(NOW)
    found = Clock(lambda: time.wall, lambda: time.steady)
    then = time.wall
    time.go_on(used / 2)
    time.wall += jump
    time.go_on(used / 2)
    assert (found.age(then) <= 30 * DAY) == (counts or jump < 0)


@pytest.mark.parametrize("jump", JUMPS.values(), ids=JUMPS)
def test_a_phone_that_is_paired_stays_so_when_the_clock_is_put_right(ledger: Ledger, time: Time, jump: float) -> None:
    app = create_app(ledger)
    phone = Phone(app)
    time.wall += jump
    assert phone.client.get("/organiser/phones").status_code == 200
    time.go_on(3600)
    assert phone.client.get("/organiser/phones").status_code == 200


def test_a_cookie_says_how_long_it_lasts_not_until_when(ledger: Ledger, time: Time) -> None:
    time.wall = 0.0
    phone = Phone(create_app(ledger))
    [cookie] = [one for one in phone.client.get("/pair").headers.getlist("Set-Cookie") if one.startswith("organiser=")]
    assert "Max-Age=2592000" in cookie
    assert "Expires" not in cookie


def test_a_phone_that_was_not_used_for_a_month_has_to_be_paired_again(ledger: Ledger, time: Time) -> None:
    phone = Phone(create_app(ledger))
    time.go_on(31 * DAY)
    assert phone.client.get("/organiser/phones").status_code == 302


@pytest.mark.parametrize("jump", JUMPS.values(), ids=JUMPS)
def test_a_phone_that_films_goes_on_filming(tmp_path: Path, time: Time, jump: float) -> None:
    door = PhoneDoor(PhoneCamera(), "127.0.0.1", 0, tmp_path / "door.pem", clock=lambda: time.steady)
    token = door.let_in(door.invitation(), "phone")
    assert token is not None
    time.wall += jump
    assert door.who(token) == "phone"
    time.go_on(25 * 3600)
    assert door.who(token) is None or jump < 0


@pytest.mark.parametrize("jump", JUMPS.values(), ids=JUMPS)
def test_an_evening_has_begun_by_the_clock_that_is_right(ledger: Ledger, time: Time, jump: float) -> None:
    game = ledger.new_game()
    kept = ledger.new_game(started=5.0)
    time.go_on(1800)
    time.wall += jump
    ledger.record(game, lines(GAME))
    ledger.record(kept, lines(GAME))
    began = {one.id: one.started for one in ledger.games()}
    assert began[game] == pytest.approx(time.wall - 1800, abs=1)
    assert began[kept] == 5.0, "that was said, not read from a clock"


def test_a_camera_by_phone_opens_in_1970_and_what_phones_trust_is_kept(tmp_path: Path) -> None:
    at = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
    pem = certificate(tmp_path / "door.pem", ["10.0.0.2"], at)
    found = x509.load_pem_x509_certificate(pem.read_bytes())
    assert found.not_valid_before_utc < EARLIEST_NOW < found.not_valid_after_utc
    right = EARLIEST_NOW + datetime.timedelta(days=26)
    trusted = certificate(tmp_path / "right.pem", ["10.0.0.2"], right).read_bytes()
    assert certificate(tmp_path / "right.pem", ["10.0.0.2"], at).read_bytes() == trusted
    assert certificate(tmp_path / "right.pem", ["10.0.0.2"], right + datetime.timedelta(days=390)).read_bytes() != trusted
