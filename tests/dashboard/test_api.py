"""The page's JSON, stream and files, as a browser asks for them."""

import json
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from games import GAME, GNAFFATA, lines

from companion.dashboard import Settings, create_app
from companion.decks.stu import KINDS
from companion.games.stu.rules import replay_log, report
from companion.ledger import Ledger

HOSTILE = '<img src=x onerror=alert(1)>"\'&</script>{player}%s\u202e'


def recorded(ledger: Ledger, *text: str) -> int:
    game = ledger.new_game(source="test")
    ledger.record(game, lines(*text))
    return game


def events(client: FlaskClient, url: str = "/api/stream", seen: str | None = None):
    """The stream's events as (id, event, data), one at a time."""
    response = client.get(url, headers={"Last-Event-ID": seen} if seen is not None else {})
    assert response.mimetype == "text/event-stream"
    for block in response.response:
        fields = dict(line.split(": ", 1) for line in block.decode().strip().split("\n"))
        if "event" in fields:
            yield fields.get("id"), fields["event"], json.loads(fields["data"])


def test_without_a_game_the_page_waits(client: FlaskClient) -> None:
    view = client.get("/api/game").json
    assert (view["status"], view["seats"], view["ruling"]) == ("no_game", [], None)
    assert "quando comincia" in view["message"]
    assert client.get("/").status_code == 200
    assert client.get("/api/log").status_code == 404


def test_the_ruling_says_who_pays_how_many_why_and_by_which_rule(client: FlaskClient, ledger: Ledger) -> None:
    recorded(ledger, *GNAFFATA)
    view = client.get("/api/game").json
    payments = view["ruling"]["payments"]
    assert [(p["player"], p["delta"], p["rule"], p["card"]) for p in payments] == [
        ("Anna", -1, 14, None),
        ("Anna", -1, 8, "3"),
    ]
    assert "Bruno" in payments[0]["text"]
    assert "regola 14" in payments[0]["text"]
    assert (view["ruling"]["final"], view["ruling"]["sure"]) == (True, True)
    assert view["pot"]["text"] == "6,00\xa0€".replace("\xa0", view["pot"]["text"][4])
    assert view["ricompera"] == {"open": True, "price": {"minor": 400, "text": view["ricompera"]["price"]["text"]}, "count": 0}
    anna, bruno, carla = view["seats"]
    assert (anna["pedine"], anna["virgin"], anna["change"]) == (1, False, -2)
    assert (bruno["pedine"], bruno["virgin"], bruno["change"]) == (3, True, None)
    assert [seat["card"]["face"] for seat in view["seats"]] == ["3", "gnao", "7"]
    assert carla["dealer"]


def test_a_payment_in_mid_hand_is_told_when_it_falls(client: FlaskClient, ledger: Ledger) -> None:
    recorded(ledger, *GNAFFATA[:5])
    view = client.get("/api/game").json
    assert view["ruling"]["final"] is False
    assert [p["cause"] for p in view["ruling"]["payments"]] == ["gnaffata"]
    assert view["status"] == "hand_in_progress"
    assert [seat["card"]["face"] for seat in view["seats"]] == [None, "gnao", None]


@pytest.mark.parametrize(
    ("end", "sure"),
    [
        pytest.param('{"e":"end"}', True, id="a log written by hand says nothing of it"),
        pytest.param('{"e":"end","confidence":0.95}', True, id="just sure enough"),
        pytest.param('{"e":"end","confidence":0.949}', False, id="not sure enough"),
        pytest.param('{"e":"end","confidence":0}', False, id="not sure at all"),
    ],
)
def test_a_ruling_below_95_percent_is_unsure(client: FlaskClient, ledger: Ledger, end: str, sure: bool) -> None:
    recorded(ledger, *GNAFFATA[:-1], end)
    assert client.get("/api/game").json["ruling"]["sure"] is sure


def test_an_unsure_gnaffata_is_unsure_before_the_hand_is_over(client: FlaskClient, ledger: Ledger) -> None:
    recorded(ledger, *GNAFFATA[:4], GNAFFATA[4].replace("0.99", "0.6"), GNAFFATA[5])
    assert client.get("/api/game").json["ruling"]["sure"] is False


def test_the_next_hand_clears_the_table(client: FlaskClient, ledger: Ledger) -> None:
    recorded(ledger, *GNAFFATA, '{"e":"hand"}')
    view = client.get("/api/game").json
    assert view["ruling"] is None
    assert view["hand"] == 2
    assert {seat["card"]["face"] for seat in view["seats"]} == {None}
    assert [seat["name"] for seat in view["seats"] if seat["dealer"]] == ["Anna"]


def test_the_newest_game_is_shown_unless_another_is_asked_for(ledger: Ledger) -> None:
    first = recorded(ledger, *GNAFFATA)
    recorded(ledger, GAME)
    assert create_app(ledger).test_client().get("/api/game").json["hand"] == 0
    chosen = create_app(ledger, settings=Settings(game=first)).test_client()
    assert chosen.get("/api/game").json["hand"] == 1


def test_a_correction_in_the_middle_is_shown_like_a_log_that_was_so_all_along(ledger: Ledger) -> None:
    client = create_app(ledger).test_client()
    game = recorded(ledger, *GNAFFATA)
    client.get("/api/game")
    corrected = [text.replace('"bragon"', '"gnao"').replace('"gnao"', '"bragon"') for text in GNAFFATA]
    ledger.record(game, lines(*corrected))
    fresh = create_app(ledger).test_client().get("/api/game").json
    assert client.get("/api/game").json == {**fresh, "revision": 0}, "who pays stays the same: nothing is told besides"
    assert client.get("/api/game").json["ruling"]["payments"][0]["cause"] == "bbummata"
    ledger.record(game, lines(*(text.replace('"card":"3"', '"card":"8"') for text in corrected)))
    fresh = create_app(ledger).test_client().get("/api/game").json
    told = {"revision": 3, "corrected": ["Anna −2 → −1", "Carla 0 → −1"], "corrected_hand": 1}
    assert client.get("/api/game").json == {**fresh, **told}, "only what was changed is told besides"
    assert (fresh["revision"], fresh["corrected"]) == (3, []), "a program that was started knows not what was shown before"


def test_a_line_that_cannot_have_happened_ends_what_is_shown_not_the_page(
    client: FlaskClient, ledger: Ledger, caplog: pytest.LogCaptureFixture
) -> None:
    recorded(ledger, *GNAFFATA[:5], '{"e":"reveal","by":"Bruno","card":"2"}', '{"e":"end"}')
    view = client.get("/api/game").json
    assert [p["cause"] for p in view["ruling"]["payments"]] == ["gnaffata"]
    assert "line 6" in caplog.text


def test_a_game_or_ledger_that_is_gone_is_said_in_a_line(ledger: Ledger) -> None:
    client = create_app(ledger, settings=Settings(game=7)).test_client()
    answer = client.get("/api/game?lang=en")
    assert (answer.status_code, answer.json) == (404, {"error": "unknown", "message": "There is no such game"})
    ledger.close()
    assert client.get("/api/game").status_code == 503


def test_english_is_chosen_in_the_address_and_remembered(client: FlaskClient, ledger: Ledger) -> None:
    recorded(ledger, *GNAFFATA)
    assert 'lang="it"' in client.get("/").text
    assert 'lang="en"' in client.get("/?lang=en").text
    assert "/api/stream?lang=en" in client.get("/").text
    assert "rule 14" in client.get("/api/game").json["ruling"]["payments"][0]["text"]
    assert "regola 14" in client.get("/api/game?lang=it").json["ruling"]["payments"][0]["text"]


@pytest.mark.parametrize("wish", ["fr", "", "<script>", "it\r\nX: y"])
def test_a_language_that_is_not_there_is_the_default(client: FlaskClient, wish: str) -> None:
    response = client.get("/", query_string={"lang": wish})
    assert '<html lang="it"' in response.text


def test_light_and_dark_are_remembered(client: FlaskClient) -> None:
    assert 'data-theme="dark"' in client.get("/").text
    assert 'data-theme="light"' in client.get("/?theme=light").text
    assert 'data-theme="light"' in client.get("/").text
    assert 'data-theme="dark"' in client.get("/?theme=%22onload=x").text


def test_names_are_data_never_markup_or_format(client: FlaskClient, ledger: Ledger) -> None:
    recorded(ledger, *(text.replace("Anna", json.dumps(HOSTILE)[1:-1]) for text in GNAFFATA))
    view = client.get("/api/game").json
    assert view["seats"][0]["name"] == HOSTILE
    assert HOSTILE[:20] not in client.get("/").text
    response = client.get("/")
    assert "default-src 'self'" in response.headers["Content-Security-Policy"]
    assert "unsafe" not in response.headers["Content-Security-Policy"]
    assert client.get("/api/game").mimetype == "application/json"


def test_a_long_name_is_cut_in_sentences_so_that_the_rule_stays_readable(client: FlaskClient, ledger: Ledger) -> None:
    recorded(ledger, *(text.replace("Anna", "A" * 500) for text in GNAFFATA))
    view = client.get("/api/game").json
    said = [p["text"] for p in view["ruling"]["payments"]] + view["happened"] + [view["message"]]
    assert max(len(text) for text in said) < 160
    assert view["seats"][0]["name"] == "A" * 500


def test_a_price_of_any_size_is_sent_and_written_short(client: FlaskClient, ledger: Ledger) -> None:
    recorded(ledger, GAME.replace('"dealer"', '"ricompere":10000,"dealer"'))
    price = client.get("/api/game").json["ricompera"]["price"]
    assert price["minor"] == 200 << 10001
    assert price["text"].startswith("7,98·10^3010")


def test_the_log_for_download_replays_to_the_same_rulings(client: FlaskClient, ledger: Ledger) -> None:
    game = recorded(ledger, *GNAFFATA)
    response = client.get("/api/log")
    assert f'filename="stu-{game}.jsonl"' in response.headers["Content-Disposition"]
    original = replay_log("\n".join(GNAFFATA).encode())
    assert report(replay_log(response.data)).hands == report(original).hands


def test_the_stream_begins_with_the_view_and_sends_the_next_one(client: FlaskClient, ledger: Ledger) -> None:
    game = recorded(ledger, *GNAFFATA[:4])
    stream = events(client)
    assert next(stream)[:2] == (f"{game}.1", "view")
    ledger.record(game, lines(*GNAFFATA))
    name, event, view = next(stream)
    assert (name, event) == (f"{game}.2", "view")
    assert view["ruling"]["final"]


def test_a_page_that_comes_back_is_not_sent_what_it_has(ledger: Ledger) -> None:
    client = create_app(ledger, settings=Settings(heartbeat=0.01, patience=1)).test_client()
    game = recorded(ledger, *GNAFFATA[:4])
    stream = events(client, seen=f"{game}.1")
    assert next(stream)[1] == "beat"
    assert next(stream)[1] == "beat"
    ledger.record(game, lines(*GNAFFATA))
    assert "view" in {next(stream)[1], next(stream)[1]}


def test_a_page_that_missed_something_gets_what_stands_now(client: FlaskClient, ledger: Ledger) -> None:
    game = recorded(ledger, *GNAFFATA[:4])
    ledger.record(game, lines(*GNAFFATA))
    assert next(events(client, seen=f"{game}.1"))[0] == f"{game}.2"


def test_the_stream_goes_over_to_a_new_game(client: FlaskClient, ledger: Ledger) -> None:
    recorded(ledger, *GNAFFATA)
    stream = events(client)
    next(stream)
    game = recorded(ledger, GAME)
    seen = [next(stream)[0]]
    while seen[-1] != f"{game}.1":
        seen.append(next(stream)[0])


def test_the_stream_ends_with_the_ledger(client: FlaskClient, ledger: Ledger) -> None:
    recorded(ledger, *GNAFFATA)
    stream = events(client)
    next(stream)
    ledger.close()
    assert list(stream) == []


def test_pages_beyond_the_limit_are_told_to_come_back(ledger: Ledger) -> None:
    client = create_app(ledger, settings=Settings(listeners=1)).test_client()
    first = client.get("/api/stream")
    refused = client.get("/api/stream")
    assert refused.status_code == 503
    assert refused.headers["Retry-After"] == "5"
    first.close()
    assert client.get("/api/stream").status_code == 200


def test_every_card_has_a_drawing(client: FlaskClient) -> None:
    for kind in (*KINDS, "back"):
        with client.get(f"/cards/{kind}.svg") as response:
            assert response.mimetype == "image/svg+xml", kind


@pytest.mark.parametrize("name", ["../templates/tv.html", "%2e%2e/static/tv.js", "nobody.svg"])
def test_only_drawings_are_served_as_cards(client: FlaskClient, name: str) -> None:
    assert client.get(f"/cards/{name}").status_code == 404


def test_the_live_picture_is_the_newest_one(ledger: Ledger) -> None:
    pictures = iter([b"one", b"two", None])
    client = create_app(ledger, live_picture=lambda: next(pictures)).test_client()
    assert [client.get("/live.jpg").data for _ in range(2)] == [b"one", b"two"]
    assert client.get("/live.jpg").status_code == 404
    assert 'id="live"' in client.get("/").text


def test_without_a_camera_there_is_no_live_picture(client: FlaskClient) -> None:
    assert client.get("/live.jpg").status_code == 404
    assert 'id="live"' not in client.get("/").text


def test_example_logs_show_the_rulings_of_the_engine(shared: Path, ledger: Ledger) -> None:
    client = create_app(ledger).test_client()
    folder = shared / "spec" / "examples"
    for path in sorted(folder.glob("[!b]*.jsonl")):
        expected = json.loads(path.with_suffix("").with_suffix(".expected.json").read_text())
        recorded(ledger, path.read_text())
        view = client.get("/api/game").json
        assert (view["status"], view["pot"]["minor"]) == (expected["status"], expected["pot"]), path.name
        shown = [(p["player"], p["delta"], p["cause"], p["rule"]) for p in (view["ruling"] or {"payments": []})["payments"]]
        assert shown == [(p["player"], p["delta"], p["cause"], p["rule"]) for p in expected["hands"][-1]["payments"]], path.name
        assert [(s["name"], s["pedine"], s["virgin"]) for s in view["seats"]] == [
            (p["name"], p["pedine"], p["virgin"]) for p in expected["players"]
        ], path.name
