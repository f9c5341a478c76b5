"""VAR: which video an organiser can have shown, what of it everybody gets, and why there is none."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from games import GNAFFATA, lines
from msgspec.structs import replace
from phones import Phone

from companion.dashboard import create_app
from companion.dashboard.settings import DEFAULTS, CurrentShows
from companion.eyes.sighting import CardSeen
from companion.eyes.source import Picture
from companion.eyes.table import Seat, Table, TableMap
from companion.games import log_format
from companion.ledger import Ledger
from companion.line.cover import PAINT
from companion.line.footage import Footage
from companion.table.log import Line

SIZE = (160, 90)
PLACES = ((60.0, 30.0), (110.0, 40.0), (80.0, 70.0))
TABLE = Table(1, SIZE, ((20, 5), (140, 5), (155, 88), (5, 88)),
              tuple(Seat(name, at) for name, at in zip(("Anna", "Bruno", "Carla"), PLACES, strict=True)))  # fmt: skip
TOP = TableMap(TABLE, SIZE)


def card(at: tuple[float, float], kind: str | None = None) -> CardSeen:
    x, y = at
    quad = ((x - 4, y - 6), (x + 4, y - 6), (x + 4, y + 6), (x - 4, y + 6))
    return CardSeen(quad, "stu", "face" if kind else "back", 0.9, kind)


def timed(log: tuple[Line, ...], every: float = 5.0) -> tuple[Line, ...]:
    return tuple(replace(line, t=every * index) for index, line in enumerate(log))


@dataclass
class Filmed:
    """A hand with a gnaffata at 20 s (line 4) and the lowest card at 35 s, recorded as a log with times, and video of it."""

    app: Flask
    phone: Phone
    footage: Footage
    game: int

    def wish(self, **wished: Any) -> Any:
        return self.phone.client.post("/api/organiser/var?lang=en", json=wished, headers={"X-CSRF-Token": self.phone.csrf})

    def film(self, since: float, until: float, game: int | None = None) -> None:
        for t in np.arange(since, until, 0.2):
            picture = Picture(float(t), np.full((SIZE[1], SIZE[0], 3), (40, 160, 40), np.uint8))
            self.footage.put(game or self.game, picture, tuple(card(at) for at in PLACES), TOP)


@pytest.fixture
def filmed() -> Iterator[Filmed]:
    with Ledger.in_memory(log_format) as ledger:
        game = ledger.new_game()
        ledger.record(game, timed(lines(*GNAFFATA)))
        footage = Footage()
        app = create_app(ledger, footage=footage)
        yield Filmed(app, Phone(app, "en"), footage, game)


def test_the_seconds_that_decided_a_ruling_are_shown_and_no_others(filmed: Filmed) -> None:
    filmed.film(0, 60)
    answer = filmed.wish(hand=filmed.phone.view["hand"]["id"])
    assert answer.status_code == 200, answer.text
    assert answer.json["shows"]["var"] == {"hand": 0, "seconds": 7.2, "slow": False, "played": 1, "still": 4.0}
    told = filmed.app.test_client().get("/api/var/0?lang=en").json
    assert (told["hand"], told["n"], told["sure"]) == (0, 1, True)
    assert told["verdict"]["verdict"] == "unseen", "the log was told, and nobody has seen it"
    assert [cut["says"] for cut in told["cuts"]] == [["Bruno shows the Gnao"], ["Anna shows the 3"]]
    stills = [still for cut in told["cuts"] for still in cut["stills"]]
    ends = [filmed.footage.find(filmed.game, cut["stills"][at]["id"]) for cut in told["cuts"] for at in (0, -1)]
    assert [round(one.t, 1) for one in ends if one] == [18.0, 21.4, 33.0, 36.4]
    spectator = filmed.app.test_client()
    assert all(spectator.get(f"/api/var/0/{still['id']}.jpg").status_code == 200 for still in stills)
    other = next(one for one in filmed.footage.between(filmed.game, 25, 30))
    assert spectator.get(f"/api/var/0/{other.number}.jpg").status_code == 404
    assert spectator.get("/api/var/0/99999.jpg").status_code == 404


def test_nobody_gets_video_that_no_organiser_has_asked_for_or_that_is_over(filmed: Filmed) -> None:
    filmed.film(0, 60)
    spectator = filmed.app.test_client()
    still = filmed.footage.between(filmed.game, 19, 21)[0].number
    assert spectator.get("/api/var/0").status_code == 404
    assert spectator.get(f"/api/var/0/{still}.jpg").status_code == 404
    filmed.wish(hand=0)
    assert spectator.get(f"/api/var/0/{still}.jpg").status_code == 200
    assert spectator.get(f"/api/var/1/{still}.jpg").status_code == 404
    assert "var" not in filmed.wish(hand=None).json["shows"]
    assert spectator.get("/api/var/0").status_code == 404
    assert spectator.get(f"/api/var/0/{still}.jpg").status_code == 404


def test_a_picture_newer_than_what_is_settled_cannot_be_had_by_its_number(filmed: Filmed) -> None:
    filmed.film(0, 20)  # the trump is shown at 20 s
    filmed.film(20, 20.4)
    assert filmed.wish(hand=0).status_code == 200
    spectator = filmed.app.test_client()
    newest = filmed.footage._kept[-1]
    assert newest.t > 20
    assert spectator.get(f"/api/var/0/{newest.number}.jpg").status_code == 404
    filmed.film(20.4, 24)
    assert spectator.get(f"/api/var/0/{newest.number}.jpg").status_code == 200


def test_a_picture_that_was_covered_before_all_was_seen_is_not_kept_so(filmed: Filmed) -> None:
    filmed.film(0, 21)
    filmed.wish(hand=0)
    spectator = filmed.app.test_client()
    still = filmed.footage.between(filmed.game, 19.9, 20.2)[0].number
    assert spectator.get(f"/api/var/0/{still}.jpg").status_code == 200
    video = filmed.app.extensions["video"]
    assert not video._made
    filmed.film(21, 30)
    spectator.get(f"/api/var/0/{still}.jpg")
    assert len(video._made) == 1


def test_video_that_must_be_over_is_no_longer_given_out(filmed: Filmed, monkeypatch: pytest.MonkeyPatch) -> None:
    filmed.film(0, 60)
    now, begun = {"at": 0.0}, time.monotonic()
    monkeypatch.setattr("companion.dashboard.settings.time.monotonic", lambda: begun + now["at"])
    filmed.wish(hand=0, slow=True)
    now["at"] = 2 * 7.2 + 4 + 7
    assert filmed.app.test_client().get("/api/var/0").status_code == 200
    now["at"] = 2 * 7.2 + 4 + 9
    assert filmed.app.test_client().get("/api/var/0").status_code == 404
    assert "var" not in filmed.phone.look()["shows"]


def test_what_was_not_shown_to_everybody_is_covered_in_what_the_tv_gets(filmed: Filmed) -> None:
    """The eyes saw no face that everybody was shown, so all faces are painted over: here they are white."""
    for t in np.arange(15, 45, 0.2):
        image = np.full((SIZE[1], SIZE[0], 3), (40, 160, 40), np.uint8)
        seen = card((80.0, 45.0), "cucco")
        cv2.fillConvexPoly(image, np.rint(seen.quad).astype(np.int32), (255, 255, 255))
        filmed.footage.put(filmed.game, Picture(float(t), image), (*(card(at) for at in PLACES), seen), TOP)
    filmed.wish(hand=0)
    spectator = filmed.app.test_client()
    for cut in spectator.get("/api/var/0").json["cuts"]:
        for still in cut["stills"]:
            data = spectator.get(f"/api/var/0/{still['id']}.jpg").data
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
            assert picture.min(axis=2).max() < 120
            assert np.abs(picture[2, 2].astype(int) - PAINT).max() < 30


@pytest.mark.parametrize(
    ("since", "until", "why"),
    [(0, 1, "is gone"), (100, 160, "is gone")],
    ids=["no picture of it", "pictures of later"],
)
def test_the_phone_is_told_that_the_video_is_gone(filmed: Filmed, since: float, until: float, why: str) -> None:
    filmed.film(since, until)
    answer = filmed.wish(hand=0)
    assert answer.status_code == 404
    assert answer.json["error"] == "video_gone"
    assert why in answer.json["message"]


def test_of_a_game_before_a_restart_there_is_none(filmed: Filmed) -> None:
    filmed.film(0, 60, game=filmed.game + 1)
    assert filmed.wish(hand=0).json["error"] == "video_gone"


def test_of_a_hand_told_by_thumb_there_is_none(ledger: Ledger) -> None:
    ledger.record(game := ledger.new_game(), lines(*GNAFFATA))
    app = create_app(ledger, footage=Footage())
    phone = Phone(app, "en")
    told = Filmed(app, phone, Footage(), game).wish(hand=0)
    assert (told.status_code, told.json["error"]) == (404, "not_filmed")
    assert phone.look()["hand"]["filmed"] is False  # no button for it


def test_of_a_hand_in_which_nobody_has_paid_there_is_none(ledger: Ledger) -> None:
    ledger.record(game := ledger.new_game(), timed(lines(*GNAFFATA, '{"e":"hand"}')))
    app = create_app(ledger, footage=Footage())
    filmed = Filmed(app, Phone(app, "en"), Footage(), game)
    filmed.film(0, 100)
    assert filmed.wish(hand=filmed.phone.view["hand"]["id"]).json["error"] == "no_ruling"


def test_a_program_without_camera_has_none_and_a_hand_that_is_no_more_neither(ledger: Ledger, app: Flask) -> None:
    ledger.record(game := ledger.new_game(), timed(lines(*GNAFFATA)))
    filmed = Filmed(app, Phone(app, "en"), Footage(0), game)
    assert filmed.wish(hand=0).json["error"] == "no_video"
    assert filmed.wish(hand=77).json["error"] == "gone"
    assert filmed.wish(hand=0, loud=True).status_code == 400
    assert app.test_client().post("/api/organiser/var", json={"hand": 0}).status_code == 401
    assert filmed.phone.client.post("/api/organiser/var", json={"hand": 0}).status_code == 403


def test_a_page_that_comes_later_does_not_play_what_others_have_seen(filmed: Filmed) -> None:
    filmed.film(0, 60)
    filmed.wish(hand=0)
    assert '"played": 1' in filmed.app.test_client().get("/").text


def test_every_wish_is_told_as_another_even_when_one_has_ended(ledger: Ledger) -> None:
    shows = CurrentShows(DEFAULTS, ledger, lambda: None)
    shows.show_video(1, 5.0, slow=False)
    shows.end_video()
    shows.show_video(1, 5.0, slow=True)
    assert shows.now.var is not None
    assert shows.now.var.played == 2


def test_there_is_no_moment_without_an_open_question(filmed: Filmed) -> None:
    filmed.film(0, 60)
    assert filmed.phone.client.get("/api/organiser/moment?question=1:card:0").json == []
    assert filmed.phone.client.get("/api/organiser/moment/3.jpg?question=1:card:0").status_code == 404
    assert filmed.app.test_client().get("/api/organiser/moment?question=x").status_code == 401
