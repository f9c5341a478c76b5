"""Faults that a ledger has to survive, done to it at random: `python tools/faults.py --kills 200 --flips 300` prints what was
lost.

A child of this program plays by thumb and says each thing that was acknowledged; it is killed at a random moment, also while
games begin and while the disk is full, and two of them begin on one ledger. Then the ledger is read, and played on. What was
acknowledged must be there once, and nothing beside it but what was on its way.
"""

from __future__ import annotations

import argparse
import logging
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from companion.assets import asset
from companion.dashboard.organiser.editor import EveningEditor
from companion.editing.commands import Command, Say, Undo
from companion.games import house_game, log_format
from companion.games.stu.rules.log import Reveal, new_game
from companion.ledger import Ledger
from companion.ledger import file as files
from companion.line.recorder import EveningRecorder
from companion.line.salvage import salvage
from companion.line.tablefile import parse_table_file
from companion.referee import Evening, replay
from companion.referee.record import Saw
from companion.table.errors import CompanionError, GameError, LedgerError
from companion.table.game import Over
from companion.table.log import tag
from workshop.soak.program import Program
from workshop.soak.tried import HEAD, Tried, row

FIRST = new_game(["Anna", "Bruno", "Carla", "Dino"], 200, "Carla")
NOTES = {"camera": "0", "table": "{}", "deck": "house"}
MOST_WORDS, MOMENT_S = 40, 0.02
"""A child is killed after it has told a random number of things below the first, and a random time of at most the other: at any
moment from its beginning on, however slow the machine is."""
MOST_REPORTS, FOLLOWED_S = 13, 30.0
"""A program that follows a clip is killed after a random number of reports below the first, and after the other, in seconds, at
the latest: once the clip is over, nothing more is reported."""

Tell = Callable[..., None]


def command(evening: Evening, chance: random.Random) -> Command:
    """Something that somebody could tap now."""
    if evening.record.undoable and chance.random() < 0.1:
        return Undo(evening.record.undoable[-1])
    offered = house_game(evening.game).pages.offers(evening.current.after, "en", just_over=evening.current.over)
    covered = [one for one in getattr(offered, "covered", ()) if one.kinds]
    if offered.offers and not (covered and chance.random() < 0.5):
        return Say(chance.choice(offered.offers).events)
    seat = chance.choice(covered)
    return Say((Reveal(by=seat.player, card=chance.choice(seat.kinds)),))


def tap(ledger: Ledger, editor: EveningEditor, chance: random.Random) -> int:
    """Tap once; how many things have been reported of the game then."""
    while True:
        current = editor.stands()
        if isinstance(current.game.rules.waiting(current.evening.current.after), Over):
            EveningRecorder.begin(ledger, FIRST, **NOTES)
            continue
        try:
            made = command(current.evening, chance)
            editor.do(current.game_id, current.version, made, by="Rina", tap=f"{chance.getrandbits(64):x}")
        except GameError:
            continue
        return ledger.stand(current.game_id).reports


def play(path: Path, tell: Tell, chance: random.Random, room: int | None = None) -> None:
    """Play on without end. ``room``: bytes that the ledger's files may still grow by."""
    try:
        ledger = Ledger.open(path, log_format, keep_going=True)
    except LedgerError:
        tell("refused")
        return
    tell("held")
    if room is not None:
        largest = max(file.stat().st_size for file in path.parent.iterdir() if file.name.startswith(path.name))
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest + room, resource.RLIM_INFINITY))
    editor = EveningEditor(ledger, ledger.newest)
    while True:
        reports = tap(ledger, editor, chance)
        tell("memory" if ledger.trouble is not None else "disk", ledger.newest(), reports)


def begin_again(path: Path, tell: Tell) -> None:
    """Begin evenings without end."""
    with Ledger.open(path, log_format) as ledger:
        while True:
            tell("begun", EveningRecorder.begin(ledger, FIRST, "camera 0", **NOTES).game_id)


class Child:
    """A process of its own that does this work and tells of it. It is killed by `killed`, and not before."""

    def __init__(self, work: Callable[[Tell], None]) -> None:
        self._told, telling = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                logging.disable()
                work(lambda *words: os.write(telling, (" ".join(map(str, words)) + "\n").encode()))
            finally:
                os._exit(0)
        os.close(telling)
        self._rest = b""

    def next(self) -> list[str]:
        """What it tells next; nothing once it has ended."""
        while b"\n" not in self._rest and (more := os.read(self._told, 65536)):
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode().split()

    def killed_sometime(self, chance: random.Random) -> list[list[str]]:
        """Kill it at a random moment; all that it has told till then."""
        told = [self.next() for _ in range(chance.randrange(MOST_WORDS))]
        time.sleep(chance.uniform(0, MOMENT_S))
        return [line for line in told if line] + self.killed()

    def killed(self) -> list[list[str]]:
        """Kill it; all that it has told since."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        told = []
        while line := self.next():
            told.append(line)
        os.close(self._told)
        return told


def sound(path: Path, acknowledged: dict[int, int], tried: Tried, memory: dict[int, int] | None = None) -> None:
    """Whether the ledger has what was acknowledged (game → reports), once, at most one tap more, and can be played on.
    ``memory``: what may be there besides, as it was said to be in memory."""
    with Ledger.open(path, log_format) as ledger:
        beyond = 0
        for game, reports in acknowledged.items():
            there = ledger.stand(game).reports
            tried.check(there >= reports, f"of {reports} acknowledged taps of game {game}, {there} are there")
            beyond += there - max(reports, (memory or {}).get(game, 0))
        tried.check(beyond <= 1, f"{beyond} taps that nobody was told of")
        newest = ledger.newest()
        assert newest is not None
        recorder = EveningRecorder.resume(ledger, newest)
        thought = replay(recorder.evening.game, recorder.evening.record)
        tried.check(ledger.lines(newest) == recorder.evening.log, "the log is not the evening's")
        tried.check([line.event for line in thought.log] == [line.event for line in recorder.evening.log], "it thinks otherwise")
        taps = [entry.tap for entry in recorder.evening.record.entries if not isinstance(entry, Saw)]
        tried.check(len(set(taps)) == len(taps), "a tap is there twice")
        tap(ledger, EveningEditor(ledger, ledger.newest), random.Random(tried.tried))


def fresh(folder: Path) -> Path:
    """A ledger with an evening that has begun."""
    path = folder / "evenings.ledger"
    with Ledger.open(path, log_format) as ledger:
        EveningRecorder.begin(ledger, FIRST, **NOTES)
    return path


def stood(path: Path) -> dict[int, int]:
    """How many reports each game has now."""
    with Ledger.look(path, log_format) as ledger:
        return {game.id: ledger.stand(game.id).reports for game in ledger.games()}


def kills(folder: Path, times: int, chance: random.Random) -> Tried:
    """Killed at random moments of play, again and again on one ledger."""
    path, tried = fresh(folder), Tried()
    for tried.tried in range(1, times + 1):
        acknowledged, seed = stood(path), random.Random(chance.random())
        child = Child(lambda tell: play(path, tell, seed))  # noqa: B023  the child has its own
        for _, *numbers in child.killed_sometime(chance):
            if numbers:
                acknowledged[int(numbers[0])] = int(numbers[1])
                tried.acknowledged += 1
        sound(path, acknowledged, tried)
    return tried


def begins(folder: Path, times: int, chance: random.Random) -> Tried:
    """Killed while evenings begin."""
    path, tried, begun = folder / "evenings.ledger", Tried(), 0
    for tried.tried in range(1, times + 1):
        child = Child(lambda tell: begin_again(path, tell))
        told = child.killed_sometime(chance)
        begun = int(told[-1][1]) if told else begun
        tried.acknowledged += len(told)
        if not path.exists():
            tried.check(not told, "the ledger is gone")
            continue
        with Ledger.open(path, log_format) as ledger:
            games = ledger.games()
            tried.check(begun <= len(games) <= begun + 1, f"{begun} games were begun, {len(games)} are there")
            begun = len(games)
            for game in games[: len(told) + 1]:
                tried.check(game.version == 1 and ledger.notes(game.id) == NOTES, f"game {game.id} was begun by half")
            if games:
                EveningRecorder.resume(ledger, games[0].id)
    return tried


def full(folder: Path, times: int, chance: random.Random) -> Tried:
    """The disk is full at a random moment; killed then, or once there is room again and all has been written."""
    path, tried = fresh(folder), Tried()
    for tried.tried in range(1, times + 1):
        acknowledged, seed, room = stood(path), random.Random(chance.random()), chance.randrange(200_000)
        child = Child(lambda tell: play(path, tell, seed, room))  # noqa: B023  the child has its own
        memory, in_memory = dict[int, int](), 0
        makes_room, most = chance.random() < 0.5, chance.randrange(1, 20)
        while in_memory < most and (said := child.next()):
            if said[0] in ("disk", "memory"):
                in_memory += said[0] == "memory"
                tried.acknowledged += 1
                (memory if said[0] == "memory" else acknowledged)[int(said[1])] = int(said[2])
        tried.counted["taps in memory"] += in_memory
        if makes_room:
            resource.prlimit(child.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            while (said := child.next()) and said[0] != "disk":
                tried.acknowledged += 1
                memory[int(said[1])] = int(said[2])
            acknowledged[int(said[1])] = int(said[2])
            tried.counted["written afterwards"] += 1
        else:
            time.sleep(chance.uniform(0, 0.05))
        for where, *numbers in child.killed():
            if numbers:
                (memory if where == "memory" else acknowledged)[int(numbers[0])] = int(numbers[1])
        sound(path, acknowledged, tried, memory)
    return tried


def races(folder: Path, times: int, chance: random.Random) -> Tried:
    """Two programs begin on one ledger at once, and both are killed."""
    path, tried = fresh(folder), Tried()
    for tried.tried in range(1, times + 1):
        acknowledged, both = stood(path), []
        for _ in range(2):
            seed = random.Random(chance.random())
            both.append(Child(lambda tell: play(path, tell, seed)))  # noqa: B023  each has its own
        first = [child.next()[0] for child in both]
        for child in both:
            for _, *numbers in child.killed_sometime(chance):
                if numbers:
                    acknowledged[int(numbers[0])] = int(numbers[1])
                    tried.acknowledged += 1
        tried.check(sorted(first) == ["held", "refused"], f"the two were {first}")
        tried.counted["refused"] += first.count("refused")
        sound(path, acknowledged, tried)
    return tried


def flips(folder: Path, times: int, chance: random.Random) -> Tried:
    """Bits of the file are flipped: it is opened and played on, or refused with what to do; what salvage brings is played on."""
    path, tried = fresh(folder), Tried()
    with Ledger.open(path, log_format) as ledger:
        editor = EveningEditor(ledger, ledger.newest)
        for _ in range(150):
            tap(ledger, editor, chance)
        newest = ledger.newest()
        assert newest is not None
        true = ledger.lines(newest)
    whole = path.read_bytes()
    harmed, mended = folder / "harmed.ledger", folder / "mended.ledger"
    for tried.tried in range(1, times + 1):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 1, 3, 10))):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        harmed.write_bytes(data)
        mended.unlink(missing_ok=True)
        _salvaged(harmed, mended, newest, true, tried)
        try:
            with Ledger.open(harmed, log_format) as ledger:
                tried.check(ledger.lines(newest) == true, "another log is shown than was recorded")
                tap(ledger, EveningEditor(ledger, ledger.newest), random.Random(1))
            tried.counted["opened, and played on"] += 1
        except CompanionError as error:
            tried.check("\n" not in str(error), "not one line")
            tried.counted["refused in a line"] += 1
    return tried


def clips(folder: Path, times: int, chance: random.Random) -> Tried:
    """The program is killed while it follows the bundled clip, again and again, each time from where it was left."""
    path, tried, before = folder / "evenings.ledger", Tried(), list[str]()
    clip = asset("datasets/demo")
    table = (clip / "table.json").read_text()
    with Ledger.open(path, log_format) as ledger:
        game = EveningRecorder.begin(ledger, parse_table_file(table).first, "clip", camera=str(clip / "demo.mp4"),
                                     table=table).game_id
    program = Program(path, "--pace", "4")
    for tried.tried in range(1, times + 1):
        program.begin()
        wanted, most = len(before) + chance.randrange(MOST_REPORTS), time.monotonic() + FOLLOWED_S
        while stood(path)[game] < wanted and time.monotonic() < most:
            time.sleep(MOMENT_S)
        time.sleep(chance.uniform(0, 1))
        program.kill()
        with Ledger.open(path, log_format) as ledger:
            there = list(ledger.reports(game))
            tried.check(there[: len(before)] == before, "what had been seen is gone, or is there twice")
            recorder = EveningRecorder.resume(ledger, game)
            thought = replay(recorder.evening.game, recorder.evening.record)
            same = [line.event for line in thought.log] == [line.event for line in recorder.evening.log]
            tried.check(same, "it thinks otherwise")
            tried.check(ledger.lines(game) == recorder.evening.log, "the log is not the evening's")
        tried.acknowledged += len(there) - len(before)
        before = there
    tried.counted["hands begun"] = sum(tag(line.event) == "hand" for line in recorder.evening.log)
    return tried


def _salvaged(harmed: Path, mended: Path, newest: int, true: tuple[object, ...], tried: Tried) -> None:
    try:
        found = salvage(harmed, mended)
    except CompanionError:
        tried.counted["nothing to salvage"] += 1
        return
    game = next((one for one in found.games if one.id == newest), None)
    lines = game.lines if game is not None else ()
    tried.counted["salvaged whole" if lines == true else "salvaged up to a line"] += bool(lines)
    tried.counted["lines lost by salvage"] += len(true) - len(lines)
    if lines:
        with Ledger.open(mended, log_format) as ledger:
            tap(ledger, EveningEditor(ledger, lambda: newest), random.Random(1))


def hall(folder: Path, times: int, chance: random.Random) -> Tried:
    """Of a hall of tables; needs PostgreSQL."""
    import hall_faults

    return hall_faults.hall(folder, times, chance)


FAULTS: dict[str, tuple[Callable[[Path, int, random.Random], Tried], str]] = {
    "kills": (kills, "SIGKILL at a random moment of play"),
    "begins": (begins, "SIGKILL while evenings begin"),
    "full": (full, "a disk that is full, and SIGKILL"),
    "races": (races, "two programs begin on one ledger, and SIGKILL"),
    "clips": (clips, "SIGKILL while a clip is followed"),
    "flips": (flips, "1 to 10 flipped bits"),
    "hall": (hall, "a hall of three tables: a process, the database, all of it, a sender killed; a second sender"),
}


def main() -> int:
    """Do what was asked; 1 where something was lost, doubled, or left so that it cannot be played on."""
    files.RETRY_SECONDS = 0.05
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    for name, (_, what) in FAULTS.items():
        asked.add_argument(f"--{name}", type=int, default=0, metavar="TIMES", help=what)
    asked.add_argument("--seed", type=int, default=1)
    options = asked.parse_args()
    logging.basicConfig(level=logging.CRITICAL)
    wrong = 0
    print(*HEAD, sep="\n", flush=True)
    for name, (do, what) in FAULTS.items():
        if times := getattr(options, name):
            folder = Path(tempfile.mkdtemp(prefix="faults-"))
            found = do(folder, times, random.Random(options.seed))
            shutil.rmtree(folder)
            print(row(what, found), flush=True)
            print(*found.wrong, sep="\n", end="\n" if found.wrong else "", file=sys.stderr)
            wrong += len(found.wrong)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
