"""Cards that lie on one another: which of them is on top, and which the others are, by what shows of them.

The reader knows a card from all of it; of one that lies under another it says little, or something wrong. The pictures of a
taught deck are compared with what shows alone (normalised correlation under a mask): the card that fits best as it lies is on
top, what it covers is left out of those below it, and so on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from companion.eyes.geometry import card_length, shared_area, signed_area
from companion.eyes.reading import Reading, expected, ranked, supposed
from companion.eyes.templates import PADDED, ROUND, SHORTEST, Templates, cut_out, likelier, odds_of, padded

LEAST: Final = 0.06
"""Share of a card that another quad must share for one to lie on the other."""
SHOWS: Final = 0.15
"""Share of a card that must show to be compared."""
WHOLE: Final = 0.92
"""Share from which on a card is read as one that nothing covers."""
EDGE: Final = 2
"""Pixels by which what covers a card may reach further than its quad."""
COARSE: Final = 2
"""Which card is on top is told at this part of the pictures' size, which is fifteen times as fast."""
NETWORK, WEIGHT, POWER, SLIPS = 0.32, 9.0, 0.65, 0.01
"""A kind's log-odds are `NETWORK` times the reader's, and `WEIGHT` share^`POWER` times -log(-log(correlation)).
`SLIPS`: the share of comparisons in which something was wrong, and that say nothing. Fitted on fans of enrolled decks: leaded,
enamelled, stu-7001, italian-committed and neapolitan."""
FAINT: Final = 8.0
"""By so much, at most, is a kind's logarithm below none where the reader rules it out."""
TRUST: Final = 0.5
"""What is added to a card's fit where its reading is sure, when the one on top is sought."""
TOP: Final = 0.8
"""Nothing covers the card on top, so it must be known with this probability; else what seems to lie there does not."""
PLAIN: Final = 0.8
"""Probability of a kind from which on what shows of a card is believed. What was found between two cards resembles nothing."""
SELDOM: Final = 0.02
"""A card under one of a deck is of that deck at least with this probability, before it is known how rare strangers are there."""
OTHERS: Final = 0.5
"""A card that is known to be of another deck with this probability is left as it was read."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """The pictures of a deck's cards, upright and upside down, at one part of their size. ``kinds``: of each, (n,); ``pictures``:
    (n, h * w * 3) float32; ``energy``: the sum of the squares in each of their pixels, (n, h * w)."""

    kinds: tuple[str, ...]
    pictures: Floats
    energy: Floats
    size: tuple[int, int]
    part: int

    @staticmethod
    def of(templates: Templates, part: int) -> Sheet | None:
        """The sheet of these pictures; None where there are none."""
        both = [(kind, way) for kind, its in templates.cards.items() for one in its for way in (one, one[::-1, ::-1])]
        if not both:
            return None
        height, width = both[0][1].shape[0] // part, both[0][1].shape[1] // part
        ways = [cv2.resize(way, (width, height), interpolation=cv2.INTER_AREA) for _, way in both]
        small = np.asarray(np.stack(ways), np.float32)
        energy = (small * small).sum(axis=3).reshape(len(both), -1)
        return Sheet(tuple(kind for kind, _ in both), small.reshape(len(both), -1), energy, (height, width), part)

    def correlations(self, view: Floats, shows: NDArray[np.uint8]) -> dict[str, float]:
        """The greatest correlation -1..1 of each kind's pictures with the ``view`` (h, w, 3), a little larger than they are,
        where it ``shows`` (h, w), which is 1 or 0."""
        size = view.shape[1] // self.part, view.shape[0] // self.part
        small = np.asarray(cv2.resize(view, size, interpolation=cv2.INTER_AREA), np.float32)
        mask = np.asarray(cv2.resize(shows, size, interpolation=cv2.INTER_NEAREST), np.float32)
        cut = sliding_window_view(small * mask[..., None], self.size, axis=(0, 1)).transpose(0, 1, 3, 4, 2)
        there = sliding_window_view(mask, self.size).reshape(-1, self.size[0] * self.size[1])
        seen = cut.reshape(len(there), -1)
        norms = np.sqrt(np.einsum("ij,ij->i", seen, seen))[:, None] * np.sqrt(there @ self.energy.T)
        best = (seen @ self.pictures.T / np.maximum(norms, 1e-6)).max(axis=0)
        found: dict[str, float] = {}
        for kind, one in zip(self.kinds, best.tolist(), strict=True):
            found[kind] = max(found.get(kind, -1.0), one)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Sheets:
    """A deck's pictures as its covered cards are compared with them: ``coarse`` to tell what is on top, ``fine`` for what is
    below."""

    coarse: Sheet
    fine: Sheet

    @staticmethod
    def of(templates: Templates) -> Sheets | None:
        """Those of a taught deck's pictures; None where there are none."""
        coarse, fine = Sheet.of(templates, COARSE), Sheet.of(templates, 1)
        return Sheets(coarse, fine) if coarse is not None and fine is not None else None


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What shows of a card: its share 0..1, and the correlation of each kind's pictures with it; of none where all of it shows,
    or too little."""

    share: float
    kinds: Mapping[str, float]

    def reading(self, before: Reading, deck: str) -> Reading:
        """What a card of ``deck`` is that lies under others, and that was taken for what ``before`` says. One that hardly shows
        may be any: what was read there is another card."""
        known = expected(max(before.known if before.deck == deck else 0.0, SELDOM))
        if self.share < SHOWS:
            kinds = ranked(dict.fromkeys((kind for kind, _ in before.supposed), 1.0))
            return replace(before, deck=deck, known=known, alternatives=kinds, supposed=kinds)
        network = dict(before.alternatives if before.deck == deck else before.supposed)
        logs = {
            kind: NETWORK * math.log(max(network.get(kind, 0.0), math.exp(-FAINT)))
            - WEIGHT * self.share**POWER * math.log(-math.log(min(max(found, 0.01), 0.99)))
            for kind, found in self.kinds.items()
        }
        kinds = ranked({kind: (1 - SLIPS) * odd + SLIPS / len(logs) for kind, odd in odds_of(logs).items()})
        known = likelier(known, self.kinds[kinds[0][0]])
        return replace(before, deck=deck, known=known, alternatives=kinds, supposed=supposed(kinds, known))


def read_covered(
    image: NDArray[np.uint8], quads: NDArray[np.float64], readings: Sequence[Reading], sheets: Mapping[str, Sheets]
) -> list[Reading]:
    """The ``readings`` of faces at ``quads`` (n, 4, 2), pixels of ``image`` ((H, W, 3) uint8 BGR), where those that lie under
    others are read by what shows of them. ``sheets``: by deck; a heap is of the deck that its surest reading names."""
    told = list(readings)
    sure = [one.known * one.probability for one in readings]
    for heap in _heaps(quads) if sheets else ():
        surest = max(heap, key=lambda n: sure[n])
        deck = readings[surest].deck
        if deck not in sheets or sure[surest] < TOP:  # so none can be the one on top: nothing is worth a comparison
            continue
        found = glimpses(image, quads, heap, sure, sheets[deck])
        if sure[next(iter(found))] < TOP:
            continue
        for n, glimpse in found.items():
            strange = readings[n].deck != deck and readings[n].known >= OTHERS
            if strange or glimpse.share >= WHOLE:
                continue
            read = glimpse.reading(readings[n], deck)
            told[n] = read if read.probability >= PLAIN or glimpse.share < SHOWS else told[n]
    return told


def glimpses(
    image: NDArray[np.uint8], quads: NDArray[np.float64], heap: Sequence[int], sure: Sequence[float], sheets: Sheets
) -> dict[int, Glimpse]:
    """What shows of the cards of one ``heap`` (numbers of the ``quads`` (n, 4, 2)), the one on top first. ``sure``: how sure each
    quad's reading is, 0..1: one that was found between two cards is no card at all."""
    views = {n: _View.of(image, quads[n]) for n in heap}
    shows = {n: np.ones(PADDED[::-1], np.uint8) for n in heap}
    fits = {n: _fit(views[n], shows[n], sheets.coarse) for n in heap}
    found: dict[int, Glimpse] = {}
    while fits:
        top = max(fits, key=lambda n: fits[n] + TRUST * sure[n])
        del fits[top]
        share = float(shows[top][ROUND:-ROUND, ROUND:-ROUND].mean())
        compared = SHOWS <= share < WHOLE
        found[top] = Glimpse(share, sheets.fine.correlations(views[top].picture, shows[top]) if compared else {})
        for n in fits:
            hidden = views[n].under(quads[top])
            if (hidden & shows[n]).any():
                shows[n] &= 1 - hidden
                fits[n] = _fit(views[n], shows[n], sheets.coarse)
    return found


def _fit(view: _View, shows: NDArray[np.uint8], sheet: Sheet) -> float:
    """How well what shows fits one of the pictures, -1..1; less than that where too little does."""
    if shows[ROUND:-ROUND, ROUND:-ROUND].mean() < SHOWS:
        return -2.0
    return max(sheet.correlations(view.picture, shows).values())


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """A card cut out with the table about it, as templates are compared. ``to``: from pixels of the image."""

    picture: Floats
    to: NDArray[np.float32]

    @staticmethod
    def of(image: NDArray[np.uint8], quad: NDArray[np.float64]) -> _View:
        around = padded(quad)
        width, height = PADDED
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
        to = cv2.getPerspectiveTransform(around.astype(np.float32), corners)
        return _View(cut_out(image, around), np.asarray(to, np.float32))

    def under(self, quad: NDArray[np.float64]) -> NDArray[np.uint8]:
        """Which of its pixels lie under ``quad``: 1, or 0."""
        there = cv2.perspectiveTransform(quad[None].astype(np.float32), self.to)[0]
        hidden = np.zeros(self.picture.shape[:2], np.uint8)
        cv2.fillConvexPoly(hidden, np.round(there).astype(np.int32), 1)
        return np.asarray(cv2.dilate(hidden, np.ones((2 * EDGE + 1, 2 * EDGE + 1), np.uint8)), np.uint8)


def _heaps(quads: NDArray[np.float64]) -> Iterator[list[int]]:
    """The numbers of quads that lie on one another, heap by heap."""
    large = [n for n in range(len(quads)) if float(card_length(quads[n])) >= SHORTEST]
    areas = {n: abs(float(signed_area(quads[n]))) for n in large}
    left = set(large)
    while left:
        heap, edge = [], [left.pop()]
        while edge:
            one = edge.pop()
            heap.append(one)
            near = {n for n in left if shared_area(quads[one], quads[n]) > LEAST * min(areas[one], areas[n])}
            left -= near
            edge += sorted(near)
        if len(heap) > 1:
            yield sorted(heap)
