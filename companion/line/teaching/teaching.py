"""Teaching a deck: photos from phones and from the table's camera into a draft, the draft into a deck, and the trial of it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np
from msgspec.structs import replace as changed
from numpy.typing import NDArray

from companion.decks.lists import BACK, LISTS, ListId, cards_of
from companion.eyes.enrol import CardPhoto, Looked, reasons
from companion.eyes.image import Image, encode_jpeg
from companion.eyes.source import Picture
from companion.line.teaching.drafts import NO_DRAFT, Drafts, Photo
from companion.line.teaching.progress import CardView, Making, Outcome, Seen, TeachingProgress, Tried
from companion.line.teaching.shelf import THERE_ALREADY, DeckRefused, Shelf
from companion.line.teaching.sight import Glance, Sight, Stillness, decoded, kept
from companion.photos.reading import NotRead
from companion.photos.reasons import BUSY, TOO_SLOW
from companion.table.errors import CompanionError, Reason
from companion.table.language import N_

_log = logging.getLogger(__name__)

MIN_ALIKE_COSINE: Final = 0.86
"""Cosine similarity of two cards' photos from which on they look the same; different cards of one deck stay below 0.8."""
MIN_DOUBTED_COSINE: Final = 0.7
"""Cosine similarity to another card from which on a photo is doubted that is closer to that card than to its own."""
HELD_SECONDS: Final = 4.0
"""Seconds after a page last asked what the camera sees until another page may watch."""
PAUSE_SECONDS: Final = 3.0
"""Seconds between two questions of a page; after a longer pause a card has to lie still from the start."""
MAX_TRIED: Final = 40
"""Greatest number of cards that one trial remembers."""

NO_PHOTOS = Reason("no_photos", N_("no card has a photo yet: a deck needs one at least"))
NOT_MADE = Reason("not_made", N_("no deck could be made of these photos: the program’s terminal says why"))


class Teaching:
    """Every method may be called from any thread. ``newest``: the camera's newest picture, None while there is none. ``clock``:
    seconds, never going back."""

    def __init__(
        self, shelf: Shelf, sight: Sight, newest: Callable[[], Picture | None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.shelf, self.drafts = shelf, Drafts(shelf.folder / "teaching")
        self._sight, self._newest, self._clock = sight, newest, clock
        self._lock = threading.Lock()
        self._watching = threading.Lock()
        self._still = Stillness()
        self._holder, self._answered = "", -HELD_SECONDS
        self._last: tuple[Picture, Seen] | None = None
        self._points: dict[str, NDArray[np.float32]] = {}
        self._slow: set[str] = set()  # marks of photos that took too long: each is tried once
        self._making: dict[str, Making] = {}
        self._trials: dict[str, list[tuple[Tried, bytes]]] = {}

    # The draft

    def begin(self, name: str, of: ListId) -> None:
        """Begin to teach a deck. Raises DeckRefused."""
        self.shelf.free(name)
        plan = self.drafts.plan(name)
        if plan is not None and plan.list != of:
            raise DeckRefused(THERE_ALREADY, name=name)
        self.drafts.begin(name, of)

    def improve(self, name: str) -> None:
        """Go on teaching a deck of the shelf, with the photos that are in it. Raises BadDeck, DeckRefused."""
        if self.drafts.plan(name) is None:
            self.drafts.begin_with(name, self.shelf.deck(name))

    def progress(self, name: str) -> TeachingProgress | None:
        """How far it is; None where no such deck is being taught."""
        plan = self.drafts.plan(name)
        if plan is None:
            return None
        doubts, photos = self._doubts(name, plan.agreed), self.drafts.photos(name)
        return TeachingProgress(name, plan.list, plan.each, tuple(
            CardView(card, photos.get(card, ()), card in plan.skipped, doubts.get(card))
            for card in cards_of(plan.list)
        ))  # fmt: skip

    def upload(self, name: str, card: str, data: bytes) -> Outcome:
        """Take a photo that a phone has sent. Raises DeckRefused."""
        self._known(name, card)
        try:
            image = decoded(data)
        except NotRead as error:
            return Outcome(card, refusal=error.reason)
        looked = self._sight.look(image)
        return self._take(name, card, looked.card) if looked.card is not None else _refused(card, looked)

    def look(self, name: str, card: str, page: str, more: bool = False) -> Seen:
        """What the camera sees, for a ``page`` that waits for this card; it is taken when it lies still, ``more``: also where
        there are photos enough of it. Raises DeckRefused."""
        self._known(name, card)

        def take(picture: Picture, found: CardPhoto) -> Seen:
            outcome = self._take(name, card, found)
            return Seen("taken" if outcome.mark else "refused", refusal=outcome.refusal, outcome=outcome)

        progress = self.progress(name)
        wanted = more or (progress is not None and any(progress.open(one) for one in progress.cards if one.id == card))
        return self._watch(page, take if wanted else None)

    def again(self, name: str, card: str) -> None:
        """Take this card's photos again: the present ones are deleted."""
        for mark in self.drafts.photos(name).get(card, ()):
            self.drafts.drop(name, card, mark)
        self.drafts.change(name, lambda plan: changed(plan, skipped=tuple(one for one in plan.skipped if one != card)))

    # The deck

    def make(self, name: str) -> None:
        """Begin to make the deck of the draft; `making` tells how far it is. Raises DeckRefused."""
        progress = self.progress(name)
        if progress is None:
            raise DeckRefused(NO_DRAFT)
        if not progress.faces:
            raise DeckRefused(NO_PHOTOS)
        with self._lock:
            now = self._making.get(name)
            if now is not None and not (now.ready or now.failed):
                return  # tapped twice, or by another phone
            self._making[name] = Making(0, progress.taken)
        threading.Thread(target=self._make, args=(name, progress), name="teaching", daemon=True).start()

    def making(self, name: str) -> Making | None:
        """How far the deck is; None where nobody has begun to make it since the program was started."""
        return self._making.get(name)

    def finished(self, name: str) -> bool:
        """Whether the deck on the shelf has all that the draft has."""
        plan = self.drafts.plan(name)
        return plan is not None and plan.made == self.drafts.state(name) and self.shelf.entry(name) is not None

    def forget(self, name: str) -> None:
        """Delete the draft and what is known of its deck's making and trial."""
        self.drafts.discard(name)
        self._making.pop(name, None)
        self._trials.pop(name, None)

    # The trial

    def trial(self, name: str) -> tuple[Tried, ...]:
        """The cards that were tried, the first one first."""
        return tuple(tried for tried, _ in self._trials.get(name, ()))

    def tried_picture(self, name: str, mark: str) -> bytes | None:
        """The straightened card of a trial, JPEG; None where there is none."""
        return next((picture for tried, picture in self._trials.get(name, ()) if tried.mark == mark), None)

    def try_photo(self, name: str, data: bytes) -> Outcome | Tried:
        """Name the card in a photo that a phone has sent. Raises BadDeck."""
        try:
            image = decoded(data)
        except NotRead as error:
            return Outcome("", refusal=error.reason)
        looked = self._sight.look(image)
        return self._try(name, image, looked.card) if looked.card is not None else _refused("", looked)

    def try_look(self, name: str, page: str) -> Seen:
        """What the camera sees, for a ``page`` with the trial: a card that lies still is named. Raises BadDeck."""
        return self._watch(page, lambda picture, found: Seen("taken", tried=self._try(name, picture.image, found)))

    def judge_trial(self, name: str, mark: str, right: bool, was: str | None = None) -> None:
        """What the organiser says of a card that was tried; of one that is not there nothing is kept."""
        with self._lock:
            self._trials[name] = [
                (replace(tried, right=right, was=was) if tried.mark == mark else tried, picture)
                for tried, picture in self._trials.get(name, ())
            ]

    def try_again(self, name: str) -> None:
        """Begin the trial again."""
        self._trials.pop(name, None)

    def _known(self, name: str, card: str) -> None:
        plan = self.drafts.plan(name)
        if plan is None or not (card == BACK or card in LISTS[plan.list].NAMES):
            raise DeckRefused(NO_DRAFT)

    def _take(self, name: str, card: str, found: CardPhoto) -> Outcome:
        photo = kept(card, found)
        if self.drafts.whose(name, photo.picture) not in (None, card):
            return Outcome(card, refusal=reasons.TWICE)
        mark = self.drafts.add(name, card, photo)
        doubt = self._doubts(name, ()).get(card)
        return Outcome(card, mark, like=doubt[1] if doubt is not None and doubt[0] == mark else None)

    def _doubts(self, name: str, agreed: tuple[str, ...]) -> dict[str, tuple[str, str]]:
        """Cards with a photo that looks like another card's that was taken before it: the newest such photo, and that card."""
        order = [one for one in self.drafts.order(name) if self._embedded(name, *one) is not None]
        if len(order) < 2:
            return {}
        points = np.stack([self._points[mark] for _, mark in order])
        cosines = np.max(np.einsum("id,jkd->ijk", points[:, 0], points), axis=2)
        cards = np.array([card for card, _ in order])
        found: dict[str, tuple[str, str]] = {}
        for n, (card, mark) in enumerate(order):
            others, own = cards[:n] != card, cards == card
            own[n] = False
            if mark in agreed or not others.any():
                continue
            near = int(np.where(others, cosines[n, :n], -1).argmax())
            itself = float(cosines[n, own].max(initial=-1.0)) if own.any() else 1.0
            if cosines[n, near] > MIN_ALIKE_COSINE or cosines[n, near] > max(MIN_DOUBTED_COSINE, itself):
                found[card] = mark, str(cards[near])
        return found

    def _embedded(self, name: str, card: str, mark: str) -> NDArray[np.float32] | None:
        if mark not in self._points and mark not in self._slow:
            photo = self.drafts.photo(name, card, mark)
            if photo is None:
                return None
            try:
                self._points[mark] = self._sight.embed([decoded(photo.picture)])[0]
            except NotRead as error:  # from a deck file that somebody else has made
                if error.reason == TOO_SLOW:
                    self._slow.add(mark)
                elif error.reason != BUSY:
                    self.drafts.drop(name, card, mark)
        return self._points.get(mark)

    def _watch(self, page: str, take: Callable[[Picture, CardPhoto], Seen] | None) -> Seen:
        """Look at the newest picture for this page; ``take`` what lies still, None: nothing is wanted now."""
        with self._watching:
            now, picture = self._clock(), self._newest()
            waited = now - self._answered
            if self._holder != page and waited < HELD_SECONDS:
                return Seen("elsewhere")
            if waited >= PAUSE_SECONDS:
                self._still.pause()
            self._holder = page
            try:
                return self._answer(picture, now, take)
            finally:
                self._answered = self._clock()  # what a look takes on a slow machine is no pause of the page's

    def _answer(self, picture: Picture | None, now: float, take: Callable[[Picture, CardPhoto], Seen] | None) -> Seen:
        """What is seen in this picture, taken at ``now``; None: there is no camera."""
        if picture is None:
            self._still.saw(None)
            return Seen("no_camera")
        if self._last is not None and self._last[0] is picture:
            return self._last[1] if self._last[1].state != "taken" else replace(self._last[1], state="before", outcome=None)
        seen = self._seen(picture, now, take)
        self._last = picture, seen
        return seen

    def _seen(self, picture: Picture, now: float, take: Callable[[Picture, CardPhoto], Seen] | None) -> Seen:
        size = picture.image.shape[1], picture.image.shape[0]
        looked = self._sight.look(picture.image, guess=False)
        quads = tuple(tuple((float(x), float(y)) for x, y in quad) for quad in looked.quads)
        if looked.card is None:
            self._still.saw(None)
            why = looked.refusal.reason if looked.refusal is not None else reasons.NO_CARD
            return Seen("none", size) if why == reasons.NO_CARD else Seen("refused", size, quads, why)
        verdict = self._still.saw(Glance(now, looked.card.quad, self._sight.embed([looked.card.picture])[0]))
        if take is None:
            return Seen("enough", size, quads)
        if verdict != "still":
            return Seen(verdict, size, quads)
        done = take(picture, looked.card)
        self._still.took()
        return replace(done, size=size, quads=quads)

    def _make(self, name: str, progress: TeachingProgress) -> None:
        def on_card(card: str) -> None:
            now = self._making[name]
            self._making[name] = replace(now, done=min(now.done + 1, now.of))

        state = self.drafts.state(name)
        try:
            cards = {card.id: self._photos(name, card) for card in progress.cards if card.marks}
            made = self._sight.make({card: photos for card, photos in cards.items() if photos}, on_card)
            self.shelf.put(name, made.deck)
            self.drafts.change(name, lambda plan: changed(plan, made=state))
        except DeckRefused as refused:
            self._making[name] = Making(0, 0, refused.reason)
        except CompanionError as error:
            _log.warning("%s: %s", name, error)
            self._making[name] = Making(0, 0, NOT_MADE)
        except Exception:  # noqa: BLE001  a thread of its own: the page that waits is told
            _log.exception("%s cannot be made", name)
            self._making[name] = Making(0, 0, NOT_MADE)
        else:
            self._trials.pop(name, None)
            self._making[name] = Making(progress.taken, progress.taken, None, True, made.right, made.like_pedine)

    def _photos(self, name: str, card: CardView) -> list[Photo]:
        return [photo for mark in card.marks if (photo := self.drafts.photo(name, card.id, mark)) is not None]

    def _try(self, name: str, image: Image, found: CardPhoto) -> Tried:
        named = self._sight.name(name, self.shelf.deck(name), image, found.quad)
        with self._lock:
            kept = self._trials.setdefault(name, [])
            tried = Tried(f"{time.monotonic_ns():x}", named.card, named.probability)
            self._trials[name] = [*kept[-MAX_TRIED + 1 :], (tried, encode_jpeg(found.picture))]
        return tried


def _refused(card: str, looked: Looked) -> Outcome:
    return Outcome(card, refusal=looked.refusal.reason if looked.refusal is not None else reasons.NO_CARD)
