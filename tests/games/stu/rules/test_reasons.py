"""Every refusal has a code, a sentence in both languages, and the values that its sentence asks for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from refused import blanks, italian_of

import companion
from companion.dashboard.answers import why_not
from companion.games import stu
from companion.games.stu.rules import log
from companion.games.stu.rules import reasons as of_the_rules
from companion.referee import reasons as of_the_referee
from companion.table import seats as of_the_table
from companion.table.errors import GameError, Illegal, Reason

REASONS = {
    name: reason
    for name, reason in chain(*(vars(of).items() for of in (of_the_table, of_the_rules, of_the_referee)))
    if isinstance(reason, Reason)
}
HOUSE = Path(companion.__file__).parent
MODULES = [*(HOUSE / "games" / "stu" / "rules").glob("*.py"), *(HOUSE / "games" / "stu" / "odds").glob("*.py"),
           *(HOUSE / "referee").glob("*.py"), HOUSE / "table" / "play.py", HOUSE / "table" / "seats.py",
           *(HOUSE / "editing").glob("*.py"), HOUSE / "games" / "stu" / "pages" / "outcome.py"]  # fmt: skip

REFUSAL = re.compile(r"\b(Illegal|Contradictory|Unfitting|Malformed)\(")


def refusals(path: Path) -> Iterator[ast.Call]:
    """Where this module makes one of the game's errors."""
    for node in ast.walk(ast.parse(path.read_text())):
        name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        if isinstance(node, ast.Call) and name in ("Illegal", "Contradictory", "Unfitting", "Malformed"):
            yield node


def named(node: ast.expr) -> list[Reason]:
    """The reasons that an error's first argument can be."""
    if isinstance(node, ast.IfExp):
        return [*named(node.body), *named(node.orelse)]
    return [REASONS[node.attr if isinstance(node, ast.Attribute) else ast.unparse(node)]]


@pytest.mark.parametrize("path", [path for path in MODULES if REFUSAL.search(path.read_text())], ids=lambda path: path.stem)
def test_every_refusal_gives_its_reason_the_values_it_asks_for(path: Path) -> None:
    for call in refusals(path):
        if isinstance(call.args[0], ast.Name) and call.args[0].id == "reason":
            continue  # chosen in the line above, from two without blanks
        if ast.unparse(call.args[0]) == "pages.outcomes.no_such":
            continue  # each game's own
        given = {keyword.arg for keyword in call.keywords} - {"rule", "expected", "line"}
        for reason in named(call.args[0]):
            assert given == blanks(reason.text), f"{path.name}:{call.lineno}"


def test_codes_are_each_reasons_own_and_spell_its_name() -> None:
    assert len({reason.code for reason in REASONS.values()}) == len(REASONS) > 45
    assert all(reason.code == name.lower() for name, reason in REASONS.items())


def test_every_reason_is_given_somewhere() -> None:
    said = " ".join(path.read_text() for path in MODULES if path.name != "reasons.py")
    assert [name for name in REASONS if name not in said] == []


@pytest.mark.parametrize("name", REASONS)
def test_every_reason_has_its_italian_and_no_blank_of_its_own(name: str) -> None:
    english = REASONS[name].text
    for italian in italian_of(english):
        assert italian not in (english, getattr(english, "one", english))
        assert blanks(italian) <= blanks(english), "the engine tells more than people ask"


def test_a_refusal_is_told_in_the_language_of_who_asks() -> None:
    state = stu.begin(log.new_game(("{0}", "Bruno", "Carla"), 100, "Carla"))
    state = stu.apply(stu.apply(state, log.Hand()), log.Deal(to="{0}", card="4"))
    error = stu.check(state, log.Reveal(by="{0}", card="5"))
    assert isinstance(error, stu.Contradictory)
    assert (error.code, error.values) == ("seen_different", {"player": "{0}", "seen": "4", "card": "5"})
    assert str(error) == "the card of {0} is a 4, not a 5: it has been seen; expected 4"
    assert why_not(error, "en") == "The card of {0} is a 4, not a 5: it has been seen"
    assert why_not(error, "it") == "La carta di {0} si è già vista: è un’altra"
    rule = stu.check(state, log.Swap(with_="Bruno"))
    assert rule is not None
    assert why_not(rule, "it") == "A Bruno nessuno ha passato (regola 11)"


def test_what_was_expected_is_put_in_words_once_and_only_when_asked() -> None:
    asked: list[int] = []

    def expected() -> str:
        asked.append(1)
        return "something else"

    error = Illegal(of_the_rules.OUT_OF_TURN, expected=expected, player="Anna")
    assert (error.reason, asked) == ("Anna acts out of turn", [])
    moved = error.at(7)
    assert asked == []
    assert [str(moved), str(moved)] == ["line 7: Anna acts out of turn; expected something else"] * 2
    assert asked == [1]


def test_a_reason_without_a_code_is_told_in_english_alone() -> None:
    error = GameError("the {moon} is wrong", rule=1)
    assert why_not(error, "en") == "The {moon} is wrong (rule 1)"
    assert why_not(error, "it") == "Non può essere andata così (regola 1)"
