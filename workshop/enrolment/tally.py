"""What became of a deck's cards in play, counted: pure, from what is there and what was said of it.

**Named right**: of the deck's faces that were found with nine tenths in view, those that are said to be of this deck and this
card. **Strangers named**: of the found faces of other decks, 40 px long and more with half or more in view, those that are given
this deck and a card's name. Pip cards of the drawn decks are counted apart, as *sisters*: the same signs in the same places in
another drawing. **Told as the deck's**: of the backs that were found with nine tenths in view, those said to be this deck's;
a back that is on another deck, too, is not asked about.
**Sure**: of the faces that are named as the deck's with a score of 0.9 or more, those of which deck and card are right.
**Found**: of all cards, of whatever deck, with half or more in view, those on which an entry lies, whatever it says; **on a
card**: of the entries, those that lie on one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from companion.eyes.detection import CLASSES
from companion.eyes.geometry import card_length
from companion.eyes.sighting import CardSeen
from workshop.bench.report import Rate, rate
from workshop.evaluation.labels import LabelledPicture
from workshop.evaluation.matching import match
from workshop.evaluation.sight import CLEAR

BANDS = ((40, 60), (60, 100), (100, 1000))
"""Ranges of card length, in pixels of the picture, that are reported separately."""
ASKED = 60
"""Length in pixels from which on a face is asked to be named."""
READABLE = 40
"""Length in pixels from which on a stranger counts."""
NOBODY_CAN_TELL = "same print"
"""In the truth, the deck of a back that is a print of the enrolled deck's own, on another deck: it counts neither way."""
SURE = 0.9
BINS = 10
"""Equally wide bins of scores, for the calibration error."""


class Count(msgspec.Struct):
    """How many ``of`` a number are so: ``hits``."""

    hits: int = 0
    of: int = 0

    def add(self, hit: bool) -> None:
        """One more."""
        self.hits += int(hit)
        self.of += 1

    @property
    def rate(self) -> Rate:
        """The share with its 95 % interval."""
        return rate(self.hits, self.of)


class Tally(msgspec.Struct):
    """Counts over pictures; two add up. ``bands``: named right, by `BANDS`; ``bins``: of scores, [entries, right, sum of scores]
    for each of `BINS`. ``wrong``: what lay there and what was said, as ``gnao: salta``, how often; of the deck's own faces from
    `ASKED` px on, and of others' cards taken for the deck's."""

    bands: list[Count] = msgspec.field(default_factory=lambda: [Count() for _ in BANDS])
    strangers: Count = msgspec.field(default_factory=Count)
    sisters: Count = msgspec.field(default_factory=Count)
    backs: Count = msgspec.field(default_factory=Count)
    foreign_backs: Count = msgspec.field(default_factory=Count)
    found: Count = msgspec.field(default_factory=Count)
    on_cards: Count = msgspec.field(default_factory=Count)
    bins: list[tuple[int, int, float]] = msgspec.field(default_factory=lambda: [(0, 0, 0.0)] * BINS)
    sure: Count = msgspec.field(default_factory=Count)
    wrong: dict[str, int] = {}

    @property
    def asked(self) -> Count:
        """Named right, at `ASKED` pixels and more."""
        wide = [count for (low, _), count in zip(BANDS, self.bands, strict=True) if low >= ASKED]
        return Count(sum(count.hits for count in wide), sum(count.of for count in wide))

    @property
    def calibration(self) -> float:
        """The expected calibration error of the scores of named faces, 0..1, over equally wide bins; NaN where none is named."""
        total = sum(entries for entries, _, _ in self.bins)
        return sum(abs(right - scores) for _, right, scores in self.bins) / total if total else math.nan

    def add(self, seen: Sequence[CardSeen], truth: LabelledPicture, name: str) -> None:
        """Adds what was ``seen`` in a picture in which the deck ``name`` is measured."""
        quads = np.array([one.quad for one in seen], dtype=np.float64).reshape(-1, 4, 2)
        anyhow = np.zeros(len(seen), np.int64), np.zeros(len(truth.quads), np.int64)
        scores = np.array([one.score for one in seen])
        matches = match(quads, anyhow[0], scores, truth.quads, anyhow[1], truth.visible, corners=truth.corners, size=truth.size)
        self.found.hits += len(set(matches.truth_of[~matches.ignored].tolist()) - {-1})
        self.found.of += int(matches.asked.sum())
        for one, card, ignored in zip(seen, matches.truth_of.tolist(), matches.ignored.tolist(), strict=True):
            if ignored:
                continue
            self.on_cards.add(card >= 0)
            right = card >= 0 and truth.decks[card] == name and one.card == truth.cards[card]
            if one.deck == name and one.card is not None:
                self._count(one.score, right)
            if card >= 0:
                self._shown(one, truth, card, name, right)

    def _count(self, score: float, right: bool) -> None:
        number = min(BINS - 1, int(score * BINS))
        entries, hits, scores = self.bins[number]
        self.bins[number] = entries + 1, hits + int(right), scores + score
        if score >= SURE:
            self.sure.add(right)

    def _shown(self, one: CardSeen, truth: LabelledPicture, card: int, name: str, right: bool) -> None:
        own, side, length = truth.decks[card] == name, CLASSES[truth.classes[card]], float(card_length(truth.quads[card]))
        clear = truth.visible[card] >= CLEAR
        if side == "face" and own and clear:
            for (low, high), count in zip(BANDS, self.bands, strict=True):
                if low <= length < high:
                    count.add(one.deck == name and right)
            if length >= ASKED and not (one.deck == name and right):
                self._wrong(str(truth.cards[card]), _said_of(one, name))
        elif side == "face" and not own and length >= READABLE:
            sister = str(truth.cards[card]).startswith("N")
            taken = one.deck == name and one.card is not None
            (self.sisters if sister else self.strangers).add(taken)
            if taken:
                self._wrong(f"{truth.decks[card]}/{truth.cards[card]}", str(one.card))
        elif side == "back" and clear and length >= READABLE and truth.decks[card] != NOBODY_CAN_TELL:
            told = one.deck == name and one.side == "back"
            (self.backs if own else self.foreign_backs).add(told)
            if told != own:
                self._wrong(f"{truth.decks[card]}/back", _said_of(one, name))

    def _wrong(self, true: str, said: str) -> None:
        self.wrong[f"{true}: {said}"] = self.wrong.get(f"{true}: {said}", 0) + 1


def _said_of(one: CardSeen, name: str) -> str:
    deck = "" if one.deck == name else f"{one.deck} "
    return f"{deck}{one.card or one.side}"


def together(tallies: Iterable[Tally]) -> Tally:
    """The sum of several."""
    whole = Tally()
    for one in tallies:
        for name in ("strangers", "sisters", "backs", "foreign_backs", "found", "on_cards", "sure"):
            _add(getattr(whole, name), getattr(one, name))
        for mine, its in zip(whole.bands, one.bands, strict=True):
            _add(mine, its)
        for what, often in one.wrong.items():
            whole.wrong[what] = whole.wrong.get(what, 0) + often
        whole.bins = [(a + d, b + e, c + f) for (a, b, c), (d, e, f) in zip(whole.bins, one.bins, strict=True)]
    return whole


def _add(count: Count, other: Count) -> None:
    count.hits += other.hits
    count.of += other.of
