"""Stoppa at the command line: what its logs come to in words and as JSON, and the table that bots sit down at."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import run

GAME = ('{"e":"game","v":1,"game":"stoppa","players":["Anna","Bruno","Carla","Dino"],"misera":600,"small":100,'
        '"currency":"EUR","dealer":"Dino"')  # fmt: skip
HAND = ['{"e":"hand"}', *['{"e":"piccolo"}'] * 4, '{"e":"grosso"}']


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
