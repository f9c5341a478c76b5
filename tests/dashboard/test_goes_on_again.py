"""A game goes on with other people once more, before a hand was played: what stood still stands."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from phones import Organiser, Phone
from test_people import HAND, STOPER, STOPPA, STU, begun, comes, money, of
from test_went_on import one_hand

from companion.dashboard.feed import come_and_gone
from companion.ledger import Ledger
from companion.table.log import tag

pytestmark = pytest.mark.usefixtures("camera")

NEW = ("Elsa", "Fabio", "Gina")

STANDS = {
    "stu after a hand": STU + HAND,
    "stu, a player is out": STU + HAND * 3,
    "stu, a void hand": [*STU, '{"e":"hand"}', '{"e":"void"}'],
    "stu, nothing yet": STU,
    "stu taken over": [STU[0][:-1] + ',"standing":{"Bruno":{"pedine":2,"virgin":false},"Carla":{"pedine":0,"virgin":false}}}'],
    "stu taken over with ricompere": [STU[0][:-1] + ',"standing":{"Bruno":{"pedine":2,"virgin":false}},"ricompere":2}'],
    "stoper after a hand": STOPER,
    "stoper, chips bought": [STOPER[0], '{"e":"chips","by":"Anna","amount":1000}'],
    "stoper set by hand": [STOPER[0], '{"e":"set","stacks":{"Anna":100}}'],
    "stoper taken over": [STOPER[0].replace("5000", '{"Anna":100,"Bruno":700,"Carla":5000,"Dino":0}')],
    "stoppa after a hand": STOPPA,
    "stoppa set by hand": [STOPPA[0], '{"e":"set","standing":{"Anna":100,"Bruno":-100}}'],
    "stoppa taken over": [STOPPA[0][:-1] + ',"standing":{"Anna":100,"Bruno":-100,"Carla":0,"Dino":0},"hands_before":3}'],
}  # fmt: skip


def has(app: Flask) -> dict[str, tuple[Any, ...]]:
    """Name → what they have: pedine, or chips, or the balance, and how many pedine a virgin has."""
    return {one["name"]: (one["has"], one.get("pedine"), one.get("virgin")) for one in Phone(app).view["players"]}


def figures(app: Flask) -> dict[str, str]:
    return {one["label"]: one["text"] for one in Organiser(app).get("/api/game?lang=it").json["figures"]}


def tags(app: Flask) -> dict[str, str]:
    return {one["label"]: one["tag"] for one in Organiser(app).get("/api/game?lang=it").json["figures"]}


@pytest.mark.parametrize("log", STANDS.values(), ids=STANDS)
def test_what_stands_goes_along_however_often_people_come(app: Flask, phone: Organiser, ledger: Ledger, log: list[str]) -> None:
    game = of(ledger, log)
    kind, stood, price = Phone(app).view["wing"], has(app), figures(app).get("Ricompera")
    pot, kept = figures(app).get("Montepremi", ""), list(stood)
    for number, new in enumerate(NEW if kind == "stu" else NEW[:2], start=1):
        comes(phone, game, *kept, new)
        game = ledger.newest() or 0
        kept.append(new)
        now = has(app)
        if kind == "stoppa":  # what was won before is settled in the end
            assert {name: text for name, (text, *_) in now.items()} == dict.fromkeys(kept, "0,00 €")
            continue
        assert {name: now[name] for name in stood} == stood
        stood = now
        if kind == "stu":
            assert figures(app)["Ricompera"] == price
            assert euros(figures(app)["Montepremi"]) == euros(pot) + 200 * number
            assert now[new][0] == "3 pedine, vergine"


LOWEST = {"Anna": ("2", "7", "5"), "Bruno": ("7", "2", "5"), "Carla": ("7", "5", "2")}


def lost_by(*names: str) -> list[str]:
    """Hands in which these in turn hold the lowest card."""
    found = []
    for name in names:
        cards = zip(LOWEST, LOWEST[name], strict=True)
        shown = [f'{{"e":"reveal","by":"{one}","card":"{card}"}}' for one, card in cards]
        found += ['{"e":"hand"}', *shown, '{"e":"end"}']
    return found


CLOSED = {
    "said": [*STU, '{"e":"close"}'],
    "said after a hand": [*STU, *lost_by("Anna"), '{"e":"close"}'],
    "no virgin left": [*STU, *lost_by("Anna", "Bruno", "Carla")],
    "taken over without a virgin": [
        STU[0][:-1] + ',"standing":{' + ",".join(f'"{name}":{{"pedine":2,"virgin":false}}' for name in LOWEST) + "}}"
    ],
}


@pytest.mark.parametrize("log", CLOSED.values(), ids=CLOSED)
def test_at_stu_ricompere_that_are_closed_stay_closed(app: Flask, phone: Organiser, ledger: Ledger, log: list[str]) -> None:
    game, kept = of(ledger, log), ["Anna", "Bruno", "Carla"]
    stood = has(app)
    for new in NEW:
        comes(phone, game, *kept, new)
        kept.append(new)
        game = ledger.newest() or 0
        assert stood.items() <= has(app).items()
        assert tags(app)["Ricompera"] == "chiusa"
        assert phone.get("/api/game?lang=it").json["happened"][-1].startswith(new), "the TV says who has come"
        assert Phone(app).view["takes_back"]
    told = Phone(app)
    for _ in range(3):
        told.say({"e": "hand"})
        hand = told.look()["hand"]["id"]
        told.send({"what": "outcome", "hand": hand, "paid": {"Elsa": 1}})
        told.look()
    assert next(one["pedine"] for one in told.view["players"] if one["name"] == "Elsa") == 0
    assert told.send({"what": "say", "events": [{"e": "rebuy", "by": "Elsa"}]}).status_code == 422


def test_at_stu_nobody_comes_back_once_all_have_come_back(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    """Rule 21: no ricompera is possible any more, not for somebody who sits down afterwards, either."""
    game, told = of(ledger, [*STU, *lost_by("Anna", "Anna", "Bruno", "Bruno", "Carla", "Carla")]), Phone(app)
    told.say({"e": "hand"})
    told.send({"what": "outcome", "hand": told.look()["hand"]["id"], "paid": {"Anna": 1, "Bruno": 1, "Carla": 1}})
    assert told.look()["phase"] == "restarted"
    comes(phone, game, "Anna", "Bruno", "Carla", "Elsa")
    assert [tag(line.event) for line in ledger.lines(ledger.newest() or 0)] == ["game", "close"]
    assert tags(app)["Ricompera"] == "chiusa"
    assert {name: pedine for name, (_, pedine, _) in has(app).items()} == dict.fromkeys(("Anna", "Bruno", "Carla", "Elsa"), 3)


def test_a_rematch_opens_ricompere_again(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    game = of(ledger, CLOSED["no virgin left"])
    comes(phone, game, "Anna", "Bruno", "Carla", "Elsa")
    newest = ledger.newest()
    phone.walk("/setup/rematch", "/organiser", game=newest, instead_of=newest)
    assert tags(app)["Ricompera"] == "aperta"


def euros(text: str) -> int:
    """Cents of "6,00 €"."""
    return int(text.removesuffix("€").strip().replace(",", ""))


@pytest.mark.parametrize("after", [[], HAND], ids=["before the first hand", "after one"])
def test_at_stu_what_was_set_by_hand_is_not_forgotten(phone: Organiser, ledger: Ledger, after: list[str]) -> None:
    game = of(ledger, [*STU, *after, '{"e":"set","standing":{"Bruno":{"pedine":2,"virgin":false}},"ricompere":1}'])
    phone.walk("/setup/people", "/organiser", game=game)
    assert "ci sono già ricompere" in phone.get("/organiser").text
    assert ledger.newest() == game


def test_at_stu_a_stake_stays_in_the_pot_also_before_a_hand(phone: Organiser, ledger: Ledger) -> None:
    game = of(ledger, STU + HAND)
    comes(phone, game, "Anna", "Bruno", "Carla", "Dino")
    phone.walk("/setup/people", "/setup/players", game=ledger.newest())
    assert "La posta di Carla è nel montepremi" in phone.refused("/setup/players", places="", name=["Anna", "Bruno", "Dino"]).text


@pytest.mark.parametrize("log", [STU + HAND, STOPER, STOPPA], ids=["stu", "stoper", "stoppa"])
@pytest.mark.parametrize("typed", [str.lower, str.upper, lambda name: f" {name.replace('a', 'à')}  "])
def test_who_is_typed_with_other_letters_is_who_sits_there(
    app: Flask, phone: Organiser, ledger: Ledger, log: list[str], typed: Callable[[str], str]
) -> None:
    game = of(ledger, log)
    stood, names = has(app), [one["name"] for one in Phone(app).view["players"]]
    comes(phone, game, *map(typed, names), "Elsa")
    assert list(has(app)) == [*names, "Elsa"]
    assert phone.get("/api/game?lang=it").json["happened"] == ["Elsa si siede al tavolo"]
    if log is not STOPPA:
        assert stood.items() <= has(app).items()


def test_a_newcomer_who_is_typed_twice_is_refused(phone: Organiser, ledger: Ledger) -> None:
    phone.walk("/setup/people", "/setup/players", game=of(ledger, STOPER))
    answer = phone.refused("/setup/players", places="", name=["Anna", "Bruno", "Carla", "Dino", "bruno"])
    assert "Due giocatori si chiamano Bruno" in answer.text


def test_a_newcomers_name_can_be_corrected_before_it_begins(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    """The dealer goes home, so the next page asks who deals; back on the page of names one is corrected."""
    game = of(ledger, STOPER)
    deals = next(one["name"] for one in Phone(app).view["players"] if one["dealer"])
    stay = [name for name in ("Anna", "Bruno", "Carla", "Dino") if name != deals]
    phone.walk("/setup/people", "/setup/players", game=game)
    phone.walk("/setup/players", "/setup/stakes", places="", name=[*stay, "elsa"])
    phone.walk("/setup/players", "/setup/stakes", places="", name=[*stay, "Elsa"])
    assert "Elsa" in (told := phone.get("/setup/stakes").text)
    assert "elsa" not in told


def test_the_tv_names_nobody_whose_name_is_only_written_with_other_letters() -> None:
    assert come_and_gone(["Anna", "bruno"], ["Anna", "Bruno", "Elsa"], "it") == ("Elsa si siede al tavolo",)
    assert come_and_gone(["Jose", "José"], ["José", "Elsa"], "it") == ("Elsa si siede al tavolo", "Jose va via")


BEGAN = {
    "all the same": "5000",
    "one had more": '{"Anna":20000,"Bruno":5000,"Carla":5000,"Dino":5000}',
    "one had more, one less": '{"Anna":20000,"Bruno":5000,"Carla":5000,"Dino":300}',
}


@pytest.mark.parametrize("stacks", BEGAN.values(), ids=BEGAN)
def test_at_stoper_everybody_buys_in_for_the_same_however_the_chips_lie(
    app: Flask, phone: Organiser, ledger: Ledger, stacks: str
) -> None:
    """Who comes to any part, who has lost all and buys in once more, and all in the rematch."""
    game = of(ledger, [STOPER[0].replace("5000", stacks), '{"e":"set","stacks":{"Anna":7777}}', *STOPER[1:]])
    kept = ["Anna", "Bruno", "Carla", "Dino"]
    for gone, new in (("Dino", "Elsa"), ("Elsa", "Fabio"), ("Carla", "Gina")):
        kept = [*(name for name in kept if name != gone), new]
        comes(phone, game, *kept)
        game = ledger.newest() or 0
        assert has(app)[new][0] == "50,00 €"
        Phone(app).say({"e": "set", "stacks": {"Anna": 9000, "Bruno": 100}})
    Phone(app).say({"e": "set", "stacks": {"Bruno": 0}})
    assert "Bruno compra 50,00 €" in [one["label"] for one in Phone(app).view["next"]["offers"]]
    Phone(app).say({"e": "close"})
    phone.walk("/setup/rematch", "/organiser", game=game, instead_of=game)
    assert {one for one, *_ in has(app).values()} == {"50,00 €"}
    assert begun(ledger)["stacks"] == 5000


MOVED = [name for name in STANDS if name.startswith("stoppa")] + ["stoper, chips bought", "stoper after a hand"]


@pytest.mark.parametrize("before", MOVED)
def test_the_season_has_what_the_whole_game_came_to(app: Flask, phone: Organiser, ledger: Ledger, before: str) -> None:
    """Also what was set by hand, or stood, in a part in which no hand was played."""
    comes(phone, of(ledger, STANDS[before]), "Anna", "Bruno", "Dino", "Carla", "Elsa")
    comes(phone, ledger.newest() or 0, "Anna", "Bruno", "Dino", "Carla")
    one_hand(app, random.Random(1))
    Phone(app).say({"e": "close"})
    kind = before[:6].rstrip(",")
    whole = {one["name"]: one["net"]["minor"] for one in phone.get("/api/game?lang=it").json["whole"]}
    counted = money(phone, kind)
    assert {name: net for name, net in whole.items() if net} == {name: net for name, net in counted.items() if net}
    assert any(whole.values())
    assert phone.get(f"/api/season?season=all&game={kind}").json["evenings"] == 1


def test_at_stoper_what_was_set_before_a_hand_is_not_known_in_the_season_either(
    app: Flask, phone: Organiser, ledger: Ledger
) -> None:
    comes(phone, of(ledger, STANDS["stoper set by hand"]), "Anna", "Bruno", "Dino", "Carla", "Elsa")
    one_hand(app, random.Random(1))
    Phone(app).say({"e": "close"})
    assert phone.get("/api/game?lang=it").json["whole"] == []
    assert phone.get("/api/season?season=all&game=stoper").json["unknown"] == 1


def test_at_stoppa_three_who_are_left_are_asked_which_re_goes_out(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    """It is the table's choice, and the same as long as they stay three."""
    game = of(ledger, STOPPA)
    deals = next(one["name"] for one in Phone(app).view["players"] if one["dealer"])
    three = [deals, *[name for name in ("Anna", "Bruno", "Carla", "Dino") if name != deals][:2]]
    phone.walk("/setup/people", "/setup/players", game=game)
    phone.walk("/setup/players", "/setup/stakes", places="", name=three)
    assert "In tre si toglie un Re" in phone.get("/setup/stakes?lang=it").text
    assert "Scegli quale Re si toglie" in phone.get("/setup/ready?lang=it").text
    stakes = {"points": "0", "misera": "6", "small": "1", "dealer": deals, "removed": "spade-10"}
    phone.walk("/setup/stakes", "/setup/ready", **stakes)
    phone.walk("/setup/start", "/organiser")
    assert begun(ledger)["removed"] == "spade-10"
    comes(phone, ledger.newest() or 0, *three[:2], "Elsa")
    assert begun(ledger)["removed"] == "spade-10"
    comes(phone, ledger.newest() or 0, *three[:2], "Elsa", "Fabio")
    assert "removed" not in begun(ledger)
