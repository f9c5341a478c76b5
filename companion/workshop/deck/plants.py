"""Ground, grass, bushes and leaves that stand around the figures."""

from __future__ import annotations

import math

from companion.workshop.deck.sheet import Sheet
from companion.workshop.deck.svg import Point, moved, parse, sliver


def ground(sheet: Sheet, horizon: str, fill: str = "green") -> None:
    """Ground from an open line of points down past the card's foot and sides; the card's frame cuts it off."""
    points, _ = parse(horizon)
    sheet.shape(f"-90,{points[0][1]}! {horizon} 590,{points[-1][1]}! 590,960! -90,960!", fill, 5)
    top = max(y for _, y in points)
    if sheet.style.hatch > 0:
        sheet.path(_turf(sheet, top + 8), "ink")


def _turf(sheet: Sheet, top: float) -> str:
    """Short uneven cuts over the ground, denser towards the foot."""
    out: list[str] = []
    y = top
    while y < 880:
        near = (y - top) / (868 - top)
        x = sheet.rng.uniform(-80, 0)
        while x < 510:
            long = sheet.rng.uniform(26, 70 + 70 * near)
            tilt = sheet.rng.uniform(-3, 3)
            out.append(sliver((x, y + tilt), (x + long, y - tilt), 2.4 + 2.4 * near))
            x += long + sheet.rng.uniform(20, 30 + 110 * (1 - near)) / sheet.style.hatch
        y += 13 - 3 * near
    return "".join(out)


def grass(sheet: Sheet, places: str, height: float) -> None:
    """A tuft of ink blades at every point."""
    out: list[str] = []
    for x, y in parse(places)[0]:
        for dx, lean in ((-10, -0.6), (-5, -0.2), (0, 0.1), (6, 0.3), (11, 0.7)):
            out.append(sliver((x + dx, y), (x + dx + lean * height * 0.7, y - height * (1 - abs(lean) * 0.3)), 4.5))
    sheet.path("".join(out), "ink")


def leafy(sheet: Sheet, x: float, y: float, scale: float) -> None:
    """A low plant of pointed leaves that fan out from (x, y)."""
    for angle in (-100, 100, -70, 70, -42, 42, -16, 16):
        c, s = math.cos(math.radians(angle - 90)), math.sin(math.radians(angle - 90))

        def at(along: float, aside: float, c: float = c, s: float = s) -> Point:
            return x + scale * (c * along - s * aside), y + scale * (s * along + c * aside)

        root, left, tip, right = at(0, 0), at(31, 13), at(62, 0), at(31, -13)
        leaf = "{:.0f},{:.0f}! {:.0f},{:.0f} {:.0f},{:.0f}! {:.0f},{:.0f}".format(*root, *left, *tip, *right)
        sheet.shape(leaf, "green", 4, shade=9 * scale)
        sheet.path(sliver(at(12, 0), at(56, 0), 3), "ink")


def ivy(sheet: Sheet, x: float, y: float, size: float, turn: float) -> None:
    """An ivy leaf with five points about (x, y), turned by ``turn`` degrees, hanging down."""
    sheet.opened(f'transform="rotate({turn:.0f} {x:.0f} {y:.0f})"')
    line = "0,-90! 22,-66! 78,-74! 66,-30! 92,10! 44,22! 0,92! -44,22! -92,10! -66,-30! -78,-74! -22,-66!"
    sheet.shape(moved(line, x, y, size / 100), "green", 4.5, shade=14)
    k = size / 100
    for tx, ty in ((0, 70), (66, 4), (-66, 4), (54, -56), (-54, -56)):
        sheet.path(sliver((x, y - 50 * k), (x + tx * k, y + ty * k), 2.6), "ink")
    sheet.closed()
