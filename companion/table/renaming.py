"""Renames the players of a game, in every event of its log. Pure.

A log knows players only by their names, so a name is changed everywhere or nowhere. The types of the game's events tell where
names are: a plain text is a name; in free text (`FREE`), names are words among others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from companion.table.log import Event

FREE = frozenset({"reason", "terms"})
"""Fields with free text."""

Change = Callable[[str], str]


@dataclass(frozen=True)
class Renaming:
    """Changes names. ``names``: name in the game → new name. No two new names may be the same."""

    names: Mapping[str, str]

    def name(self, name: str) -> str:
        """The new name for this one; the same where it does not change."""
        return self.names.get(name, name)

    def text(self, text: str) -> str:
        """A free text with the new names; a name in it is found as a whole word, in upper or lower case."""
        found = {name.casefold(): new for name, new in self.names.items()}
        if not found or not text:
            return text
        longest = sorted(map(re.escape, found), key=len, reverse=True)
        return re.sub(rf"(?<!\w)({'|'.join(longest)})(?!\w)", lambda one: found.get(one[0].casefold(), one[0]), text, flags=re.I)

    def event(self, event: Event) -> Event:
        """The event with the new names."""
        return _changed(event, _type_of(event.__class__), self.name, self.text)


def names_of(event: Event) -> frozenset[str]:
    """All names in an event."""
    found = set[str]()

    def heard(name: str) -> str:
        found.add(name)
        return name

    _changed(event, _type_of(event.__class__), heard, str)
    return frozenset(found)


@cache
def _type_of(kind: Hashable) -> inspect.Type:
    return inspect.type_info(kind)


def _changed(value: Any, kind: inspect.Type, name: Change, text: Change) -> Any:
    match kind:
        case inspect.StrType(pattern=None):
            return name(value)
        case inspect.UnionType():
            return _changed_among(value, kind.types, name, text)
        case inspect.StructType():
            fields = {field.name: field for field in kind.fields}
            changed = {}
            for at, field in fields.items():
                before = getattr(value, at)
                changed[at] = _changed(before, field.type, text, text) if at in FREE else _changed(before, field.type, name, text)
            return msgspec.structs.replace(value, **changed)
        case inspect.DictType():
            return {_changed(key, kind.key_type, name, text): _changed(one, kind.value_type, name, text)
                    for key, one in value.items()}  # fmt: skip
        case inspect.VarTupleType():
            return tuple(_changed(one, kind.item_type, name, text) for one in value)
    return value


def _is_name(kind: inspect.Type) -> bool:
    return isinstance(kind, inspect.StrType) and kind.pattern is None


def _changed_among(value: Any, kinds: tuple[inspect.Type, ...], name: Change, text: Change) -> Any:
    """Change a value that may be of several types: a text that is none of the fixed words among these types is a name."""
    for kind in kinds:
        if isinstance(value, str):
            if isinstance(kind, inspect.LiteralType) and value in kind.values:
                return value
        elif (isinstance(value, dict) and isinstance(kind, inspect.DictType)) or (
            isinstance(value, tuple) and isinstance(kind, inspect.VarTupleType)
        ) or (isinstance(kind, inspect.StructType) and isinstance(value, kind.cls)):
            return _changed(value, kind, name, text)
    return name(value) if isinstance(value, str) and any(map(_is_name, kinds)) else value
