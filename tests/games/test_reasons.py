"""Every refusal of Stoppa and of Stoper has a code, a sentence in both languages, and the values that its sentence asks for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from refused import blanks, italian_of

import companion
from companion.dashboard.answers import why_not
from companion.games import GAMES as ALL_GAMES
from companion.games.stoper.rules import reasons as of_stoper
from companion.games.stoppa.rules import reasons as of_stoppa
from companion.table.errors import Contradictory, Illegal, Reason
from companion.table.language import LANGS, Lang, filled

GAMES = {"stoppa": of_stoppa, "stoper": of_stoper}


def reasons(game: str) -> dict[str, Reason]:
    return {name: reason for name, reason in vars(GAMES[game]).items() if isinstance(reason, Reason)}


def refusals(game: str) -> Iterator[tuple[str, Reason, set[str]]]:
    """Where the rules refuse something: the place, the reason, the values given."""
    known = reasons(game)
    game_id = Path(companion.__file__).parent / "games" / game
    for path in sorted([*game_id.glob("rules/*.py"), *game_id.glob("pages/*.py")]):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("Illegal", "Contradictory"):
                (reason,) = node.args
                if path.parent.name == "pages" and not isinstance(reason, ast.Attribute):
                    continue  # of all games
                assert isinstance(reason, ast.Attribute)
                given = {str(keyword.arg) for keyword in node.keywords} - {"rule", "expected", "line"}
                yield f"{path.name}:{node.lineno}", known[reason.attr], given


@pytest.mark.parametrize("game", GAMES)
def test_every_refusal_gives_its_reason_the_values_it_asks_for(game: str) -> None:
    for where, reason, given in refusals(game):
        assert given == blanks(reason.text), where


@pytest.mark.parametrize("game", GAMES)
def test_every_reason_is_given_somewhere_and_its_code_spells_its_name(game: str) -> None:
    given = {reason.code for _, reason, _ in refusals(game)} | {ALL_GAMES[game].pages.outcomes.no_such.code}
    assert given == {reason.code for reason in reasons(game).values()}
    assert all(reason.code == name.lower() for name, reason in reasons(game).items())


@pytest.mark.parametrize(("game", "name"), [(game, name) for game in GAMES for name in reasons(game)])
def test_every_reason_has_its_italian(game: str, name: str) -> None:
    english = reasons(game)[name].text
    for italian in italian_of(english):
        assert italian not in (english, getattr(english, "one", english))
        assert blanks(italian) <= blanks(english), "the engine tells more than people ask"


OF_A_CARD = [(game, name) for game in GAMES for name, reason in reasons(game).items() if "card" in blanks(reason.text)]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("game", "name"), OF_A_CARD)
def test_a_refused_card_is_called_by_its_name(game: str, name: str, lang: Lang) -> None:
    reason = reasons(game)[name]
    said = why_not(Contradictory(reason, card="bastoni-2", number=36, player="Ada"), lang)
    assert "bastoni-2" not in said.lower()
    text = filled(reason.text, {key: f"{{{key}}}" for key in blanks(reason.text)}, lang)
    assert ({"it": "Due di bastoni", "en": "Two of batons"}[lang] in said) is ("{card}" in text)


def test_a_number_that_was_wanted_has_the_article_that_any_number_has() -> None:
    said = why_not(Illegal(of_stoppa.WANTED, wanted=8, number=1), "it")
    assert said == "Si voleva un 8 e si è calato un 1"
