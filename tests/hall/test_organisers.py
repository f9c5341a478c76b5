"""All open questions of all tables on one phone; an answer is done at the right table, or refused as on any phone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from phones import Phone
from serving import until
from stories import NAMES, plain
from tables import Organiser, Running, Table, table
from test_not_seen import DARK
from ways import Plain, Way, drained, exchange

from companion.dashboard.organiser.pairing import qr
from companion.games.stu.rules.log import new_game
from companion.hall.table.exchange import Exchange
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder
from companion.table.log import Line

WORDS = {"it": "8 secondi non visti. Chi ha preso la gnaffata da Carla?", "en": "8 seconds not seen."}


@pytest.fixture
def asking(hall: Running) -> Iterator[Table]:
    """The second table of a hall asks who has taken a gnaffata; the first asks nothing."""
    with table(hall) as quiet, table(hall, name="Portico") as made:
        quiet.begin()
        EveningRecorder.begin(made.ledger, new_game(list(NAMES), 200, "Dino")).saw([*plain(0, "7", "8", "2", "9"), *DARK])
        until(lambda: hall.tables()[1]["questions"] == 1)
        yield made


def test_a_question_is_asked_and_answered_at_the_right_table(hall: Running, asking: Table, lang: str) -> None:
    phone = Organiser(hall, lang)
    [asked] = phone.look()["questions"]
    assert (asked["table"], asked["name"], asked["n"], asked["sent"]) == (2, "Portico", 2, False)
    assert asked["text"].startswith(WORDS[lang])
    own = Phone(asking.app, lang).view["question"]
    assert [(one["id"], one["text"]) for one in asked["choices"]] == [(one["id"], one["text"]) for one in own["choices"]]
    [bruno] = [one["id"] for one in asked["choices"] if one["text"] == "Bruno"]
    body = {"table": 2, "question": asked["id"], "choice": bruno, "tap": "tap-tap-1"}
    for _ in range(2):  # tapped twice; the second tap arrives when the table asks no more
        assert phone.post("answer", body).status_code == 200
        until(lambda: hall.tables()[1]["questions"] == 0)
    [outcome] = until(lambda: phone.look()["outcomes"])
    assert outcome["ok"]
    history = Phone(asking.app, lang).client.get("/api/organiser/history").json
    assert len(history) == 1
    assert Phone(asking.app).view["question"] is None


def test_an_answer_that_was_overtaken_is_refused_and_says_why(hall: Running, asking: Table) -> None:
    phone = Organiser(hall, "en")
    [asked] = phone.look()["questions"]
    asking.joining.close()  # nothing goes to and comes from the hall meanwhile
    [bruno] = [one["id"] for one in asked["choices"] if one["text"] == "Bruno"]
    another = next(one["id"] for one in asked["choices"] if one["id"] not in (bruno, None))
    body = {"table": 2, "question": asked["id"], "choice": another, "tap": "tap-tap-2"}
    assert phone.post("answer", body).json["questions"][0]["sent"]
    Phone(asking.app).do("answer", question=asked["id"], choice=bruno)
    asking.joining.resume()
    [outcome] = until(lambda: phone.look()["outcomes"])
    assert not outcome["ok"]
    assert outcome["text"].startswith("Table Portico: ")
    assert "Nothing that was seen agrees with it" in outcome["text"]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({}, 200), ({"choice": "no such"}, 400), ({"question": "9:gone"}, 409), ({"table": 1}, 409), ({"tap": "x"}, 400),
        ({"more": 1}, 400),
    ],
)
def test_what_is_no_answer_is_refused(hall: Running, asking: Table, change: dict, status: int) -> None:
    phone = Organiser(hall)
    asked = phone.look()["questions"][0]
    body = {"table": 2, "question": asked["id"], "choice": None, "tap": "tap-tap-3"} | change
    assert phone.post("answer", body, csrf="x").status_code == 403
    assert hall.client.post("/api/hall/answer", json=body).status_code == 401
    assert phone.post("answer", body).status_code == status


def test_an_older_branch_is_shown_where_it_is_chosen_until_the_table_sends_more(hall: Running, ledger: Ledger, lang: str) -> None:
    way, phone = Way(hall.hall.database), Organiser(hall, lang)
    run = exchange(way, ledger)
    game = ledger.begin([Line(new_game(list(NAMES), 100, "Dino"))])
    for stake in (200, 300):
        ledger.record(game, [Line(new_game(list(NAMES), stake, "Dino"))])
    drained(run)
    assert phone.look()["tables"][0]["branches"] == []
    with ledger.writing() as writing:
        writing.execute("DELETE FROM version WHERE number > 1")
    ledger._versions.drop(game)
    ledger.record(game, [Line(new_game(list(NAMES), 400, "Dino"))])
    copy = Exchange(ledger, Plain(ledger), run._member, way)
    drained(copy)
    hall.hall.showing.changed([1, 2])
    until(lambda: hall.tables()[0]["version"] == 2)
    [told] = phone.look()["tables"]
    assert [(one["game"], one["shown"]) for one in told["branches"]] == [(2, True), (1, False)]
    assert len(told["notes"]) == 1
    for seat, branch in ((2, 1), (1, 99)):  # another table's, and none
        assert phone.post("branch", {"table": seat, "game": branch}).json["tables"] == [told]
    assert phone.post("branch", {"table": 1, "game": 1}, csrf="x").status_code == 403
    [told] = phone.post("branch", {"table": 1, "game": 1}).json["tables"]
    assert [(one["game"], one["shown"]) for one in told["branches"]] == [(2, False), (1, True)]
    assert told["notes"] == []
    until(lambda: hall.tables()[0]["version"] == 3)
    ledger.record(game, [Line(new_game(list(NAMES), 500, "Dino"))])
    drained(copy)
    hall.hall.showing.changed([2])
    until(lambda: [one["shown"] for one in phone.look()["tables"][0]["branches"]] == [True, False])


def test_a_table_that_is_removed_sends_no_more_and_is_told(hall: Running, asking: Table) -> None:
    phone = Organiser(hall)
    assert [one["name"] for one in phone.post("withdraw", {"table": 2}).json["tables"]] == ["1"]
    until(lambda: asking.joining.standing.state == "refused")
    for lang, why in (("it", "non conosce (più) questo tavolo"), ("en", "The hall does not know this table (any more)")):
        [told] = asking.joining.notices(lang)
        assert why in told
    assert len(hall.tables()) == 1


@pytest.mark.parametrize("page", ["/organiser", "/organiser/tournament"])
def test_the_organisers_pages_have_the_theme_of_the_device_or_the_one_that_the_address_names(hall: Running, page: str) -> None:
    client = Organiser(hall).client
    assert "data-theme" not in client.get(page).text
    assert 'data-theme="light"' in client.get(f"{page}?theme=light").text


def test_a_phone_needs_the_pin_and_spectators_see_no_question(hall: Running, asking: Table) -> None:
    for address in ("/api/hall/organiser", "/organiser"):
        assert hall.client.get(address).status_code in (302, 401)
    question = Organiser(hall).look()["questions"][0]["text"]
    for address in ("/api/hall", "/api/hall/now", "/api/tables/2/game", "/api/tables/2/now", "/tables/2"):
        assert question not in hall.client.get(address).text


@pytest.mark.parametrize("address", ["/api/hall/now", "/api/tables/2/now"])
def test_any_cache_may_keep_for_a_second_what_everybody_gets(hall: Running, asking: Table, address: str) -> None:
    told = hall.client.get(f"{address}?lang=it&seen=")
    assert told.headers["Cache-Control"] == "public, max-age=1"
    assert "Set-Cookie" not in told.headers
    assert told.headers.get("Vary") in (None, "Accept-Encoding")
    for own in (address, f"{address}?lang=xx"):
        assert hall.client.get(own, headers={"Accept-Language": "it"}).headers["Cache-Control"] == "no-store"
    assert hall.client.get("/api/tables/99/now?lang=it").headers["Cache-Control"] == "no-store"


def test_a_referees_phone_answers_and_deals_with_calls_and_changes_nothing_else(hall: Running, asking: Table) -> None:
    organiser, referee = Organiser(hall, "en"), Organiser(hall, "en")
    phones = {one["own"]: one["id"] for one in organiser.look()["phones"]}
    own, other = phones[True], phones[False]
    assert organiser.post("role", {"phone": own, "referee": True}).status_code == 400  # an organiser's phone is always left
    assert organiser.post("role", {"phone": 99, "referee": True}).status_code == 400
    told = organiser.post("role", {"phone": other, "referee": True}).json
    assert [one["referee"] for one in told["phones"]] == [False, True]
    seen = referee.look()
    assert (seen["referee"], seen["code"], seen["phones"], len(seen["tables"])) == (True, "", [], 2)
    code = hall.hall.code.text()
    assert code not in referee.client.get("/organiser?lang=en").text
    assert code in organiser.client.get("/organiser?lang=en").text
    assert referee.client.get("/organiser/code.svg").status_code == 404
    line = f"companion serve --host 0.0.0.0 --hall {hall.url} --code {code}"
    assert qr(line).removeprefix("<svg ") in organiser.client.get("/organiser/code.svg").text
    for what, body in (
        ("withdraw", {"table": 1}), ("branch", {"table": 1, "game": 1}), ("role", {"phone": own, "referee": True}),
        ("role", {"phone": other, "referee": False}),
    ):  # fmt: skip
        refused = referee.post(what, body)
        assert (refused.status_code, refused.json["error"]) == (403, "referee")
    for address in ("/organiser/tournament", "/season/settings", "/evenings/open", "/organiser/phones"):
        form = {"csrf": referee.csrf, "do": "begin", "open": "1", "phone": str(own)}
        assert referee.client.post(address, data=form).status_code == 403
    for address in ("/organiser/tournament", "/season/settings", "/organiser/phones"):
        assert referee.client.get(address).location == "/organiser"
    for address in ("/evenings", "/season", "/draw", "/organiser"):
        assert referee.client.get(address).status_code == 200
    assert not hall.hall.season.past.open
    assert len(organiser.look()["phones"]) == 2
    asking.joining.call_referee(True)
    [call] = until(lambda: referee.look()["calls"])
    assert referee.post("dealt", {"table": call["table"], "call": call["call"]}).json["calls"] == []
    [asked] = referee.look()["questions"]
    [bruno] = [one["id"] for one in asked["choices"] if one["text"] == "Bruno"]
    assert referee.post("answer", {"table": 2, "question": asked["id"], "choice": bruno, "tap": "tap-tap-9"}).status_code == 200
    until(lambda: hall.tables()[1]["questions"] == 0)
    organiser.post("role", {"phone": other, "referee": False})
    assert referee.post("withdraw", {"table": 1}).status_code == 200
