"""The colours that a strange deck is printed in."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass

from workshop.deck.strange.canvas import Colour, Rng


@dataclass(frozen=True, slots=True)
class Inks:
    """BGR. ``paper``; ``ink`` of the outlines; ``colours`` of everything else; ``gold``, ``skin`` and ``hair``."""

    paper: Colour
    ink: Colour
    colours: tuple[Colour, ...]
    gold: Colour
    skin: Colour
    hair: Colour

    def some(self, rng: Rng, number: int) -> list[Colour]:
        """``number`` colours, no two the same where there are enough."""
        return [self.colours[int(n)] for n in rng.choice(len(self.colours), number, replace=number > len(self.colours))]


def hsv(hue: float, saturation: float, value: float) -> Colour:
    """A colour by hue, saturation and value, 0..1 each."""
    red, green, blue = colorsys.hsv_to_rgb(hue % 1, min(max(saturation, 0), 1), min(max(value, 0), 1))
    return round(255 * blue), round(255 * green), round(255 * red)


def darker(colour: Colour, share: float) -> Colour:
    """A colour with ``share`` of its light."""
    blue, green, red = (int(v * share) for v in colour)
    return blue, green, red


def inks(rng: Rng) -> Inks:
    """A palette: printer's primaries, muted, jewels, pastels, or few inks, on white or yellowed paper."""
    u = rng.uniform
    manner = rng.choice(["primaries", "muted", "jewels", "pastels", "few", "any"], p=[0.35, 0.15, 0.15, 0.1, 0.1, 0.15])
    warm = u(0.08, 0.16)
    paper = hsv(warm, u(0, 0.06) if rng.random() < 0.6 else u(0.06, 0.25), u(0.88, 1.0))
    ink = hsv(u(0, 1), u(0, 0.6), u(0.02, 0.25))
    if manner == "primaries":
        base = [(0.99, 0.85, 0.8), (0.61, 0.75, 0.6), (0.13, 0.8, 0.95), (0.37, 0.7, 0.5), (0.6, 0.35, 0.8), (0.06, 0.6, 0.5)]
        colours = [hsv(h + u(-0.02, 0.02), s * u(0.8, 1.1), v * u(0.85, 1.1)) for h, s, v in base]
        colours = [colours[int(n)] for n in rng.permutation(6)[: int(rng.integers(3, 7))]]
    elif manner == "few":
        hue = u(0, 1)
        colours = [hsv(hue, u(0.4, 1), u(0.3, 0.9)), hsv(hue + u(-0.1, 0.1), u(0.2, 0.6), u(0.6, 1.0))]
    else:
        low, high, dark, light = {
            "muted": (0.15, 0.5, 0.35, 0.8),
            "jewels": (0.7, 1.0, 0.3, 0.7),
            "pastels": (0.15, 0.4, 0.8, 1.0),
            "any": (0, 1, 0.2, 1.0),
        }[str(manner)]
        start, step = u(0, 1), u(0.1, 0.4)
        colours = [hsv(start + n * step + u(-0.05, 0.05), u(low, high), u(dark, light)) for n in range(int(rng.integers(3, 7)))]
    skin = paper if rng.random() < 0.3 else hsv(u(0.03, 0.1), u(0.12, 0.55), u(0.55, 1.0))
    return Inks(
        paper,
        ink,
        tuple(colours),
        hsv(u(0.1, 0.15), u(0.5, 0.9), u(0.65, 0.95)),
        skin,
        hsv(u(0.02, 0.14), u(0, 0.8), u(0.1, 0.9)),
    )
