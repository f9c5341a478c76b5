"""What a game comes to in money, for everybody: put in, taken out, won or lost, and why."""

from __future__ import annotations

from games import lines

from companion.games import GAMES
from companion.games.stu.pages.accounts import accounts
from companion.games.stu.rules import report
from companion.table.language import Lang
from companion.table.moments import follow
from companion.table.view import AccountView

STU = GAMES["stu"]


def told(*log: str, lang: Lang = "en") -> dict[str, AccountView]:
    moments = list(follow(STU.rules, STU.pages, lines(*log)))
    rows = accounts(moments, report(moments[-1].seen), lang)
    assert len({row.name for row in rows}) == len(rows)
    return {row.name: row for row in rows}


def text(row: AccountView) -> tuple[str, str | None, str | None, str]:
    return row.takes.text, row.paid and row.paid.text, row.net and row.net.text, row.why


def head(players: str, standing: str = "", more: str = "") -> str:
    names = ",".join(f'"{name}"' for name in players.split())
    at = ",".join(
        f'"{name}":{{"pedine":{pedine},"virgin":{"true" if pedine == "3" else "false"}}}'
        for name, pedine in (one.split("=") for one in standing.split())
    )
    return (
        f'{{"e":"game","v":1,"game":"stu","players":[{names}],"stake":200,"currency":"EUR","dealer":"{players.split()[-1]}",'
        f'"standing":{{{at}}}{more}}}'
    )


def hand(**cards: str) -> list[str]:
    return ['{"e":"hand"}', *(f'{{"e":"reveal","by":"{name}","card":"{card}"}}' for name, card in cards.items()), '{"e":"end"}']


def test_nobody_is_told_anything_before_somebody_has_won() -> None:
    assert told(head("Anna Bruno")) == {}
    assert told(head("Anna Bruno"), *hand(Anna="1", Bruno="9")) == {}


def test_the_winner_takes_the_pot_and_the_others_have_lost_their_stakes() -> None:
    rows = told(head("Anna Bruno Carla", "Anna=1 Bruno=2 Carla=0"), *hand(Anna="1", Bruno="9"))
    assert list(rows) == ["Bruno", "Anna", "Carla"]
    assert text(rows["Bruno"]) == ("€6.00", "€2.00", "+€4.00", "wins the pot")
    assert text(rows["Anna"]) == ("€0.00", "€2.00", "−€2.00", "")


def test_a_ricompera_counts_with_the_player_and_what_partners_have_won_nobody_can_know() -> None:
    log = [
        head("Anna Bruno Carla", "Anna=0 Bruno=3 Carla=1"),
        '{"e":"rebuy","by":"Anna","partners":[{"name":"Zia","share":0.25},{"name":"Carla","share":0.1}]}',
        *hand(Bruno="9", Carla="1", Anna="10"),
        '{"e":"close"}',
        *[line for _ in range(3) for line in hand(Anna="9", Bruno="1")],
    ]
    rows = told(*log, lang="it")
    assert list(rows) == ["Anna", "Bruno", "Carla", "Zia"]
    assert text(rows["Anna"]) == ("6,50 €", "6,00 €", None, "vince il montepremi")
    assert text(rows["Bruno"]) == ("0,00 €", "2,00 €", "−2,00 €", "")
    assert text(rows["Carla"]) == ("1,00 €", "2,00 €", None, "10 % come socio di Anna")
    assert text(rows["Zia"]) == ("2,50 €", "0,00 €", None, "25 % come socio di Anna")


def test_of_an_evening_that_had_begun_before_nobody_knows_who_had_paid() -> None:
    rows = told(head("Anna Bruno", "Anna=1 Bruno=2", ',"ricompere":1'), *hand(Anna="1", Bruno="9"))
    assert text(rows["Bruno"]) == ("€8.00", None, None, "wins the pot")


def test_shares_agreed_upon_are_named() -> None:
    split = '{"e":"split","shares":{"Anna":0.333,"Bruno":0.667}}'
    rows = told(head("Anna Bruno", "Anna=1 Bruno=2"), split, *hand(Anna="1", Bruno="9"))
    assert text(rows["Anna"]) == ("€1.33", "€2.00", "−€0.67", "33.3 % as agreed with Bruno")
    assert sum(row.takes.minor for row in rows.values()) == 400
