"""The folder of the house's deck files, `NAME.deck`, and which of them is played with."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from companion.decks.checked import decode_deck, read_deck
from companion.decks.deckfile import DeckFile, write_deck
from companion.decks.lists import BESIDE, LISTS, SHIPPED, ListId
from companion.files import write_whole
from companion.table.errors import BadDeck, CompanionError, Reason
from companion.table.language import N_
from companion.table.text import plain_name

_log = logging.getLogger(__name__)

ENDING: Final = ".deck"
MAX_NAME_LENGTH: Final = 32
"""Letters of a deck's name."""
_NAME = re.compile(rf"[^\W_][\w-]{{0,{MAX_NAME_LENGTH - 1}}}")
RESERVED: Final = frozenset({"unknown", *SHIPPED, *LISTS})
"""What no taught deck may be called: the eyes call other cards so."""

NO_NAME = Reason("no_name", N_("a deck needs a name of letters, digits and hyphens, {most} at most"))
TAKEN_NAME = Reason("taken_name", N_("“{name}” is a name that the program uses itself: choose another"))
THERE_ALREADY = Reason("there_already", N_("there is a deck called “{name}” already: choose another name"))
NOT_WRITTEN = Reason("not_written", N_("it cannot be written to the disk of the program’s computer"))


class DeckRefused(CompanionError):
    """Something about a deck that cannot be; ``reason`` with ``values`` in its blanks is for people."""

    def __init__(self, reason: Reason, **values: object) -> None:
        self.reason, self.values = reason, values
        super().__init__(reason.text.format(**values))


@dataclass(frozen=True, slots=True)
class Entry:
    """A deck of the shelf. ``deck``: None where its file cannot be used, ``problem`` then says why, in English, else "".
    ``given``: on the command line, and not to be deleted."""

    name: str
    deck: DeckFile | None
    problem: str = ""
    given: bool = False


class Shelf:
    """The deck files in ``folder``, which is made when the first one is kept, and those that were ``given`` on the command line.

    Any thread may ask. What others put into the folder, or take from it, is seen at once.
    """

    def __init__(self, folder: Path, given: Sequence[tuple[str, DeckFile]] = ()) -> None:
        self.folder = folder
        self._given = dict(given)
        self._lock = threading.Lock()
        self._read: dict[str, tuple[tuple[int, int], Entry]] = {}

    def entries(self) -> tuple[Entry, ...]:
        """All decks, by name."""
        try:
            found = {path.stem for path in self.folder.iterdir() if path.suffix == ENDING and is_name(path.stem)}
        except OSError:  # no folder yet
            found = set()
        names = sorted(found | set(self._given), key=str.casefold)
        return tuple(entry for name in names if (entry := self.entry(name)) is not None)

    def entry(self, name: str) -> Entry | None:
        """The deck of this name, usable or not; None where there is none."""
        if name in self._given:
            return Entry(name, self._given[name], given=True)
        if not is_name(name):
            return None
        path = self.path(name)
        try:
            status = path.stat()
        except OSError:
            return None
        mark = status.st_mtime_ns, status.st_size
        with self._lock:
            known = self._read.get(name)
        if known is not None and known[0] == mark:
            return known[1]
        try:
            entry = Entry(name, read_deck(path))
        except BadDeck as error:
            _log.warning("%s", error)
            entry = Entry(name, None, str(error))
        with self._lock:
            self._read[name] = mark, entry
        return entry

    def deck(self, name: str) -> DeckFile:
        """The deck of this name. Raises BadDeck where its file is gone or cannot be used."""
        entry = self.entry(name)
        if entry is None:
            raise BadDeck(f"{self.path(name)}: no such deck file any more")
        if entry.deck is None:
            raise BadDeck(entry.problem)
        return entry.deck

    def beside(self, cards: ListId) -> list[tuple[str, DeckFile]]:
        """The decks that lie beside one of the list ``cards``, as pedine: all that can be used, none has to be chosen."""
        of = BESIDE.get(cards)
        return [(one.name, one.deck) for one in self.entries() if one.deck is not None and one.deck.list == of]

    def path(self, name: str) -> Path:
        """Where the file of this deck is, or would be."""
        return self.folder / f"{name}{ENDING}"

    def put(self, name: str, deck: DeckFile) -> None:
        """Keep a deck, in the place of one of the same name. Raises DeckRefused."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_deck(self.path(name), deck)
        except OSError as error:
            raise DeckRefused(NOT_WRITTEN) from error

    def take_in(self, name: str, data: bytes) -> DeckFile:
        """Keep the deck file that somebody has handed on. Raises BadDeck, DeckRefused."""
        self.free(name)
        deck = decode_deck(data, name)
        self.put(name, deck)
        return deck

    def delete(self, name: str) -> None:
        """Delete its file; it may be gone already. Raises DeckRefused."""
        try:
            if is_name(name):
                self.path(name).unlink(missing_ok=True)
        except OSError as error:
            raise DeckRefused(NOT_WRITTEN) from error

    def free(self, name: str) -> None:
        """Raises DeckRefused where a new deck cannot be called so."""
        if not is_name(name):
            raise DeckRefused(NO_NAME, most=MAX_NAME_LENGTH)
        if name.casefold() in RESERVED:
            raise DeckRefused(TAKEN_NAME, name=name)
        if any(entry.name.casefold() == name.casefold() for entry in self.entries()):
            raise DeckRefused(THERE_ALREADY, name=name)

    def chosen(self, of: ListId) -> str:
        """The deck of this list that was played with last; "" for the shipped one."""
        try:
            return msgspec.json.decode((self.folder / "chosen.json").read_bytes(), type=dict[str, str]).get(of, "")
        except (OSError, msgspec.DecodeError):
            return ""

    def choose(self, of: ListId, name: str) -> None:
        """Remember the deck that is played with; "" for the shipped one."""
        if self.chosen(of) == name:
            return
        chosen = {one: self.chosen(one) for one in LISTS} | {of: name}
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self.folder / "chosen.json", msgspec.json.encode(chosen))
        except OSError as error:  # it is only a convenience
            _log.warning("the choice of the deck is not remembered: %s", error)


def is_name(name: str) -> bool:
    """Whether this may be a deck's name, and so the stem of its file."""
    return _NAME.fullmatch(name) is not None


def as_name(typed: str) -> str:
    """A deck's name from what somebody typed: spaces become hyphens. It may still be none (`is_name`)."""
    return "-".join(plain_name(typed).split())
