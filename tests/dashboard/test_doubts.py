"""What the TV shows as not sure the phone marks, and one tap says that it was so."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

import pytest
from phones import Phone

from companion.dashboard import Settings, create_app
from companion.games import GAMES
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.table.log import Line, tag

WINGS = ("stu", "stoppa", "stoper")


def evening(game_id: str, hands: int) -> tuple[Line, ...]:
    """A few hands of four players, and the lines of the next."""
    bots, rules = import_module(f"companion.games.{game_id}.bots"), GAMES[game_id].rules
    log = bots.simulate(bots.Settings(players=bots.seated(4), event_probabilities=bots.PLAIN), hands=hands + 1, seed=3)
    state, kept = rules.begin(log[0].event), [log[0]]
    for line in log[1:]:
        state = rules.apply(state, line.event)
        kept.append(line)
        if rules.hands(state) == hands and not rules.in_hand(state):
            end = rules.LOG.event({"e": "end"})
            return (*kept, Line(end)) if rules.check(state, end) is None else tuple(kept)
    raise AssertionError("fewer hands were played")


def with_confidence(log: tuple[Line, ...], at: int, confidence: float) -> tuple[Line, ...]:
    return tuple(Line(line.event, confidence=confidence if index == at else 1.0) for index, line in enumerate(log))


def hatched(view: dict[str, Any]) -> tuple[bool, list[str]]:
    """Whether the TV shows something of the hand on the table as not sure, and whose pedine or chips it shows so."""
    lying = [seat.get("doubtful") or doubted_change(seat) for seat in view["seats"]]
    centre = view.get("centre") or {}
    parts = [*view.get("won", ()), *centre.get("pile", ()), *centre.get("pots", ())]
    ruling = view["ruling"]
    unsure = any(lying) or any(not part["sure"] for part in parts) or (ruling is not None and not ruling["sure"])
    return unsure, [seat["name"] for seat in view["seats"] if seat["believed"]]


def doubted_change(seat: dict[str, Any]) -> bool:
    """Whether it is shown, and shown as not sure, how many cards they changed."""
    return bool(seat.get("changed_doubtful")) and seat["changed"] is not None


@pytest.mark.parametrize("sure_from", [0.95, 0.7])
@pytest.mark.parametrize("game_id", WINGS)
def test_what_the_tv_hatches_the_phone_marks_and_one_tap_says_it_was_so(ledger: Ledger, game_id: str, sure_from: float) -> None:
    log = evening(game_id, 2)
    ledger.begin(with_confidence(log, len(log) - 1, 0.8))
    app = create_app(ledger, settings=Settings(sure_from=sure_from))
    phone, client = Phone(app), app.test_client()
    unsure, believed = hatched(client.get("/api/game").json)
    assert unsure == (sure_from > 0.8)
    assert (phone.view["hand"]["unsure"], phone.view["believed"]) == (unsure, believed)
    assert [hand["unsure"] for hand in phone.view["hands"]] == [unsure, False]
    assert not phone.client.get(f"/api/organiser/hand/{phone.view['hands'][1]['id']}").json["unsure"]
    phone.do("confirm", hand=phone.view["hand"]["id"], shown=phone.view["hand"]["events"])
    assert hatched(client.get("/api/game").json) == (False, [])
    phone.look()
    assert (phone.view["hand"]["unsure"], phone.view["believed"]) == (False, [])


@pytest.mark.parametrize("game_id", WINGS)
def test_in_a_hand_the_doubtful_lines_are_those_that_the_tv_marks(ledger: Ledger, game_id: str) -> None:
    log = evening(game_id, 8)
    shows = {"stu": ("reveal",), "stoppa": ("show", "lay"), "stoper": ("show",)}[game_id]
    app = create_app(ledger)
    client, marked = app.test_client(), 0
    for at in [index for index, line in enumerate(log) if tag(line.event) in shows][:8]:
        game = ledger.begin(with_confidence(log[: at + 1], at, 0.6))
        phone = Phone(app)
        assert phone.view["game"] == game
        unsure, believed = hatched(client.get("/api/game").json)
        assert (phone.view["hand"]["unsure"], phone.view["believed"]) == (unsure, believed)
        assert phone.view["hands"][0]["unsure"] == unsure
        doubtful = [line["event"]["e"] for line in phone.view["hand"]["lines"] if line["unsure"]]
        assert tag(log[at].event) in doubtful
        if unsure:
            marked += 1
            phone.do("confirm", hand=phone.view["hand"]["id"], shown=phone.view["hand"]["events"])
            assert not hatched(client.get("/api/game").json)[0]
    assert marked or game_id == "stu"  # in Lu Stù nothing is hatched before somebody pays


def test_after_an_unsure_hand_what_players_have_is_marked_until_it_is_confirmed(ledger: Ledger) -> None:
    log = evening("stu", 1)
    ledger.begin((*with_confidence(log, len(log) - 1, 0.6), Line(GAMES["stu"].rules.LOG.event({"e": "hand"}))))
    app = create_app(ledger)
    phone = Phone(app)
    believed = [seat["name"] for seat in app.test_client().get("/api/game").json["seats"] if seat["believed"]]
    assert believed
    assert phone.view["believed"] == believed
    assert [hand["unsure"] for hand in phone.view["hands"]] == [False, True]
    assert not phone.view["hand"]["unsure"]
    phone.do("confirm", hand=phone.view["hands"][1]["id"])
    assert phone.look()["believed"] == []


PAYS_BY_AN_ANSWER = {
    "a bbummata after a passo that is not sure": ("passo Anna 0.6\nreveal Bruno bragon", False),
    "a gnaffata over a Salta": ("passo Anna 0.6\nreveal Bruno salta\nreveal Carla gnao", False),
    "a Salta that is not sure": ("passo Anna\nreveal Bruno salta 0.6\nreveal Carla gnao", False),
    "backwards": ("passo Anna\nswap Bruno\npasso Bruno 0.6\nreveal Carla gnao", False),
    "an answer that is not sure": ("passo Anna\nreveal Bruno bragon 0.6", False),
    "all sure": ("passo Anna\nreveal Bruno bragon", True),
    "an exchange before it": ("passo Anna 0.6\nswap Bruno\npasso Bruno\nreveal Carla gnao", True),
    "what comes after it": ("passo Anna\nreveal Bruno gnao\npasso Carla 0.6", True),
}
"""Lines of a hand, sure where nothing else is said, and whether it is sure then who has paid so far."""


@pytest.mark.parametrize("what", PAYS_BY_AN_ANSWER)
def test_who_pays_is_no_surer_than_the_question_that_was_answered(ledger: Ledger, what: str) -> None:
    """A trump that is seen for sure costs nobody anything where nobody has asked."""
    told, sure = PAYS_BY_AN_ANSWER[what]
    key = {"passo": "by", "reveal": "by", "swap": "with"}
    lines = [Line(new_game(["Anna", "Bruno", "Carla", "Dino"], 200, "Dino"))]
    for said in ("hand", *told.splitlines()):
        e, *words = said.split()
        confidence = float(words.pop()) if words and words[-1] == "0.6" else 0.998
        event = {"e": e, **({key[e]: words[0]} if words else {}), **({"card": words[1]} if words[1:] else {})}
        lines.append(Line(GAMES["stu"].rules.LOG.event(event), confidence=confidence))
    ledger.begin(tuple(lines))
    app = create_app(ledger)
    view = app.test_client().get("/api/game?lang=it").json
    assert view["ruling"]["sure"] == sure
    paid = {payment["player"] for payment in view["ruling"]["payments"]}
    assert {seat["name"] for seat in view["seats"] if seat["believed"]} == (set() if sure else paid)
    assert Phone(app).view["hand"]["unsure"] == (not sure)


def test_how_many_cards_somebody_changed_is_in_doubt_only_while_it_is_shown(ledger: Ledger) -> None:
    log, rules = evening("stoper", 8), GAMES["stoper"].rules
    app = create_app(ledger)
    client, told = app.test_client(), set[bool]()
    for at in [index for index, line in enumerate(log) if tag(line.event) == "cambio"][:4]:
        over = next(end for end in range(at + 1, len(log) + 1) if not rules.in_hand(rules.replay(log[:end])))
        for end in (at + 1, over):
            ledger.begin(with_confidence(log[:end], at, 0.6))
            phone = Phone(app)
            unsure, believed = hatched(client.get("/api/game").json)
            assert (phone.view["hand"]["unsure"], phone.view["believed"]) == (unsure, believed)
            assert not unsure or end < over
            told.add(unsure)
    assert told == {True, False}


CHANGED = [
    {"e": "game", "v": 1, "game": "stoper", "players": ["Ada", "Bice", "Ciro", "Dora"], "mode": "cash", "stacks": 1000,
     "currency": "EUR", "dealer": "Dora"},
    {"e": "hand", "cip": 50, "invito": 50}, {"e": "apro", "by": "Ada", "to": 100},
    *({"e": "vedo", "by": name} for name in ("Bice", "Ciro")), {"e": "passo", "by": "Dora"},
    *({"e": "cambio", "by": name, "n": 2, "confidence": 0.6} for name in ("Ada", "Bice")), {"e": "cambio", "by": "Ciro", "n": 1},
    {"e": "punto", "by": "Ada", "to": 50}, {"e": "passo", "by": "Bice"}, {"e": "vedo", "by": "Ciro"},
    {"e": "show", "by": "Ada", "cards": ["coppe-1", "denari-1", "spade-1"]},
]  # fmt: skip


@pytest.mark.parametrize("many", range(7, len(CHANGED) + 1))
def test_a_change_of_cards_that_is_in_doubt_stands_on_the_tv_for_as_long_as_on_the_phone(ledger: Ledger, many: int) -> None:
    """Also beside cards that lie open, and of a player who has thrown theirs away."""
    log = GAMES["stoper"].rules.LOG
    ledger.begin(log.read_lines(b"".join(json.dumps(event).encode() + b"\n" for event in CHANGED[:many])))
    app = create_app(ledger)
    shown = app.test_client().get("/api/game").json["seats"]
    lines = Phone(app).view["hand"]["lines"]
    listed = [line["event"]["by"] for line in lines if line["unsure"] and line["event"]["e"] == "cambio"]
    assert [seat["name"] for seat in shown if doubted_change(seat)] == listed
    assert listed
