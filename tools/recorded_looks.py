"""What the networks found in every picture of the demo clips, kept in `tests/looks`: tests play from it in place of the networks.

`python tools/recorded_looks.py demo` is `companion demo` that plays from them. A record is stale when a network, the clip, the
deck or the code between picture and cards has changed since it was made; `make looks` makes it again.
"""

from __future__ import annotations

import hashlib
import lzma
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
from inputs import ROOT, closure, hash_of, hash_of_file
from numpy.typing import NDArray

from companion.assets import asset
from companion.decks.deckfile import DeckFile
from companion.decks.lists import ListId
from companion.eyes.image import Image
from companion.eyes.seeing import Look, Seen, see
from companion.eyes.sighting import CardSeen, Unseen, Why
from companion.eyes.source import Picture, pictures
from companion.eyes.table import TableMap
from companion.eyes.trouble import FrameQuality
from companion.games import GAMES
from companion.games.spec import Demo
from companion.line.defaults import LOOKS_PER_SECOND
from companion.line.tablefile import TableFile, read_table_file
from companion.table.errors import CompanionError

FOLDER = ROOT / "tests" / "looks"
MEND = "make looks (10 minutes; commit tests/looks)"
EYES = ("companion.eyes.incremental", "companion.eyes.seeing", "companion.eyes.look", "companion.line.trained")
"""The code between a picture and the cards found in it: these modules, and what they import of `companion.eyes` and `decks`."""
NETWORKS = ("cohort.npz", "detector.onnx", "prototypes.npz", "reader.onnx", "refiner.onnx")
LIBRARIES = ("numpy", "onnxruntime", "opencv-python")
"""Whose versions in `constraints.txt` decide on the cards, too."""
PIXEL, SHARE = 100, 10_000
"""Corners are kept in hundredths of a pixel, probabilities in ten thousandths."""
THUMBNAIL = (32, 18)
"""Width and height in pixels of the small grey picture by which a picture that came through a camera is known again."""
ALIKE = 0.9
"""Correlation of two such pictures below which one is of no clip: a camera changes brightness and contrast."""


class Card(msgspec.Struct, array_like=True, frozen=True):
    """A `CardSeen` in whole numbers."""

    quad: tuple[int, ...]
    deck: str
    side: str
    score: int
    card: str | None
    alternatives: tuple[tuple[str, int], ...]
    around: int | None

    @staticmethod
    def of(seen: CardSeen) -> Card:
        quad = tuple(round(value * PIXEL) for point in seen.quad for value in point)
        alternatives = tuple((name, round(share * SHARE)) for name, share in seen.alternatives)
        around = None if seen.around is None else round(seen.around * SHARE)
        return Card(quad, seen.deck, seen.side, round(seen.score * SHARE), seen.card, alternatives, around)

    def seen(self) -> CardSeen:
        points = [value / PIXEL for value in self.quad]
        quad: Any = tuple(zip(points[::2], points[1::2], strict=True))
        alternatives = tuple((name, share / SHARE) for name, share in self.alternatives)
        around = None if self.around is None else self.around / SHARE
        side: Any = self.side
        return CardSeen(quad, self.deck, side, self.score / SHARE, self.card, alternatives, around)


class Prospect(msgspec.Struct, array_like=True, frozen=True):
    """An `FrameQuality`, of a camera that stands still."""

    blind: Why | None
    since: float | None
    hidden: tuple[int, ...]
    resumed: bool
    unseen: tuple[Unseen, ...]

    @staticmethod
    def of(frame_quality: FrameQuality) -> Prospect | None:
        if frame_quality == FrameQuality():
            return None
        return Prospect(frame_quality.blind, frame_quality.since, tuple(sorted(frame_quality.hidden)), frame_quality.resumed,
                        frame_quality.sightings)

    def frame_quality(self) -> FrameQuality:
        return FrameQuality(self.blind, self.since, frozenset(self.hidden), self.resumed, self.unseen)


class Moment(msgspec.Struct, array_like=True, frozen=True):
    """One picture at ``t`` seconds. ``cards``: their numbers in the record. ``digest`` and ``thumbnail``: of the picture.

    ``frame_quality`` (None: nothing is in the way) and ``moving`` (packed bits, None: not known): what else the watcher takes
    from it.
    """

    t: float
    digest: bytes
    thumbnail: bytes
    cards: tuple[int, ...]
    frame_quality: Prospect | None
    moving: bytes | None


class Record(msgspec.Struct, frozen=True):
    """All pictures of a clip. ``grid``: rows and columns of what moves."""

    cards: tuple[Card, ...]
    moments: tuple[Moment, ...]
    grid: tuple[int, int]


class Made(msgspec.Struct, frozen=True):
    """Hashes of what a record was made with, and of the record itself."""

    clip: str
    networks: str
    code: str
    libraries: str
    record: str


class StaleRecord(CompanionError):
    """A record does not belong to the networks, the clip or the code that are there."""


CLIPS = {id: game.spec.demo for id, game in GAMES.items() if game.spec.demo is not None}
"""The bundled clips by game."""


@dataclass(frozen=True)
class DemoClip:
    """A bundled clip by its game."""

    game: str

    @property
    def demo(self) -> Demo:
        return CLIPS[self.game]

    @property
    def path(self) -> Path:
        return self.demo.path

    @property
    def table(self) -> TableFile:
        return read_table_file(self.path.with_name("table.json"))

    @property
    def decks(self) -> list[tuple[str, DeckFile]]:
        return self.demo.decks(self.table.game.cards)

    @property
    def made(self) -> Path:
        return FOLDER / f"{self.game}.json"

    @property
    def kept(self) -> Path:
        return FOLDER / f"{self.game}.looks"

    def looked(self) -> Iterator[Seen]:
        """Every picture as the networks see it."""
        from companion.line.trained import trained

        table = self.table
        look = trained(table.game.cards, self.decks)
        return see(pictures(str(self.path), LOOKS_PER_SECOND), table.table, look)


# What a record was made with


@cache
def _code() -> str:
    return hash_of(*(hash_of_file(path).encode() for path in closure(EYES, ("companion.eyes", "companion.decks"))))


@cache
def _networks() -> str:
    return hash_of(*((asset("models") / name).read_bytes() for name in NETWORKS))


def _libraries() -> str:
    pinned = (ROOT / "constraints.txt").read_text()
    return " ".join(line for line in pinned.splitlines() if re.match(rf"({'|'.join(LIBRARIES)})==", line))


def made_of(clip: DemoClip, record: bytes) -> Made:
    """What a ``record`` of the clip that is made now is made with."""
    decks = [asset(clip.demo.deck).read_bytes()] if clip.demo.deck else []
    shot = hash_of(clip.path.read_bytes(), clip.path.with_name("table.json").read_bytes(), *decks)
    return Made(shot, _networks(), _code(), _libraries(), hash_of(record))


# Records


def digest(image: Image) -> bytes:
    """Of a picture (H, W, 3) as the file has it."""
    return hashlib.blake2b(np.ascontiguousarray(image[4::8, 4::8]).tobytes(), digest_size=8).digest()


def thumbnail(image: Image) -> NDArray[np.uint8]:
    """A picture (H, W, 3), grey and small: uint8 (h * w,)."""
    small = cv2.resize(image, THUMBNAIL, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8).ravel()


@cache
def record(game: str) -> Record:
    """The record of this game's clip.

    Raises:
        StaleRecord: it was made with other networks, another clip, or other code.
    """
    clip = DemoClip(game)
    try:
        kept, made = clip.kept.read_bytes(), msgspec.json.decode(clip.made.read_bytes(), type=Made)
    except (OSError, msgspec.MsgspecError) as error:
        raise StaleRecord(f"{clip.kept}: no record that can be read ({error}); make it with: {MEND}") from error
    now = made_of(clip, kept)
    if now != made:
        other = ", ".join(field for field in Made.__struct_fields__ if getattr(now, field) != getattr(made, field))
        raise StaleRecord(f"{clip.kept}: stale, other than when it was made: {other}; make it again with: {MEND}")
    return msgspec.msgpack.decode(lzma.decompress(kept), type=Record)


def seen(game: str) -> Iterator[Seen]:
    """Every picture of the clip as `companion.eyes.seeing.see` gives it; the pictures themselves are black."""
    kept, clip = record(game), DemoClip(game)
    cards, table = [card.seen() for card in kept.cards], clip.table.table
    black = np.zeros((table.image_size[1], table.image_size[0], 3), np.uint8)
    top = TableMap(table, table.image_size)
    for one in kept.moments:
        frame_quality = one.frame_quality.frame_quality() if one.frame_quality is not None else FrameQuality()
        found = tuple(cards[n] for n in one.cards)
        yield Seen(Picture(one.t, black), found, frame_quality, top, _unpacked(one.moving, kept.grid))


def _unpacked(moving: bytes | None, grid: tuple[int, int]) -> NDArray[np.bool_] | None:
    if moving is None:
        return None
    return np.unpackbits(np.frombuffer(moving, np.uint8))[: grid[0] * grid[1]].reshape(grid).astype(np.bool_)


class RecordedLook:
    """Finds in a picture of a demo clip, or of a camera that films it, what the networks found there; in others nothing."""

    def __init__(self, games: Sequence[str]) -> None:
        self._cards, self._at, thumbnails = list[tuple[CardSeen, ...]](), dict[bytes, int](), list[bytes]()
        self._width = DemoClip(games[0]).table.table.image_size[0]
        for game in games:
            kept = record(game)
            cards = [card.seen() for card in kept.cards]
            for moment in kept.moments:
                self._at.setdefault(moment.digest, len(self._cards))
                self._cards.append(tuple(cards[n] for n in moment.cards))
                thumbnails.append(moment.thumbnail)
        self._thumbnails = np.array([standard(np.frombuffer(one, np.uint8)) for one in thumbnails])

    def __call__(self, picture: Picture) -> tuple[CardSeen, ...]:
        at = self._at.get(digest(picture.image))
        if at is None:
            near = self._thumbnails @ standard(thumbnail(picture.image))
            at = int(near.argmax())
            if near[at] < ALIKE:
                return ()
        scale = picture.image.shape[1] / self._width
        return self._cards[at] if scale == 1 else tuple(scaled(card, scale) for card in self._cards[at])


def scaled(card: CardSeen, scale: float) -> CardSeen:
    """The card in a picture that is ``scale`` times as wide."""
    quad: Any = tuple((x * scale, y * scale) for x, y in card.quad)
    return replace(card, quad=quad)


def standard(grey: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Float32 of mean 0 and length 1, so that the product of two is their correlation; of one that is of one grey, zeros."""
    found = grey.astype(np.float32) - grey.mean()
    return np.asarray(found / max(float(np.linalg.norm(found)), 1e-6), np.float32)


GAMES_OF: dict[ListId, tuple[str, ...]] = {"stu": ("stu",), "italian": ("stoppa", "stoper")}


def trained(cards: ListId = "stu", decks: object = (), lessons: object = None) -> Look:
    """In place of `companion.line.trained.trained`."""
    return RecordedLook(GAMES_OF[cards])


def of_a_side(cards: ListId, deck: str) -> Look:
    """For a camera side that is a process of its own: see `companion.line.worker.process`."""
    return trained(cards)


def main() -> None:
    """The program `companion`, which looks at pictures of the demo clips in this way, its camera side too."""
    from companion.cli import main as command
    from companion.line import trained as product
    from companion.line.worker import process_worker

    own = str(Path(__file__).parent)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [own, os.environ.get("PYTHONPATH", "")]))
    product.trained = trained
    process_worker.ProcessWorker = partial(process_worker.ProcessWorker, eyes="recorded_looks:of_a_side")  # type: ignore[misc, assignment]
    command(prog_name="companion")


if __name__ == "__main__":
    main()
