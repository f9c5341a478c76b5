"""What people are told of a page that is not there, or not to be had: on a page, in their language."""

from __future__ import annotations

import pytest
from flask import Flask, abort

from companion.dashboard import create_app
from companion.dashboard.answers import WHY
from companion.ledger import Ledger

NO_PAGE = {"it": "Questa pagina non esiste", "en": "There is no such page"}


@pytest.mark.parametrize("lang", ["it", "en"])
@pytest.mark.parametrize("path", ["/decks", "/nothing", "/setup/nothing", "/cards/nothing.svg", "/season/nothing/there"])
def test_a_page_that_is_not_there_is_said_in_the_language_of_the_page(ledger: Ledger, path: str, lang: str) -> None:
    answer = create_app(ledger).test_client().get(f"{path}?lang={lang}")
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
    assert f'<html lang="{lang}"' in answer.text
    assert f"<h1>{NO_PAGE[lang]}</h1>" in answer.text
    assert 'href="/"' in answer.text


@pytest.mark.parametrize("code", sorted({*WHY, 400, 403, 415}))
def test_every_refusal_is_a_page_for_people_and_json_for_scripts(ledger: Ledger, code: int) -> None:
    app: Flask = create_app(ledger)
    app.add_url_rule("/refuses", view_func=lambda: abort(code))
    app.add_url_rule("/api/refuses", "script", view_func=lambda: abort(code))
    page, script = (app.test_client().get(path) for path in ("/refuses", "/api/refuses"))
    assert (page.status_code, page.mimetype, script.status_code, script.mimetype) == (code, "text/html", code, "application/json")
    assert "<h1>" in page.text
    assert "Traceback" not in page.text


def test_a_wrong_method_still_says_which_are_right(ledger: Ledger) -> None:
    answer = create_app(ledger).test_client().delete("/")
    assert answer.status_code == 405
    assert "GET" in answer.headers["Allow"]
