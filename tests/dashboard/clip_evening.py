"""The bundled clip's evening: as it is filmed, and as the ledger has it afterwards, with one open question."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import recorded_looks
from serving import served

from companion.assets import asset
from companion.dashboard import Settings, create_app
from companion.eyes.seeing import Look
from companion.eyes.sighting import CardSeen
from companion.eyes.source import Picture
from companion.games import log_format, stu
from companion.games.stu.rules.log import read_lines
from companion.ledger import Ledger
from companion.line.camera_session import CameraSession
from companion.line.defaults import LOOKS_PER_SECOND
from companion.line.follow import glimpses
from companion.line.recorder import EveningRecorder
from companion.line.worker import thread_worker

DEMO = asset("datasets/demo")
TABLE = json.loads((DEMO / "table.json").read_text())
TRUE = stu.replay(read_lines((DEMO / "log.jsonl").read_bytes()))
NAMES = [seat["name"] for seat in TABLE["players"]]
PAYERS = [list(dict.fromkeys(payment.player for payment in hand.payments)) for hand in TRUE.hands]


def doubted(cards: Iterable[CardSeen]) -> tuple[CardSeen, ...]:
    """The cards, less sure of one thing: what was read as a 4 may as well be an 8."""
    return tuple(replace(card, alternatives=(("4", 0.5), ("8", 0.5))) if card.card == "4" else card for card in cards)


def hesitant(first: Callable[[], None] = lambda: None) -> Look:
    """What the networks found in the clip, doubted. ``first`` is done before each look."""
    look = recorded_looks.trained()

    def looked(picture: Picture) -> tuple[CardSeen, ...]:
        first()
        return doubted(look(picture))

    return looked


@contextmanager
def seldom() -> Iterator[None]:
    """Within this block only every second picture of a clip is looked at, which costs half as much."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(thread_worker, "LOOKS_PER_SECOND", LOOKS_PER_SECOND / 2)
        yield


def kept_evening(path: Path) -> Path:
    """A ledger at ``path`` with the evening of the clip, followed to its end; no picture is read."""
    clip = recorded_looks.DemoClip("stu")
    seen = (replace(one, cards=doubted(one.cards)) for one in recorded_looks.seen("stu"))
    with Ledger.open(path, log_format) as ledger:
        table = (DEMO / "table.json").read_text()
        recorder = EveningRecorder.begin(ledger, clip.table.first, clip.path.name, camera=str(clip.path), table=table)
        for glimpse in glimpses(seen, clip.table):
            if glimpse.sightings:
                recorder.saw(glimpse.sightings, at=f"{glimpse.picture.t:.3f}")
    return path


@dataclass(frozen=True)
class Bar:
    """A program that is served. ``pin``: of its terminal."""

    url: str
    pin: str


@contextmanager
def taken_up(path: Path) -> Iterator[Bar]:
    """The evening of this ledger, gone on with in this process."""
    with (
        Ledger.open(path, log_format) as ledger,
        CameraSession(ledger, recorded_looks.trained, find_cameras=lambda *_: ()) as camera_session,
    ):
        camera_session.resume()
        app = create_app(ledger, settings=Settings(heartbeat=0.5, patience=60), camera=camera_session,
                         recorder=lambda: camera_session.recorder,
                         moment=camera_session.moment, notices=camera_session.notices)  # fmt: skip
        with served(app) as server:
            yield Bar(server.url, app.extensions["pairing"].pin.digits)


def answer(phone: Any) -> None:
    """The open question, if there is one still: it was a 4."""
    from playwright.sync_api import expect

    asked = phone.locator('#question [data-key="4"]')
    if asked.is_visible():
        asked.tap()
    expect(phone.locator("#question")).to_be_hidden()
