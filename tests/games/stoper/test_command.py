"""Stoper at the command line: what its logs come to, its schema, logs made up by bots; and what it cannot do yet, in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main

GAME = ('{"e":"game","v":1,"game":"stoper","players":["Ada","Bice","Ciro","Dora"],"mode":"cash","stacks":1000,'
        '"currency":"EUR","dealer":"Ada"')  # fmt: skip
HAND = '{"e":"hand","cip":50,"invito":50}'


def by(e: str, *names: str, **keys: object) -> list[str]:
    return [json.dumps({"e": e, "by": name, **keys}) for name in names]


SHOWDOWN = [
    HAND, *by("apro", "Bice", to=200), *by("vedo", "Ciro"), "", *by("passo", "Dora", "Ada"), *by("cambio", "Bice", n=1),
    *by("cambio", "Ciro", n=0), *by("busso", "Bice", "Ciro"), *by("show", "Bice", cards=["denari-10", "denari-9", "spade-7"]),
    *by("muck", "Ciro"), '{"e":"hand","dealer":"Ciro"}', *by("buio", "Dora"),
]  # fmt: skip


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A hand that Bice won, and a second in progress, dealt out of turn; one line of the file is empty."""
    path = tmp_path / "stoper.jsonl"
    path.write_text("\n".join([GAME + "}", *SHOWDOWN]))
    return path


def test_a_log_is_ruled_on_in_words(log: Path) -> None:
    said = run("rule", str(log), "--lang", "en").output
    assert "Hand 1, dealt by Ada\n  Bice takes the pot with 20: €8.00 (rule 14)\n  Ada −€1.00, Bice +€5.00" in said
    assert "  irregular: Ciro dealt out of turn (rule 2)" in said
    assert "on the table: €8.00" in said
    italian = run("rule", str(log)).output
    assert "  Bice prende il piatto con 20: 8,00 € (regola 14)" in italian


def test_a_log_is_ruled_on_as_json(log: Path) -> None:
    plain = json.loads(run("rule", str(log), "--json").output)
    assert list(plain) == ["game", "hands", "players", "carried", "table", "dealer", "status", "winner"]
    assert plain["table"] == {"phase": "blind", "turn": "Ada", "highest": 400, "pot": 800}


def test_a_log_is_told_step_by_step(log: Path) -> None:
    said = run("rule", str(log), "--story", "--lang", "en").output
    assert "  Bice opens with €2.00.\n  Ciro sees.\n  Dora passes." in said
    assert "  Bice changes 1 card.\n  Ciro is served.\n  Bice says busso." in said
    assert "  Ciro concedes without showing. Bice takes the pot with 20: €8.00 (rule 14).\n" in said
    assert "  Dora opens blind: buio, €4.00." in said
    story = json.loads(run("rule", str(log), "--story", "--json").output)["story"]
    assert [(hand["n"], hand["dealer"], hand["order"][0]) for hand in story] == [(1, "Ada", "Bice"), (2, "Ciro", "Dora")]
    assert {lang for step in story[0]["steps"] for lang in step["says"]} == {"it", "en"}


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([HAND, *by("apro", "Bice", to=49)], "line 3: 49 is too little, and Bice has more chips (rule 10); expected 50 or more"),
        ([HAND, *by("apro", "Ciro", to=49)],
         "line 3: Ciro acts out of turn (rule 9); expected buio, apro or parola by Bice"),
        ([HAND, *by("cambio", "Bice", n=3)], "line 3: `n`: Invalid enum value 3"),
        ([HAND, *by("cambio", "Bice", n=True)], "line 3: `n`: Expected `int`, got `bool`"),
        ([HAND, '{"e":"piccolo"}'], "line 3: `e`: Invalid value 'piccolo'"),
        ([HAND, '{"e":"apro","by":"Bice"}'], "line 3: Object missing required field `to`"),
        ([HAND, *by("apro", "Bice", to=1_000_000_001)], "line 3: `to`: Expected `int` <= 1000000000"),
        (['{"e":"hand","cip":0,"invito":0}'], "line 2: `cip`: Expected `int` >= 1"),
        (['{"e":"hand","cip":50,"invito":50,"deck":40}'], "line 2: `deck`: Invalid enum value 40"),
        ([HAND, *by("show", "Bice", cards=["denari-11"])], None),
    ],
)  # fmt: skip
def test_what_cannot_have_happened_is_one_line(tmp_path: Path, lines: list[str], said: str | None) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text("\n".join([GAME + "}", *lines]))
    refused = run("rule", str(path), "--json")
    assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert refused.stderr == f"{said}\n" if said is not None else refused.stderr.startswith("line 3: ")


@pytest.mark.parametrize(
    "key",
    [
        '"house_rules":{"false_openings":"noted"}', '"house_rules":{"false_opening":"never"}', '"house_rules":{"bet_min":0}',
        '"house_rules":{"bet_min":1000000001}', '"house_rules":{"dealer_pays":"yes"}', '"standing":{"level":"re","pot":100}',
        '"standing":{"level":"asso","pot":100,"paid":{},"parola":false,"said":[]}',
        '"standing":{"level":"re","pot":-1,"paid":{},"parola":false,"said":[]}',
        '"standing":{"level":"re","pot":10,"paid":{"Ada":-1},"parola":false,"said":[]}',
        '"standing":{"level":"re","pot":10,"paid":{},"parola":false,"said":[]},"house_rules":{"carry_join":"always"}',
    ],
)  # fmt: skip
def test_what_cannot_be_agreed_is_an_error_of_the_first_line(tmp_path: Path, key: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(f"{GAME},{key}}}\n")
    refused = run("rule", str(path))
    assert refused.exit_code == 2
    assert refused.stderr.startswith("line 1: ")


@pytest.mark.parametrize("stacks", ["-1", '{"Ada":-1,"Bice":1,"Ciro":1,"Dora":1}', "true", "1000000001", '"100"', "1.5"])
def test_stacks_that_cannot_be(tmp_path: Path, stacks: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(GAME.replace('"stacks":1000', f'"stacks":{stacks}') + "}\n")
    refused = run("rule", str(path))
    assert refused.exit_code == 2
    assert refused.stderr.startswith("line 1: `stacks")


def test_its_schema_is_printed() -> None:
    schema = json.loads(run("schema", "--game", "stoper").output)
    assert schema["title"] == "Stoper table log, one line"


@pytest.mark.parametrize("players", ["4", "5", "6"])
@pytest.mark.parametrize("mode", ["cash", "torneo"])
def test_bots_write_a_log_that_can_be_ruled(tmp_path: Path, players: str, mode: str) -> None:
    path, again = tmp_path / "game.jsonl", tmp_path / "again.jsonl"
    for one in (path, again):
        asked = ("--players", players, "--hands", "6", "--seed", "4", "--stake", "50", "--mode", mode, "--log", str(one))
        made = run("simulate", "--game", "stoper", *asked)
        assert (made.exit_code, made.output) == (0, "")
    assert path.read_bytes() == again.read_bytes()
    first = json.loads(path.read_text("utf-8").splitlines()[0])
    assert (first["mode"], first["stacks"]) == (mode, 5000)
    assert json.loads(run("rule", str(path), "--json").output)["status"] in ("over", "won")


def test_the_table_is_as_asked(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    rules = ("dealer_pays=false", "bet_min=5", "false_opening=forfeit")
    asked = [word for rule in rules for word in ("--house-rule", rule)]
    table = ("--names", "Zoë,Bè,日本,E", "--stake", "1000000000", "--plain")
    assert run("simulate", "--game", "stoper", "--log", str(path), *table, *asked).exit_code == 0
    first = json.loads(path.read_text("utf-8").splitlines()[0])
    assert first["players"] == ["Zoë", "Bè", "日本", "E"]
    assert first["house_rules"] == {"dealer_pays": False, "bet_min": 5, "false_opening": "forfeit"}
    assert run("rule", str(path), "--json").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--players", "7"], "7 players cannot play Stoper: expected 4 to 6"),
        (["--names", "Ada,Bice"], "2 players cannot play Stoper: expected 4 to 6"),
        (["--names", "Ada,Bice,Ciro,Ada"], "two players have the same name"),
        (["--pedine", "4"], "--pedine is of Lu Stù alone"),
        (["--house-rule", "pass=checks"], "no house rule 'pass'"),
        (["--house-rule", "carry_join=never"], "Invalid enum value 'never'"),
    ],
)
def test_a_table_that_cannot_be_is_one_line(tmp_path: Path, arguments: list[str], said: str) -> None:
    refused = run("simulate", "--game", "stoper", "--log", str(tmp_path / "x.jsonl"), *arguments)
    assert refused.exit_code == 2
    assert said in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_a_mode_is_of_stoper_alone(tmp_path: Path) -> None:
    refused = run("simulate", "--game", "stoppa", "--mode", "torneo", "--log", str(tmp_path / "x.jsonl"))
    assert refused.exit_code == 2
    assert "--mode is of Stoper alone: leave it out with --game stoppa" in refused.stderr
