"""Follows the views of an evening as `companion watch` does, each alone or all together, and compares every hand with the true
one."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Thread

import msgspec

from companion.files import write_whole
from companion.games import read_lines
from companion.table.errors import ClipError
from companion.table.sure import SURE_FROM
from workshop.bench import keys
from workshop.bench.cache import Say
from workshop.bench.latency import LogVersion
from workshop.bench.stu.scoring import ClipScore, score
from workshop.full_tables.stu.filming import LETTERS, FilmedEvening, Shares, film_evening
from workshop.full_tables.stu.recipe import FullClip


class Watched(msgspec.Struct, frozen=True):
    """What came of following some ``views`` (numbers from 0) of an evening.

    ``cpu``: seconds of processor time; ``took``: seconds by the clock; ``memory``: the most, bytes; ``seconds``: length of the
    clip. By simulated eyes alone: ``questions`` that the referee would have asked, and how many hands are ``right_asked``, once
    they are answered truthfully.
    """

    name: str
    views: tuple[int, ...]
    score: ClipScore
    seconds: float
    cpu: float
    took: float
    memory: int
    questions: int | None = None
    right_asked: int | None = None

    @property
    def label(self) -> str:
        """``A``, ``B``, ``A and B``."""
        return " and ".join(LETTERS[view] for view in self.views)


class EveningResult(msgspec.Struct, frozen=True):
    """An evening: what each camera could see, and what came of each alone and of all together."""

    recipe: FullClip
    shares: tuple[Shares, ...]
    watched: tuple[Watched, ...]


def measured(clips: Sequence[FullClip], views: int, cache: Path, models: Path, say: Say) -> Iterator[EveningResult]:
    """Each evening filmed and followed; what is in the cache is not worked out again. ``views``: 1 follows each camera alone, 2
    or 3 as many of them together, too."""
    for recipe in clips:
        evening = film_evening(recipe, cache, say)
        count = min(views, len(recipe.views))
        groups = [(number,) for number in range(max(count, 2))] + ([tuple(range(count))] if count > 1 else [])
        shares = tuple(evening.shares(number) for number in range(len(recipe.views)))
        yield EveningResult(recipe, shares, tuple(_watched(evening, group, models, say) for group in groups))


def _watched(evening: FilmedEvening, views: tuple[int, ...], models: Path, say: Say) -> Watched:
    label = "".join(LETTERS[view] for view in views)
    kept = evening.folder / f"watched-{label}-{keys.eyes_key(models)}-{keys.ruling_key('stu')}.json"
    if kept.is_file():
        try:
            return msgspec.json.decode(kept.read_bytes(), type=Watched)
        except msgspec.MsgspecError:
            kept.unlink()  # written by an older version
    say(f"watching {label}", 0.0)
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch, "log.jsonl")
        first, *further = views
        command = [sys.executable, "-m", "companion", "watch", str(evening.clip(first)), "--table", str(evening.table(first)),
                   "--log", str(out), "--quiet"]  # fmt: skip
        for view in further:
            command += ["--view", str(evening.clip(view)), str(evening.table(view))]
        began = time.monotonic()
        cpu, memory = _run(command)
        took = time.monotonic() - began
        truth, log = evening.log(), read_lines(out.read_bytes())
    found = score(truth, (LogVersion(0.0, log),))
    seconds = float(len(evening.shares(first).places))
    result = Watched(evening.recipe.name, views, found, seconds, round(cpu, 1), round(took, 1), memory)
    write_whole(kept, msgspec.json.format(msgspec.json.encode(result), indent=1))
    return result


def _run(command: Sequence[str]) -> tuple[float, int]:
    """Processor seconds and the most memory in bytes that the command took. Raises ClipError with what it said where it fails."""
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        said: list[bytes] = []
        assert process.stderr is not None
        reading = Thread(target=lambda: said.extend(iter(process.stderr.readline, b"")))  # type: ignore[union-attr]
        reading.start()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        reading.join()
    if process.returncode not in (0, 3):
        words = b" ".join(said).decode(errors="replace").strip()
        raise ClipError(f"{' '.join(command)}: status {process.returncode}: {words or 'nothing was said'}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def right(watched: Sequence[Watched]) -> int:
    """How many hands are ruled right."""
    return sum(hand.right for one in watched for hand in one.score.hands)


def sure(watched: Sequence[Watched]) -> int:
    """How many are ruled right and shown as sure, so that nobody is asked."""
    return sum(hand.right and (hand.confidence or 0) >= SURE_FROM for one in watched for hand in one.score.hands)


def wrong_as_sure(watched: Sequence[Watched]) -> int:
    """How many rulings are wrong and shown as sure, those on hands that were never played among them."""
    return sum(
        sum(hand.wrong_as_sure for hand in one.score.hands) + sum(value >= SURE_FROM
                                                                  for value in one.score.invented) for one in watched
    )
