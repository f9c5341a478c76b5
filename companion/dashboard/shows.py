"""What organisers let spectators see, besides the game: chosen at the start, changed from the phone during the evening."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Literal

from msgspec import DecodeError, Struct, json
from msgspec.structs import replace

from companion.dashboard.settings import Settings
from companion.ledger import Ledger, UnknownGame

_NOTE = "shows"
BY_ITSELF_S = 15.0
"""Seconds after a hand until the TV plays its moviola, once a phone has switched that on and no option said differently."""


class Shows(Struct, frozen=True):
    """``odds``: everybody's chance of paying. ``moviola_after_s``: seconds after a hand until the TV plays its moviola by itself;
    0: never. ``played``: how often an organiser has asked for the moviola; the TV plays it when this grows."""

    odds: bool
    moviola_after_s: float
    played: int = 0


class ShowWish(Struct, frozen=True, forbid_unknown_fields=True):
    """A wish from a phone: ``odds`` and ``moviola`` (by itself after every hand) on or off, None for as it is; ``play``: now."""

    odds: bool | None = None
    moviola: bool | None = None
    play: Literal[True] | None = None


class CurrentShows:
    """What is shown now, for any number of threads. The program's options say how it begins; what a phone has chosen is kept with
    the game that was on, and counts again after a restart in it. Raises LedgerError as the ledger does."""

    def __init__(self, settings: Settings, ledger: Ledger, game: Callable[[], int | None]) -> None:
        self._after_s = settings.moviola_after or BY_ITSELF_S
        self._ledger, self._game = ledger, game
        self._lock = threading.Lock()
        self._now = self._kept() or Shows(settings.odds, settings.moviola_after)

    @property
    def now(self) -> Shows:
        """What is shown now."""
        return self._now

    def change(self, wish: ShowWish) -> Shows:
        """Do what is wished for, and say what is shown then."""
        with self._lock:
            odds = self._now.odds if wish.odds is None else wish.odds
            after = self._now.moviola_after_s if wish.moviola is None else self._after_s if wish.moviola else 0.0
            shows = Shows(odds, after)
            if (game := self._game()) is not None:
                self._ledger.note(game, **{_NOTE: json.encode(shows).decode()})
            self._now = replace(shows, played=self._now.played + bool(wish.play))
            return self._now

    def _kept(self) -> Shows | None:
        game = self._game()
        try:
            kept = self._ledger.notes(game).get(_NOTE) if game is not None else None
            return json.decode(kept, type=Shows) if kept is not None else None
        except (DecodeError, UnknownGame):
            return None  # of another version of the program; or no such game, which the pages say
