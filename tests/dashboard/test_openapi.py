"""The OpenAPI document says what the program answers: every address, and every answer to the letter of its schema."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
import reference
from fake_camera import FakeCamera
from flask import Flask
from games import GNAFFATA, lines
from phones import Phone

from companion.dashboard import Settings, create_app
from companion.dashboard.endpoint import endpoints, routes
from companion.games import log_format
from companion.games.stoppa.bots import Settings as Table
from companion.games.stoppa.bots import seated, simulate
from companion.ledger import Ledger
from companion.line.corrections_learnt import CorrectionsLearnt
from companion.table.log import Line

STU = lines(*GNAFFATA, '{"e":"hand"}', '{"e":"passo","by":"Bruno"}')


def half_way(whole: tuple[Line, ...], hand: int) -> tuple[Line, ...]:
    """The log up to the middle of this hand."""
    begun = [at for at, line in enumerate(whole) if line.event.__struct_config__.tag == "hand"]
    return whole[: begun[hand - 1] + 12]


GAMES = {"stu": STU, "stoppa": half_way(simulate(Table(players=seated(4), faces=True), hands=2, seed=3), 2), "none": ()}


@pytest.fixture(params=GAMES)
def app(request: pytest.FixtureRequest) -> Iterator[Flask]:
    """The dashboard of an evening's program that shows all that it can, of each game, and of none."""
    with Ledger.in_memory(log_format) as ledger:
        if GAMES[request.param]:
            ledger.record(ledger.new_game(source="file"), GAMES[request.param])
        yield create_app(ledger, settings=Settings(odds=True), camera=FakeCamera(ledger), corrections=CorrectionsLearnt())


def told(app: Flask) -> dict[str, Any]:
    found: dict[str, Any] = app.test_client().get("/api/openapi.json").json
    return found


def test_every_address_of_the_program_is_in_the_document_and_no_other(app: Flask) -> None:
    there = {f"{method} {re.sub('<[a-z]+:', '<', rule.rule)}" for rule, method in routes(app)}
    assert {one.name for one in endpoints(app)} == there, "a view has no @documented"
    operations = {f"{method.upper()} {path}" for path, item in told(app)["paths"].items() for method in item}
    assert operations == {name.replace("<", "{").replace(">", "}") for name in there}


def test_the_api_is_as_it_was() -> None:
    """What programs read: addresses, parameters, statuses, schemas. Only a change that is meant may be written down."""
    assert reference.api_lines() == reference.API.read_text("utf-8"), "where this is meant: make docs"


def test_every_address_says_what_it_is_for(app: Flask) -> None:
    assert [one.name for one in endpoints(app) if not one.text] == []


def test_the_document_names_each_operation_once_and_leads_nowhere_that_is_not_there(app: Flask) -> None:
    document = told(app)
    operations = [one for item in document["paths"].values() for one in item.values()]
    assert len({one["operationId"] for one in operations}) == len(operations)
    refs = set(re.findall(r'"\$ref": ?"#/components/schemas/([^"]+)"', app.test_client().get("/api/openapi.json").text))
    assert refs <= set(document["components"]["schemas"])


def misfits(document: dict[str, Any], operation: dict[str, Any], status: int, mimetype: str, json: object) -> list[str]:
    """What of an answer is not as the document says."""
    said = operation["responses"].get(str(status))
    if said is None:
        return [f"status {status} is not told"]
    if mimetype not in said["content"] and "*/*" not in said["content"]:
        return [f"{status}: {mimetype} is not told"]
    if mimetype != "application/json":
        return []
    schema = {**said["content"][mimetype]["schema"], "components": document["components"]}
    return [f"{error.instance_path}: {error.message}"[:300] for error in jsonschema_rs.validator_for(schema).iter_errors(json)]


@pytest.mark.parametrize("paired", [False, True], ids=["stranger", "phone"])
def test_every_answer_to_a_question_is_as_the_document_says(app: Flask, paired: bool) -> None:
    document = told(app)
    client = Phone(app).client if paired else app.test_client()
    wrong = {}
    for path, item in document["paths"].items():
        if "get" in item and not path.endswith("/stream"):
            address = re.sub(r"\{[a-z]+\}", "1", path) + "?hand=0&start=0&stop=1&question=x"
            answer = client.get(address)
            if found := misfits(document, item["get"], answer.status_code, answer.mimetype, answer.get_json(silent=True)):
                wrong[path] = found
            answer.close()
    assert wrong == {}
