"""What an evening costs when it has grown long: a tap, a page and a restart at hand 500 beside those at hand 5.

    python -m benchmarks.bench_evening [--players 20] [--hands 500] [--runs 40] [--clock wall|process]

An evening is played by thumb, through the same HTTP requests as a phone's, on a ledger on disk. Times are medians in milliseconds
of wall-clock time; ``--clock process`` counts the processor's alone, which a busy machine disturbs less. Wanted: ratios below 2,
and a restart below 3 seconds on two cores.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from companion.dashboard import create_app
from companion.games import log_format
from companion.games.stu.bots import PLAIN, Settings, seated, simulate
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder
from companion.referee.record import Fixed, StatedLine
from companion.table.log import Line, tag

CLOCK: Callable[[], float] = time.perf_counter


def played(players: int, hands: int) -> tuple[Line, ...]:
    """A long game's log: everybody has pedine enough."""
    table = Settings(players=seated(players), pedine=1000, event_probabilities=PLAIN)
    return simulate(table, hands=hands, seed=1)


def by_hands(lines: tuple[Line, ...]) -> Iterator[list[Line]]:
    """The lines of each hand, faces that nobody showed left out of deals."""
    told: list[Line] = []
    for line in lines[1:]:
        if tag(line.event) == "hand" and told:
            yield told
            told = []
        if tag(line.event) != "deal":
            told.append(line)
    yield told


class Phone:
    """A paired phone over the application's own test client."""

    def __init__(self, ledger: Ledger, recorder: EveningRecorder) -> None:
        self.app = create_app(ledger, recorder=lambda: recorder)
        self.client = self.app.test_client()
        pin = next(one for one in self.app.extensions.values() if hasattr(one, "pin")).pin.digits
        self.client.post("/pair", data={"pin": pin})
        found = re.search(r'"csrf": ?"([^"]+)"', self.client.get("/organiser").text)
        assert found is not None
        self.csrf = found[1]

    def view(self) -> Any:
        """The answer as it came: taking it apart is the phone's work."""
        return self.client.get("/api/organiser")

    def say(self, view: Any, event: Any) -> Any:
        plain = msgspec.json.decode(msgspec.json.encode(event))
        body = {"game": view["game"], "version": view["version"], "do": {"what": "say", "events": [plain]}, "dry": False}
        answer = self.client.post("/api/organiser/command", data=json.dumps(body), headers={"X-CSRF-Token": self.csrf})
        assert answer.status_code == 200, answer.text
        return answer


def milliseconds(deed: Callable[[], object], runs: int) -> list[float]:
    found = []
    for _ in range(runs):
        began = CLOCK()
        deed()
        found.append((CLOCK() - began) * 1000)
    return found


def measured(path: Path, hands: list[list[Line]], first: Line, runs: int) -> dict[str, list[float]]:
    """Times at the end of these hands; the last one is played tap by tap."""
    times: dict[str, list[float]] = {"tap": []}
    with Ledger.open(path, log_format) as ledger:
        recorder = EveningRecorder.begin(ledger, first.event, camera="")
        for hand in hands[:-1]:
            said = tuple(StatedLine(line.event, None, by_hand=True) for line in hand)
            recorder.report(Fixed(recorder.evening.current.id, said, opening=len(said)))
        phone = Phone(ledger, recorder)
        view = phone.view().json
        for line in [line for line in hands[-1] if tag(line.event) != "end"][:runs]:  # that follows by itself
            began = CLOCK()
            answer = phone.say(view, line.event)
            times["tap"].append((CLOCK() - began) * 1000)
            view = answer.json
        spectator = phone.app.test_client()
        times["TV's view"] = milliseconds(lambda: spectator.get("/api/game"), runs)
        times["TV's page"] = milliseconds(lambda: spectator.get("/"), runs)
        times["phone's view"] = milliseconds(phone.view, runs)
        game = recorder.game_id

    def restart() -> None:
        with Ledger.open(path, log_format) as again:
            resumed = EveningRecorder.resume(again, game)
            create_app(again, recorder=lambda: resumed).test_client().get("/api/game")

    times["restart"] = milliseconds(restart, 3)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=20)
    parser.add_argument("--hands", type=int, default=500)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--clock", choices=["wall", "process"], default="wall")
    asked = parser.parse_args()
    global CLOCK
    CLOCK = time.process_time if asked.clock == "process" else time.perf_counter
    lines = played(asked.players, asked.hands)
    hands = list(by_hands(lines))
    with tempfile.TemporaryDirectory() as folder:
        early = measured(Path(folder) / "early.ledger", hands[:5], lines[0], asked.runs)
        late = measured(Path(folder) / "late.ledger", hands, lines[0], asked.runs)
    print(f"{asked.players} players; medians in ms of {asked.clock} time (slowest of {asked.runs} in brackets)\n")
    print(f"{'':14}{'hand 5':>20}{f'hand {len(hands)}':>20}{'ratio':>8}")
    for what in early:
        one, other = statistics.median(early[what]), statistics.median(late[what])
        print(f"{what:14}{one:11.1f} ({max(early[what]):5.1f}){other:12.1f} ({max(late[what]):5.1f}){other / one:8.2f}")


if __name__ == "__main__":
    main()
