"""What `companion serve` runs after reading its options: an evening with its camera, or a game that is only shown."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec
from flask import Flask

from companion.assets import asset
from companion.cli.common import default_ledger, open_browser
from companion.dashboard import Settings, create_app, source, transfer
from companion.dashboard.ending import Ending
from companion.dashboard.hall_page import DOOR, ToJoin
from companion.dashboard.phone_camera import PhoneDoor
from companion.dashboard.recap.making import Recaps
from companion.dashboard.serve import Secure, Server
from companion.dashboard.start import START
from companion.decks.lists import ListId
from companion.eyes.look import Eyes
from companion.files import read_bounded, write_whole
from companion.games import game_of_log, replay_log
from companion.ledger import Ledger
from companion.ledger.bringing_back import bring_back
from companion.ledger.outbox import belongs
from companion.line import installed
from companion.line.backups import Backups
from companion.line.camera import Viewing
from companion.line.camera_session import CameraSession
from companion.line.copies import decks_beside
from companion.line.corrections_learnt import CorrectionsLearnt
from companion.line.defaults import FURTHER_NICE, MAX_VIEWS
from companion.line.films import further_footage
from companion.line.footage import Footage
from companion.line.further import FurtherCamera
from companion.line.phone_camera import PHONE, PhoneCamera
from companion.line.recorder import evening_of
from companion.line.sources.address import plain
from companion.line.sources.wanted import answers
from companion.line.teaching.shelf import Shelf
from companion.line.teaching.sight import Sight
from companion.line.teaching.teaching import Teaching
from companion.line.trained import load, trained
from companion.line.worker.messages import Setting
from companion.line.worker.process_worker import ProcessWorker
from companion.table.errors import CannotServe, CompanionError, GameError, NotKept, NotShown
from companion.table.language import Lang
from companion.table.log import MAX_LOG_BYTES, Line

if TYPE_CHECKING:
    from companion.hall.table.joining import Joining


class BadLog(CompanionError):
    """A table log that cannot be read, or cannot have happened."""


def import_log(ledger: Ledger, path: Path) -> int:
    """Record a table log as a new game of the ledger, and return the game's id. A last hand in which nothing more can happen is
    over also where the log does not say so: phones take it for over, and the TV shows the same.

    Raises:
        BadLog: it cannot be read or cannot have happened; names file and line.
        NotShown: its game has no pages.
    """
    data = read_bounded(path, MAX_LOG_BYTES)
    try:
        lines, state = replay_log(data)
    except GameError as error:
        raise BadLog(f"{path}: {error}") from error
    if not (played := game_of_log(lines)).has_pages:
        raise NotShown(f"{path}: {played.id} is not shown yet: companion rule says what its log comes to")
    if played.rules.in_hand(state):
        lines = _with_its_end(lines)
    return ledger.begin(lines, source=path.name)


def _with_its_end(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """The log with what follows by itself behind its last line, as phones that go on with it have it."""
    try:
        told = evening_of(lines).log
    except (NotKept, GameError):
        return lines  # no phone goes on with it
    same = [line.event for line in told[: len(lines)]] == [line.event for line in lines]
    return (*lines, *(Line(line.event, confidence=line.confidence) for line in told[len(lines) :])) if same else lines


@dataclass(frozen=True, slots=True)
class Where:
    """At which address and ports to serve. ``https_port``: for phones that film, 0: none may film; ``secure``: how to serve all
    pages over HTTPS, too, None: not."""

    host: str
    port: int
    https_port: int
    secure: Secure | None


@dataclass(frozen=True, slots=True)
class Joined:
    """The hall to join: its ``url``, its ``code``, "" where the table has joined already, and the ``name`` that the table wants
    there, "" for none."""

    url: str
    code: str
    name: str


def show(ledger: Ledger, settings: Settings, where: Where) -> None:
    """Serve one game of the ledger until stopped."""
    server = Server(create_app(ledger, settings=settings), where.host, where.port, where.secure)
    click.echo(server.description)
    click.echo(server.invitation)
    server.run()


def hold(*apps: Flask) -> None:
    """Read code, templates, scripts and style sheets into memory, once: an update may take the place of their files while this
    program runs."""
    installed.import_all()
    source.networks()
    for app in apps:
        transfer.hold(app)


def run_evening(
    ledger: Ledger, settings: Settings, where: Where, cameras: Sequence[str], pace: float, footage: Footage, shelf: Shelf,
    corrections_file: Path, given_files: tuple[str, ...], backups: Backups, opens: bool, hall: Joined | None = None,
    recaps: Recaps | None = None,
) -> Ending:  # fmt: skip
    """Serve an evening until stopped, with the camera side in a process of its own. An evening that is on in the ledger goes on.
    Returns how a page has asked the program to end.

    ``cameras``: the sources to begin with; none: as the evening had them. ``pace``: seconds of a video file played per second.
    ``corrections_file``: where the corrections that the eyes learn from are kept. ``given_files``: the deck files of ``--deck``.
    ``opens``: whether to open this machine's browser on the first page. ``hall``: the hall to join; None: the one that the ledger
    belongs to, if any. ``recaps``: keeps videos of evenings.
    """
    inbox = PhoneCamera() if where.https_port else None
    inboxes = {number: PhoneCamera() if where.https_port else None for number in range(2, MAX_VIEWS + 1)}
    certificate = default_ledger().with_name("phone-camera.pem")
    others = [one for one in inboxes.values() if one is not None]
    door = PhoneDoor(inbox, where.host, where.https_port, certificate, further=others) if inbox is not None else None
    corrections = CorrectionsLearnt(corrections_file)

    def taught_by(cards: ListId, deck: str) -> Eyes:
        found = shelf.deck(deck) if deck else None
        return load(cards, [(deck, found)] if found is not None and found.list == cards else ())

    setting = Setting(str(shelf.folder), given_files)
    behind = msgspec.structs.replace(setting, nice=FURTHER_NICE)
    further = [
        FurtherCamera(number, ProcessWorker(behind, phone, idle=False), further_footage(number, footage.seconds))
        for number, phone in inboxes.items()
    ]
    camera_session = CameraSession(
        ledger, trained, pace=pace, footage=footage, corrections=corrections, worker=ProcessWorker(setting, inbox),
        taught_by=taught_by, further=further,
    )  # fmt: skip
    teaching = Teaching(shelf, Sight(asset("models")), camera_session.newest)
    app = create_app(ledger, settings=settings, camera=camera_session, recorder=lambda: camera_session.recorder,
                     moment=camera_session.moment,
                     notices=camera_session.notices, footage=camera_session.films, door=door,
                     corrections=corrections, teaching=teaching,
                     backups=backups, recaps=recaps)  # fmt: skip
    server = Server(app, where.host, where.port, where.secure)
    with camera_session, contextlib.ExitStack() as opened:
        opened.enter_context(backups.running())
        if recaps is not None:
            opened.callback(recaps.close)
        recorder = camera_session.resume()
        views: tuple[Viewing, ...] = (camera_session, *further)
        for viewing, camera in zip(views, cameras, strict=False):
            viewing.choose(camera)
            if camera != PHONE and not answers(camera):
                silent = f"{plain(camera)} does not answer yet"
                click.echo(f"{silent}: it is tried again every few seconds, and its picture comes by itself.")
        if door is not None:
            opened.callback(door.close)
            if any(viewing.status().source == PHONE for viewing in views):
                wait_for_phone(door)
        click.echo(server.description)
        if recorder is not None:
            click.echo(f"The evening of {', '.join(recorder.state.table.names)} goes on: hand {len(recorder.state.hands) + 1}")
        else:
            click.echo(f"An evening is set up at {server.url}/setup")
        joins = HallDoor(app, ledger)
        opened.callback(joins.close)
        joins.begin(hall)
        click.echo(server.invitation)
        served = [app] if door is None or door.app is None else [app, door.app]
        threading.Thread(target=hold, args=served, name="hold", daemon=True).start()
        if opens and not open_browser(f"{server.here}{START}"):
            click.echo(f"What to do on which screen: {server.here}{START}, in this machine's own browser")
        server.run()
    camera_session.films.close()
    ending: Ending = app.extensions["ending"]
    return ending


def begin_again(ending: Ending, file: Path, decks: Path) -> None:
    """Start this program again with the same command line, after putting a copy in the place of the ledger ``file`` if ``ending``
    asks for it. Where that fails the ledger stays as it is. ``decks``: the folder of taught decks; those that are missing are
    taken from the copy."""
    if ending.bring_back is not None:
        try:
            click.echo(brought_back(ending.bring_back, file, decks))
        except (CompanionError, OSError) as error:
            click.echo(f"The copy was not brought back: {error}", err=True)
    os.execv(sys.executable, [sys.executable, "-m", "companion", *sys.argv[1:]])  # nosec B606 # this very program, no shell


def brought_back(copy: Path, file: Path, decks: Path) -> str:
    """Put this copy in the place of the ledger ``file``, and its decks into the folder ``decks`` where they are missing there.
    Returns a sentence about it. Raises LedgerError, OSError."""
    before = bring_back(copy, file)
    for deck in decks_beside(copy):
        if not (decks / deck.name).exists():
            decks.mkdir(parents=True, exist_ok=True)
            write_whole(decks / deck.name, deck.read_bytes())
    kept = f"; the evenings of before are in {before}" if before is not None else ""
    return f"{file}: as it was in {copy}{kept}"


class HallDoor:
    """Lets this evening's table join a hall (`companion.dashboard.hall_page.HallDoor`). It imports what that needs only when it
    is used."""

    def __init__(self, app: Flask, ledger: Ledger) -> None:
        self._app, self._ledger = app, ledger
        self._joining: Joining | None = None
        app.extensions[DOOR] = self

    def begin(self, hall: Joined | None) -> None:
        """Join this hall; None: go on in the one that the ledger belongs to, if any. Where the hall refuses or does not answer,
        the table plays without it. Raises HallError where the address or the code is malformed."""
        if hall is None and not belongs(self._ledger):
            return
        from companion.hall.table.membership import HallError, checked_url, parts_of

        if hall is not None:
            checked_url(hall.url)
            if hall.code:
                parts_of(hall.code)
        try:
            member = self._made().join(hall.url, hall.code, hall.name) if hall is not None else self._made().resume()
        except HallError as error:
            if hall is not None:
                self._made().could_not_join(error, hall.url, hall.name)
            click.echo(f"The table plays without the hall: {error}. Its paired phone takes another code, under Hall")
            return
        if member is not None:
            click.echo(f"Table {member.name} of the hall at {member.url}")

    def membership_text(self, lang: Lang) -> tuple[str, str] | None:
        return self._joining.membership_text(lang) if self._joining is not None else None

    def to_join(self, lang: Lang) -> ToJoin | None:
        return self._joining.to_join(lang) if self._joining is not None else ToJoin()

    def enter(self, url: str, code: str, name: str) -> None:
        self._made().join(url, code, name)

    def leave(self) -> None:
        self._made().leave()

    def call_referee(self, wanted: bool) -> None:
        self._made().call_referee(wanted)

    def called(self, lang: Lang) -> str:
        return self._joining.called(lang) if self._joining is not None else ""

    def close(self) -> None:
        """Stop sending, in this run of the program; the table stays a member."""
        if self._joining is not None:
            self._joining.close()

    def _made(self) -> Joining:
        from companion.hall.table.joining import Joining

        if self._joining is None:
            self._joining = Joining(self._app, self._ledger)
        return self._joining


def wait_for_phone(door: PhoneDoor) -> None:
    """Let the phone that is the evening's camera send again, or say why it cannot. The evening goes on in either case."""
    try:
        click.echo(f"A phone is the camera: its page sends again by itself (HTTPS on port {door.open()})")
    except CannotServe as error:
        click.echo(f"A phone is the camera, but {error}")
