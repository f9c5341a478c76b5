"""A part of a game that went on with other people is not played on, and nothing of it counts twice."""

from __future__ import annotations

import random
from collections import Counter
from html import unescape

import pytest
from flask import Flask
from phones import Organiser, Phone
from test_chains_property import played_out, some
from test_people import HAND, STOPER, STOPPA, STU, comes, of
from test_went_on import one_hand

from companion.ledger import Ledger
from companion.line.chains import last_part, played_otherwise

pytestmark = pytest.mark.usefixtures("camera")

LOGS = {"stu": STU + HAND, "stoppa": STOPPA, "stoper": STOPER}
NEXT = {"stu": ("Anna", "Dino", "Bruno", "Carla"), "stoppa": ("Anna", "Bruno", "Carla", "Elsa"),
        "stoper": ("Anna", "Bruno", "Carla", "Elsa")}  # fmt: skip


def in_two(phone: Organiser, ledger: Ledger, kind: str) -> tuple[int, int]:
    """A game, and the one that it went on as."""
    first = of(ledger, LOGS[kind])
    comes(phone, first, *NEXT[kind])
    return first, ledger.newest() or 0


def past(phone: Organiser) -> str:
    return unescape(phone.get("/setup/games?lang=it").text)


@pytest.mark.parametrize("kind", LOGS)
def test_a_part_that_went_on_is_not_gone_on_with_and_its_last_part_is_offered(
    phone: Organiser, ledger: Ledger, kind: str
) -> None:
    first, last = in_two(phone, ledger, kind)
    assert "Riprendi l’ultima parte" in past(phone)
    phone.walk("/setup/go-on", "/setup/games", game=first)
    page = past(phone)
    assert "è continuata con altre persone: riprendi l’ultima parte, del " in page
    assert f'name="game" value="{last}"><button aria-label="Riprendi l’ultima parte' in page
    assert ledger.newest() == last
    phone.walk("/setup/go-on", "/setup/ready", game=last)


def test_the_list_asks_the_ledger_no_more_for_more_games(phone: Organiser, ledger: Ledger) -> None:
    asked: dict[int, list[str]] = {2: [], 6: []}
    for games, statements in asked.items():
        while len(ledger.games()) < games:
            in_two(phone, ledger, "stoper")
        past(phone)  # it has worked out each game's line
        with ledger.reading() as connection:
            connection.set_trace_callback(statements.append)
        past(phone)
        with ledger.reading() as connection:
            connection.set_trace_callback(None)
    assert len(asked[2]) == len(asked[6]) > 0


def test_whose_last_part_is_over_cannot_be_gone_on_with_at_all(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    first, _ = in_two(phone, ledger, "stoper")
    Phone(app).say({"e": "close"})
    assert "Riprendi" not in past(phone)
    phone.walk("/setup/go-on", "/setup/games", game=first)
    assert "e l’ultima parte, del " in past(phone)


def test_what_was_prepared_before_somebody_came_does_not_begin_after_it(phone: Organiser, ledger: Ledger) -> None:
    first = of(ledger, STOPER)
    phone.walk("/setup/go-on", "/setup/ready", game=first)
    later = of(ledger, STOPER, people=str(first))  # on another phone
    assert "riprendi l’ultima parte" in unescape(phone.refused("/setup/start", instead_of=later).text)
    assert ledger.newest() == later


def test_a_part_that_went_on_does_not_go_on_a_second_time(phone: Organiser, ledger: Ledger) -> None:
    """A ledger of an older program has the first part shown again, and not over."""
    first, _ = in_two(phone, ledger, "stoper")
    ledger.take_up(first)
    phone.walk("/setup/people", "/organiser", game=first)
    assert "riprendi l’ultima parte" in unescape(phone.get("/organiser?lang=it").text)


def test_of_three_parts_the_last_is_gone_on_with_also_where_the_middle_one_is_deleted(phone: Organiser, ledger: Ledger) -> None:
    first, middle = in_two(phone, ledger, "stoper")
    comes(phone, middle, "Anna", "Bruno", "Dino", "Elsa")
    last = ledger.newest()
    assert (last_part(ledger, first), last_part(ledger, middle), last_part(ledger, last or 0)) == (last, last, None)
    phone.walk("/setup/delete", "/setup/games", game=middle, sure=middle)
    assert last_part(ledger, first) == last
    phone.walk("/setup/go-on", "/setup/games", game=first)
    phone.walk("/setup/delete", "/setup/games", game=last, sure=last)
    assert last_part(ledger, first) is None
    phone.walk("/setup/go-on", "/setup/ready", game=first)


def test_a_part_whose_continuation_was_deleted_is_played_on_and_then_that_does_not_come_back(
    app: Flask, phone: Organiser, ledger: Ledger
) -> None:
    first, last = in_two(phone, ledger, "stoper")
    phone.walk("/setup/delete", "/setup/games", game=last, sure=last)
    phone.walk("/setup/restore", "/setup/games", game=last)
    assert ledger.newest() == last
    phone.walk("/setup/take-back", "/organiser", game=last)
    assert ledger.newest() == first
    phone.walk("/setup/restore", "/setup/games", game=last)
    assert ledger.newest() == last, "the part before it is not played on"
    phone.walk("/setup/delete", "/setup/games", game=last, sure=last)
    phone.walk("/setup/go-on", "/setup/ready", game=first)
    phone.walk("/setup/start", "/organiser")
    assert Phone(app).view["game"] == first
    one_hand_of(app)
    assert played_otherwise(ledger, last) == first
    phone.walk("/setup/restore", "/setup/games", game=last)
    assert "Resta cancellata: la partita del " in past(phone)
    assert last not in {entry.id for entry in ledger.games()}
    comes(phone, first, *NEXT["stoper"])
    later = ledger.newest() or 0
    one_hand_of(app)
    phone.walk("/setup/restore", "/setup/games", game=last)
    assert last not in {entry.id for entry in ledger.games()}
    assert last_part(ledger, first) == later


def one_hand_of(app: Flask) -> None:
    one_hand(app, random.Random(1))


def forked(app: Flask, phone: Organiser, ledger: Ledger, kind: str, seed: int) -> list[int]:
    """A ledger of an older program, in which a part has gone on twice; each of the two may have gone on once more."""
    chance, first = random.Random(seed), of(ledger, LOGS[kind])
    branches = []
    for new in ("Elsa", "Fabio"):
        ledger.take_up(first)
        stay = ("Anna", "Bruno", "Carla") if kind == "stu" else NEXT[kind][:3]
        comes(phone, first, *stay, new)
        ids = [ledger.newest() or 0]
        if chance.random() < 0.5:
            some(app, kind, chance)
            names = [one["name"] for one in Phone(app).view["players"]]
            comes(phone, ids[-1], *(names if kind == "stu" else names[:3]), "Gino")
            ids.append(ledger.newest() or 0)
        played_out(app, kind, chance)
        for game in ids:
            ledger.delete(game)
        branches.append(ids)
    for game in (one for ids in branches for one in ids):
        ledger.restore(game)
    if chance.random() < 0.4:  # and the first one was played out, too
        ledger.take_up(first)
        played_out(app, kind, chance)
    return [first, *(one for ids in branches for one in ids)]


def money(phone: Organiser, kind: str) -> dict[str, int]:
    """Whose money is known, and what they have won or lost in all games."""
    rows = phone.get(f"/api/season?season=all&game={kind}").json["rows"]
    return {row["name"]: row["figures"]["net"]["minor"] for row in rows if row["figures"]["net"] is not None}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", LOGS)
def test_of_an_older_programs_ledger_nothing_counts_twice(
    app: Flask, phone: Organiser, ledger: Ledger, kind: str, seed: int
) -> None:
    games, found = forked(app, phone, ledger, kind, seed), Counter[str]()
    for game in games:
        view = phone.get(f"/api/games/{game}/view?lang=it").json
        for one in view["whole"] or view["accounts"]:
            found[one["name"]] += one["net"]["minor"] if one["net"] is not None else 0
        assert view["settling"] == [] or all(one["net"] for one in view["accounts"])
        sheet = phone.get(f"/organiser/games/{game}/sheet?lang=it")
        assert sheet.status_code == 200
        assert view["part"] in unescape(sheet.text)
    sums = money(phone, kind)
    assert {name: net for name, net in sums.items() if net} == {name: net for name, net in found.items() if net}
    assert sum(sums.values()) == 0


def test_of_two_games_with_the_same_pot_the_older_one_says_why_it_has_no_sums(
    app: Flask, phone: Organiser, ledger: Ledger
) -> None:
    first, last = in_two(phone, ledger, "stu")
    chance = random.Random(1)
    played_out(app, "stu", chance)
    ledger.take_up(first)
    played_out(app, "stu", chance)
    view = phone.get(f"/api/games/{last}/view?lang=it").json
    assert [one["net"] for one in view["accounts"]] == [None] * 4
    assert (view["settling"], view["part"]) == (
        [], "Il montepremi conta già in un’altra partita: la parte di prima è stata giocata due volte"
    )  # fmt: skip
    assert phone.get("/api/season?season=all&game=stu").json["unknown"] == 1
    assert sorted(money(phone, "stu").values()) == [-200, -200, 400]
