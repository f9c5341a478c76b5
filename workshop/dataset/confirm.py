"""Which proposed outlines of cards the labels of their printed indices confirm, how much of each shows, and what stays in doubt.

Pure: quads and points in, quads out. An outline is confirmed where every labelled index of one card lies on it where that deck
prints its indices, and none of another card does. What looks like a card and is not confirmed is in doubt: it may teach neither
that a card lies there nor that none does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.detection import SAME_CARD_IOU
from companion.eyes.geometry import (
    bounding_boxes,
    box_iou,
    card_length,
    is_convex,
    long_side_upright,
    polygon_iou,
    shared_area,
    sides,
    signed_area,
    suppress,
)
from workshop.dataset.indices import on_card, on_table, printed, to_pixels

Floats = NDArray[np.float64]

WITHIN = 0.045
"""How far the middle of a labelled index may lie from where it is printed, as a share of the card's width and of its length."""

SURE_BY_ONE = 0.85
"""The least score of an outline that one index confirms: it fixes two of the outline's eight numbers, two indices fix four."""

BY_TWO = 0.5
"""The least score of an outline that two indices confirm."""

MIN_UNCONFIRMED_SCORE = 0.35
"""Least score of an outline that no label confirms for it to be in doubt."""

TILTED = 1.25
"""An outline that looks less than this many times as long as wide may be a card whose length is foreshortened."""

WHOLE = 0.6
"""What is shorter than this share of the confirmed cards' usual length is no card in doubt, but a pip or a letter."""

AMONG = 0.7
"""Share of an outline that lies on confirmed cards from which on it may be a mixture of them."""

SHAPE = 0.09
"""By how much an outline that one index confirms may be longer or wider, on the table, than the nearest card that two confirm."""

BACK_BOX = 0.8
"""The IoU of upright boxes, and of polygons where they are labelled, from which on an outline is a labelled back."""


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """An outline (4, 2), clockwise, that may be a card's, and how much speaks for it, 0..1."""

    quad: Floats
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """A labelled index: its ``middle`` (2,) in pixels and the name of its card. ``trusted``: false where the label is suspect."""

    middle: Floats
    label: str
    trusted: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Back:
    """A labelled back: x1, y1, x2, y2 of its ``box`` (4,), and the outline of what shows of it, if that is known."""

    box: Floats
    polygon: Floats | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Confirmed:
    """A card whose outline is taken as true. ``label``: its name, None for a back; ``shown``: the indices (n,) of the labelled
    indices that lie on it; ``visible``: see `with_visible`."""

    quad: Floats
    label: str | None
    shown: tuple[int, ...]
    score: float
    visible: float = 1.0


def faces(
    proposals: Iterable[Proposal], indices: Sequence[Index], place: tuple[float, float], ratio: float, within: float = WITHIN
) -> list[Confirmed]:
    """The proposals that are faces, one for each label: the best of those that its indices confirm, surest first.

    ``place``: of the deck's printed index, see `workshop.dataset.indices.printed`; ``ratio``: length by width of its
    cards. Cards with two indices come first; one that a single index confirms must lie on the same table and be of their size.
    """
    middles = np.array([one.middle for one in indices]).reshape(-1, 2)
    fitting = [found for one in proposals if (found := _face(one, indices, middles, place, within)) is not None]
    best: dict[str | None, Confirmed] = {}
    for card in sorted(fitting, key=lambda one: (-len(one.shown), -one.score)):
        twice = [one for one in best.values() if len(one.shown) == 2]
        if card.label not in best and (len(card.shown) == 2 or _of_one_size(card.quad, [one.quad for one in twice], ratio)):
            best[card.label] = card
    return sorted(best.values(), key=lambda one: -one.score)


def _of_one_size(quad: Floats, others: Sequence[Floats], ratio: float) -> bool:
    """Whether ``quad``, on the table that the nearest of ``others`` shows, has the size of that card; True without others."""
    if not others:
        return True
    nearest = min(others, key=lambda one: float(np.linalg.norm(one.mean(axis=0) - quad.mean(axis=0))))
    wide = sides(on_table(quad, nearest, ratio))
    return bool(np.all(np.abs(wide / [1.0, ratio, 1.0, ratio] - 1) <= SHAPE))


def _face(
    proposal: Proposal, indices: Sequence[Index], middles: Floats, place: tuple[float, float], within: float
) -> Confirmed | None:
    """The proposal as a face, or None. Its quad begins with a short side."""
    if not is_convex(proposal.quad):
        return None
    upright = long_side_upright(proposal.quad[None])[0]
    length = sides(upright)
    # Of a card that lies across the view its length may look the shorter side.
    either = length[1] + length[3] < TILTED * (length[0] + length[2])
    for quad in (upright, np.roll(upright, 1, axis=0))[: 1 + either]:
        shown = _shown(quad, indices, middles, place, within)
        if shown and proposal.score >= (SURE_BY_ONE if len(shown) == 1 else BY_TWO):
            return Confirmed(quad, indices[shown[0]].label, shown, proposal.score)
    return None


def _shown(
    quad: Floats, indices: Sequence[Index], middles: Floats, place: tuple[float, float], within: float
) -> tuple[int, ...]:
    """The labelled indices that confirm ``quad``; none where anything contradicts it."""
    corners = printed(on_card(quad, middles), place, within)
    here = [i for i in range(len(indices)) if corners[i] >= 0]
    names = {indices[i].label for i in here}
    if len(names) != 1 or not all(indices[i].trusted for i in here):
        return ()
    if any(one.label in names and corners[i] < 0 for i, one in enumerate(indices)):
        return ()  # another index of this card lies where none is printed: the outline is wrong
    if len({int(corners[i]) for i in here}) < len(here):
        return ()  # two cards of one name
    return tuple(here)


def backs(proposals: Iterable[Proposal], labelled: Sequence[Back], size: tuple[int, int]) -> list[Confirmed]:
    """For each labelled back the proposal that fits it best, if one fits well. ``size``: the picture's, in pixels: labels end
    where it ends, and an outline need not."""
    quads = [one for one in proposals if is_convex(one.quad)]
    if not quads:
        return []
    boxes = clipped(bounding_boxes(np.stack([one.quad for one in quads])), size)
    out = []
    for back in labelled:
        fits = box_iou(boxes, back.box[None])[:, 0]
        for i in np.argsort(-fits, kind="stable"):
            if fits[i] < BACK_BOX:
                break
            if back.polygon is None or polygon_iou(quads[i].quad, back.polygon) >= BACK_BOX:
                out.append(Confirmed(quads[i].quad, None, (), quads[i].score))
                break
    return out


def clipped(boxes: Floats, size: tuple[int, int]) -> Floats:
    """Upright boxes (n, 4) as far as they lie in a picture of ``size`` (width, height)."""
    return np.asarray(np.clip(boxes, -0.5, np.tile(size, 2) - 0.5))


def doubtful(
    proposals: Sequence[Proposal], cards: Sequence[Confirmed], indices: Sequence[Index], size: tuple[int, int]
) -> list[Floats]:
    """The outlines that look like a card, are not confirmed, and are neither one of the confirmed cards nor a part of one.

    One that lies mostly on confirmed cards is no card where no index within it is left to explain: a card on top of them would
    show its own. ``size``: the picture's, in pixels.
    """
    length = float(np.median([card_length(one.quad) for one in cards])) if cards else 0.0
    likely = [
        one for one in proposals
        if one.score >= MIN_UNCONFIRMED_SCORE and is_convex(one.quad) and card_length(one.quad) >= WHOLE * length
    ]
    quads = [one.quad for one in cards] + [one.quad for one in likely]
    scores = [2.0] * len(cards) + [one.score for one in likely]
    taken = filled([one.quad for one in cards], *size)
    explained = {i for one in cards for i in one.shown}
    open_ones = np.array([one.middle for i, one in enumerate(indices) if i not in explained]).reshape(-1, 2)
    out = []
    for i in suppress(quads, scores, SAME_CARD_IOU):
        if i >= len(cards):
            own, spots = filled([quads[i]], *size), on_card(quads[i], open_ones)
            if (own & taken).sum() <= AMONG * own.sum() or np.any(np.all((spots > 0) & (spots < 1), axis=1)):
                out.append(quads[i])
    return out


def lies_on(upper: Confirmed, lower: Confirmed, indices: Sequence[Index]) -> bool:
    """Whether an index of ``upper`` shows within ``lower``, so that it must lie on top."""
    spots = on_card(lower.quad, np.array([indices[i].middle for i in upper.shown]).reshape(-1, 2))
    return bool(np.any(np.all((spots > 0.02) & (spots < 0.98), axis=1)))


def with_visible(
    cards: Sequence[Confirmed], indices: Sequence[Index], hidden: NDArray[np.bool_], place: tuple[float, float]
) -> list[Confirmed]:
    """The cards with the share 0..1 of them that the picture shows.

    ``hidden`` (H, W): pixels that are covered or were taken out. Of two cards that overlap the one lies below in which an index
    of the other shows, or else the one that lacks an index where the other lies; where neither says anything, both count as on
    top.
    """
    height, width = hidden.shape
    out = []
    for card in cards:
        mask = hidden.copy()
        for other in cards:
            if other is not card and shared_area(card.quad, other.quad) > 0 and _covered(card, other, indices, place):
                mask |= filled([other.quad], width, height)
        own = filled([card.quad], width, height)
        area = max(float(signed_area(card.quad)), 1.0)
        out.append(replace(card, visible=round(float(np.clip((own & ~mask).sum() / area, 0.0, 1.0)), 3)))
    return out


def _covered(card: Confirmed, other: Confirmed, indices: Sequence[Index], place: tuple[float, float]) -> bool:
    """Whether ``other`` lies on ``card``."""
    above, below = lies_on(other, card, indices), lies_on(card, other, indices)
    if above != below:
        return above
    return _lacks(card, other, indices, place) and not _lacks(other, card, indices, place)


def _lacks(card: Confirmed, other: Confirmed, indices: Sequence[Index], place: tuple[float, float]) -> bool:
    """Whether ``card`` has an index within ``other`` that is not labelled. A back has none to lack: it may lie on top."""
    if card.label is None:
        return False
    shown = on_card(card.quad, np.array([indices[i].middle for i in card.shown]).reshape(-1, 2)).sum(axis=1)
    spots = [spot for spot in (place, (1 - place[0], 1 - place[1])) if not np.any((shown < 1) == (sum(spot) < 1))]
    within = on_card(other.quad, to_pixels(card.quad, np.array(spots).reshape(-1, 2)))
    return bool(np.any(np.all((within > 0) & (within < 1), axis=1)))


def filled(quads: Sequence[Floats], width: int, height: int) -> NDArray[np.bool_]:
    """(height, width) bool: the pixels that lie in one of the polygons."""
    mask = np.zeros((height, width), dtype=np.uint8)
    for quad in quads:
        cv2.fillPoly(mask, [np.round(quad).astype(np.int32)], (1,))
    return mask.astype(np.bool_)
