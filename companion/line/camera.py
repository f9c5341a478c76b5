"""The camera as the pages for organisers see it: a port that the program behind them fills, and the values that go through it.

The dashboard knows neither OpenCV nor the eyes; the code that makes the application hands a `Camera` in.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal, Protocol

import msgspec

from companion.decks.lists import ListId
from companion.table.errors import CompanionError, SourceError
from companion.table.log import Event

Point = tuple[float, float]
"""(x, y) in pixels of the camera's picture."""

CameraState = Literal["none", "opening", "live", "held", "frozen", "lost", "ended"]
"""No camera chosen; being opened; giving pictures; a file, waiting on its first picture for the game to begin; gives the same
picture again and again; gives none, and is tried again; a file that is over."""


Amiss = Literal["", "black", "nothing", "elsewhere", "other_shape"]
"""What is wrong with what a camera shows: nothing; black pictures; neither table, card nor hand; not the table as it lay before;
pictures of another shape than the one in which the table was told."""

PlaceState = Literal["unknown", "seen", "hidden", "outside"]
"""Of a place: nothing is known yet; a card was found there; it is behind somebody; it lies outside the picture."""

BY_HAND = "by hand"
"""Where a game was seen that no camera follows, as the ledger has it."""


class SourceView(msgspec.Struct, frozen=True):
    """A camera to choose: ``source`` as the program calls it (a number, an address, a file), ``name`` for people ("" for
    none), and the ``size`` (width, height in pixels) of its pictures where it is known."""

    source: str
    name: str
    size: tuple[int, int] | None = None


class CameraStatus(msgspec.Struct, frozen=True):
    """How the camera is. ``reason``: why it is lost, in English, for the person who looks after the machine; ``cause``: the
    same for people, where there are words for it. ``per_second``: pictures. ``deck``: the taught deck that is played with, ""
    for the shipped one; ``deck_lost``: its file cannot be used, and the shipped one is. ``amiss``: what is wrong with what it
    shows. ``source`` has no password in it."""

    source: str
    state: CameraState
    reason: str = ""
    size: tuple[int, int] | None = None
    per_second: float = 0.0
    cause: SourceError | None = None
    deck: str = ""
    deck_lost: bool = False
    amiss: Amiss = ""


class CameraHealth(msgspec.Struct, frozen=True):
    """How the camera side is, in numbers. ``follows``: a game is followed with it. ``looked``: seconds since the eyes last
    looked at a picture, None before they have. ``restarts``: how often its process was started again. ``memory``: bytes of its
    process, None where it has none of its own. ``amiss``: what is wrong with what it shows, "" for nothing. ``hidden_places``:
    those (from 1) that are behind somebody or outside the picture, as far as that was seen."""

    state: CameraState
    follows: bool = False
    looked: float | None = None
    looks_per_second: float = 0.0
    restarts: int = 0
    memory: int | None = None
    amiss: Amiss = ""
    hidden_places: tuple[int, ...] = ()


NO_HEALTH = CameraHealth("none")
"""Where there is no camera at all."""


def memory_of(pid: int) -> int | None:
    """Bytes that a process has in memory (its resident set); None where that is not known."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return None


def processor_seconds(pid: int) -> float | None:
    """Seconds of the processor that a process has had; None where that is not known."""
    try:
        behind_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        user, system = behind_name[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError):
        return None


class FoundCorners(msgspec.Struct, frozen=True):
    """The table found in the picture: four corners, clockwise, and how sure that is (0..1)."""

    corners: tuple[Point, ...]
    shape: Literal["rect", "round"]
    confidence: float


class SeenCard(msgspec.Struct, frozen=True):
    """One card in the picture: its four corners, what lies up, its kind's id where it could be read, its length in pixels and
    the number of the place it lies in (from 1)."""

    quad: tuple[Point, ...]
    side: Literal["face", "back", "stack"]
    deck: str
    card: str | None
    length: float
    place: int | None


class AdviceView(msgspec.Struct, frozen=True):
    """What to mend: a key of `companion.dashboard.setup.phrases.advice`, the place (from 1) and the number measured. ``places``:
    those that it is about, where it may be several."""

    code: str
    value: float
    place: int | None
    places: tuple[int, ...] = ()


class PlaceView(msgspec.Struct, frozen=True):
    """What the camera can show of one place (numbered from 1) that lies ``at`` this pixel: see `companion.line.placewatch`.
    ``length``: of a card that lies there, pixels, or about that of one which does not yet; None where that is not known."""

    place: int
    at: Point
    state: PlaceState
    length: float | None = None


class CheckView(msgspec.Struct, frozen=True):
    """What the camera sees now; see `companion.eyes.check` for the measures and their units. ``size``: of the picture;
    ``places``: what it can show of each; ``watched``: seconds for which they were watched."""

    size: tuple[int, int]
    cards: tuple[SeenCard, ...]
    light: float
    glare: float
    sharpness: float | None
    per_second: float
    advice: tuple[AdviceView, ...]
    places: tuple[PlaceView, ...] = ()
    watched: float = 0.0


class Lie(msgspec.Struct, frozen=True):
    """Where the table lies in a further camera's pictures of ``size``: its ``corners``, clockwise, and the ``places`` of the
    players. ``beside``: the same places in the first camera's pictures when this was told: with others it does not count."""

    size: tuple[int, int]
    corners: tuple[Point, Point, Point, Point]
    places: tuple[Point, ...]
    beside: tuple[Point, ...]


class Viewing(Protocol):
    """One camera, as pages look through it. Called from any thread."""

    def choose(self, source: str) -> None:
        """Take this camera; "" for none. A game that is followed goes on with it."""

    def status(self) -> CameraStatus:
        """How the camera is now."""

    def health(self) -> CameraHealth:
        """The camera's state in numbers, for those who look after the machine."""

    def jpeg(self, width: int) -> bytes | None:
        """The newest picture, at most ``width`` pixels wide, as JPEG; None where there is none. For organisers only."""

    def corners(self) -> FoundCorners | None:
        """The table found in the newest picture; None where none was made out."""

    def check(self, corners: tuple[Point, ...], places: tuple[Point, ...]) -> CheckView | None:
        """What the camera sees now; ``corners`` and ``places`` as far as they are known. None before the first look."""


class FurtherView(Viewing, Protocol):
    """A further camera at the table. It is told where the table lies in its pictures, and follows the first one's game."""

    @property
    def number(self) -> int:
        """What people call it, from 2."""

    @property
    def lie(self) -> Lie | None:
        """Where the table lies; None where nobody has shown it."""

    def show(self, lie: Lie) -> None:
        """The table lies so in its pictures."""


class Camera(Viewing, Protocol):
    """The machine's first camera, and the evening that is followed with it and with the further ones. Called from any thread."""

    @property
    def further(self) -> tuple[FurtherView, ...]:
        """The further cameras that there may be, also those that are not chosen."""

    def placed(self) -> tuple[tuple[str, ...], Lie] | None:
        """The players of the game that is followed, and how the table lies in the first camera's pictures; None where none is."""

    def take_up(self, game: int) -> None:
        """Look through the further cameras that this evening of the ledger had, where none is chosen."""

    def sources(self) -> tuple[SourceView, ...]:
        """The cameras that can be chosen now. Takes seconds: each is tried."""

    def refused(self, source: str) -> CompanionError | None:
        """Why this cannot be a camera at all, whatever is done; None for one that can, even if it gives no picture yet."""

    def shown(self, places: tuple[Point, ...]) -> tuple[str | None, ...]:
        """The kind's id of the face that lies in each place, None where none can be read."""

    def play_with(self, deck: str, cards: ListId) -> None:
        """From now on cards of this ``deck`` are expected, for a game that is played with the list ``cards``; "": the shipped
        one. A game that is on with those cards goes on with it; one with others is left alone. A deck of pedine is known from now
        on beside the deck that is played with."""

    def begin(self, first: Event, table: bytes | None, deck: str = "", **notes: str) -> int:
        """Begin an evening, follow it with the camera, and return its game's id. ``deck`` as of `play_with`.

        ``first``: the first line of its table log. ``table``: TABLE.json, for where the corners and places are; None: the game is
        played by thumb alone. ``notes`` are kept with the game from its first moment: a page that is shown it knows them.

        Raises:
            CompanionError: it cannot be; nothing was begun.
        """

    def rest(self, on: bool) -> None:
        """The table has a break from now on, or plays again: nothing that is seen during a break becomes part of the game."""

    def leave(self) -> None:
        """Follow no game any more: it stays as it is. A video file waits on its first picture again."""

    def go_on(self, game: int, table: bytes | None, deck: str = "") -> None:
        """Go on with an evening of the ledger, where it was left, and follow it with the camera; ``table`` and ``deck`` as
        `begin` takes them.

        Raises:
            CompanionError: it cannot be; what was followed before still is.
        """

    def moved(self, corners: tuple[Point, ...], size: tuple[int, int]) -> None:
        """The camera was moved in mid-evening: the table's corners in its picture of ``size``; the places go along.

        Raises:
            CompanionError: no game is followed, or these are no corners.
        """
