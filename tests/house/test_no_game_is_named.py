"""General code asks any game, and names none: a new game is a line of the table of games and nothing else.

General is every module of `companion` and `workshop` that does not lie in a folder, or is not a file, called after a game's id.
The table of games itself has to name them. ``stu`` is the id of a deck, too, and decks are not games: of that id only the
modules that are a game's count, and its comparison with the id of a game.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games import GAMES, Game

pytestmark = pytest.mark.house

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "companion" / "games" / "__init__.py"
DECKS = {"stu"}
"""Ids of games that are ids of decks, too."""
_BOTH = "|".join(DECKS)
GAME_OF_DECK = (
    rf"\b(?:games|bench|streams|choreography)\.(?:{_BOTH})\b|games import (?:{_BOTH})\b|GAMES\[.(?:{_BOTH})\b"
    rf"|game\w* (?:==|!=|in) \W*(?:{_BOTH})\b"
)
"""How such an id is that of the game."""


def names() -> re.Pattern[str]:
    """What names a game: its id or its title as a word, or as a word of a name, but for ids that decks have, too."""
    words = {game.id for game in GAMES.values()} - DECKS | {game.title for game in GAMES.values()}
    return re.compile("|".join([*map(as_word, sorted(words)), GAME_OF_DECK]), re.I)


def as_word(name: str) -> str:
    """Matches the name alone, and as a word of `another_name` or `AnotherName`; not as a part of a longer word."""
    return rf"(?:(?<![^\W_])|(?=(?-i:[A-Z]))){re.escape(name)}(?-i:(?![a-zà-ù]))"


def general() -> Iterator[Path]:
    for room in ("companion", "workshop"):
        for path in sorted((ROOT / room).rglob("*.py")):
            inside = path.relative_to(ROOT)
            of_a_game = not GAMES.keys().isdisjoint(inside.with_suffix("").parts)
            if path != TABLE and not of_a_game:
                yield path


def named(path: Path) -> list[str]:
    lines = enumerate(path.read_text("utf-8").splitlines(), start=1)
    return [f"{path.relative_to(ROOT)}:{number}: {line.strip()}" for number, line in lines if names().search(line)]


def test_no_general_module_names_a_game() -> None:
    modules = list(general())
    assert len(modules) > 400, "the search finds too little to be a test"
    assert [line for path in modules for line in named(path)] == []


@pytest.mark.parametrize(
    ("line", "names_one"),
    [
        ('if game == "stu":', True), ("from companion.games.stu.rules import log", True),
        ("from companion.games import stu", True),
        ("# as at Stoppa", True), ('GAMES["stoper"]', True), ('"""A hand of Lu Stù."""', True), ('STU = GAMES["stu"]', True),
        ("from workshop.bench.stu import run", True),
        ('cards: ListId = "stu"', False), ("from companion.decks.stu import KINDS", False), ("import workshop.deck.stu", False),
        ('card.deck in ("stu", "ramino")', False),
    ],
)  # fmt: skip
def test_what_names_a_game(line: str, names_one: bool) -> None:
    assert (names().search(line) is not None) == names_one


@pytest.mark.parametrize(
    ("line", "names_one"),
    [
        ('"gnao: salta"', False), ("asphaltage", False), ("an altar", False),
        ("class AltaPages:", True), ("class NoAlta:", True), ("alta_pages", True), ("of_alta", True), ('game == "alta"', True),
    ],
)  # fmt: skip
def test_a_game_is_named_by_a_whole_word(line: str, names_one: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "alta", Game("alta", "companion.games.stu"))
    assert (names().search(line) is not None) == names_one


def test_every_game_is_kept_apart_from_the_others() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    apart = next(one for one in contracts if one["type"] == "independence")
    assert set(apart["modules"]) == {game.package for game in GAMES.values()}
