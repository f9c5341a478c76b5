"""`companion demo`: the bundled clip through the real line, and the page it leads to."""

from __future__ import annotations

import math
import time
from pathlib import Path

import click

from companion.cli.common import Finite, GameId
from companion.cli.stopping import until_stopped
from companion.games import GAMES, first_game


@click.command("demo")
@click.option("--game", type=GameId(demo=True), default=first_game().id, show_default=True,
              help="Of which game the clip is.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to serve on; 0.0.0.0: the whole network.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535),
              help="Port to serve on; when it is taken, the next free one. 0: any.")
@click.option("--pace", default=1.0, show_default=True, type=Finite(0, 100),
              help="Seconds of the clip played per second; 0: as fast as this machine can.")
@click.option("--exit-after", type=Finite(0), metavar="SECONDS",
              help="Stop this long after the clip's end, instead of staying until Ctrl-C.")
def command(game: str, host: str, port: int, pace: float, exit_after: float | None) -> None:
    """Play a bundled clip through the whole line and serve the page.

    No camera can see words and amounts: they are put in at the right moments, as somebody would on a phone. Nothing is kept:
    the ledger is in memory. The page stays after the clip's end, until Ctrl-C.
    """
    _play(game, host, port, pace, exit_after)


def _play(id: str, host: str, port: int, pace: float, exit_after: float | None) -> None:
    from companion.cli.show import Newest, keep, paced, served
    from companion.eyes.source import pictures
    from companion.games import log_format
    from companion.ledger import Ledger
    from companion.line import trained
    from companion.line.defaults import LOOKS_PER_SECOND
    from companion.line.follow import follow
    from companion.line.prompter import Prompter
    from companion.line.tablefile import read_table_file

    demo = GAMES[id].spec.demo
    assert demo is not None, "the choice has no others"
    clip = demo.path
    table = read_table_file(clip.with_name("table.json"))
    table.game.pages  # noqa: B018  where it has none, refuse before anything is served
    words = clip.with_name("told.jsonl")
    phone = Prompter(table.game.rules.LOG.read_lines(words.read_bytes()) if words.is_file() else ())
    newest = Newest()
    with until_stopped(), Ledger.in_memory(log_format) as ledger:
        game = ledger.new_game(source=clip.name)
        with served(ledger, host=host, port=port, newest=newest, say=click.echo) as server:
            click.echo(server.description)
            click.echo(server.invitation)
            look = trained.trained(table.game.cards, demo.decks(table.game.cards))
            steps = follow(paced(pictures(str(clip), LOOKS_PER_SECOND), pace), table, look, hear=phone)
            seconds = _length(clip)
            with click.progressbar(length=round(seconds * 10), label=f"Playing {clip.name}", show_pos=False) as bar:
                keep(steps, ledger, game, newest, lambda step: bar.update(max(0, round(step.picture.t * 10) - bar.pos)))
            click.echo(f"The clip is over after {seconds:.0f} seconds of play; the page stays at {server.url}.")
            _stay(exit_after)
    click.echo("Stopped.")


def _stay(seconds: float | None) -> None:
    """Wait until interrupted, or for this many seconds. It looks up now and then, as another thread may get all of several
    signals that come at once."""
    end = math.inf if seconds is None else time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, 0.5))


def _length(clip: Path) -> float:
    """The length of a video file in seconds, as the file states it."""
    import cv2

    capture = cv2.VideoCapture(str(clip))
    try:
        return float(capture.get(cv2.CAP_PROP_FRAME_COUNT)) / (capture.get(cv2.CAP_PROP_FPS) or 25.0)
    finally:
        capture.release()
