"""Parts that several networks are built of."""

from __future__ import annotations

from torch import nn


def convolution(inward: int, outward: int, stride: int = 1, activation: type[nn.Module] = nn.SiLU) -> nn.Sequential:
    """A 3x3 convolution, normalised over the batch, then activated."""
    return nn.Sequential(nn.Conv2d(inward, outward, 3, stride, 1, bias=False), nn.BatchNorm2d(outward), activation(inplace=True))
