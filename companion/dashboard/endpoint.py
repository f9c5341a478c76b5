"""How an address is described at its view: the first paragraph of the view's docstring is the description, and `documented` adds
what the address takes and answers. The OpenAPI document and the tables of `docs/http-api.md` are made from this."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from flask import Flask
from werkzeug.routing import Rule

from companion.games import shown_games
from companion.pages.protocol import Pages

Who = Literal["everybody", "phone", "machine", "token"]
"""Who may call an address: everybody; a paired phone; a browser on this machine; the phone that films, by its token."""

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
"""Statuses of a command that is refused: it cannot be read, its object does not exist, it was made on a state that is past, the
rules forbid it."""

_GUARDED, _DOCUMENTED = "guarded_for", "documented"
View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True)
class OneOf:
    """One of several types, such as one for each game. ``types`` finds them when the document is made."""

    types: Callable[[], tuple[object, ...]]


@dataclass(frozen=True)
class Form:
    """A form with these ``fields``, all optional; with ``files`` it is sent in parts."""

    fields: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class Endpoint:
    """One method of one address.

    Attributes:
        rule: Flask's rule, with the types of its parameters: ``/api/games/<int:game>/view``.
        text: what it is for, in Markdown; its links are those of `docs/http-api.md`.
        answer: the body of status 200: a media type or, as JSON, a type or `OneOf` several.
        body: the request's: None, a media type, a `Form`, or a type that is read from JSON.
        query: the parameters after the ``?``, each with its schema; ``lang`` is always allowed.
        also: statuses besides 200 and those that all addresses of its kind have.
        refusal: the type of its error answers, where it is not `companion.dashboard.answers.Refusal`.
    """

    method: str
    rule: str
    who: Who
    text: str
    answer: object = HTML
    body: object = None
    query: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    also: tuple[int, ...] = ()
    refusal: object = None

    @property
    def path(self) -> str:
        """The rule without types: ``/api/games/<game>/view``."""
        return re.sub(r"<[a-z]+:", "<", self.rule)

    @property
    def name(self) -> str:
        """Method and path, as the documents call it."""
        return f"{self.method} {self.path}"

    @property
    def by_script(self) -> bool:
        """Whether only scripts ask for it, so that it refuses in JSON alone."""
        return self.path.startswith("/api/") or self.path.endswith(".json") or self.who == "token" or self.path == "/join"


def documented(
    *, answer: object = HTML, body: object = None, query: Mapping[str, Mapping[str, Any]] | None = None,
    also: tuple[int, ...] = (), refusal: object = None, who: Who | None = None,
) -> Callable[[View], View]:  # fmt: skip
    """Put a view into the document, with these fields of `Endpoint`. ``who``: by default those whom its guard lets in
    (`guarded_for`).

    The description is the first paragraph of the view's docstring, with a small first letter and without its full stop.
    """

    def decorate(view: View) -> View:
        text = " ".join(inspect.cleandoc(view.__doc__ or "").split("\n\n")[0].split())
        text = re.sub(r"^\[?.", lambda first: first[0].lower(), text.removesuffix("."))
        guard: Who = getattr(view, _GUARDED, "everybody")
        setattr(view, _DOCUMENTED, Endpoint("", "", who or guard, text, answer, body, query or {}, also, refusal))
        return view

    return decorate


def guarded_for(who: Who, view: View) -> View:
    """The view, marked as one that lets in nobody but ``who``."""
    setattr(view, _GUARDED, who)  # wrappers made with functools.wraps carry it on
    return view


def endpoints(app: Flask) -> tuple[Endpoint, ...]:
    """The application's documented views, in the order in which they were added."""
    found = []
    for rule, method in routes(app):
        described: Endpoint | None = getattr(app.view_functions[rule.endpoint], _DOCUMENTED, None)
        if described is not None:
            found.append(replace(described, method=method, rule=rule.rule))
    return tuple(found)


def routes(app: Flask) -> Iterator[tuple[Rule, str]]:
    """Every rule of the application with each of its methods but HEAD and OPTIONS."""
    for rule in app.url_map.iter_rules():
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            yield rule, method


def _returned(find: Callable[[Pages], Callable[..., object] | None]) -> OneOf:
    """The types that one function returns in each game's pages; ``find`` gives the function, None where a game has none."""

    def types() -> tuple[object, ...]:
        made = (find(game.pages) for game in shown_games())
        return tuple(dict.fromkeys(_return_type(one) if one is not None else None for one in made))

    return OneOf(types)


def _return_type(method: Callable[..., object]) -> Any:
    """The type that a bound method returns, with the type variables of its class's generic base filled in."""
    found = get_type_hints(method)["return"]
    bases = getattr(type(getattr(method, "__self__", None)), "__orig_bases__", ())
    known = {
        variable: own
        for base in bases
        for variable, own in zip(getattr(get_origin(base), "__parameters__", ()), get_args(base), strict=True)
    }
    if isinstance(found, TypeVar):
        return known[found]
    variables = getattr(found, "__parameters__", ())
    return found[tuple(known[one] for one in variables)] if variables else found


VIEW = _returned(lambda pages: pages.view)
MOVIOLA = _returned(lambda pages: pages.moviola)
CHARTS = _returned(lambda pages: pages.charts.figures if pages.charts is not None else None)
NEXT = _returned(lambda pages: pages.offers)
