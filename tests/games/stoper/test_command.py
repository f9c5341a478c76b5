"""Stoper at the command line: what its logs come to in words and as JSON, and the table that bots sit down at."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import run

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


@pytest.mark.parametrize("mode", ["cash", "torneo"])
def test_bots_begin_with_a_hundred_cip(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "game.jsonl"
    made = run("simulate", "--game", "stoper", "--stake", "50", "--mode", mode, "--hands", "1", "--log", str(path))
    assert made.exit_code == 0
    first = json.loads(path.read_text("utf-8").splitlines()[0])
    assert (first["mode"], first["stacks"]) == (mode, 5000)
