"""Serves a hall at its address, alone or as one of several processes. `python -m companion.cli.hall_serving` is such a process:
the first line of its standard input is a `companion.hall.processes.ProcessSettings`, and it ends when its standard input does.
"""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path

import click
import msgspec

from companion.cli.stopping import until_stopped
from companion.dashboard import transfer
from companion.dashboard.serve import Secure, Server
from companion.dashboard.settings import Settings
from companion.hall.app import create_hall_app, open_hall
from companion.hall.cluster import Cluster
from companion.hall.database import Database, HallDown
from companion.hall.held import JOINS, new_pin_and_code
from companion.hall.processes import CANNOT, DOWN, ProcessSettings
from companion.hall.table.link import key_of_pem
from companion.ledger.opening import Owner
from companion.table.errors import CompanionError
from companion.table.text import one_line


def serve_hall(cluster: Cluster, told: ProcessSettings, owner: Owner | None = None) -> None:
    """Serve until Ctrl-C or, as one of several processes, until standard input ends. ``owner``: the right to serve this hall,
    which tells where; None: as one of several, whose parent has it. Raises HallError, HallDown, CannotServe."""
    one_of_several = owner is None
    hall = open_hall(Database(cluster), Settings(lang=told.lang), shared=one_of_several, keep_all=told.keep_all)
    try:
        secure = None
        if told.https_port is not None:
            secure = Secure(told.https_port, Path(told.certificate), one_key=True, option="--https-port")
        server = Server(app := create_hall_app(hall), told.host, told.port, secure, shared=one_of_several)
        if owner is not None:
            owner.tell(server.url)
            new_pin_and_code(hall.database)
        if secure is not None:
            hall.code.key = key_of_pem(secure.file)
        if told.says:
            _say(server, hall.code.text(), as_json=told.says == "json")
        if one_of_several:
            threading.Thread(target=_end_with_input, args=(server,), name="input", daemon=True).start()
        threading.Thread(target=transfer.hold, args=(app,), name="hold", daemon=True).start()
        server.run()
    finally:
        hall.close()


def _end_with_input(server: Server) -> None:
    sys.stdin.buffer.read()
    server.close()


def _say(server: Server, code: str, *, as_json: bool) -> None:
    """Print the addresses for screens, tables and organisers."""
    urls = server.pairing.urls
    url, pin = urls[0] if urls else server.here, server.pairing.pin.digits
    if as_json:
        click.echo(json.dumps({"url": url, "table_code": code, "organiser_pin": pin}))
        return
    click.echo(f"The big screen is at {server.url} (Ctrl-C ends it)")
    click.echo(f"A table joins by: {JOINS.format(address=url, code=code)}")
    click.echo(server.invitation)


def main() -> int:
    """Run one of several processes, and return its exit status."""
    with until_stopped():
        told = msgspec.json.decode(sys.stdin.buffer.readline(), type=ProcessSettings)
        try:
            serve_hall(Cluster(Path(told.folder)), told)
        except CompanionError as error:
            click.echo(one_line(str(error)), err=True)
            return DOWN if isinstance(error, HallDown) else CANNOT
    return 0


if __name__ == "__main__":
    sys.exit(main())
