"""What the front needs of uvicorn's and httptools' insides: named here one by one, so that a newer version that lacks something
fails with its name, and not on a Saturday night."""

from __future__ import annotations

import importlib.metadata
import inspect
import re
from pathlib import Path

import pytest
from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from companion.dashboard.front import connections

ROOT = Path(__file__).parents[2]
OVERRIDDEN = ("connection_made", "connection_lost", "data_received", "on_headers_complete", "on_response_complete")
CALLED = ("_unset_keepalive_if_required", *OVERRIDDEN)
HELD = ("parser", "pipeline", "cycle", "client", "transport")
"""Attributes of a connection."""
OPTIONS = (
    "loop", "http", "ws", "lifespan", "log_config", "access_log", "proxy_headers", "server_header", "date_header", "interface",
    "timeout_keep_alive",
)  # fmt: skip


@pytest.mark.parametrize("name", CALLED)
def test_a_connection_has_what_ours_calls(name: str) -> None:
    assert callable(getattr(HttpToolsProtocol, name))


@pytest.mark.parametrize("name", OVERRIDDEN)
def test_ours_takes_what_uvicorn_gives(name: str) -> None:
    theirs, ours = (inspect.signature(getattr(kind, name)) for kind in (HttpToolsProtocol, connections.Connection))
    assert len(theirs.parameters) == len(ours.parameters)


def test_a_connection_is_made_of_what_ours_is_made_of() -> None:
    config = Config(lambda: None, http=HttpToolsProtocol, log_config=None)  # type: ignore[arg-type]
    config.load()
    made = HttpToolsProtocol(config, ServerState(), {"connection": None})
    assert not [name for name in HELD if not hasattr(made, name)]
    assert isinstance(made.parser, HttpRequestParser)
    assert callable(made.parser.feed_data)
    made.pipeline.append(None)  # type: ignore[arg-type]
    assert len(made.pipeline) == 1


def test_an_answer_says_when_it_is_complete() -> None:
    assert "self.response_complete" in inspect.getsource(RequestResponseCycle)


def test_headers_of_all_answers_can_be_set_while_it_runs() -> None:
    state = ServerState()
    state.default_headers = [(b"date", b"now")]
    assert "default_headers" in inspect.getsource(HttpToolsProtocol)


@pytest.mark.parametrize("option", OPTIONS)
def test_what_the_front_sets_can_be_set(option: str) -> None:
    assert option in inspect.signature(Config.__init__).parameters


def test_what_is_no_http_is_known_by_its_error() -> None:
    assert issubclass(HttpParserError, Exception)
    assert issubclass(HttpParserUpgrade, Exception)


def test_uvicorn_is_bounded_and_the_version_that_is_here_is_within() -> None:
    said = re.search(r'"uvicorn>=0\.(\d+),<0\.(\d+)"', (ROOT / "pyproject.toml").read_text("utf-8"))
    assert said, "its insides change from version to version: raise the bound when these tests pass with a newer one"
    least, below = map(int, said.groups())
    assert least <= int(importlib.metadata.version("uvicorn").split(".")[1]) < below
