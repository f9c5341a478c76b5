"""What a watchdog and Prometheus are told: what TV and phone say, and nothing that is not everybody's."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_camera import FakeCamera
from games import GNAFFATA, lines
from phones import Phone
from prometheus_client.parser import text_string_to_metric_families

from companion.dashboard import Settings, create_app
from companion.games import log_format
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger, Trouble
from companion.line.camera import CameraState, CameraStatus
from companion.line.notices import Notice

GAME = new_game(["Anna", "Bruno", "Carla"], 200, "Carla")


def figures(text: str) -> dict[str, float]:
    """The samples of /metrics, as Prometheus' own parser reads them; of the states the one that is."""
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {next(iter(one.labels.values()), one.name): one.value for one in samples if one.value or not one.labels}


@pytest.mark.parametrize(
    ("state", "status"), [("live", 200), ("held", 200), ("ended", 200), ("opening", 200), ("frozen", 503), ("lost", 503)]
)
def test_a_camera_that_does_not_see_the_game_is_said_by_status_and_figures(
    ledger: Ledger, state: CameraState, status: int
) -> None:
    camera = FakeCamera(ledger)
    camera.begin(GAME, b"{}")
    camera.state = CameraStatus("rtsp://anna:secret@192.168.1.20/live", state, "rtsp://anna:secret@192.168.1.20/live: silent")
    client = create_app(ledger, camera=camera).test_client()
    told = client.get("/healthz")
    assert (told.status_code, told.json["camera"]["state"]) == (status, state)
    assert told.json["problems"] == ["camera"] * (status == 503)
    found = figures(client.get("/metrics").text)
    assert found[state] == 1
    assert found["companion_ok"] == (status == 200)
    assert found["companion_camera_restarts_total"] == told.json["camera"]["restarts"] == 2
    both = told.text + client.get("/metrics").text
    assert not any(private in both for private in ("secret", "192.168", "Anna", "Bruno", "Carla"))


def test_a_lost_camera_that_follows_nothing_is_no_trouble(ledger: Ledger) -> None:
    camera = FakeCamera(ledger)
    camera.state = CameraStatus("0", "lost")
    assert create_app(ledger, camera=camera).test_client().get("/healthz").status_code == 200
    assert create_app(ledger).test_client().get("/healthz").json["camera"]["state"] == "none"


def test_further_cameras_are_told_with_their_numbers(ledger: Ledger) -> None:
    camera = FakeCamera(ledger)
    client = create_app(ledger, camera=camera).test_client()
    assert client.get("/healthz").json["further"] == []
    assert "further" not in client.get("/metrics").text
    camera.further[0].choose("rtsp://anna:secret@192.168.1.21/live")
    camera.further[1].choose("2")
    camera.further[1].state = CameraStatus("2", "lost")
    told, text = client.get("/healthz"), client.get("/metrics").text
    assert [one["state"] for one in told.json["further"]] == ["live", "lost"]
    assert (told.status_code, told.json["problems"]) == (200, []), "the others go on"
    assert 'companion_further_camera_state{state="live",view="2"} 1.0' in text
    assert 'companion_further_camera_state{state="lost",view="3"} 1.0' in text
    assert 'companion_further_camera_restarts_total{view="2"} 0.0' in text
    assert not any(private in told.text + text for private in ("secret", "192.168"))


def test_hands_and_pages_are_counted(ledger: Ledger) -> None:
    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    client = create_app(ledger).test_client()
    shown = sum('"e":"hand"' in line for line in client.get("/api/log").text.splitlines())
    with client.get("/api/stream") as stream:
        next(iter(stream.response))
        found = figures(client.get("/metrics").text)
        assert (found["companion_hands"], found["companion_pages"]) == (shown, 1)
    assert shown > 0
    assert client.get("/healthz").json["pages"] == 0
    assert client.get("/healthz").json["memory"] > 10_000_000


def test_a_disk_that_takes_nothing_is_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Ledger.open(tmp_path / "a.ledger", log_format, keep_going=True) as ledger:
        client = create_app(ledger).test_client()
        assert client.get("/healthz").status_code == 200
        monkeypatch.setattr(type(ledger), "trouble", Trouble("full", 0.0))
        told = client.get("/healthz")
        assert (told.status_code, told.json["problems"], told.json["ledger_writable"]) == (503, ["ledger"], False)
        assert figures(client.get("/metrics").text)["companion_ledger_writable"] == 0


@pytest.mark.parametrize("page", ["/api/stream", "/api/organiser/stream"])
def test_what_is_wrong_with_the_camera_does_not_wait_for_the_next_heartbeat(ledger: Ledger, page: str) -> None:
    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    told: list[Notice] = []
    app = create_app(ledger, settings=Settings(heartbeat=7200, patience=9000), camera=FakeCamera(ledger), notices=lambda: told)
    phone = Phone(app)
    with phone.client.get(page) as stream:
        heard = iter(stream.response)
        while b"event: view" not in next(heard):
            pass
        told.append(Notice("frozen", 0.0))
        while b"notices" not in (event := next(heard)) or b'"notices":[]' in event:
            pass  # the heartbeat would come in two hours
