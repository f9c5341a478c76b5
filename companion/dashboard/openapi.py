"""The whole HTTP API as one OpenAPI 3.1 document, `/api/openapi.json`: the endpoints that the application has
(`companion.dashboard.endpoint`), with the schemas of the types that its views read and write.

`docs/http-api.md` has the same as tables: `tools/reference.py` writes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Any

import msgspec
from flask import Blueprint, Flask, current_app
from flask.typing import ResponseReturnValue

import companion
from companion.dashboard.answers import Refusal, answer, encoded
from companion.dashboard.endpoint import ANY, HTML, NEXT, VIEW, Endpoint, Form, OneOf, documented, endpoints
from companion.dashboard.limits import LARGEST_ID, Sessions
from companion.dashboard.phone_camera import phone_door
from companion.dashboard.source import ABOUT, ARCHIVE, LICENCE
from companion.pages.phone import Next
from companion.pages.view import View
from companion.table.language import LANGS

Schema = dict[str, Any]

VERSION = "3.1.0"
EXTENDED: dict[type, OneOf] = {View: VIEW, Next: NEXT}
"""Type to which games add keys → the types that they make of it."""
_PARAMETER = re.compile(r"<([a-z]+:)?([a-z_]+)>")
_REF = "#/components/schemas/{name}"
_PUBLISHED = {"companion.pages.phone.PlayerView": "companion.table.phone.PlayerView"}
"""Module and name of a type that shares its name with another → the name of its schema, which stays when the module moves."""
_FILMING = {
    "url": "https://{host}:{port}",
    "description": "the port over which a phone films",
    "variables": {"host": {"default": "localhost"}, "port": {"default": "8443"}},
}
_WHO = {
    "everybody": "For everybody.",
    "phone": "For a paired phone.",
    "machine": "For a browser on this very machine.",
    "token": "For the phone that films.",  # nosec B105 # a sentence
}
_SECURITY: dict[str, list[dict[str, list[str]]]] = {
    "phone": [{"organiser": []}],
    "token": [{"camera": []}],
}
_SCHEMES = {
    "organiser": {"type": "apiKey", "in": "cookie", "description": "of a paired phone, signed"},
    "csrf": {"type": "apiKey", "in": "header", "name": "X-CSRF-Token", "description": "the session's token, which pages carry"},
    "camera": {"type": "http", "scheme": "bearer", "description": "of the phone that films"},
}

openapi = Blueprint("openapi", __name__)


def install(app: Flask) -> None:
    """Add `/api/openapi.json` to this application."""
    app.register_blueprint(openapi)


@openapi.get("/api/openapi.json")
@documented(answer=dict[str, Any])
def served() -> ResponseReturnValue:
    """This page for programs: an [OpenAPI 3.1](https://spec.openapis.org/oas/v3.1.0.html) document with all schemas."""
    app = current_app
    if "openapi" not in app.extensions:
        door = phone_door()
        filming = endpoints(door.app) if door is not None and door.app is not None else ()
        assert isinstance(app.session_interface, Sessions)
        cookie = app.session_interface.get_cookie_name(app)
        app.extensions["openapi"] = encoded(document(cookie, endpoints(app), filming))
    return answer(app.extensions["openapi"])


def document(cookie: str, own: tuple[Endpoint, ...], filming: tuple[Endpoint, ...] = ()) -> dict[str, Any]:
    """The document of the endpoints ``own``, as plain values. ``cookie``: the name of the cookie that a paired phone sends.

    ``filming``: the endpoints of the port over which a phone films; where both ports have the same address, that of ``own`` is
    described.
    """
    names = {one.name for one in own}
    elsewhere = [one for one in filming if one.name not in names]
    schemas = Schemas((*own, *elsewhere))
    paths: dict[str, dict[str, Any]] = {}
    for one in (*own, *elsewhere):
        path = paths.setdefault(_PARAMETER.sub(r"{\2}", one.rule), {})
        path[one.method.lower()] = _operation(one, schemas)
    for one in elsewhere:
        paths[one.rule]["servers"] = [_FILMING]
    schemes = {**_SCHEMES, "organiser": {**_SCHEMES["organiser"], "name": cookie}}
    return {
        "openapi": VERSION,
        "info": {
            "title": "companion",
            "version": companion.__version__,
            "license": {"name": LICENCE, "identifier": LICENCE},
            "description": "What `companion serve` answers. Spectators get what everybody at the table has seen, no more.",
        },
        "externalDocs": {"url": ARCHIVE, "description": f"The source of the program that answers; more at {ABOUT}"},
        "paths": paths,
        "components": {"schemas": schemas.components, "securitySchemes": schemes},
    }


def _operation(one: Endpoint, schemas: Schemas) -> dict[str, Any]:
    made: dict[str, Any] = {
        "operationId": re.sub(r"\W+", "_", one.name).strip("_").lower(),
        "description": f"{_WHO[one.who]} {_without_links(one.text)}",
        "parameters": [*_parameters(one)],
        "responses": {str(status): answer for status, answer in sorted(_responses(one, schemas).items())},
    }
    if one.who in _SECURITY:
        csrf: dict[str, list[str]] = {"csrf": []} if one.who == "phone" and one.method == "POST" else {}
        made["security"] = [{**guard, **csrf} for guard in _SECURITY[one.who]]
    if one.body is not None:
        made["requestBody"] = {"required": not isinstance(one.body, Form), "content": _content(one.body, schemas)}
    return made


def _parameters(one: Endpoint) -> Iterator[dict[str, Any]]:
    for kind, name in _PARAMETER.findall(one.rule):
        number = {"type": "integer", "minimum": 0, "maximum": LARGEST_ID}
        schema = number if kind == "int:" else {"type": "string", "minLength": 1}
        yield {"name": name, "in": "path", "required": True, "schema": schema}
    for name, plain in {"lang": {"type": "string", "enum": list(LANGS)}, **one.query}.items():
        yield {"name": name, "in": "query", "schema": dict(plain)}


def _responses(one: Endpoint, schemas: Schemas) -> dict[int, dict[str, Any]]:
    """The responses of an endpoint, by status."""
    why = _refusal(one, schemas)
    refused = {status: {"description": HTTPStatus(status).phrase, "content": why} for status in _statuses(one)}
    for status in {302, 303} & refused.keys():
        refused[status] = {"description": HTTPStatus(status).phrase, "content": {HTML: {}}}
    return {200: {"description": "OK", "content": _content(one.answer, schemas)}, **refused}


def _statuses(one: Endpoint) -> set[int]:
    """The statuses of an endpoint besides 200."""
    found = {503, *one.also}
    if _PARAMETER.search(one.rule):
        found.add(404)
    if one.method == "POST":
        found.add(413)
        if one.who in ("phone", "machine"):
            found.add(403)
        if not one.by_script:
            found.add(302)
    if one.who == "phone":
        found.add(401 if one.path.startswith("/api/") else 302)
    elif one.who == "machine":
        found.add(403)
    elif one.who == "token":
        found.add(401)
    return found


def _refusal(one: Endpoint, schemas: Schemas) -> dict[str, Any]:
    """The content of an endpoint's refusals by media type: JSON for scripts, a page or a sentence for people."""
    if one.refusal is not None:
        return _content(one.refusal, schemas)
    to_scripts: dict[str, Any] = {"application/json": {"schema": schemas.of(Refusal)}}
    return to_scripts if one.by_script else {**to_scripts, HTML: {}, "text/plain": {}}


def _content(kind: object, schemas: Schemas) -> dict[str, Any]:
    """The content of a body or an answer, by media type."""
    if isinstance(kind, str):
        return {kind: {} if kind in (ANY, HTML) else {"schema": {"type": "string"}}}
    if isinstance(kind, Form):
        fields: Schema = {name: {"type": "string"} for name in ("csrf", *kind.fields)}
        files: Schema = {name: {"type": "string", "contentMediaType": "application/octet-stream"} for name in kind.files}
        media = "multipart/form-data" if files else "application/x-www-form-urlencoded"
        return {media: {"schema": {"type": "object", "properties": fields | files}}}
    return {"application/json": {"schema": schemas.of(kind)}}


def _without_links(text: str) -> str:
    """Markdown without its links, which lead nowhere outside of `docs/http-api.md`."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)


class Schemas:
    """The JSON Schemas of these endpoints' types.

    Attributes:
        components: name → schema, as under ``components/schemas`` of the document. Schemas of answers allow no other keys.
    """

    def __init__(self, used: tuple[Endpoint, ...]) -> None:
        answers = [*_types(kind for one in used for kind in (one.answer, one.refusal)), Refusal]
        bodies = [one for one in _types(one.body for one in used) if one not in answers]
        games = [*_types(EXTENDED.values())]
        types = list(dict.fromkeys([*answers, *bodies, *EXTENDED, *games]))
        made, self.components = _as_published(*msgspec.json.schema_components(types, ref_template=_REF))
        self._of: dict[object, Schema] = dict(zip(types, made, strict=True))
        for name in self._reached(self._of[one] for one in [*answers, *games]):
            if self.components[name].get("type") == "object":
                self.components[name]["additionalProperties"] = False
        for base, several in EXTENDED.items():
            self._extend(base, several)

    def of(self, kind: object) -> Schema:
        """The schema of an endpoint's ``answer`` or ``body`` that is JSON."""
        found = [self._of[one] for one in _types([kind])]
        return found[0] if len(found) == 1 else {"anyOf": found}

    def _extend(self, base: type, several: OneOf) -> None:
        """Replace the schema of ``base``, to which games add keys, by the alternatives of ``several``, wherever it is referred
        to."""
        name = self._of[base]["$ref"].rpartition("/")[2]
        own = self.components[name]
        made = [own if one is base else self._of[one] for one in dict.fromkeys(_types([several]))]
        self.components[name] = {"title": own["title"], "description": own["description"], "anyOf": made}

    def _reached(self, schemas: Iterable[Schema]) -> set[str]:
        """The names of the components that these schemas refer to, directly or through others."""
        found: set[str] = set()
        waiting: list[Any] = list(schemas)
        while waiting:
            for name in _references(waiting.pop()):
                if name not in found:
                    found.add(name)
                    waiting.append(self.components[name])
        return found


def _as_published(made: tuple[Schema, ...], components: dict[str, Schema]) -> tuple[list[Schema], dict[str, Schema]]:
    """The schemas and their components, renamed as `_PUBLISHED` says."""
    text = msgspec.json.encode((made, components))
    for now, published in _PUBLISHED.items():
        text = text.replace(f'{now}"'.encode(), f'{published}"'.encode())
    return msgspec.json.decode(text, type=tuple[list[Schema], dict[str, Schema]])


def _types(kinds: Iterable[object]) -> Iterator[object]:
    """The types among what endpoints take and answer, without media types and forms."""
    for kind in kinds:
        if isinstance(kind, OneOf):
            yield from kind.types()
        elif kind is not None and not isinstance(kind, str | Form):
            yield kind


def _references(schema: object) -> Iterator[str]:
    """The names of the components that a schema refers to."""
    if isinstance(schema, dict):
        if isinstance(ref := schema.get("$ref"), str):
            yield ref.rpartition("/")[2]
        for one in schema.values():
            yield from _references(one)
    elif isinstance(schema, list):
        for one in schema:
            yield from _references(one)
