"""The list of a ledger's games: a line for each, worked out once for each version of its log and kept for the next start."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from contextlib import suppress

import msgspec
from flask_babel import gettext as _
from msgspec.structs import replace

from companion.dashboard.answers import encoded
from companion.dashboard.days import local_time
from companion.games import game_of
from companion.ledger import GameEntry, Ledger, SeasonBook
from companion.ledger.statements import keep_notes, noted
from companion.line.camera import BY_HAND
from companion.line.phone_camera import PHONE
from companion.line.renaming import LISTED
from companion.line.sources.address import camera_number, is_link, plain
from companion.pages.doubts import is_end_sure
from companion.pages.moments import hands_that_count
from companion.table.errors import GameError, LedgerError
from companion.table.game import Over
from companion.table.language import LANGS
from companion.table.log import tag
from companion.table.play import replay
from companion.table.sure import SURE_FROM

MAX_LISTED = 500
"""Number of games in the list: some years of evenings."""

BY_API = "api"
"""The source of a game that a program has sent."""

_FORMAT = 3
"""Version of the stored lines of the list; one of another version is worked out again."""

_log = logging.getLogger(__name__)


class GameView(msgspec.Struct, frozen=True):
    """One game of the list. ``source``: as `seen_text` reads it, for spectators `_kind`. ``started``: local time, ISO 8601;
    ``steps``: lines that can be replayed; ``game_id`` (JSON `wing`): which game of the house; ``over``: it cannot be gone on
    with. ``hands``: those that were dealt, ``counted``: those that are over and not void; ``winner``: None, too, where that is
    not sure, ``perhaps``: who it is then."""

    id: int
    started: str
    source: str
    players: tuple[str, ...]
    hands: int
    winner: str | None
    status: str
    steps: int
    game_id: str = msgspec.field(name="wing")
    over: bool
    counted: int
    perhaps: str | None


class Listed(msgspec.Struct, frozen=True):
    """A game's line of the list, stored so that it need not be worked out again: in this ``format``, for this ``version`` of the
    game's log."""

    format: int
    version: int
    view: GameView


class Archive:
    """The list of a ledger's games. Each game's line is worked out once for each version of its log, by one thread at a time. Any
    thread may ask."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger, self.book = ledger, SeasonBook(ledger)
        self._lock = threading.Lock()
        self._known: dict[tuple[int, int], GameView | None] = {}
        self._public: tuple[tuple[GameEntry, ...], bytes] | None = None

    def games(self) -> tuple[GameView, ...]:
        """The `MAX_LISTED` newest games with players, the newest first. Raises LedgerError."""
        with self._lock:
            return self._listed(self.ledger.games()[:MAX_LISTED])

    def deleted(self) -> tuple[GameView, ...]:
        """The games that were deleted and can be restored, the newest first. Raises LedgerError."""
        found = (_view(self.ledger, entry) for entry in self.ledger.deleted()[:MAX_LISTED])
        return tuple(view for view in found if view is not None)

    def public_json(self) -> bytes:
        """The list of `games` as JSON, without what only organisers may know of where a game was seen. Raises LedgerError."""
        with self._lock:
            entries = self.ledger.games()[:MAX_LISTED]
            if self._public is None or self._public[0] != entries:
                self._public = entries, encoded([replace(game, source=_kind(game.source)) for game in self._listed(entries)])
            return self._public[1]

    def _listed(self, entries: tuple[GameEntry, ...]) -> tuple[GameView, ...]:
        before = self._known
        self._known = {}
        kept, fresh = noted(self.ledger, LISTED) if any((one.id, one.version) not in before for one in entries) else {}, {}
        for entry in entries:
            key = entry.id, entry.version
            if key in before:
                self._known[key] = before[key]
            elif (view := _kept(kept.get(entry.id, ""), entry)) is not None:
                self._known[key] = view
            else:
                self._known[key] = fresh[entry.id] = _view(self.ledger, entry)
        self._keep({game: view for game, view in fresh.items() if view is not None})
        return tuple(view for view in self._known.values() if view is not None)

    def _keep(self, fresh: Mapping[int, GameView]) -> None:
        """Store these lines in the ledger for the time after a restart; not where another thread is writing, and not for the
        newest game, which still changes."""
        newest, versions = self.ledger.newest(), dict(self._known.keys())
        with suppress(LedgerError):  # what is not kept is worked out again
            for game, view in fresh.items():
                if game != newest:
                    text = encoded(Listed(_FORMAT, versions[game], view)).decode()
                    with self.ledger.writing(patient=False) as writing:
                        keep_notes(writing, game, {LISTED: text})


def _kept(text: str, entry: GameEntry) -> GameView | None:
    """The stored line for this version of a game; None where ``text`` holds none, or one of another version."""
    try:
        kept = msgspec.json.decode(text, type=Listed) if text else None
    except msgspec.MsgspecError:
        return None
    return kept.view if kept is not None and (kept.format, kept.version) == (_FORMAT, entry.version) else None


def _view(ledger: Ledger, entry: GameEntry) -> GameView | None:
    """A game's line of the list; None where the game has no players or is damaged, so that it is left out."""
    try:
        _, lines = ledger.glance(entry.id)
    except LedgerError as error:
        _log.warning("%s", error)
        return None
    if not lines or tag(lines[0].event) != "game":
        return None
    game = game_of(lines[0].event)
    try:
        state = replay(game.rules.begin, game.rules.apply, enumerate(lines, start=1))
    except GameError:
        return None
    score, rules = game.pages.score(state, LANGS[0]), game.rules
    hands = rules.hands(state) + rules.in_hand(state)
    counted, won = hands_that_count(rules, lines, state), score.winner
    sure = won is None or is_end_sure(rules, game.pages, lines, SURE_FROM)
    return GameView(
        entry.id, local_time(entry.started), plain(entry.source), rules.names(state), hands, won if sure else None, score.phase,
        len(lines), game.id, isinstance(rules.waiting(state), Over), counted, None if sure else won,
    )  # fmt: skip


def _kind(source: str) -> str:
    """Where a game was seen, as far as everybody may know: without the name of a file or the address of a camera."""
    if source.isdecimal() or source in (BY_HAND, BY_API, PHONE, ""):
        return source
    if is_link(source):
        return camera_number(source) or "0"
    return "network" if "://" in source else "file"


def seen_text(source: str) -> str:
    """Where a game was seen, for people: by a camera, in a file, or told by phone alone."""
    if source.isdecimal():
        return _("Camera {number}").format(number=source)
    return {BY_HAND: _("without a camera, by phone"), BY_API: _("taken in")}.get(source, plain(source))
