"""`companion simulate`: a log that `companion rule` takes, or one line and exit 2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def first_line(path: Path) -> dict[str, object]:
    line: dict[str, object] = json.loads(path.read_text("utf-8").splitlines()[0])
    return line


def test_writes_a_log_that_can_be_ruled(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    made = run("simulate", "--seed", "7", "--players", "5", "--hands", "12", "--log", str(path))
    assert (made.exit_code, made.output) == (0, "")
    ruled = run("rule", str(path), "--json")
    assert ruled.exit_code == 0
    assert 1 <= len(json.loads(ruled.output)["hands"]) <= 12
    again = tmp_path / "again.jsonl"
    run("simulate", "--seed", "7", "--players", "5", "--hands", "12", "--log", str(again))
    assert path.read_bytes() == again.read_bytes()


def test_the_table_is_as_asked(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    made = run(
        "simulate", "--log", str(path), "--names", "Zoë, Bè,日本", "--stake", "250", "--edition", "piazza-2010", "--hands", "1",
        "--house-rule", "backward_run=forced", "--house-rule", "salta_on_dealer=stop", "--pedine", "5", "--tempers", "odds",
    )  # fmt: skip
    assert made.exit_code == 0
    game = first_line(path)
    assert game["players"] == ["Zoë", "Bè", "日本"]
    assert game["stake"] == 250
    assert game["edition"] == "piazza-2010"
    assert game["house_rules"] == {"backward_run": "forced", "salta_on_dealer": "stop"}
    assert game["standing"] == {name: {"pedine": 5, "virgin": True} for name in ("Zoë", "Bè", "日本")}


@pytest.mark.parametrize("players", ["2", "39"])
def test_the_smallest_and_the_largest_table(players: str, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    assert run("simulate", "--players", players, "--hands", "3", "--log", str(path)).exit_code == 0
    assert run("rule", str(path)).exit_code == 0


WRONG = {
    "one player": (("--players", "1"), "1 player cannot play Lu Stù: expected 2 to 39"),
    "forty players": (("--players", "40"), "40 players cannot play Lu Stù: expected 2 to 39"),
    "no number of players": (("--players", "some"), "--players"),
    "no hands": (("--hands", "0"), "--hands"),
    "no seed": (("--seed", "x"), "--seed"),
    "no stake": (("--stake", "0"), "--stake"),
    "too high a stake": (("--stake", "1000000001"), "--stake"),
    "an unknown edition": (("--edition", "2011"), "piazza-2010"),
    "an unknown house rule": (("--house-rule", "jolly=yes"), "backward_run"),
    "an unknown answer": (("--house-rule", "backward_run=no"), "backward_run"),
    "no answer": (("--house-rule", "backward_run"), "backward_run"),
    "an unknown temper": (("--tempers", "card,angry"), "reckless"),
    "an unknown dealing": (("--dealing", "by-two"), "one-by-one"),
    "the same name twice": (("--names", "Anna,Anna"), "same name"),
    "an empty name": (("--names", "Anna,,Bruno"), "empty name"),
    "a name that is no text": (("--names", "Anna,\udcff"), "--names"),
    "one name": (("--names", "Anna"), "2 to 39"),
    "names and another count": (("--names", "Anna,Bruno", "--players", "3"), "2 names"),
}


@pytest.mark.parametrize(("arguments", "said"), WRONG.values(), ids=WRONG.keys())
def test_what_cannot_be_is_one_line(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("kept")
    result = run("simulate", "--log", str(path), *arguments)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert said in result.stderr
    assert result.stdout == ""
    assert path.read_text() == "kept"


def test_a_log_that_cannot_be_written(tmp_path: Path) -> None:
    result = run("simulate", "--log", str(tmp_path / "nowhere" / "game.jsonl"))
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)


def test_no_log() -> None:
    result = run("simulate")
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
