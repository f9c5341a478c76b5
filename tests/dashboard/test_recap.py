"""The video of an evening: who can have it made, what is in the file, and what happens when something comes between."""

from __future__ import annotations

import errno
import os
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from fake_camera import FakeCamera
from flask import Flask
from games import GNAFFATA, lines
from msgspec.structs import replace
from numpy.typing import NDArray
from phones import Organiser
from test_var import PLACES, SIZE, TOP, card, timed

from companion.dashboard import create_app
from companion.dashboard.recap import making, writing
from companion.dashboard.recap.drawing import HEIGHT, WIDTH
from companion.dashboard.recap.frames import Film, count, frames
from companion.dashboard.recap.making import Playing, Recaps, Wish, Work
from companion.dashboard.recap.pages import _films, _snapshot
from companion.dashboard.recap.writing import MP4, WEBM, Unwritten, write
from companion.dashboard.settings import DEFAULTS
from companion.eyes.source import Picture
from companion.games import GAMES
from companion.games.stu import bots as stu
from companion.ledger import Ledger
from companion.line.cover import PAINT
from companion.line.footage import Footage
from companion.pages.moments import follow
from companion.pages.recap import Recap, recap

Frame = NDArray[np.uint8]
SECONDS = 60.0
LOG = stu.simulate(stu.Settings(players=stu.seated(4)), hands=12, seed=5)


@pytest.fixture(autouse=True)
def no_lower_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside other tests it would wait for minutes."""
    monkeypatch.setattr(making, "NICE", 0)


@pytest.fixture
def recaps(tmp_path: Path) -> Iterator[Recaps]:
    found = Recaps(tmp_path / "recaps")
    yield found
    found.close()


@pytest.fixture
def app(ledger: Ledger, camera: FakeCamera, recaps: Recaps) -> Flask:
    ledger.record(ledger.new_game(), LOG)
    return create_app(ledger, camera=camera, recaps=recaps)


def told(money: bool = False) -> Recap:
    game = GAMES["stu"]
    found = recap(game.rules, game.pages, list(follow(game.rules, game.pages, LOG)), "it", DEFAULTS.view, money=money)
    assert found is not None
    return found


def plain(many: int = 20) -> Iterator[Frame]:
    for at in range(many):
        yield np.full((HEIGHT, WIDTH, 3), at * 10, np.uint8)


def work(frames_of: Callable[[int], tuple[int, Iterator[Frame]]] = lambda fps: (20, plain()), game: int = 1) -> Work:
    return Work(game, 1, "it", False, False, 0.8, frames_of)


def of(phone: Organiser, path: str = "", **form: str) -> tuple[int, str]:
    address = f"/organiser/games/1/recap{path}"
    client = phone.client
    answer = client.post(address, data={"csrf": phone.csrf, **form}) if form else client.get(f"{address}?lang=it")
    return answer.status_code, re.sub(r"\s+", " ", answer.text)


def pictures(path: Path) -> list[Frame]:
    video, found = cv2.VideoCapture(str(path)), []
    while (read := video.read())[0]:
        found.append(np.asarray(read[1], np.uint8))
    video.release()
    return found


def test_an_organiser_has_it_made_and_gets_a_file_that_a_messenger_takes(
    phone: Organiser, recaps: Recaps, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fewer = replace(MP4, fps=2)  # as they are written, but not all of them
    for module in (writing, making):
        monkeypatch.setattr(module, "MP4", fewer)
    assert "Fai il video" in of(phone)[1]
    assert not list(tmp_path.rglob("*.mp4")), "nothing is made that nobody has asked for"
    assert of(phone, film="0")[0] == 302
    assert recaps.wait(SECONDS)
    assert phone.client.get("/api/organiser/recap/1").json == {"state": "made", "share": 1.0, "why": ""}
    page = of(phone)[1]
    assert "MP4 con H.264" in page
    assert "Senza nessuna somma di denaro" in page
    assert "non si vede nessuno" in page
    file = phone.client.get("/organiser/games/1/recap/file?download=1")
    assert (file.mimetype, file.headers["Content-Disposition"]) == ("video/mp4", 'attachment; filename="evening-1.mp4"')
    assert len(file.data) < 16_000_000
    assert file.data.index(b"moov") < file.data.index(b"mdat"), "the index comes first"
    assert file.data[file.data.index(b"avcC") + 5] == 77, "profile Main"
    part = phone.client.get("/organiser/games/1/recap/file", headers={"Range": "bytes=4-7"})
    assert (part.status_code, part.data) == (206, file.data[4:8])
    video = cv2.VideoCapture(str(tmp_path / "recaps" / "recap-1.mp4"))
    assert (video.get(cv2.CAP_PROP_FRAME_WIDTH), video.get(cv2.CAP_PROP_FRAME_HEIGHT)) == (WIDTH, HEIGHT)
    assert video.get(cv2.CAP_PROP_FRAME_COUNT) / video.get(cv2.CAP_PROP_FPS) == pytest.approx(told().seconds, abs=0.26)
    video.release()


def test_only_a_paired_phone_can_have_it_made_or_get_it(app: Flask, phone: Organiser, recaps: Recaps) -> None:
    stranger = app.test_client()
    for path in ("", "/file"):
        assert stranger.get(f"/organiser/games/1/recap{path}").status_code == 302
    assert stranger.get("/api/organiser/recap/1").status_code == 401
    assert stranger.post("/organiser/games/1/recap").status_code == 302
    assert phone.client.post("/organiser/games/1/recap").status_code == 403, "not from a page of ours"
    assert recaps.busy is None
    assert "recap" not in stranger.get("/season/evening/1").text
    assert "/organiser/games/1/recap" in phone.client.get("/season/evening/1").text
    assert "/organiser/games/1/recap" in phone.client.get("/setup/games").text


def test_of_no_game_or_where_nothing_is_kept_there_is_none(ledger: Ledger, camera: FakeCamera, phone: Organiser) -> None:
    assert phone.client.get("/organiser/games/7/recap").status_code == 404
    assert phone.client.get("/organiser/games/1/recap/file").status_code == 404
    without = Organiser(create_app(ledger, camera=camera))
    assert without.client.get("/organiser/games/1/recap").status_code == 404
    assert "/recap" not in without.client.get("/setup/games").text


def test_a_game_without_a_hand_says_so(ledger: Ledger, phone: Organiser, recaps: Recaps) -> None:
    ledger.record(ledger.new_game(), LOG[:1])
    page = phone.client.get("/organiser/games/2/recap?lang=it").text
    assert "Nessuna mano è ancora finita" in page
    assert "Fai il video" not in page
    phone.client.post("/organiser/games/2/recap", data={"csrf": phone.csrf})
    assert recaps.wait(SECONDS)
    assert phone.client.get("/api/organiser/recap/2").json["why"] == "nothing"


def test_a_second_tap_begins_no_second_one(recaps: Recaps) -> None:
    go = threading.Event()

    def slow(fps: int) -> tuple[int, Iterator[Frame]]:
        assert go.wait(SECONDS)
        return 20, plain()

    assert recaps.begin(1, lambda: work(slow), lambda: False)
    assert not recaps.begin(1, lambda: work(slow), lambda: False)
    assert not recaps.begin(2, lambda: work(slow, 2), lambda: False)
    assert recaps.busy == 1
    go.set()
    assert recaps.wait(SECONDS)
    assert recaps.made(1) is not None
    assert recaps.made(2) is None


def test_while_a_hand_is_played_it_stands_still(recaps: Recaps, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "LOOK_SECONDS", 0.01)
    looks = iter([True, True, False, False, True, True])  # before it begins, and after the twelfth picture
    shown = list[str]()
    drawn = list[int]()

    def playing() -> bool:
        shown.append(f"{recaps.progress(1).state} {len(drawn)}")
        return next(looks, False)

    def counted(fps: int) -> tuple[int, Iterator[Frame]]:
        return 20, (frame for at, frame in enumerate(plain()) if drawn.append(at) is None)  # type: ignore[func-returns-value]

    recaps.begin(1, lambda: work(counted), playing)
    assert recaps.wait(SECONDS)
    assert shown == ["waiting 0", "waiting 0", "waiting 0", "making 1", "making 13", "waiting 13", "waiting 13"]
    assert recaps.made(1) is not None


def test_it_is_made_at_the_lowest_priority_and_nothing_else_is(recaps: Recaps, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "NICE", 19)
    monkeypatch.setattr(making, "write", lambda path, drawn, size, form: path.write_bytes(bytes([sum(1 for _ in drawn)])))
    nice = list[int]()

    def measured(fps: int) -> tuple[int, Iterator[Frame]]:
        nice.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
        return 2, plain(2)

    before = os.getpriority(os.PRIO_PROCESS, 0)
    recaps.begin(1, lambda: work(measured), lambda: False)
    assert recaps.wait(SECONDS)
    assert nice == [19]
    assert os.getpriority(os.PRIO_PROCESS, 0) == before


def test_a_hand_that_nobody_plays_on_does_not_hold_it_up_forever() -> None:
    at, now = ["1.5", True], [0.0]
    playing = Playing(lambda: (str(at[0]), bool(at[1])), lambda: now[0])
    assert playing()
    now[0] = 299
    assert playing()
    at[0] = "1.6"
    assert playing()
    now[0] = 590
    assert playing()
    now[0] = 600
    assert not playing()
    at[:] = ["1.7", False]
    assert not playing()


def test_the_table_says_whether_a_hand_is_played(ledger: Ledger, app: Flask, phone: Organiser) -> None:
    playing = app.extensions["recap_playing"]
    assert not playing()
    ledger.record(ledger.new_game(), lines(*GNAFFATA, '{"e":"hand"}'))
    assert playing()
    phone.client.post("/api/organiser/show", json={"pause": True}, headers={"X-CSRF-Token": phone.csrf})
    assert not playing(), "a break"


def test_what_a_killed_program_left_is_removed_and_what_was_there_stays(tmp_path: Path, recaps: Recaps) -> None:
    recaps.begin(1, work, lambda: False)
    assert recaps.wait(SECONDS)
    (tmp_path / "recaps" / ".recap-1.0123456789abcdef.mp4").write_bytes(b"half")
    again = Recaps(tmp_path / "recaps")
    assert sorted(path.name for path in (tmp_path / "recaps").iterdir()) == ["recap-1.json", "recap-1.mp4"]
    assert again.made(1) == recaps.made(1)
    assert again.progress(1).state == "made"


def test_what_is_made_when_the_program_ends_leaves_nothing(tmp_path: Path, recaps: Recaps) -> None:
    begun = threading.Event()

    def endless(fps: int) -> tuple[int, Iterator[Frame]]:
        def drawn() -> Iterator[Frame]:
            while True:
                begun.set()
                yield from plain()

        return 20, drawn()

    recaps.begin(1, lambda: work(endless), lambda: False)
    assert begun.wait(SECONDS)
    recaps.close()
    assert recaps.wait(SECONDS)
    assert list((tmp_path / "recaps").iterdir()) == []


def test_erased_while_it_is_made_it_is_not_there_afterwards(tmp_path: Path, recaps: Recaps) -> None:
    def erased(fps: int) -> tuple[int, Iterator[Frame]]:
        def drawn() -> Iterator[Frame]:
            yield from plain()
            recaps.erase(1)

        return 20, drawn()

    recaps.begin(1, lambda: work(erased), lambda: False)
    assert recaps.wait(SECONDS)
    assert list((tmp_path / "recaps").iterdir()) == []
    assert recaps.progress(1).state == "none"
    assert recaps.busy is None


class Slow:
    """Work that stands after its first pictures until it may go on."""

    def __init__(self, recaps: Recaps) -> None:
        self.begun, self.go = threading.Event(), threading.Event()
        self._recaps = recaps

    def __call__(self, fps: int) -> tuple[int, Iterator[Frame]]:
        def drawn() -> Iterator[Frame]:
            yield from plain()
            self.begun.set()
            assert self.go.wait(SECONDS)
            yield from plain()

        return 40, drawn()

    def begin(self, wish: Wish | None = None, game: int = 1) -> None:
        assert self._recaps.begin(game, lambda: work(self, game), lambda: False, wish)
        assert self.begun.wait(SECONDS)

    def end(self) -> None:
        self.go.set()
        assert self._recaps.wait(SECONDS)


def test_stopping_keeps_the_video_of_before_which_can_be_watched_meanwhile(
    phone: Organiser, recaps: Recaps, tmp_path: Path
) -> None:
    recaps.begin(1, work, lambda: False)
    assert recaps.wait(SECONDS)
    before, file = recaps.made(1), "/organiser/games/1/recap/file"
    data = phone.client.get(file).data
    slow = Slow(recaps)
    slow.begin()
    page = of(phone)[1]
    assert "Il video di prima" in page
    assert '<video class="recap"' in page
    assert "Elimina il video" not in page
    assert phone.client.get(file).data == data
    assert of(phone, "/delete", stop="1")[0] == 302
    assert recaps.busy is None
    assert recaps.progress(1).state == "made"
    slow.end()
    assert (recaps.made(1), phone.client.get(file).data) == (before, data)
    assert [path.name for path in (tmp_path / "recaps").glob(".*")] == []
    of(phone, "/delete", stop="1")  # a second tap, which comes when nothing is made
    assert recaps.made(1) == before


def test_to_delete_it_asks_once_more_and_says_what_cannot_be_had_again(phone: Organiser, recaps: Recaps) -> None:
    for film, said in ((False, "Si può rifare"), (True, "non si possono riavere")):
        recaps.begin(1, lambda film=film: replace(work(), film=film), lambda: False)  # type: ignore[misc]
        assert recaps.wait(SECONDS)
        page = of(phone)[1]
        folded = re.search(r"<details><summary>Elimina il video</summary>(.*?)</details>", page)
        assert folded is not None
        assert said in folded[1]
        assert "Sì, elimina" in folded[1]
        assert "/recap/delete" not in page.replace(folded[0], ""), "no other way"
        assert ("solo disegnato" in page) == film, "a new one would have no pictures"


def test_what_is_stopped_lets_the_next_one_begin_at_once(recaps: Recaps) -> None:
    slow = Slow(recaps)
    slow.begin()
    recaps.stop(1)
    slow.go.set()
    assert recaps.begin(1, work, lambda: False)
    assert recaps.wait(SECONDS)
    assert recaps.made(1) is not None


def test_a_video_that_is_erased_after_it_was_stopped_does_not_come_back(recaps: Recaps, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(path: Path, data: bytes) -> None:
        recaps.stop(1)
        recaps.erase(1)
        path.write_bytes(data)

    monkeypatch.setattr(making, "write_whole", late)
    recaps.begin(1, work, lambda: False)
    assert recaps.wait(SECONDS)
    assert recaps.made(1) is None


def test_a_second_phone_is_told_what_is_being_made_and_that_its_choice_was_not_taken(
    app: Flask, phone: Organiser, recaps: Recaps
) -> None:
    slow = Slow(recaps)
    slow.begin(Wish(money=True, by="Gigi"))
    second = Organiser(app)
    page = of(second)[1]
    assert "Con le somme di denaro." in page
    assert "Lo ha chiesto: Gigi." in page
    assert "non è stata presa" not in page
    status, page = of(second, film="0")
    assert status == 200
    assert "La tua scelta di adesso non è stata presa" in page
    assert "Lo ha chiesto: Gigi." in page
    assert of(second, money="1")[0] == 302, "it is what is being made"
    assert recaps.wish.by == "Gigi"
    slow.end()


def test_the_page_names_the_phone_that_asked(phone: Organiser, recaps: Recaps) -> None:
    of(phone, film="0")
    assert recaps.wish.by
    assert (recaps.wish.money, recaps.wish.film) == (False, False)
    recaps.stop(1)


@pytest.mark.parametrize("how", ["before", "ffmpeg", "file"])
def test_a_full_disk_is_said_and_leaves_nothing(
    how: str, phone: Organiser, recaps: Recaps, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if how == "before":
        monkeypatch.setattr(writing, "ROOM_BYTES", 2**62)
    elif how == "ffmpeg":
        program = tmp_path / "ffmpeg"
        program.write_text('#!/bin/sh\ncat >/dev/null\necho "recap.mp4: No space left on device" >&2\nexit 1\n')
        program.chmod(0o755)
        monkeypatch.setattr(writing, "ffmpeg", lambda: str(program))
    else:

        def full(*given: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(making, "write_whole", full)
    recaps.begin(1, work, lambda: False)
    assert recaps.wait(SECONDS)
    assert (recaps.progress(1).state, recaps.progress(1).why) == ("failed", "disk")
    assert "Il disco è pieno" in of(phone)[1]
    assert [path.name for path in (tmp_path / "recaps").glob(".*")] == []
    assert recaps.made(1) is None


def test_any_other_reason_why_it_cannot_be_written_is_said_too(phone: Organiser, recaps: Recaps, tmp_path: Path) -> None:
    (tmp_path / "recaps").write_text("no folder")
    recaps.begin(1, work, lambda: False)
    assert recaps.wait(SECONDS)
    assert recaps.progress(1).why == "broken"
    assert "Non si è potuto scrivere il file" in of(phone)[1]


def test_without_ffmpeg_it_is_webm_and_the_page_says_what_that_means(
    phone: Organiser, recaps: Recaps, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "ffmpeg", lambda: None)
    assert "sudo apt install ffmpeg" in of(phone)[1]
    recaps.begin(1, lambda: work(lambda fps: (8, plain(8))), lambda: False)
    assert recaps.wait(SECONDS)
    page = of(phone)[1]
    assert "WhatsApp non lo prende come video" in page
    file = phone.client.get("/organiser/games/1/recap/file")
    assert (file.mimetype, file.data[:4]) == ("video/webm", b"\x1aE\xdf\xa3")
    assert len(pictures(tmp_path / "recaps" / "recap-1.webm")) == 8


def test_an_ffmpeg_without_h264_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "ffmpeg"
    program.write_text('#!/bin/sh\necho " V....D mpeg4 MPEG-4 part 2"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(writing, "_brought", lambda: None)
    assert writing.ffmpeg() is None
    assert writing.form() is WEBM


def test_a_file_that_opencv_could_not_write_whole_is_none(tmp_path: Path) -> None:
    with pytest.raises(Unwritten):
        write(tmp_path / "missing" / "recap.webm", plain(2), (WIDTH, HEIGHT), WEBM)
    (tmp_path / "recap.webm").mkdir()
    with pytest.raises(Unwritten):
        write(tmp_path / "recap.webm", plain(2), (WIDTH, HEIGHT), WEBM)


def test_it_goes_with_a_name_that_is_put_right(ledger: Ledger, phone: Organiser, recaps: Recaps) -> None:
    recaps.begin(1, work, lambda: False)
    assert recaps.wait(SECONDS)
    was = list(GAMES["stu"].rules.names(GAMES["stu"].rules.replay(LOG)))
    form = {"csrf": phone.csrf, "game": "1", "was": was}
    phone.client.post("/setup/rename", data={**form, "name": was})
    assert recaps.made(1) is not None
    phone.client.post("/setup/rename", data={**form, "name": ["Zoë", *was[1:]]})
    assert recaps.made(1) is None, "the old name stands in it"


def test_it_goes_with_its_evening_and_with_a_name_that_is_forgotten(ledger: Ledger, phone: Organiser, recaps: Recaps) -> None:
    def have_both() -> None:
        for game in (1, 2):
            recaps.begin(game, lambda game=game: work(game=game), lambda: False)  # type: ignore[misc]
            assert recaps.wait(SECONDS)
        assert recaps.made(1) is not None
        assert recaps.made(2) is not None

    ledger.record(ledger.new_game(), LOG)
    have_both()
    phone.client.post("/setup/delete", data={"csrf": phone.csrf, "game": "2", "sure": "2", "for_good": "1"})
    assert (recaps.made(1) is not None, recaps.made(2)) == (True, None)
    assert phone.client.get("/organiser/games/2/recap").status_code == 404
    have_both()
    person = re.search(r'"/season/(?!language|settings|evening)([^"/?]+)', phone.client.get("/season").text)
    assert person is not None
    phone.client.post("/season/settings", data={"csrf": phone.csrf, "do": "forget", "player": person[1], "sure": "1"})
    assert (recaps.made(1), recaps.made(2)) == (None, None)


def test_a_correction_of_the_game_before_with_other_people_is_said(
    ledger: Ledger, phone: Organiser, recaps: Recaps
) -> None:
    before = ledger.new_game()
    ledger.record(before, LOG[:-1])
    ledger.note(1, people=str(before))
    stands = ((before, ledger.version(before)),)
    recaps.begin(1, lambda: replace(work(), stands=stands), lambda: False)
    assert recaps.wait(SECONDS)
    assert "rifallo" not in of(phone)[1]
    ledger.record(before, LOG)
    assert "Da allora la partita è cambiata: rifallo" in of(phone)[1]


def test_a_correction_since_is_said(ledger: Ledger, phone: Organiser, recaps: Recaps) -> None:
    recaps.begin(1, work, lambda: False)
    assert recaps.wait(SECONDS)
    assert "rifallo" not in of(phone)[1]
    ledger.record(1, LOG[:-1])
    assert "Da allora la partita è cambiata: rifallo" in of(phone)[1]
    of(phone, "/delete", none="")
    assert recaps.made(1) is None


def test_the_frames_are_as_many_as_the_seconds_say(monkeypatch: pytest.MonkeyPatch) -> None:
    value = told()
    picture = cv2.imencode(".png", np.zeros((HEIGHT, WIDTH, 3), np.uint8))[1].tobytes()
    for name in ("title", "words", "table", "film", "end"):
        monkeypatch.setattr(f"companion.dashboard.recap.drawing.{name}", lambda *given: picture)
    film = Film(((0.0, lambda: _jpeg((90, 160))), (0.5, lambda: _jpeg((90, 160)))), 2.0, "")
    for fps in (MP4.fps, WEBM.fps):
        for films in ({}, {0: film, 2: film}):
            assert sum(1 for _ in frames(value, "", films, fps)) == count(value, fps) == round(value.seconds * fps)


def _jpeg(shape: tuple[int, int]) -> bytes:
    return cv2.imencode(".jpg", np.full((*shape, 3), (40, 160, 40), np.uint8))[1].tobytes()


class Filmed:
    """A hand that was filmed, with a white face on the table that nobody was shown."""

    def __init__(self, ledger: Ledger, camera: FakeCamera, recaps: Recaps) -> None:
        self.game = ledger.new_game()
        ledger.record(self.game, timed(lines(*GNAFFATA)))
        self.footage = Footage()
        for t in np.arange(0, 60, 0.2):
            image = np.full((SIZE[1], SIZE[0], 3), (40, 160, 40), np.uint8)
            seen = card((80.0, 45.0), "cucco")
            cv2.fillConvexPoly(image, np.rint(seen.quad).astype(np.int32), (255, 255, 255))
            self.footage.put(self.game, Picture(float(t), image), (*(card(at) for at in PLACES), seen), TOP)
        self.app = create_app(ledger, camera=camera, footage=self.footage, recaps=recaps)
        self.phone = Organiser(self.app)


def test_video_is_in_it_only_when_it_was_asked_for_and_covered_as_for_the_var(
    ledger: Ledger, camera: FakeCamera, recaps: Recaps
) -> None:
    filmed = Filmed(ledger, camera, recaps)
    assert "Con le riprese del tavolo" in of(filmed.phone)[1]
    with filmed.app.app_context():
        snapshot = _snapshot(filmed.game)
        value = recap(snapshot.game.rules, snapshot.game.pages, snapshot.moments, "it", DEFAULTS.view, money=False)
        assert value is not None
        films = _films(snapshot, value, "it")
    assert films
    for film in films.values():
        for _t, jpeg in film.stills:
            image = cv2.imdecode(np.frombuffer(jpeg(), np.uint8), cv2.IMREAD_COLOR)
            assert image is not None
            assert image.min(axis=2).max() < 120, "a white face that nobody was shown"
    bright = [int(frame[470 * 2 // 3 : 1500 * 2 // 3].min(axis=2).max()) for frame in _filmed_frames(value, films)]
    assert max(bright) < 120
    greens = [frame for frame in _filmed_frames(value, films) if (np.abs(frame[640, 360].astype(int) - PAINT).max() < 30)]
    assert greens, "what is covered is painted"


def _filmed_frames(value: Recap, films: dict[int, Film]) -> Iterator[Frame]:
    """The pictures of the recap in which video is shown, without those that fade."""
    began = value.title_seconds + sum(scene.lasts for scene in value.scenes[: min(films)]) + value.scenes[min(films)].seconds
    for at, frame in enumerate(frames(value, "", films, 10)):
        if began + 0.5 < at / 10 < began + 1.5:
            yield frame


def test_without_the_switch_no_picture_of_the_table_is_read(
    ledger: Ledger, camera: FakeCamera, recaps: Recaps, monkeypatch: pytest.MonkeyPatch
) -> None:
    filmed = Filmed(ledger, camera, recaps)
    video = filmed.app.extensions["video"]
    monkeypatch.setattr(video, "still", lambda *given: pytest.fail("it was not asked for"))
    monkeypatch.setattr(making, "write", lambda path, drawn, size, form: path.write_bytes(b"%d" % sum(1 for _ in drawn)))
    of(filmed.phone, money="0")
    assert recaps.wait(SECONDS)
    found = recaps.made(filmed.game)
    assert found is not None
    assert not found.film
    assert not found.money


def test_of_a_game_of_before_there_is_no_video_left(ledger: Ledger, camera: FakeCamera, recaps: Recaps) -> None:
    filmed = Filmed(ledger, camera, recaps)
    ledger.record(ledger.new_game(), timed(lines(*GNAFFATA)))
    assert "Con le riprese del tavolo" not in filmed.phone.client.get("/organiser/games/2/recap?lang=it").text
    with filmed.app.app_context():
        snapshot = _snapshot(filmed.game)
        value = recap(snapshot.game.rules, snapshot.game.pages, snapshot.moments, "it", DEFAULTS.view, money=False)
        assert value is not None
        assert _films(snapshot, value, "it") == {}
