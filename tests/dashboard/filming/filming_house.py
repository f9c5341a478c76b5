"""What the tests of the phone that films share: the program it films for, and what its page says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pytest
from film import FILMING_PHONE
from journey import TOO_LONG_MS, Screens

from companion.dashboard.phone_camera import PhoneDoor
from companion.dashboard.serve import Server
from companion.line.camera_session import CameraSession
from companion.line.phone_camera import PhoneCamera

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")


@dataclass
class House:
    """An evening's program whose eyes see no cards."""

    server: Server
    camera_session: CameraSession
    door: PhoneDoor
    inbox: PhoneCamera

    def code(self) -> str:
        return f"{self.server.url}/camera?lang=it#{self.door.invitation()}"

    def come(self, phones: Screens, **more: Any) -> Any:
        """A phone that scans the code and taps once."""
        phone = phones.open({**FILMING_PHONE, **more}, self.code())
        phone.locator("#open").tap()
        phone.wait_for_url(re.compile("^https:"), wait_until="commit")
        return phone


def says(phone: Any, state: str) -> None:
    sync_api.expect(phone.locator(f'body[data-state="{state}"]')).to_be_attached(timeout=TOO_LONG_MS)
