"""What the camera side costs as a process of its own: the bundled clip, followed in a thread and in a process.

    python -m benchmarks.bench_side [TIMES]

Each line is one run through the clip as fast as it goes, in turn, so that what else the machine does hits both alike: seconds,
pictures looked at per second, and seconds of the processor, which hardly depend on what else is done.
"""

from __future__ import annotations

import argparse
import resource
import time
from statistics import median

from companion.assets import asset
from companion.games import log_format
from companion.ledger import Ledger
from companion.line.camera_session import CameraSession
from companion.line.tablefile import parse_table_file
from companion.line.trained import trained
from companion.line.worker.messages import Setting
from companion.line.worker.process_worker import ProcessWorker


def processor() -> float:
    """Seconds of the processor that this program and its ended children have had."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in spent)


def followed(apart: bool) -> tuple[float, float]:
    """Seconds that the clip took, from the first look on, and looks per second."""
    table = (asset("datasets/demo") / "table.json").read_bytes()
    with (
        Ledger.in_memory(log_format) as ledger,
        CameraSession(ledger, trained, pace=0, worker=ProcessWorker(Setting()) if apart else None) as camera_session,
    ):
        camera_session.choose(str(asset("datasets/demo/demo.mp4")))
        camera_session.begin(parse_table_file(table).first, table)
        while camera_session.condition.looks < 1:
            time.sleep(0.02)
        begun, first = time.monotonic(), camera_session.condition.looks
        while camera_session.status().state != "ended":
            time.sleep(0.05)
        took = time.monotonic() - begun
        return took, (camera_session.condition.looks - first) / took


def main() -> None:
    """Print every run, and the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("times", nargs="?", type=int, default=3, metavar="TIMES", help="how often each is run")
    times = parser.parse_args().times
    found: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(times):
        for apart in (False, True):
            before = processor()
            took, per_second = followed(apart)
            spent = processor() - before
            found[apart].append(spent)
            what = "process" if apart else "thread"
            print(f"{what:8} {took:6.1f} s {per_second:6.1f} looks/s {spent:6.1f} s of processor", flush=True)
    thread, process = median(found[False]), median(found[True])
    print(f"median of processor: thread {thread:.1f} s, process {process:.1f} s ({process / thread - 1:+.1%})")


if __name__ == "__main__":
    main()
