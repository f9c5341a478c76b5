"""Makes the records of `recorded_looks` again: `make looks`. With ``--check`` it only says how far the networks are from them."""

from __future__ import annotations

import argparse
import lzma
import sys
from collections.abc import Iterable
from dataclasses import dataclass

import msgspec
import numpy as np
from recorded_looks import CLIPS, FOLDER, Card, DemoClip, Moment, Prospect, Record, digest, made_of, seen, thumbnail

from companion.eyes.seeing import Seen
from companion.eyes.sighting import CardSeen
from companion.table.errors import CompanionError

LARGEST = 2_000_000
"""Bytes that a record may have."""
OFF_PIXELS, OFF_SCORE = 3.0, 0.1
"""How far a card may be from the record, its corners in pixels, its probability, to count as found as it was."""


def encoded(seen: Iterable[Seen]) -> bytes:
    """These pictures as a record."""
    cards, numbers, moments, grid = list[Card](), dict[Card, int](), list[Moment](), (0, 0)
    corners = None
    for one in seen:
        corners = one.top.corners if corners is None else corners
        if (one.top.corners != corners).any():
            raise CompanionError(f"{one.picture.t:.2f} s: the camera moved; a record has no room for that")
        found = [Card.of(card) for card in one.cards]
        for card in found:
            if card not in numbers:
                numbers[card] = len(cards)
                cards.append(card)
        moving = None if one.moving is None else np.packbits(one.moving).tobytes()
        grid = one.moving.shape if one.moving is not None else grid
        moments.append(Moment(one.picture.t, digest(one.picture.image), thumbnail(one.picture.image).tobytes(),
                              tuple(numbers[card] for card in found), Prospect.of(one.frame_quality), moving))  # fmt: skip
    return lzma.compress(msgspec.msgpack.encode(Record(tuple(cards), tuple(moments), grid)), preset=9 | lzma.PRESET_EXTREME)


@dataclass(frozen=True)
class Distance:
    """How far what the networks find is from a record. ``cards``: number in all pictures together; ``other``: how many of them
    are only in one of the two, or of another side or kind; ``off``: how many of the others are more than `OFF_PIXELS` or
    `OFF_SCORE` off. ``corners`` (pixels) and ``score``: the largest difference between the others. ``moved``: pictures in which
    something else moves."""

    pictures: int
    cards: int
    other: int
    off: int
    corners: float
    score: float
    moved: int

    def __str__(self) -> str:
        return (f"{self.pictures} pictures, {self.cards} cards: {self.other} differ, {self.off} are off, corners up to "
                f"{self.corners:.2f} px, scores up to {self.score:.4f}; movement differs in {self.moved}")  # fmt: skip


def distance(before: Iterable[Seen], now: Iterable[Seen]) -> Distance:
    """Between what is kept and what is found now, picture by picture.

    Raises:
        ValueError: they are not the same number of pictures, or of other times.
    """
    found, count = Distance(0, 0, 0, 0, 0.0, 0.0, 0), 0
    for count, (one, other) in enumerate(zip(before, now, strict=True), start=1):
        if abs(one.picture.t - other.picture.t) > 1e-3:
            raise ValueError(f"picture {count} is at {other.picture.t:.3f} s, in the record at {one.picture.t:.3f} s")
        left, corners, score = list(other.cards), found.corners, found.score
        differ = off = 0
        for card in one.cards:
            near = min(left, key=lambda seen: _apart(card, seen), default=None)
            if near is None or _apart(card, near) > 10 or (near.side, near.card, near.deck) != (card.side, card.card, card.deck):
                differ += 1
                continue
            left.remove(near)
            apart, surer = _apart(card, near), abs(card.score - near.score)
            off += apart > OFF_PIXELS or surer > OFF_SCORE
            corners, score = max(corners, apart), max(score, surer)
        moved = not np.array_equal(one.moving, other.moving) or one.frame_quality != other.frame_quality
        cards, others = found.cards + len(one.cards), found.other + differ + len(left)
        found = Distance(count, cards, others, found.off + off, corners, score, found.moved + moved)
    return found


def _apart(one: CardSeen, other: CardSeen) -> float:
    return float(np.linalg.norm(np.subtract(one.quad, other.quad), axis=1).max())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(CLIPS)}; without: all of them")
    parser.add_argument("--check", action="store_true", help="write nothing: say how far the networks are from the records")
    given = parser.parse_args()
    for game in given.games or CLIPS:
        clip = DemoClip(game)
        if given.check:
            print(f"{game}: {distance(seen(game), clip.looked())}", flush=True)
            continue
        made = encoded(clip.looked())
        if len(made) > LARGEST:
            sys.exit(f"{clip.kept}: {len(made)} bytes, expected at most {LARGEST}")
        FOLDER.mkdir(exist_ok=True)
        clip.kept.write_bytes(made)
        clip.made.write_bytes(msgspec.json.format(msgspec.json.encode(made_of(clip, made))) + b"\n")
        print(f"{game}: {clip.kept.stat().st_size} bytes", flush=True)


if __name__ == "__main__":
    main()
