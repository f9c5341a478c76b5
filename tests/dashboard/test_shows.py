"""What organisers let spectators see, switched from the phone during the evening."""

from typing import Any

import pytest
from flask import Flask
from games import GNAFFATA, lines
from phones import Phone

from companion.dashboard import Settings, create_app
from companion.ledger import Ledger


def wish(phone: Phone, *, csrf: str | None = None, **wished: object) -> Any:
    return phone.client.post("/api/organiser/show", json=wished, headers={"X-CSRF-Token": phone.csrf if csrf is None else csrf})


@pytest.fixture
def phone(app: Flask, ledger: Ledger) -> Phone:
    ledger.record(ledger.new_game(), lines(*GNAFFATA, '{"e":"hand"}'))
    return Phone(app)


def test_the_chances_are_shown_once_a_phone_says_so_and_no_longer_when_it_says_so(app: Flask, phone: Phone) -> None:
    spectator = app.test_client()
    assert spectator.get("/api/chances").status_code == 404
    assert wish(phone, odds=True).json["shows"]["odds"] is True
    assert set(spectator.get("/api/chances").json["chances"]) == {"Anna", "Bruno", "Carla"}
    assert wish(phone, odds=False).json["shows"]["odds"] is False
    assert spectator.get("/api/chances").status_code == 404


@pytest.mark.parametrize(("option", "seconds"), [(0.0, 15.0), (4.0, 4.0)], ids=["as usual", "as started"])
def test_the_moviola_after_every_hand_can_be_switched_on_and_off(ledger: Ledger, option: float, seconds: float) -> None:
    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    phone = Phone(create_app(ledger, settings=Settings(moviola_after=option)))
    assert phone.view["shows"]["moviola_after_s"] == option
    assert wish(phone, moviola=False).json["shows"]["moviola_after_s"] == 0
    assert wish(phone, moviola=True).json["shows"]["moviola_after_s"] == seconds
    assert wish(phone, odds=True).json["shows"] == {"odds": True, "moviola_after_s": seconds, "played": 0}


def test_a_wish_reaches_a_page_that_follows_at_once(ledger: Ledger) -> None:
    """Long before the stream's next heartbeat, which comes after a minute here."""
    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    app = create_app(ledger, settings=Settings(heartbeat=60, patience=120))
    phone, stream = Phone(app), iter(app.test_client().get("/api/stream").response)
    other = iter(phone.client.get("/api/organiser/stream?lang=en").response)
    assert "event: view" in "".join(next(stream).decode() for _ in range(2))
    assert "event: view" in "".join(next(other).decode() for _ in range(2))
    wish(phone, play=True)
    told = next(stream).decode()
    assert "event: beat" in told
    assert '"played":1' in told
    assert '"played":1' in next(other).decode()


def test_a_page_that_comes_later_is_told_what_is_shown_and_does_not_play_what_is_over(app: Flask, phone: Phone) -> None:
    wish(phone, play=True, odds=True)
    assert '"played": 1' in app.test_client().get("/").text
    assert '"odds": true' in app.test_client().get("/").text


def test_the_code_for_spectators_can_be_switched_off_and_on(app: Flask, phone: Phone) -> None:
    assert "code" not in phone.view["shows"], "it is on"
    assert wish(phone, code=False).json["shows"]["code"] is False
    assert '"code": false' in app.test_client().get("/").text
    assert "code" not in wish(phone, code=True).json["shows"]


def test_what_a_phone_has_chosen_outlives_a_restart_and_ends_with_the_game(ledger: Ledger) -> None:
    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    started = Settings(odds=True)
    assert Phone(create_app(ledger, settings=started)).view["shows"]["odds"] is True
    wish(Phone(create_app(ledger, settings=started)), odds=False, moviola=True, play=True)
    again = Phone(create_app(ledger, settings=started))
    assert again.view["shows"] == {"odds": False, "moviola_after_s": 15.0, "played": 0}
    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    assert Phone(create_app(ledger, settings=started)).view["shows"]["odds"] is True


@pytest.mark.parametrize(
    "wished",
    [{"odds": "yes"}, {"play": False}, {"volume": 11}, {"moviola": 3}],
    ids=["no truth value", "unplay", "unknown", "seconds"],
)
def test_what_is_no_wish_is_refused_and_changes_nothing(phone: Phone, wished: dict) -> None:
    assert wish(phone, **wished).status_code == 400
    assert phone.look()["shows"] == {"odds": False, "moviola_after_s": 0, "played": 0}


def test_only_a_paired_phones_own_page_can_wish(app: Flask, phone: Phone) -> None:
    assert app.test_client().post("/api/organiser/show", json={"odds": True}).status_code == 401
    assert wish(phone, odds=True, csrf="").status_code == 403
    assert phone.look()["shows"]["odds"] is False


def test_the_phone_hears_what_the_table_is_told_of_the_camera(ledger: Ledger) -> None:
    from companion.line.notices import Notice

    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    app = create_app(ledger, settings=Settings(heartbeat=0.01, patience=1), notices=lambda: (Notice("dark", 0.0),))
    stream = iter(Phone(app).client.get("/api/organiser/stream").response)
    text = "".join(next(stream).decode() for _ in range(3))
    assert "event: beat" in text
    assert "Troppo buio per la telecamera" in text
