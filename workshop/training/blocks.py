"""Parts that several networks share."""

from __future__ import annotations

from torch import nn


def convolution(inward: int, outward: int, stride: int = 1, activation: type[nn.Module] = nn.SiLU) -> nn.Sequential:
    """A 3x3 convolution with batch normalisation and an activation."""
    return nn.Sequential(nn.Conv2d(inward, outward, 3, stride, 1, bias=False), nn.BatchNorm2d(outward), activation(inplace=True))
