"""The refiner's network (see `companion.eyes.refiner`): plain convolutions with residuals, and two linear layers."""

from __future__ import annotations

from torch import Tensor, nn

from companion.eyes.refiner import CROP, KINDS
from workshop.training import widths
from workshop.training.blocks import convolution

CHANNELS = (24, 40, 72, 112)
"""Of the four levels, each half as large as the one before, at width 1."""
GRAIN = 8
"""Channels are a multiple of this many, which processors like."""
OUTWARD = 64
"""Channels that the linear layers get, at any width."""


class Residual(nn.Module):
    """Two convolutions that add to what they are given."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.inner = nn.Sequential(convolution(channels, channels), convolution(channels, channels))

    def forward(self, features: Tensor) -> Tensor:
        """(n, channels, height, width), as they came in and as they go out."""
        return features + self.inner(features)


class Refinement(nn.Module):
    """Crops (n, 3, 96, 64) 0..1 → (n, 4 + 8): logits of the classes and of nothing, then the corners' offsets in the frame."""

    def __init__(self, width: float = widths.REFINER) -> None:
        """``width``: how many times as many channels as `CHANNELS` has."""
        super().__init__()
        self.shape = {"width": width}
        one, two, three, four = (GRAIN * max(round(width * channels / GRAIN), 1) for channels in CHANNELS)
        self.features = nn.Sequential(
            convolution(3, one, 2), convolution(one, two, 2), Residual(two),
            convolution(two, three, 2), Residual(three), convolution(three, four, 2), Residual(four),
            nn.Conv2d(four, OUTWARD, 1), nn.SiLU(inplace=True),
        )  # fmt: skip
        self.out = nn.Sequential(
            nn.Linear(OUTWARD * (CROP[1] // 16) * (CROP[0] // 16), 160), nn.SiLU(inplace=True), nn.Linear(160, KINDS + 8)
        )

    def forward(self, crops: Tensor) -> Tensor:
        """See the class."""
        answers: Tensor = self.out(self.features(crops).flatten(1))
        return answers
