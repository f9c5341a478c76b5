"""`companion hall`: many tables' games in one place, one big screen."""

from __future__ import annotations

import json
from pathlib import Path

import click

from companion.cli.common import default_ledger
from companion.table.language import LANGS

of_folder = click.option(
    "--folder", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER",
    help="Where the hall is kept, with a PostgreSQL of its own; made at the first start."
    " [default: companion/hall in your data folder; as root /var/lib/companion/hall]",
)  # fmt: skip


@click.group(invoke_without_command=True)
@of_folder
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to serve on; 0.0.0.0 for the whole network.")
@click.option("--port", default=8100, show_default=True, type=click.IntRange(0, 65535),
              help="Port for screens; 0 takes a free one.")
@click.option("--https-port", default=8101, show_default=True, type=click.IntRange(0, 65535),
              help="Port for tables and organisers, over HTTPS, where --host is for the network; 0 takes a free one.")
@click.option("--lang", default="it", show_default=True, type=click.Choice(LANGS), help="Language of the big screen.")
@click.option("--json", "as_json", is_flag=True,
              help="Print at start one line of JSON (url, table_code, organiser_pin), nothing else.")
@click.pass_context
def command(
    context: click.Context, folder: Path | None, host: str, port: int, https_port: int, lang: str, as_json: bool
) -> None:  # fmt: skip
    """Run a hall: tables join it by a code, all of them on one big screen, all their questions on one phone.

    Needs PostgreSQL: sudo apt install postgresql. Ctrl-C ends it; tables play on, and send what is missing when it runs again.
    """
    context.obj = folder
    if context.invoked_subcommand is not None:
        return
    from companion.cli.common import until_stopped
    from companion.dashboard.network import reachable
    from companion.dashboard.serve import Secure, Server
    from companion.dashboard.settings import Settings
    from companion.hall.app import create_hall_app, open_hall
    from companion.hall.cluster import Cluster
    from companion.hall.database import Database
    from companion.hall.table.link import key_of_pem

    with until_stopped():
        cluster = Cluster(_folder(folder))
        cluster.start()
        try:
            hall = open_hall(Database(cluster), Settings(lang=lang))
            try:
                secure = None
                if reachable(host, port):
                    secure = Secure(https_port, default_ledger().with_name("hall.pem"), one_key=True)
                server = Server(create_hall_app(hall), host, port, secure)
                if secure is not None:
                    hall.code.key = key_of_pem(secure.file)
                _say(server, hall.code.text(), as_json)
                server.run()
            finally:
                hall.close()
        finally:
            cluster.stop()


def _say(server: object, code: str, as_json: bool) -> None:
    """What the terminal says: where screens, tables and organisers go."""
    from companion.dashboard.serve import Server

    assert isinstance(server, Server)
    urls = server.pairing.urls
    url, pin = urls[0] if urls else server.here, server.pairing.pin.digits
    if as_json:
        click.echo(json.dumps({"url": url, "table_code": code, "organiser_pin": pin}))
        return
    click.echo(f"The big screen is at {server.url} (Ctrl-C ends it)")
    click.echo(f"A table joins by: companion serve --hall {url} --code {code}")
    click.echo(server.invitation)


def _folder(given: Path | None) -> Path:
    from companion.hall.cluster import default_folder

    return given if given is not None else default_folder(default_ledger().parent)


@command.command("backup")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@of_folder
@click.pass_obj
def backup(given: Path | None, file: Path, folder: Path | None) -> None:
    """Copy the hall into FILE, also while it runs."""
    from companion.hall.copies import backed_up

    backed_up(_folder(folder or given), file)
    click.echo(f"{file}: the hall as it is now")


@command.command("restore")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@of_folder
@click.pass_obj
def restore(given: Path | None, file: Path, folder: Path | None) -> None:
    """Make the hall what it was when FILE was copied; what it is now is put aside. Tables send what is missing by themselves."""
    from companion.hall.copies import restored

    aside = restored(_folder(folder or given), file)
    click.echo(f"The hall is what it was in {file}; what it was before is kept in its database {aside}")
