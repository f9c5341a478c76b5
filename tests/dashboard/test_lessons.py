"""What corrections have taught is on the organiser's phone with its picture, and taken back there; nobody else sees it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from phones import Phone

from companion.dashboard import create_app
from companion.eyes.image import encode_jpeg
from companion.games import log_format
from companion.ledger import Ledger
from companion.line.corrections_learnt import CorrectionLearnt, CorrectionsLearnt, kept

JPEG = encode_jpeg(np.full((56, 32, 3), 99, np.uint8))


def lesson(number: int, card: str) -> CorrectionLearnt:
    return CorrectionLearnt(number, "stu", card, "salta", 1000.0 + number, 1, 0, 3.0, 0, JPEG, "0" * 64, bytes(64))


@pytest.fixture
def learnt(tmp_path: Path) -> CorrectionsLearnt:
    (tmp_path / "a.lessons").write_bytes(kept((lesson(1, "gnao"), lesson(2, "matto"))))
    return CorrectionsLearnt(tmp_path / "a.lessons")


@pytest.fixture
def phone(learnt: CorrectionsLearnt) -> Iterator[Phone]:
    with Ledger.in_memory(log_format) as ledger:
        yield Phone(create_app(ledger, corrections=learnt), "en")


def forget(phone: Phone, wish: Any, **headers: str) -> Any:
    return phone.client.post(
        "/api/organiser/lessons/forget", data=msgspec.json.encode(wish), headers=headers or {"X-CSRF-Token": phone.csrf}
    )


def test_lessons_are_told_the_newest_first_with_their_pictures(phone: Phone) -> None:
    told = phone.client.get("/api/organiser/lessons").json
    assert told == [{"id": 2, "card": "matto", "at": 1002.0}, {"id": 1, "card": "gnao", "at": 1001.0}]
    picture = phone.client.get("/api/organiser/lessons/1.jpg")
    assert (picture.data, picture.mimetype) == (JPEG, "image/jpeg")
    assert phone.client.get("/api/organiser/lessons/7.jpg").status_code == 404


def test_one_tap_takes_a_lesson_back_for_good(phone: Phone, learnt: CorrectionsLearnt, tmp_path: Path) -> None:
    for _ in range(2):
        answer = forget(phone, {"id": 2})
        assert (answer.status_code, [one["card"] for one in answer.json]) == (200, ["gnao"])
    assert [one.card for one in learnt.all] == [one.card for one in CorrectionsLearnt(tmp_path / "a.lessons").all] == ["gnao"]
    assert phone.client.get("/api/organiser/lessons/2.jpg").status_code == 404


@pytest.mark.parametrize("wish", [{}, {"id": "2"}, {"id": 2, "more": 1}, 7])
def test_what_is_no_wish_is_refused(phone: Phone, learnt: CorrectionsLearnt, wish: Any) -> None:
    assert forget(phone, wish).status_code == 400
    assert len(learnt.all) == 2


def test_nobody_else_sees_or_takes_back_a_lesson(phone: Phone, learnt: CorrectionsLearnt) -> None:
    stranger = phone.client.application.test_client()
    for path in ("/api/organiser/lessons", "/api/organiser/lessons/1.jpg"):
        assert stranger.get(path).status_code == 401
    assert stranger.post("/api/organiser/lessons/forget", json={"id": 2}).status_code == 401
    assert forget(phone, {"id": 2}, **{"X-CSRF-Token": "guessed"}).status_code == 403
    assert len(learnt.all) == 2
