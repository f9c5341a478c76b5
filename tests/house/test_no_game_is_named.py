"""General code asks any game, and names none: a new game is a line of the table of games and nothing else.

General is every module of `companion` and `workshop` that does not lie in a folder, or is not a file, called after a game's id.
The table of games itself has to name them. ``stu`` is the id of a deck, too, and decks are not games: of that id only the
modules that are a game's count, and its comparison with the id of a game.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec
import pytest
from babel.messages.pofile import read_po

from companion.cli.simulate import command_for
from companion.dashboard.settings import Settings
from companion.games import GAMES, Game
from companion.table.language import TRANSLATIONS

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


OF_ONE_GAME = re.compile(r"\bstù|\bstoppa\b|stoper|pedin|ricomper|vergin|virgin|gnaff|bragon|\bmatt[oi]\b|misera\b", re.I)
"""Games' titles and words of their own, in Italian and English."""
OF_DECKS = re.compile(r"/(decks|enrol)/|web/templates/organiser\.html$")
"""Where general files speak of cards, which are pedine in one game; and where they name what each game has: chips, or pedine."""


def test_no_sentence_of_a_general_file_says_what_only_one_game_has() -> None:
    """A sentence that two files share has one translation: “has won” became “ha vinto lo Stù” for every new game."""
    with (TRANSLATIONS / "it" / "LC_MESSAGES" / "messages.po").open("rb") as file:
        found = list(read_po(file))
    assert len(found) > 1000, "the search finds too little to be a test"
    said = []
    for one in found:
        files = [name for name, _line in one.locations if GAMES.keys().isdisjoint(Path(name).with_suffix("").parts)]
        texts = [text for told in (one.id, one.string or "") for text in ((told,) if isinstance(told, str) else told)]
        if any(not OF_DECKS.search(name) for name in files) and OF_ONE_GAME.search(" ".join(texts)):
            said.append((files, texts))
    assert said == []


def test_no_option_that_every_game_has_says_what_only_one_game_has() -> None:
    general = command_for({}).params
    assert len(general) > 5
    houses = [bots.house_rules for game in GAMES.values() if (bots := game.simulation) is not None]
    own = [field.encode_name for house in houses if house is not None for field in msgspec.structs.fields(house)]
    of_one_game = re.compile(rf"{OF_ONE_GAME.pattern}|\b(?:gir[oi]|{'|'.join(own)})\b", re.I)
    said = [option.help or "" for option in general if isinstance(option, click.Option)]
    said += [setting.metadata["help"] for setting in dataclasses.fields(Settings)]
    assert [text for text in said if of_one_game.search(text)] == []


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
