"""Kinds of light and sensor: bright noon, evening, a lamp on one side, a dim corner, and random ones in between."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from workshop.stage.scene import Look

LOOKS: Mapping[str, Look] = MappingProxyType(
    {
        "bright": Look(1.05, -0.1, 0.75, (-900, 900, 1600), 0.15, 0.35, 260, 0.2, 0.12, 0.5, 1.8, 0.1, 1.05),
        "evening": Look(1.15, 0.55, 0.45, (150, 250, 1100), 0.45, 0.5, 120, 0.35, 0.25, 0.7, 4.0, 0.25),
        "lamp": Look(1.15, 0.35, 0.35, (-750, 250, 800), 0.6, 0.6, 80, 0.5, 0.25, 0.6, 3.5, 0.2),
        "dim": Look(0.72, 0.3, 0.5, (400, 500, 1000), 0.5, 0.5, 160, 0.3, 0.35, 0.9, 5.0, 0.3, 0.95, 0.85),
        "neon": Look(1.0, -0.45, 0.65, (0, 100, 1700), 0.2, 0.35, 400, 0.25, 0.15, 0.6, 2.5, 0.15),
        "window": Look(1.0, -0.2, 0.5, (-1300, 500, 700), 0.5, 0.45, 350, 0.6, 0.15, 0.5, 2.5, 0.2),
    }
)
"""Ready looks by name."""


def random_look(rng: np.random.Generator, hard: float = 0.3) -> Look:
    """A random look; ``hard``: how far dim light, glare, blur and noise may go, 0 to 1."""
    dim = rng.random() < 0.15 + 0.35 * hard
    distance, around = rng.uniform(150, 1400), rng.uniform(0, 2 * np.pi)
    noise = rng.uniform(0.5, 3.0) + hard * rng.uniform(0, 5) * (1.4 if dim else 0.7)
    return Look(
        exposure=float(rng.uniform(0.5, 0.95) if dim else rng.uniform(0.85, 1.45 + 0.25 * hard)),
        warmth=float(np.clip(rng.normal(0.15, 0.35), -0.7, 0.95)),
        ambient=float(rng.uniform(0.35, 0.9)),
        lamp=(float(distance * np.cos(around)), float(distance * np.sin(around)), float(rng.uniform(500, 1800))),
        falloff=float(rng.uniform(0, 0.8)),
        shadow=float(rng.uniform(0.2, 0.65)),
        softness=float(rng.uniform(30, 400)),
        glare=float(rng.random() ** 1.5 * (0.5 + 0.7 * hard)),
        vignette=float(rng.uniform(0, 0.45)),
        blur=float(rng.uniform(0.2, 1.0) + hard * rng.random() ** 2 * 1.8),
        noise=float(noise),
        drift=float(rng.uniform(0, 0.5)),
        contrast=float(rng.uniform(0.8, 1.2)),
        saturation=float(rng.uniform(0.65, 1.3)),
        jpeg=int(rng.integers(35, 96)),
        sharpen=float(max(0.0, rng.uniform(-0.5, 1.0))),
    )
