"""A line that is not sure makes nothing sure: not the face that it shows, nor what is paid for it, nor a mistake that it would
prove; also where it is sure who pays."""

from __future__ import annotations

import json
from typing import Any

import pytest
import stoper_cases
import stoppa_cases
from phones import Phone
from test_corrected import STU_GAME, stoper, stoppa, stu

from companion.dashboard import create_app
from companion.games import GAMES
from companion.ledger import Ledger

STU = [{**STU_GAME, "edition": "booklet"}, *stu("hand\npasso Anna"), {"e": "swap", "with": "Bruno"},
       *stu("sto Bruno\nreveal Anna 2\nreveal Bruno cucco\nreveal Carla 6")]  # fmt: skip
ROUNDS = "hand\npiccolo\npiccolo\npiccolo\npiccolo\ngrosso"
STOPPA = [stoppa_cases.first_line(""), *stoppa(f"{ROUNDS}\nlay Anna d5\nlay Carla d6\nannul\nshow Bruno c6")]
PASSES = "\n".join(f"passo {name}" for name in ("Ciro", "Dora", "Elsa", "Fabio", "Ada"))
STOPER = [stoper_cases.first_line(""), *stoper(f"hand\napro Bice 200\n{PASSES}\nshow Bice b7 b3 c5")]
BLAMED = {
    "stu": (STU, "ha passato una carta"), "stoppa": (STOPPA, "non ha calato la carta"), "stoper": (STOPER, "Bice ha aperto"),
}  # fmt: skip


def shown(ledger: Ledger, log: list[dict[str, Any]], doubtful: int | None) -> dict[str, Any]:
    """What the TV shows at the end of this log, with one line that is not sure: the last but ``doubtful``."""
    told = [{**event, "confidence": 0.99} for event in log]
    if doubtful is not None:
        told[len(log) - 1 - doubtful]["confidence"] = 0.6
    told.append({"e": "end", "confidence": 0.99})
    game = GAMES[log[0]["game"]]
    lines = game.rules.LOG.read_lines("\n".join(map(json.dumps, told)).encode())
    ledger.record(ledger.new_game(), lines)
    view: dict[str, Any] = Phone(create_app(ledger)).client.get("/api/game?lang=it").json
    assert view["ruling"]["sure"]
    return view


@pytest.mark.parametrize("game_id", BLAMED)
def test_nobody_is_blamed_for_what_may_have_been_misread(ledger: Ledger, game_id: str) -> None:
    log, blame = BLAMED[game_id]
    for doubtful, mark in ((None, False), (1 if game_id == "stu" else 0, True)):
        view = shown(ledger, log, doubtful)
        (note,) = (note for note in view["ruling"]["notes"] if blame in note)
        assert note.endswith("?") == mark, note
        assert all(said.endswith("?") == mark for said in view["happened"] if blame in said)
        sheet = Phone(create_app(ledger)).client.get(f"/organiser/games/{view['game']}/sheet?lang=it").text
        assert f"{note}</p>" in sheet


def test_a_face_that_may_be_another_is_shown_as_that(ledger: Ledger) -> None:
    view = shown(ledger, STU, 2)
    assert [(seat["name"], seat["doubtful"]) for seat in view["seats"]] == [("Anna", True), ("Bruno", False), ("Carla", False)]
    assert view["happened"][-4:-1] == ["Anna mostra il 2?", "Bruno mostra il Cucco", "Carla mostra il 6"]
    assert [row["why"] for row in view["ruling"]["sums"]] == [["la più bassa, il 2 (regola 8)?"]]
    assert view["ruling"]["headline"] == ["PAGA Anna 1"]


def test_what_the_tv_doubts_of_a_hand_the_phone_marks(ledger: Ledger) -> None:
    shown(ledger, STU, 2)
    phone = Phone(create_app(ledger))
    assert [line["text"] for line in phone.view["hand"]["lines"] if line["unsure"]] == ["Anna mostra il 2"]
    phone.do("confirm", hand=phone.view["hand"]["id"])
    view = phone.client.get("/api/game?lang=it").json
    assert not any(seat["doubtful"] for seat in view["seats"])
    assert not any(said.endswith("?") for said in (*view["happened"], *view["ruling"]["notes"]))
