"""Weights of one network for another that is wider or has other classes.

In the beginning a wider network computes exactly what the narrow one does. It has the narrow one's channels first, in each part
of a split or a concatenation, and new ones behind them. Old weights connect old channels. New channels have fresh random weights,
but whatever carries them to old channels is zero: that learns first, and the new channels' own weights from the next step on
(Net2Net, Chen et al. 2015, has copies where here are zeros).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import Tensor, nn
from ultralytics.nn.modules import C2PSA, C3, SPPF, Bottleneck, C3k2, Concat, Conv, Pose
from ultralytics.nn.modules.block import Attention, PSABlock

from companion.eyes.detection import CLASSES
from companion.table.errors import CannotTrain
from workshop.training.architecture import CardModel, Refinement, Residual
from workshop.training.checkpoint import shape_of

Weights = dict[str, Tensor]

WITHOUT_NAMES: Mapping[int, tuple[str, ...]] = {5: ("stu_face", "stu_back", "ramino_face", "ramino_back", "stack")}
"""Number of classes → their names, for checkpoints from before these were kept."""


def classes_of(state: Mapping[str, Any], rows: int, own: Sequence[str]) -> tuple[str, ...]:
    """The names of the ``rows`` classes that a checkpoint's network knows; ``own``: those of the network to be trained."""
    names = tuple(state.get("names", WITHOUT_NAMES.get(rows, ())))
    return names if len(names) == rows else tuple(own)


@dataclass(frozen=True, slots=True)
class Merging:
    """How the logits of several classes become that of one: weights of the sum of its own, and of the sum of those that become
    other classes; and what is added. Fitted on 100 pictures of `datasets/val-hard.yaml`, to come near to the largest of its own.
    """

    own: float
    others: float
    added: float


DETECTOR_MERGING = Merging(0.56, -0.21, -0.92)
"""Correlates with the largest probability at 0.81, over all anchors (without the others 0.68); training soon mends the rest."""
REFINER_MERGING = Merging(0.7, 0.0, 1.85)
"""94 % of the detector's proposals get the same class as by the sum of the old probabilities."""


def merged_rows(rows: Tensor, old: Sequence[str], new: Sequence[str], merging: Merging) -> Tensor:
    """The last layer's weights (k, ...) or biases (k,) for the classes ``old`` as those for the classes ``new``.

    ``stu_face`` and ``ramino_face`` become ``face``: an old class goes into the new one that is the end of its name.

    Raises:
        CannotTrain: a new class comes from none of the old ones.
    """
    parts = {name: [i for i, one in enumerate(old) if one == name or one.endswith(f"_{name}")] for name in new}
    made = []
    for name, own in parts.items():
        if not own:
            raise CannotTrain(f"no class of {', '.join(old)} becomes {name}")
        if len(own) == 1:
            made.append(rows[own[0]])
            continue
        others = [i for other, those in parts.items() if other != name and len(those) > 1 for i in those]
        added = merging.added if rows.ndim == 1 else 0.0
        made.append(merging.own * rows[own].sum(0) + merging.others * rows[others].sum(0) + added)
    return torch.stack(made)


def _weights(state: Mapping[str, Any], path: Path) -> Weights:
    if not isinstance(state.get("average"), Mapping):
        raise CannotTrain(f"{path}: holds no averaged weights: expected a checkpoint of the detector or the refiner")
    return {name: value.float() if value.is_floating_point() else value for name, value in state["average"].items()}


_LAST = re.compile(r"\.cv3\.\d+\.2\.(weight|bias)$")


def detector_weights(state: Mapping[str, Any], model: CardModel, path: Path) -> Weights:
    """The averaged weights of the detector's checkpoint ``state``, read from ``path``, for ``model``, as wide or wider.

    Raises:
        CannotTrain: the checkpoint's network is wider, or deeper or shallower, or has classes that none of the model's come from.
    """
    shape, own = state.get("shape", model.shape), model.shape
    if shape.keys() != own.keys():
        raise CannotTrain(f"{path}: not weights of this detector: a network of {shape}")
    if shape["depth"] != own["depth"] or shape["width"] > own["width"]:
        raise CannotTrain(f"{path}: holds a network of {shape}, which cannot become one of {own}: only wider ones")
    weights = _weights(state, path)
    rows = next((len(value) for name, value in weights.items() if _LAST.search(name)), 0)
    try:
        old = classes_of(state, rows, CLASSES)
        if old != CLASSES:
            for name in filter(_LAST.search, list(weights)):
                weights[name] = merged_rows(weights[name], old, CLASSES, DETECTOR_MERGING)
        narrow = CardModel(**shape)
        narrow.load_state_dict(weights)
    except (CannotTrain, RuntimeError) as error:
        raise CannotTrain(f"{path}: not weights of this detector: {error}") from error
    return weights if shape["width"] == own["width"] else widened(narrow, model)


def refiner_weights(state: Mapping[str, Any], network: Refinement, kinds: Sequence[str], path: Path) -> Weights:
    """The averaged weights of the refiner's checkpoint ``state``, read from ``path``, for ``network``, as wide or wider, and for
    these ``kinds`` of crops.

    Raises:
        CannotTrain: it is no refiner's checkpoint, its network is wider, or a kind comes from none of its kinds.
    """
    shape, own = shape_of(state), network.shape
    if shape.get("width", 0.0) > own["width"]:
        raise CannotTrain(f"{path}: holds a network of {shape}, which cannot become one of {own}: only wider ones")
    weights = of_kinds(_weights(state, path), state, kinds, path)
    try:
        narrow = Refinement(**shape)
        narrow.load_state_dict(weights)
    except (TypeError, RuntimeError) as error:
        raise CannotTrain(f"{path}: not weights of this refiner") from error
    return weights if shape == own else widened(narrow, network)


def of_kinds(
    weights: Weights, state: Mapping[str, Any], kinds: Sequence[str], path: Path, corners: int = 8, last: str = "out.2"
) -> Weights:
    """The refiner's ``weights``, of the checkpoint ``state``, for these ``kinds`` of crops.

    ``last``: the layer that answers, for each kind and then with as many numbers as ``corners``.

    Raises:
        CannotTrain: there is no such layer, or a kind comes from none of its kinds.
    """
    if f"{last}.bias" not in weights:
        raise CannotTrain(f"{path}: not weights of this refiner: no layer {last}")
    rows = len(weights[f"{last}.bias"]) - corners
    old = (*classes_of(state, rows - 1, kinds[:-1]), kinds[-1])
    if old == tuple(kinds):
        return weights
    made = dict(weights)
    for name in (f"{last}.weight", f"{last}.bias"):
        said, where = weights[name][:rows], weights[name][rows:]
        made[name] = torch.cat([merged_rows(said, old, kinds, REFINER_MERGING), where])
    return made


@dataclass(frozen=True, slots=True)
class _Channels:
    """Where a narrow layer's channels lie (``places``, int64) among the ``width`` channels of the wide one."""

    places: Tensor
    width: int

    @staticmethod
    def beside(parts: Sequence[_Channels]) -> _Channels:
        """The channels of a concatenation of these parts."""
        starts = accumulate((part.width for part in parts), initial=0)
        return _Channels(torch.cat([part.places + start for part, start in zip(parts, starts, strict=False)]),
                         sum(part.width for part in parts))  # fmt: skip

    @staticmethod
    def first(count: int, width: int) -> _Channels:
        """The first ``count`` of ``width``."""
        return _Channels(torch.arange(count), width)


Net = TypeVar("Net", CardModel, Refinement)


def widened(narrow: Net, wide: Net) -> Weights:
    """Weights for a network of ``wide``'s shape that computes what ``narrow`` does; new channels begin as they are in ``wide``.

    Neither is changed. Both have the same depth and classes. Old channels get the same inputs as before, also while
    training, when each batch is normalised by its own figures: the two agree in both modes.
    """
    wide = deepcopy(wide).cpu()
    with torch.no_grad():
        if isinstance(narrow, Refinement) and isinstance(wide, Refinement):
            _through(narrow.features, wide.features, _Channels.first(3, 3))
            wide.out.load_state_dict(narrow.out.state_dict())
        else:
            _fill(narrow, wide)
    return dict(wide.state_dict())


def _fill(narrow: Any, wide: Any) -> None:
    layers: list[_Channels] = []
    for old, new in zip(narrow.model, wide.model, strict=True):
        sources = old.f if isinstance(old.f, list) else [old.f]
        inward = [layers[i] for i in sources] if layers else [_Channels.first(3, 3)]
        if isinstance(old, Concat):
            layers.append(_Channels.beside(inward))
        elif isinstance(old, Pose):
            for branch in ("cv2", "cv3", "cv4"):
                for small, large, channels in zip(getattr(old, branch), getattr(new, branch), inward, strict=True):
                    _through(small, large, channels)
        else:
            layers.append(_through(old, new, inward[0]))


def _through(old: Any, new: Any, inward: _Channels) -> _Channels:
    """Puts the layer's old weights into the new one, whose input is ``inward``; where its output's channels are."""
    match old:
        case Conv() | nn.Conv2d():
            return _convolution(old, new, inward)
        case nn.Sequential():
            for small, large in zip(old, new, strict=True):
                inward = _through(small, large, inward)
            return inward
        case nn.Upsample() | nn.SiLU():
            return inward
        case nn.BatchNorm2d():
            return _normalisation(old, new, inward)
        case Residual():
            outward = _through(old.inner, new.inner, inward)
            assert torch.equal(outward.places, inward.places)
            return outward
        case Bottleneck() | PSABlock():
            return _residual(old, new, inward)
        case C3k2() | C2PSA():
            half = _Channels.first(old.c, new.c)
            _convolution(old.cv1, new.cv1, inward, _Channels.beside([half, half]))
            parts = [half, half]
            if isinstance(old, C2PSA):
                parts = [half, _through(old.m, new.m, half)]
            else:
                for small, large in zip(old.m, new.m, strict=True):
                    parts.append(_through(small, large, parts[-1]))
            return _convolution(old.cv2, new.cv2, _Channels.beside(parts))
        case C3():
            parts = [_through(old.m, new.m, _convolution(old.cv1, new.cv1, inward)), _convolution(old.cv2, new.cv2, inward)]
            return _convolution(old.cv3, new.cv3, _Channels.beside(parts))
        case SPPF():
            pooled = _convolution(old.cv1, new.cv1, inward)
            return _convolution(old.cv2, new.cv2, _Channels.beside([pooled] * (old.n + 1)))
    raise TypeError(f"no rule for widening {type(old).__name__}")


def _residual(old: Any, new: Any, inward: _Channels) -> _Channels:
    """A block that adds to its input: each channel must stay where it is."""
    if isinstance(old, PSABlock):
        _attention(old.attn, new.attn, inward)
        outward = _through(old.ffn, new.ffn, inward)
    else:
        outward = _convolution(old.cv2, new.cv2, _convolution(old.cv1, new.cv1, inward))
    assert not old.add or torch.equal(outward.places, inward.places)
    return outward


def _attention(old: Attention, new: Attention, inward: _Channels) -> None:
    """Attention of one head, as `CardModel` has it at every width: queries, keys and values lie one after the other."""
    assert old.num_heads == new.num_heads == 1
    key, value = _Channels.first(old.key_dim, new.key_dim), _Channels.first(old.head_dim, new.head_dim)
    _convolution(old.qkv, new.qkv, inward, _Channels.beside([key, key, value]))
    normal = new.qkv.bn
    for queries in (normal.weight[: old.key_dim], normal.bias[: old.key_dim]):
        queries *= old.scale / new.scale
    for keys in (normal.weight, normal.bias):  # no new query may find anything in the beginning
        keys[new.key_dim + old.key_dim : 2 * new.key_dim] = 0
    _convolution(old.pe, new.pe, value)
    _convolution(old.proj, new.proj, value)


def _convolution(old: Any, new: Any, inward: _Channels, outward: _Channels | None = None) -> _Channels:
    """A convolution, with its batch normalisation if it has one. ``outward``: where old outputs go, if not to the front."""
    small, large = (layer.conv if isinstance(layer, Conv) else layer for layer in (old, new))
    if small.groups > 1:  # each channel by itself
        outward = inward
    outward = outward or _Channels.first(small.out_channels, large.out_channels)
    at = outward.places
    if small.groups > 1:
        large.weight[at] = small.weight
    else:
        large.weight[at] = 0
        large.weight[at[:, None], inward.places] = small.weight
    if small.bias is not None:
        large.bias[at] = small.bias
    return _normalisation(old.bn, new.bn, outward) if isinstance(old, Conv) else outward


def _normalisation(old: nn.BatchNorm2d, new: nn.BatchNorm2d, channels: _Channels) -> _Channels:
    for name in ("weight", "bias", "running_mean", "running_var"):
        getattr(new, name)[channels.places] = getattr(old, name)
    return channels
