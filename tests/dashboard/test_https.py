"""All pages over HTTPS, beside plain HTTP: TV, phones and spectators may use it, and the QR code leads there."""

from __future__ import annotations

import http.client
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from games import GNAFFATA, lines

from companion.dashboard import create_app
from companion.dashboard.front.server import HttpsServer
from companion.dashboard.network import certificate
from companion.dashboard.organiser.guard import Doorkeeper
from companion.dashboard.serve import Secure, Server
from companion.games import log_format
from companion.ledger import Ledger
from companion.table.errors import CannotServe


@pytest.fixture
def app() -> Iterator[Flask]:
    with Ledger.in_memory(log_format) as ledger:
        ledger.record(ledger.new_game(), lines(*GNAFFATA))
        yield create_app(ledger)


@pytest.fixture
def server(app: Flask, tmp_path: Path) -> Iterator[Server]:
    made = Server(app, "127.0.0.1", 0, Secure(0, tmp_path / "own.pem"))
    running = threading.Thread(target=made.run)
    running.start()
    yield made
    made.close()
    running.join()


def secured(server: Server, tmp_path: Path) -> http.client.HTTPSConnection:
    """A browser that has been told to trust the certificate, and checks that it is for this address."""
    assert server.https is not None
    trusted = ssl.create_default_context(cafile=tmp_path / "own.pem")
    return http.client.HTTPSConnection("127.0.0.1", server.https.port, context=trusted, timeout=600)


def test_every_page_is_served_over_https_and_over_http(server: Server, tmp_path: Path) -> None:
    for line in (secured(server, tmp_path), http.client.HTTPConnection("127.0.0.1", server.port, timeout=600)):
        for path in ("/", "/api/game", "/overlay", "/pair", "/static/tv.js"):
            line.request("GET", path)
            answer = line.getresponse()
            assert (answer.status, len(answer.read()) > 0) == (200, True), path
        line.close()


def test_the_stream_is_followed_over_https(server: Server, tmp_path: Path) -> None:
    line = secured(server, tmp_path)
    line.request("GET", "/api/stream?lang=en")
    answer = line.getresponse()
    assert answer.status == 200
    assert answer.readline() == b"retry: 1000\n"
    assert [answer.readline() for _ in range(3)][2] == b"event: view\n"
    answer.close()
    line.close()


def test_a_phone_is_paired_over_https_and_its_forms_are_taken(server: Server, app: Flask, tmp_path: Path) -> None:
    line = secured(server, tmp_path)
    port = server.https.port if server.https is not None else 0
    form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"https://127.0.0.1:{port}"}
    line.request("POST", "/pair", f"code={app.extensions['pairing'].pin.code}", form)
    answer = line.getresponse()
    answer.read()
    assert answer.status == 302
    assert "; Secure;" in answer.headers["Set-Cookie"]  # no browser sends it over plain HTTP
    line.request("GET", "/organiser", headers={"Cookie": answer.headers["Set-Cookie"].partition(";")[0]})
    page = line.getresponse()
    assert page.status == 200
    page.read()
    line.close()


def test_a_phone_that_comes_over_plain_http_is_paired_over_https(app: Flask) -> None:
    app.extensions["pairing"].reachable = lambda: ("https://192.168.1.7:8444",)
    pin = app.extensions["pairing"].pin.digits
    client = app.test_client()
    away = {"REMOTE_ADDR": "192.168.1.30", "HTTP_HOST": "192.168.1.7:8000"}
    asked = client.get("/pair?next=/setup", environ_overrides=away)
    assert asked.location == "https://192.168.1.7:8444/pair?next=%2Fsetup"
    sent = client.post("/pair", data={"pin": pin}, environ_overrides=away)
    assert sent.location == "https://192.168.1.7:8444/pair"
    assert "Set-Cookie" not in sent.headers
    assert client.post("/pair", data={"pin": pin}).headers["Set-Cookie"]  # this machine's own browser


def test_without_https_the_cookie_goes_over_http(app: Flask) -> None:
    paired = app.test_client().post("/pair", data={"pin": app.extensions["pairing"].pin.digits})
    assert "Secure" not in paired.headers["Set-Cookie"]


def test_the_qr_code_leads_to_https_and_the_pin_stands_where_plain_http_is(app: Flask, tmp_path: Path) -> None:
    app.extensions["pairing"].reachable = tuple
    server = Server(app, "0.0.0.0", 0, Secure(0, tmp_path / "own.pem"))
    assert server.https is not None
    links = app.extensions["pairing"].links()
    assert all(link.startswith("https://") and f":{server.https.port}/pair#" in link for link in links)
    assert app.extensions["pairing"].port == server.port
    assert f":{server.https.port} (the browser warns once" in server.description
    assert server.url.startswith("http://")
    server.close()
    server.run()


def test_a_port_that_is_taken_is_said_with_the_option_that_names_another(server: Server, app: Flask, tmp_path: Path) -> None:
    assert server.https is not None
    with pytest.raises(CannotServe, match=r"cannot serve HTTPS on .* choose another port with --https-pages"):
        Server(app, "127.0.0.1", 0, Secure(server.https.port, tmp_path / "own.pem"))


def test_an_address_that_is_not_this_machine_is_said_as_over_http(app: Flask, tmp_path: Path) -> None:
    pem = certificate(tmp_path / "own.pem", ["localhost"])
    with pytest.raises(CannotServe, match=r"cannot serve HTTPS on 203\.0\.113\.1:0: .*: choose 127\.0\.0\.1"):
        HttpsServer(app, "203.0.113.1", 0, pem, Doorkeeper(app))
