"""The application over a ledger in memory, served, and devices that look at it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from babel import Locale
from babel.support import NullTranslations, Translations
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

_compile = Rule.compile
_compiled: dict[tuple[object, ...], Rule] = {}


def _compiled_once(rule: Rule) -> None:
    """What an address is read and made with: compiled once a worker, too. It is most of the work of making an application."""
    assert rule.map is not None
    made_of = (rule.rule, rule.host, rule.subdomain, rule.map.host_matching, rule.merge_slashes, *rule.map.converters.items(),
               *sorted((rule.defaults or {}).items()))  # fmt: skip
    if made_of not in _compiled:
        _compile(rule)
        _compiled[made_of] = rule
    like = _compiled[made_of]
    rule._parts, rule._trace, rule._converters, rule.arguments = like._parts, like._trace, like._converters, like.arguments
    rule._build, rule._build_unknown = (build.__func__.__get__(rule) for build in (like._build, like._build_unknown))  # type: ignore[attr-defined]


Rule.compile = _compiled_once  # type: ignore[method-assign, assignment]
_read_catalogue = cache(Translations.load)


def _read_once(folder: str, locales: Sequence[Locale], domain: str) -> Translations | NullTranslations:
    """Flask-Babel reads the catalogues for each application, 10 ms each: once a worker, too. It only copies what it gets."""
    return _read_catalogue(folder, tuple(locales), domain)


Translations.load = _read_once  # type: ignore[method-assign, assignment]


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
