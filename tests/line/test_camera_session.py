"""The evening's camera: shown, followed, lost and found again, with eyes that see what the test lays before them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from serving import until
from side_eyes import PLACES, dealt, lying

from companion.assets import asset
from companion.eyes.cameras import CameraFound, cameras, remembered
from companion.eyes.check import shown_at
from companion.eyes.look import Eyes
from companion.eyes.seeing import Look
from companion.eyes.sighting import CardSeen
from companion.eyes.source import Picture, pictures
from companion.games.stu.rules.log import Hand, Reveal, new_game, read_lines
from companion.ledger import Ledger
from companion.line.camera_session import CameraSession
from companion.line.footage import Footage
from companion.line.tablefile import parse_table_file
from companion.line.witness import Freshness
from companion.table.errors import BadDeck, CompanionError
from companion.table.log import Line
from workshop.soak.camera import NetworkCamera, table

SIZE = (320, 180)
GAME = new_game(["Anna", "Bruno", "Carla"], 200, "Carla")
TABLE = (
    b'{"v":1,"image_size":[320,180],"corners":[[40,20],[280,20],[310,170],[10,170]],"stake":200,"currency":"EUR",'
    b'"dealer":"Carla","players":[{"name":"Anna","place":[160,140]},{"name":"Bruno","place":[250,60]},'
    b'{"name":"Carla","place":[70,60]}]}'
)


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four seconds of a grained table, each picture a little brighter than the one before."""
    grain = cv2.resize(np.random.default_rng(1).normal(60, 25, (45, 80, 3)), SIZE, interpolation=cv2.INTER_CUBIC)
    path = tmp_path_factory.mktemp("clip") / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, SIZE)
    for number in range(45):
        writer.write(np.clip(grain + number, 0, 255).astype(np.uint8))
    writer.release()
    return path


def brightness(jpeg: bytes | None) -> float:
    assert jpeg is not None
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return float(picture.mean())


def test_a_file_waits_on_its_first_picture_until_the_game_begins(ledger: Ledger, clip: Path) -> None:
    with CameraSession(ledger, lambda: dealt, pace=0) as camera_session:
        assert camera_session.status().state == "none"
        camera_session.choose(str(clip))
        until(lambda: camera_session.status().state == "held")
        assert camera_session.status().size == SIZE
        first = brightness(camera_session.jpeg(160))
        until(lambda: camera_session.check((), ()) is not None)
        assert [source.name for source in camera_session.sources()] == ["clip.avi"]
        camera_session.begin(GAME, TABLE)
        until(lambda: camera_session.status().state == "ended")
        assert brightness(camera_session.jpeg(160)) > first + 30


def test_what_the_camera_sees_is_in_the_ledger_with_where_it_stood(ledger: Ledger, clip: Path) -> None:
    with CameraSession(ledger, lambda: dealt, pace=0) as camera_session:
        camera_session.choose(str(clip))
        game = camera_session.begin(GAME, TABLE)
        until(lambda: any('"place":2' in text for text in ledger.reports(game)))
        assert camera_session.recorder is not None
        assert [line.event.__struct_config__.tag for line in ledger.lines(game)] == ["game", "hand"]
        notes = ledger.notes(game)
        assert notes["camera"] == str(clip)
        assert 3 <= float(notes["at"]) < 4.5
        checked = camera_session.check((), ())  # of a game that is on, its own places count
        assert checked is not None
        assert [card.place for card in checked.cards] == [1, 2, 3]


def test_a_restart_goes_on_with_the_clip_where_it_was_left(ledger: Ledger, clip: Path) -> None:
    seen: list[float] = []

    def look(picture: Picture) -> tuple[CardSeen, ...]:
        seen.append(picture.t)
        return dealt(picture)

    with CameraSession(ledger, lambda: look) as camera_session:
        camera_session.choose(str(clip))
        game = camera_session.begin(GAME, TABLE)
        until(lambda: ledger.reports(game))
    left = float(ledger.notes(game)["at"])
    seen.clear()
    with CameraSession(ledger, lambda: look) as again:
        recorder = again.resume()
        assert recorder is not None
        until(lambda: any(text.startswith('{"Appeared"') and '"place":2' in text for text in ledger.reports(game)))
        assert [line.event.__struct_config__.tag for line in recorder.evening.log] == ["game", "hand"]
    assert min(seen) >= left - 0.05


def test_video_that_is_kept_on_the_disk_is_there_after_a_restart(ledger: Ledger, clip: Path, tmp_path: Path) -> None:
    with CameraSession(ledger, lambda: dealt, pace=0, footage=(before := Footage(60, tmp_path))) as camera_session:
        camera_session.choose(str(clip))
        game = camera_session.begin(GAME, TABLE)
        until(lambda: camera_session.status().state == "ended")
    before.close()
    kept = before.between(game, 0, 100)
    assert len(kept) > 15
    with CameraSession(ledger, lambda: dealt, footage=(after := Footage(60, tmp_path))) as again:
        assert again.resume() is not None
        until(lambda: again.status().state in ("live", "ended"))
        found = after.between(game, 0, 2)
        assert found == tuple(still for still in kept if still.t <= 2)
        assert again.moment(1.0, (0,)) is not None
    after.close()


def test_a_camera_that_was_moved_takes_the_places_along(ledger: Ledger, clip: Path) -> None:
    table = parse_table_file(TABLE)
    halved = table.with_corners([(155, 85), (5, 85), (20, 10), (140, 10)], (160, 90))  # another corner first, half the size
    assert [seat.place for seat in halved.table.players] == [(80, 70), (125, 30), (35, 30)]
    assert halved.table.corners[0] == (20, 10)
    with CameraSession(ledger, lambda: dealt) as camera_session:
        with pytest.raises(CompanionError, match="no game"):
            camera_session.moved(table.table.corners, SIZE)
        camera_session.choose(str(clip))
        game = camera_session.begin(GAME, TABLE)
        camera_session.moved(tuple((x + 8.0, y) for x, y in table.table.corners), SIZE)
        moved = parse_table_file(ledger.notes(game)["table"])
        assert [seat.place for seat in moved.table.players] == [pytest.approx((x + 8, y), abs=0.1) for x, y in PLACES]
        assert moved.first == table.first
        with pytest.raises(CompanionError, match="corners"):
            camera_session.moved(((0.0, 0.0), (9.0, 9.0), (9.0, 0.0), (0.0, 9.0)), SIZE)
        until(lambda: ledger.reports(game))


def test_a_camera_that_is_lost_is_said_so_and_tried_again(ledger: Ledger, tmp_path: Path, clip: Path, monkeypatch) -> None:
    monkeypatch.setattr("companion.line.worker.thread_worker.RETRY_SECONDS", 0.05)
    later = tmp_path / "later.avi"
    with CameraSession(ledger, lambda: dealt) as camera_session:
        camera_session.choose(str(later))
        until(lambda: camera_session.status().state == "lost")
        assert "no such file" in camera_session.status().reason
        assert camera_session.jpeg(100) is None
        assert camera_session.check((), ()) is None
        later.write_bytes(clip.read_bytes())
        until(lambda: camera_session.status().state == "held")


def test_one_bad_picture_does_not_end_the_evening(ledger: Ledger, clip: Path, monkeypatch) -> None:
    monkeypatch.setattr("companion.line.worker.thread_worker.RETRY_SECONDS", 0.05)
    failed: list[float] = []

    def look(picture: Picture) -> tuple[CardSeen, ...]:
        if not failed:
            failed.append(picture.t)
            raise RuntimeError("the detector stumbled")
        return dealt(picture)

    with CameraSession(ledger, lambda: look) as camera_session:
        camera_session.choose(str(clip))
        game = camera_session.begin(GAME, TABLE)
        until(lambda: ledger.reports(game))
    assert failed


def test_a_game_by_thumb_reads_no_camera_and_is_gone_on_with(ledger: Ledger) -> None:
    with CameraSession(ledger, lambda: dealt) as camera_session:
        game = camera_session.begin(GAME, None)
        assert camera_session.status().state == "none"
    with CameraSession(ledger, lambda: dealt) as again:
        recorder = again.resume()
        assert recorder is not None
        assert recorder.game_id == game


def test_what_was_not_begun_here_or_is_over_is_not_gone_on_with(ledger: Ledger) -> None:
    with CameraSession(ledger, lambda: dealt) as camera_session:
        assert camera_session.resume() is None
        ledger.record(ledger.new_game(source="elsewhere"), station_log())
        assert camera_session.resume() is None


def station_log():
    from companion.table.log import Line

    return [Line(GAME)]


def test_cameras_that_open_are_listed_and_the_one_in_use_is_not_opened_again(tmp_path: Path) -> None:
    for name in ("video0", "video2", "video10"):
        (tmp_path / name).touch()
    tried: list[str] = []

    def size_of(device: Path) -> tuple[int, int] | None:
        tried.append(device.name)
        return (1280, 720) if device.name == "video10" else None

    found = cameras(["0"], tmp_path, size_of)
    assert found == (CameraFound("0", "", None), CameraFound("10", "", (1280, 720)))
    assert tried == ["video2", "video10"]


@pytest.mark.networks
def test_a_face_in_each_place_is_read_as_the_seat_draw_needs_it() -> None:
    """The trained eyes on the bundled clip, where all five have shown their cards: as its log tells them."""
    demo = asset("datasets/demo")
    table = parse_table_file((demo / "table.json").read_bytes()).table
    events = [line.event for line in read_lines((demo / "log.jsonl").read_bytes())]
    shown = {event.by: event.card for event in events if isinstance(event, Reveal)}  # of both hands, the last one counts
    picture = next(pictures(str(demo / "demo.mp4"), 10, 64.0))
    read = shown_at(Eyes.load(asset("models")).look(picture.image), [seat.place for seat in table.players])
    assert {seat.name: face[0] for seat, face in zip(table.players, read, strict=True) if face} == shown


def test_the_table_is_told_when_the_light_goes_out_and_when_the_camera_is_gone(ledger: Ledger, tmp_path: Path) -> None:
    grain = cv2.resize(np.random.default_rng(1).normal(90, 25, (45, 80, 3)), SIZE, interpolation=cv2.INTER_CUBIC)
    path = tmp_path / "evening.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, SIZE)
    noise = np.random.default_rng(2)
    for number in range(50):
        writer.write(np.clip(grain * (number < 15) + noise.normal(2, 1, grain.shape), 0, 255).astype(np.uint8))
    writer.release()
    told: list[object] = []  # while there was light

    def look(picture: Picture) -> tuple[CardSeen, ...]:
        told.extend(camera_session.notices())
        return ()

    with CameraSession(ledger, lambda: look, pace=0) as camera_session:
        camera_session.choose(str(path))
        camera_session.begin(GAME, TABLE)
        until(lambda: [notice.what for notice in camera_session.notices()] == ["dark"])
        assert told == []
        camera_session.choose(str(tmp_path / "unplugged.avi"))
        until(lambda: [notice.what for notice in camera_session.notices()] == ["gap"])


STOPS = [("frozen", "frozen", "frozen"), ("half", "frozen", "frozen"), ("silent", "lost", "gap"), ("garbage", "lost", "gap")]


@pytest.mark.parametrize(("mode", "state", "said"), STOPS)
def test_a_camera_that_stops_is_said_so_though_it_stays_open(
    ledger: Ledger, monkeypatch, mode: str, state: str, said: str
) -> None:
    shorter = {"witness.FROZEN": 0.6, "witness.HALF": 1.0, "worker.thread_worker.REOPEN": 1.5, "worker.thread_worker.RETRY": 0.05}
    for name, seconds in shorter.items():
        monkeypatch.setattr(f"companion.line.{name}_SECONDS", seconds)
    monkeypatch.setattr("companion.eyes.source.STALE_SECONDS", 0.8)
    grain = cv2.resize(np.random.default_rng(1).normal(90, 25, (45, 80, 3)), SIZE, interpolation=cv2.INTER_CUBIC)
    with NetworkCamera(grain) as camera, CameraSession(ledger, lambda: lambda picture: ()) as camera_session:
        camera_session.choose(camera.url)
        camera_session.begin(GAME, TABLE)
        until(lambda: camera_session.status().state == "live" and camera_session.status().per_second > 0
              and camera_session.notices() == ())
        camera.mode = mode
        until(lambda: camera_session.status().state == state and [notice.what for notice in camera_session.notices()] == [said])
        camera.mode = "live"
        until(lambda: camera_session.status().state == "live" and camera_session.notices() == ())


LOWEST = {
    "a black border": (np.zeros(3), False),
    "a bright border": (np.full(3, 250), False),
    "what a decoder leaves where it has had nothing": (np.array((0, 135, 0)), True),
    "the table, as in the first picture": (np.random.default_rng(1).normal(90, 25, (20, 120, 3)), True),
}


@pytest.mark.parametrize(("low", "halved"), LOWEST.values(), ids=LOWEST)
def test_a_lowest_part_that_never_moved_is_a_border_where_it_looks_like_one(low: np.ndarray, halved: bool) -> None:
    fresh = Freshness()
    before = None
    for t in range(5):
        image = np.full((160, 120, 3), t, np.uint8)
        image[-20:] = low
        fresh.put(before, image, float(t))
        before = image
    assert fresh.halved is halved


def test_half_pictures_from_the_first_are_known(ledger: Ledger, monkeypatch) -> None:
    monkeypatch.setattr("companion.line.witness.HALF_SECONDS", 1.0)
    with NetworkCamera(table()) as camera, CameraSession(ledger, lambda: lambda picture: ()) as camera_session:
        camera.mode = "half"
        camera_session.choose(camera.url)
        camera_session.begin(GAME, TABLE)
        until(lambda: camera_session.status().state == "frozen")
        camera.mode = "live"
        until(lambda: camera_session.status().state == "live")


def test_a_second_evening_on_the_same_file_begins_with_its_first_picture(ledger: Ledger, clip: Path) -> None:
    seen: list[float] = []

    def look(picture: Picture) -> tuple[CardSeen, ...]:
        seen.append(picture.t)
        return dealt(picture)

    with CameraSession(ledger, lambda: look, pace=0) as camera_session:
        camera_session.choose(str(clip))
        camera_session.begin(GAME, TABLE)
        until(lambda: camera_session.status().state == "ended")
        seen.clear()
        camera_session.begin(GAME, TABLE)  # as it stands, at its end
        until(lambda: camera_session.status().state == "ended" and seen)
        assert min(seen) < 0.2
        camera_session.leave()  # and chosen again: it waits on its first picture
        camera_session.choose(str(clip))
        until(lambda: camera_session.status().state == "held")
        assert camera_session.recorder is None
        seen.clear()
        game = camera_session.begin(GAME, TABLE)
        until(lambda: any('"place":2' in text for text in ledger.reports(game)))
        assert min(seen) < 0.2


def test_an_evening_before_the_last_is_gone_on_with_where_it_was_left(ledger: Ledger, clip: Path) -> None:
    with CameraSession(ledger, lambda: dealt, pace=0) as camera_session:
        camera_session.choose(str(clip))
        first = camera_session.begin(GAME, TABLE)
        until(lambda: any('"place":1' in text for text in ledger.reports(first)))
        until(lambda: camera_session.status().state == "ended")
        second = camera_session.begin(GAME, None)
        known = ledger.lines(first)
        camera_session.go_on(first, TABLE)
        assert ledger.newest() == first
        assert camera_session.recorder is not None
        assert (camera_session.recorder.game_id, camera_session.recorder.evening.log) == (first, known)
        until(lambda: camera_session.status().state == "ended")  # the file was at its end: nothing is seen twice
        assert ledger.lines(first) == known
        camera_session.go_on(second, None)
        assert camera_session.recorder.game_id == ledger.newest() == second
        assert ledger.notes(second)["camera"] == ""
    with CameraSession(ledger, lambda: dealt) as again:
        recorder = again.resume()  # a restart, too, goes on with the one that was taken up last
        assert recorder is not None
        assert recorder.game_id == second


def test_what_cannot_be_gone_on_with_leaves_what_is_followed(ledger: Ledger, clip: Path) -> None:
    with CameraSession(ledger, lambda: dealt) as camera_session:
        camera_session.choose(str(clip))
        on = camera_session.begin(GAME, TABLE)
        log_alone = ledger.new_game()
        ledger.record(log_alone, (Line(GAME), Line(Hand())))
        with pytest.raises(CompanionError, match="table log alone"):
            camera_session.go_on(log_alone, None)
        assert camera_session.recorder is not None
        assert camera_session.recorder.game_id == on


def test_a_device_is_not_opened_again_until_it_is_unplugged(tmp_path: Path) -> None:
    now, opened = 0.0, list[str]()

    def size_of(device: Path) -> tuple[int, int] | None:
        opened.append(device.name)
        return (640, 480) if device.name == "video0" else None

    ask = remembered(size_of, clock=lambda: now)
    for name in ("video0", "video1"):
        (tmp_path / name).touch()
    for _ in range(3):
        assert [one.number for one in cameras(devices=tmp_path, size_of=ask)] == ["0"]
    assert opened == ["video0", "video1"]  # what gave no picture is left alone for a while, too
    now = 60.0
    cameras(devices=tmp_path, size_of=ask)
    assert opened == ["video0", "video1", "video1"]
    (tmp_path / "video0").rename(tmp_path / "gone")
    assert cameras(devices=tmp_path, size_of=ask) == ()
    (tmp_path / "video0").touch()
    assert [one.number for one in cameras(devices=tmp_path, size_of=ask)] == ["0"]
    assert opened.count("video0") == 2


def test_an_evening_is_seen_with_its_own_deck_after_a_restart_too(ledger: Ledger, clip: Path) -> None:
    asked: list[tuple[str, str]] = []

    def eyes_of(cards: str, deck: str) -> Look:
        asked.append((cards, deck))
        if deck == "gone":
            raise BadDeck("gone.deck: no such deck file any more")
        return lambda picture: (CardSeen(lying(PLACES[0]).quad, deck or "shipped", "back", 0.99),)

    def seen(camera_session: CameraSession) -> str | None:
        check = camera_session.check((), ())
        return check.cards[0].deck if check is not None else None

    with CameraSession(ledger, lambda: dealt, eyes_of=eyes_of) as camera_session:
        camera_session.choose(str(clip))
        game = camera_session.begin(GAME, TABLE, "nonna")
        until(lambda: seen(camera_session) == "nonna")
    assert ledger.notes(game)["deck"] == "nonna"
    assert parse_table_file(ledger.notes(game)["table"]) == parse_table_file(TABLE)
    asked.clear()
    with CameraSession(ledger, lambda: dealt, eyes_of=eyes_of) as again:
        assert again.resume() is not None
        until(lambda: seen(again) == "nonna")
        assert asked == [("stu", "nonna")]
        again.play_with("nonna", "stu")  # made again under its name
        until(lambda: seen(again) == "nonna" and len(asked) == 2)
        again.play_with("bar", "french")  # pedine that were taught just now: known beside it, and it is not played with
        until(lambda: seen(again) == "nonna" and len(asked) == 3)
        # In mid-evening another one: its file is gone, and the shipped one is played with.
        again.play_with("gone", "stu")
        until(lambda: again.status().deck_lost)
        assert again.status().deck == "gone"
        again.play_with("piacenza", "italian")  # of other cards than this game's
        assert again.status().deck == "gone"
        again.play_with("", "stu")
        until(lambda: not again.status().deck_lost and again.status().deck == "")
    assert ledger.notes(game)["deck"] == ""
