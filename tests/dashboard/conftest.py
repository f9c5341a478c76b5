"""The application over a ledger in memory, served, and devices that look at it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from clip_evening import kept_evening
from fake_camera import FakeCamera
from flask import Flask
from flask.testing import FlaskClient
from jinja2.bccache import Bucket, BytecodeCache
from journey import Screens
from phones import Organiser
from serving import served
from werkzeug.routing import Rule

from companion.dashboard import create_app
from companion.dashboard.serve import Server
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


class CompiledTemplates(BytecodeCache):
    """Templates compiled once a worker, and not once an application."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key] = bucket.bytecode_to_string()


Flask.jinja_options = {"bytecode_cache": CompiledTemplates()}

_compile_builder = Rule._compile_builder
_builders: dict[tuple[object, ...], Callable[..., tuple[str, str]]] = {}


def _built_once(rule: Rule, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
    """What makes an address of its parts: compiled once a worker, too. It is most of the work of making an application."""
    made_of = (tuple(rule._trace), append_unknown, tuple(sorted((rule.defaults or {}).items())))
    if made_of not in _builders:
        _builders[made_of] = _compile_builder(rule, append_unknown)
    return _builders[made_of]


Rule._compile_builder = _built_once  # type: ignore[method-assign]


@pytest.fixture
def app(ledger: Ledger, request: pytest.FixtureRequest) -> Flask:
    """It has a camera where a test uses that fixture."""
    return create_app(ledger, camera=request.getfixturevalue("camera") if "camera" in request.fixturenames else None)


@pytest.fixture
def phone(app: Flask) -> Organiser:
    """An organiser's, paired with it."""
    return Organiser(app)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def screens(chromium: Browser) -> Iterator[Screens]:
    """Devices with pages open; a script of one that fails, fails the test."""
    opened = Screens(chromium)
    yield opened
    opened.close()


@pytest.fixture
def server(app: Flask) -> Iterator[Server]:
    """The application, served for browsers."""
    with served(app) as running:
        yield running


@pytest.fixture
def page(chromium: Browser, server: Server) -> Iterator[Page]:
    """A TV that shows what a test draws on it."""
    from playwright.sync_api import expect

    screens = Screens(chromium)
    opened = screens.open({}, server.url)
    expect(opened.locator(".message")).to_be_visible()
    yield opened
    screens.close()


@pytest.fixture
def camera(ledger: Ledger) -> FakeCamera:
    return FakeCamera(ledger)


@pytest.fixture
def game(ledger: Ledger) -> int:
    """An evening of Lu Stù with three, begun by hand."""
    return EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla")).game_id


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ledger of the bundled clip's evening, followed to its end: kept once for all workers, for tests to copy."""
    own = tmp_path_factory.getbasetemp()
    folder = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    with (folder / "whole.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = folder / "whole.ledger"
        if not made.exists():
            kept_evening(folder / "unfinished.ledger").rename(made)
    return made
