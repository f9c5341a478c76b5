"""The address that is printed is one that the TV can reach; the QR code leads to where an organiser is needed."""

from __future__ import annotations

import ipaddress
import socket

import pytest
from fake_camera import FakeCamera
from games import GNAFFATA, lines
from serving import program

from companion.dashboard import create_app
from companion.dashboard import network as addresses
from companion.dashboard.network import here, likeliest, reachable
from companion.dashboard.serve import Server
from companion.ledger import Ledger

LAN, WIFI, DOCKER, LINK = (ipaddress.ip_address(one) for one in ("192.168.1.20", "10.0.0.7", "172.17.0.1", "169.254.3.3"))
ULA, FE80 = ipaddress.ip_address("fd00::7"), ipaddress.ip_address("fe80::1")
FOUND = [
    ("lo", ipaddress.ip_address("127.0.0.1")), ("docker0", DOCKER), ("eth0", LINK), ("eth0", LAN), ("wlan0", WIFI),
    ("lo", ipaddress.ip_address("::1")), ("eth0", FE80), ("eth0", ULA),
]  # fmt: skip


@pytest.mark.parametrize(
    ("own", "version", "first"),
    [
        pytest.param(WIFI, 4, (WIFI, LAN, LINK, DOCKER), id="the one that is sent from comes first"),
        pytest.param(None, 4, (LAN, WIFI, LINK, DOCKER), id="no way out: the real interfaces"),
        pytest.param(None, 6, (ULA,), id="IPv6 without that of the link"),
    ],
)
def test_the_likeliest_address_comes_first(own: addresses.Address | None, version: int, first: tuple[object, ...]) -> None:
    assert likeliest(FOUND, own, version) == first


def test_every_host_is_told_as_people_type_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "interfaces", lambda: FOUND)
    monkeypatch.setattr(addresses, "sends_from", lambda version: None)
    assert reachable("0.0.0.0", 8000)[0] == "http://192.168.1.20:8000"
    assert reachable("::", 8000) == ("http://[fd00::7]:8000",)
    assert reachable("fd00::7", 80) == ("http://[fd00::7]:80",)
    assert reachable("bar.local", 80) == ("http://bar.local:80",)
    assert [here(host, 80) for host in ("0.0.0.0", "::", "10.0.0.7")] == ["http://127.0.0.1:80", "http://[::1]:80", "http://10.0.0.7:80"]


def test_this_machines_own_interfaces_are_found_without_asking_the_network() -> None:
    assert ("lo", ipaddress.ip_address("127.0.0.1")) in addresses.interfaces()


@pytest.mark.parametrize(
    ("found", "told", "not_told"),
    [
        (FOUND, ["at http://192.168.1.20:", "http://10.0.0.7:", "On this machine: http://127.0.0.1:"], "0.0.0.0"),
        (FOUND[:1], ["at http://127.0.0.1:", "in no network yet"], "0.0.0.0"),
    ],
    ids=["LAN", "no network"],
)
def test_the_terminal_tells_the_tvs_address(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, found: list[tuple[str, addresses.Address]], told: list[str], not_told: str
) -> None:
    monkeypatch.setattr(addresses, "interfaces", lambda: found)
    monkeypatch.setattr(addresses, "sends_from", lambda version: None)
    server = Server(create_app(ledger), "0.0.0.0", 0)
    server.close()
    server.run()
    assert all(one in server.description for one in told), server.description
    assert not_told not in server.description


def test_the_network_may_come_later_than_the_program(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "sends_from", lambda version: None)
    monkeypatch.setattr(addresses, "interfaces", lambda: FOUND[:1])
    app = create_app(ledger)
    server = Server(app, "0.0.0.0", 0)
    server.close()
    server.run()
    assert "192.168.1.20" not in app.test_client().get("/pair/show").text
    monkeypatch.setattr(addresses, "interfaces", lambda: FOUND)
    assert f"http://192.168.1.20:{server.port}/pair" in app.test_client().get("/pair/show").text


def test_the_code_leads_to_the_setup_while_there_is_no_game_and_then_to_the_game(ledger: Ledger) -> None:
    app = create_app(ledger, camera=FakeCamera(ledger))

    def scanned(client) -> str:
        pin = app.extensions["pairing"].pin.digits
        return client.post("/pair", data={"pin": pin, "next": ""}).location

    first = app.test_client()
    assert 'name="next" value=""' in first.get("/pair").text
    assert scanned(first) == "/setup"
    assert first.get("/pair").location == "/setup"  # scanned again: it is paired already
    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    assert first.get("/pair").location == "/organiser"
    assert scanned(app.test_client()) == "/organiser"
    assert first.get("/pair?next=/setup/games").location == "/setup/games"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        pytest.param("nowhere.mp4", "nowhere.mp4: no such file", id="no such file"),
        pytest.param(".", "is a folder", id="a folder"),
        pytest.param(__file__, "not a video", id="no video"),
        pytest.param("97", "no camera 97", id="no such camera"),
        pytest.param("97", "without one the game is kept with the phone", id="none is needed"),
        pytest.param("rtsp:/192.168.1.20", "not the address of a stream", id="a slash short"),
        pytest.param("http://", "not the address of a stream", id="no host"),
        pytest.param("rtsp://bar:99999/live", "not the address of a stream", id="no such port"),
        pytest.param("gopher://bar/live", "not the address of a stream", id="no such way"),
        pytest.param("http://bar /live", "not the address of a stream", id="a blank"),
    ],
)
def test_a_camera_that_cannot_be_is_refused_at_once(source: str, said: str, tmp_path) -> None:
    from click.testing import CliRunner

    from companion.cli import main

    result = CliRunner().invoke(main, ["serve", "--ledger", str(tmp_path / "x.ledger"), "--camera", source, "--port", "0"])
    assert result.exit_code == 2, result.output
    assert said in result.output
    assert len(result.output.strip().splitlines()) == 1
    assert not (tmp_path / "x.ledger").exists()


def test_a_stream_that_is_not_up_yet_is_said_and_not_refused(tmp_path, capfd: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:  # bound and not listening: nobody answers, and nobody else comes
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/live.mjpg"
        with program(tmp_path / "x.ledger", "--camera", address) as started:
            assert f"{address} does not answer yet" in started.said
