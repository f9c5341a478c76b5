"""`companion serve`: the page on the TV."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.assets import asset
from companion.cli.enrol import given
from companion.cli.ledgers import default_ledger
from companion.cli.numbers import Finite
from companion.cli.stopping import until_stopped
from companion.dashboard import Settings, create_app
from companion.dashboard.phone_camera import PhoneDoor
from companion.dashboard.serve import Secure, Server
from companion.dashboard.voice import installed
from companion.files import read_bounded
from companion.games import game_of_log, log_format, replay_log
from companion.ledger import Ledger
from companion.line.decks.shelf import Shelf
from companion.line.footage import KEPT_SECONDS, Footage
from companion.line.phone_camera import PHONE, PhoneCamera
from companion.table.errors import CannotServe, CompanionError, GameError, NotShown, SourceError
from companion.table.log import LARGEST

if TYPE_CHECKING:
    from companion.decks.lists import ListId
    from companion.eyes.look import Eyes


class BadLog(CompanionError):
    """A table log that cannot be read, or cannot have happened."""


def import_log(ledger: Ledger, path: Path) -> int:
    """Take a table log in as a new game of the ledger and return the game's id.

    Raises:
        BadLog: it cannot be read or cannot have happened; names file and line.
        NotShown: its game has no pages.
    """
    data = read_bounded(path, LARGEST)
    try:
        lines, _ = replay_log(data)
    except GameError as error:
        raise BadLog(f"{path}: {error}") from error
    if not (played := game_of_log(lines)).has_pages:
        raise NotShown(f"{path}: {played.id} is not shown yet: companion rule says what its log comes to")
    return ledger.begin(lines, source=path.name)


@click.command()
@click.argument("log", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--ledger", "file", type=click.Path(path_type=Path), help="Where the evenings are kept; the newest is gone on with,"
              " or set up at /setup. [default: companion/evenings.ledger in your data folder]")  # fmt: skip
@click.option("--game", type=int, help="Only show this game of the ledger.")
@click.option("--camera", metavar="SOURCE", help="The camera to begin with: a number, a stream's address, or a video file, which"
              " plays once a game has begun. [default: as the evening had it; else chosen at /setup]")  # fmt: skip
@click.option("--deck", "given_decks", multiple=True, type=click.Path(path_type=Path), metavar="DECK",
              help="An enrolled deck's file, to choose in setting up beside those in --decks; may be repeated.")
@click.option("--decks", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER",
              help="Where taught decks are kept, a file NAME.deck for each. [default: the folder decks beside the ledger]")
@click.option("--pace", default=1.0, show_default=True, type=Finite(0, 100),
              help="Seconds of a video file played per second; 0: as fast as this machine can.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to serve on; 0.0.0.0 for the whole network.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 takes a free one.")
@click.option("--https-port", default=8443, show_default=True, type=click.IntRange(0, 65535),
              help="Port for a phone as the camera, opened when one is asked for; 0: no phone as the camera.")
@click.option("--https", "secure", is_flag=True, help="Serve all pages over HTTPS, too, with a certificate made on this machine;"
              " QR codes lead there. Televisions may go on with HTTP.")
@click.option("--https-pages", default=8444, show_default=True, type=click.IntRange(0, 65535), metavar="PORT",
              help="The port of --https; 0 takes a free one.")
@click.option("--lang", default="it", show_default=True, type=click.Choice(["it", "en"]), help="Language of the page.")
@click.option("--odds", is_flag=True, help="Show spectators everybody's chance of paying, from what all have seen.")
@click.option("--moviola", metavar="SECONDS", default=0.0, show_default=True, type=Finite(min=0),
              help="The TV shows the last hand again, step by step, so long after it; 0: only when asked (key m, or /?moviola).")
@click.option("--no-season", is_flag=True, help="Remember no players from evening to evening; nothing of it is written.")
@click.option("--footage", metavar="SECONDS", default=KEPT_SECONDS, show_default=True, type=Finite(min=0),
              help="How much of the last video is kept, in memory, for the VAR and beside questions; 0: none.")
@click.option("--footage-on-disk", is_flag=True, help="Keep it in a folder beside the ledger, too: a restart has it again.")
@click.option("--source-url", default="", metavar="URL",
              help="Where the source of a program that you have changed is offered, too: the licence asks that it is.")
@click.option("--voice", is_flag=True, help="The TV calls the rulings aloud; needs espeak-ng.")
def command(
    log: Path | None, file: Path | None, game: int | None, camera: str | None, pace: float, host: str, port: int,
    https_port: int, lang: str, odds: bool, moviola: float, no_season: bool, footage: float, footage_on_disk: bool, voice: bool,
    source_url: str, given_decks: tuple[Path, ...], decks: Path | None, secure: bool, https_pages: int,
) -> None:  # fmt: skip
    """Run an evening: the page on the TV, setting up on a phone at /setup, and the camera that follows the game.

    An evening that was on goes on from where it stood. With LOG, a table log, or with --game that game is only shown; LOG is
    taken into --ledger as a new game, without --ledger it is not kept. Ctrl-C ends it.
    """
    if log is not None and game is not None:
        raise click.UsageError("LOG and --game exclude each other: the log's own game is shown")
    if camera is not None and (log is not None or game is not None):
        raise click.UsageError("--camera is for an evening; LOG and --game only show a game")
    if (given_decks or decks is not None) and (log is not None or game is not None):
        raise click.UsageError("--deck and --decks are for an evening; LOG and --game only show a game")
    if camera is not None and camera != PHONE:
        from companion.line.sources.wanted import check_source

        try:
            check_source(camera)
        except SourceError as error:
            if not camera.isdecimal():
                raise
            raise SourceError(f"{error}; or leave --camera out: without one the game is kept with the phone") from error
    if source_url and not source_url.startswith(("https://", "http://")):
        raise click.UsageError(f"--source-url {source_url}: expected an address that begins with https://")
    if voice and not installed():
        raise click.UsageError("--voice needs espeak-ng, which is not installed: sudo apt install espeak-ng")
    if log is not None and file is None:
        ledger = Ledger.in_memory(log_format)
    else:
        given_file, file = file, file or default_ledger()
        if game is not None:
            ledger = Ledger.look(file, log_format)
        else:
            ledger = Ledger.open(file, log_format, keep_going=True, make_folder=given_file is None)
    handed = given(given_decks)
    own = Secure(https_pages, default_ledger().with_name("phone-camera.pem")) if secure else None
    settings = Settings(game=game, lang=lang, odds=odds, moviola_after=moviola, season=not no_season, voice=voice,
                        source=source_url)  # fmt: skip
    with until_stopped(), ledger:
        if log is not None:
            import_log(ledger, log)
        elif game is not None and game not in (entry.id for entry in ledger.games()):
            raise click.UsageError(f"{file} has no game {game}; it has {len(ledger.games())}")
        if log is not None or game is not None:
            server = Server(create_app(ledger, settings=settings), host, port, own)
            click.echo(server.told)
            click.echo(server.invitation)
            server.run()
        else:
            folder = file.with_name(f"{file.name}.footage") if footage_on_disk and file is not None else None
            assert file is not None  # a ledger in memory only shows a log
            shelf = Shelf(decks or file.with_name("decks"), handed)
            lessons = file.with_name(f"{file.name}.lessons")
            evening(ledger, settings, camera, pace, host, port, https_port, Footage(footage, folder), shelf, lessons,
                    tuple(str(path.resolve()) for path in given_decks), own)  # fmt: skip


def evening(
    ledger: Ledger, settings: Settings, camera: str | None, pace: float, host: str, port: int, https_port: int, footage: Footage,
    shelf: Shelf, beside: Path | None = None, given_files: tuple[str, ...] = (), secure: Secure | None = None,
) -> None:  # fmt: skip
    """Serve until stopped, with the camera side in a process of its own; what is on in the ledger is gone on with. ``beside``:
    where the eyes' lessons are kept; None: in memory. ``given_files``: the deck files that the shelf was given. ``secure``: of
    `Server`."""
    from companion.line.camera_session import CameraSession
    from companion.line.decks.school import School
    from companion.line.decks.sight import Sight
    from companion.line.lessons import Lessons
    from companion.line.sources.address import plain
    from companion.line.sources.wanted import answers
    from companion.line.trained import load, trained
    from companion.line.worker.messages import Setting
    from companion.line.worker.process_worker import ProcessWorker

    inbox = PhoneCamera() if https_port else None
    door = PhoneDoor(inbox, host, https_port, default_ledger().with_name("phone-camera.pem")) if inbox is not None else None
    lessons = Lessons(beside)

    def taught_by(cards: ListId, deck: str) -> Eyes:
        found = shelf.deck(deck) if deck else None
        return load(cards, [(deck, found)] if found is not None and found.list == cards else ())

    side = ProcessWorker(Setting(str(shelf.folder), given_files), inbox)
    camera_session = CameraSession(ledger, trained, pace=pace, footage=footage, lessons=lessons, side=side, taught_by=taught_by)
    school = School(shelf, Sight(asset("models")), camera_session.newest)
    app = create_app(ledger, settings=settings, camera=camera_session, recorder=lambda: camera_session.recorder,
                     moment=camera_session.moment,
                     notices=camera_session.notices, footage=footage, door=door, lessons=lessons, school=school)  # fmt: skip
    server = Server(app, host, port, secure)
    with camera_session, contextlib.ExitStack() as opened:
        recorder = camera_session.resume()
        if camera is not None:
            camera_session.choose(camera)
            if camera != PHONE and not answers(camera):
                silent = f"{plain(camera)} does not answer yet"
                click.echo(f"{silent}: it is tried again every few seconds, and its picture comes by itself.")
        if door is not None:
            opened.callback(door.close)
            if camera_session.status().source == PHONE:
                wait_for_phone(door)
        click.echo(server.told)
        if recorder is not None:
            click.echo(f"The evening of {', '.join(recorder.state.table.names)} goes on: hand {len(recorder.state.hands) + 1}")
        else:
            click.echo(f"An evening is set up at {server.url}/setup")
        click.echo(server.invitation)
        server.run()
    footage.close()


def wait_for_phone(door: PhoneDoor) -> None:
    """The evening's camera is a phone: let it in again, or say why it cannot come. The evening goes on in either case."""
    try:
        click.echo(f"A phone is the camera: its page sends again by itself (HTTPS on port {door.open()})")
    except CannotServe as error:
        click.echo(f"A phone is the camera, but {error}")
