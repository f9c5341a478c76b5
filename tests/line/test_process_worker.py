"""The camera side in a process of its own: killed, stopped, grown, stuck at a door; the evening goes on, and what was not seen is
told as unseen."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from serving import until

from companion.games import log_format
from companion.games.stu.rules.log import Hand, new_game
from companion.ledger import Ledger
from companion.line.camera_session import CameraSession
from companion.line.defaults import FURTHER_NICE
from companion.line.phone_camera import PHONE, PhoneCamera
from companion.line.worker import process_worker
from companion.line.worker.base import QUERIES, Queries
from companion.line.worker.messages import Ask, Condition, Glimpsed, Job, Setting, encode
from companion.line.worker.process import answered
from companion.line.worker.process_worker import ProcessWorker, memory_of
from companion.referee.record import Fixed, StatedLine
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


def in_a_process(ledger: Ledger, eyes: str = "sound", phone: PhoneCamera | None = None) -> tuple[CameraSession, ProcessWorker]:
    side = ProcessWorker(Setting(), phone, f"side_eyes:{eyes}")
    return CameraSession(ledger, lambda: lambda picture: (), pace=0, worker=side), side


def live(camera_session: CameraSession) -> bool:
    return camera_session.status().state == "live"


def test_a_process_sees_what_a_thread_sees(ledger: Ledger, clip: Path) -> None:
    from side_eyes import dealt

    camera_session, side = in_a_process(ledger)
    with camera_session:
        camera_session.choose(str(clip))
        until(lambda: camera_session.status().state == "held" and camera_session.status().size == SIZE)
        picture = cv2.imdecode(np.frombuffer(camera_session.jpeg(160) or b"", np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None
        assert picture.shape == (90, 160, 3)
        until(lambda: camera_session.check((), ()) is not None)
        assert camera_session.newest() is camera_session.newest()
        assert camera_session.refused(str(clip.with_name("none.avi"))) is not None
        assert [source.name for source in camera_session.sources()][-1] == "clip.avi"
        game = camera_session.begin(GAME, TABLE)
        until(lambda: camera_session.status().state == "ended")
        until(lambda: any('"place":2' in text for text in ledger.reports(game)))
        told = ledger.reports(game)
        assert len(camera_session.footage.between(game, 0, 100)) > 15
        pid = side.pid
    assert pid is not None
    assert memory_of(pid) is None, "it ends with the evening"
    with Ledger.in_memory(log_format) as other, CameraSession(other, lambda: dealt, pace=0) as in_a_thread:
        in_a_thread.choose(str(clip))
        same = in_a_thread.begin(GAME, TABLE)
        until(lambda: in_a_thread.status().state == "ended")
        assert other.reports(same) == told


@pytest.mark.parametrize("how", [signal.SIGKILL, pytest.param(signal.SIGSEGV, marks=pytest.mark.kills), signal.SIGSTOP])
def test_one_that_dies_or_hangs_leaves_the_evening_untouched_and_the_next_says_what_it_missed(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, how: signal.Signals
) -> None:
    for name in ("HUNG", "CHOICE"):  # none that is only slow, as on a busy machine, is taken for one that hangs
        monkeypatch.setattr(process_worker, f"{name}_SECONDS", 1e6)
    camera_session, side = in_a_process(ledger, "all_there")
    with NetworkCamera(GRAIN) as camera, camera_session:
        camera_session.choose(camera.url)
        game = camera_session.begin(GAME, TABLE)
        until(lambda: live(camera_session) and any('"place":2' in text for text in ledger.reports(game)))
        pid, before = side.pid, ledger.lines(game)
        assert pid is not None
        os.kill(pid, how)
        until(lambda: camera_session.status().state == "lost")
        assert [notice.what for notice in camera_session.notices()] == ["gap"]
        assert camera_session.jpeg(160) is None
        assert ledger.lines(game) == before
        monkeypatch.setattr(process_worker, "HUNG_SECONDS", 4.0)
        until(lambda: side.pid not in (pid, None))
        monkeypatch.setattr(process_worker, "HUNG_SECONDS", 1e6)
        until(lambda: live(camera_session))
        until(lambda: any(text.startswith('{"Unseen"') for text in ledger.reports(game)))
        assert ledger.lines(game)[: len(before)] == before
        assert side.restarts == 1


def test_a_signal_that_all_processes_get_ends_the_program_and_is_no_crash_of_the_camera_side(ledger: Ledger) -> None:
    """`systemctl stop` and `timeout` send SIGTERM to each."""
    camera_session, side = in_a_process(ledger)
    with NetworkCamera(GRAIN) as camera, camera_session:
        camera_session.choose(camera.url)
        until(lambda: live(camera_session))
        pid = side.pid
        assert pid is not None
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
            os.kill(pid, number)
        assert camera_session.refused("no-such-film.avi") is not None, "it goes on, and answers"
        assert (side.pid, side.restarts) == (pid, 0)
    assert memory_of(pid) is None, "it ends with the evening"


class Listens:
    """Keeps what a camera side tells of itself."""

    def __init__(self, job: Job) -> None:
        self.told: list[Condition] = []
        self._job = job

    def on_message(self, message: Condition | Glimpsed) -> None:
        self.told += [message] if isinstance(message, Condition) else []

    def job(self) -> Job:
        return self._job


def test_one_that_cannot_be_begun_in_the_middle_of_an_update_is_tried_until_it_can(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_worker, "PAUSE_SECONDS", (0.05,))
    program = sys.executable
    camera_session, side = in_a_process(ledger)
    with NetworkCamera(GRAIN) as camera, camera_session:
        camera_session.choose(camera.url)
        until(lambda: live(camera_session))
        assert side.pid is not None
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
        os.kill(side.pid, signal.SIGKILL)
        until(lambda: "cannot be begun" in camera_session.status().reason)
        assert camera_session.status().state == "lost"
        monkeypatch.setattr(sys, "executable", program)
        until(lambda: live(camera_session))


def test_one_of_an_update_that_speaks_otherwise_is_ended_and_tried_again(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_worker, "PAUSE_SECONDS", (0.05,))
    understood = process_worker.from_worker
    camera_session, side = in_a_process(ledger)
    with NetworkCamera(GRAIN) as camera, camera_session:
        camera_session.choose(camera.url)
        until(lambda: live(camera_session))
        monkeypatch.setattr(process_worker, "from_worker", msgspec.msgpack.Decoder(Job))
        until(lambda: "another version" in camera_session.status().reason)
        assert side.restarts
        monkeypatch.setattr(process_worker, "from_worker", understood)
        until(lambda: live(camera_session))


def test_a_slow_first_look_is_no_silence_of_the_camera(clip: Path) -> None:
    from side_eyes import SLOW_SECONDS

    assert SLOW_SECONDS > process_worker.SILENT_SECONDS
    listens = Listens(Job(1, str(clip), table=TABLE))
    side = ProcessWorker(Setting(), eyes="side_eyes:slow_at_first")
    side.start(listens)
    side.do(listens.job())
    until(lambda: any(one.looks for one in listens.told))
    side.stop()
    before = next(number for number, one in enumerate(listens.told) if one.looks)
    assert [one.reason for one in listens.told[:before] if one.state == "lost"] == []
    assert any(one.loading and one.state == "held" for one in listens.told[:before]), "it says what it does"


def test_a_further_camera_steps_back_behind_the_first(clip: Path) -> None:
    mine = os.getpriority(os.PRIO_PROCESS, 0)
    for nice in (0, FURTHER_NICE):
        listens = Listens(Job(1, str(clip), table=TABLE))
        side = ProcessWorker(Setting(nice=nice), eyes="side_eyes:sound")
        side.start(listens)
        side.do(listens.job())
        until(lambda listens=listens: any(one.looks for one in listens.told))
        assert side.pid is not None
        assert os.getpriority(os.PRIO_PROCESS, side.pid) == mine + nice
        side.stop()


def test_a_look_that_takes_long_on_a_busy_machine_is_no_camera_without_pictures(clip: Path) -> None:
    listens = Listens(Job(1, str(clip), table=TABLE))
    side = ProcessWorker(Setting(), eyes="busy_eyes:busy")
    side.start(listens)
    side.do(listens.job())
    until(lambda: any(one.looks > 2 for one in listens.told))
    side.stop()
    assert [one.reason for one in listens.told if one.state == "lost"] == []


def test_one_that_grows_is_ended_before_the_machine_is_full(ledger: Ledger, monkeypatch: pytest.MonkeyPatch, clip: Path) -> None:
    camera_session, side = in_a_process(ledger, "growing")
    with NetworkCamera(GRAIN) as camera, camera_session:
        until(lambda: side.memory)
        monkeypatch.setattr(process_worker, "MAX_MEMORY_BYTES", 300 * 2**20)
        camera_session.choose(camera.url)
        camera_session.begin(GAME, TABLE)
        until(lambda: side.restarts == 1)
        assert camera_session.status().state == "lost"
        assert "grew" in camera_session.status().reason


def test_one_that_stumbles_again_and_again_is_begun_after_longer_pauses(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_worker, "PAUSE_SECONDS", (0.05, 0.1, 5.0))
    camera_session, side = in_a_process(ledger, "stumbling")
    with NetworkCamera(GRAIN) as camera, camera_session:
        camera_session.choose(camera.url)
        game = camera_session.begin(GAME, TABLE)
        until(lambda: "the detector stumbled" in camera_session.status().reason)
        until(lambda: side.restarts == 1)
        assert camera_session.recorder is not None
        camera_session.recorder.report(Fixed(camera_session.recorder.evening.current.id, (StatedLine(Hand(), by_hand=True),)))
        assert [type(line.event) for line in ledger.lines(game)][-1] is Hand, "the thumb plays on"


def test_a_door_that_does_not_open_blocks_no_other_choice(ledger: Ledger) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, NetworkCamera(GRAIN) as camera:
        camera_session, _ = in_a_process(ledger)
        with camera_session:
            camera_session.choose(f"http://127.0.0.1:{silent.getsockname()[1]}/camera.mjpg")
            until(lambda: camera_session.status().state == "opening")
            camera_session.choose(camera.url)
            until(lambda: live(camera_session))


def test_a_phones_pictures_reach_the_process(ledger: Ledger) -> None:
    inbox = PhoneCamera()
    camera_session, _ = in_a_process(ledger, phone=inbox)
    stopped = threading.Event()
    pictures = [cv2.imencode(".jpg", np.clip(GRAIN + step, 0, 255).astype(np.uint8))[1].tobytes() for step in range(3)]

    def send() -> None:
        number = 0
        while not stopped.wait(1 / 15):
            number += 1
            inbox.put("anna", "p", number / 15, pictures[number % 3])

    thread = threading.Thread(target=send)
    with camera_session:
        camera_session.choose(PHONE)
        thread.start()
        until(lambda: live(camera_session) and camera_session.status().size == SIZE and camera_session.status().per_second > 5)
        stopped.set()
        thread.join()
        inbox.away("anna", "p", 1e6)
        until(lambda: "hidden or closed" in camera_session.status().reason)


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_of_a_process_that_does_not_run_is_answered_as_without_a_camera(name: str) -> None:
    arguments: dict[str, tuple[object, ...]] = {
        "jpeg": (640,), "corners": (), "check": ((), ()), "shown": (((1.0, 2.0), (3.0, 4.0)),), "cameras": ((),),
        "refused": ("0",), "shot": (None,),
    }  # fmt: skip
    asked = getattr(ProcessWorker(Setting()), name)(*arguments[name])
    assert asked == getattr(Queries(), name)(*arguments[name])


def test_only_queries_are_answered(caplog: pytest.LogCaptureFixture) -> None:
    assert answered(Queries(), Ask(1, "shown", (((1.0, 2.0),),))) == encode((None,))
    assert answered(Queries(), Ask(2, "__init__")) is None
    assert "__init__" in caplog.text
