"""Decks that are being taught: every photo is on the disk as soon as it is taken, in a file of its own.

A draft can be left at any moment and gone on with, also after a restart; several phones may add to it at once.
"""

from __future__ import annotations

import hashlib
import logging
import shutil
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec.structs import replace

from companion.decks.checked import is_card_picture
from companion.decks.deckfile import MAX_PICTURE_BYTES, MAX_PICTURES, DeckFile
from companion.decks.lists import BACK, LISTS, ListId
from companion.files import write_whole
from companion.line.teaching.shelf import NOT_WRITTEN, DeckRefused, is_name
from companion.table.errors import Reason
from companion.table.language import N_

_log = logging.getLogger(__name__)

PLAN: Final = "plan.json"
ENDING: Final = ".photo"
NO_DRAFT = Reason("no_draft", N_("this deck is not being taught any more"))
ENOUGH = Reason("enough", N_("there are {most} photos of this card already: delete one first"))


class Photo(msgspec.Struct, frozen=True):
    """A card that was photographed. ``picture``: JPEG, straightened, either way up; ``ratio``: its width / height."""

    card: str
    ratio: Annotated[float, msgspec.Meta(ge=0.1, le=1.5)]
    picture: Annotated[bytes, msgspec.Meta(max_length=4 * MAX_PICTURE_BYTES)]


class Plan(msgspec.Struct, frozen=True):
    """What is to be taught. ``each``: photos of every card that are wanted; ``skipped``: cards left out on purpose; ``agreed``:
    photos that look like another card's, and are right all the same; ``made``: `Drafts.state` when the deck was made last."""

    list: ListId
    each: Annotated[int, msgspec.Meta(ge=1, le=2)] = 1
    skipped: tuple[str, ...] = ()
    agreed: tuple[str, ...] = ()
    made: str = ""


class Drafts:
    """The drafts in ``folder``, each a folder of its own called by its deck. Any thread may ask."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.RLock()

    def names(self) -> tuple[str, ...]:
        """The decks that are being taught."""
        try:
            found = [path.parent.name for path in self.folder.glob(f"*/{PLAN}")]
        except OSError:
            return ()
        return tuple(sorted((name for name in found if self.plan(name) is not None), key=str.casefold))

    def plan(self, name: str) -> Plan | None:
        """What is to be taught; None where there is no such draft."""
        if not is_name(name):
            return None
        try:
            return msgspec.json.decode((self.folder / name / PLAN).read_bytes(), type=Plan)
        except (OSError, msgspec.DecodeError):
            return None

    def begin(self, name: str, of: ListId) -> None:
        """Begin to teach a deck; one that has been begun stays as it is. Raises DeckRefused."""
        with self._lock:
            if self.plan(name) is None:
                self._write(name, PLAN, msgspec.json.encode(Plan(of)))

    def begin_with(self, name: str, deck: DeckFile) -> None:
        """Begin where this deck stands: with its pictures. Raises DeckRefused."""
        with self._lock:
            self.begin(name, deck.list)
            for one in deck.cards:
                for picture in one.pictures:
                    self.add(name, one.card, Photo(one.card, deck.ratio, picture))

    def change(self, name: str, how: Callable[[Plan], Plan]) -> None:
        """Change what is to be taught; nothing where there is no such draft. Raises DeckRefused."""
        with self._lock:
            plan = self.plan(name)
            if plan is not None and (changed := how(plan)) != plan:
                self._write(name, PLAN, msgspec.json.encode(changed))

    def order(self, name: str) -> tuple[tuple[str, str], ...]:
        """All photos in the order in which they came: card and mark."""
        plan = self.plan(name)
        if plan is None:
            return ()
        found: list[tuple[int, str, str]] = []
        for path in (self.folder / name).glob(f"*~*{ENDING}"):
            card, _, mark = path.stem.partition("~")
            if card == BACK or card in LISTS[plan.list].NAMES:
                try:
                    found.append((path.stat().st_mtime_ns, card, mark))
                except OSError:  # another phone has just deleted it
                    continue
        return tuple((card, mark) for _, card, mark in sorted(found))

    def photos(self, name: str) -> Mapping[str, tuple[str, ...]]:
        """Card → its photos' marks, in the order in which they came."""
        found: dict[str, tuple[str, ...]] = {}
        for card, mark in self.order(name):
            found[card] = (*found.get(card, ()), mark)
        return found

    def state(self, name: str) -> str:
        """Another text whenever the photos are others; "" where there are none."""
        marks = " ".join(sorted(mark for _, mark in self.order(name)))
        return hashlib.sha256(marks.encode()).hexdigest() if marks else ""

    def photo(self, name: str, card: str, mark: str) -> Photo | None:
        """A photo; None where it is gone. One that is damaged is put away, so that the card is asked for again."""
        if not (mark.isalnum() and card in self.photos(name)):
            return None
        path = self._path(name, card, mark)
        try:
            found = msgspec.msgpack.decode(path.read_bytes(), type=Photo)
            if found.card == card and is_card_picture(found.picture):
                return found
        except OSError:
            return None
        except (msgspec.DecodeError, UnicodeDecodeError):
            pass
        _log.warning("%s: damaged, and put away", path)
        path.unlink(missing_ok=True)
        return None

    def add(self, name: str, card: str, photo: Photo) -> str:
        """Keep a photo and return its mark: the same one for the same photo, however often it comes. Raises DeckRefused."""
        mark = hashlib.sha256(photo.picture).hexdigest()[:16]
        with self._lock:
            if self.plan(name) is None:
                raise DeckRefused(NO_DRAFT)
            there = self.photos(name).get(card, ())
            if mark in there:
                return mark
            if len(there) >= MAX_PICTURES:
                raise DeckRefused(ENOUGH, most=MAX_PICTURES)
            self._write(name, f"{card}~{mark}{ENDING}", msgspec.msgpack.encode(photo))
            self.change(name, lambda plan: replace(plan, skipped=tuple(one for one in plan.skipped if one != card)))
        return mark

    def whose(self, name: str, picture: bytes) -> str | None:
        """The card that this very picture is kept for; None for a new one."""
        mark = hashlib.sha256(picture).hexdigest()[:16]
        return next((card for card, marks in self.photos(name).items() if mark in marks), None)

    def drop(self, name: str, card: str, mark: str) -> None:
        """Delete a photo; it may be gone already."""
        if mark.isalnum() and card in self.photos(name):
            self._path(name, card, mark).unlink(missing_ok=True)

    def discard(self, name: str) -> None:
        """Delete the draft with all its photos; it may be gone already."""
        with self._lock:
            if not is_name(name):
                return
            shutil.rmtree(self.folder / name, ignore_errors=True)

    def _path(self, name: str, card: str, mark: str) -> Path:
        return self.folder / name / f"{card}~{mark}{ENDING}"

    def _write(self, name: str, file: str, data: bytes) -> None:
        try:
            (self.folder / name).mkdir(parents=True, exist_ok=True)
            write_whole(self.folder / name / file, data)
        except OSError as error:
            raise DeckRefused(NOT_WRITTEN) from error
