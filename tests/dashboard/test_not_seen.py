"""A hand that could not be seen in part, as the TV and the phone show it: how much, which lines, and what is asked."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask import Flask
from phones import Phone
from stories import CARLA, NAMES, dealt, plain, shown

from companion.eyes.sighting import Unseen
from companion.games.stu.rules.log import new_game
from companion.games.stu.sightings import Resumed, Sighting
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder

TRUMP = replace(shown(47, CARLA, "gnao", 0.9999), not_before=38.9)
DARK: list[Sighting] = [
    *(replace(card, t=card.t + 30) for card in dealt()),
    Unseen(39, 47, None, "dark"), Resumed(39, 47, (0, 1), (2,), (0, 1, 3), (2,), ()), TRUMP,
    shown(50, 0, "7", 0.9999), shown(50.4, 1, "4", 0.9999), shown(50.8, 3, "9", 0.9999),
]  # fmt: skip


@pytest.fixture
def game(ledger: Ledger) -> int:
    """The first hand was seen; in the second, 8 seconds were not, and then a Gnao lay there: whom may it have refused?"""
    recorder = EveningRecorder.begin(ledger, new_game(list(NAMES), 200, "Dino"))
    recorder.saw([*plain(0, "7", "8", "2", "9"), *DARK])
    return recorder.game_id


@pytest.mark.parametrize(("lang", "said"), [("it", "8 secondi non visti"), ("en", "8 seconds not seen")])
def test_the_tv_says_how_much_of_the_hand_was_missed(app: Flask, game: int, lang: str, said: str) -> None:
    view = app.test_client().get(f"/api/game?lang={lang}").get_json()
    assert (view["hand"], view["missed"]) == (2, said)


def test_a_hand_that_was_seen_as_a_whole_missed_nothing(app: Flask, ledger: Ledger) -> None:
    EveningRecorder.begin(ledger, new_game(list(NAMES), 200, "Dino")).saw(plain(0, "7", "8", "2", "9"))
    assert app.test_client().get("/api/game").get_json()["missed"] == ""


def test_a_restart_still_knows_what_was_missed(ledger: Ledger, game: int) -> None:
    evening = EveningRecorder.resume(ledger, game).evening
    assert [chapter.blind for chapter in evening.chapters if chapter.played] == [(), ((39, 47),)]


def test_whom_the_trump_refused_is_asked_and_marked_once_it_is_told(app: Flask, game: int) -> None:
    """Everybody at the table knows whether Bruno asked for that Gnao; the camera does not."""
    phone = Phone(app)
    asked = phone.view["question"]
    assert asked["text"] == "8 secondi non visti. Chi ha preso la gnaffata da Carla?"
    (bruno,) = [choice["id"] for choice in asked["choices"] if choice["text"] == "Bruno"]
    phone.do("answer", question=asked["id"], choice=bruno)
    marked = {line["text"]: line["blind"] for line in phone.view["hand"]["lines"]}
    assert (marked["Bruno passa a Carla"], marked["Dino mostra il 9"]) == (True, False)


def test_the_phone_marks_what_is_taken_to_have_happened_unseen_and_nothing_that_was_seen(app: Flask, game: int) -> None:
    hand = Phone(app).view["hand"]
    assert {line["text"]: line["blind"] for line in hand["lines"]}["Dino mostra il 9"] is False
    assert all(line["by_hand"] is False for line in hand["lines"])
    first = Phone(app).client.get("/api/organiser/hand/0").get_json()
    assert not any(line["blind"] for line in first["lines"])
