"""Pictures held decoded in the memory of the device that trains, read by a thread of its own while others take from it.

Reading and warping a picture for each view keeps a processor core busy for 5 ms, and a GPU learns from thousands of views a
second. Folders may grow meanwhile. What does not fit takes turns with what does.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from types import TracebackType
from typing import Self

import cv2
import msgspec
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from companion.table.errors import CannotTrain
from workshop.evaluation.labels import TRUTH, LabelledPicture, PictureLabel, labelled
from workshop.training.pictures import INPUT, Aimed, Cards, aimed, place, share_inside, shown
from workshop.training.process_group import ALONE, ProcessGroup
from workshop.training.training_run import keep_on

PATIENCE = 600.0
"""Seconds that somebody waits for enough to be there."""


class BackgroundFeeder(ABC):
    """Filled by `_feed` in a thread of its own, from `__enter__` to `__exit__`."""

    def __init__(self) -> None:
        self._lock = threading.Condition()
        self._stop = threading.Event()
        self._feeder = ThreadPoolExecutor(1)

    def __enter__(self) -> Self:
        self._feeding = self._feeder.submit(self._feed)
        self._feeding.add_done_callback(self._wake)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stop.set()
        self._feeder.shutdown()

    @abstractmethod
    def _feed(self) -> None:
        """The thread's work, until ``_stop`` is set; it tells ``_lock`` of whatever is new."""

    def _wake(self, feeding: Future[None]) -> None:
        with self._lock:
            self._lock.notify_all()

    def _await(self, enough: Callable[[], object]) -> None:
        """Waits, with the lock held, until there is ``enough`` or nothing more comes. Raises what went wrong in the thread."""
        self._lock.wait_for(lambda: enough() or self._feeding.done(), PATIENCE)
        if self._feeding.done():
            self._feeding.result()

AT_ONCE = 32
"""Pictures that are read before they go to the device together."""


class AppendingFolder:
    """A folder of labelled pictures that may still be growing, read on where it was left."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read = 0
        self._decoder = msgspec.json.Decoder(PictureLabel)

    def new(self) -> list[LabelledPicture]:
        """The pictures that were added since the last call; an unfinished last line waits for the next one."""
        truth = self.folder / TRUTH
        if not truth.exists():
            return []
        with truth.open("rb") as file:
            file.seek(self._read)
            lines = file.read().split(b"\n")[:-1]
        self._read += sum(len(line) + 1 for line in lines)
        return [labelled(self.folder, self._decoder.decode(line)) for line in lines]


class DeviceCache(BackgroundFeeder):
    """The pictures of ``folders``, as many as fit into ``room`` gigabytes of ``device``.

    Each process of a ``team`` has its share of them. ``readers``: threads that read, or processes where a GPU learns, which one
    process' own work would keep waiting. ``often``: folder → share 0..1 of the views that come from it; the rest come from the
    other folders, each picture as often as any other.
    """

    def __init__(
        self, folders: Sequence[Path], device: torch.device, room: float, readers: int = 2, team: ProcessGroup = ALONE,
        often: Mapping[str, float] | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.device, self.team, self.often = device, team, dict(often or {})
        self.capacity = max(1, int(room * 1e9 / (3 * INPUT[0] * INPUT[1])))
        self._growing = [AppendingFolder(folder) for folder in folders]
        self._images: list[Tensor] = []
        self._cards: list[Cards] = []
        self._slots: dict[str, list[int]] = {}
        self._folder_of: list[str] = []
        self._next = 0
        self._readers = max(1, readers)

    def __len__(self) -> int:
        return len(self._cards)

    def batches(self, count: int, rngs: Iterable[np.random.Generator], ahead: int = 0) -> Iterator[dict[str, Tensor]]:
        """For each of ``rngs`` a batch of ``count`` views of pictures that it picks, as of `pictures.batch_up`, on the device.

        ``ahead``: processes that work out what the next batches show while the device is busy; 0: this one does.
        Waits for the first pictures. Raises `CannotTrain` where there are none, and what went wrong while reading.
        """
        if not ahead:
            for rng in rngs:
                images, cards = self._picked(count, rng)
                yield shown(torch.stack(images), aimed(cards, rng))
            return
        waiting: deque[tuple[list[Tensor], Future[Aimed]]] = deque()
        pool = ProcessPoolExecutor(ahead, mp_context=get_context("spawn"), initializer=keep_on)
        try:
            for rng in rngs:
                images, cards = self._picked(count, rng)
                waiting.append((images, pool.submit(aimed, cards, rng)))
                if len(waiting) > ahead:
                    yield _finished(*waiting.popleft())
            yield from (_finished(*one) for one in waiting)
        finally:
            pool.shutdown(cancel_futures=True)

    def _picked(self, count: int, rng: np.random.Generator) -> tuple[list[Tensor], list[Cards]]:
        with self._lock:
            self._await(lambda: self._cards)
            if not self._cards:
                raise CannotTrain("no pictures came: make some with companion dataset make")
            chosen = self._pick(count, rng)
            return [self._images[slot] for slot in chosen], [self._cards[slot] for slot in chosen]

    def _pick(self, count: int, rng: np.random.Generator) -> list[int]:
        favoured = [(slots, self.often[name]) for name, slots in self._slots.items() if self.often.get(name) and slots]
        others = [slot for name, slots in self._slots.items() if not self.often.get(name) for slot in slots] if favoured else None
        chosen = []
        draws = rng.random(count)
        for draw in draws:
            slots: Sequence[int] = others or range(len(self._cards))
            for those, share in favoured:
                if draw < share:
                    slots = those
                    break
                draw -= share
            chosen.append(slots[int(rng.integers(len(slots)))])
        return chosen

    def _feed(self) -> None:
        """Reads whatever is new; where not all fits, goes on with the oldest again. A thread's work until `__exit__`."""
        waiting: deque[LabelledPicture] = deque()
        past: deque[LabelledPicture] = deque()
        known = 0
        spawn = get_context("spawn")
        with (
            ThreadPoolExecutor(self._readers)
            if self.device.type == "cpu"
            else ProcessPoolExecutor(self._readers, mp_context=spawn, initializer=keep_on)
        ) as pool:
            while not self._stop.is_set():
                for growing in self._growing:
                    for picture in growing.new():
                        if known % self.team.size == self.team.rank:
                            waiting.append(picture)
                        known += 1
                if not waiting and len(past) > self.capacity:
                    waiting.extend(past.popleft() for _ in range(AT_ONCE))
                    self._stop.wait(0.2)  # the processor has more to do
                some = list(islice(waiting, AT_ONCE))
                for image, cards in pool.map(read, some):
                    self._keep(image, cards, str(waiting[0].path.parent.parent))
                    past.append(waiting.popleft())
                if not some:
                    self._stop.wait(0.5)

    def _keep(self, image: NDArray[np.uint8], cards: Cards, folder: str) -> None:
        there = torch.from_numpy(image).to(self.device)
        with self._lock:
            slot = self._next % self.capacity
            self._next += 1
            if slot == len(self._cards):
                self._images.append(there)
                self._cards.append(cards)
                self._folder_of.append(folder)
            else:
                self._slots[self._folder_of[slot]].remove(slot)
                self._images[slot], self._cards[slot], self._folder_of[slot] = there, cards, folder
            self._slots.setdefault(folder, []).append(slot)
            self._lock.notify_all()


def _finished(images: Sequence[Tensor], future: Future[Aimed]) -> dict[str, Tensor]:
    return shown(torch.stack(list(images)), future.result())


def read(picture: LabelledPicture) -> tuple[NDArray[np.uint8], Cards]:
    """One picture, fitted whole into the network's input as (3, height, width), and its cards there."""
    cv2.setNumThreads(0)
    image = picture.read()
    fitted, target = place(picture, image, None, every=True)
    inside = np.array([share_inside(quad, image.shape[0], image.shape[1]) for quad in picture.quads])
    cards = Cards(target.quads, target.classes, target.corners, picture.visible / np.maximum(inside, 1e-6))
    return np.ascontiguousarray(fitted.transpose(2, 0, 1)), cards
