"""What a game comes to in money, for everybody: put in, taken out, won or lost, and why."""

from __future__ import annotations

from games import lines

from companion.games import GAMES
from companion.games.stu.pages.accounts import accounts
from companion.pages.moments import follow
from companion.pages.view import AccountView
from companion.table.language import Lang

STU = GAMES["stu"]


def told(*log: str, lang: Lang = "en") -> dict[str, AccountView]:
    moments = list(follow(STU.rules, STU.pages, lines(*log)))
    rows = accounts(moments[-1].seen, lang)
    assert len({row.name for row in rows}) == len(rows)
    assert not sum(row.net.minor for row in rows if row.net is not None)
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


def with_partners(partners: str, **last: str) -> list[str]:
    """Anna comes back with these partners, Carla goes out, and one of the last two loses three times."""
    return [
        head("Anna Bruno Carla", "Anna=0 Bruno=3 Carla=1"),
        f'{{"e":"rebuy","by":"Anna","partners":[{partners}]}}',
        *hand(Bruno="9", Carla="1", Anna="10"),
        '{"e":"close"}',
        *[line for _ in range(3) for line in hand(**last)],
    ]


ZIA_AND_CARLA = '{"name":"Zia","share":0.25},{"name":"Carla","share":0.1}'


def test_a_partner_pays_the_share_of_the_ricompera_that_they_take_of_the_pot() -> None:
    rows = told(*with_partners(ZIA_AND_CARLA, Anna="9", Bruno="1"), lang="it")
    assert list(rows) == ["Anna", "Bruno", "Carla", "Zia"]
    assert text(rows["Anna"]) == ("6,50 €", "4,60 €", "+1,90 €", "vince il montepremi")
    assert text(rows["Bruno"]) == ("0,00 €", "2,00 €", "−2,00 €", "")
    assert text(rows["Carla"]) == ("1,00 €", "2,40 €", "−1,40 €", "10\u00a0% in società con Anna")
    assert text(rows["Zia"]) == ("2,50 €", "1,00 €", "+1,50 €", "25\u00a0% in società con Anna")


def test_a_partner_pays_what_somebody_says_that_they_paid() -> None:
    partners = '{"name":"Zia","share":0.25,"paid":0},{"name":"Carla","share":0.1,"paid":250}'
    paid = {name: row.paid and row.paid.minor for name, row in told(*with_partners(partners, Anna="9", Bruno="1")).items()}
    assert paid == {"Anna": 350, "Bruno": 200, "Carla": 450, "Zia": 0}


def test_who_shared_a_ricompera_with_a_player_who_lost_has_paid_for_it() -> None:
    rows = told(*with_partners(ZIA_AND_CARLA, Bruno="9", Anna="1"))
    assert text(rows["Zia"]) == ("€0.00", "€1.00", "−€1.00", "25\u00a0% as partner of Anna, who has not won")


def test_who_is_their_own_partner_pays_the_ricompera_once() -> None:
    rows = told(*with_partners('{"name":"Anna","share":0.5}', Anna="9", Bruno="1"))
    assert text(rows["Anna"]) == ("€10.00", "€6.00", "+€4.00", "wins the pot")


def test_of_an_evening_that_had_begun_before_nobody_knows_who_had_paid() -> None:
    rows = told(head("Anna Bruno", "Anna=1 Bruno=2", ',"ricompere":1'), *hand(Anna="1", Bruno="9"))
    assert text(rows["Bruno"]) == ("€8.00", None, None, "wins the pot")


def test_agreed_shares_are_named() -> None:
    split = '{"e":"split","shares":{"Anna":0.333,"Bruno":0.667}}'
    rows = told(head("Anna Bruno", "Anna=1 Bruno=2"), split, *hand(Anna="1", Bruno="9"))
    assert text(rows["Anna"]) == ("€1.33", "€2.00", "−€0.67", "33.3\u00a0% as agreed with Bruno")
    assert sum(row.takes.minor for row in rows.values()) == 400
