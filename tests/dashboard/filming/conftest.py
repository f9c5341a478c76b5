"""A phone that films, and the program that it films for."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from film import tripod
from filming_house import House
from journey import Screens
from serving import served

from companion.dashboard import create_app
from companion.dashboard.phone_camera import PhoneDoor
from companion.games import log_format
from companion.ledger import Ledger
from companion.line.camera_session import CameraSession
from companion.line.phone_camera import PHONE, PhoneCamera


@pytest.fixture(scope="module")
def filming(chromium: Any) -> Iterator[Any]:
    """The browser whose camera shows a pattern that moves."""
    with tripod(chromium) as browser:
        yield browser


@pytest.fixture
def phones(filming: Any) -> Iterator[Screens]:
    opened = Screens(filming)
    yield opened
    opened.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    inbox = PhoneCamera()
    door = PhoneDoor(inbox, "127.0.0.1", port, tmp_path / "phone-camera.pem")
    with (
        Ledger.in_memory(log_format) as ledger,
        CameraSession(ledger, lambda: lambda picture: (), find_cameras=lambda *_: (), phone=inbox) as camera_session,
        closing(door),
    ):
        app = create_app(ledger, camera=camera_session, recorder=lambda: camera_session.recorder, door=door)
        with served(app) as server:
            camera_session.choose(PHONE)
            door.open()
            yield House(server, camera_session, door, inbox)
