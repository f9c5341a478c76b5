"""Every setting of the dashboard, with its unit and its purpose; and what organisers change during an evening."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import Field, dataclass, field, fields
from datetime import datetime
from typing import Any, Literal

from msgspec import DecodeError, Struct, json
from msgspec.structs import replace

from companion.ledger import Ledger, UnknownGame
from companion.line.breaks import BREAK
from companion.pages.view import ViewSettings
from companion.table.sure import SURE_FROM


def setting(default: Any, unit: str, help: str) -> Any:
    """A field of `Settings` with its unit ("" where it has none) and a sentence about what it does."""
    return field(default=default, metadata={"unit": unit, "help": help})


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a dashboard, fixed when its application is made."""

    game: int | None = setting(None, "id", "show this game of the ledger; the newest one when None")
    lang: str = setting("it", "it | en", "language of a page that has not chosen one")
    sure_from: float = setting(SURE_FROM, "probability", "a ruling whose `end` line says less than this is shown as unsure")
    happened: int = setting(6, "lines", "how many lines of commentary the view carries")
    heartbeat: float = setting(5.0, "s", "how often a quiet stream says that it is alive")
    patience: float = setting(12.0, "s", "silence after which a page says that the connection is lost, and connects again")
    retry: float = setting(1.0, "s", "how long a browser waits before it opens a broken stream again")
    listeners: int = setting(1200, "pages", "how many pages may follow the stream at once; the others ask every few seconds")
    reserved: int = setting(50, "pages", "how many of these are kept for paired phones and this machine's own browser")
    threads: int = setting(4, "threads", "threads that make answers; paired phones have as many of their own")
    moviola_after: float = setting(0.0, "s", "how long after a hand the TV plays the moviola, until the next one; 0: never")
    moviola_step: float = setting(2.5, "s", "how long a step of the moviola stays")
    corrected: float = setting(10.0, "s", "how long the TV says what a correction has changed in a ruling")
    moment: float = setting(4.0, "s", "how long an announcement, such as a win, fills the TV; 0: never")
    rest: float = setting(25.0, "s", "how long a ruling is shown before the standings take its place; 0: it stays")
    odds: bool = setting(False, "yes | no", "spectators are shown everybody's chance of paying, from what all have seen")
    season: bool = setting(True, "yes | no", "players are remembered from evening to evening, unless a phone switches that off")
    voice: bool = setting(False, "yes | no", "the TV calls the rulings aloud, where espeak-ng is installed")
    source: str = setting("", "address", "where the source of a changed program is to be had, besides from the program itself")
    live_interval: float = setting(0.5, "s", "pause between two live pictures, where there are any")

    def __post_init__(self) -> None:
        if not 0 <= self.sure_from <= 1:
            raise ValueError(f"sure_from is {self.sure_from}: expected a probability, 0 to 1")
        if self.patience <= self.heartbeat:
            raise ValueError(f"patience ({self.patience} s) must be longer than the heartbeat ({self.heartbeat} s)")
        for name in ("heartbeat", "retry", "listeners", "threads", "live_interval", "moviola_step"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} is {getattr(self, name)}: expected more than 0")
        if self.source and not self.source.startswith(("https://", "http://")):
            raise ValueError(f"source is {self.source!r}: expected an address that begins with https://")
        for name in ("moviola_after", "corrected", "moment", "rest"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} is {getattr(self, name)}: expected 0 or more")

    @property
    def view(self) -> ViewSettings:
        """The settings that a game's view depends on."""
        return ViewSettings(self.sure_from, self.happened)


DEFAULTS = Settings()


def described() -> tuple[Field[Any], ...]:
    """The settings with their `metadata`: "unit" and "help"."""
    return fields(Settings)


# What organisers let spectators see besides the game: chosen at the start, changed from the phone during the evening.

_NOTE = "shows"
LOADING_SECONDS = 8.0
"""Seconds that a TV has to show a video, besides the video's own."""
MOVIOLA_AFTER_SECONDS = 15.0
"""Seconds after a hand until the TV plays its moviola, once a phone has switched that on and no option said differently."""


class VarShow(Struct, frozen=True):
    """Video that is being shown: of the hand with the id ``hand``, for ``seconds``, at half speed if ``slow``; at its end the
    verdict stays for ``still`` seconds. ``played``: how often an organiser has asked for video; the TV plays it when this grows.
    """

    hand: int
    seconds: float
    slow: bool
    played: int
    still: float = 0.0


class Shows(Struct, frozen=True, omit_defaults=True):
    """``odds``: everybody's chance of paying. ``moviola_after_s``: seconds after a hand until the TV plays its moviola by itself;
    0: never. ``played``: how often an organiser has asked for the moviola; the TV plays it when this grows. ``voice``: the TV
    calls the rulings. ``var``: the video that it shows now, None for none. ``paused``: since when the table has a break, local
    time, ISO 8601; None while it plays. ``code``: the TV shows the QR code that leads spectators' phones to it."""

    odds: bool
    moviola_after_s: float
    played: int
    voice: bool = False
    var: VarShow | None = None
    paused: str | None = None
    code: bool = True


class ShowWish(Struct, frozen=True, forbid_unknown_fields=True):
    """A wish from a phone: ``odds``, ``moviola`` (by itself after every hand), ``voice`` and ``code`` on or off, None for as it
    is; ``play``: now. ``pause``: the table has a break from now on, or plays again."""

    odds: bool | None = None
    moviola: bool | None = None
    play: Literal[True] | None = None
    voice: bool | None = None
    pause: bool | None = None
    code: bool | None = None


class CurrentShows:
    """What is shown now besides the game. Any thread may ask. It begins as the program's options say; what phones have chosen is
    stored with the game that is on, and is valid again after a restart in that game. A break belongs to its game alone. Raises
    LedgerError as the ledger does.

    Attributes:
        rests: called when a break begins (True) or ends (False), so that the camera rests, too.
    """

    def __init__(self, settings: Settings, ledger: Ledger, game: Callable[[], int | None]) -> None:
        self._after_s = settings.moviola_after or MOVIOLA_AFTER_SECONDS
        self._ledger, self._game = ledger, game
        self._lock = threading.Lock()
        self._now = self._kept() or Shows(settings.odds, settings.moviola_after, 0, settings.voice)
        self._over = 0.0
        self._videos = 0
        self._break: tuple[int | None, str | None] = None, None
        self.rests: Callable[[bool], None] = lambda on: None

    @property
    def now(self) -> Shows:
        """What is shown now. A video is no longer in it once its time is over, whether or not a TV has played it."""
        now = self._now
        var = now.var if now.var is None or time.monotonic() <= self._over else None
        paused = self._paused()
        return now if (var, paused) == (now.var, now.paused) else replace(now, var=var, paused=paused)

    def _paused(self) -> str | None:
        """Since when the game that is on has a break, local time, ISO 8601; None while it plays."""
        game, since = self._game(), None
        if game != self._break[0]:
            if game is not None and (kept := self._notes(game).get(BREAK)):
                since = datetime.fromtimestamp(float(kept)).astimezone().isoformat(timespec="seconds")
            self._break = game, since
        return self._break[1]

    def change(self, wish: ShowWish) -> Shows:
        """Do what a phone wishes, and return what is then shown."""
        with self._lock:
            odds = self._now.odds if wish.odds is None else wish.odds
            after = self._now.moviola_after_s if wish.moviola is None else self._after_s if wish.moviola else 0.0
            voice = self._now.voice if wish.voice is None else wish.voice
            code = self._now.code if wish.code is None else wish.code
            self._now = replace(
                self._now, odds=odds, moviola_after_s=after, voice=voice, code=code, played=self._now.played + bool(wish.play)
            )
            if wish.pause is not None and (game := self._game()) is not None and wish.pause != (self._paused() is not None):
                self._ledger.note(game, **{BREAK: str(time.time()) if wish.pause else ""})
                self._break = None, None  # read again
                self.rests(wish.pause)
            self._keep()
            return self.now

    def show_video(self, hand: int, seconds: float, *, slow: bool, still: float = 0.0) -> None:
        """Have the TV show ``seconds`` of video of this hand (its id) once, and then its verdict for ``still`` seconds."""
        with self._lock:
            self._videos += 1
            self._over = time.monotonic() + seconds * (2 if slow else 1) + still + LOADING_SECONDS
            self._now = replace(self._now, var=VarShow(hand, seconds, slow, self._videos, still))
            self._keep()

    def end_video(self) -> None:
        """Stop showing video."""
        with self._lock:
            self._now = replace(self._now, var=None)
            self._keep()

    def _keep(self) -> None:
        """Store what is to survive a restart in the ledger, which also makes waiting pages look again."""
        if (game := self._game()) is not None:
            kept = replace(self._now, played=0, var=None)
            self._ledger.note(game, **{_NOTE: json.encode(kept).decode()})

    def _kept(self) -> Shows | None:
        game = self._game()
        try:
            kept = self._notes(game).get(_NOTE) if game is not None else None
            return json.decode(kept, type=Shows) if kept is not None else None
        except DecodeError:
            return None  # of another version of the program

    def _notes(self, game: int) -> dict[str, str]:
        try:
            return self._ledger.notes(game)
        except UnknownGame:
            return {}  # which the pages say
