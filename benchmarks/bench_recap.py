"""What the video of an evening costs: seconds of the processor, of drawing and of writing it, and how large the file is.

    python -m benchmarks.bench_recap [--form mp4|webm]

Each game is played by the simulator's bots; the video is made as the program makes it, beside nothing else.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from companion.dashboard.recap.drawing import HEIGHT, WIDTH
from companion.dashboard.recap.frames import frames
from companion.dashboard.recap.writing import MP4, WEBM, write
from companion.dashboard.settings import DEFAULTS
from companion.games import GAMES, Game
from companion.games.stoper import bots as stoper
from companion.games.stoppa import bots as stoppa
from companion.games.stu import bots as stu
from companion.pages.moments import follow
from companion.pages.recap import recap
from companion.table.log import Line


def evenings() -> Iterator[tuple[str, Game, tuple[Line, ...]]]:
    """Evenings of each game, with how many play."""
    for players in (2, 4, 12):
        table = stu.Settings(players=stu.seated(players))
        yield f"Lu Stù, {players} players", GAMES["stu"], stu.simulate(table, hands=60, seed=5)
    yield "Stoppa, 6 players", GAMES["stoppa"], stoppa.simulate(stoppa.Settings(players=stoppa.seated(6)), hands=25, seed=5)
    yield "Stoper, 6 players", GAMES["stoper"], stoper.simulate(stoper.Settings(players=stoper.seated(6)), hands=25, seed=5)


def processor() -> tuple[float, float]:
    """Seconds of the processor so far: of this program, and of those that it has started and that have ended."""
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time(), others.ru_utime + others.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--form", choices=("mp4", "webm"), default="mp4")
    form = MP4 if parser.parse_args().form == "mp4" else WEBM
    print(f"{'':22}{'choosing':>10}{'drawing':>10}{'writing':>10}{'seconds':>10}{'MB':>8}   (seconds of the processor)")
    with tempfile.TemporaryDirectory() as folder:
        for name, game, log in evenings():
            moments = tuple(follow(game.rules, game.pages, log))
            began = processor()
            told = recap(game.rules, game.pages, moments, "it", DEFAULTS.view, money=True)
            assert told is not None
            chosen = processor()
            for _ in frames(told, "", {}, form.fps):
                pass
            drawn = processor()
            path = Path(folder) / f"recap{form.suffix}"
            write(path, frames(told, "", {}, form.fps), (WIDTH, HEIGHT), form)
            written = processor()
            drawing = drawn[0] - chosen[0]
            writing = written[0] - drawn[0] - drawing + written[1] - drawn[1]
            size = path.stat().st_size / 1e6
            took = chosen[0] - began[0], drawing, writing
            print(f"{name:22}{''.join(f'{one:10.2f}' for one in took)}{told.seconds:10.1f}{size:8.2f}", flush=True)
            path.unlink()


if __name__ == "__main__":
    main()
