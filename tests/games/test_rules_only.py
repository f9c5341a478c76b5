"""A game that has rules and nothing else can be ruled on in every way that the command has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from rules_only import BARE
from toy import HIGH_CARD

from companion.cli import main
from companion.games import GAMES

ACTS = """{"e":"hand"}
{"e":"show","by":"Anna","number":5}
{"e":"show","by":"Bruno","number":2}
{"e":"end"}
{"e":"hand"}
{"e":"show","by":"Anna","number":3}
"""


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for game in (BARE, HIGH_CARD):
        monkeypatch.setitem(GAMES, game.id, game)
    return tmp_path / "log.jsonl"


def rule(log: Path, game: str, *options: str) -> str:
    log.write_text(f'{{"e":"game","v":1,"game":"{game}","players":["Anna","Bruno"]}}\n{ACTS}')
    done = CliRunner().invoke(main, ["rule", str(log), *options])
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout


STANDS = ["players: Anna Bruno", "tokens: 3 2", "shown:", "  1: Anna 3", "paid: Bruno"]
STEPS = ["Hand 1", "  hand", "  show by Anna, number 5", "  show by Bruno, number 2", "  end", "Hand 2", "  hand",
         "  show by Anna, number 3", ""]  # fmt: skip


def test_it_is_told_by_the_keys_of_its_report_and_the_lines_of_its_log(log: Path) -> None:
    assert rule(log, "bare", "--lang", "en").splitlines() == STANDS
    assert rule(log, "bare", "--story", "--lang", "en").splitlines() == [*STEPS, *STANDS]
    assert rule(log, "bare", "--story", "--lang", "it").splitlines()[0] == "Mano 1"


def test_its_json_has_the_story_where_it_is_asked_for(log: Path) -> None:
    plain = json.loads(rule(log, "bare", "--json"))
    told = json.loads(rule(log, "bare", "--json", "--story"))
    story = told.pop("story")
    assert plain == told == {"players": ["Anna", "Bruno"], "tokens": [3, 2], "shown": [["Anna", 3]], "paid": ["Bruno"]}
    assert [(hand["n"], [(step["line"], step["e"]) for step in hand["steps"]]) for hand in story] == [
        (1, [(2, "hand"), (3, "show"), (4, "show"), (5, "end")]), (2, [(6, "hand"), (7, "show")])]  # fmt: skip


def test_a_game_with_pages_is_told_in_their_words(log: Path) -> None:
    told = rule(log, "highcard", "--story", "--lang", "en").splitlines()
    assert told[:3] == ["Hand 1", "  The hand", "  Anna shows 5"]
    plain = rule(log, "highcard", "--lang", "en").splitlines()
    assert told[told.index("") :] == plain[plain.index("") :]
