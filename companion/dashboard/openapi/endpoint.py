"""What there is to say of one address: who may call it, what it takes and gives. Document and docs' page are made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Who = Literal["everybody", "phone", "machine", "token"]
"""Who may call an address: everybody; a paired phone; a browser on this very machine; the phone that films, by its token."""

HTML = "text/html"
JPEG = "image/jpeg"
SVG = "image/svg+xml"
TABLE_LOG = "application/x-ndjson"
EVENTS = "text/event-stream"
ANY = "*/*"

TEXT: Mapping[str, Any] = {"type": "string"}
NUMBER: Mapping[str, Any] = {"type": "integer"}
THEME: Mapping[str, Any] = {"type": "string", "enum": ["dark", "light"]}

REFUSALS = (400, 404, 409, 422)
"""How a command may be refused: it cannot be read, there is no such thing, it is made on what is past, the rules forbid it."""


@dataclass(frozen=True)
class Among:
    """One of the types that ``types`` finds when the document is made, as of each game of the house."""

    types: Callable[[], tuple[object, ...]]


@dataclass(frozen=True)
class Form:
    """A form with these ``fields``, all of which may be left out; with ``files`` it is sent in parts."""

    fields: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class Endpoint:
    """One address.

    Attributes:
        path: as Flask's rule has it, without the types: ``/api/games/<game>/view``.
        text: what it is for, in Markdown; its links are those of `docs/http-api.md`.
        answer: what is given where all is well: a media type or, as JSON, a type or one `Among` several.
        body: what is taken: None, a media type, a `Form`, or a type that is read from JSON.
        query: the parameters after the ``?``, each with its schema; ``lang`` may always be there.
        also: statuses besides 200 and those that all addresses of its kind have.
        refusal: a type of its own in which it says what is wrong.
    """

    method: str
    path: str
    who: Who
    text: str
    answer: object = HTML
    body: object = None
    query: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    also: tuple[int, ...] = ()
    refusal: object = None

    @property
    def name(self) -> str:
        """Method and path, by which the documents call it."""
        return f"{self.method} {self.path}"

    @property
    def by_script(self) -> bool:
        """Whether scripts alone ask for it: what it refuses, it refuses in JSON."""
        return self.path.startswith("/api/") or self.path.endswith(".json") or self.who == "token" or self.path == "/join"
