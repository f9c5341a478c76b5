"""The OpenAPI 3.1 document of an application: the endpoints that it really has, with the schemas of what they take and give."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Any

from flask import Flask
from werkzeug.routing import Rule

import companion
from companion.dashboard.openapi.endpoint import ANY, HTML, Endpoint, Form
from companion.dashboard.openapi.schemas import Schema, Schemas
from companion.dashboard.organiser.guard import Refusal
from companion.dashboard.sessions import Sessions
from companion.dashboard.source import ABOUT, ARCHIVE, LICENCE
from companion.table.language import LANGS

VERSION = "3.1.0"
LARGEST_ID = 2**63 - 1
"""Of what the ledger can give a number to."""
_PARAMETER = re.compile(r"<([a-z]+:)?([a-z_]+)>")
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


def named(rule: Rule, method: str) -> str:
    """What an `Endpoint` calls this: ``GET /api/games/<game>/log``."""
    return f"{method} {re.sub(r'<[a-z]+:', '<', rule.rule)}"


def routes(app: Flask) -> Iterator[tuple[Rule, str]]:
    """Every address of the application with each method that does something."""
    for rule in app.url_map.iter_rules():
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            yield rule, method


def document(app: Flask, endpoints: Iterable[Endpoint], filming: Iterable[Endpoint] = ()) -> dict[str, Any]:
    """The document of what this application answers, as plain values. Addresses without an endpoint are left out.

    ``filming``: those of the port over which a phone films; of addresses that are on both, the application's own are told.
    """
    told = {one.name: one for one in endpoints}
    there = [(rule.rule, told[named(rule, method)]) for rule, method in routes(app) if named(rule, method) in told]
    own = {one.name for _, one in there}
    elsewhere = [(one.path, one) for one in filming if one.name not in own]
    schemas = Schemas(one for _, one in (*there, *elsewhere))
    paths: dict[str, dict[str, Any]] = {}
    for rule, one in (*there, *elsewhere):
        path = paths.setdefault(_PARAMETER.sub(r"{\2}", rule), {})
        path[one.method.lower()] = _operation(rule, one, schemas)
    for rule, _ in elsewhere:
        paths[rule]["servers"] = [_FILMING]
    assert isinstance(app.session_interface, Sessions)
    cookie = {**_SCHEMES["organiser"], "name": app.session_interface.get_cookie_name(app)}
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
        "components": {"schemas": schemas.components, "securitySchemes": {**_SCHEMES, "organiser": cookie}},
    }


def _operation(rule: str, one: Endpoint, schemas: Schemas) -> dict[str, Any]:
    said: dict[str, Any] = {
        "operationId": re.sub(r"\W+", "_", one.name).strip("_").lower(),
        "description": f"{_WHO[one.who]} {_without_links(one.text)}",
        "parameters": [*_parameters(rule, one)],
        "responses": {str(status): answer for status, answer in sorted(_responses(rule, one, schemas).items())},
    }
    if one.who in _SECURITY:
        csrf: dict[str, list[str]] = {"csrf": []} if one.who == "phone" and one.method == "POST" else {}
        said["security"] = [{**guard, **csrf} for guard in _SECURITY[one.who]]
    if one.body is not None:
        said["requestBody"] = {"required": not isinstance(one.body, Form), "content": _content(one.body, schemas)}
    return said


def _parameters(rule: str, one: Endpoint) -> Iterator[dict[str, Any]]:
    for kind, name in _PARAMETER.findall(rule):
        number = {"type": "integer", "minimum": 0, "maximum": LARGEST_ID}
        schema = number if kind == "int:" else {"type": "string", "minLength": 1}
        yield {"name": name, "in": "path", "required": True, "schema": schema}
    for name, plain in {"lang": {"type": "string", "enum": list(LANGS)}, **one.query}.items():
        yield {"name": name, "in": "query", "schema": dict(plain)}


def _responses(rule: str, one: Endpoint, schemas: Schemas) -> dict[int, dict[str, Any]]:
    """What may come back, by status."""
    why = _refusal(one, schemas)
    refused = {status: {"description": HTTPStatus(status).phrase, "content": why} for status in _statuses(rule, one)}
    for status in {302, 303} & refused.keys():
        refused[status] = {"description": HTTPStatus(status).phrase, "content": {HTML: {}}}
    return {200: {"description": "OK", "content": _content(one.answer, schemas)}, **refused}


def _statuses(rule: str, one: Endpoint) -> set[int]:
    """Those that may come besides 200."""
    found = {503, *one.also}
    if _PARAMETER.search(rule):
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
    """How it is said that something is not done: to scripts in JSON, to people as a page or a sentence."""
    if one.refusal is not None:
        return _content(one.refusal, schemas)
    said: dict[str, Any] = {"application/json": {"schema": schemas.of(Refusal)}}
    return said if one.by_script else {**said, HTML: {}, "text/plain": {}}


def _content(kind: object, schemas: Schemas) -> dict[str, Any]:
    """What is taken or given, by media type."""
    if isinstance(kind, str):
        return {kind: {} if kind in (ANY, HTML) else {"schema": {"type": "string"}}}
    if isinstance(kind, Form):
        fields: Schema = {name: {"type": "string"} for name in ("csrf", *kind.fields)}
        files: Schema = {name: {"type": "string", "contentMediaType": "application/octet-stream"} for name in kind.files}
        media = "multipart/form-data" if files else "application/x-www-form-urlencoded"
        return {media: {"schema": {"type": "object", "properties": fields | files}}}
    return {"application/json": {"schema": schemas.of(kind)}}


def _without_links(text: str) -> str:
    """Markdown as it reads away from its page."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)

