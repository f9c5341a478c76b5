"""The camera side in a process of its own: killed, stopped, grown, stuck at a door; the evening goes on, and what was not seen is
told as unseen."""

from __future__ import annotations

import os
import signal
import socket
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest
from serving import until

from companion.games import log_format
from companion.games.stu.rules.log import Hand, new_game
from companion.ledger import Ledger
from companion.line.phone_camera import PHONE, PhoneCamera
from companion.line.side import apart
from companion.line.side.apart import Apart, memory_of
from companion.line.side.messages import Setting
from companion.line.station import Station
from companion.referee.record import Fixed, Said
from workshop.soak.camera import NetworkCamera

SIZE = (320, 180)
GAME = new_game(["Anna", "Bruno", "Carla"], 200, "Carla")
TABLE = (
    b'{"v":1,"image_size":[320,180],"corners":[[40,20],[280,20],[310,170],[10,170]],"stake":200,"currency":"EUR",'
    b'"dealer":"Carla","players":[{"name":"Anna","place":[160,140]},{"name":"Bruno","place":[250,60]},'
    b'{"name":"Carla","place":[70,60]}]}'
)
GRAIN = cv2.resize(np.random.default_rng(1).normal(90, 25, (45, 80, 3)), SIZE, interpolation=cv2.INTER_CUBIC)


@pytest.fixture(autouse=True)
def found_by_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    here = Path(__file__)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(here.parent), str(here.parents[2])]))


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four seconds of a grained table, each picture a little brighter than the one before."""
    path = tmp_path_factory.mktemp("clip") / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, SIZE)
    for number in range(45):
        writer.write(np.clip(GRAIN - 30 + number, 0, 255).astype(np.uint8))
    writer.release()
    return path


def in_a_process(ledger: Ledger, eyes: str = "sound", phone: PhoneCamera | None = None) -> tuple[Station, Apart]:
    side = Apart(Setting(), phone, f"side_eyes:{eyes}")
    return Station(ledger, lambda: lambda picture: (), pace=0, side=side), side


def live(station: Station) -> bool:
    return station.status().state == "live"


def test_a_process_sees_what_a_thread_sees(ledger: Ledger, clip: Path) -> None:
    from side_eyes import dealt

    station, side = in_a_process(ledger)
    with station:
        station.choose(str(clip))
        until(lambda: station.status().state == "held" and station.status().size == SIZE)
        picture = cv2.imdecode(np.frombuffer(station.jpeg(160) or b"", np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None
        assert picture.shape == (90, 160, 3)
        until(lambda: station.check((), ()) is not None)
        assert station.newest() is station.newest()
        assert station.refused(str(clip.with_name("none.avi"))) is not None
        assert [source.name for source in station.sources()][-1] == "clip.avi"
        game = station.begin(GAME, TABLE)
        until(lambda: station.status().state == "ended")
        until(lambda: any('"place":2' in text for text in ledger.reports(game)))
        told = ledger.reports(game)
        assert len(station.footage.between(game, 0, 100)) > 15
        pid = side.pid
    assert pid is not None
    assert memory_of(pid) is None, "it ends with the evening"
    with Ledger.in_memory(log_format) as other, Station(other, lambda: dealt, pace=0) as in_a_thread:
        in_a_thread.choose(str(clip))
        same = in_a_thread.begin(GAME, TABLE)
        until(lambda: in_a_thread.status().state == "ended")
        assert other.reports(same) == told


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSEGV, signal.SIGSTOP])
def test_one_that_dies_or_hangs_leaves_the_evening_untouched_and_the_next_says_what_it_missed(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, how: signal.Signals
) -> None:
    monkeypatch.setattr(apart, "HUNG_SECONDS", 4.0)
    station, side = in_a_process(ledger, "all_there")
    with NetworkCamera(GRAIN) as camera, station:
        station.choose(camera.url)
        game = station.begin(GAME, TABLE)
        until(lambda: live(station) and any('"place":2' in text for text in ledger.reports(game)))
        pid, before = side.pid, ledger.lines(game)
        assert pid is not None
        os.kill(pid, how)
        until(lambda: station.status().state == "lost")
        assert [notice.what for notice in station.notices()] == ["gap"]
        assert station.jpeg(160) is None
        assert ledger.lines(game) == before
        until(lambda: live(station) and side.pid not in (pid, None))
        until(lambda: any(text.startswith('{"Unseen"') for text in ledger.reports(game)))
        assert ledger.lines(game)[: len(before)] == before
        assert side.restarts == 1


def test_one_that_grows_is_ended_before_the_machine_is_full(ledger: Ledger, monkeypatch: pytest.MonkeyPatch, clip: Path) -> None:
    station, side = in_a_process(ledger, "growing")
    with NetworkCamera(GRAIN) as camera, station:
        until(lambda: side.memory)
        monkeypatch.setattr(apart, "MOST_MEMORY", 300 * 2**20)
        station.choose(camera.url)
        station.begin(GAME, TABLE)
        until(lambda: side.restarts == 1)
        assert station.status().state == "lost"
        assert "grew" in station.status().reason


def test_one_that_stumbles_again_and_again_is_begun_after_longer_pauses(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "PAUSES", (0.05, 0.1, 5.0))
    station, side = in_a_process(ledger, "stumbling")
    with NetworkCamera(GRAIN) as camera, station:
        station.choose(camera.url)
        game = station.begin(GAME, TABLE)
        until(lambda: "the detector stumbled" in station.status().reason)
        until(lambda: side.restarts == 1)
        assert station.scribe is not None
        station.scribe.report(Fixed(station.scribe.evening.current.id, (Said(Hand(), by_hand=True),)))
        assert [type(line.event) for line in ledger.lines(game)][-1] is Hand, "the thumb plays on"


def test_a_door_that_does_not_open_blocks_no_other_choice(ledger: Ledger) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, NetworkCamera(GRAIN) as camera:
        station, _ = in_a_process(ledger)
        with station:
            station.choose(f"http://127.0.0.1:{silent.getsockname()[1]}/camera.mjpg")
            until(lambda: station.status().state == "opening")
            station.choose(camera.url)
            until(lambda: live(station))


def test_a_phones_pictures_reach_the_process(ledger: Ledger) -> None:
    inbox = PhoneCamera()
    station, _ = in_a_process(ledger, phone=inbox)
    stopped = threading.Event()
    pictures = [cv2.imencode(".jpg", np.clip(GRAIN + step, 0, 255).astype(np.uint8))[1].tobytes() for step in range(3)]

    def send() -> None:
        number = 0
        while not stopped.wait(1 / 15):
            number += 1
            inbox.put("anna", "p", number / 15, pictures[number % 3])

    thread = threading.Thread(target=send)
    with station:
        station.choose(PHONE)
        thread.start()
        until(lambda: live(station) and station.status().size == SIZE and station.status().per_second > 5)
        stopped.set()
        thread.join()
        inbox.away("anna", "p", 1e6)
        until(lambda: "hidden or closed" in station.status().reason)
