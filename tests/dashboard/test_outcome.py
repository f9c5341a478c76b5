"""Only the outcome of a hand: who paid, when nobody can tell the rest."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from phones import Phone

from companion.dashboard import create_app
from companion.games import GAMES
from companion.games.stu.pages.outcome import comes_to, stated
from companion.games.stu.rules import apply, begin, replay_log, report
from companion.games.stu.rules.log import Hand, new_game
from companion.games.stu.sightings import Appeared, Cleared, Shown
from companion.ledger import Ledger
from companion.line.scribe import Scribe
from companion.referee.evening import replay
from companion.referee.record import Saw
from companion.table.log import write_lines

NAMES = ("Anna", "Bruno", "Carla", "Dino", "Elsa", "Fabio")


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 6), st.lists(st.integers(0, 3), min_size=6, max_size=6), st.sampled_from(["2", "9", "cucco", None]))
def test_the_hand_that_is_found_comes_to_just_this(players: int, paid: list[int], face: str | None) -> None:
    before = begin(new_game(NAMES[:players], 200, NAMES[players - 1]))
    wanted = {name: many for name, many in zip(NAMES[:players], paid, strict=False) if many}
    found = stated(before, (Hand(),), wanted, {"Anna": face} if face else {})
    if found is None:
        return
    state = before
    for event in found:
        state = apply(state, event)
    assert state.hand is None
    assert comes_to(before, state) == wanted


@pytest.mark.parametrize(
    "paid",
    [{"Anna": 1}, {"Dino": 1}, {"Anna": 2}, {"Carla": 2}, {"Anna": 1, "Bruno": 1}, {"Anna": 1, "Dino": 1},
     {"Bruno": 2, "Dino": 1}, {"Anna": 1, "Bruno": 1, "Carla": 1}, {"Bruno": 3}],
    ids=str,
)  # fmt: skip
def test_what_can_happen_at_a_table_is_found(paid: dict[str, int]) -> None:
    assert stated(begin(new_game(NAMES[:4], 200, "Dino")), (Hand(),), paid, {}) is not None


@pytest.mark.parametrize("paid", [{}, {"Dino": 2}, {"Anna": 1, "Bruno": 1, "Carla": 1, "Dino": 3}], ids=str)
def test_what_no_hand_can_come_to_is_not_found(paid: dict[str, int]) -> None:
    """Somebody always pays; the dealer asks nobody."""
    assert stated(begin(new_game(NAMES[:4], 200, "Dino")), (Hand(),), paid, {}) is None


def test_a_card_that_was_seen_is_heeded_where_that_can_be() -> None:
    before = begin(new_game(NAMES[:3], 200, "Carla"))
    found = stated(before, (Hand(),), {"Anna": 1}, {"Anna": "7", "Bruno": "9"})
    assert found is not None
    shown = {event.by: event.card for event in found if hasattr(event, "card")}
    assert (shown["Anna"], shown["Bruno"]) == ("7", "9")
    assert stated(before, (Hand(),), {"Anna": 1}, {"Anna": "9", "Bruno": "7"}) is not None  # somebody is mistaken


@pytest.fixture
def scribe(ledger: Ledger) -> Scribe:
    return Scribe.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla"))


@pytest.fixture
def app(ledger: Ledger, scribe: Scribe) -> Flask:
    return create_app(ledger, scribe=lambda: scribe)


def payments(scribe: Scribe) -> list[tuple[str, int]]:
    """Of the last hand, as `companion rule` reads the recorded log."""
    told = report(replay_log(write_lines(scribe.ledger.lines(scribe.game_id))))
    return [(paid.player, paid.delta) for paid in told.hands[-1].payments]


def test_the_log_gives_just_this_outcome_and_marks_what_nobody_has_seen(app: Flask, scribe: Scribe) -> None:
    phone = Phone(app)
    phone.say({"e": "hand"})
    do = {"what": "outcome", "hand": phone.view["hand"]["id"], "paid": {"Bruno": 2}}
    effect = phone.send(do, dry=True).json
    assert effect["hands"][0]["then"] == "Bruno −2: si sa solo l’esito"
    phone.view = phone.send({**do}).json
    assert sum(delta for _, delta in payments(scribe)) == -2
    assert {player for player, _ in payments(scribe)} == {"Bruno"}
    lines = phone.view["hand"]["lines"]
    assert [line["stand_in"] for line in lines] == [False, *[True] * (len(lines) - 2), False]
    log = scribe.ledger.lines(scribe.game_id)
    assert [line.confidence for line in log[1:]] == [1.0, *[0.0] * (len(log) - 3), 1.0]
    assert phone.view["undoes"]["text"] == "solo l’esito della mano 1"
    phone.do("undo", entry=phone.view["undoes"]["entry"])
    assert payments(scribe) == []


def test_spectators_see_who_pays_and_no_card_that_nobody_has_seen(app: Flask, client: FlaskClient, scribe: Scribe) -> None:
    phone = Phone(app)
    phone.say({"e": "hand"})
    phone.do("outcome", hand=phone.view["hand"]["id"], paid={"Anna": 1, "Bruno": 2})
    view = client.get("/api/game?lang=it").json
    paid = {(paid["player"], paid["delta"], paid["cause"], paid["card"]) for paid in view["ruling"]["payments"]}
    assert paid == {("Anna", -1, "stated", None), ("Bruno", -2, "stated", None)}
    assert view["ruling"]["notes"] == ["Si sa solo l’esito: l’ha detto il tavolo"]
    assert [seat["card"]["face"] for seat in view["seats"]] == [None] * 3
    assert not any("mostra" in said for said in view["happened"])
    assert client.get("/api/moviola").json is None
    phone.tap(phone.view["next"]["offers"][0]["label"])
    assert client.get("/api/game?lang=it").json["ruling"] is None


def test_what_the_camera_thought_possible_comes_before_what_is_made_up(app: Flask, scribe: Scribe) -> None:
    for sighting in (*(Appeared(1.0 + place, place) for place in range(3)), Shown(15.0, 0, 1, (("2", 0.6), ("8", 0.4))),
                     Shown(15.5, 1, 2, (("5", 1.0),)), Shown(16.0, 2, 3, (("9", 1.0),)), Cleared(20.0)):  # fmt: skip
        scribe.report(Saw(sighting))
    phone = Phone(app)
    assert payments(scribe) == [("Anna", -1)]
    phone.do("outcome", hand=phone.view["hands"][0]["id"], paid={"Bruno": 1})
    assert payments(scribe) == [("Bruno", -1)]
    cards = {line["event"]["by"]: line["event"]["card"] for line in phone.view["hand"]["lines"] if line["event"]["e"] == "reveal"}
    assert cards == {"Anna": "8", "Bruno": "5", "Carla": "9"}


def test_a_restart_keeps_the_marks(app: Flask, scribe: Scribe) -> None:
    phone = Phone(app)
    phone.say({"e": "hand"})
    phone.do("outcome", hand=phone.view["hand"]["id"], paid={"Bruno": 1})
    again = Scribe.resume(scribe.ledger, scribe.game_id)
    assert again.evening.log == scribe.evening.log
    assert again.evening.chapters[0].standing_in == scribe.evening.chapters[0].standing_in
    assert replay(GAMES["stu"], again.evening.record).log == scribe.evening.log


@pytest.mark.parametrize(("paid", "status"), [({}, 422), ({"Zeno": 1}, 422), ({"Anna": -1}, 400), ({"Anna": 1.5}, 400)])
def test_an_outcome_that_cannot_be_says_so(app: Flask, scribe: Scribe, paid: dict, status: int) -> None:
    phone = Phone(app)
    phone.say({"e": "hand"})
    answer = phone.send({"what": "outcome", "hand": phone.view["hand"]["id"], "paid": paid})
    assert answer.status_code == status
    assert answer.json["message"]
