"""Won and lost in an evening's pages: points are points wherever a game was played for them, and each balance stands once."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable
from html import unescape
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient

from companion.games.stoper import bots as stoper
from companion.games.stoppa import bots as stoppa
from companion.games.stu import bots as stu
from companion.ledger import Ledger
from companion.table.log import Line, tag

ANNAS = ("Anna", "Bruno", "Carla", "Dino")


def played(*, points: bool, seed: int, closed: bool = True) -> tuple[Line, ...]:
    """An evening of Stoppa; not ``closed``: nobody has said that it is over."""
    settings = stoppa.Settings(players=ANNAS, event_probabilities=stoppa.PLAIN, points=points)
    log = stoppa.simulate(settings, hands=4, seed=seed)
    return log if closed else log[: max(at for at, line in enumerate(log) if tag(line.event) == "hand")]


def kept(ledger: Ledger, log: tuple[Line, ...]) -> int:
    game = ledger.new_game(source="by hand")
    ledger.record(game, log)
    return game


def cells(client: FlaskClient, address: str) -> list[dict[str, str]]:
    """The rows of a page's tables: the head of each cell, and what stands there."""
    page = unescape(client.get(address).text).replace("\xa0", " ")
    return [dict(re.findall(r'data-head="([^"]+)"[^>]*>([^<]*)<', row)) for row in re.findall(r"<tr.*?</tr>", page, re.DOTALL)]


def drawn(client: FlaskClient, address: str) -> list[str]:
    drawing = ElementTree.fromstring(client.get(address).data)
    return [(one.text or "").replace("\xa0", " ") for one in drawing.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("seed", range(3))
def test_a_game_for_points_says_the_same_everywhere_and_knows_no_euro(client: FlaskClient, ledger: Ledger, seed: int) -> None:
    game = kept(ledger, played(points=True, seed=seed))
    told = {one["name"]: one["net"]["text"] for one in client.get("/api/game?lang=it").json["accounts"]}
    assert all(" punt" in text for text in told.values())
    rows = client.get("/api/season?season=all&game=stoppa").json["rows"]
    assert {row["name"]: row["figures"]["points"]["text"] for row in rows} == told
    assert {(row["figures"]["net"], row["no_money"], row["no_points"]) for row in rows} == {(None, "", "")}
    page = f"/season/evening/{game}?lang=it"
    assert Counter(row["Punti"] for row in cells(client, page) if "Punti" in row) == Counter(told.values())
    picture = drawn(client, f"/season/evening/{game}.svg?lang=it")
    assert Counter(text for text in picture if text in told.values()) == Counter(told.values())
    sheet = client.get("/season.csv?season=all&game=stoppa&lang=it").data.decode("utf-8-sig")
    of_csv = {row["Nome"]: row for row in csv.DictReader(io.StringIO(sheet), delimiter=";")}
    balance = {one["name"]: one["net"]["minor"] for one in client.get("/api/game").json["accounts"]}
    assert {name: int(row["Punti"]) for name, row in of_csv.items()} == balance
    for row in rows:
        own = f"/season/{row['id']}?lang=it&game=stoppa"
        assert told[row["name"]] in {one.get("Punti") for one in cells(client, own)}
        assert "€" not in client.get(own).text
    assert "€" not in client.get(page).text + "".join(picture) + sheet


def test_points_and_euros_of_one_night_are_never_added_up(client: FlaskClient, ledger: Ledger) -> None:
    nets = []
    for points in (False, True, True):
        kept(ledger, played(points=points, seed=5 + len(nets)))
        nets.append({one["name"]: one["net"]["minor"] for one in client.get("/api/game").json["accounts"]})
    for row in client.get("/api/season?season=all&game=stoppa").json["rows"]:
        name, figures = row["name"], row["figures"]
        assert figures["net"]["minor"] == nets[0][name]
        assert figures["points"]["minor"] == nets[1][name] + nets[2][name]
    night = [row for row in cells(client, "/season/evening/1?lang=it") if "Vinte" in row and "Stoppate" not in row]
    assert len(night) == 4
    assert all("€" in row["Saldo"] and " punt" in row["Punti"] for row in night)
    alone = [row for row in cells(client, "/season/evening/1?lang=it") if "Stoppate" in row]
    assert all("Punti" not in row for row in alone), "this one was for money"


def test_points_of_a_game_that_goes_on_are_not_told_yet(client: FlaskClient, ledger: Ledger) -> None:
    game = kept(ledger, played(points=True, seed=1, closed=False))
    rows = client.get("/api/season?season=all&game=stoppa&lang=it").json["rows"]
    assert {(row["figures"]["points"], row["no_points"], row["no_money"]) for row in rows} == {(None, "non ancora", "")}
    assert not any("Punti" in row for row in cells(client, f"/season/evening/{game}?lang=it")), "it is said once for all"
    assert "Punti: non ancora" in client.get(f"/season/evening/{game}?lang=it").text
    assert "–" not in drawn(client, f"/season/evening/{game}.svg?lang=it")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "evening",
    [
        lambda seed: played(points=False, seed=seed),
        lambda seed: stoper.simulate(stoper.Settings(players=stoper.seated(4)), hands=6, seed=seed),
        lambda seed: stu.simulate(stu.Settings(players=stu.seated(4)), hands=12, seed=seed),
    ],
)
def test_the_picture_of_an_evening_has_each_balance_once(
    client: FlaskClient, ledger: Ledger, seed: int, evening: Callable[[int], tuple[Line, ...]]
) -> None:
    game = kept(ledger, evening(seed))
    told = [one["net"]["text"] for one in client.get("/api/game?lang=it").json["accounts"] if one["net"]["minor"]]
    picture = drawn(client, f"/season/evening/{game}.svg?lang=it")
    assert Counter(text for text in picture if text in told) == Counter(told)
