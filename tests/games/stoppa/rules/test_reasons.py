"""Every refusal of Stoppa has a code, a sentence in both languages, and the values that its sentence asks for."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion
from companion.games.stoppa.rules import reasons
from companion.table.errors import Reason
from companion.table.language import catalogue

REASONS = {name: reason for name, reason in vars(reasons).items() if isinstance(reason, Reason)}
MODULES = sorted((Path(companion.__file__).parent / "games" / "stoppa" / "rules").glob("*.py"))


def blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def refusals() -> Iterator[tuple[str, Reason, set[str]]]:
    """Where the rules refuse something: the place, the reason, the values given."""
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("Illegal", "Contradictory"):
                (reason,) = node.args
                assert isinstance(reason, ast.Attribute)
                given = {str(keyword.arg) for keyword in node.keywords} - {"rule", "expected", "line"}
                yield f"{path.name}:{node.lineno}", REASONS[reason.attr], given


def test_every_refusal_gives_its_reason_the_values_it_asks_for() -> None:
    for where, reason, given in refusals():
        assert given == blanks(reason.text), where


def test_every_reason_is_given_somewhere_and_its_code_spells_its_name() -> None:
    assert {reason.code for _, reason, _ in refusals()} == {reason.code for reason in REASONS.values()}
    assert all(reason.code == name.lower() for name, reason in REASONS.items())


@pytest.mark.parametrize("name", REASONS)
def test_every_reason_has_its_italian(name: str) -> None:
    english = REASONS[name].text
    italian = catalogue("it").gettext(english)
    assert italian != english
    assert blanks(italian) <= blanks(english), "the engine tells more than people ask"
