"""Names that are to be gone, are: of players who were forgotten or renamed, of evenings that were deleted for good. Strangers are
asked for every address, and the ledger's files are read byte by byte."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_camera import FakeCamera
from flask import Flask
from leaks import ORGANISERS_OWN
from phones import Organiser, Phone
from test_evenings_life import TOLD, WON, recorded
from test_footage import filled
from test_renaming import OTHERS, PLAYERS, SIMULATED, bytes_of, told_by_hand

from companion.dashboard import Settings, create_app
from companion.games import log_format
from companion.ledger import Ledger, SeasonBook
from companion.line.footage import Footage
from companion.line.recorder import EveningRecorder
from companion.line.renaming import names_in
from companion.table.log import Line
from companion.table.people import name_key, page_id

pytestmark = pytest.mark.usefixtures("camera")


def everything(app: Flask, games: list[int]) -> Iterator[tuple[str, str]]:
    """What a stranger gets at every address, of each of these games, one after another."""
    client = app.test_client()
    rules = {rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    people = re.findall(r'"/season/(?!language|settings|evening)([^"/?]+)', client.get("/season?season=all").text)
    for rule in sorted(rules):
        if rule.startswith((*ORGANISERS_OWN, "/static", "/cards")) or rule == "/api/stream" or rule.endswith((".png", ".zip")):
            continue
        whose = [rule.replace("<player>", one) for one in people[:3]] if "<player>" in rule else [rule]
        for path in whose:
            for game in games if "<int:game>" in path else games[:1]:
                asked = path.replace("<int:game>", str(game))
                yield asked, client.get(f"{asked}?season=all" if "season" in asked else asked).data.decode("utf-8", "replace")
    with client.get("/api/stream") as stream:
        heard = iter(stream.response)
        yield "/api/stream", b"".join(next(heard) for _ in range(2)).decode()  # type: ignore[misc]


def given_away(text: str, names: set[str]) -> set[str]:
    return {name for name in names if name.casefold() in text.casefold()}


def a_life(path: Path, seed: int) -> tuple[list[int], set[str]]:
    """A ledger in which people were forgotten and evenings deleted for good; its games, and the names that are to be gone."""
    chance, gone, there = random.Random(seed), set[str](), set[str]()
    with Ledger.open(path, log_format) as ledger:
        app = create_app(ledger, camera=FakeCamera(ledger))
        phone, games = Organiser(app), list[int]()
        for number in range(chance.randint(2, 3)):
            game = chance.choice(sorted(SIMULATED))
            names = [f"{chance.choice(PLAYERS + OTHERS)}{chance.choice(('', ' Ò', ' de'))}{number}{at}x" for at in range(4)]
            lines = SIMULATED[game](names, chance.randrange(2**20))
            if chance.random() < 0.5:
                lines = lines[: chance.randint(1, len(lines))]
            there |= set(names)
            if chance.random() < 0.5:
                games.append(ledger.begin(lines, archived=chance.random() < 0.3))
            else:
                games.append(EveningRecorder.begin(ledger, lines[0].event, f"{names[0]}.mp4").game_id)
                ledger.record(games[-1], lines)
        for _ in range(chance.randint(1, 3)):
            if chance.random() < 0.4 and len(games) > 1:
                deleted = chance.choice(games)
                names = {name for name in names_in(ledger, deleted) if name in there}
                if phone.post("/setup/delete", game=deleted, sure=deleted, for_good="1").status_code == 302:
                    gone |= names
                    games.remove(deleted)
                continue
            listed = phone.get("/season/settings").text
            if known := [name for name in sorted(there - gone) if page_id(name_key(name)) in listed]:
                gone.add(name := chance.choice(known))
                assert phone.post("/season/settings", do="forget", player=page_id(name_key(name)), sure="1").status_code == 302
        SeasonBook(ledger).open_past(to_all=chance.random() < 0.7)
        for asked, text in everything(app, games):
            assert given_away(text, gone) == set(), (asked, seed)
        for own in ("/setup/games", "/organiser", "/api/organiser", "/season/settings", "/setup/players"):
            assert given_away(phone.get(own).text, gone) == set(), (own, seed)
    return games, gone


def are_gone(path: Path, seeds: range) -> None:
    seen = 0
    for seed in seeds:
        ledger = path / f"{seed}.ledger"
        games, gone = a_life(ledger, seed)
        seen += len(gone)
        assert given_away(bytes_of(ledger).decode("utf-8", "replace"), gone) == set(), seed
        with Ledger.open(ledger, log_format) as again:  # and after a restart
            app = create_app(again, camera=FakeCamera(again), settings=Settings(odds=True, voice=True))
            assert not any(given_away(text, gone) for _, text in everything(app, games))
    assert seen > len(seeds) // 2


def test_strangers_get_no_name_that_is_gone(tmp_path: Path) -> None:
    are_gone(tmp_path, range(6))


@pytest.mark.thorough
def test_strangers_get_no_name_that_is_gone_of_three_hundred_evenings(tmp_path: Path) -> None:
    are_gone(tmp_path, range(100, 220))  # two or three evenings each


@pytest.mark.parametrize("game", SIMULATED)
def test_somebody_at_the_table_is_forgotten_in_mid_evening(app: Flask, ledger: Ledger, game: str) -> None:
    told_by_hand(ledger, game)
    phone, organiser = Phone(app), Organiser(app)
    assert "Annunziata" in app.test_client().get("/api/game").text
    organiser.post("/season/settings", do="forget", player=page_id("annunziata"), sure="1")
    assert "Annunziata" not in app.test_client().get("/api/game").text
    assert "Qualcuno" in app.test_client().get("/api/log").text
    assert "Annunziata" not in str(phone.look())
    if phone.view["next"]["offers"]:
        phone.say(*phone.view["next"]["offers"][0]["events"])  # and the game goes on
    phone.do("undo") if phone.view.get("undo") else None


def test_a_player_is_renamed_in_an_evening_that_is_on(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    game = recorded(ledger, TOLD)
    page = phone.get(f"/setup/rename?game={game}").text
    assert re.findall(r'name="was" value="([^"]+)"', page) == ["Anna", "Bruno", "Carla"]
    was = ["Anna", "Bruno", "Carla"]
    phone.walk("/setup/rename", "/setup/games", game=game, was=was, name=["Anna", " Bru\u200bno  Rossi ", "Carla"])
    shown = app.test_client().get("/api/game").json
    assert [seat["name"] for seat in shown["seats"]] == ["Anna", "Bruno Rossi", "Carla"]
    assert shown["corrected"] == []  # nothing about a ruling was
    telling = Phone(app)
    assert "Bruno Rossi" in str(telling.view)
    assert "I nomi sono cambiati" in phone.get("/setup/games").text


def test_names_that_are_put_right_in_mid_evening_lead_back_to_it(phone: Organiser, ledger: Ledger) -> None:
    game = recorded(ledger, TOLD)
    page = phone.get(f"/setup/rename?game={game}&from=organiser").text
    assert 'href="/organiser"' in page  # the way back without a change
    was = ["Anna", "Bruno", "Carla"]
    refused = phone.post("/setup/rename", game=game, was=was, name=["Anna", "ANNA", "Carla"], **{"from": "organiser"})
    assert 'name="from" value="organiser"' in refused.text
    phone.walk("/setup/rename", "/organiser", game=game, was=was, name=["Anna", "Bruna", "Carla"], **{"from": "organiser"})
    assert "Bruna" in phone.client.get("/api/organiser").text
    assert "I nomi sono cambiati" not in phone.get("/setup/games").text  # it would come up much later


@pytest.mark.parametrize(("was", "name", "said"), [
    (["Anna", "Bruno", "Carla"], ["Anna", "", "Carla"], "posto 2"),
    (["Anna", "Bruno", "Carla"], ["Anna", "ANNA", "Carla"], "si chiamano"),
    (["Anna", "Bruno", "Carla"], ["Anna", "B" * 30, "Carla"], "troppo lungo"),
    (["Anna", "Dino", "Carla"], ["Anna", "Elsa", "Carla"], "i nomi sono cambiati"),
    (["Anna"], ["Anna", "Elsa"], "i nomi sono cambiati"),
])  # fmt: skip
def test_names_that_cannot_be_are_refused_and_nothing_changes(
    phone: Organiser, ledger: Ledger, was: list[str], name: list[str], said: str
) -> None:
    game = recorded(ledger, TOLD)
    answer = phone.post("/setup/rename", game=game, was=was, name=name)
    assert answer.status_code == 400
    assert said in answer.text
    assert re.findall(r'name="name" value="([^"]*)"', answer.text) == [
        dict(zip(was, name, strict=False)).get(one, one) for one in ("Anna", "Bruno", "Carla")
    ]  # what was typed is still there
    assert names_in(ledger, game) == {"Anna", "Bruno", "Carla"}


def test_an_evening_that_is_deleted_for_good_cannot_be_restored(phone: Organiser, ledger: Ledger) -> None:
    kept, gone, later = recorded(ledger, WON), recorded(ledger, TOLD), recorded(ledger, WON)
    assert 'name="for_good"' in phone.post("/setup/delete", game=gone).text
    phone.walk("/setup/delete", "/setup/games", game=gone, sure=gone, for_good="1")
    assert "per sempre" in phone.get("/setup/games").text
    assert phone.post("/setup/restore", game=gone).status_code == 404
    phone.walk("/setup/delete", "/setup/games", game=later, sure=later)
    assert f'name="game" value="{later}"' in phone.get("/setup/games").text.partition("<details>")[2]
    phone.walk("/setup/erase", "/setup/games", game=later)
    assert phone.post("/setup/restore", game=later).status_code == 404
    assert phone.post("/setup/erase", game=kept).status_code == 404  # it was not deleted before
    assert [entry.id for entry in ledger.games()] == [kept]


def test_no_picture_is_left_of_an_evening_that_is_deleted_for_good(ledger: Ledger, camera: FakeCamera) -> None:
    footage = Footage(60)
    phone = Organiser(create_app(ledger, camera=camera, footage=footage))
    kept, gone = recorded(ledger, WON), recorded(ledger, TOLD)
    filled(footage, 5, game=gone)
    phone.walk("/setup/delete", "/setup/games", game=gone, sure=gone)
    assert footage.held, "it can be restored"
    phone.walk("/setup/erase", "/setup/games", game=gone)
    assert footage.held == 0
    filled(footage, 5, game=kept)
    phone.walk("/setup/delete", "/setup/games", game=kept, sure=kept, for_good="1")
    assert footage.held == 0


def test_the_tv_shows_nothing_of_the_only_evening_once_it_is_deleted(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    game = recorded(ledger, TOLD)
    assert "Carla" in app.test_client().get("/api/game").text
    phone.walk("/setup/delete", "/setup/games", game=game, sure=game, for_good="1")
    assert "Carla" not in app.test_client().get("/api/game").text


def test_a_log_that_is_taken_in_has_no_forgotten_name(phone: Organiser, ledger: Ledger) -> None:
    recorded(ledger, WON)
    phone.post("/season/settings", do="forget", player=page_id("anna"), sure="1")
    recorded(ledger, [line.replace("Anna", "Elsa") for line in TOLD])
    answer = phone.client.post("/api/games", data="\n".join(TOLD), headers={"X-CSRF-Token": phone.csrf})
    assert answer.status_code == 200
    assert names_in(ledger, answer.json["id"]) == {"Qualcuno", "Bruno", "Carla"}
    assert isinstance(ledger.lines(answer.json["id"])[0], Line)
