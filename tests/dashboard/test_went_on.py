"""A game that went on with other people: who pays whom in the end is of all of it, and season and evening count it as what it
is."""

from __future__ import annotations

import random
import re
from collections import Counter
from html import unescape
from typing import Any

import pytest
from flask import Flask
from phones import Organiser, Phone
from test_people import HAND, STOPER, STOPPA, STU, comes, of

from companion.dashboard.recap import pages as video_pages
from companion.dashboard.recap.pages import _snapshot as video_snapshot
from companion.ledger import Ledger
from companion.line.recorder import PEOPLE
from companion.pages.recap import Recap, recap
from companion.table.log import tag

pytestmark = pytest.mark.usefixtures("camera")

POINTS = [STOPPA[0].replace('"dealer"', '"points":true,"dealer"'), *STOPPA[1:]]
GONE_ON = {"stoper": STOPER, "stoppa": STOPPA, "points": POINTS}
EVERYBODY = ("Anna", "Bruno", "Carla", "Dino", "Elsa", "Fabio")


def one_hand(app: Flask, chance: random.Random) -> None:
    """A hand that somebody wins, and perhaps chips that somebody buys after it."""
    told = Phone(app)
    if told.view["wing"] == "stoppa":
        told.say({"e": "hand"}, *[{"e": "piccolo"}] * 4, {"e": "grosso"}, {"e": "annul"})
        return
    told.say({"e": "hand", "cip": 50, "invito": chance.choice([0, 50])})
    seats = app.test_client().get("/api/game").json["seats"]
    first = next(at for at, seat in enumerate(seats) if seat["role"] == "bets")
    opens, *others = (seats[(first + at) % len(seats)]["name"] for at in range(len(seats)))
    told.say({"e": "apro", "by": opens, "to": chance.choice([100, 150, 200])})
    for name in others:
        told.say({"e": "passo", "by": name})
    if chance.random() < 0.5:
        told.say({"e": "chips", "by": chance.choice(others), "amount": 1000})


def gone_on(app: Flask, phone: Organiser, ledger: Ledger, kind: str, games: int, seed: int) -> list[int]:
    """This many games, where one went on as the next; the last one is closed. Their ids."""
    chance, ids = random.Random(seed), [of(ledger, GONE_ON[kind])]
    for _ in range(games - 1):
        if chance.random() < 0.5:
            one_hand(app, chance)
        seats = Phone(app).view["players"]
        deals = next(one["name"] for one in seats if one["dealer"])
        stay = chance.sample([one["name"] for one in seats if one["name"] != deals], 2)
        new = chance.choice([name for name in EVERYBODY if name not in {one["name"] for one in seats}])
        comes(phone, ids[-1], deals, *stay, new)
        ids.append(ledger.newest() or 0)
        one_hand(app, chance)
    Phone(app).say({"e": "close"})
    return ids


def evening_sums(phone: Organiser, kind: str) -> dict[str, str]:
    """Everybody's sum of the evening, as the season has it."""
    game, column = ("stoppa", "points") if kind == "points" else (kind, "net")
    rows = phone.get(f"/api/season?season=all&game={game}&lang=it").json["rows"]
    return {row["name"]: row["figures"][column]["text"] for row in rows}


def paid_by(told: list[str]) -> dict[str, int]:
    """Name → what they get (below 0: give) by these sentences, cents or points."""
    moved = Counter[str]()
    for said in told:
        found = re.fullmatch(r"(\w+) dà ([\d.,]+) (?:€|punt[oi]) a[d]? (\w+)", said)
        assert found, said
        amount = int(re.sub(r"\D", "", found[2]))
        moved[found[1]] -= amount
        moved[found[3]] += amount
    return {name: amount for name, amount in moved.items() if amount}


def minor(text: str) -> int:
    return int(re.sub(r"\D", "", text)) * (-1 if text.startswith("−") else 1)


def plain(text: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "\n", text)).replace("\xa0", " ")


def video_of(app: Flask, game: int) -> Recap:
    """What is told in the video of a game."""
    with app.test_request_context():
        shown = video_snapshot(game)
    rules, pages, settings = shown.game.rules, shown.game.pages, shown.settings.view
    found = recap(rules, pages, shown.moments, "it", settings, money=True, before=shown.before or ())
    assert found is not None
    return found


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("games", [2, 3, 4])
@pytest.mark.parametrize("kind", GONE_ON)
def test_who_pays_whom_is_what_the_evenings_own_sums_come_to(
    app: Flask, phone: Organiser, ledger: Ledger, kind: str, games: int, seed: int
) -> None:
    ids = gone_on(app, phone, ledger, kind, games, seed)
    sums = evening_sums(phone, kind)
    view = phone.get("/api/game?lang=it").json
    assert {one["name"]: one["net"]["text"] for one in view["whole"]} == sums
    assert paid_by(view["settling"]) == {name: minor(text) for name, text in sums.items() if minor(text)}
    assert view["part"].startswith(f"Di tutta la partita, in {games} parti")
    most = view["whole"][0]["name"]
    assert (f"nell’ultima ha vinto di più {view['winner']}" in view["part"]) == (view["winner"] not in (None, most))
    alone = {one["name"] for one in view["accounts"]}
    assert alone == {one["name"] for one in view["seats"]} != set(sums), "what this game alone came to stands as before"
    pictures = [plain(phone.get(f"/season/evening/{game}.svg?lang=it").text) for game in ids]
    assert all("È continuata con altre persone" in picture for picture in pictures[:-1])
    assert "Solo di questa parte della partita" in pictures[-1], "its sums are not those of all games together"
    past = phone.get(f"/api/games/{ids[-1]}/view?lang=it").json
    assert [past[key] for key in ("whole", "settling", "part")] == [view[key] for key in ("whole", "settling", "part")]
    for told in (phone.get("/receipt.svg?lang=it").text, phone.get(f"/organiser/games/{ids[-1]}/sheet?lang=it").text):
        words = [one.strip() for one in plain(told).split("\n") if one.strip()]
        assert [one for one in words if " dà " in one] == view["settling"]
        assert view["part"] in words
    video = video_of(app, ids[-1])
    assert (video.part, {one.name: one.has for one in video.standings}) == (view["part"], sums)
    hands = sum(tag(line.event) == "hand" for game in ids for line in ledger.lines(game))
    assert f"{hands} mani" == video.hands
    assert f"{hands} mani" in plain(phone.get("/receipt.svg?lang=it").text)
    for told in (phone.get("/receipt.svg?lang=it").text, phone.get(f"/organiser/games/{ids[-1]}/sheet?lang=it").text):
        words = [one.strip() for one in plain(told).split("\n") if one.strip()]
        assert all(words[words.index(name, words.index("I conti")) + 1] == text for name, text in sums.items())


def test_a_game_that_goes_on_from_none_says_no_more_than_before(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    of(ledger, STOPER)
    Phone(app).say({"e": "close"})
    view = phone.get("/api/game?lang=it").json
    assert (view["whole"], view["part"]) == ([], "")
    assert paid_by(view["settling"]) == {"Anna": 300, "Bruno": -100, "Carla": -100, "Dino": -100}


def test_where_the_game_before_is_not_known_the_accounts_say_that_it_is_not_in_them(
    app: Flask, phone: Organiser, ledger: Ledger
) -> None:
    first, last = gone_on(app, phone, ledger, "stoper", 2, 1)
    assert phone.get("/api/game?lang=it").json["whole"]
    phone.walk("/setup/delete", "/setup/games", game=first, sure=first)
    view = phone.get("/api/game?lang=it").json
    assert (view["whole"], view["part"][:36]) == ([], "Solo di questa parte della partita, ")
    assert paid_by(view["settling"]) == {name: minor(text) for name, text in evening_sums(phone, "stoper").items() if minor(text)}
    assert view["part"] in plain(phone.get("/receipt.svg?lang=it").text)
    video = video_of(app, last)
    assert video.part == view["part"]
    assert {one.name for one in video.standings} == {one["name"] for one in view["accounts"]}
    phone.walk("/setup/restore", "/setup/games", game=first)
    assert phone.get("/api/game?lang=it").json["part"].startswith("Di tutta la partita, in 2 parti")
    assert ledger.notes(last)[PEOPLE] == str(first)


def test_points_and_euros_are_not_settled_together(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    first = of(ledger, POINTS)
    of(ledger, STOPPA, people=str(first))
    Phone(app).say({"e": "close"})
    view = phone.get("/api/game?lang=it").json
    assert (view["whole"], view["part"][:36]) == ([], "Solo di questa parte della partita, ")
    assert all("€" in said for said in view["settling"])


def test_at_stu_the_pot_goes_along_and_it_is_one_game(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    first = of(ledger, STU + HAND)
    comes(phone, first, "Anna", "Dino", "Bruno", "Carla")
    told = Phone(app)
    while told.look()["phase"] != "won":
        if told.view["phase"] == "won_unless_reentry":
            told.say({"e": "close"})
            continue
        told.say({"e": "hand"})
        playing = [one["player"] for one in told.view["next"]["covered"]]
        loses, high = next(name for name in playing if name != "Anna"), iter(("5", "7", "8", "9"))
        for name in playing:
            told.say({"e": "reveal", "by": name, "card": "2" if name == loses else next(high)})
    view = phone.get("/api/game?lang=it").json
    assert (view["whole"], view["part"]) == ([], ""), "the pot holds every stake"
    assert paid_by(view["settling"]) == {"Anna": 600, "Bruno": -200, "Carla": -200, "Dino": -200}
    table = phone.get("/api/season?season=all&game=stu&lang=it").json
    assert (table["evenings"], table["unsettled"]) == (1, 0)
    rows = {row["name"]: (row["figures"]["evenings"], row["figures"]["won"], row["no_money"]) for row in table["rows"]}
    assert rows == {"Anna": (1, 1, ""), "Bruno": (1, 0, ""), "Carla": (1, 0, ""), "Dino": (1, 0, "")}
    page = plain(phone.get(f"/season/evening/{first}?lang=it").text)
    assert "È continuata con altre persone" in page
    assert "nella parte dopo" in page
    assert "Tutta la serata: 1 partita" in page
    assert "Solo di questa part" not in plain(phone.get(f"/season/evening/{view['game']}.svg?lang=it").text)
    for said in (page, plain(phone.get(f"/season/evening/{first}.svg?lang=it").text)):
        assert "La partita non è finita" not in said
        assert "non ancora" not in said
    own = next(row["id"] for row in table["rows"] if row["name"] == "Anna")
    assert "non ancora" not in phone.get(f"/season/{own}?lang=it").text


def test_a_game_in_parts_is_one_for_everybody_also_for_somebody_who_came_back(
    app: Flask, phone: Organiser, ledger: Ledger
) -> None:
    """Who goes home before the second part is back in the third, in the place of somebody else, who is back in the fourth."""
    ids, away = [of(ledger, STOPER)], "Elsa"
    for _ in range(3):
        one_hand(app, random.Random(len(ids)))
        seats = Phone(app).view["players"]
        deals = next(one["name"] for one in seats if one["dealer"])
        names = [one["name"] for one in seats if one["name"] != deals]
        comes(phone, ids[-1], deals, *names[1:], away)
        away = names[0]
        ids.append(ledger.newest() or 0)
    one_hand(app, random.Random(9))
    Phone(app).say({"e": "close"})
    table = phone.get("/api/season?season=all&game=stoper").json
    assert table["evenings"] == 1
    assert {row["name"]: row["figures"]["evenings"] for row in table["rows"]} == dict.fromkeys(EVERYBODY[:5], 1)
    assert "1 serata, 1 partita" in plain(phone.get("/season?season=all&game=stoper&lang=it").text)
    for game in ids:
        page = plain(phone.get(f"/season/evening/{game}?lang=it").text)
        assert "Tutta la serata: 1 partita" in page
        counted = re.findall(r"\d+ su (\d+) partit[ae]", page)
        assert counted == ["1"] * 5
    for row in table["rows"]:
        own = plain(phone.get(f"/season/{row['id']}?game=stoper&lang=it").text)
        assert set(re.findall(r"(\d+) partit[ae]\b", own)) <= {"1"}
    archive = plain(phone.get("/setup/games?lang=it").text)
    assert "4 partite" not in archive
    assert archive.count("è continuata") == len(ids) - 1
    asked = plain(phone.get(f"/season/settings?ask=forget&player={table['rows'][0]['id']}&lang=it").text)
    assert "(1 partita)" in asked


def test_a_part_without_a_hand_is_of_its_game(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    """Somebody sits down and somebody else goes home before a hand was dealt."""
    ids = [of(ledger, STOPER)]
    one_hand(app, random.Random(1))
    for _ in range(2):
        seats = Phone(app).view["players"]
        deals = next(one["name"] for one in seats if one["dealer"])
        new = next(name for name in EVERYBODY if name not in {one["name"] for one in seats})
        comes(phone, ids[-1], deals, *[one["name"] for one in seats if one["name"] != deals][:2], new)
        ids.append(ledger.newest() or 0)
    one_hand(app, random.Random(2))
    Phone(app).say({"e": "close"})
    table = phone.get("/api/season?season=all&game=stoper").json
    assert table["evenings"] == 1
    assert {row["figures"]["evenings"] for row in table["rows"]} == {1}
    assert "Solo di questa parte della partita" in plain(phone.get(f"/season/evening/{ids[-1]}.svg?lang=it").text)


def test_nothing_is_unsure_because_it_is_of_one_part(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    last = gone_on(app, phone, ledger, "stoper", 2, 3)[-1]
    page = phone.get(f"/season/evening/{last}?lang=it").text
    assert "Solo di questa parte della partita" in page
    assert 'class="unsure"' not in page


def test_sheet_and_video_of_a_part_say_that_it_went_on(
    app: Flask, phone: Organiser, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, last = gone_on(app, phone, ledger, "stoper", 2, 3)
    sheets = [plain(phone.get(f"/organiser/games/{game}/sheet?lang=it").text) for game in (first, last)]
    assert ["È continuata con altre persone" in sheet for sheet in sheets] == [True, False]
    assert "Il mazzo passa" not in sheets[0]
    told: list[Recap] = []

    def kept(*of: Any, **more: Any) -> Recap | None:
        found = recap(*of, **more)
        told.extend([found] if found is not None else [])
        return found

    monkeypatch.setattr(video_pages, "recap", kept)
    for game in (first, last):
        video_pages._work(app, game, "it", money=True, film=False)
    assert [one.over for one in told] == ["È continuata con altre persone", "Ha vinto"]
    phone.walk("/setup/delete", "/setup/games", game=last, sure=last)
    assert "È continuata" not in plain(phone.get(f"/organiser/games/{first}/sheet?lang=it").text)


def test_who_stays_a_virgin_from_one_part_to_the_next_does_so_longer(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    """Bruno through both parts, Anna through the first, Carla not at all, Dino from the second one on."""
    first = of(ledger, STU + HAND * 2)
    comes(phone, first, "Anna", "Dino", "Bruno", "Carla")
    for loses in ("Anna", "Anna", "Anna", "Dino"):
        told = Phone(app)
        told.say({"e": "hand"})
        high = iter("5789")
        for name in [one["player"] for one in told.view["next"]["covered"]]:
            told.say({"e": "reveal", "by": name, "card": "2" if name == loses else next(high)})
    rows = phone.get("/api/season?season=all&game=stu&lang=it").json["rows"]
    assert {row["name"]: row["figures"]["virgin"] for row in rows} == {"Anna": 2, "Bruno": 6, "Carla": 0, "Dino": 3}


def test_a_player_who_went_home_has_played_a_game(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    gone_on(app, phone, ledger, "stoper", 2, 3)
    table = phone.get("/api/season?season=all&game=stoper").json
    assert len(table["rows"]) == 5
    assert {row["figures"]["evenings"] for row in table["rows"]} == {1}
