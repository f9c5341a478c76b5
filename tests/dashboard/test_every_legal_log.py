"""Every legal log is shown by every page: for spectators and organisers, on paper, as a spreadsheet and as a picture; of every
prefix of it, and of whatever phones have made of it. What cannot be shown is never recorded."""

from __future__ import annotations

import io
import random

import msgspec
import pytest
from fake_camera import FakeCamera
from flask import Flask
from games import GAME
from hypothesis import example, given, settings
from leaks import everything, played
from phones import Phone
from wild_games import any_command, any_log, first_line, prefixes, seeds

from companion.dashboard import Settings, create_app
from companion.dashboard.export import as_csv, written
from companion.dashboard.feed import Snapshot
from companion.dashboard.organiser.editor import CurrentEvening
from companion.dashboard.organiser.lines import hand_view, marks
from companion.dashboard.organiser.phone_view import phone_view
from companion.dashboard.organiser.said import history
from companion.dashboard.settings import Shows
from companion.editing.commands import NoEvent
from companion.editing.edit import obey
from companion.games import GAMES, log_format, read_lines
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder, evening_of
from companion.pages.moments import hands_played
from companion.pages.season import told_of, told_so_far
from companion.referee import Evening
from companion.referee.corrections import Stale
from companion.referee.following import NothingThere
from companion.table.errors import Illegal
from companion.table.language import LANGS
from companion.table.log import Line, tag

SHOWS = Shows(odds=True, moviola_after_s=20.0, played=0)
DECLARED = (
    '{"e":"game","v":1,"game":"stoppa","players":["Anna","Bruno","Carla","Dino"],"misera":600,"small":100,"currency":"EUR","dealer":"Dino"}',
    '{"e":"hand"}', *['{"e":"piccolo"}'] * 4, '{"e":"grosso"}', '{"e":"declare","by":"Anna","what":"misera"}',
)  # fmt: skip
every_game = pytest.mark.parametrize("name", GAMES)


def show_log(name: str, log: tuple[Line, ...]) -> None:
    """All that is made of a log alone."""
    game = GAMES[name]
    moments = played(game, log)
    assert len(moments) == len(log)
    everything(game, moments)
    told = told_of(game.rules, game.pages, log, ended=True)
    for lang in LANGS:
        for rows in (game.pages.hand_rows(moments, lang), game.pages.money_rows(moments, lang)):
            as_csv(rows.columns, [row.cells for row in rows.rows], lang)
            written(rows, lang)
        for one in hands_played(game.rules, moments):
            msgspec.json.encode(game.pages.hand(one.before, one.told, lang))
        msgspec.json.encode(game.pages.score(moments[-1].seen, lang))
        if told is not None:
            game.pages.season.highlights(told, lang)
            for player in told.players:
                assert all(game.pages.season.stands(stood, lang) for stood in player.stood)


def show_evening(evening: Evening) -> None:
    """All that organisers are shown of an evening."""
    game = GAMES[evening.game.id]
    moments = tuple(played(game, evening.log))
    for lang in LANGS:
        marked = marks(Snapshot(1, 1, game, moments, Settings()), lang)
        current = CurrentEvening(1, 1, evening)
        msgspec.json.encode(phone_view(current, SHOWS, lang, marked, pictured=True))
        msgspec.json.encode(history(evening, [], lang))
        for chapter in evening.chapters:
            if chapter.lines:
                msgspec.json.encode(hand_view(chapter, lang, marked))


@every_game
@settings(max_examples=2)
@given(seeds)
def test_every_prefix_of_a_legal_log_is_shown(name: str, seed: int) -> None:
    log = any_log(name, seed, 60)
    for length in prefixes(log):
        show_log(name, log[:length])
        show_evening(evening_of(log[:length]))


@every_game
@settings(max_examples=6)
@given(seeds)
def test_while_a_hand_is_played_moviola_and_figures_stay(name: str, seed: int) -> None:
    """So a tap does not try them again (`companion.dashboard.organiser.showable`)."""
    game = GAMES[name]
    moments = played(game, any_log(name, seed, 60))
    stays: tuple[object, object] = (None, None)
    for at, moment in enumerate(moments):
        in_hand = game.rules.in_hand(moment.seen)
        shown = (
            game.pages.moviola(moments[: at + 1], "it") if game.pages.moviola is not None else None,
            told_so_far(game.rules, game.pages, moments[: at + 1], ended=True),
        )
        if in_hand and not moment.begins:
            assert shown == stays
        stays = shown


@every_game
@settings(max_examples=3)
@given(seeds)
@example(seed=224)  # at Stoper the outcome alone is told of a hand that ended after cards were shown
def test_whatever_phones_have_said_is_shown(name: str, seed: int) -> None:
    chance = random.Random(seed)
    evening = Evening.of(GAMES[name], first_line(name, chance))
    for _ in range(40):
        command = any_command(evening, chance)
        if command is None:
            continue
        try:
            evening = obey(evening, command)
        except (Illegal, KeyError, Stale, NothingThere, NoEvent):
            continue
        show_evening(evening)
        show_log(name, evening.log)


@every_game
@settings(max_examples=1)
@given(seeds)
def test_no_address_fails_at_a_legal_log(name: str, seed: int) -> None:
    log = any_log(name, seed, 40)
    with Ledger.in_memory(log_format) as ledger:
        game = ledger.new_game()
        app = create_app(ledger, settings=Settings(odds=True, voice=True), camera=FakeCamera(ledger))
        client = Phone(app).client
        rules = [rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())]
        rules = [rule for rule in rules if "stream" not in rule and not rule.startswith(("/static", "/cards"))]
        for length in (len(log) // 2 + 1, len(log)):
            ledger.record(game, log[:length])
            values = {"<int:game>": str(game), "<int:hand>": "1", "<player>": "Anna"}
            for rule in rules:
                for value, given_here in values.items():
                    rule = rule.replace(value, given_here)
                assert client.get(f"{rule}?lang=it").status_code < 500, rule


def test_a_hand_that_ends_the_game_is_told_as_that_and_shown(ledger: Ledger, camera: FakeCamera) -> None:
    game = EveningRecorder.begin(ledger, new_game(["Rocco", "Ugo"], 200, "Ugo")).game_id
    app, restarted = (create_app(ledger, camera=camera) for _ in range(2))
    phone = Phone(app)
    for _ in range(3):
        phone.say({"e": "hand"})
        phone.do("outcome", hand=phone.view["hand"]["id"], paid={"Ugo": 1})
    assert phone.view["phase"] == "won_unless_reentry"
    phone.say({"e": "hand"})
    assert (phone.view["phase"], phone.view["winner"], len(phone.view["hands"])) == ("won", "Rocco", 3)
    for client in (app.test_client(), restarted.test_client()):
        assert client.get("/api/game?lang=it").json["happened"][-1] == "Nessuno rientra: Rocco ha vinto"
    assert phone.client.get("/api/games").json[0]["hands"] == 3
    again = Phone(restarted)
    for path in ("", "/history", f"/hand/{again.view['hand']['id']}"):
        assert again.client.get(f"/api/organiser{path}").status_code == 200
    for path in ("sheet", "hands.csv", "money.csv"):
        assert again.client.get(f"/organiser/games/{game}/{path}").status_code == 200
    again.do("undo")
    assert again.view["phase"] == "won_unless_reentry"


@pytest.mark.parametrize(("last", "hands"), [("close", [1, 0]), ("close close", [1, 0]), ("hand", [1, 1]), ("end", [1])])
def test_whatever_ends_a_hand_of_declarations_ends_it_for_the_organiser(last: str, hands: list[int]) -> None:
    """Also where the game is closed twice, which the log may say."""
    told = [*DECLARED, *(f'{{"e":"{event}"}}' for event in last.split())]
    log = read_lines("\n".join(told).encode())
    evening = evening_of(log)
    assert [sum(tag(line.event) == "hand" for line in chapter.lines) for chapter in evening.chapters if chapter.lines] == hands
    assert evening.chapters[0].over
    show_log("stoppa", log)
    show_evening(evening)


def test_a_hand_that_nobody_told_is_ended_by_the_next_one_too() -> None:
    """Of the declaration only what came of it is known; the next hand's line says that it is over."""
    told = [*DECLARED[:-1], DECLARED[-1][:-1] + ',"confidence":0}', '{"e":"hand"}']
    show_log("stoppa", read_lines("\n".join(told).encode()))


PARTS = (
    "view", "calls", "moviola", "hand_rows", "money_rows", "hand", "line_text", "offers", "score", "charts.figures",
    "charts.drawing", "season.evening", "season.highlights",
)  # fmt: skip
OF_HANDS_THAT_ARE_OVER = ("moviola", "charts.figures", "charts.drawing", "season.evening", "season.highlights")


@pytest.mark.parametrize("part", PARTS)
def test_what_a_page_fails_at_is_never_recorded(
    app: Flask, ledger: Ledger, game: int, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = Phone(app)
    phone.tap("Nuova mano: il mazzo a Carla")
    before = ledger.lines(game)
    event = {"e": "void"} if part in OF_HANDS_THAT_ARE_OVER else {"e": "sto", "by": "Anna"}
    said = {"what": "say", "events": [event]}
    with monkeypatch.context() as patch:
        *of, name = part.split(".")
        patch.setattr(getattr(GAMES["stu"].pages, of[0]) if of else GAMES["stu"].pages, name, _failing)
        for dry in (True, False):
            answer = phone.send(said, dry=dry)
            assert (answer.status_code, answer.json["error"]) == (422, "unshown")
    assert (ledger.lines(game), ledger.reports(game)[1:]) == (before, ())
    phone.tap("Anna sta")


def test_a_log_that_the_pages_fail_at_is_not_taken_in(
    ledger: Ledger, camera: FakeCamera, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = Phone(create_app(ledger, camera=camera))
    with monkeypatch.context() as patch:
        patch.setattr(GAMES["stu"].pages, "money_rows", _failing)
        answer = phone.client.post("/api/games", data=GAME, headers={"X-CSRF-Token": phone.csrf})
        assert (answer.status_code, answer.json["error"]) == (422, "unshown")
        shown = phone.client.post("/setup/games", data={"csrf": phone.csrf, "log": (io.BytesIO(GAME.encode()), "a.jsonl")})
        assert "non è stato registrato" in shown.text
    assert ledger.games() == ()


def _failing(*told: object, **more: object) -> object:
    raise AssertionError("a defect")
