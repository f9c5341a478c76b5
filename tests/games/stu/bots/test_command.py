"""`companion simulate` with the options of Lu Stù: one line and exit 2 for what cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import run


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
