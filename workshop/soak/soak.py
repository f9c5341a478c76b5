"""Simulated evenings against the real program, with faults of every kind at random, and what must hold after each of them.

An evening goes faster than at a table: ten hands are an hour. In the first half the program itself is killed, too; in the second
it runs through, so that its memory can be followed.
"""

from __future__ import annotations

import json
import random
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.games import GAMES, log_format
from companion.ledger import Ledger
from companion.line.camera import memory_of
from companion.line.recorder import EveningRecorder
from workshop.soak.camera import Mode, NetworkCamera, table
from workshop.soak.evenings import first_of, glimpse
from workshop.soak.program import Program, can_be_read_only
from workshop.soak.tried import Tried, check_growth, check_kept, check_unshown
from workshop.soak.visitors import Json, Phone, Unanswered, asked, next_tap, nobodies

HANDS_AN_HOUR = 10
TAPS_BETWEEN = 15
"""Taps between two faults."""
KNOWN_SECONDS = 30.0
"""A camera's trouble must be known to TV and phone by then. How long it took is told: a machine with other work takes longer."""
WELL_SECONDS = 120.0
"""How soon all must be well again: a camera side that was struck again and again rests for half a minute."""
BEGUN_AGAIN = ("the program is killed (SIGKILL)", "it begins on a read-only disk", "another evening is begun")
"""Faults that end the program."""


class Soak:
    """One run in ``folder``. ``say``: told of every fault."""

    def __init__(self, folder: Path, hours: float, seed: int, at_most: float, say: Callable[[str], None]) -> None:
        self._ledger = folder / "evenings.ledger"
        self._chance, self._say = random.Random(seed), say
        self._hands, self._ends = hours * HANDS_AN_HOUR, time.monotonic() + at_most
        self._begun = time.monotonic()
        self._program = Program(self._ledger, "--footage", "10", "--no-season")
        self._phone = Phone()
        self._games = [game for game in GAMES if GAMES[game].has_pages]
        self._game = 0
        self.acknowledged: dict[str, int] = {}
        self._done: dict[str, Json] = {}
        self._taps = 0
        self.memory: dict[str, list[float]] = {"pages": []}
        self.rows: dict[str, Tried] = {"play": Tried()}
        self.hands = 0
        self.faults: dict[str, Callable[[Tried], None]] = {
            "the camera side is killed (SIGKILL)": lambda tried: self._struck(tried, signal.SIGKILL),
            "the camera side crashes (SIGSEGV)": lambda tried: self._struck(tried, signal.SIGSEGV),
            "the camera side hangs (SIGSTOP)": lambda tried: self._struck(tried, signal.SIGSTOP),
            "the camera freezes": lambda tried: self._befallen(tried, "frozen"),
            "the camera falls silent": lambda tried: self._befallen(tried, "silent"),
            "the camera sends garbage": lambda tried: self._befallen(tried, "garbage"),
            "the camera sends half pictures": lambda tried: self._befallen(tried, "half"),
            "the camera's pictures change shape": lambda tried: self._befallen(tried, "resized"),
            "the disk is full": self._full,
            "the clock jumps": self._clock,
            "phones tap twice": self._twice,
            "60 silent and 60 slow clients": self._nobodies,
            "the program is killed (SIGKILL)": self._killed,
            "another evening is begun": self._another,
        }
        if can_be_read_only():
            self.faults["it begins on a read-only disk"] = self._read_only

    @property
    def progress(self) -> float:
        """The share of the soak that is done, 0 to 1."""
        spent = (time.monotonic() - self._begun) / (self._ends - self._begun)
        return max(self.hands / self._hands, spent)

    def run(self) -> bool:
        """Play; whether nothing was wrong."""
        with NetworkCamera(table()) as self._camera:
            self._evening()
            self._program.begin()
            try:
                self._let_in()
                self._in_turn(0.5, [*self.faults])
                self._in_turn(1.0, [name for name in self.faults if name not in BEGUN_AGAIN])
            finally:
                self._program.kill()
        self._kept(self.rows["play"])
        check_growth(self.memory, self.rows.setdefault("memory in the second half", Tried(1)))
        return not any(tried.wrong for tried in self.rows.values())

    def _in_turn(self, until: float, names: Sequence[str]) -> None:
        """Faults in a random order, each once before any comes again, until the share ``until`` of the time is spent."""
        coming: list[str] = []
        while self.progress < until:
            self._play(TAPS_BETWEEN)
            self._measured(until == 1.0)
            coming = coming or self._chance.sample(names, len(names))
            name = coming.pop()
            tried = self.rows.setdefault(name, Tried())
            tried.tried += 1
            begun, before = time.monotonic(), len(tried.wrong)
            try:
                self.faults[name](tried)
                tried.check(self._program.runs, "the program has ended")
            except (Unanswered, RuntimeError) as error:
                tried.check(False, str(error))
            self._say(f"{self.progress:4.0%} {name}: {time.monotonic() - begun:.1f} s {'; '.join(tried.wrong[before:])}")
            if not self._program.runs:
                self._program.begin()
                self._let_in()

    # An evening

    def _evening(self) -> None:
        """Begin one, of the next game."""
        played = self._games[self._game % len(self._games)]
        self._game += 1
        first, place = first_of(played)
        with Ledger.open(self._ledger, log_format) as ledger:
            EveningRecorder.begin(ledger, first, "soak", camera=self._camera.url if place else "", table=place)

    def _let_in(self) -> None:
        """The phone comes in; after a restart it still is."""
        if not self._phone.enter(self._program.url) and not self._phone.pair(self._program.url, self._program.pin):
            raise RuntimeError("the phone is not let in")

    def _play(self, taps: int, tried: Tried | None = None) -> None:
        """Tap ``taps`` times; each tap is noted once it is acknowledged."""
        tried = tried or self.rows["play"]
        for _ in range(taps):
            do = next_tap(self._phone.view, self._chance)
            if do is None:
                tried.counted["rematches"] += 1
                tried.check(self._phone.rematch(), "no rematch begins")
                continue
            self._tap(do, tried)
        self._unshown(tried)

    def _tap(self, do: Json, tried: Tried, token: str = "") -> None:  # nosec B107 # empty: none was given
        self._taps += not token
        token = token or f"s{self._taps}x{self._chance.getrandbits(32):x}"
        game = int(self._phone.view.get("game", 0))
        status = self._phone.tap(do, token)
        if status == 200 and self._phone.view.get("already"):
            tried.counted["was so already"] += token not in self.acknowledged
        elif status == 200:
            self._done[token] = do
            tried.acknowledged += token not in self.acknowledged
            self.acknowledged[token] = game
            if any(event.get("e") == "hand" for event in do.get("events", ())):
                self.hands += 1
                self._glimpsed(tried)
        else:
            tried.check(status in (409, 422), f"a tap was answered with {status}")
            self._phone.look()

    def _glimpsed(self, tried: Tried) -> None:
        """Cards that nobody has shown are in the log, as if the camera had caught them while they were dealt."""
        seen = glimpse(self._phone.view.get("wing", ""), self._chance)
        if seen is None:
            return  # the game hides no card
        before = len(self.acknowledged)
        self._tap({"what": "say", "events": [seen]}, tried)
        tried.counted["deals with faces that nobody showed"] += len(self.acknowledged) - before

    def _kept(self, tried: Tried) -> None:
        """Look through what is kept."""
        for token in check_kept(self._ledger, self.acknowledged, tried)[:3]:
            self._say(f"lost: {token} {self._done.get(token)}")

    def _unshown(self, tried: Tried) -> None:
        """Look through what everybody gets."""
        log = asked(f"{self._program.url}/api/log")[1]
        check_unshown(log, json.loads(asked(f"{self._program.url}/api/game")[1]), tried)

    # How it is

    def _health(self) -> Json:
        return dict(json.loads(asked(f"{self._program.url}/healthz")[1]))

    def _follows(self) -> bool:
        """Whether a camera follows this evening at all."""
        return bool(self._health()["camera"]["follows"])

    def _waited(self, seconds: float, happened: Callable[[], bool]) -> float | None:
        """Seconds until it has happened; None where it has not within ``seconds``."""
        begun = time.monotonic()
        while not happened():
            if time.monotonic() - begun > seconds:
                return None
            time.sleep(0.05)
        return time.monotonic() - begun

    def _well(self, tried: Tried) -> None:
        """Wait until the camera sees again."""
        took = self._waited(WELL_SECONDS, lambda: self._health()["camera"]["state"] == "live" and not self._notices())
        tried.check(took is not None, f"not well after {WELL_SECONDS:.0f} s: {self._health()['camera']}, {self._notices()}")
        if took is not None:
            tried.took("well again", took)

    def _notices(self) -> list[str]:
        return list(json.loads(asked(f"{self._program.url}/api/notices?lang=en")[1])["notices"])

    # Faults

    def _struck(self, tried: Tried, how: signal.Signals) -> None:
        if not self._follows():
            tried.counted["in a game by thumb"] += 1
        else:
            self._well(tried)
        restarts = self._health()["camera"]["restarts"]
        if not self._program.strike(how):
            tried.counted["between two of its lives"] += 1
            return
        self._play(TAPS_BETWEEN, tried)
        took = self._waited(WELL_SECONDS, lambda: self._health()["camera"]["restarts"] > restarts)
        tried.check(took is not None, "it was not begun again")
        if self._follows():
            self._well(tried)

    def _befallen(self, tried: Tried, mode: Mode) -> None:
        if not self._follows():
            tried.counted["in a game by thumb"] += 1
            return
        self._well(tried)
        self._camera.mode = mode
        took = self._waited(KNOWN_SECONDS, lambda: bool(self._notices()))
        tried.check(took is not None, f"not known after {KNOWN_SECONDS:.0f} s")
        if took is not None:
            tried.took("known", took)
        self._play(TAPS_BETWEEN, tried)
        self._camera.mode = "live"
        self._well(tried)

    def _full(self, tried: Tried) -> None:
        self._program.room(self._chance.randrange(100_000))
        self._play(4 * TAPS_BETWEEN, tried)
        self._program.room(None)
        self._written(tried)

    def _read_only(self, tried: Tried) -> None:
        self._program.kill()
        self._program.begin(read_only=True)
        self._let_in()
        self._play(TAPS_BETWEEN, tried)
        tried.check(not self._health()["ledger_writable"], "it is not known that nothing can be written")
        self._program.writable()
        self._written(tried)

    def _written(self, tried: Tried) -> None:
        """Wait until all is on the disk, which can be written again."""
        took = self._waited(WELL_SECONDS, lambda: bool(self._health()["ledger_writable"]))
        tried.check(took is not None, "it does not write, though it could")
        self._kept(tried)

    def _clock(self, tried: Tried) -> None:
        self._program.jump(self._chance.choice((-86400.0, -3600.0, 3600.0, 86400.0)))
        tried.check(self._phone.look(), "the phone is out")
        self._play(TAPS_BETWEEN, tried)
        self._program.jump(0.0)
        tried.check(self._phone.look(), "the phone is out")

    def _twice(self, tried: Tried) -> None:
        for _ in range(5):
            if (do := next_tap(self._phone.view, self._chance)) is None:
                return
            token = f"t{self._chance.getrandbits(48):x}"
            self._tap(do, tried, token)
            self._tap(do, tried, token)
        self._kept(tried)

    def _nobodies(self, tried: Tried) -> None:
        held = nobodies(self._program.url, 60, slow=False) + nobodies(self._program.url, 60, slow=True)
        try:
            begun = time.monotonic()
            self._play(TAPS_BETWEEN, tried)
            tried.took("a tap", (time.monotonic() - begun) / TAPS_BETWEEN)
        finally:
            for one in held:
                one.close()

    def _killed(self, tried: Tried) -> None:
        self._program.kill()
        self._kept(tried)
        begun = time.monotonic()
        self._program.begin()
        self._let_in()
        tried.took("back", time.monotonic() - begun)

    def _another(self, tried: Tried) -> None:
        self._program.kill()
        self._kept(tried)
        self._evening()
        self._program.begin()
        self._let_in()

    # Memory

    def _measured(self, counts: bool) -> None:
        if not counts:
            return
        self.memory["pages"].append(float(memory_of(self._program.pid) or 0))
