"""The season's pages: who may do what, what they say, and that nothing in a name becomes markup, a formula or a way in."""

from __future__ import annotations

import csv
import datetime
import io
import re
import struct
import time
from concurrent.futures import ThreadPoolExecutor
from xml.etree import ElementTree

import pytest
from fake_camera import FakeCamera
from flask import Flask
from flask.testing import FlaskClient
from games import GNAFFATA, lines
from phones import Organiser
from toy import HIGH_CARD
from toy import LOG as TOY

from companion.dashboard import Settings, create_app
from companion.dashboard.drawing import png
from companion.dashboard.season.picture import Ending, PictureRow, svg
from companion.games import GAMES, log_format, read_lines
from companion.games.stoper import bots as stoper_bots
from companion.games.stu import bots as stu_bots
from companion.ledger import Ledger
from companion.table.log import Line

pytestmark = pytest.mark.usefixtures("camera")

NASTY = ('<b onclick="x">&amp;', "=1+1", "../settings", "\x07\u202eevil", "Zoé \U0001f475")
"""Names as somebody may type them, who likes trouble."""
PAGES = ("/season?season=all", "/season/{who}", "/season/evening/1", "/api/season?season=all", "/api/season/{who}",
         "/season.csv?season=all", "/season/evening/1.svg")  # fmt: skip


def evening(ledger: Ledger, *names: str, at: datetime.datetime | None = None) -> int:
    """The gnaffata of `games`, told of these three, begun then, by itself a minute ago."""
    game = ledger.new_game(source="by hand", started=at.timestamp() if at is not None else time.time() - 60)
    called = dict(zip(("Anna", "Bruno", "Carla"), names or ("Anna", "Bruno", "Carla"), strict=True))
    quoted = [re.sub(r'"(Anna|Bruno|Carla)"', lambda found: _json(called[found[1]]), line) for line in GNAFFATA]
    ledger.record(game, lines(*quoted))
    return game


def _json(text: str) -> str:
    return '"' + "".join(f"\\u{ord(one):04x}" if ord(one) < 32 or one in '"\\' else one for one in text) + '"'


def ids(client: FlaskClient) -> dict[str, str]:
    """Everybody's name → the id of their page."""
    return ids_of(client, "stu")


def ids_of(client: FlaskClient, game: str) -> dict[str, str]:
    return {row["name"]: row["id"] for row in client.get(f"/api/season?season=all&game={game}").json["rows"]}


def test_the_table_says_what_the_evening_came_to(client: FlaskClient, ledger: Ledger) -> None:
    evening(ledger)
    evening(ledger, "Bruno", "anna", "Dino")
    rows = {row["name"]: row["figures"] for row in client.get("/api/season").json["rows"]}
    assert {name: (row["evenings"], row["lost"], row["gave"], row["took"]) for name, row in rows.items()} == {
        "Anna": (2, 2, 1, 1), "Bruno": (2, 2, 1, 1), "Carla": (1, 0, 0, 0), "Dino": (1, 0, 0, 0),
    }  # fmt: skip
    page = client.get("/season").text
    assert "1 serata, 2 partite, 2 mani" in page
    assert "Gnaffate date" in page
    assert "Gnaffate given" in client.get("/season?lang=en").text


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ("sort=name", ["Anna", "Bruno", "Carla"]),
        ("sort=name&down=1", ["Carla", "Bruno", "Anna"]),
        ("sort=lost", ["Anna", "Bruno", "Carla"]),
        ("sort=gave", ["Bruno", "Anna", "Carla"]),
        ("sort=gave&down=0", ["Anna", "Carla", "Bruno"]),
        ("sort=nonsense", ["Anna", "Bruno", "Carla"]),
    ],
)
def test_the_table_is_sorted_by_any_column(client: FlaskClient, ledger: Ledger, asked: str, names: list[str]) -> None:
    evening(ledger)
    assert [row["name"] for row in client.get(f"/api/season?season=all&{asked}").json["rows"]] == names
    page = client.get(f"/season?season=all&{asked}").text
    assert re.findall(r'<th class="name" [^>]*scope="row"><a [^>]*>([^<]+)', page) == names
    assert ("aria-sort" in page) is ("nonsense" not in asked)


@pytest.mark.parametrize(
    ("asked", "places"),
    [("", [1, 1, 1]), ("sort=name", [1, 1, 1]), ("sort=lost", [1, 2, 2]), ("sort=gave", [1, 2, 2]), ("sort=net", [1, 1, 1])],
)
def test_who_has_the_same_has_the_same_place(client: FlaskClient, ledger: Ledger, asked: str, places: list[int]) -> None:
    evening(ledger)  # nobody has won, and no balance is told yet
    page = client.get(f"/season?season=all&{asked}").text
    assert [int(one) for one in re.findall(r'<td class="place" role="cell">(\d+)', page)] == places
    assert [int(one) for one in re.findall(r'data-place="(\d+)"', page)] == places


def test_whose_balance_is_not_known_stands_after_those_whose_is(client: FlaskClient, ledger: Ledger) -> None:
    evening(ledger)  # Anna, Bruno, Carla: nobody has won, and no balance is told yet
    names = ("Zita", "Walter", "Ugo", "Vera")
    game = ledger.new_game(source="by hand", started=time.time() - 60)
    ledger.record(game, stu_bots.simulate(stu_bots.Settings(players=names), hands=90, seed=5))
    rows = client.get("/api/season?season=all").json["rows"]
    assert {row["name"] for row in rows[:4]} == {*names}, "three of them have lost money, and it is known"
    assert [row["name"] for row in rows[4:]] == ["Anna", "Bruno", "Carla"]
    page = client.get("/season?season=all").text
    assert [int(one) for one in re.findall(r'<td class="place" role="cell">(\d+)', page)][4:] == [5, 5, 5]


def test_an_evenings_page_and_its_picture_list_the_same_balances_in_the_same_order(client: FlaskClient, ledger: Ledger) -> None:
    table = stoper_bots.Settings(players=stoper_bots.seated(5))
    game = ledger.new_game(source="by hand", started=time.time() - 60)
    ledger.record(game, stoper_bots.simulate(table, hands=6, seed=5))
    page = client.get(f"/season/evening/{game}?lang=it").text.replace("\xa0", " ")
    listed = re.findall(r'scope="row"><a [^>]*>([^<]+)</a>.*?<td [^>]*>([^<]+)<', page)
    drawing = client.get(f"/season/evening/{game}.svg?lang=it").text.replace("\xa0", " ")
    assert [name for name, _ in listed] == [name for name in re.findall(r">([^<]+)</text>", drawing) if name in dict(listed)][-5:]
    assert all(f">{balance}</text>" in drawing for _, balance in listed)
    cents = [int(re.sub(r"[^\d−]", "", balance).replace("−", "-")) for _, balance in listed]
    assert cents == sorted(cents, reverse=True)
    assert listed[0][1].startswith("+")
    person = client.get(f"/season/{ids_of(client, 'stoper')[listed[0][0]]}?game=stoper&lang=it").text.replace("\xa0", " ")
    assert f">{listed[0][1]}<" in person


@pytest.mark.parametrize(
    ("asked", "status", "found"),
    [
        ("", 200, 3), ("season=all", 200, 3), ("season=1999", 200, 0), ("season=0000", 200, 3), ("season=९९९९", 200, 3),
        ("from=2001-01-01", 200, 3), ("to=2001-01-01", 200, 0), ("from=1999-01-01&to=2999-12-31", 200, 3),
        ("from=yesterday", 400, 0), ("game=stu", 200, 3), ("game=chess", 404, 0),
    ],
)  # fmt: skip
def test_days_and_games_are_asked_for_by_the_address(
    client: FlaskClient, ledger: Ledger, asked: str, status: int, found: int
) -> None:
    evening(ledger)
    for page in ("/season", "/season.csv"):
        assert client.get(f"{page}?{asked}").status_code == status
    answer = client.get(f"/api/season?{asked}")
    assert answer.status_code == status
    assert status != 200 or len(answer.json["rows"]) == found


def test_a_players_page_tells_evenings_curve_and_who_gnaffed_whom(client: FlaskClient, ledger: Ledger) -> None:
    evening(ledger)
    evening(ledger)
    evening(ledger, "Anna", "Carla", "Bruno")
    told = client.get(f"/api/season/{ids(client)['Anna']}?lang=en").json
    assert [(one["game"], one["figures"]["lost"], one["stood"]) for one in told["evenings"]] == [
        (3, 2, "1 pedina"), (2, 2, "1 pedina"), (1, 2, "1 pedina"),
    ]  # fmt: skip
    given, taken = told["dealt"]
    assert (given["others"], [(name, count) for _, name, count in taken["others"]]) == ([], [("Bruno", 2), ("Carla", 1)])
    page = client.get(f"/season/{ids(client)['Anna']}").text
    assert "Ha preso gnaffate da" in page
    assert '<path class="curve"' in page


def test_money_that_is_known_in_part_is_shown_by_its_evening_and_in_no_sum(client: FlaskClient, ledger: Ledger) -> None:
    """Anna and Bruno play for 2 €; of the second evening nobody knows who paid the ricompera of before."""
    had = ((1, "Anna"), (3, "Bruno"), (0, "Carla"))
    brink = ",".join(f'"{name}":{{"pedine":{pedine},"virgin":false}}' for pedine, name in had)
    shown = [f'{{"e":"reveal","by":"{name}","card":"{card}"}}' for name, card in (("Bruno", "9"), ("Anna", "2"))]
    for before in ("", '"ricompere":1,'):
        log = GNAFFATA[0].replace('"dealer"', f'{before}"standing":{{{brink}}},"dealer"'), GNAFFATA[1], *shown, '{"e":"end"}'
        ledger.record(ledger.new_game(source="by hand", started=time.time() - 60), lines(*log))
    table = client.get("/api/season?season=all").json
    sums = {row["name"]: [row["figures"][one]["minor"] for one in ("paid", "got", "net")] for row in table["rows"]}
    assert (sums, table["unknown"]) == ({"Bruno": [200, 600, 400], "Anna": [200, 0, -200], "Carla": [200, 0, -200]}, 1)
    bruno = client.get(f"/api/season/{ids(client)['Bruno']}").json
    assert bruno["row"]["figures"]["got"]["minor"] == 600
    assert [one["figures"]["got"]["minor"] for one in bruno["evenings"]] == [1000, 600]
    assert [one["figures"]["net"] and one["figures"]["net"]["minor"] for one in bruno["evenings"]] == [None, 400]
    assert bruno["unknown"] == 1
    for page in ("/season?season=all", f"/season/{ids(client)['Bruno']}"):
        assert "Di 1 partita non si sa chi aveva pagato quanto: i suoi soldi non contano." in client.get(page).text
    assert "10,00 €" in client.get("/season/evening/2").text.replace("\xa0", " ")


def test_games_of_one_night_are_one_evening_whatever_the_calendar_says(
    client: FlaskClient, phone: Organiser, ledger: Ledger
) -> None:
    friday = datetime.datetime(2026, 10, 2, 21, 40)
    for hours in (0, 1, 4, 24):  # the third begins at 1:40, the last one on Saturday evening
        evening(ledger, at=friday + datetime.timedelta(hours=hours))
    found = client.get("/api/season?season=2026").json
    anna = next(row for row in found["rows"] if row["name"] == "Anna")
    assert (found["nights"], found["evenings"], anna["figures"]["nights"], anna["figures"]["evenings"]) == (2, 4, 2, 4)
    assert client.get("/api/season?from=2026-10-02&to=2026-10-02").json["evenings"] == 3
    told = client.get(f"/api/season/{anna['id']}").json
    assert [(night["day"], night["games"], night["hands"], night["figures"]["lost"]) for night in told["nights"]] == [
        ("2026-10-03", [4], 1, 2), ("2026-10-02", [1, 2, 3], 3, 6),
    ]  # fmt: skip
    assert [game["day"] for game in told["evenings"]] == ["2026-10-03", *["2026-10-02"] * 3]
    page = client.get("/season?season=2026").text
    assert [" ".join(re.sub("<[^>]*>", "", head).split()) for head in re.findall("<h3>(.*?)</h3>", page)] == [
        "3 ott 2026", "2 ott 2026 3 partite",
    ]  # fmt: skip
    assert "<b>01:40</b>" in page
    past = phone.get("/setup/games").text
    assert [head[:20] for head in re.findall("<h2>(.*?)</h2>", past)] == ["Sabato 3 ottobre 202", "Venerdì 2 ottobre 20"]
    assert "venerdì 2 ottobre 2026" in client.get("/season/evening/3.svg").text
    assert client.get("/season/evening/3").text.count("Tutta la serata: 3 partite") == 1
    assert "Tutta la serata" not in client.get("/season/evening/4").text


def test_no_name_becomes_markup_and_no_letter_breaks_a_drawing(phone: Organiser, ledger: Ledger) -> None:
    evening(ledger, *NASTY[:3])
    evening(ledger, *NASTY[2:])
    known = ids(phone.client)
    assert len(known) == len(NASTY)
    for path in (*PAGES, "/season/evening/2", "/season/evening/2.svg", "/season/settings", "/setup/players"):
        for who in known.values():
            answer = phone.get(path.format(who=who))
            assert answer.status_code in (200, 302)
            assert "<b onclick" not in answer.text or answer.mimetype in ("application/json", "text/csv")
    for game in (1, 2):
        drawn = phone.get(f"/season/evening/{game}.svg")
        ElementTree.fromstring(drawn.data)
        assert drawn.mimetype == "image/svg+xml"
        assert not re.search(r"<style| style=", drawn.text)  # the content policy would drop it
        width, height = struct.unpack(">II", phone.get(f"/season/evening/{game}.png").data[16:24])
        assert (width, height >= 1080) == (1080, True)


def test_a_spreadsheet_takes_no_name_for_a_formula(client: FlaskClient, ledger: Ledger) -> None:
    evening(ledger, "=HYPERLINK(1)", "-Bruno", 'Anna; "la bella"')
    for lang, delimiter in (("it", ";"), ("en", ",")):
        answer = client.get(f"/season.csv?season=all&lang={lang}")
        assert answer.data.startswith(b"\xef\xbb\xbf")
        rows = list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig")), delimiter=delimiter))
        assert {row[0] for row in rows[1:]} == {"'=HYPERLINK(1)", "'-Bruno", 'Anna; "la bella"'}
        assert {len(row) for row in rows} == {len(rows[0])}


def test_everybody_reads_and_only_phones_say_who_is_who(
    app: Flask, client: FlaskClient, phone: Organiser, ledger: Ledger
) -> None:
    evening(ledger)
    spectator = app.test_client()
    for path in PAGES:
        assert spectator.get(path.format(who=ids(client)["Anna"])).status_code == 200
    assert spectator.get("/season/settings").location.startswith("/pair")
    assert spectator.get("/api/season/players").status_code == 401
    who = ids(client)["Anna"]
    assert spectator.post("/season/settings", data={"do": "forget", "player": who, "sure": "1"}).location.startswith("/pair")
    assert phone.client.post("/season/settings", data={"do": "forget", "player": who, "sure": "1"}).status_code == 403
    assert "Anna" in ids(client)


def test_tonights_page_is_that_of_the_newest_game_once_it_has_a_hand(client: FlaskClient, ledger: Ledger) -> None:
    assert client.get("/season/evening").headers["Location"] == "/season"
    game = evening(ledger, "Anna", "Bruno", "Carla")
    assert client.get("/season/evening").headers["Location"] == f"/season/evening/{game}"
    assert "La serata, da condividere" in client.get("/").text
    ledger.begin(lines(*GNAFFATA)[:1])
    assert client.get("/season/evening").headers["Location"] == f"/season/evening/{game}", "a rematch has no hand yet"


def test_two_names_are_merged_and_separated_on_the_phone(phone: Organiser, client: FlaskClient, ledger: Ledger) -> None:
    evening(ledger, "Peppe", "Bruno", "Carla")
    evening(ledger, "Giuseppe", "Bruno", "Carla")
    known = ids(client)
    phone.walk("/season/settings", "/season/settings", do="merge", one=known["Giuseppe"], other=known["Peppe"])
    assert ids(client).keys() == {"Peppe", "Bruno", "Carla"}
    assert "Anche: Giuseppe" in client.get(f"/season/{known['Peppe']}").text
    assert client.get(f"/season/{known['Giuseppe']}").status_code == 404
    page = phone.get("/season/settings").text
    assert "una persona sola" in page
    [name] = re.findall(r'name="name" value="([0-9a-f]{10})"', page)
    phone.walk("/season/settings", "/season/settings", do="split", name=name)
    assert ids(client) == known


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"do": "merge", "one": "Peppe", "other": "Bruno"}, "allo stesso tavolo"),
        ({"do": "merge", "one": "Peppe", "other": "Peppe"}, "due nomi diversi"),
        ({"do": "merge", "one": "Peppe"}, "dell’elenco"),
        ({"do": "recall", "name": "Zoé"}, "Nessun nome dimenticato"),
        ({"do": "recall"}, "Nessun nome dimenticato"),
    ],
)
def test_what_cannot_be_done_says_why(phone: Organiser, ledger: Ledger, form: dict[str, str], said: str) -> None:
    evening(ledger, "Peppe", "Bruno", "Carla")
    known = ids(phone.client)
    answer = phone.post("/season/settings", **{key: known.get(value, value) for key, value in form.items()})
    assert answer.status_code == 400
    assert said in answer.text
    assert ids(phone.client) == known


def test_forgetting_asks_once_more_and_leaves_no_name_anywhere(phone: Organiser, client: FlaskClient, ledger: Ledger) -> None:
    evening(ledger, "Annunziata", "Bruno", "Carla")
    evening(ledger, "Nunzia", "Bruno", "Carla")
    known = ids(client)
    phone.walk("/season/settings", "/season/settings", do="merge", one=known["Nunzia"], other=known["Annunziata"])
    asked = phone.post("/season/settings", do="forget", player=known["Annunziata"]).location
    assert "Annunziata, Nunzia" in phone.get(asked).text
    assert phone.get("/season/settings?ask=forget&player=nobody").status_code == 404
    assert "Annunziata" in ids(client)
    phone.walk("/season/settings", "/season/settings", do="forget", player=known["Annunziata"], sure="1")
    for path in (*PAGES, "/season/evening/2", "/season/evening/2.svg", "/season/settings", "/api/season/players"):
        for who in ids(client).values():
            text = phone.get(path.format(who=who)).text
            assert "nunzia" not in text.casefold(), path
    assert client.get(f"/season/{known['Annunziata']}").status_code == 404
    phone.walk("/setup/new", "/setup/game")
    phone.walk("/setup/game", "/setup/camera", game="stu")
    phone.walk("/setup/camera", "/setup/players", thumb="1")
    assert "nunzia" not in phone.get("/setup/players").text.casefold()
    assert "qualcuno" in client.get("/season/evening/1").text
    assert "qualcuno" in client.get(f"/season/{known['Bruno']}").text  # whom Bruno gnaffed
    phone.walk("/season/settings", "/season/settings", do="recall", name="annunziata")
    assert "Annunziata" in ids(client)


def test_a_button_tapped_twice_does_it_once(phone: Organiser, client: FlaskClient, ledger: Ledger) -> None:
    evening(ledger, "Peppe", "Bruno", "Carla")
    evening(ledger, "Giuseppe", "Dino", "Elsa")
    known = ids(client)
    person, name = known["Peppe"], known["Giuseppe"]
    for form in (
        {"do": "merge", "one": name, "other": person}, {"do": "split", "name": name},
        {"do": "forget", "player": person, "sure": "1"}, {"do": "recall", "name": "Peppe"}, {"do": "off"}, {"do": "on"},
    ):  # fmt: skip
        for _ in range(2):
            phone.walk("/season/settings", "/season/settings", **form)
    assert ids(client) == known


def test_two_phones_at_once_both_have_their_say(app: Flask, client: FlaskClient, ledger: Ledger) -> None:
    names = [f"Player {number}" for number in range(8)]
    for number, name in enumerate(names):
        evening(ledger, name, f"other {number}", f"third {number}")
    known, phones = ids(client), [Organiser(app) for _ in range(4)]
    pairs = [(phone, known[names[at]], known[names[at + 4]]) for at, phone in enumerate(phones)]
    with ThreadPoolExecutor() as pool:
        for done in [pool.submit(phone.post, "/season/settings", do="merge", one=a, other=b) for phone, a, b in pairs]:
            assert done.result().status_code == 302
    assert not {a for _, a, _ in pairs} & set(ids(client).values())


def test_an_evening_counts_no_more_and_again(phone: Organiser, client: FlaskClient, ledger: Ledger) -> None:
    game = evening(ledger)
    phone.walk("/season/settings", "/season/settings", do="count", game=str(game), counts="0")
    assert (ids(client), client.get(f"/season/evening/{game}.svg").status_code) == ({}, 404)
    assert "Non conta" in phone.get("/season/settings").text
    phone.walk("/season/settings", "/season/settings", do="count", game=str(game), counts="1")
    assert len(ids(client)) == 3
    phone.walk("/season/settings", "/season/settings", do="count", game="9" * 30, counts="1")
    phone.walk("/season/settings", "/season/settings?ask=anew", do="anew")
    assert "(1 partita)" in phone.get("/season/settings?ask=anew").text
    assert len(ids(client)) == 3
    phone.walk("/season/settings", "/season/settings", do="anew", sure="1")
    assert ids(client) == {}


def test_off_the_pages_say_so_and_nothing_is_written(phone: Organiser, client: FlaskClient, ledger: Ledger) -> None:
    evening(ledger)
    ledger.new_game()
    known = ids(client)
    phone.walk("/season/settings", "/season/settings", do="off")
    for path in PAGES:
        answer = client.get(path.format(who=known["Anna"]))
        assert (answer.status_code, "Anna" in answer.text) == (404, False)
    assert client.get("/api/season").json["error"] == "season_off"
    assert "spenta" in client.get("/season").text
    assert phone.get("/api/season/players").json == {"players": []}
    phone.walk("/season/settings", "/season/settings", do="forget", player=known["Anna"], sure="1")  # nothing to forget
    with ledger.reading() as connection:
        assert connection.execute("SELECT count(*) FROM season_figures").fetchone() == (0,)
        assert connection.execute("SELECT count(*) FROM season_forgotten").fetchone() == (0,)
    phone.walk("/season/settings", "/season/settings", do="on")
    assert ids(client) == known


def test_a_program_without_a_season_writes_nothing_whatever_the_phone_says(ledger: Ledger) -> None:
    app = create_app(ledger, settings=Settings(season=False), camera=FakeCamera(ledger))
    phone = Organiser(app)
    evening(ledger)
    ledger.new_game()
    phone.walk("/season/settings", "/season/settings", do="on")
    assert phone.get("/season").status_code == 404
    assert "--no-season" in phone.get("/season/settings").text
    with ledger.reading() as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE name LIKE 'season%'")]
        assert [connection.execute(f"SELECT * FROM {name}").fetchall() for name in tables] == [[]] * len(tables)


def test_setting_up_offers_those_who_come_often(phone: Organiser, ledger: Ledger) -> None:
    evening(ledger, "Anna", "Bruno", "Carla")
    evening(ledger, "Anna", "Dino", "Carla")
    phone.walk("/setup/new", "/setup/game")
    phone.walk("/setup/game", "/setup/camera", game="stu")
    phone.walk("/setup/camera", "/setup/players", thumb="1")
    page = phone.get("/setup/players").text
    assert re.findall(r'<option value="([^"]+)">', page) == ["Anna", "Carla", "Dino", "Bruno"]
    assert re.findall(r'class="pick" data-name="([^"]+)"', page) == ["Anna", "Dino", "Carla", "Bruno"]  # last evening's first
    assert phone.get("/api/season/players").json == {"players": ["Anna", "Carla", "Dino", "Bruno"]}


def test_a_table_of_each_game_and_one_that_tells_nothing_has_evenings_and_wins(
    client: FlaskClient, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, HIGH_CARD.id, HIGH_CARD)
    evening(ledger)
    events = [{"e": "game", "v": 1, "game": "highcard", "players": ["Anna", "Zoé"]}]
    for _ in range(3):
        events += [{"e": "hand"}, {"e": "show", "by": "Anna", "number": 1}, {"e": "show", "by": "Zoé", "number": 2}, {"e": "end"}]
    with Ledger.in_memory(log_format) as own:
        game = own.new_game()
        own.record(game, [Line(TOY.event(event)) for event in events])
        found = create_app(own).test_client()
        rows = found.get("/api/season?season=all").json["rows"]
        assert [(row["name"], row["figures"]) for row in rows] == [
            ("Zoé", {"nights": 1, "evenings": 1, "won": 1}), ("Anna", {"nights": 1, "evenings": 1, "won": 0}),
        ]  # fmt: skip
        assert found.get(f"/season/{rows[0]['id']}").status_code == 200
        assert found.get("/season/evening/1.png").status_code == 200
        ElementTree.fromstring(found.get("/season/evening/1.svg").data)
    other = ledger.new_game(started=time.time())
    ledger.record(other, [Line(TOY.event(event)) for event in events])
    assert {row["name"] for row in client.get("/api/season?game=highcard").json["rows"]} == {"Anna", "Zoé"}
    assert {row["name"] for row in client.get("/api/season?game=stu").json["rows"]} == {"Anna", "Bruno", "Carla"}
    assert "High card" in client.get("/season").text


@pytest.mark.parametrize("players", [2, 10, 20, 39])
def test_a_picture_holds_everybody_on_its_ground(players: int) -> None:
    names = [f"{'W' * 24}{number}" for number in range(players)]
    places = tuple(PictureRow(name, "2 pedine", "+1.000,00 €", not at) for at, name in enumerate(names))
    facts = ("W" * 200,) * 5
    drawn = svg(Ending("Lu Stù", "domenica 22 novembre 2026", "Ha vinto", names[0], places, facts, "40 mani", "?" * 90))
    root = ElementTree.fromstring(drawn)
    height = float(root.attrib["height"])
    texts = [one for one in root.iter() if one.tag.endswith("text")]
    assert all(0 < float(one.attrib["y"]) < height - 40 for one in texts)
    assert sum(one.text is not None and one.text.startswith("WW") for one in texts) == players + 1 + 5
    assert png(drawn)[:8] == b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("wish", ["/season?sort=won", "//evil.example/season", "https://evil.org", "/organiser", "/season\\e"])
def test_the_language_is_remembered_and_leads_back_to_the_season_alone(client: FlaskClient, wish: str) -> None:
    answer = client.get("/season/language/en", query_string={"next": wish})
    assert answer.location == (wish if wish.startswith("/season?") else "/season")
    assert "lang=en" in answer.headers["Set-Cookie"]


LEFT = """{"e":"game","v":1,"game":"stoper","players":["A","B","C","D"],"mode":"cash","stacks":5000,"currency":"EUR","dealer":"D"}
{"e":"hand","cip":50,"invito":50}
{"e":"apro","by":"A","to":100}
{"e":"passo","by":"B"}
{"e":"passo","by":"C"}
{"e":"passo","by":"D"}
{"e":"hand"}
"""


def test_a_game_left_in_mid_hand_is_called_so_on_its_page_and_in_its_picture(client: FlaskClient, ledger: Ledger) -> None:
    game = ledger.new_game(source="by hand", started=time.time() - 120)
    ledger.record(game, read_lines(LEFT.encode()))
    evening(ledger)
    page = client.get(f"/season/evening/{game}?lang=it").text
    assert "La partita non è finita" in page
    assert page.count("non ancora") == 1, "what they won, and the chips bought: said once for all"
    drawing = client.get(f"/season/evening/{game}.svg?lang=it").text
    assert "La partita non è finita" in drawing
    assert drawing.count("non ancora") == 1
    table = client.get("/api/season?season=all&game=stoper&lang=en").json
    assert (table["unsettled"], {row["figures"]["net"] for row in table["rows"]}) == (1, {None})
    assert {row["no_money"] for row in table["rows"]} == {"not yet"}
    assert client.get("/season?season=all&game=stoper&lang=it").text.count(">non ancora</td>") == 4 * 2
    sheet = csv.reader(io.StringIO(client.get("/season.csv?season=all&game=stoper&lang=it").text), delimiter=";")
    assert all(row.count("non ancora") == 2 for row in list(sheet)[1:])


STOPER = """
{"e":"game","v":1,"game":"stoper","players":["Ada","Bice","Ciro","Dora"],"mode":"cash","stacks":5000,"currency":"EUR","dealer":"Dora"}
{"e":"hand","cip":50,"invito":50}
"""
ALONE = '{"e":"apro","by":"Ada","to":100}\n' + "\n".join(f'{{"e":"passo","by":"{name}"}}' for name in ("Bice", "Ciro", "Dora"))
NOBODY = "\n".join(f'{{"e":"parola","by":"{name}"}}' for name in ("Ada", "Bice", "Ciro", "Dora"))
CLOSE = '\n{"e":"close"}'
HOW_LEFT = {
    "between two hands, with nothing on the table": (
        ALONE, {"La partita non è finita", "Nessuno l’ha chiusa: i saldi sono come stanno", "+3,00"},
        {"★", "Ha vinto", "La partita è finita", "non ancora"},
    ),
    "with a pot carried": (
        NOBODY, {"La partita non è finita", "non ancora"}, {"★", "La partita è finita", "Nessuno l’ha chiusa"},
    ),
    "closed": (ALONE + CLOSE, {"Ha vinto", "★", "3,00"}, {"Nessuno l’ha chiusa", "non ancora"}),
    "closed with a pot carried": (
        NOBODY + CLOSE, {"La partita è finita", "Rimasto nel piatto alla chiusura: 4,00"}, {"non ancora", "Nessuno l’ha chiusa"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("how", HOW_LEFT)
def test_the_evening_of_a_game_after_which_another_was_begun_says_how_it_was_left(
    client: FlaskClient, ledger: Ledger, how: str
) -> None:
    log, told, untold = HOW_LEFT[how]
    game = ledger.new_game(source="by hand", started=time.time() - 60)
    ledger.record(game, read_lines((STOPER + log).encode()))
    evening(ledger)
    page = client.get(f"/season/evening/{game}").text.replace("&#39;", "’")
    shown = page + client.get(f"/season/evening/{game}.svg").text
    assert {one for one in told if one not in shown} == set()
    assert {one for one in untold if one in shown} == set()


AFTER = '''
{"e":"hand","cip":50,"invito":50}
{"e":"void"}
{"e":"chips","by":"Ciro","amount":2500}
{"e":"set","stacks":{"Dora":4000}}'''


def test_picture_and_players_pages_say_how_it_stood_after_chips_and_a_set(client: FlaskClient, ledger: Ledger) -> None:
    game = ledger.new_game(source="by hand", started=time.time() - 60)
    ledger.record(game, read_lines((STOPER + ALONE + AFTER + CLOSE).encode()))
    drawing = client.get(f"/season/evening/{game}.svg?lang=it").text
    told = client.get("/api/season?season=all&game=stoper&lang=it").json["rows"]
    for name, has in (("Ada", "53,00"), ("Bice", "49,00"), ("Ciro", "74,00"), ("Dora", "40,00")):
        assert re.search(f">{name}</text>\n<text[^>]*>{has} ", drawing), name
        page = next(row["id"] for row in told if row["name"] == name)
        assert client.get(f"/api/season/{page}?game=stoper&lang=it").json["evenings"][0]["stood"].startswith(has)


def test_a_game_without_a_hand_is_no_game_of_the_season(client: FlaskClient, ledger: Ledger) -> None:
    game = ledger.new_game(source="by hand", started=time.time() - 60)
    ledger.record(game, read_lines(STOPER.splitlines()[1].encode()))
    evening(ledger)
    assert client.get(f"/season/evening/{game}").status_code == 404
    assert client.get("/api/season?game=stoper&season=all").json["rows"] == []
