"""`companion serve`: the page on the TV."""

from __future__ import annotations

from pathlib import Path

import click

from companion import __version__
from companion.cli.common import Finite, default_ledger
from companion.line.defaults import FOOTAGE_SECONDS, MAX_VIEWS
from companion.line.phone_camera import PHONE
from companion.table.errors import SourceError
from companion.table.language import LANGS


@click.command()
@click.argument("log", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--ledger", "file", type=click.Path(path_type=Path), help="Where the evenings are kept; the newest is gone on with,"
              " or set up at /setup. [default: companion/evenings.ledger in your data folder]")  # fmt: skip
@click.option("--game", type=int, help="Only show this game of the ledger.")
@click.option("--camera", "cameras", multiple=True, metavar="SOURCE", help="The camera to begin with: a number, a stream's"
              " address, or a video file, which plays once a game has begun. Given again: a second and a third camera at the same"
              " table. [default: as the evening had it; else chosen at /setup]")  # fmt: skip
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
@click.option("--lang", default="it", show_default=True, type=click.Choice(LANGS), help="Language of the page.")
@click.option("--odds", is_flag=True, help="Show spectators everybody's chance of paying, from what all have seen.")
@click.option("--moviola", metavar="SECONDS", default=0.0, show_default=True, type=Finite(min=0),
              help="The TV shows the last hand again, step by step, this long after it; 0: only when asked (key m, or"
              " /?moviola).")  # fmt: skip
@click.option("--no-season", is_flag=True, help="Remember no players from evening to evening; nothing of it is written.")
@click.option("--footage", metavar="SECONDS", default=FOOTAGE_SECONDS, show_default=True, type=Finite(min=0),
              help="How much of the last video is kept, in memory, for the VAR and beside questions; 0: none.")
@click.option("--footage-on-disk", is_flag=True, help="Keep it in a folder beside the ledger, too: a restart has it again.")
@click.option("--source-url", default="", metavar="URL",
              help="Address of your source, where you have changed the program: the licence asks you to offer it.")
@click.option("--hall", "hall_url", metavar="URL", help="Send the evenings to this hall, as companion hall prints its address.")
@click.option("--code", default="", metavar="CODE", help="The hall's code, the first time that this table joins it.")
@click.option("--table", "table_name", default="", metavar="NAME",
              help="What the hall calls this table. [default: the next number]")
@click.option("--voice", is_flag=True, help="The TV calls the rulings aloud; needs espeak-ng.")
@click.option("--backups", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER",
              help="Where a copy of the evenings goes every night of play, besides the folder backups beside the ledger."
              " [default: the stick that was chosen at /setup/backups]")  # fmt: skip
@click.option("--open", "opens", is_flag=True,
              help="Open this machine's browser on the page that says what to do on which screen.")
def command(
    log: Path | None, file: Path | None, game: int | None, cameras: tuple[str, ...], pace: float, host: str, port: int,
    https_port: int, lang: str, odds: bool, moviola: float, no_season: bool, footage: float, footage_on_disk: bool, voice: bool,
    source_url: str, given_decks: tuple[Path, ...], decks: Path | None, secure: bool, https_pages: int, hall_url: str | None,
    code: str, table_name: str, backups: Path | None, opens: bool,
) -> None:  # fmt: skip
    """Run an evening: the page on the TV, setting up on a phone at /setup, and the camera that follows the game.

    An evening that was on goes on from where it stood. With LOG, a table log, or with --game that game is only shown; LOG is
    taken into --ledger as a new game, without --ledger it is not kept. Ctrl-C ends it.
    """
    if log is not None and game is not None:
        raise click.UsageError("LOG and --game exclude each other: the log's own game is shown")
    if cameras and (log is not None or game is not None):
        raise click.UsageError("--camera is for an evening; LOG and --game only show a game")
    if (backups is not None or opens) and (log is not None or game is not None):
        raise click.UsageError("--backups and --open are for an evening; LOG and --game only show a game")
    if (given_decks or decks is not None) and (log is not None or game is not None):
        raise click.UsageError("--deck and --decks are for an evening; LOG and --game only show a game")
    if hall_url is not None and (log is not None or game is not None):
        raise click.UsageError("--hall is for an evening; LOG and --game only show a game")
    if hall_url is None and (code or table_name):
        raise click.UsageError("--code and --table go with --hall, the address of the hall")
    if len(cameras) > MAX_VIEWS:
        raise click.UsageError(f"--camera was given {len(cameras)} times: expected {MAX_VIEWS} cameras at most at one table")
    if twice := sorted({camera for camera in cameras if cameras.count(camera) > 1 and camera != PHONE}):
        raise click.UsageError(f"--camera {twice[0]} was given twice: expected another camera each time")
    for camera in cameras:
        if camera == PHONE:
            continue
        from companion.line.sources.wanted import check_source

        try:
            check_source(camera)
        except SourceError as error:
            if not camera.isdecimal():
                raise
            raise SourceError(f"{error}; or leave --camera out: without one the game is kept with the phone") from error
    if source_url and not source_url.startswith(("https://", "http://")):
        raise click.UsageError(f"--source-url {source_url}: expected an address that begins with https://")
    if voice:
        from companion.dashboard.voice import installed

        if not installed():
            raise click.UsageError("--voice needs espeak-ng, which is not installed: sudo apt install espeak-ng")
    from companion.cli import evening
    from companion.cli.enrol import given
    from companion.cli.stopping import until_stopped
    from companion.dashboard.ending import Ending
    from companion.dashboard.recap.making import Recaps
    from companion.dashboard.serve import Secure
    from companion.dashboard.settings import Settings
    from companion.games import log_format
    from companion.ledger import Ledger
    from companion.line.backups import Backups
    from companion.line.footage import Footage
    from companion.line.installed import at_start
    from companion.line.teaching.shelf import Shelf

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
    where = evening.Where(host, port, https_port, own)
    settings = Settings(game=game, lang=lang, odds=odds, moviola_after=moviola, season=not no_season, voice=voice,
                        source=source_url)  # fmt: skip
    ended: Ending | None = None
    with until_stopped(), ledger:
        if log is not None:
            evening.import_log(ledger, log)
        elif game is not None and game not in (entry.id for entry in ledger.games()):
            raise click.UsageError(f"{file} has no game {game}; it has {len(ledger.games())}")
        if log is not None or game is not None:
            evening.show(ledger, settings, where)
        else:
            assert file is not None  # a ledger in memory only shows a log
            folder = file.with_name(f"{file.name}.footage")
            if not footage_on_disk and folder.is_dir():
                click.echo(f"{folder}: older video lies there: go on with it by --footage-on-disk, or delete it", err=True)
            shelf = Shelf(decks or file.with_name("decks"), handed)
            ended = evening.run_evening(
                ledger, settings, where, cameras, pace, Footage(footage, folder if footage_on_disk else None),
                shelf, file.with_name(f"{file.name}.lessons"), tuple(str(path.resolve()) for path in given_decks),
                Backups(ledger, file, shelf.folder, backups, version=__version__, build=at_start()),
                opens,
                evening.Joined(hall_url, code, table_name) if hall_url is not None else None,
                Recaps(file.with_name(f"{file.name}.recaps")),
            )  # fmt: skip
    if ended is not None and ended.again:
        assert file is not None
        evening.begin_again(ended, file, decks or file.with_name("decks"))
