"""`companion hall`: many tables' games in one place, one big screen."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.common import default_ledger
from companion.table.language import LANGS

if TYPE_CHECKING:
    from companion.hall.cluster import Cluster
    from companion.hall.processes import ProcessSettings
    from companion.ledger.opening import Owner

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
@click.option("--processes", default=1, show_default=True, type=click.IntRange(1, 16), metavar="N",
              help="How many processes serve, at the same ports. One of several that ends is begun again; the others go on.")
@click.option("--keep-all", is_flag=True,
              help="Keep what a table's game is made again of, too: if its machine is lost, it goes on in mid-hand on another.")
@click.option("--lang", default="it", show_default=True, type=click.Choice(LANGS), help="Language of the big screen.")
@click.option("--json", "as_json", is_flag=True,
              help="Print at start one line of JSON (url, table_code, organiser_pin), nothing else.")
@click.pass_context
def command(
    context: click.Context, folder: Path | None, host: str, port: int, https_port: int, processes: int, keep_all: bool,
    lang: str, as_json: bool,
) -> None:  # fmt: skip
    """Run a hall: tables join it by a code, all of them on one big screen, all their questions on one phone.

    Needs PostgreSQL: sudo apt install postgresql. Ctrl-C ends it; tables play on, and send what is missing when it runs again.
    """
    context.obj = folder
    if context.invoked_subcommand is not None:
        return
    from companion.cli.hall_serving import serve_hall
    from companion.cli.stopping import until_stopped
    from companion.dashboard.network import reachable
    from companion.hall.cluster import Cluster
    from companion.hall.processes import ProcessSettings
    from companion.table.errors import CannotServe

    with until_stopped(), ExitStack() as kept:
        cluster = Cluster(_folder(folder))
        owner = cluster.owned()
        kept.callback(owner.release)
        ran = cluster.runs
        cluster.start()
        used = False
        try:
            secured = https_port if reachable(host, port) else None
            pem = str(default_ledger().with_name("hall.pem"))
            told = ProcessSettings(str(cluster.folder), host, port, secured, pem, lang, keep_all, "json" if as_json else "text")
            if processes == 1:
                serve_hall(cluster, told, owner)
            else:
                _serve_together(cluster, told, processes, owner)
        except CannotServe:
            used = ran  # by what is left of this hall, whose program was killed
            raise
        finally:
            if not used:
                cluster.stop()


def _serve_together(cluster: Cluster, told: ProcessSettings, count: int, owner: Owner) -> None:
    """Serve with this number of processes, at ports that are reserved for them. ``owner`` tells where. Raises CannotServe,
    HallError."""
    from msgspec.structs import replace

    from companion.dashboard.network import certificate, here, reachable
    from companion.dashboard.serve import held
    from companion.hall.database import Database
    from companion.hall.held import new_pin_and_code
    from companion.hall.processes import Processes

    with ExitStack() as kept:
        told = replace(told, port=kept.enter_context(held(told.host, told.port)).getsockname()[1])
        owner.tell((*reachable(told.host, told.port), here(told.host, told.port))[0])
        if told.https_port is not None:
            secured = kept.enter_context(held(told.host, told.https_port, "--https-port")).getsockname()[1]
            told = replace(told, https_port=secured)
            certificate(Path(told.certificate), (), one_key=True)  # one key for all: the first of them would each make one
        database = Database(cluster)
        new_pin_and_code(database)
        database.close()
        quiet = replace(told, says="")
        Processes([told, *[quiet] * (count - 1)], ["companion.cli.hall_serving"]).run()


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
