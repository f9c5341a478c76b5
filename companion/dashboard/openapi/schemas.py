"""JSON Schemas of what is taken and given, made of the very types that the handlers read and write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from companion.dashboard.openapi.endpoint import Among, Endpoint, Form
from companion.dashboard.openapi.games import EXTENDED
from companion.dashboard.organiser.guard import Refusal

Schema = dict[str, Any]
_REF = "#/components/schemas/{name}"


class Schemas:
    """The schemas of these endpoints' types.

    Attributes:
        components: by name, as the document has them under ``components/schemas``. What is given has no keys but these.
    """

    def __init__(self, endpoints: Iterable[Endpoint]) -> None:
        used = list(endpoints)
        answers = [*_types(kind for one in used for kind in (one.answer, one.refusal)), Refusal]
        bodies = [one for one in _types(one.body for one in used) if one not in answers]
        games = [*_types(EXTENDED.values())]
        types = list(dict.fromkeys([*answers, *bodies, *EXTENDED, *games]))
        made, self.components = msgspec.json.schema_components(types, ref_template=_REF)
        self._of: dict[object, Schema] = dict(zip(types, made, strict=True))
        for name in self._reached(self._of[one] for one in [*answers, *games]):
            if self.components[name].get("type") == "object":
                self.components[name]["additionalProperties"] = False
        for base, among in EXTENDED.items():
            self._extended(base, among)

    def of(self, kind: object) -> Schema:
        """The schema of an endpoint's ``answer`` or ``body`` that is JSON."""
        found = [self._of[one] for one in _types([kind])]
        return found[0] if len(found) == 1 else {"anyOf": found}

    def _extended(self, base: type, among: Among) -> None:
        """Wherever the house says ``base``, a game may have made more of it."""
        name = self._of[base]["$ref"].rpartition("/")[2]
        own = self.components[name]
        made = [own if one is base else self._of[one] for one in dict.fromkeys(_types([among]))]
        self.components[name] = {"title": own["title"], "description": own["description"], "anyOf": made}

    def _reached(self, schemas: Iterable[Schema]) -> set[str]:
        """The components that these schemas lead to."""
        found: set[str] = set()
        waiting: list[Any] = list(schemas)
        while waiting:
            for name in _names(waiting.pop()):
                if name not in found:
                    found.add(name)
                    waiting.append(self.components[name])
        return found


def _types(kinds: Iterable[object]) -> Iterator[object]:
    """The types among the kinds of endpoints."""
    for kind in kinds:
        if isinstance(kind, Among):
            yield from kind.types()
        elif kind is not None and not isinstance(kind, str | Form):
            yield kind


def _names(schema: object) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(ref := schema.get("$ref"), str):
            yield ref.rpartition("/")[2]
        for one in schema.values():
            yield from _names(one)
    elif isinstance(schema, list):
        for one in schema:
            yield from _names(one)
