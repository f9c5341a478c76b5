"""`companion serve`: the page on the TV."""

from __future__ import annotations

import os
from pathlib import Path

import click

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.games import log_format, replay_log
from companion.ledger import Ledger
from companion.table.errors import CompanionError, GameError


class BadLog(CompanionError):
    """A table log that cannot be read, or cannot have happened."""


def default_ledger() -> Path:
    """Where the evenings are kept when nobody says otherwise: `companion/evenings.ledger` in the user's data folder."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "companion" / "evenings.ledger"


def import_log(ledger: Ledger, path: Path) -> int:
    """Take a table log in as a new game of the ledger and return the game's id. Raises BadLog, naming file and line."""
    data = path.read_bytes()
    try:
        lines, _ = replay_log(data)
    except GameError as error:
        raise BadLog(f"{path}: {error}") from error
    game = ledger.new_game(source=path.name)
    ledger.record(game, lines)
    return game


@click.command()
@click.argument("log", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--ledger", "file", type=click.Path(path_type=Path), help="Where the evenings are kept; the newest is gone on with,"
              " or set up at /setup. [default: companion/evenings.ledger in your data folder]")  # fmt: skip
@click.option("--game", type=int, help="Only show this game of the ledger.")
@click.option("--camera", metavar="SOURCE", help="The camera to begin with: a number, a stream's address, or a video file, which"
              " plays once a game has begun. [default: as the evening had it; else chosen at /setup]")  # fmt: skip
@click.option("--pace", default=1.0, show_default=True, type=click.FloatRange(0, 100),
              help="Seconds of a video file played per second; 0: as fast as this machine can.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to serve on; 0.0.0.0 for the whole network.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 takes a free one.")
@click.option("--lang", default="it", show_default=True, type=click.Choice(["it", "en"]), help="Language of the page.")
@click.option("--odds", is_flag=True, help="Show spectators everybody's chance of paying, from what all have seen.")
@click.option("--moviola", metavar="SECONDS", default=0.0, show_default=True, type=click.FloatRange(min=0),
              help="The TV shows the last hand again, step by step, so long after it; 0: only when asked (key m, or /?moviola).")
def command(
    log: Path | None, file: Path | None, game: int | None, camera: str | None, pace: float, host: str, port: int, lang: str,
    odds: bool, moviola: float,
) -> None:  # fmt: skip
    """Run an evening: the page on the TV, setting up on a phone at /setup, and the camera that follows the game.

    An evening that was on goes on from where it stood. With LOG, a table log, or with --game that game is only shown; LOG is
    taken into --ledger as a new game, without --ledger it is not kept. Ctrl-C ends it.
    """
    if log is not None and game is not None:
        raise click.UsageError("LOG and --game exclude each other: the log's own game is shown")
    if camera is not None and (log is not None or game is not None):
        raise click.UsageError("--camera is for an evening; LOG and --game only show a game")
    if camera is not None:
        from companion.eyes.wanted import check_source

        check_source(camera)
    if log is not None and file is None:
        ledger = Ledger.in_memory(log_format)
    else:
        if file is None:
            file = default_ledger()
            file.parent.mkdir(parents=True, exist_ok=True)
        ledger = Ledger.open(file, log_format)
    settings = Settings(game=game, lang=lang, odds=odds, moviola_after=moviola)
    with ledger:
        if log is not None:
            import_log(ledger, log)
        elif game is not None and game not in (entry.id for entry in ledger.games()):
            raise click.UsageError(f"{file} has no game {game}; it has {len(ledger.games())}")
        if log is not None or game is not None:
            server = Server(create_app(ledger, settings=settings), host, port)
            click.echo(server.told)
            click.echo(server.invitation)
            server.run()
        else:
            evening(ledger, settings, camera, pace, host, port)


def evening(ledger: Ledger, settings: Settings, camera: str | None, pace: float, host: str, port: int) -> None:
    """Serve until stopped, with a camera's thread beside the server; what is on in the ledger is gone on with."""
    from companion.cli.show import until_stopped
    from companion.eyes.wanted import answers
    from companion.line.station import Station, eyes

    station = Station(ledger, eyes, pace=pace)
    server = Server(create_app(ledger, settings=settings, camera=station, scribe=lambda: station.scribe,
                               moment=station.moment, notices=station.notices), host, port)  # fmt: skip
    with until_stopped(), station:
        scribe = station.resume()
        if camera is not None:
            station.choose(camera)
            if not answers(camera):
                click.echo(f"{camera} does not answer yet: it is tried again every few seconds, and its picture comes by itself.")
        click.echo(server.told)
        if scribe is not None:
            click.echo(f"The evening of {', '.join(scribe.state.table.names)} goes on: hand {len(scribe.state.hands) + 1}")
        else:
            click.echo(f"An evening is set up at {server.url}/setup")
        click.echo(server.invitation)
        server.run()
