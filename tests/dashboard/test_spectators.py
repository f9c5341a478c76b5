"""What spectators get besides the TV: moviola, charts, chances, notices, overlay."""

from typing import Any, get_args

import pytest
from flask.testing import FlaskClient
from games import GAME, GNAFFATA, lines

from companion.dashboard import Settings, create_app
from companion.dashboard.spectators import notice_texts
from companion.eyes.sighting import Why
from companion.games.stu.pages.figures import Figures, Row, drawing
from companion.ledger import Ledger
from companion.line.notices import Need, Notice
from companion.table.money import Sum

DEEDS = ["deal", "passo", "refused", "passo_dealer", "draw", "shown", "shown", "end"]
NEXT_HAND = ('{"e":"hand"}', '{"e":"deal","to":"Bruno","card":"cucco"}', '{"e":"passo","by":"Bruno"}')


def told(client: FlaskClient, url: str) -> Any:
    answer = client.get(url)
    assert answer.status_code == 200
    return answer.json


def record(ledger: Ledger, *text: str) -> None:
    ledger.record(ledger.new_game(), lines(*text))


def test_the_moviola_tells_the_last_hand_that_is_over(client: FlaskClient, ledger: Ledger) -> None:
    record(ledger, *GNAFFATA, *NEXT_HAND)
    replayed = told(client, "/api/moviola")
    assert replayed["n"] == 1
    assert [step["deed"] for step in replayed["steps"]] == DEEDS
    dealt = replayed["steps"][0]["cards"]
    assert {name: card["face"] for name, card in dealt.items()} == {"Anna": "3", "Bruno": "gnao", "Carla": None}
    assert [paid["player"] for step in replayed["steps"] for paid in step["payments"]] == ["Anna", "Anna"]
    assert "cucco" not in str(replayed)


def test_before_a_hand_is_over_there_is_no_moviola(client: FlaskClient, ledger: Ledger) -> None:
    assert told(client, "/api/moviola") is None
    record(ledger, *GNAFFATA[:6])
    assert told(client, "/api/moviola") is None


def test_the_moviola_speaks_both_languages(client: FlaskClient, ledger: Ledger) -> None:
    record(ledger, *GNAFFATA)
    it, en = (told(client, f"/api/moviola?lang={lang}")["steps"] for lang in ("it", "en"))
    assert len(it) == len(en)
    assert all(one["says"] != other["says"] for one, other in zip(it, en, strict=True))


def test_the_charts_follow_pedine_money_and_gnaffate(client: FlaskClient, ledger: Ledger) -> None:
    record(ledger, *GNAFFATA, '{"e":"hand"}', '{"e":"reveal","by":"Anna","card":"matto"}',
           '{"e":"reveal","by":"Bruno","card":"5"}',
           '{"e":"reveal","by":"Carla","card":"6"}', '{"e":"end"}', '{"e":"rebuy","by":"Anna"}')  # fmt: skip
    figures = told(client, "/api/charts")
    anna, bruno, carla = figures["rows"]
    assert figures["hands"] == 2
    assert anna["pedine"][:2] == [3, 1]
    assert anna["pedine"][-1] > 0  # back by ricompera
    assert (anna["ricompere"], bruno["ricompere"]) == (1, 0)
    assert anna["paid"]["minor"] == 200 + 400
    assert sum(row["paid"]["minor"] for row in figures["rows"]) == figures["pot"]["minor"]
    assert [row["gnaffate"] for row in (anna, bruno, carla)] == [0, 1, 0]
    page = client.get("/charts").text
    assert "Bruno" in page
    assert page.count('class="steps"') == 2 * 3, "across, and upright for a phone"


def test_names_in_the_charts_are_text(client: FlaskClient, ledger: Ledger) -> None:
    record(ledger, GAME.replace("Anna", "<b>x&y</b>"))
    page = client.get("/charts").text
    assert "<b>" not in page
    assert "&lt;b&gt;x&amp;y" in page


def test_charts_of_no_game_are_empty(client: FlaskClient) -> None:
    assert told(client, "/api/charts")["rows"] == []
    assert "<svg" not in client.get("/charts").text


def test_chances_are_shown_only_where_the_organiser_wants_them(ledger: Ledger) -> None:
    record(ledger, *GNAFFATA[:4])
    assert create_app(ledger).test_client().get("/api/chances").status_code == 404
    client = create_app(ledger, settings=Settings(odds=True)).test_client()
    chances = told(client, "/api/chances")["chances"]
    assert set(chances) == {"Anna", "Bruno", "Carla"}
    assert all(0 <= chance <= 1 for chance in chances.values())
    assert sum(chances.values()) > 0.9  # somebody pays in nearly every hand


def test_between_hands_nobody_has_a_chance(ledger: Ledger) -> None:
    record(ledger, *GNAFFATA)
    assert told(create_app(ledger, settings=Settings(odds=True)).test_client(), "/api/chances")["chances"] == {}


@pytest.mark.parametrize(
    ("notice", "it", "en"),
    [
        (Notice("show", 0, (1,)), "carta di Bruno", "card of Bruno"),
        (Notice("show", 0, (0, 1, 2)), "Anna, Bruno e Carla", "Anna, Bruno and Carla"),
        (Notice("show", 0, None), "le carte", "the cards"),
        (Notice("show", 0, (0, 1, 2, 3, 4)), "le carte", "the cards"),
        (Notice("dark", 0), "buio", "dark"),
    ],
)
def test_notices_are_sentences(notice: Notice, it: str, en: str) -> None:
    names = ("Anna", "Bruno", "Carla", "Dino", "Elsa")
    assert it in notice_texts([notice], names, "it")[0]
    assert en in notice_texts([notice], names, "en")[0]


@pytest.mark.parametrize("what", [*get_args(Why), *get_args(Need)])
def test_whatever_there_is_to_say_has_its_words(what: Any) -> None:
    assert notice_texts([Notice(what, 0)], ("Anna",), "it") != notice_texts([Notice(what, 0)], ("Anna",), "en")


def test_what_the_table_is_asked_comes_with_the_beats(ledger: Ledger) -> None:
    asked = (Notice("show", 0, (2,)),)
    quick = Settings(heartbeat=0.01, patience=1)
    client = create_app(ledger, settings=quick, notices=lambda: asked).test_client()
    assert told(client, "/api/notices") == {"notices": []}  # nobody there yet
    record(ledger, GAME)
    stream = iter(client.get("/api/stream").response)
    text = b"".join(next(stream) for _ in range(3)).decode()
    assert "event: beat" in text
    assert "carta di Carla" in text
    assert "Carla" in told(client, "/api/notices")["notices"][0]


def test_the_overlay_has_nothing_to_press(client: FlaskClient, ledger: Ledger) -> None:
    ledger.record(ledger.new_game(), lines(GAME))
    page = client.get("/overlay").text
    assert not [tag for tag in ("<button", "<a ", "<input", "<form") if tag in page]


def test_a_sum_too_long_for_a_number_can_be_drawn() -> None:
    much = Sum(2**2000, "2·10^602 €")
    row = Row("Anna", (3, 0), much, ricompere=1, gnaffate=0, out=True)
    assert "2·10^602" in drawing(Figures(1, much, (row, row)), "it")
