"""Every address of the OpenAPI document is asked for what nobody expects, by a stranger and by a paired phone: no answer is the
program's own failure, each is told in the document and fits its schema, and what does not exist is not found.

Schemathesis takes a second to import: so it is where these tests run, not in every process that collects them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from fake_camera import FakeCamera
from flask import Flask
from games import GNAFFATA, lines
from hypothesis import HealthCheck, given, settings
from phones import Phone

from companion.dashboard import Settings, create_app
from companion.dashboard.endpoint import Endpoint, endpoints
from companion.games import log_format
from companion.ledger import Ledger
from companion.line.corrections_learnt import CorrectionsLearnt

if TYPE_CHECKING:
    from schemathesis import APIOperation, Case, SerializationContext
    from schemathesis.specs.openapi.schemas import OpenApiSchema

CHECKED = ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance"]
pytestmark = pytest.mark.slow
PLAIN = {"Accept-Encoding": "identity"}
"""Schemathesis asks for compressed answers, and does not read them where no network is between."""
LOG = lines(*GNAFFATA, '{"e":"hand"}', '{"e":"passo","by":"Bruno"}')


def dashboard(ledger: Ledger) -> Flask:
    """That of an evening's program."""
    return create_app(ledger, settings=Settings(odds=True), camera=FakeCamera(ledger), corrections=CorrectionsLearnt())


def all_endpoints() -> tuple[Endpoint, ...]:
    with Ledger.in_memory(log_format) as ledger:
        return endpoints(dashboard(ledger))


@pytest.fixture(scope="module")
def app() -> Iterator[Flask]:
    """The dashboard with a hand in progress."""
    with Ledger.in_memory(log_format) as ledger:
        ledger.record(ledger.new_game(source="file"), LOG)
        yield dashboard(ledger)


@pytest.fixture(scope="module")
def document(app: Flask) -> OpenApiSchema:
    import schemathesis

    @schemathesis.serializer("application/x-ndjson")
    def table_log(ctx: SerializationContext, value: object) -> object:
        return str(value).encode(errors="surrogatepass")

    return schemathesis.openapi.from_wsgi("/api/openapi.json", app, headers=PLAIN)


@pytest.fixture(scope="module")
def answered(document: OpenApiSchema) -> Callable[..., None]:
    """Sends a case, and looks at its answer."""
    from schemathesis.checks import CHECKS

    checks = CHECKS.get_by_names(CHECKED)

    def call(case: Case, **more: object) -> None:
        case.call_and_validate(checks=checks, **more)

    return call


TIMES = pytest.mark.parametrize("times", [1, pytest.param(20, marks=pytest.mark.thorough)], ids="{} times".format)
few = settings(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
ENDPOINTS = all_endpoints()
ASKED = [one for one in ENDPOINTS if not one.path.endswith("/stream")]


@pytest.fixture(scope="module")
def phone(app: Flask) -> Phone:
    return Phone(app)


@TIMES
@pytest.mark.parametrize("one", ASKED, ids=lambda one: one.name)
def test_a_stranger_gets_an_answer_that_is_told(
    one: Endpoint, times: int, document: OpenApiSchema, answered: Callable[..., None]
) -> None:
    @settings(few, max_examples=times)
    @given(operation(document, one).as_strategy())
    def asked(case: Case) -> None:
        answered(case, headers=PLAIN)

    asked()


@TIMES
@pytest.mark.parametrize("one", ASKED, ids=lambda one: one.name)
def test_a_paired_phone_gets_an_answer_that_is_told(
    one: Endpoint, times: int, document: OpenApiSchema, answered: Callable[..., None], phone: Phone
) -> None:
    @settings(few, max_examples=times)
    @given(operation(document, one).as_strategy())
    def asked(case: Case) -> None:
        answered(case, headers={**PLAIN, "X-CSRF-Token": phone.csrf}, cookies=cookies(phone))

    asked()


@pytest.mark.parametrize("number", [10**6, 2**63 - 1, 2**63, 10**30])
def test_what_does_not_exist_is_not_found(number: int, app: Flask, phone: Phone) -> None:
    for one in ENDPOINTS:
        if one.method == "GET" and "<" in one.path and not one.path.startswith("/season/language"):
            answer = phone.client.get(re.sub(r"<[a-z]+>", str(number), one.path))
            expected = (302, 404) if one.path.startswith("/setup/<") else (404,)  # without a preparation no step is there
            assert answer.status_code in expected, one.name
            answer.close()


def operation(document: OpenApiSchema, one: Endpoint) -> APIOperation:
    return document[one.path.replace("<", "{").replace(">", "}")][one.method]


def cookies(phone: Phone) -> dict[str, str]:
    cookie = phone.client.get_cookie("organiser")
    assert cookie is not None
    return {"organiser": cookie.value}
