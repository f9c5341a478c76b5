"""`companion start`: starts the evening's program from a menu, for people who use no terminal."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.common import open_browser
from companion.table.errors import CompanionError

_ANSWER_SECONDS = 3.0
"""Seconds to wait for an answer of a program that may run already."""


@click.command("start")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535), help="Port; when another program has it,"
              " the next free one.")  # fmt: skip
@click.pass_context
def command(ctx: click.Context, port: int) -> None:
    """Run an evening for the whole network, and open this machine's browser on the page that says what to do on which screen.

    Where it runs already, that page alone is opened. Like companion serve --host 0.0.0.0 --open.
    """
    here = f"http://127.0.0.1:{port}"
    if runs(here):
        click.echo(f"The program runs already: {here}/start")
        if outdated(port):
            click.echo("An update is installed since it was started: it counts from the next start. That page begins it again.")
        open_browser(f"{here}/start")
        return
    from companion.cli import serve
    from companion.cli.show import free_port

    try:
        ctx.invoke(serve.command, host="0.0.0.0", port=free_port("0.0.0.0", port, click.echo), opens=True)  # nosec B104 # for TV and phones
    except CompanionError as error:
        open_browser(failure_page(error).as_uri())  # from a menu nobody sees a terminal
        raise


def runs(here: str) -> bool:
    """Whether the evening's program answers at this address."""
    import json
    import urllib.request
    from http.client import HTTPException
    from urllib.error import URLError

    try:
        with urllib.request.urlopen(f"{here}/healthz", timeout=_ANSWER_SECONDS) as answer:  # nosec B310 # http, on this machine
            data = answer.read()
    except URLError as error:  # a refusal has a body, too: something is wrong, but it runs
        data = error.read() if hasattr(error, "read") else b""
    except (OSError, HTTPException):  # nobody answers; or something that does not speak HTTP
        return False
    try:
        return "ledger_writable" in json.loads(data or b"{}")
    except ValueError:
        return False


def outdated(port: int) -> bool:
    """Whether the evening's program that runs there is another one than is installed now. One that has a first page, but cannot
    say so, is older than that."""
    import json
    from http import HTTPStatus
    from http.client import HTTPConnection, HTTPException

    def asked(path: str) -> tuple[int, bytes]:
        connection = HTTPConnection("127.0.0.1", port, timeout=_ANSWER_SECONDS)  # urllib's requests look like a proxy's
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    try:
        status, data = asked("/start/program")
        if status == HTTPStatus.NOT_FOUND:
            return asked("/start")[0] == HTTPStatus.OK
        return json.loads(data)["outdated"] is True
    except (OSError, HTTPException, ValueError, LookupError, TypeError):
        return False


def failure_page(error: CompanionError) -> Path:
    """A page that says in both languages that the program did not start, and why."""
    import html
    import tempfile

    page = Path(tempfile.mkdtemp(prefix="companion-")) / "start.html"
    page.write_text(
        '<!doctype html><html lang="it"><meta charset="utf-8"><title>companion</title><h1>Il programma non è partito</h1>'
        f'<p lang="en">The program did not start: {html.escape(str(error))}</p>',
        "utf-8",
    )
    return page
