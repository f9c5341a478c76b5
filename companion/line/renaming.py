"""Other names in the ledger's evenings: a player who was called wrongly, and names that are forgotten. What stood there before is
in the file's bytes no more.

A forgotten player is called "Qualcuno" in every evening so far. A note with the evening has a digest of the name, enough to
know it again when somebody types it to be remembered. A forgotten name that is typed for an evening to come is forgotten once
that is past.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterable, Mapping

import msgspec

from companion.games import Game, game_of_log, house_game
from companion.ledger import Ledger, Phones, SeasonBook
from companion.ledger.statements import Rewrite, every_game, noted, texts
from companion.referee.keeping import Unkept, entry, events_of, renamed_hand
from companion.referee.record import UnreadableRecord, decode_entry
from companion.table.errors import GameError, LedgerError, TableError
from companion.table.log import Line, encode_line
from companion.table.people import is_nobody, name_key, nobodies, spelling
from companion.table.renaming import Renaming, names_of

FORGOTTEN = "forgotten"
"""Name of the note that says whose name was forgotten in an evening: what they are called there → a digest of it."""
LISTED = "listed"
"""Name of the note for what the list of past evenings says of one."""
_TABLE = "table"
_log = logging.getLogger(__name__)


class Taken(ValueError):
    """Two people of one game would be called ``name``."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def rename(ledger: Ledger, games: Iterable[int], names: Mapping[str, str]) -> None:
    """Give players of evenings other names, those of a game that went on as others, say: in their logs, in all that was reported
    of them and kept with them, and nowhere in the file's bytes as before. Raises Taken, UnknownGame, LedgerError; then nothing
    has changed."""
    changed = {}
    for game in games:
        here = names_in(ledger, game) if ledger.version(game) else frozenset()
        new = {name: names[name] for name in names.keys() & here}
        if not new:
            continue
        if (twice := _twice([new.get(name, name) for name in sorted(here)])) is not None:
            raise Taken(twice)
        known = ledger.notes(game).get(FORGOTTEN)
        kept = {name: digest for name, digest in json.loads(known or "{}").items() if name not in new}
        changed[game] = _changed(ledger, game, new, kept if known else None)
    ledger.rewrite_all(changed)
    ledger.scrub()


def _twice(names: Iterable[str]) -> str | None:
    """A name that is the same person's as another one of these; None where all are different people's."""
    seen = set[str]()
    for name in names:
        if (key := name_key(name)) in seen:
            return name
        seen.add(key)
    return None


def _changed(
    ledger: Ledger, game_id: int, names: Mapping[str, str], forgotten: Mapping[str, str] | None
) -> tuple[Rewrite, dict[str, str]]:  # fmt: skip
    """What becomes of a game, as of `Ledger.rewrite_all`. ``forgotten``: who is called what by now, and by which digest they are
    known; None: nobody was forgotten."""
    notes = {FORGOTTEN: json.dumps(forgotten)} if forgotten is not None else {}
    return _rewrite(game_of_log(ledger.glance(game_id)[1]), Renaming(dict(names))), notes


def _renamed(ledger: Ledger, game_id: int, names: Mapping[str, str], forgotten: Mapping[str, str] | None) -> None:
    """Rename in one game; ``forgotten``: as of `_changed`."""
    how, notes = _changed(ledger, game_id, names, forgotten)
    ledger.rewrite(game_id, how, notes)


def names_in(ledger: Ledger, game_id: int) -> frozenset[str]:
    """Every name that stands in an evening: players', partners', also those that a correction has taken out. Raises UnknownGame,
    LedgerError."""
    game = game_of_log(ledger.glance(game_id)[1])
    lines, reports = texts(ledger, game_id)
    found = set[str]()
    for line in lines:
        try:
            found |= names_of(game.rules.LOG.decode_line(line.encode()).event)
        except GameError:
            _log.warning("game %d has a line that cannot be read", game_id)
    for report in reports:
        try:
            told = decode_entry(report, house_game(game))
        except UnreadableRecord:
            continue
        for event in events_of(told):
            found |= names_of(event)
    return frozenset(found)


def _rewrite(game: Game, renaming: Renaming) -> Rewrite:
    def line(text: str) -> str:
        try:
            told = game.rules.LOG.decode_line(text.encode())
        except GameError:
            return _quoted(text, renaming)
        return encode_line(Line(renaming.event(told.event), told.t, told.confidence)).decode()

    def report(text: str) -> str:
        try:
            return entry(text, house_game(game), renaming)
        except UnreadableRecord:
            return _quoted(text, renaming)

    def hand(text: str) -> str | None:
        try:
            return renamed_hand(text, house_game(game), renaming)
        except Unkept:
            return None

    def note(name: str, text: str) -> str:
        if name == LISTED:
            return ""  # it is worked out again
        if name != _TABLE or not text:
            return text
        try:
            return _renamed_table(text, renaming)
        except (TableError, GameError):
            return _quoted(text, renaming)

    return Rewrite(line, report, hand, note, renaming.text)


def _renamed_table(text: str, renaming: Renaming) -> str:
    """The table file ``text`` with other names. Raises TableError, GameError."""
    from companion.line.tablefile import TableFile, parse_table_file  # it loads OpenCV, and a hall renames no table file

    table = parse_table_file(text)
    players = tuple(msgspec.structs.replace(seat, name=renaming.name(seat.name)) for seat in table.table.players)
    return TableFile(msgspec.structs.replace(table.table, players=players), renaming.event(table.first)).encode().decode()


def _quoted(text: str, renaming: Renaming) -> str:
    """A text that cannot be parsed, with the names changed where they stand as JSON strings."""
    for name, new in renaming.names.items():
        for ascii in (True, False):
            text = text.replace(json.dumps(name, ensure_ascii=ascii), json.dumps(new, ensure_ascii=ascii))
    return text


class Forgetting:
    """Sees to it that forgotten names stand in no evening of a ledger. Every method may be called from any thread."""

    def __init__(self, ledger: Ledger, book: SeasonBook) -> None:
        self._ledger, self._book = ledger, book
        self._lock = threading.Lock()
        self._clean: dict[int, int] = {}

    def settle(self, *, everywhere: bool = False) -> None:
        """Let every past evening be without forgotten names, or ``everywhere`` also the one that is shown. Raises LedgerError."""
        forgotten = self._book.forgotten()
        if not forgotten:
            return
        with self._lock:
            if everywhere:
                self._clean.clear()  # of names that were forgotten before
            newest, games = self._ledger.newest(), every_game(self._ledger)
            upto, but = (0, None) if everywhere else _looked_through(self._book.settled)
            for game in games:
                if (everywhere or game != newest) and (game > upto or game == but or game in self._clean):
                    self._settle(game, self._known(forgotten))
            if everywhere:
                self._ledger.scrub()
            unseen = None if everywhere else newest
            self._book.settle(json.dumps([max(games, default=0), unseen]))

    def recall(self, name: str) -> None:
        """Let the player with this name be called so again in the evenings in which it was forgotten. Raises LedgerError."""
        typed = spelling(name)
        typed = typed.title() if typed in (typed.lower(), typed.upper()) else typed
        digests = {self._book.digest(key).hex() for key in (name_key(name), spelling(name))}
        with self._lock:
            for game, text in noted(self._ledger, FORGOTTEN).items():
                kept: dict[str, str] = json.loads(text)
                back = [nobody for nobody, digest in kept.items() if digest in digests]
                if len(back) == 1 and name_key(typed) not in map(name_key, names_in(self._ledger, game)):
                    kept.pop(back[0])
                    _renamed(self._ledger, game, {back[0]: typed}, kept)

    def _known(self, forgotten: frozenset[bytes]) -> Callable[[str], bytes | None]:
        """What finds the digest by which a name is forgotten."""
        def digest_of(name: str) -> bytes | None:
            found = (self._book.digest(key) for key in (name_key(name), spelling(name)))
            return next((digest for digest in found if digest in forgotten), None)

        return digest_of

    def _settle(self, game: int, digest_of: Callable[[str], bytes | None]) -> None:
        version = self._ledger.version(game)
        if not version or self._clean.get(game) == version:
            return
        try:
            names = names_in(self._ledger, game)
            found = {name: digest for name in sorted(names) if not is_nobody(name) and (digest := digest_of(name))}
            if found:
                free = nobodies(names)
                new = {name: next(free) for name in found}
                kept = json.loads(self._ledger.notes(game).get(FORGOTTEN, "{}"))
                kept |= {new[name]: digest.hex() for name, digest in found.items()}
                _renamed(self._ledger, game, new, kept)
                Phones(self._ledger).rename(Renaming(new).text)
        except LedgerError as error:
            if self._ledger.trouble is not None:
                raise
            _log.warning("%s", error)
        self._clean[game] = self._ledger.version(game)


def _looked_through(text: str) -> tuple[int, int | None]:
    """Up to which game all were looked through, and the one that was not."""
    upto, but = json.loads(text) if text else (0, None)
    return upto, but
