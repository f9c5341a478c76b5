"""What organisers let spectators see, besides the game: chosen at the start, changed from the phone during the evening."""

from __future__ import annotations

import threading
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.dashboard.settings import Settings

BY_ITSELF_S = 15.0
"""So long after a hand the TV plays its moviola, once a phone has switched that on and no option said otherwise."""


class Shows(Struct, frozen=True):
    """``odds``: everybody's chance of paying. ``moviola_after_s``: so long after a hand the TV plays its moviola by itself; 0:
    never. ``played``: how often an organiser has asked for the moviola; the TV plays it when this grows."""

    odds: bool
    moviola_after_s: float
    played: int = 0


class Show(Struct, frozen=True, forbid_unknown_fields=True):
    """A wish from a phone: ``odds`` and ``moviola`` (by itself after every hand) on or off, None for as it is; ``play``: now."""

    odds: bool | None = None
    moviola: bool | None = None
    play: Literal[True] | None = None


class Stage:
    """What is shown now, for any number of threads. Forgotten when the program ends: its options say how an evening begins."""

    def __init__(self, settings: Settings) -> None:
        self._after_s = settings.moviola_after or BY_ITSELF_S
        self._lock = threading.Lock()
        self._now = Shows(settings.odds, settings.moviola_after)

    @property
    def now(self) -> Shows:
        """What is shown now."""
        return self._now

    def change(self, wish: Show) -> Shows:
        """Do what is wished for, and say what is shown then."""
        with self._lock:
            odds = self._now.odds if wish.odds is None else wish.odds
            after = self._now.moviola_after_s if wish.moviola is None else self._after_s if wish.moviola else 0.0
            self._now = replace(self._now, odds=odds, moviola_after_s=after, played=self._now.played + bool(wish.play))
            return self._now
