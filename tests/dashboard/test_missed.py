"""A whole hand that the camera has missed, told afterwards on the phone."""

from typing import Any

import pytest
from flask import Flask
from phones import Phone

from companion.games.stu.rules import replay_log, report
from companion.ledger import Ledger
from companion.table.log import write_lines

STAYED = [{"e": "hand"}, {"e": "sto", "by": "Carla"}]
FACES = [{"e": "reveal", "by": name, "card": card} for name, card in (("Anna", "3"), ("Bruno", "9"), ("Carla", "7"))]


@pytest.fixture
def phone(app: Flask, game: int) -> Phone:
    """With one hand played: Carla deals, Bruno has the lowest card."""
    phone = Phone(app)
    phone.say({"e": "hand"}, {"e": "sto", "by": "Carla"})
    for name, card in (("Anna", "5"), ("Bruno", "2"), ("Carla", "8")):
        phone.show(name, card)
    return phone


def tell(phone: Phone, events: list, **changed: object) -> Any:
    view = phone.view
    body = {"game": view["game"], "version": view["version"], "before": view["hands"][-1]["id"], "events": events, **changed}
    return phone.client.post("/api/organiser/missed", json=body, headers={"X-CSRF-Token": phone.csrf})


def payers(ledger: Ledger, game: int) -> list[tuple[str, str | None]]:
    told = report(replay_log(write_lines(ledger.lines(game))))
    return [(paid.player, paid.card) for hand in told.hands for paid in hand.payments]


def test_it_is_told_by_thumb_from_the_deal_to_the_last_card(phone: Phone, ledger: Ledger, game: int) -> None:
    told = tell(phone, []).json
    assert told["lines"] == ["Mano 1: il mazzo a Carla"]
    assert told["next"]["offers"][0]["label"] == "Anna sta"
    events = told["events"] + next(
        offer["events"] for offer in told["next"]["offers"] if offer["label"].startswith("Stanno tutti")
    )
    for face in FACES:
        told = tell(phone, events).json
        assert not told["over"]
        assert face["by"] in [covered["player"] for covered in told["next"]["covered"]]
        events = [*events, face]
    told = tell(phone, events).json
    assert told["over"]
    assert told["events"][-1] == {"e": "end"}
    assert payers(ledger, game) == [("Bruno", "2")]  # nothing has been put in yet
    phone.do("insert", hand=phone.view["hands"][-1]["id"], events=told["events"])
    assert payers(ledger, game) == [("Anna", "3"), ("Bruno", "2")]
    assert [hand["n"] for hand in phone.view["hands"]] == [2, 1]


def test_what_it_does_is_shown_first_and_it_can_be_undone(phone: Phone, ledger: Ledger, game: int) -> None:
    do = {"what": "insert", "hand": phone.view["hands"][-1]["id"], "events": [*STAYED, *FACES, {"e": "end"}]}
    effect = phone.send(do, dry=True).json
    assert any(row["what"] == "Anna" and row["then"] == "2 pedine" for row in effect["rest"])
    assert payers(ledger, game) == [("Bruno", "2")]
    phone.do(**do)
    phone.do("undo")
    assert payers(ledger, game) == [("Bruno", "2")]
    phone.do("redo")
    assert payers(ledger, game) == [("Anna", "3"), ("Bruno", "2")]


def test_a_hand_that_is_not_over_is_not_put_in(phone: Phone, ledger: Ledger, game: int) -> None:
    answer = phone.send({"what": "insert", "hand": phone.view["hands"][-1]["id"], "events": STAYED})
    assert answer.status_code == 422
    assert answer.json["message"] == "La mano non è finita"
    assert payers(ledger, game) == [("Bruno", "2")]


@pytest.mark.parametrize(
    ("events", "changed", "status"),
    [
        pytest.param([{"e": "hand"}, {"e": "sto", "by": "Zeno"}], {}, 422, id="nobody of that name"),
        pytest.param([{"e": "hand"}, {"e": "swap", "with": "Bruno"}], {}, 422, id="nobody has passed"),
        pytest.param([{"e": "dance"}], {}, 400, id="no such act"),
        pytest.param([], {"before": 99}, 404, id="no such hand"),
        pytest.param([], {"game": 99}, 409, id="another game"),
    ],
)
def test_what_cannot_be_says_why(phone: Phone, events: list, changed: dict, status: int) -> None:
    answer = tell(phone, events, **changed)
    assert answer.status_code == status
    assert answer.json["message"]


def test_it_is_told_on_while_the_camera_sees_other_things(phone: Phone) -> None:
    past = dict(phone.view)
    phone.tap(phone.view["next"]["offers"][0]["label"])  # the next hand begins
    phone.view = past
    assert tell(phone, STAYED).json["lines"] == ["Mano 1: il mazzo a Carla", "Carla sta"]


def test_only_a_paired_phone_can_tell_one(app: Flask, phone: Phone) -> None:
    assert app.test_client().post("/api/organiser/missed", json={}).status_code == 401
