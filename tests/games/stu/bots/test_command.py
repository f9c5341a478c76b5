"""`companion simulate`: a log that `companion rule` takes, or one line and exit 2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import run


def first_line(path: Path) -> dict[str, object]:
    line: dict[str, object] = json.loads(path.read_text("utf-8").splitlines()[0])
    return line


def test_the_table_is_as_asked(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    made = run(
        "simulate", "--log", str(path), "--names", "Zoë, Bè,日本", "--stake", "250", "--edition", "piazza-2010", "--hands", "1",
        "--house-rule", "backward_run=forced", "--house-rule", "salta_on_dealer=stop", "--pedine", "5", "--styles", "odds",
    )  # fmt: skip
    assert made.exit_code == 0
    game = first_line(path)
    assert game["players"] == ["Zoë", "Bè", "日本"]
    assert game["stake"] == 250
    assert game["edition"] == "piazza-2010"
    assert game["house_rules"] == {"backward_run": "forced", "salta_on_dealer": "stop"}
    assert game["standing"] == {name: {"pedine": 5, "virgin": True} for name in ("Zoë", "Bè", "日本")}


def test_the_styles_may_be_called_tempers_as_before(tmp_path: Path) -> None:
    logs = [tmp_path / name for name in ("styles", "tempers")]
    for path in logs:
        assert run("simulate", "--log", str(path), "--hands", "3", f"--{path.name}", "reckless").exit_code == 0
    assert logs[0].read_bytes() == logs[1].read_bytes()


WRONG = {
    "no number of players": (("--players", "some"), "--players"),
    "no hands": (("--hands", "0"), "--hands"),
    "no seed": (("--seed", "x"), "--seed"),
    "no stake": (("--stake", "0"), "--stake"),
    "too high a stake": (("--stake", "1000000001"), "--stake"),
    "an unknown edition": (("--edition", "2011"), "piazza-2010"),
    "no answer": (("--house-rule", "backward_run"), "backward_run"),
    "an unknown style": (("--styles", "card,angry"), "reckless"),
    "an unknown dealing": (("--dealing", "by-two"), "one-by-one"),
    "a name that is no text": (("--names", "Anna,\udcff"), "--names"),
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
