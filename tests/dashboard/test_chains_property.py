"""Of whatever a game in parts is made, its accounts are what the season has of it, person by person, and come to 0."""

from __future__ import annotations

import random

import pytest
from flask import Flask
from phones import Organiser, Phone
from test_people import STOPER, STOPPA, STU, comes, of
from test_went_on import EVERYBODY, evening_sums, one_hand, video_of

from companion.ledger import Ledger
from companion.table.log import tag

pytestmark = pytest.mark.usefixtures("camera")

BEGINS = {"stu": STU[:1], "stoppa": STOPPA[:1], "stoper": STOPER[:1]}


def a_hand(app: Flask, kind: str, chance: random.Random) -> None:
    if kind != "stu":
        one_hand(app, chance)
        return
    told = Phone(app)
    told.say({"e": "hand"})
    playing = [one["player"] for one in told.view["next"]["covered"]]
    loses, high = chance.choice(playing), iter("456789")
    for name in playing:
        told.say({"e": "reveal", "by": name, "card": "2" if name == loses else next(high)})


def a_void_hand(app: Flask, kind: str) -> None:
    bet = {"cip": 50, "invito": 50} if kind == "stoper" else {}
    told = Phone(app)
    told.say({"e": "hand"} | bet)
    told.say({"e": "void"})


def is_set(app: Flask, kind: str, chance: random.Random) -> None:
    """The table says how it stands: one has given another something, or at Stù is a virgin no more."""
    one, other = chance.sample([player["name"] for player in Phone(app).view["players"]], 2)
    told = Phone(app)
    if kind == "stu":
        pedine = {player["name"]: player["pedine"] for player in told.view["players"]}
        told.say({"e": "set", "standing": {one: {"pedine": pedine[one], "virgin": False}}})
        return
    minor = {player["name"]: amount(player["has"]) for player in told.view["players"]}
    if kind == "stoppa":
        told.say({"e": "set", "standing": {one: minor[one] + 100, other: minor[other] - 100}})
    else:
        told.say({"e": "set", "stacks": {one: minor[one] + 100, other: minor[other] - 100}})


def amount(text: str) -> int:
    return int("".join(one for one in text if one.isdigit()) or 0) * (-1 if text.startswith("−") else 1)


def some(app: Flask, kind: str, chance: random.Random, *, last: bool = False) -> None:
    """What happens in a part: often no hand at all. At Stù nobody comes after the table has set how it stands."""
    for what in chance.choices(["hand", "void", "set" if last or kind != "stu" else "hand"], k=chance.choice([0, 0, 1, 2])):
        if what == "hand":
            a_hand(app, kind, chance)
        elif what == "void":
            a_void_hand(app, kind)
        else:
            is_set(app, kind, chance)


def chain(app: Flask, phone: Organiser, ledger: Ledger, kind: str, seed: int) -> list[int]:
    """A game in two to four parts, over at the end."""
    chance, ids = random.Random(seed), [of(ledger, BEGINS[kind])]
    for _ in range(chance.randint(1, 3)):
        some(app, kind, chance)
        names = [one["name"] for one in Phone(app).view["players"]]
        new = [name for name in EVERYBODY if name not in names]
        deals = next(one["name"] for one in Phone(app).view["players"] if one["dealer"])
        stay = [name for name in names if name != deals]
        stay = stay if kind == "stu" else chance.sample(stay, 2)
        comes(phone, ids[-1], deals, *stay, chance.choice(new))
        ids.append(ledger.newest() or 0)
    some(app, kind, chance, last=True)
    played_out(app, kind, chance)
    return ids


def played_out(app: Flask, kind: str, chance: random.Random) -> None:
    """A game to its end."""
    while kind == "stu" and Phone(app).view["phase"] not in ("won", "won_unless_reentry"):
        a_hand(app, kind, chance)
    if Phone(app).view["phase"] != "won":
        Phone(app).say({"e": "close"})


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("kind", BEGINS)
def test_the_accounts_are_what_the_season_has(app: Flask, phone: Organiser, ledger: Ledger, kind: str, seed: int) -> None:
    ids = chain(app, phone, ledger, kind, seed)
    view = phone.get("/api/game?lang=it").json
    accounts = {one["name"]: one["net"]["text"] for one in view["whole"] or view["accounts"]}
    assert sum(map(amount, accounts.values())) == 0
    season = phone.get(f"/api/season?season=all&game={kind}").json
    if all(nothing_told(ledger, game) for game in ids):
        assert (season["evenings"], season["rows"]) == (0, []), "no hand that counts, and nothing set"
        return
    assert accounts == evening_sums(phone, kind)
    assert season["evenings"] == 1


def nothing_told(ledger: Ledger, game: int) -> bool:
    """Whether a game has no hand that counts, and the table has set nothing in it."""
    tags = [tag(line.event) for line in ledger.lines(game)]
    return "set" not in tags and tags.count("hand") == tags.count("void")


@pytest.mark.parametrize("void", [False, True])
@pytest.mark.parametrize("kind", ["stoppa", "stoper"])
def test_a_game_that_is_over_without_a_hand_that_counts_is_none_in_the_season(
    app: Flask, phone: Organiser, ledger: Ledger, kind: str, *, void: bool
) -> None:
    """The page says so: games with at least one hand that counts."""
    of(ledger, BEGINS[kind])
    if void:
        a_void_hand(app, kind)
    Phone(app).say({"e": "close"})
    season = phone.get(f"/api/season?season=all&game={kind}").json
    assert (season["evenings"], season["rows"]) == (0, [])


@pytest.mark.parametrize("first", [[], [{"e": "hand"}, {"e": "void"}]], ids=["before the first hand", "after a void hand"])
def test_what_the_table_set_in_a_part_without_a_hand_counts(
    app: Flask, phone: Organiser, ledger: Ledger, first: list[dict]
) -> None:
    game = of(ledger, BEGINS["stoppa"])
    for event in [*first, {"e": "set", "standing": {"Anna": 100, "Bruno": -100}}]:
        Phone(app).say(event)
    comes(phone, game, "Anna", "Bruno", "Elsa", "Dino")
    one_hand(app, random.Random(1))
    Phone(app).say({"e": "close"})
    sums = {"Anna": "−5,00 €", "Bruno": "−7,00 €", "Carla": "0,00 €", "Dino": "+18,00 €", "Elsa": "−6,00 €"}
    assert {one["name"]: one["net"]["text"] for one in phone.get("/api/game?lang=it").json["whole"]} == sums
    assert evening_sums(phone, "stoppa") == sums


@pytest.mark.parametrize("won_before", [100, 3000])
def test_who_has_won_the_last_part_alone_is_not_said_to_have_won_most(
    app: Flask, phone: Organiser, ledger: Ledger, won_before: int
) -> None:
    """Dino wins 18,00 € in it; Anna has more than that of the part before, or not."""
    game = of(ledger, BEGINS["stoppa"])
    Phone(app).say({"e": "set", "standing": {"Anna": won_before, "Bruno": -won_before}})
    comes(phone, game, "Anna", "Bruno", "Elsa", "Dino")
    one_hand(app, random.Random(1))
    Phone(app).say({"e": "close"})
    last = won_before == 3000
    said = "Nell’ultima parte ha vinto di più Dino" if last else "Chi ha vinto di più: Dino"
    view = phone.get("/api/game?lang=it").json
    title = "Ha vinto l’ultima parte" if last else "Ha vinto"
    assert (view["winner"], view["message"]) == ("Dino", said)
    assert [one["title"] for one in view["announced"] if one["kind"] == "won"] == [title]
    video = video_of(app, ledger.newest() or 0)
    assert (video.over, video.winner) == (title, "Dino")
    caller = app.extensions["voice"]
    assert f"{said}." in [call.text for call in caller.calls("it").calls]


def test_phone_and_sheet_say_it_where_they_name_the_winner(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    game = of(ledger, BEGINS["stoper"])
    Phone(app).say({"e": "set", "stacks": {"Anna": 9000, "Bruno": 1000}})
    comes(phone, game, "Anna", "Carla", "Dino", "Elsa")
    one_hand(app, random.Random(1))
    Phone(app).say({"e": "close"})
    view = phone.get("/api/game?lang=it").json
    assert view["whole"][0]["name"] == "Anna" != view["winner"]
    said = f"Nell’ultima parte ha vinto di più {view['winner']}"
    assert (view["message"], Phone(app).view["status"]) == (said, said)
    assert f'<p class="status">{said}</p>' in phone.get(f"/organiser/games/{ledger.newest()}/sheet?lang=it").text
