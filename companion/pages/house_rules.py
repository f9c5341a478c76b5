"""House rules on a form: their values as a form says them, and the usual ones. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import fields


def said(value: object) -> str:
    """A house rule's value as a form says it.

    >>> said(True), said(3), said("noted")
    ('true', '3', 'noted')
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


def meant(text: str) -> object:
    """The value that a form's text stands for: "true", "false", a number, or a word.

    >>> meant("false"), meant("3"), meant("noted")
    (False, 3, 'noted')
    """
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isascii() and text.isdigit() else text


def picked(form: Mapping[str, str], asked: Iterable[str]) -> dict[str, object]:
    """House rule → the answer on a form, of those that are ``asked`` there."""
    return {name: meant(form[name]) for name in asked if name in form}


def usual(rules: Struct) -> dict[str, Any]:
    """House rule, by its name in a log → the usual answer; ``rules``: as they are where the table has said nothing."""
    return {of.encode_name: getattr(rules, of.name) for of in fields(rules)}


def chosen(rules: Struct) -> dict[str, Any]:
    """House rule, by its name in a log → the answer, of those that are not the usual ones."""
    plain: dict[str, Any] = to_builtins(rules)
    return plain
