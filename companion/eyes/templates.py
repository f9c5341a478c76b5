"""Template matching: where the reader hesitates between cards of a taught deck, what lies there is laid over their pictures.

The reader knows a card from a small crop, which holds little of what tells the court cards of a deck apart that it never saw. The
deck file keeps pictures of its cards: the crop is aligned with those of the likeliest ones, and of others that it resembles (ECC:
Evangelidis and Psarakis, 2008), and the correlation of the two says which it is, and whether it is of the deck at all.

`Sheet` holds the same pictures prepared for comparison with the visible part of a covered card: normalised correlation under a
mask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike, NDArray

from companion.decks.deckfile import TaughtCard
from companion.decks.lists import BACK
from companion.eyes.geometry import card_length, grown, straighten
from companion.eyes.image import Image, opened
from companion.eyes.reading import Reading, ranked, supposed

SIZE: Final = (48, 84)
"""Width and height of the pictures that are compared, pixels."""
BORDER_PIXELS: Final = 6
"""Pixels of the table round the card that are cut out with it: its corners may be a little off."""
BORDER_SHARES: Final = (BORDER_PIXELS / SIZE[0], BORDER_PIXELS / SIZE[1])
"""`BORDER_PIXELS` as shares of the card's width and height."""
PADDED_SIZE: Final = (SIZE[0] + 2 * BORDER_PIXELS, SIZE[1] + 2 * BORDER_PIXELS)
"""Width and height of what is cut out, pixels."""
RIM_PIXELS: Final = 3
"""Pixels at a picture's rim that are left out: the table shows there where a photo was cut a little wide."""
MAX_SHIFT_PIXELS: Final = 3
"""Greatest distance in pixels between where the card was found and where an alignment begins."""
MAX_ALIGNED_PIXELS: Final = 7.0
"""Pixels: an alignment that moves a corner further than this has failed."""
LIGHT_PIXELS: Final = 8.0
"""Pixels: light and colour that change over more than this are evened out."""
ECC_CRITERIA: Final = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 20, 1e-3)
MIN_CARD_PIXELS: Final = 26.0
"""Least length in pixels of a card in the picture that is compared."""
CLEAR_PROBABILITY: Final = 0.97
"""Probability of a kind from which on the reader does not hesitate."""
OPEN_PROBABILITIES: Final = (0.05, 0.9)
"""Probabilities of the deck between which the reader hesitates."""
MAX_LIKELIEST, MAX_RESEMBLING = 4, 2
"""Number of cards that are compared: the likeliest ones for the reader, and of the others those that resemble most what lies
there, before any alignment. A card that is worn, or printed differently from its photo, may not be among the first."""
CORRELATION_WEIGHT: Final = 8.0
"""Factor of log(1 / (1 - correlation²)) in a kind's log-odds. Fitted, like the three below, on the enrolled decks leaded,
enamelled, stu-7001, italian-committed and neapolitan."""
DECK_SLOPE, DECK_LEVEL, MAX_DECK_FACTOR = 8.0, 0.6, 20.0
"""The deck's odds grow by exp(`DECK_SLOPE` (correlation - `DECK_LEVEL`)), at most by `MAX_DECK_FACTOR`, and never shrink: a hand
may lie on the card."""

Floats = NDArray[np.float32]
"""(H, W, 3) float32: CIELAB, evened out."""
Resembled = Callable[[Floats], Mapping[str, float]]
"""What was cut out → how much each card resembles it, before they are aligned."""


@dataclass(frozen=True, slots=True, eq=False)
class Templates:
    """The pictures of a taught deck's cards, as they are compared: card → (84, 48, 3) float32 each."""

    cards: Mapping[str, tuple[Floats, ...]]

    @staticmethod
    def of(cards: Iterable[TaughtCard]) -> Templates:
        """Those of a deck file's ``cards``, whose pictures can be decoded."""
        return Templates({
            one.card: tuple(_template(picture) for data in one.pictures if (picture := opened(data)) is not None)
            for one in cards if one.card != BACK
        })  # fmt: skip

    def and_those(self, others: Templates) -> Templates:
        """These, and those of another deck whose cards have the same names."""
        names = self.cards.keys() | others.cards.keys()
        return Templates({name: (*self.cards.get(name, ()), *others.cards.get(name, ())) for name in names})

    def compared(
        self, image: NDArray[np.uint8], quad: ArrayLike, reading: Reading, resembled: Resembled = lambda view: {}
    ) -> Reading:
        """The ``reading`` of the card at ``quad`` (4, 2), pixels of ``image`` ((H, W, 3) uint8 BGR), corners 0 → 1 a short side,
        after a comparison where the reader hesitates."""
        if not _hesitates(reading) or float(card_length(quad)) < MIN_CARD_PIXELS:
            return reading
        read = [kind for kind, _ in reading.alternatives if self.cards.get(kind)]
        if not read:
            return reading
        upright = cut_out(image, padded(quad))
        roughly = resembled(upright)
        others = sorted((kind for kind in read[MAX_LIKELIEST:] if kind in roughly), key=lambda kind: -roughly[kind])
        kinds = [*read[:MAX_LIKELIEST], *others[:MAX_RESEMBLING]]
        views = upright, np.ascontiguousarray(upright[::-1, ::-1])
        return weighed(reading, {kind: max(_correlation(views, one) for one in self.cards[kind]) for kind in kinds})


def weighed(reading: Reading, correlations: Mapping[str, float]) -> Reading:
    """The ``reading`` with what a comparison told: the correlation -1..1 of what lies there with some of its kinds."""
    shares = dict(reading.alternatives)
    lot = sum(shares[kind] for kind in correlations)
    logs = {kind: np.log(max(shares[kind], 1e-4)) - CORRELATION_WEIGHT * np.log1p(-min(max(found, 0.0), 0.99) ** 2)
            for kind, found in correlations.items()}  # fmt: skip
    shares |= {kind: lot * share for kind, share in odds_of(logs).items()}
    kinds = ranked(shares)
    known = reading.known
    if OPEN_PROBABILITIES[0] < known < OPEN_PROBABILITIES[1]:
        known = likelier(known, correlations.get(kinds[0][0], 0.0))
    return replace(reading, known=known, alternatives=kinds, supposed=supposed(kinds, known))


def odds_of(logs: Mapping[str, float]) -> dict[str, float]:
    """The probabilities of kinds, from the logarithms of how likely each is."""
    highest = max(logs.values())
    shares = {kind: float(np.exp(one - highest)) for kind, one in logs.items()}
    total = sum(shares.values())
    return {kind: share / total for kind, share in shares.items()}


def padded(quad: ArrayLike) -> NDArray[np.float64]:
    """The quad (4, 2) of the card at ``quad`` (4, 2), corners 0 → 1 a short side, with the table `BORDER_PIXELS` it."""
    return grown(quad, *BORDER_SHARES)


def cut_out(image: NDArray[np.uint8], around: NDArray[np.float64]) -> Floats:
    """What lies in the `padded` quad ``around`` (4, 2) of ``image`` ((H, W, 3) uint8 BGR), as it is compared: `PADDED_SIZE`."""
    return evened(straighten(image, around, *PADDED_SIZE))


def likelier(known: float, correlation: float) -> float:
    """The probability that a card is of its deck, which it is with ``known`` before it is compared with one of that deck."""
    factor = float(np.clip(np.exp(DECK_SLOPE * (correlation - DECK_LEVEL)), 1.0, MAX_DECK_FACTOR))
    return factor * known / (factor * known + 1 - known)


def _hesitates(reading: Reading) -> bool:
    least, most = OPEN_PROBABILITIES
    return bool(reading.alternatives) and reading.known > least and (
        reading.probability < CLEAR_PROBABILITY or reading.known < most
    )


def _template(picture: Image) -> Floats:
    small = cv2.resize(picture, SIZE, interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(evened(np.asarray(small, np.uint8))[RIM_PIXELS:-RIM_PIXELS, RIM_PIXELS:-RIM_PIXELS])


def evened(picture: NDArray[np.uint8]) -> Floats:
    """In CIELAB, each place less its surroundings and over their contrast."""
    lab = cv2.GaussianBlur(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), np.float32), (0, 0), 0.6)
    apart = lab - cv2.GaussianBlur(lab, (0, 0), LIGHT_PIXELS)
    contrast = np.sqrt(cv2.GaussianBlur((apart * apart).sum(axis=2), (0, 0), LIGHT_PIXELS)) + 4
    return np.asarray(apart / contrast[..., None], np.float32)


def _correlation(views: Sequence[Floats], template: Floats) -> float:
    """The greatest correlation -1..1 of ``template`` with one of the ``views`` of what lies there, after it was aligned."""
    height, width = template.shape[:2]
    start = BORDER_PIXELS + RIM_PIXELS - MAX_SHIFT_PIXELS
    places = [cv2.matchTemplate(view[start : start + height + 2 * MAX_SHIFT_PIXELS,
                                     start : start + width + 2 * MAX_SHIFT_PIXELS], template,
                                cv2.TM_CCOEFF_NORMED) for view in views]  # fmt: skip
    closest = max(range(len(views)), key=lambda n: float(places[n].max()))
    y, x = np.unravel_index(int(places[closest].argmax()), places[closest].shape)
    return max([float(places[closest].max()), *_aligned(views[closest], template, start + float(x), start + float(y))])


def _aligned(view: Floats, template: Floats, x: float, y: float) -> Iterator[float]:
    """The correlation after an alignment by ECC that begins at ``x``, ``y`` of the view; nothing where it fails."""
    height, width = template.shape[:2]
    warp = np.array([[1, 0, x], [0, 1, y], [0, 0, 1]], np.float32)
    light = np.ascontiguousarray(template[..., 0]), np.ascontiguousarray(view[..., 0])
    try:
        _, warp = cv2.findTransformECC(*light, warp, cv2.MOTION_HOMOGRAPHY, ECC_CRITERIA, None, 3)  # type: ignore[call-overload]
    except cv2.error:  # too unlike to be aligned
        return
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    moved = cv2.perspectiveTransform(corners[None], warp)[0] - corners - (BORDER_PIXELS + RIM_PIXELS)
    if np.abs(moved).max() <= MAX_ALIGNED_PIXELS:
        there = cv2.warpPerspective(view, warp, (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                                    borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
        yield float(cv2.matchTemplate(np.asarray(there, np.float32), template, cv2.TM_CCOEFF_NORMED)[0, 0])


COARSE_PART: Final = 2
"""Divisor of the pictures' size at which the order and the places of cards in a heap are found: fifteen times as fast."""

Mask = NDArray[np.uint8]
"""(H, W): 1 where a card shows, 0 where others cover it."""


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

    def of_those(self, numbers: NDArray[np.intp]) -> Sheet:
        """The sheet of these of its pictures alone."""
        kinds = tuple(self.kinds[n] for n in numbers.tolist())
        return replace(self, kinds=kinds, pictures=self.pictures[numbers], energy=self.energy[numbers])

    def maps(self, view: Floats, shows: Mask) -> tuple[Floats, Floats]:
        """How well each picture fits at each place of the ``view`` (h, w, 3), a little larger than they are, where it ``shows``
        (h, w): correlations -1..1, (rows, columns, n), and the share of a picture that shows at each place, (rows, columns)."""
        size = view.shape[1] // self.part, view.shape[0] // self.part
        small = np.asarray(cv2.resize(view, size, interpolation=cv2.INTER_AREA), np.float32)
        mask = np.asarray(cv2.resize(shows, size, interpolation=cv2.INTER_NEAREST), np.float32)
        cut = sliding_window_view(small * mask[..., None], self.size, axis=(0, 1)).transpose(0, 1, 3, 4, 2)
        windows = sliding_window_view(mask, self.size)
        rows, columns = windows.shape[:2]
        there, seen = windows.reshape(rows * columns, -1), cut.reshape(rows * columns, -1)
        norms = np.sqrt(np.einsum("ij,ij->i", seen, seen))[:, None] * np.sqrt(there @ self.energy.T)
        found = (seen @ self.pictures.T) / np.maximum(norms, 1e-6)
        return found.reshape(rows, columns, -1), there.mean(axis=1).reshape(rows, columns)

    def correlations(self, view: Floats, shows: Mask) -> dict[str, float]:
        """The greatest correlation -1..1 of each kind's pictures, as of `maps`."""
        best = self.maps(view, shows)[0].max(axis=(0, 1))
        found: dict[str, float] = {}
        for kind, one in zip(self.kinds, best.tolist(), strict=True):
            found[kind] = max(found.get(kind, -1.0), one)
        return found

    def resembled(self, view: Floats) -> dict[str, float]:
        """The greatest correlation -1..1 of each kind's pictures with a ``view`` (h, w, 3) that nothing covers."""
        return self.correlations(view, np.ones(view.shape[:2], np.uint8))


@dataclass(frozen=True, slots=True, eq=False)
class Sheets:
    """A deck's pictures as its covered cards are compared with them: ``coarse`` to tell how they lie, ``fine`` for what they
    are."""

    coarse: Sheet
    fine: Sheet

    @staticmethod
    def of(templates: Templates) -> Sheets | None:
        """Those of a taught deck's pictures; None where there are none."""
        coarse, fine = Sheet.of(templates, COARSE_PART), Sheet.of(templates, 1)
        return Sheets(coarse, fine) if coarse is not None and fine is not None else None
