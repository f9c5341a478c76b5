"""What organisers let spectators see, besides the game: chosen at the start, changed from the phone during the evening."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Literal

from msgspec import DecodeError, Struct, json
from msgspec.structs import replace

from companion.dashboard.settings import Settings
from companion.ledger import Ledger, UnknownGame

_NOTE = "shows"
LOADING_SECONDS = 8.0
"""Seconds that a TV has to show a video, besides the video's own."""
MOVIOLA_AFTER_SECONDS = 15.0
"""Seconds after a hand until the TV plays its moviola, once a phone has switched that on and no option said differently."""


class VarShow(Struct, frozen=True):
    """Video that is being shown: of the hand with the id ``hand``, for ``seconds``, at half speed if ``slow``. ``played``: how
    often an organiser has asked for video; the TV plays it when this grows."""

    hand: int
    seconds: float
    slow: bool
    played: int


class Shows(Struct, frozen=True, omit_defaults=True):
    """``odds``: everybody's chance of paying. ``moviola_after_s``: seconds after a hand until the TV plays its moviola by itself;
    0: never. ``played``: how often an organiser has asked for the moviola; the TV plays it when this grows. ``voice``: the TV
    calls the rulings. ``var``: the video that it shows now, None for none."""

    odds: bool
    moviola_after_s: float
    played: int
    voice: bool = False
    var: VarShow | None = None


class ShowWish(Struct, frozen=True, forbid_unknown_fields=True):
    """A wish from a phone: ``odds``, ``moviola`` (by itself after every hand) and ``voice`` on or off, None for as it is;
    ``play``: now."""

    odds: bool | None = None
    moviola: bool | None = None
    play: Literal[True] | None = None
    voice: bool | None = None


class CurrentShows:
    """What is shown now, for any number of threads. The program's options say how it begins; what a phone has chosen is kept with
    the game that was on, and counts again after a restart in it. Raises LedgerError as the ledger does."""

    def __init__(self, settings: Settings, ledger: Ledger, game: Callable[[], int | None]) -> None:
        self._after_s = settings.moviola_after or MOVIOLA_AFTER_SECONDS
        self._ledger, self._game = ledger, game
        self._lock = threading.Lock()
        self._now = self._kept() or Shows(settings.odds, settings.moviola_after, 0, settings.voice)
        self._over = 0.0
        self._videos = 0

    @property
    def now(self) -> Shows:
        """What is shown now. A video that must be over is no longer shown, whether or not a TV has played it."""
        now = self._now
        return now if now.var is None or time.monotonic() <= self._over else replace(now, var=None)

    def change(self, wish: ShowWish) -> Shows:
        """Do what is wished for, and say what is shown then."""
        with self._lock:
            odds = self._now.odds if wish.odds is None else wish.odds
            after = self._now.moviola_after_s if wish.moviola is None else self._after_s if wish.moviola else 0.0
            voice = self._now.voice if wish.voice is None else wish.voice
            self._now = replace(
                self._now, odds=odds, moviola_after_s=after, voice=voice, played=self._now.played + bool(wish.play)
            )
            self._keep()
            return self._now

    def show_video(self, hand: int, seconds: float, *, slow: bool) -> None:
        """The TV shows ``seconds`` of video of this hand, once."""
        with self._lock:
            self._videos += 1
            self._over = time.monotonic() + seconds * (2 if slow else 1) + LOADING_SECONDS
            self._now = replace(self._now, var=VarShow(hand, seconds, slow, self._videos))
            self._keep()

    def end_video(self) -> None:
        """Video is shown no longer."""
        with self._lock:
            self._now = replace(self._now, var=None)
            self._keep()

    def _keep(self) -> None:
        """What outlives a restart is kept; pages that wait for the ledger look again."""
        if (game := self._game()) is not None:
            kept = replace(self._now, played=0, var=None)
            self._ledger.note(game, **{_NOTE: json.encode(kept).decode()})

    def _kept(self) -> Shows | None:
        game = self._game()
        try:
            kept = self._ledger.notes(game).get(_NOTE) if game is not None else None
            return json.decode(kept, type=Shows) if kept is not None else None
        except (DecodeError, UnknownGame):
            return None  # of another version of the program; or no such game, which the pages say
