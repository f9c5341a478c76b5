"""How a video of the VAR ends: with a verdict that log and pictures bear out, and the places that decided, large."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from phones import Phone
from test_var import PLACES, SIZE, TOP, card

from companion.dashboard import create_app
from companion.dashboard.var import VERDICT_SECONDS
from companion.eyes.image import decode_jpeg
from companion.eyes.source import Picture
from companion.games import log_format
from companion.games.stu.rules.log import Penalty, Reveal, new_game
from companion.games.stu.sightings import Appeared, Cleared, Shown, Sighting
from companion.ledger import Ledger
from companion.line.footage import Footage
from companion.line.recorder import EveningRecorder
from companion.referee.corrections import Correction, correct

FACES = ("2", "8", "9")
"""Of Anna, Bruno and Carla, shown 20, 22 and 24 seconds into the evening: Anna pays."""
SEEN: tuple[Sighting, ...] = (
    *(Appeared(2.0 + place, place) for place in range(3)),
    *(Shown(20.0 + 2 * place, place, place, ((face, 0.995), ("7", 0.005))) for place, face in enumerate(FACES)),
    Cleared(40.0),
)


@dataclass
class Table:
    app: Flask
    phone: Phone
    recorder: EveningRecorder
    footage: Footage

    def film(self, unread: Collection[int] = (), since: float = 0.0) -> None:
        """Video until all is gathered; in the places ``unread`` the eyes read another card than everybody was shown."""
        for t in np.arange(since, 40, 0.2):
            image = np.full((SIZE[1], SIZE[0], 3), (40, 160, 40), np.uint8)
            lies = []
            for place, face in enumerate(FACES):
                up = t >= 20 + 2 * place
                lies.append(card(PLACES[place], None if not up else "cucco" if place in unread else face))
                if up:
                    cv2.fillConvexPoly(image, np.rint(lies[-1].quad).astype(np.int32), (255, 255, 255))
            self.footage.put(self.recorder.game_id, Picture(float(t), image), lies, TOP)

    def video(self) -> dict[str, Any]:
        self.shown()
        told: Any = self.app.test_client().get("/api/var/0?lang=en").json
        return dict(told)

    def shown(self) -> dict[str, Any]:
        answer = self.phone.client.post("/api/organiser/var", json={"hand": 0}, headers={"X-CSRF-Token": self.phone.csrf})
        assert answer.status_code == 200, answer.text
        told: Any = answer.json
        return dict(told["shows"]["var"])


@pytest.fixture
def table() -> Iterator[Table]:
    with Ledger.in_memory(log_format) as ledger:
        recorder = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla", edition="piazza-2010"))
        recorder.saw(SEEN)
        footage = Footage()
        app = create_app(ledger, recorder=lambda: recorder, footage=footage)
        yield Table(app, Phone(app, "en"), recorder, footage)


def white(app: Flask, zoom: dict[str, int]) -> float:
    """Which share of a place's picture is as white as the cards are."""
    data = app.test_client().get(f"/api/var/0/{zoom['id']}.jpg?place={zoom['place']}").data
    picture = decode_jpeg(data)
    return float((picture.min(axis=2) > 200).mean())


def test_what_the_eyes_saw_and_the_picture_shows_is_confirmed(table: Table) -> None:
    table.film()
    ends = table.video()["verdict"]
    assert (ends["verdict"], [zoom["place"] for zoom in ends["zooms"]]) == ("confirmed", [0])
    assert table.shown()["still"] == ends["seconds"] == VERDICT_SECONDS
    assert white(table.app, ends["zooms"][0]) > 0.04


def test_what_somebody_told_differently_is_corrected(table: Table) -> None:
    table.film()
    lines = table.recorder.evening.chapter(0).lines
    at = next(index for index, line in enumerate(lines) if line.event == Reveal(by="Anna", card="2"))
    table.recorder.change(lambda evening: correct(evening, Correction(0, at, at + 1, (Reveal(by="Anna", card="10"),))))
    video = table.video()
    ends = video["verdict"]
    assert ends["verdict"] == "corrected"
    assert [zoom["place"] for zoom in ends["zooms"]] == [0, 1], "Anna's card is in dispute; Bruno, with the 8, pays now"
    assert all(white(table.app, zoom) > 0.04 for zoom in ends["zooms"]), "what Anna laid open is seen, whatever it was"
    assert [cut["says"] for cut in video["cuts"]] == [["Anna shows the 2", "Bruno shows the 8"]]
    assert ends["says"] == ["The camera saw: Anna shows the 2"]


def test_a_face_that_nobody_lays_open_any_more_is_covered_again(table: Table) -> None:
    """The camera took it for a card laid open; the table says that she laid hers open later, and it was another."""
    table.film()
    lines = table.recorder.evening.chapter(0).lines
    at = next(index for index, line in enumerate(lines) if line.event == Reveal(by="Anna", card="2"))
    table.recorder.change(lambda evening: correct(evening, Correction(0, at, at + 1, (Reveal(by="Anna", card="10"),), t=39.0)))
    assert 0 not in [zoom["place"] for zoom in table.video()["verdict"]["zooms"]]


def test_a_card_that_was_corrected_against_its_picture_is_named_beside_it(table: Table) -> None:
    """Carla's picture shows a 9, and the table says that it was the 2 in truth."""
    table.film()
    for who, was, now in (("Anna", "2", "10"), ("Carla", "9", "2")):
        lines = table.recorder.evening.chapter(0).lines
        at = next(index for index, line in enumerate(lines) if line.event == Reveal(by=who, card=was))
        fix = Correction(0, at, at + 1, (Reveal(by=who, card=now),), t=lines[at].t)
        table.recorder.change(lambda evening, fix=fix: correct(evening, fix))
    video = table.video()
    ends = video["verdict"]
    assert ends["verdict"] == "corrected"
    assert "The camera saw: Carla shows the 9" in ends["says"]
    seen = [["Anna shows the 2"], ["Carla shows the 9"]]
    assert [cut["says"] for cut in video["cuts"]] == seen, "as the camera saw it, until the verdict"
    letters = sum(map(len, ends["says"]))
    assert ends["seconds"] >= VERDICT_SECONDS / 2 + letters / 15 > VERDICT_SECONDS
    assert table.shown()["still"] == ends["seconds"]


def test_what_was_told_after_the_hand_is_not_confirmed_by_its_pictures(table: Table) -> None:
    table.film()
    assert table.video()["verdict"]["says"] == []
    end = len(table.recorder.evening.current.lines)
    table.recorder.change(lambda evening: correct(evening, Correction(evening.current.id, end, end, (Penalty(player="Bruno"),))))
    ends = table.video()["verdict"]
    assert (ends["verdict"], ends["says"]) == ("confirmed", ["What was entered after the hand is in no picture"])


def test_what_is_covered_in_the_picture_is_not_confirmed(table: Table) -> None:
    table.film(unread=[0])
    ends = table.video()["verdict"]
    assert (ends["verdict"], ends["zooms"]) == ("unseen", [])
    assert ends["says"] == ["Not all cards that decided can be seen in the pictures"]


def test_no_place_but_one_of_the_table_can_be_asked_for(table: Table) -> None:
    table.film()
    zoom = table.video()["verdict"]["zooms"][0]
    for place in ("3", "-1", "x", ""):
        assert table.app.test_client().get(f"/api/var/0/{zoom['id']}.jpg?place={place}").status_code == 404
