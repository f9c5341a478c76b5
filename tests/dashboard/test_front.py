"""A crowd at the front: what some do to the server, the others do not notice."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest
from crowd import Visitor
from fake_camera import FakeCamera
from flask import Flask
from games import GAME, GNAFFATA, lines
from hypothesis import given
from hypothesis import strategies as st
from serving import served, until

from companion.dashboard import Settings, create_app
from companion.dashboard.feed import Snapshot
from companion.dashboard.front import connections, gate
from companion.dashboard.front.fairness import (
    ADDRESS_BUDGET_SECONDS,
    ADDRESS_REFILL,
    ALL_BUDGET_SECONDS,
    ALL_REFILL,
    MAX_RESERVED_PER_ADDRESS,
    MAX_WAITING_PER_ADDRESS,
    Busy,
    Places,
    Shares,
    Turns,
)
from companion.dashboard.serve import Server
from companion.ledger import Ledger

Found = TypeVar("Found")
TV, PHONE, JOKER = 1, 2, 3
MANY_SECONDS = 1e6


@pytest.fixture
def crowd() -> Iterator[contextlib.ExitStack]:
    """Visitors that go in the end."""
    with contextlib.ExitStack() as stack:
        yield stack


@pytest.fixture
def game(ledger: Ledger) -> int:
    number = ledger.new_game()
    ledger.record(number, lines(GAME))
    return number


def all_are_served(server: Server, app: Flask, ledger: Ledger, game: int, crowd: contextlib.ExitStack) -> None:
    """A TV and an organiser come, the organiser taps, and both see it; a page opens."""
    tv, stream, phone = (crowd.enter_context(Visitor(server, number)) for number in (TV, PHONE, PHONE))
    assert tv.follow() == 200
    phone.pair(app.extensions["pairing"].pin.digits)
    page = phone.ask("GET", "/organiser")[2]
    csrf = page.partition('"csrf": "')[2].partition('"')[0] or page.partition('"csrf":"')[2].partition('"')[0]
    stream.cookie = phone.cookie
    assert stream.follow("/api/organiser/stream") == 200
    view = json.loads(phone.ask("GET", "/api/organiser")[2])
    said = {"game": view["game"], "version": view["version"], "do": {"what": "say", "events": [{"e": "hand"}]}}
    status, _, told = phone.ask("POST", "/api/organiser/command", json.dumps(said), f"X-CSRF-Token: {csrf}")
    assert status == 200, told
    tv.until(f"id: {game}.{json.loads(told)['version']}\n".encode())
    stream.until(b'"version":%d' % json.loads(told)["version"])
    with Visitor(server, TV) as another:
        assert another.ask("GET", "/")[0] == 200


def limits(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """After how many seconds a connection ends that asks nothing, rests, or takes nothing. They are long while TV and phones are
    served, whatever time that takes on a busy machine, and short once the others are to go."""
    for name in ("HEAD", "IDLE", "SEND"):
        monkeypatch.setattr(connections, f"{name}_SECONDS", seconds)


def test_a_laptop_with_many_streams_keeps_neither_tv_nor_organiser_out(
    ledger: Ledger, game: int, crowd: contextlib.ExitStack
) -> None:
    app = create_app(ledger, settings=Settings(listeners=30, reserved=10))
    with served(app) as server, crowd:
        statuses = [crowd.enter_context(Visitor(server, JOKER)).follow() for _ in range(40)]
        assert statuses.count(200) == 20
        all_are_served(server, app, ledger, game, crowd)


def test_who_is_refused_at_the_stream_asks_for_the_same_and_finds_a_place_later(
    ledger: Ledger, game: int, crowd: contextlib.ExitStack
) -> None:
    app = create_app(ledger, settings=Settings(listeners=2, reserved=1))
    with served(app) as server, crowd:
        first, second = (crowd.enter_context(Visitor(server, number)) for number in (TV, JOKER))
        assert (first.follow(), second.follow()) == (200, 503)
        asks = crowd.enter_context(Visitor(server, JOKER))
        told = json.loads(asks.ask("GET", "/api/now")[2])
        assert (told["id"], told["view"]["game"], told["beat"]["notices"]) == (f"{game}.1", game, [])
        assert json.loads(asks.ask("GET", f"/api/now?seen={game}.1")[2])["view"] is None
        first.close()
        until(lambda: crowd.enter_context(Visitor(server, JOKER)).follow() == 200)


def test_silent_slow_and_half_said_connections_end_by_themselves(
    ledger: Ledger, game: int, app: Flask, crowd: contextlib.ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits(monkeypatch, MANY_SECONDS)
    monkeypatch.setattr(gate, "BODY_GAP_SECONDS", 1.0)
    with served(app) as server, crowd:
        silent, half, long, rests, body = (crowd.enter_context(Visitor(server, JOKER)) for _ in range(5))
        half.send("GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ")
        long.send("GET / HTTP/1.1\r\nX-Long: " + "x" * 40_000)
        assert rests.ask("GET", "/api/game")[0] == 200
        body.send("POST /pair HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\npin=")
        all_are_served(server, app, ledger, game, crowd)
        limits(monkeypatch, 1.0)
        for one in (silent, half, long, rests, body):
            assert one.ended()


def test_more_connections_than_there_may_be_cost_only_those_of_who_has_most(
    ledger: Ledger, game: int, app: Flask, crowd: contextlib.ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.dashboard.front.server.within_files", lambda most: 60)
    with served(app) as server, crowd:
        tv = crowd.enter_context(Visitor(server, TV))
        assert tv.follow() == 200
        for _ in range(100):
            crowd.enter_context(Visitor(server, JOKER))
        all_are_served(server, app, ledger, game, crowd)
        tv.until(b"data: ")


def test_who_never_reads_is_let_go_and_nobody_waits_for_them(
    ledger: Ledger, game: int, app: Flask, crowd: contextlib.ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits(monkeypatch, MANY_SECONDS)
    with served(app) as server, crowd:
        deaf = [crowd.enter_context(Visitor(server, JOKER, receives=2048)) for _ in range(12)]
        for one in deaf:
            one.send("GET /static/organiser.css HTTP/1.1\r\nHost: a\r\n\r\n" * 8)
        all_are_served(server, app, ledger, game, crowd)
        limits(monkeypatch, 1.0)
        until(lambda: server.front is not None and len(server.front.connections) < len(deaf))  # none of them has read a byte
        for one in deaf:
            assert one.ended()


def test_a_view_is_made_once_a_language_however_many_follow(
    ledger: Ledger, game: int, app: Flask, crowd: contextlib.ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    really = Snapshot.view
    monkeypatch.setattr(Snapshot, "view", lambda snapshot, lang: made.append(lang) or really(snapshot, lang))
    with served(app) as server, crowd:
        pages = [crowd.enter_context(Visitor(server, 10 + number)) for number in range(40)]
        for number, page in enumerate(pages):
            assert page.follow(f"/api/stream?lang={'it' if number % 2 else 'en'}") == 200
            page.until(f"id: {game}.1\n".encode())
        made.clear()
        ledger.record(game, lines(*GNAFFATA))
        for page in pages:
            page.until(f"id: {game}.2\n".encode())
    assert sorted(made) == ["en", "it"]


def test_what_is_too_long_is_refused_before_it_is_read_on_every_path(
    ledger: Ledger, game: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    app = create_app(ledger, camera=FakeCamera(ledger))
    paths = {rule.rule.replace("<int:", "<") for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    assert len(paths) > 30
    with served(app) as server, Visitor(server, PHONE) as phone:
        phone.pair(app.extensions["pairing"].pin.digits)
        for cookie in ("", phone.cookie):
            for path in sorted(paths):
                with Visitor(server, JOKER) as joker:
                    joker.cookie = cookie
                    address = path.replace("<", "").replace(">", "")
                    status = joker.ask("POST", address, "", "Content-Length: 300000000")[0]
                    assert status in ((413, 404, 405) if cookie else (413, 401, 403, 302, 404, 405)), path
    assert list(tmp_path.iterdir()) == []


def test_unfinished_uploads_are_bounded_and_leave_nothing(
    app: Flask, ledger: Ledger, game: int, tmp_path: Path, crowd: contextlib.ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(gate, "MAX_STRANGERS_BYTES", 300_000)
    with served(app) as server, crowd:
        for number in range(12):
            one = crowd.enter_context(Visitor(server, 10 + number))
            one.send(b"POST /pair HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n" + bytes(50_000))
        last = crowd.enter_context(Visitor(server, JOKER))
        assert last.ask("POST", "/pair", "x" * 60_000)[0] == 408
        all_are_served(server, app, ledger, game, crowd)
        assert list(tmp_path.iterdir()) == []


def test_what_comes_in_pieces_without_a_length_is_bounded_too(app: Flask, ledger: Ledger, game: int) -> None:
    with served(app) as server, Visitor(server, JOKER) as joker:
        joker.send("POST /pair HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        with contextlib.suppress(OSError):
            for _ in range(100):
                joker.send(b"10000\r\n" + bytes(0x10000) + b"\r\n")
        with contextlib.suppress(OSError, AssertionError):  # it may be closed before the answer is read
            assert joker.answer()[0] == 413
        assert joker.ended()


def test_what_is_no_http_is_told_so_in_a_line(app: Flask, ledger: Ledger, capfd: pytest.CaptureFixture[str]) -> None:
    with served(app) as server:
        preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        for nonsense in (b"\x16\x03\x01\x02\x00\x01", b"GET\r\n\r\n", b"\0" + os.urandom(64), preface):
            with Visitor(server, JOKER) as joker:
                joker.send(nonsense)
                assert joker.ended()
        with Visitor(server, JOKER) as joker:
            joker.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
            assert joker.answer()[0] == 400
    assert capfd.readouterr().err == ""


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans(), st.booleans()), max_size=60))
def test_places_never_exceed_their_number_and_nobody_without_one_is_refused_for_one_that_has_three(
    came: list[tuple[int, bool, bool]],
) -> None:
    places, held = Places(8, 3), []
    for number, own, leaves in came:
        if leaves and held:
            places.leave(held.pop(number % len(held)))
            continue
        place = places.enter(str(number), own=own)
        held = [one for one in held if not one.lost]
        if place is None and not own:
            counted = [one.address for one in held if not one.own]
            assert counted.count(str(number)) + 1 >= max(map(counted.count, counted), default=0)
        if place is not None:
            held.append(place)
        assert len(places) == len(held) <= 8
        assert sum(not one.own for one in held) <= 5
        assert all(sum(one.own and one.address == other.address for one in held) <= MAX_RESERVED_PER_ADDRESS for other in held)


def in_a_loop(run: Callable[[], Coroutine[Any, Any, Found]]) -> Found:
    """In a thread of its own: the browser's tests leave a loop running in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(run())).result()


def test_of_requests_that_wait_each_address_has_one_in_turn() -> None:
    async def run() -> list[str]:
        turns, order = Turns(1), []

        async def ask(address: str) -> None:
            await turns.take(address)
            order.append(address)
            await asyncio.sleep(0)
            turns.give_back()

        await asyncio.gather(*map(ask, "jjjjjj"), *map(ask, "ab"))
        return order

    assert in_a_loop(run) == list("jjabjjjj")


def test_who_has_too_many_requests_waiting_is_told_to_come_again_and_others_are_not() -> None:
    async def run() -> None:
        turns = Turns(1)
        await turns.take("a")
        waiting = [asyncio.ensure_future(turns.take("j")) for _ in range(MAX_WAITING_PER_ADDRESS)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await turns.take("j")
        other = asyncio.ensure_future(turns.take("b"))
        await asyncio.sleep(0)
        for one in waiting:
            one.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        turns.give_back()
        await asyncio.wait_for(other, 600)

    in_a_loop(run)


def test_no_thread_is_left_when_a_server_has_ended(ledger: Ledger, game: int, app: Flask, crowd: contextlib.ExitStack) -> None:
    before = threading.active_count()
    with served(app) as server:
        for number in range(20):
            assert crowd.enter_context(Visitor(server, 10 + number)).follow() == 200
    until(lambda: threading.active_count() <= before)


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(0.001, 0.5)), min_size=1, max_size=200))
def test_however_fast_they_ask_strangers_use_no_more_than_their_part(asked: list[tuple[int, float]]) -> None:
    now, spent = 0.0, {str(number): 0.0 for number in range(4)}
    shares = Shares(lambda: now)
    for number, seconds in asked:
        now += shares.wait(str(number)) + 1e-6
        shares.spend(str(number), seconds)
        spent[str(number)] += seconds
        assert sum(spent.values()) <= ALL_BUDGET_SECONDS + now * ALL_REFILL + 0.5
        assert all(one <= ADDRESS_BUDGET_SECONDS + now * ADDRESS_REFILL + 0.5 for one in spent.values())


def test_who_asks_without_end_is_slowed_down_and_others_are_not(ledger: Ledger, game: int, app: Flask) -> None:
    with served(app) as server, contextlib.ExitStack() as crowd:
        until(lambda: server.front is not None)
        assert server.front is not None
        shares = server.front.gate.shares
        shares.spend("127.0.1.3", ADDRESS_BUDGET_SECONDS + ADDRESS_REFILL * 60)  # as it would have after some seconds
        joker = crowd.enter_context(Visitor(server, JOKER))
        assert joker.ask("GET", "/api/game")[0] == 503
        all_are_served(server, app, ledger, game, crowd)


@pytest.mark.kills
def test_who_is_gone_without_a_word_keeps_a_place_for_less_than_half_a_minute() -> None:
    alone = ["unshare", "--map-root-user", "--net"]
    if shutil.which("unshare") is None or subprocess.run([*alone, "true"], capture_output=True, check=False).returncode:
        pytest.skip("needs a network of its own: unshare --net")
    script = Path(__file__).with_name("half_open.py")
    ran = subprocess.run([*alone, sys.executable, str(script), "10"], capture_output=True, text=True, check=True)
    assert float(ran.stdout) < 30
