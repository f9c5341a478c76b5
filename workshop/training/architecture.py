"""The networks of the detector and the refiner.

The detector's is ultralytics' YOLO11 pose model, narrow, with its head on the two finer levels only: card lengths run from 12 to
about 250 pixels of the network's input, which strides 8 and 16 cover; the coarse level stays in the backbone for context. Eight
keypoints: the four corners named in two ways (`companion.eyes.geometry.compass_order`). The refiner's has plain convolutions with
residuals, and two linear layers (see `companion.eyes.refiner`).
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from ultralytics.cfg import get_cfg
from ultralytics.nn.modules import Conv
from ultralytics.nn.modules.block import Attention
from ultralytics.nn.tasks import PoseModel
from ultralytics.utils.loss import v8PoseLoss
from ultralytics.utils.tal import make_anchors

from companion.eyes.detection import CLASSES
from companion.eyes.refiner import CROP, KINDS
from workshop.training import widths
from workshop.training.pictures import POINTS

_BACKBONE: list[list[Any]] = [
    [-1, 1, "Conv", [64, 3, 2]],  # 0: stride 2
    [-1, 1, "Conv", [128, 3, 2]],  # 1: stride 4
    [-1, 2, "C3k2", [256, False, 0.25]],
    [-1, 1, "Conv", [256, 3, 2]],  # 3: stride 8
    [-1, 2, "C3k2", [512, False, 0.25]],
    [-1, 1, "Conv", [512, 3, 2]],  # 5: stride 16
    [-1, 2, "C3k2", [512, True]],
    [-1, 1, "Conv", [1024, 3, 2]],  # 7: stride 32
    [-1, 2, "C3k2", [1024, True]],
    [-1, 1, "SPPF", [1024, 5]],
    [-1, 2, "C2PSA", [1024]],  # 10
]
_HEAD: list[list[Any]] = [
    [-1, 1, "nn.Upsample", [None, 2, "nearest"]],
    [[-1, 6], 1, "Concat", [1]],
    [-1, 2, "C3k2", [512, False]],  # 13
    [-1, 1, "nn.Upsample", [None, 2, "nearest"]],
    [[-1, 4], 1, "Concat", [1]],
    [-1, 2, "C3k2", [256, False]],  # 16: stride 8
    [-1, 1, "Conv", [256, 3, 2]],
    [[-1, 13], 1, "Concat", [1]],
    [-1, 2, "C3k2", [512, False]],  # 19: stride 16
    [[16, 19], 1, "Pose", ["nc", "kpt_shape"]],
]


def description(depth: float, width: float) -> dict[str, Any]:
    """The network as an ultralytics model YAML would describe it; ``depth`` and ``width`` (0..1) scale repeats and channels."""
    return {
        "nc": len(CLASSES),
        "kpt_shape": [POINTS, 2],
        "scale": "n",
        "scales": {"n": [depth, width, 1024]},
        "backbone": _BACKBONE,
        "head": _HEAD,
    }


CORNER_CHANNELS = 48


def _corner_branch(channels: int, outputs: int) -> nn.Sequential:
    """One level's features → the offsets of the named corners."""
    return nn.Sequential(
        Conv(channels, CORNER_CHANNELS, 3), Conv(CORNER_CHANNELS, CORNER_CHANNELS, 3), nn.Conv2d(CORNER_CHANNELS, outputs, 1)
    )


class CornerLoss(nn.Module):
    """Distance of predicted from true corners, as a share of the card's size, on a logarithmic scale.

    Ultralytics' OKS loss is flat far from the truth when its sigmas are tight and flat near it when they are not; the logarithm
    pulls at every distance, hardest when a corner is nearly right. Corners of a naming near its jump carry mask 0.
    """

    SOFTNESS = 0.03
    """Distance, as a share of the card's size, below which its gradient stops growing."""

    def forward(self, predicted: Tensor, true: Tensor, mask: Tensor, area: Tensor) -> Tensor:
        """``predicted`` (n, 8, 2) and ``true`` (n, 8, 3) in grid units, ``mask`` (n, 8), ``area`` (n, 1) of the upright boxes."""
        distance = torch.sqrt((predicted[..., :2] - true[..., :2]).pow(2).sum(-1) + 1e-6) / torch.sqrt(area + 1e-6)
        pull = torch.log1p(distance / self.SOFTNESS) * mask
        return pull.sum() / mask.sum().clamp(min=1)


class _CriterionOfCorners(v8PoseLoss):
    """Ultralytics' pose loss with our corner term."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__(model)
        self.keypoint_loss = CornerLoss()


class CardModel(PoseModel):
    """Ultralytics' pose model with the corner loss."""

    def __init__(self, depth: float = 0.34, width: float = widths.DETECTOR, **gains: float) -> None:
        """``gains``: weights of the loss terms by ultralytics' names (``box``, ``cls``, ``dfl``, ``pose``)."""
        super().__init__(description(depth, width), nc=len(CLASSES), verbose=False)
        self.shape = {"depth": depth, "width": width}
        head = self.model[-1]
        # Ultralytics gives this branch a quarter of the level's channels: too few for eight exact points.
        head.cv4 = nn.ModuleList(_corner_branch(branch[0].conv.in_channels, head.nk) for branch in head.cv4)
        for layer in self.modules():
            if isinstance(layer, Attention):  # one head at every width, so that a narrow one's weights fit a wider one
                layer.num_heads, layer.head_dim, layer.key_dim = 1, (dim := layer.num_heads * layer.head_dim), dim // 2
                layer.scale = layer.key_dim**-0.5
        self.args = get_cfg(overrides={"box": 7.5, "cls": 2.0, "dfl": 1.5, "pose": 2.0, **gains})

    def init_criterion(self) -> _CriterionOfCorners:
        """Called by ultralytics at the first batch."""
        return _CriterionOfCorners(self)


class Exported(nn.Module):
    """What is exported: (1, 5 + 16, anchors): class probabilities 0..1, then x, y of the eight points in input pixels.

    The upright boxes serve training only (they assign anchors to cards). They are not computed: their branch of the head would
    cost a quarter of the time.
    """

    def __init__(self, model: CardModel) -> None:
        """``model``: in evaluation mode."""
        super().__init__()
        self.model = model

    def forward(self, pictures: Tensor) -> Tensor:
        """``pictures``: float32 (1, 3, height, width), blue-green-red, 0..1."""
        head = self.model.model[-1]
        _, raw = self.model(pictures)
        anchors, strides = (part.transpose(0, 1) for part in make_anchors(raw["feats"], head.stride, 0.5))
        offsets = raw["kpts"].view(pictures.shape[0], POINTS, 2, -1)
        points = (offsets * 2.0 + (anchors - 0.5)) * strides
        return torch.cat((raw["scores"].sigmoid(), points.view(pictures.shape[0], 2 * POINTS, -1)), 1)


def convolution(inward: int, outward: int, stride: int = 1, activation: type[nn.Module] = nn.SiLU) -> nn.Sequential:
    """A 3x3 convolution with batch normalisation and an activation."""
    return nn.Sequential(nn.Conv2d(inward, outward, 3, stride, 1, bias=False), nn.BatchNorm2d(outward), activation(inplace=True))


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
