"""A game that went on with other people, as the hall shows it: what its table's own pages say."""

from __future__ import annotations

from typing import Any

import pytest
from serving import until
from tables import Organiser, Running, Table, table
from test_years import newest_of, season

from companion.games import read_lines
from companion.ledger import Ledger
from companion.line.chains import ELSEWHERE
from companion.line.recorder import PEOPLE

FIRST = (
    '{"e":"game","v":1,"game":"stoper","players":["Anna","Bruno","Carla","Dino"],"mode":"cash","stacks":5000,"currency":"EUR",'
    '"dealer":"Dino"}'
)
HAND = (
    '{"e":"hand","cip":50,"invito":50}', '{"e":"apro","by":"Anna","to":200}', '{"e":"passo","by":"Bruno"}',
    '{"e":"passo","by":"Carla"}',
)  # fmt: skip
PARTS = (
    (FIRST, *HAND, '{"e":"passo","by":"Dino"}'),
    (FIRST.replace('"dealer":"Dino"', '"dealer":"Elsa"').replace("Dino", "Elsa"), *HAND, '{"e":"passo","by":"Elsa"}'),
    (FIRST, *HAND, '{"e":"passo","by":"Dino"}', '{"e":"close"}'),
)
"""Dino goes home, and comes back in the third part."""
SAID = ("whole", "part", "settling", "accounts")


def in_parts(ledger: Ledger) -> list[int]:
    """The games, each going on from the one before."""
    games: list[int] = []
    for log in PARTS:
        game = ledger.new_game(source="by hand")
        ledger.record(game, read_lines("\n".join(log).encode()))
        if games:
            ledger.note(game, **{PEOPLE: str(games[-1])})
        games.append(game)
    return games


def shown(hall: Running, lang: str) -> dict[str, Any]:
    found: dict[str, Any] = hall.client.get(f"/api/tables/1/game?lang={lang}").json
    return found


def same(hall: Running, one: Table, lang: str) -> bool:
    here, there = one.says(lang), shown(hall, lang)
    return all(here[name] == there.get(name) for name in SAID)


@pytest.fixture
def played(hall: Running) -> Any:
    with table(hall, name="A") as one:
        games = in_parts(one.ledger)
        one.is_sent(hall)
        yield hall, one, games


def test_the_accounts_in_the_hall_are_those_of_the_whole_game(played: Any, lang: str) -> None:
    hall, one, games = played
    until(lambda: same(hall, one, lang))
    told = shown(hall, lang)
    assert told["part"].startswith({"it": "Di tutta la partita, in 3 parti", "en": "Of the whole game, in 3 parts"}[lang])
    assert {row["name"] for row in told["whole"]} == {"Anna", "Bruno", "Carla", "Dino", "Elsa"}
    assert {name: row["evenings"] for name, row in season(hall.client).items()} == dict.fromkeys(told_names(told), 1)
    assert hall.client.get("/api/season?season=all").json["evenings"] == 1
    step = len(PARTS[-1])
    page = Organiser(hall, lang).client.get(f"/evenings/{newest_of(hall, 'A')}?step={step}&lang={lang}").text
    assert page
    one.ledger.record(games[0], read_lines("\n".join((*PARTS[0], '{"e":"chips","by":"Bruno","amount":1000}')).encode()))
    until(lambda: same(hall, one, lang))


def told_names(told: dict[str, Any]) -> list[str]:
    return [row["name"] for row in told["whole"]]


def test_where_a_part_is_deleted_the_hall_says_so_too(played: Any, lang: str) -> None:
    hall, one, games = played
    until(lambda: same(hall, one, lang))
    one.ledger.delete(games[0])
    until(lambda: same(hall, one, lang))
    assert shown(hall, lang)["whole"] == []
    assert shown(hall, lang)["part"].startswith({"it": "Solo di questa parte", "en": "Of this part"}[lang])
    one.ledger.restore(games[0])
    until(lambda: same(hall, one, lang))
    assert len(shown(hall, lang)["whole"]) == 5


def test_of_a_game_that_goes_on_from_none_the_hall_says_no_more_than_its_table(hall: Running) -> None:
    with table(hall, name="A") as one:
        game = one.ledger.new_game(source="by hand")
        one.ledger.record(game, read_lines("\n".join(PARTS[-1]).encode()))
        one.is_sent(hall)
        until(lambda: same(hall, one, "it"))
        assert shown(hall, "it")["part"] == ""


def test_of_a_part_that_went_on_twice_the_hall_counts_nothing_twice(hall: Running, lang: str) -> None:
    with table(hall, name="A") as one:
        games = []
        for log, goes_on_from in zip((PARTS[0], (*PARTS[1], '{"e":"close"}'), PARTS[2]), (None, 0, 0), strict=True):
            games.append(one.ledger.new_game(source="by hand"))
            one.ledger.record(games[-1], read_lines("\n".join(log).encode()))
            if goes_on_from is not None:
                one.ledger.note(games[-1], **{PEOPLE: str(games[goes_on_from])})
        one.is_sent(hall)
        until(lambda: same(hall, one, lang))
        assert shown(hall, lang)["part"].startswith({"it": "Di tutta la partita, in 2", "en": "Of the whole game, in 2"}[lang])
        rows = hall.client.get("/api/season?season=all&game=stoper").json["rows"]
        assert {row["name"]: row["figures"]["net"]["minor"] for row in rows} == {
            "Anna": 900, "Bruno": -300, "Carla": -300, "Dino": -200, "Elsa": -100
        }  # fmt: skip
        kept = hall.hall.season
        first, older, newer = (entry.id for entry in sorted(kept.games()[0], key=lambda entry: entry.started))
        assert [kept.before(one) for one in (first, older, newer)] == [(), (ELSEWHERE,), (first,)]
        pages = Organiser(hall, lang).client
        assert {pages.get(f"/evenings/{one}?step={len(PARTS[2])}&lang={lang}").status_code for one in (older, newer)} == {200}
