"""Stoppa at the command line: what its logs come to, its schema, logs made up by bots; and what it cannot do yet, in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.games import GAMES

GAME = ('{"e":"game","v":1,"game":"stoppa","players":["Anna","Bruno","Carla","Dino"],"misera":600,"small":100,'
        '"currency":"EUR","dealer":"Dino"')  # fmt: skip
HAND = ['{"e":"hand"}', *['{"e":"piccolo"}'] * 4, '{"e":"grosso"}']


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A hand in which Bruno left a card out; one line of the file is empty."""
    path = tmp_path / "stoppa.jsonl"
    lines = [
        *HAND, "", '{"e":"lay","by":"Anna","cards":["denari-5"]}', '{"e":"lay","by":"Carla","cards":["denari-6"]}',
        '{"e":"annul"}', '{"e":"show","by":"Bruno","cards":["coppe-6"]}',
    ]  # fmt: skip
    path.write_text("\n".join([GAME + "}", *lines]))
    return path


def test_a_log_is_ruled_on_in_words(log: Path) -> None:
    said = run("rule", str(log), "--lang", "en").output
    assert "nobody bets on the punto grosso: the dealer, Dino, takes it: €20.00 (rule 8)" in said
    assert "irregular: Bruno held the Six of cups and did not lay it, line 10 (rule 16)" in said
    assert "Dino: +€18.00" in said
    assert "giro 1, hand 1 of 4" in said
    italian = run("rule", str(log)).output
    assert "Bruno non ha calato la carta voluta: aveva Sei di coppe, riga 10 (regola 16)" in italian
    assert "Anna: −6,00 €" in italian


def test_a_log_is_ruled_on_as_json(log: Path) -> None:
    plain = json.loads(run("rule", str(log), "--json").output)
    assert list(plain) == ["game", "hands", "players", "table", "giro", "dealer", "status"]
    assert plain["hands"][0]["irregularities"] == [{"kind": "omitted", "player": "Bruno", "card": "coppe-6", "line": 10}]


def test_a_log_is_told_step_by_step(log: Path) -> None:
    said = run("rule", str(log), "--story", "--lang", "en").output
    assert "  Punto piccolo 1 is dealt.\n  Punto piccolo 2 is dealt. Nobody bets on the punto piccolo 1: the dealer, Dino" in said
    assert "  Anna lays Five of coins." in said
    assert "  Bruno shows Six of cups. Bruno held the Six of cups and did not lay it (rule 16)." in said
    story = json.loads(run("rule", str(log), "--story", "--json").output)["story"]
    assert (story[0]["n"], story[0]["order"]) == (1, ["Anna", "Bruno", "Carla", "Dino"])
    assert {lang for step in story[0]["steps"] for lang in step["says"]} == {"it", "en"}


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([*HAND, '{"e":"lay","by":"Anna","cards":["denari-5"]}', '{"e":"lay","by":"Bruno","cards":["denari-7"]}'],
         "line 9: wanted 6, laid 7 (rule 10); expected a 6, or `skipped` where the table went on without one"),
        (['{"e":"hand"}', '{"e":"reveal","by":"Anna","card":"7"}'], "line 3: `e`: Invalid value 'reveal'"),
        (['{"e":"hand"}', '{"e":"piccolo"}', '{"e":"punto","by":"Anna"}'], "line 4: Object missing required field `to`"),
        (['{"e":"hand"}', '{"e":"piccolo"}', '{"e":"punto","by":"Anna","to":true}'], "line 4: `to`: Expected `int`, got `bool`"),
        (['{"e":"hand"}', '{"e":"piccolo"}', '{"e":"punto","by":"Anna","to":1000000001}'],
         "line 4: `to`: Expected `int` <= 1000000000"),
    ],
)  # fmt: skip
def test_what_cannot_have_happened_is_one_line(tmp_path: Path, lines: list[str], said: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text("\n".join([GAME + "}", *lines]))
    refused = run("rule", str(path), "--json")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr == f"{said}\n"


@pytest.mark.parametrize(
    "key",
    [
        '"house_rules":{"passes":"final"}', '"house_rules":{"pass":"never"}', '"house_rules":{"bet_min":0}',
        '"house_rules":{"declaration_price":1000000001}', '"house_rules":{"cards_per_misera":4}', '"removed":"denari-10"',
        '"standing":{"Anna":0}', '"hands_before":-1', '"standing":{"Anna":1,"Bruno":0,"Carla":0,"Dino":0}',
    ],
)  # fmt: skip
def test_what_cannot_be_agreed_is_an_error_of_the_first_line(tmp_path: Path, key: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(f"{GAME},{key}}}\n")
    refused = run("rule", str(path))
    assert refused.exit_code == 2
    assert refused.stderr.startswith("line 1: ")


def test_its_schema_is_printed() -> None:
    schema = json.loads(run("schema", "--game", "stoppa").output)
    assert schema["title"] == "Stoppa table log, one line"
    assert json.loads(run("schema").output)["title"] == "Lu Stù table log, one line"


@pytest.mark.parametrize("players", ["3", "4", "5", "6"])
def test_bots_write_a_log_that_can_be_ruled(tmp_path: Path, players: str) -> None:
    path, again = tmp_path / "game.jsonl", tmp_path / "again.jsonl"
    for one in (path, again):
        asked = ("--players", players, "--hands", "6", "--seed", "4", "--stake", "500", "--log", str(one))
        made = run("simulate", "--game", "stoppa", *asked)
        assert (made.exit_code, made.output) == (0, "")
    assert path.read_bytes() == again.read_bytes()
    plain = json.loads(run("rule", str(path), "--json").output)
    assert (plain["status"], sum(player["balance"] for player in plain["players"])) == ("over", 0)


def test_the_table_is_as_asked(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    rules = ("pass=checks", "bet_min=5", "three_aces_anytime=true", "stoppata_unit=50")
    asked = [word for rule in rules for word in ("--house-rule", rule)]
    assert run("simulate", "--game", "stoppa", "--plain", "--names", "Zoë,Bè,日本", "--log", str(path), *asked).exit_code == 0
    first = json.loads(path.read_text("utf-8").splitlines()[0])
    assert first["players"] == ["Zoë", "Bè", "日本"]
    assert first["removed"].endswith("-10")
    assert first["house_rules"] == {"pass": "checks", "bet_min": 5, "three_aces_anytime": True, "stoppata_unit": 50}
    assert json.loads(run("rule", str(path), "--json").output)["hands"][0]["irregularities"] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--players", "7"], "7 players cannot play Stoppa: expected 3 to 6"),
        (["--names", "Anna,Bruno"], "2 players cannot play Stoppa: expected 3 to 6"),
        (["--names", "Anna,Bruno,Anna"], "two players have the same name"),
        (["--pedine", "4"], "--pedine is of Lu Stù alone"),
        (["--edition", "booklet"], "--edition is of Lu Stù alone"),
        (["--stake", "1"], "a punto grosso of 0, not greater than a punto piccolo"),
        (["--house-rule", "backward_run=forced"], "no house rule 'backward_run'"),
        (["--house-rule", "pass=never"], "Invalid enum value 'never'"),
    ],
)
def test_a_table_that_cannot_be_is_one_line(tmp_path: Path, arguments: list[str], said: str) -> None:
    refused = run("simulate", "--game", "stoppa", "--log", str(tmp_path / "x.jsonl"), *arguments)
    assert refused.exit_code == 2
    assert said in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_a_game_without_pages_is_not_shown_and_says_so_in_a_line(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES["stoppa"].__dict__, "has_pages", False)
    refused = run("serve", str(log))
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr == f"{log}: stoppa is not shown yet: companion rule says what its log comes to\n"


def test_a_table_of_it_can_be_watched(tmp_path: Path) -> None:
    table = tmp_path / "TABLE.json"
    table.write_text(json.dumps({
        "v": 1, "image_size": [640, 480], "game": "stoppa", "misera": 600, "small": 100, "currency": "EUR", "dealer": "Dino",
        "corners": [[0, 0], [100, 0], [100, 100], [0, 100]],
        "players": [{"name": name, "place": at} for name, at in zip(
            ("Anna", "Bruno", "Carla", "Dino"), ([50, 95], [95, 50], [50, 5], [5, 50]), strict=True)],
    }))  # fmt: skip
    film = tmp_path / "gone.mp4"
    watched = run("watch", str(film), "--table", str(table), "--log", str(tmp_path / "x.jsonl"))
    assert watched.exit_code == 2
    assert watched.stderr.count("\n") == 1
    assert str(film) in watched.stderr, "only the film is missing"
