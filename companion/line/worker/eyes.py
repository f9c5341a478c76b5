"""The eyes that the camera side looks with: loaded when they are first needed, and again for another deck."""

from __future__ import annotations

import logging
from collections.abc import Callable

from companion.decks.lists import ListId
from companion.eyes.seeing import Look
from companion.line.worker.messages import Job
from companion.table.errors import BadDeck

_log = logging.getLogger(__name__)

EyesOf = Callable[[ListId, str], Look]
"""Makes the eyes for a list of cards and the taught deck of this name, "" for the shipped one. Raises BadDeck where its file
cannot be used."""


class LoadedEyes:
    """``loading``: they are being loaded just now; ``deck_lost``: the shipped deck stands in for a taught one that cannot be
    used."""

    def __init__(self, eyes_of: EyesOf) -> None:
        self._eyes_of = eyes_of
        self._look: Look | None = None
        self._is_of: tuple[ListId, str, int] | None = None
        self.loading = self.deck_lost = False

    def of(self, job: Job, tell: Callable[[], object]) -> Look:
        """Those for this job. ``tell``: called before they are loaded, and after."""
        wanted = job.cards, job.deck, job.deck_read
        if self._look is None or self._is_of != wanted:
            self.loading, lost = True, False
            tell()
            try:
                self._look = self._eyes_of(job.cards, job.deck)
            except BadDeck as error:
                _log.warning("the shipped deck is played with instead: %s", error)
                self._look, lost = self._eyes_of(job.cards, ""), True
            finally:
                self.loading = False
            self._is_of, self.deck_lost = wanted, lost
            tell()
        return self._look
