"""The signs of the French suits."""

from __future__ import annotations

from companion.workshop.deck.svg import curve, ellipse, moved

# Each pip stands about the origin in a box of 100 by 100.
_PIPS = {
    "h": "0,-24! 24,-46 47,-30 44,0 24,26 0,50! -24,26 -44,0 -47,-30 -24,-46",
    "d": "0,-52! 17,-22 40,0! 17,22 0,52! -17,22 -40,0! -17,-22",
    "s": "0,-50! 18,-24 44,4 42,28 22,32 5,16! 8,38 20,50! -20,50! -8,38 -5,16! -22,32 -42,28 -44,4 -18,-24",
}


def pip(suit: str, x: float, y: float, size: float, upside_down: bool = False) -> str:
    """Path data of a suit's sign, ``size`` units high, about (x, y)."""
    k = size / 100 * (-1 if upside_down else 1)
    if suit == "c":
        r = 24.0 * abs(k)
        leaves = "".join(ellipse(x + dx * k, y + dy * k, r, r) for dx, dy in ((0, -27), (-26, 7), (26, 7)))
        return leaves + curve(moved("-6,-14! 6,-14! 6,8! 10,36 20,50! -20,50! -10,36 -6,8!", x, y, k))
    return curve(moved(_PIPS[suit], x, y, k))
