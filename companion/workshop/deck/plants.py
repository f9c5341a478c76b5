"""Ground, grass, bushes and leaves that stand around the figures."""

from __future__ import annotations

import math

from companion.workshop.deck.sheet import Sheet
from companion.workshop.deck.svg import moved, parse, sliver


def ground(sheet: Sheet, horizon: str, fill: str = "green") -> None:
    """Ground from an open line of points down to the card's foot; the card's frame cuts it off."""
    line = f"{horizon} 500,900! 0,900!"
    sheet.shape(line, fill, 5)
    top = max(y for _, y in parse(horizon)[0])
    sheet.hatch(f"0,{top + 10:.0f}! 500,{top + 10:.0f}! 500,856! 0,856!", 2, 17, 3.2)


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
        long, wide = 62 * scale, 13 * scale
        tip, bend = (x + c * long, y + s * long), (x + c * long * 0.5, y + s * long * 0.5)
        sheet.shape(
            f"{x:.0f},{y:.0f}! {bend[0] - s * wide:.0f},{bend[1] + c * wide:.0f} {tip[0]:.0f},{tip[1]:.0f}! {bend[0] + s * wide:.0f},{bend[1] - c * wide:.0f}",
            "green",
            4,
        )
        sheet.path(sliver((x + c * long * 0.2, y + s * long * 0.2), (x + c * long * 0.9, y + s * long * 0.9), 3), "ink")


def ivy(sheet: Sheet, x: float, y: float, size: float, turn: float) -> None:
    """An ivy leaf with five points about (x, y), turned by ``turn`` degrees, hanging down."""
    sheet.opened(f'transform="rotate({turn:.0f} {x:.0f} {y:.0f})"')
    line = "0,-90! 22,-66! 78,-74! 66,-30! 92,10! 44,22! 0,92! -44,22! -92,10! -66,-30! -78,-74! -22,-66!"
    sheet.shape(moved(line, x, y, size / 100), "green", 4.5)
    k = size / 100
    for tx, ty in ((0, 70), (66, 4), (-66, 4), (54, -56), (-54, -56)):
        sheet.path(sliver((x, y - 50 * k), (x + tx * k, y + ty * k), 2.6), "ink")
    sheet.closed()
