"""Draws recipes' pictures in processes of their own while a network learns from those that are there already."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import msgspec

from companion.table.errors import CannotTrain, CompanionError
from workshop.dataset.make import BLOCK, Task, rooms, table_tops, write_block
from workshop.dataset.recipe import Recipe
from workshop.evaluation.labels import TRUTH


@dataclass(frozen=True, slots=True)
class Work:
    """A recipe and the folder for its pictures. ``soon``: drawn among the first, such as what is calibrated on."""

    recipe: Recipe
    out: Path
    soon: bool = False


@dataclass(frozen=True, slots=True)
class Sources:
    """What pictures may be made of besides drawings: the folders of ``--scans``, ``--backgrounds`` and ``--surfaces``."""

    scans: Path | None = None
    backgrounds: Path | None = None
    surfaces: Path | None = None


def scaled(recipe: Recipe, share: float, least: int = 1) -> Recipe:
    """``recipe`` with that share of its pictures, ``least`` of them at least."""
    return msgspec.structs.replace(recipe, count=max(least, round(recipe.count * share)))


def drawn(folder: Path) -> int:
    """How many pictures of ``folder`` are finished."""
    truth = folder / TRUTH
    return truth.read_bytes().count(b"\n") if truth.exists() else 0


class Drawing:
    """Draws all ``works`` with ``jobs`` processes, from each in proportion, going on with what is there; stops when left.

    Raises:
        CompanionError: a folder of ``sources`` cannot be used.
    """

    def __init__(self, works: Sequence[Work], sources: Sources, jobs: int) -> None:
        for work in works:
            rooms(sources.backgrounds, work.recipe)
            table_tops(work.recipe, sources.surfaces, 0)
        if sources.scans is not None and not sources.scans.is_dir():
            raise CompanionError(f"{sources.scans}: no such folder: --scans expects one with stu/, french/, … of card scans")
        tasks = _tasks(works, sources)
        self._processes = [
            multiprocessing.get_context("spawn").Process(target=_draw, args=(own,), daemon=True)
            for number in range(jobs)
            if (own := tasks[number::jobs])
        ]

    def __enter__(self) -> Drawing:
        for process in self._processes:
            process.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    def stop(self) -> None:
        """Ends it now; blocks that are not finished are drawn again another time."""
        for process in self._processes:
            process.kill()
            process.join()
        self._processes = []

    def going_on(self) -> bool:
        """Whether something is still being drawn. Raises `CannotTrain` where a process failed; its own words are on stderr."""
        if any(process.exitcode for process in self._processes):
            raise CannotTrain("a process that draws pictures failed: what it said stands above; --resume draws on")
        return any(process.is_alive() for process in self._processes)


def _tasks(works: Sequence[Work], sources: Sources) -> list[tuple[Task, Path]]:
    """The blocks that are not finished, such that any beginning of the list has each work's share."""
    found: list[tuple[float, Task, Path]] = []
    for work in works:
        for folder in ("images", "labels"):
            (work.out / folder).mkdir(parents=True, exist_ok=True)
        there = _tidied(work.out)
        firsts = range(0, work.recipe.count, BLOCK)
        for number, first in enumerate(firsts):
            last = min(first + BLOCK, work.recipe.count)
            if not there.issuperset(range(first, last)):
                when = (number + 0.5) / len(firsts) * (0.1 if work.soon else 1.0)
                task = Task(work.recipe, first, last, sources.scans, sources.backgrounds, sources.surfaces)
                found.append((when, task, work.out))
    return [(task, out) for _, task, out in sorted(found, key=lambda entry: entry[0])]


def _tidied(folder: Path) -> set[int]:
    """The numbers of the finished pictures in ``folder``; a line that was cut off is removed."""
    truth = folder / TRUTH
    whole = truth.read_bytes() if truth.exists() else b""
    if whole and not whole.endswith(b"\n"):
        truth.write_bytes(whole[: whole.rfind(b"\n") + 1])
    return _numbers(folder)


def _numbers(folder: Path) -> set[int]:
    truth = folder / TRUTH
    return {_number(line) for line in truth.read_bytes().split(b"\n")[:-1]} if truth.exists() else set()


def _number(line: bytes) -> int:
    return int(Path(json.loads(line)["image"]).stem)


def _draw(tasks: list[tuple[Task, Path]]) -> None:
    """The work of one process. It ignores every signal but its parent's end, and `Drawing` kills it; what learns goes first."""
    os.nice(10)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    for task, out in tasks:
        there = _numbers(out)
        lines = b"".join(line for line in write_block((task, out)) if _number(line) not in there)
        with open(out / TRUTH, "ab", buffering=0) as file:  # one write, which no other process' can part
            file.write(lines)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
