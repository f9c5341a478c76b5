"""What people are told of how a camera is: the camera side's `Condition` in the terms of the pages."""

from __future__ import annotations

from dataclasses import replace

from msgspec import structs

from companion.eyes.trouble import FrameQuality
from companion.line.camera import CameraStatus
from companion.line.notices import Notice, blindness
from companion.line.sources.address import plain
from companion.line.worker.messages import Cause, Condition
from companion.table.errors import Reason, SourceError


def status_of(now: Condition, source: str, deck: str = "") -> CameraStatus:
    """The status of the camera with this condition. ``source``: as the program calls it; ``deck``: that is played with."""
    cause = error_of(now.cause, now.reason) if now.cause is not None else None
    return CameraStatus(
        plain(source), now.state, now.reason, now.size, now.per_second, cause, deck, now.deck_lost, now.amiss
    )  # fmt: skip


def taken_on(before: Condition, now: Condition) -> Condition:
    """The condition of a camera that tells ``now`` how it is. One that was lost is lost until it gives a picture again: to open
    it in a new process takes seconds, and nobody looks meanwhile."""
    if now.state == "opening" and before.state == "lost" and before.job == now.job:
        return structs.replace(now, state="lost", reason=before.reason, cause=before.cause)
    return now


def error_of(cause: Cause, reason: str) -> SourceError:
    """The error that the camera side has told of."""
    return SourceError(Reason("", cause.text), **cause.values) if cause.text else SourceError(reason)


def trouble(now: Condition) -> Notice | None:
    """What the table is told of a camera that follows its game, where it gives nothing, nothing new or nothing of use."""
    if now.state in ("lost", "frozen"):
        black = now.amiss == "black"
        return Notice("gap" if now.state == "lost" else "black" if black else "frozen", 0.0)
    if now.amiss:
        return Notice("resized" if now.amiss == "other_shape" else now.amiss, 0.0)
    return Notice("resized", 0.0) if now.resized else None


def trouble_of(now: Condition, quality: tuple[FrameQuality, float] | None, view: int) -> tuple[Notice, ...]:
    """The same of one of several cameras, by its number, which also says what it was good for by its last look, and when
    (seconds): the others go on."""
    found = trouble(now) or (blindness(*quality) if quality is not None else None)
    return () if found is None else (replace(found, view=view),)
