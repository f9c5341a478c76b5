"""The program's health for those who look after it: `/healthz` for a watchdog, `/metrics` for Prometheus. Both say in numbers
what TV and phone say in words, without a name, a card, or the address of a camera.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from flask import Flask, Response
from msgspec import Struct
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric, StateSetMetricFamily
from prometheus_client.registry import Collector

from companion.dashboard.answers import answer
from companion.dashboard.endpoint import documented
from companion.dashboard.feed import Feed
from companion.line.camera import NO_HEALTH, Camera, CameraHealth, memory_of
from companion.table.errors import LedgerError

STATES = ("none", "opening", "live", "held", "frozen", "lost", "ended")
LATE_SECONDS = 10.0
"""Seconds since the last look at a picture after which the camera of a game that is on counts as in trouble."""

Problem = Literal["ledger", "camera"]


class Health(Struct, frozen=True):
    """``ok``: there are no ``problems``: a ``ledger`` that cannot be read or takes nothing, a ``camera`` that follows a game and
    does not see. ``camera``: as of `CameraHealth`. ``hands``: of the shown game, begun. ``pages``: that follow the stream.
    ``memory``: bytes, of the pages' process. ``further``: the second camera, the third and so on, as ``camera``; empty where none
    is chosen. While others follow the game, one that sees nothing is no problem of the program."""

    ok: bool
    problems: tuple[Problem, ...]
    ledger_writable: bool
    camera: CameraHealth
    hands: int
    pages: int
    memory: int
    further: tuple[CameraHealth, ...] = ()


class Doctor:
    """Collects the health of ledger, camera and pages. ``pages``: gives the number of pages that follow the stream."""

    def __init__(self, feed: Feed, camera: Camera | None, pages: Callable[[], int]) -> None:
        self._feed, self._camera, self._pages = feed, camera, pages

    def health(self) -> Health:
        """The health of all of them now."""
        camera = self._camera.health() if self._camera is not None else NO_HEALTH
        hands, writable = 0, self._feed.trouble is None
        try:
            moments = self._feed.snapshot().moments
            hands = sum(moment.begins for moment in moments)
        except LedgerError:
            writable = False
        further = tuple(one.health() for one in self._camera.further) if self._camera is not None else ()
        further = further if any(one.state != "none" for one in further) else ()
        late = camera.looked is not None and camera.looked > LATE_SECONDS and camera.state == "live"
        blind = camera.follows and (late or bool(camera.amiss) or camera.state in ("lost", "frozen"))
        problems: tuple[Problem, ...] = (*(("ledger",) if not writable else ()), *(("camera",) if blind else ()))
        memory = memory_of(os.getpid()) or 0
        return Health(not problems, problems, writable, camera, hands, self._pages(), memory, further)


class Metrics(Collector):
    """The health as Prometheus' metrics."""

    def __init__(self, doctor: Doctor) -> None:
        self._doctor = doctor

    def describe(self) -> list[Metric]:
        """Empty, so that Prometheus' registry collects nothing before it is asked."""
        return []

    def collect(self) -> Iterator[Metric]:
        """All metrics, as they are now."""
        found = self._doctor.health()
        camera = found.camera
        states = {state: state == camera.state for state in STATES}
        yield StateSetMetricFamily("companion_camera_state", "How the camera is, as the pages say it", states)
        gauges: dict[str, tuple[str, float | None]] = {
            "companion_ok": ("1: nothing is wrong; as /healthz", float(found.ok)),
            "companion_ledger_writable": ("1: what happens is on the disk when it is acknowledged", float(found.ledger_writable)),
            "companion_camera_follows": ("1: a camera follows the game", float(camera.follows)),
            "companion_camera_looked_seconds": ("Seconds since the eyes last looked at a picture", camera.looked),
            "companion_camera_looks_per_second": ("Pictures looked at, per second", camera.looks_per_second),
            "companion_camera_memory_bytes": ("Memory of the camera side's process", camera.memory),
            "companion_memory_bytes": ("Memory of the pages' process", found.memory),
            "companion_pages": ("Pages that follow the stream", found.pages),
            "companion_hands": ("Hands of the shown game that have begun", found.hands),
        }
        for name, (help, value) in gauges.items():
            if value is not None:
                yield GaugeMetricFamily(name, help, value)
        yield CounterMetricFamily("companion_camera_restarts", "How often the camera side was restarted", camera.restarts)
        if found.further:
            yield from _further(found.further)


def _further(cameras: Sequence[CameraHealth]) -> Iterator[Metric]:
    """The metrics of the further cameras, labelled with each camera's number, from 2."""
    state = GaugeMetricFamily("companion_further_camera_state", "1: how this camera is", labels=["view", "state"])
    restarts = CounterMetricFamily("companion_further_camera_restarts", "How often its side was restarted", labels=["view"])
    follows = GaugeMetricFamily("companion_further_camera_follows", "1: it follows the game", labels=["view"])
    looked = GaugeMetricFamily("companion_further_camera_looked_seconds", "Seconds since the last look", labels=["view"])
    rate = GaugeMetricFamily("companion_further_camera_looks_per_second", "Pictures looked at, per second", labels=["view"])
    memory = GaugeMetricFamily("companion_further_camera_memory_bytes", "Memory of its process", labels=["view"])
    for number, one in enumerate(cameras, start=2):
        view = [str(number)]
        for name in STATES:
            state.add_metric([*view, name], float(name == one.state))
        restarts.add_metric(view, one.restarts)
        follows.add_metric(view, float(one.follows))
        rate.add_metric(view, one.looks_per_second)
        if one.looked is not None:
            looked.add_metric(view, one.looked)
        if one.memory is not None:
            memory.add_metric(view, one.memory)
    yield from (state, restarts, follows, looked, rate, memory)


def install(app: Flask, feed: Feed, camera: Camera | None, pages: Callable[[], int]) -> None:
    """Add `/healthz` and `/metrics` to this application. ``pages``: gives the number of pages that follow the stream."""
    doctor = Doctor(feed, camera, pages)
    registry = CollectorRegistry()
    registry.register(Metrics(doctor))

    @app.get("/healthz")
    @documented(answer=Health, refusal=Health)
    def healthz() -> Response:
        """[How the program is](#health), for a watchdog. 503: something is wrong."""
        found = doctor.health()
        response = answer(found, 200 if found.ok else 503)
        response.headers["Cache-Control"] = "no-store"
        return response

    @app.get("/metrics")
    @documented(answer="text/plain")
    def metrics() -> Response:
        """[The same](#health) for Prometheus."""
        return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})
