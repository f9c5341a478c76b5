"""What was agreed on the pot is told wherever it counts: partners of a ricompera, a ceded Taverna, a split."""

from __future__ import annotations

from decimal import Decimal

import pytest
from flask import Flask
from phones import Phone

from companion.dashboard import create_app
from companion.games.stoper.rules.log import new_game as new_stoper
from companion.games.stu.rules.log import Partner, Rebuy, Standing, new_game
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder
from companion.table.log import Line

PARTNERS = [{"name": "Zia", "share": 0.25}, {"name": "Carla", "share": 0.333333}]
BACK = {"e": "rebuy", "by": "Anna", "partners": PARTNERS}
TOGETHER = "con Zia (25\u00a0%: 2,50 €, mette 1,00 €) e Carla (33,3333\u00a0%: 3,33 €, mette 1,33 €)"
"""The pot is 6,00 € before the ricompera, which costs 4,00 €."""
WITH = "Anna rientra con una ricompera con Zia (25\u00a0%, mette 1,00 €) e Carla (33,3333\u00a0%, mette 1,33 €)"
"""The line stays when the pot grows, so it has no sum of the pot."""
SHARES = "Zia 25\u00a0% (2,50 €), mette 1,00 €; Carla 33,3333\u00a0% (3,33 €), mette 1,33 €"
HAND = [{"e": "hand"}, *({"e": "reveal", "by": name, "card": card} for name, card in (("Bruno", "9"), ("Carla", "1")))]


@pytest.fixture
def app(ledger: Ledger) -> Flask:
    standing = {"Anna": Standing(0, False), "Bruno": Standing(3, True), "Carla": Standing(1, False)}
    EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla", standing=standing))
    return create_app(ledger)


@pytest.fixture
def phone(app: Flask) -> Phone:
    return Phone(app)


def rest(answer: dict) -> dict[str, tuple[str, str]]:
    """What a preview says besides the hands."""
    return {one["what"]: (one["now"], one["then"]) for one in answer["rest"]}


def would(phone: Phone, **do) -> dict[str, tuple[str, str]]:
    answer = phone.send(do, dry=True)
    assert answer.status_code == 200, answer.text
    return rest(answer.json)


def place(phone: Phone, index: int) -> dict:
    """What could stand in the place of a line of the hand that is shown."""
    hand = phone.view["hand"]
    shown = [line["event"] for line in hand["lines"]]
    asked = {"game": phone.view["game"], "version": phone.view["version"], "hand": hand["id"], "start": index, "stop": index + 1}
    answer = phone.client.post(
        "/api/organiser/place?lang=it", json={**asked, "shown": shown}, headers={"X-CSRF-Token": phone.csrf}
    )
    assert answer.status_code == 200, answer.text
    return answer.json


def change(phone: Phone, index: int, *events: dict) -> dict:
    hand = phone.view["hand"]
    shown = [line["event"] for line in hand["lines"]]
    return {"what": "change", "hand": hand["id"], "start": index, "stop": index + 1, "events": list(events), "shown": shown}


def test_partners_stand_in_the_preview_the_line_the_tv_and_the_undo(phone: Phone) -> None:
    told = would(phone, what="say", events=[BACK])
    assert told["In società con Anna"] == ("nessun accordo", SHARES)
    assert told["Montepremi"] == ("6,00 €", "10,00 €")
    phone.say(BACK)
    assert [line["text"] for line in phone.view["hand"]["lines"]] == [WITH]
    assert phone.view["undoes"]["text"] == WITH
    tv = phone.client.get("/api/game?lang=it").json
    assert [seat["partners"] for seat in tv["seats"]] == [TOGETHER, "", ""]
    assert WITH in tv["happened"]
    phone.say(*HAND)
    assert [seat["partners"] for seat in phone.client.get("/api/game?lang=it").json["seats"]] == ["", "", ""]


def test_nothing_is_offered_in_the_place_of_a_line_that_says_the_same_with_less(phone: Phone) -> None:
    phone.say(BACK)
    found = place(phone, 0)
    offered = [one["events"] for one in (*found["acts"], *found["suggestions"])]
    assert offered
    assert not any(event["e"] == "rebuy" and event["by"] == "Anna" for events in offered for event in events)


@pytest.mark.parametrize(
    ("partners", "then"),
    [
        ([], "nessun accordo"),
        (PARTNERS[:1], "Zia 25\u00a0% (2,50 €), mette 1,00 €"),
        ([{"name": "Zia", "share": 0.25, "paid": 50}], "Zia 25\u00a0% (2,50 €), mette 0,50 €"),
        ([*PARTNERS, {"name": "Dino", "share": 0}], SHARES + "; Dino 0\u00a0% (0,00 €), mette 0,00 €"),
    ],
)
def test_partners_are_edited_and_the_preview_says_what_changes(phone: Phone, ledger: Ledger, partners: list, then: str) -> None:
    phone.say(BACK)
    edited = change(phone, 0, {"e": "rebuy", "by": "Anna", "partners": partners})
    assert would(phone, **edited) == {"In società con Anna": (SHARES, then)}
    phone.do(**edited)
    event = ledger.lines(ledger.newest())[-1].event
    assert isinstance(event, Rebuy)
    assert [one.name for one in event.partners] == [one["name"] for one in partners]


def test_who_comes_back_and_is_noted_in_thirds_is_told_what_the_accounts_pay(phone: Phone) -> None:
    thirds = [{"name": "Anna", "share": 0.333333333332}, *({"name": name, "share": 0.333333333334} for name in ("Gina", "Ugo"))]
    back = {"e": "rebuy", "by": "Anna", "partners": thirds}
    preview = would(phone, what="say", events=[back])["In società con Anna"][1]
    assert preview.startswith("Anna 33,3333\u00a0% (3,34 €), mette 1,34 €; Gina 33,3333\u00a0% (3,33 €), mette 1,33 €; Ugo")
    phone.say(back)
    told = phone.client.get("/api/game?lang=it").json["seats"][0]["partners"]
    assert told.startswith("con Anna (33,3333\u00a0%: 3,34 €, mette 1,34 €), Gina (33,3333\u00a0%: 3,33 €, mette 1,33 €)")
    phone.say(*HAND, {"e": "reveal", "by": "Anna", "card": "10"}, {"e": "end"})
    phone.say({"e": "close"})
    for _ in range(3):
        lost = (("Anna", "9"), ("Bruno", "1"))
        phone.say({"e": "hand"}, *({"e": "reveal", "by": name, "card": card} for name, card in lost), {"e": "end"})
    accounts = {one["name"]: one for one in phone.client.get("/api/game?lang=it").json["accounts"]}
    assert (accounts["Anna"]["takes"]["text"], accounts["Gina"]["takes"]["text"]) == ("3,34 €", "3,33 €")
    assert (accounts["Anna"]["paid"]["text"], accounts["Gina"]["paid"]["text"]) == ("3,34 €", "1,33 €")  # 2,00 € was her stake


@pytest.mark.parametrize(
    ("partners", "says"),
    [
        ([], ""),
        ([{"name": "Anna", "share": 0.25}, {"name": "Zia", "share": 0.5}],
         "con Anna (50\u00a0%{sum}, mette 2,00 €) e Zia (50\u00a0%{sum}, mette 2,00 €)"),
    ],
)  # fmt: skip
def test_a_share_is_said_where_the_pot_is_shared_and_only_one_that_is_paid(phone: Phone, partners: list, says: str) -> None:
    """Who comes back has what the others leave."""
    back = {"e": "rebuy", "by": "Anna", "partners": partners}
    preview = would(phone, what="say", events=[back])
    assert ("In società con Anna" in preview) is bool(says)
    phone.say(back)
    told = [phone.view["hand"]["lines"][0]["text"], *phone.client.get("/api/game?lang=it").json["happened"]]
    announced = [said for one in phone.client.get("/api/game?lang=it").json["announced"] for said in one["beneath"]]
    sheet = phone.client.get("/organiser/games/1/sheet?lang=it").text
    assert told[0] == f"Anna rientra con una ricompera {says.format(sum='')}".strip()
    assert any(said == f"4,00 €, {says.format(sum=': 5,00 €')}".removesuffix(", ") for said in announced)
    assert ("%" in "".join((*told, *announced, sheet.split("<main>")[1]))) is bool(says)


@pytest.mark.parametrize("share", ["0.25", "1"])
def test_of_a_log_in_which_who_comes_back_is_noted_alone_no_share_is_said(ledger: Ledger, share: str) -> None:
    """Nobody else takes anything, so all is theirs."""
    standing = {"Anna": Standing(0, False), "Bruno": Standing(3, True), "Carla": Standing(1, False)}
    back = Rebuy(by="Anna", partners=(Partner("Anna", Decimal(share)),))
    ledger.begin([Line(new_game(["Anna", "Bruno", "Carla"], 200, "Carla", standing=standing)), Line(back)])
    phone = Phone(create_app(ledger))
    assert [line["text"] for line in phone.view["hand"]["lines"]] == ["Anna rientra con una ricompera"]
    assert [seat["partners"] for seat in phone.client.get("/api/game?lang=it").json["seats"]] == [""] * 3


TYPED = {
    "no name": ([{"name": "", "share": 0.5}], "Manca un nome: scrivi chi è, o togli quella persona"),
    "a blank": ([{"name": " \u200b\t", "share": 0.5}], "Manca un nome: scrivi chi è, o togli quella persona"),
    "one of several": ([*PARTNERS, {"name": " ", "share": 0}], "Manca un nome: scrivi chi è, o togli quella persona"),
    "too long": ([{"name": "Z" * 25, "share": 0.5}], f"Il nome «{'Z' * 24}…» è troppo lungo: al massimo 24 lettere"),
    "their own": ([{"name": "Anna", "share": 0.5}], "Anna è l’unico nome tra i soci della propria ricompera: scrivi chi altro"),
    "their own, typed otherwise": ([{"name": "ANNA ", "share": 1}], "Anna è l’unico nome tra i soci della propria ricompera"),
    "twice": ([*PARTNERS, {"name": "zia", "share": 0.1}], "Zia è due volte tra i soci: scrivi ogni socio una volta sola"),
}  # fmt: skip
"""What is wrong → the partners that are typed, and how the refusal begins."""


@pytest.mark.parametrize("what", TYPED)
@pytest.mark.parametrize("how", ["say", "change", "insert"])
def test_a_partner_who_would_be_passed_over_or_is_nobody_is_refused(phone: Phone, ledger: Ledger, what: str, how: str) -> None:
    partners, says = TYPED[what]
    wrong = {**BACK, "partners": partners}
    phone.say(BACK)
    do = {"say": {"what": "say", "events": [wrong]}, "change": change(phone, 0, wrong),
          "insert": {"what": "insert", "hand": phone.view["hand"]["id"], "events": [wrong, *HAND]}}[how]  # fmt: skip
    before = ledger.lines(ledger.newest())
    for dry in (True, False):
        refused = phone.send(do, dry=dry)
        assert (refused.status_code, refused.json["error"]) == (422, "illegal")
        assert refused.json["message"].startswith(says)
    assert ledger.lines(ledger.newest()) == before


@pytest.mark.parametrize("typed", ["GINO ", "  GINO", "GI\u200bNO", "GINO\n"])
def test_a_new_name_is_written_without_blanks_around_it(phone: Phone, ledger: Ledger, typed: str) -> None:
    phone.say({**BACK, "partners": [{"name": typed, "share": 0.5}]})
    assert partner_of(ledger.lines(ledger.newest())) == ["GINO"]


def test_one_person_has_one_share_of_a_split(ledger: Ledger) -> None:
    """Written in two ways, one of them would be passed over."""
    standing = {"Anna": Standing(1, False), "Bruno": Standing(1, False), "Carla": Standing(0, False)}
    EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla", standing=standing))
    phone = Phone(create_app(ledger))
    for shares in ({"Anna": 0.5, "anna ": 0.2, "Bruno": 0.3}, {"ANNA": 0.5, "anna ": 0.2, "Bruno": 0.3}):
        refused = phone.send({"what": "say", "events": [{"e": "split", "shares": shares}]})
        assert refused.status_code == 422
        assert refused.json["message"] == "Anna c’è due volte: scrivi ogni nome una volta sola"
    phone.say({"e": "split", "shares": {"anna ": 0.5, "Bruno": 0.5}})
    assert ledger.lines(ledger.newest())[-1].event.shares.keys() == {"Anna", "Bruno"}


def test_partners_that_pay_more_than_the_ricompera_costs_are_refused(phone: Phone) -> None:
    refused = phone.send({"what": "say", "events": [{**BACK, "partners": [{"name": "Zia", "share": 0.25, "paid": 401}]}]})
    assert refused.status_code == 422
    assert "I soci pagano 4,01 € di una ricompera che costa 4,00 €" in refused.json["message"]


def test_who_else_came_back_shows_that_the_partners_go(phone: Phone) -> None:
    phone.say(BACK, *HAND, {"e": "reveal", "by": "Anna", "card": "10"}, {"e": "end"})
    hand = phone.view["hands"][0]["id"]
    lines = phone.client.get(f"/api/organiser/hand/{hand}?lang=it").json["lines"]
    gone = {"what": "change", "hand": hand, "start": 0, "stop": 1, "mend": True, "shown": [line["event"] for line in lines]}
    assert would(phone, **gone)["In società con Anna"] == (SHARES, "nessun accordo")


TAVERNA = {"e": "taverna", "by": "Carla", "share": 0.29, "terms": "un caffè"}


def test_what_the_taverna_costs_stands_in_preview_line_tv_and_sheet(phone: Phone, app: Flask) -> None:
    phone.say({"e": "hand"}, {"e": "passo", "by": "Bruno"}, {"e": "taverna", "by": "Carla"})
    lines = phone.view["hand"]["lines"]
    assert lines[-1]["text"] == "Carla mostra la Taverna e la cede"
    edited = change(phone, 2, TAVERNA)
    agreed = "29\u00a0% (1,74 €) se vince Bruno, un caffè"
    assert would(phone, **edited) == {"Taverna di Carla": ("nessun accordo", agreed)}
    phone.do(**edited)
    said = "Carla mostra la Taverna e la cede: 29\u00a0% del montepremi, un caffè"
    assert phone.view["hand"]["lines"][-1]["text"] == said
    assert said in phone.client.get("/api/game?lang=it").json["happened"]
    other = change(phone, 2, {**TAVERNA, "terms": "due caffè"})
    assert would(phone, **other) == {"Taverna di Carla": (agreed, "29\u00a0% (1,74 €) se vince Bruno, due caffè")}
    assert not any(TAVERNA["e"] in (event["e"] for event in one["events"]) for one in place(phone, 2)["acts"])
    for player, card in (("Bruno", "taverna"), ("Carla", "5")):
        phone.say({"e": "reveal", "by": player, "card": card})
    note = "Carla ha ceduto la Taverna: 29\u00a0% del montepremi se vince Bruno, un caffè"
    assert note in phone.view["hand"]["ruling"]
    assert f"Carla ha ceduto la Taverna: {agreed}" in phone.client.get("/api/game?lang=it").json["ruling"]["notes"]
    phone.say(BACK)
    sheet = phone.client.get(f"/organiser/games/{phone.view['game']}/sheet").text
    assert note in sheet
    assert "1,74" not in sheet, "the pot was 6,00 € then, and has grown"
    assert any("29\u00a0% (2,90 €)" in said for said in phone.client.get("/api/game?lang=it").json["ruling"]["notes"])


def test_a_split_says_its_euros_in_the_preview_and_its_shares_in_the_line(phone: Phone) -> None:
    split = {"e": "split", "shares": {"Bruno": 0.6, "Carla": 0.333333}}
    shares = "Bruno 60\u00a0% (3,60 €, se vince 4,01 €), Carla 33,3333\u00a0% (1,99 €, se vince 2,40 €)"
    assert would(phone, what="say", events=[split]) == {"Accordo sul montepremi": ("nessun accordo", shares)}
    phone.say(split)
    said = "Bruno e Carla si accordano sul montepremi: Bruno 60\u00a0%, Carla 33,3333\u00a0%"
    assert phone.view["hand"]["lines"][-1]["text"] == said
    assert said in phone.client.get("/api/game?lang=it").json["happened"]


END = [*HAND, {"e": "reveal", "by": "Anna", "card": "10"}, {"e": "close"}]
ANNA_WINS = [
    event
    for _ in range(3)
    for event in (
        {"e": "hand"}, {"e": "reveal", "by": "Anna", "card": "9"}, {"e": "reveal", "by": "Bruno", "card": "1"},
    )
]  # fmt: skip


def test_season_players_page_picture_and_sheet_say_what_the_accounts_say(phone: Phone) -> None:
    phone.say(BACK)
    for event in (*END, *ANNA_WINS):
        phone.say(event)
    accounts = {one["name"]: one for one in phone.client.get("/api/game?lang=it").json["accounts"]}
    net = {name: one["net"]["text"] for name, one in accounts.items()}
    assert net == {"Anna": "+0,50 €", "Bruno": "−2,00 €", "Carla": "0,00 €", "Zia": "+1,50 €"}
    assert sum(one["net"]["minor"] for one in accounts.values()) == 0
    rows = {row["name"]: row for row in phone.client.get("/api/season?season=all&lang=it").json["rows"]}
    for column, account in (("net", "net"), ("paid", "paid"), ("got", "takes")):
        told = {name: row["figures"][column]["minor"] for name, row in rows.items()}
        assert told == {name: one[account]["minor"] for name, one in accounts.items()}
    assert {name: row["figures"]["evenings"] for name, row in rows.items()} == {"Anna": 1, "Bruno": 1, "Carla": 1, "Zia": 0}
    zia = phone.client.get(f"/api/season/{rows['Zia']['id']}?lang=it").json
    assert [(one["stood"], one["figures"]["net"]["text"]) for one in zia["evenings"]] == [("in società", "+1,50 €")]
    drawing = phone.client.get("/season/evening/1.svg?lang=it").text
    assert all(f">{text}</text>" in drawing for text in net.values())
    assert "–" not in phone.client.get("/season/evening/1?lang=it").text.partition("<tbody")[2]
    sheet = phone.client.get("/organiser/games/1/sheet").text
    told = ("ricompera di Anna", "parte del montepremi: 25\u00a0% in società con Anna", "1,33")
    assert all(f"<td>{said}</td>" in sheet for said in told)


def test_money_that_nobody_can_know_is_called_so_everywhere(ledger: Ledger) -> None:
    standing = {"Anna": Standing(1, False), "Bruno": Standing(1, False)}
    EveningRecorder.begin(ledger, new_game(["Anna", "Bruno"], 200, "Bruno", standing=standing, ricompere=1))
    phone = Phone(create_app(ledger))
    for event in ANNA_WINS[:3]:
        phone.say(event)
    accounts = phone.client.get("/api/game?lang=it").json["accounts"]
    assert [(one["name"], one["takes"]["text"], one["paid"], one["net"]) for one in accounts] == [
        ("Anna", "8,00 €", None, None), ("Bruno", "0,00 €", None, None),
    ]  # fmt: skip
    season = phone.client.get("/api/season?season=all").json
    assert (season["unknown"], {row["figures"]["net"] for row in season["rows"]}) == (1, {None})
    assert "non si sa chi aveva pagato quanto" in phone.client.get("/season?season=all&lang=it").text
    page = phone.client.get("/season/evening/1?lang=it").text
    assert page.count(">non si sa</td>") == 4
    assert phone.client.get("/season?season=all&lang=it").text.count(">non si sa</td>") == 6, "and not: not yet"
    assert phone.client.get("/season.csv?season=all&lang=it").text.count('"non si sa"') == 6
    assert phone.client.get("/season/evening/1.svg?lang=it").text.count(">non si sa</text>") == 2
    assert "Non si sa chi ha pagato quanto: niente saldi" in phone.client.get("/season/evening/1.svg?lang=it").text


def test_chips_that_nobody_was_seen_to_buy_leave_no_balance_and_no_word_of_before(ledger: Ledger) -> None:
    EveningRecorder.begin(ledger, new_stoper(["Ada", "Bice", "Ciro", "Dora"], 10000, dealer="Ada"))
    phone = Phone(create_app(ledger))
    passes = [{"e": "passo", "by": name} for name in ("Ciro", "Dora", "Ada")]
    phone.say({"e": "hand", "cip": 50, "invito": 50})
    for event in ({"e": "apro", "by": "Bice", "to": 100}, *passes, {"e": "set", "stacks": {"Ada": 20000}}, {"e": "close"}):
        phone.say(event)
    said = phone.client.get("/season/evening/1.svg?lang=it").text
    assert "Non si sa chi ha pagato quanto: niente saldi" in said
    assert "prima" not in said


def partner_of(events: tuple[Line, ...]) -> list[str]:
    return [one.name for line in events if isinstance(line.event, Rebuy) for one in line.event.partners]


def test_a_partner_who_is_typed_in_another_way_is_the_same_person(ledger: Ledger) -> None:
    standing = {"Anna": Standing(0, False), "Bruno": Standing(3, True), "Carla": Standing(1, False), "Dino": Standing(0, False)}
    EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla", "Dino"], 200, "Carla", standing=standing))
    phone = Phone(create_app(ledger))
    phone.say({"e": "rebuy", "by": "Anna", "partners": [{"name": "Gino", "share": 0.5}]})
    again = {"e": "rebuy", "by": "Dino", "partners": [{"name": " gÍno", "share": 0.25}, {"name": "BRUNO", "share": 0.25}]}
    assert would(phone, what="say", events=[again])["In società con Dino"][1].startswith("Gino 25\u00a0%")
    phone.say(again)
    assert partner_of(ledger.lines(ledger.newest())) == ["Gino", "Gino", "Bruno"]
    phone.do(**change(phone, 1, {**again, "partners": [{"name": "gino", "share": 0.5}]}))
    assert partner_of(ledger.lines(ledger.newest())) == ["Gino", "Gino"]
    phone.do("undo")
    assert partner_of(ledger.lines(ledger.newest())) == ["Gino", "Gino", "Bruno"]


def test_a_misspelt_partner_is_mended_in_the_line_that_alone_has_the_name(phone: Phone, ledger: Ledger) -> None:
    phone.say({"e": "rebuy", "by": "Anna", "partners": [{"name": "gino", "share": 0.5}]})
    phone.do(**change(phone, 0, {"e": "rebuy", "by": "Anna", "partners": [{"name": "Gino", "share": 0.5}]}))
    assert partner_of(ledger.lines(ledger.newest())) == ["Gino"]


def test_a_preview_says_that_who_ended_the_game_now_closes_the_ricompere(ledger: Ledger) -> None:
    """Nobody came back; then the last hand is corrected, and the game goes on."""
    standing = {"Bruno": Standing(1, False)}
    recorder = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno"], 200, "Bruno", standing=standing))
    phone = Phone(create_app(ledger, recorder=lambda: recorder))
    shown = [{"e": "reveal", "by": "Anna", "card": "9"}, {"e": "reveal", "by": "Bruno", "card": "2"}]
    phone.say({"e": "hand"}, *shown)
    phone.say({"e": "close"})
    assert phone.view["phase"] == "won"
    hand = phone.view["hands"][0]["id"]
    events = phone.client.get(f"/api/organiser/hand/{hand}?lang=it").json["events"]
    at = events.index(shown[1])
    instead = [{**shown[1], "card": "10"}]
    change = {"what": "change", "hand": hand, "start": at, "stop": at + 1, "events": instead, "shown": events}
    rest = {one["what"]: one["then"] for one in phone.send(change, dry=True).json["rest"]}
    assert (rest["Partita"], rest["Ricompera"]) == ("Si gioca; dà le carte Anna", "Niente più ricompere")
