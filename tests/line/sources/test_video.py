"""Films that OpenCV reads wrongly without a word: interlaced ones, sound longer than the pictures, codings that it does not know;
and films in which there is nothing to see."""

from __future__ import annotations

import contextlib
import itertools
import json
import subprocess
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result
from imageio_ffmpeg import get_ffmpeg_exe
from numpy.typing import NDArray
from odd_servers import Answer, serving
from side_eyes import PLACES, dealt

from companion.cli import main
from companion.eyes.seeing import Look
from companion.games.stu.rules.log import read_lines
from companion.line.sources.pictures import pictures
from companion.line.sources.video import _quoted, as_shown, fits, is_interlaced, sound_seconds
from companion.line.sources.wanted import check_source
from companion.table.errors import SourceError

SIZE = (320, 180)
TABLE = {
    "v": 1, "image_size": list(SIZE), "corners": [[40, 20], [280, 20], [310, 170], [10, 170]], "stake": 200, "currency": "EUR",
    "players": [{"name": name, "place": place} for name, place in zip(("Anna", "Bruno", "Carla"), PLACES, strict=True)],
    "dealer": "Carla",
}  # fmt: skip


def ffmpeg(*words: str | Path) -> None:
    subprocess.run([get_ffmpeg_exe(), "-hide_banner", "-loglevel", "error", "-y", *map(str, words)], check=True)


FILM = ("-f", "lavfi", "-i", "testsrc=size=320x180:rate=25:duration=3")
WOVEN = ("-vf", "tinterlace=interleave_top,setfield=tff", "-flags", "+ildct+ilme")
H264 = ("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("films")
    ffmpeg(*FILM, *H264, folder / "plain.mp4")
    for ending in ("mp4", "mkv", "ts"):
        ffmpeg(*FILM, *WOVEN, *H264, folder / f"woven.{ending}")
    ffmpeg(*FILM, *H264, folder / "plain.ts")
    ffmpeg(*FILM, *WOVEN, "-c:v", "mpeg2video", "-pix_fmt", "yuv420p", folder / "woven.mpg")
    ffmpeg("-f", "lavfi", "-i", "testsrc=size=720x576:rate=25:duration=1", "-c:v", "dvvideo", "-pix_fmt", "yuv420p",
           "-aspect", "16:9", folder / "camcorder.dv")  # fmt: skip
    for ending in ("mkv", "ts", "flv"):
        ffmpeg(*FILM, "-f", "lavfi", "-i", "sine=duration=9", *H264, "-c:a", "aac", folder / f"sound.{ending}")
    cut = (folder / "sound.mkv").read_bytes()
    (folder / "cut.mkv").write_bytes(cut[: len(cut) * 5 // 10])
    ffmpeg(*FILM, "-t", "1", "-c:v", "libsvtav1", "-preset", "12", "-loglevel", "quiet", folder / "new.mkv")
    return folder


@pytest.mark.parametrize("name", ["woven.mp4", "woven.mkv", "woven.ts", "woven.mpg"])
def test_interlaced_pictures_are_those_of_the_film_and_not_what_was_in_the_memory(name: str, films: Path) -> None:
    check_source(str(films / name))
    assert is_interlaced(films / name)
    true = [picture.image.astype(int) for picture in pictures(str(films / "plain.mp4"), 5)]
    found = [*pictures(str(films / name), 5)]
    assert [picture.t for picture in found] == pytest.approx([0.2 * n for n in range(len(found))], abs=0.05)
    assert len(found) >= 7
    for picture, film in zip(found, true[::2], strict=False):  # two of its pictures are one
        assert np.abs(picture.image - film).mean() < 25
    from_later = [*pictures(str(films / name), 5, start=0.9)]
    assert from_later[0].t == pytest.approx(1.0, abs=0.15)
    assert np.abs(from_later[0].image.astype(int) - found[5].image).mean() < 12


def paced(film: Path, seconds: float) -> Answer:
    """The film as a stream, in its own time, again and again."""
    data = film.read_bytes()
    part = len(data) // 60

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "video/mp2t")
        handler.end_headers()
        with contextlib.suppress(OSError):
            while True:
                for at in range(0, len(data), part):
                    handler.wfile.write(data[at : at + part])
                    time.sleep(seconds / 60)

    return answer


@pytest.mark.parametrize("name", [pytest.param("woven.ts", marks=pytest.mark.workshop), "plain.ts"])
def test_a_streams_pictures_are_not_what_was_in_the_memory_where_they_are_interlaced(name: str, films: Path) -> None:
    with serving(paced(films / name, 3)) as address:
        found = [picture.image.astype(int) for picture in itertools.islice(pictures(f"{address}/a:b,c'd?e=[f];g", 5), 8)]
    true = [picture.image for picture in pictures(str(films / "plain.mp4"), 25)]
    assert min(np.abs(one - other).mean() for one, other in itertools.pairwise(found)) > 0, "they move"
    for picture in found:
        assert min(np.abs(picture - film).mean() for film in true) < 25


@pytest.mark.parametrize(("text", "quoted"), [
    ("http://10.0.0.7:80/a", r"http\\://10.0.0.7\\:80/a"),
    ("a,b;[c]", r"a\,b\;\[c\]"),
    ("it's", r"it\\\'s"),
    ("a\\b", r"a\\\\b"),
])  # fmt: skip
def test_an_address_is_written_as_a_graph_reads_it(text: str, quoted: str) -> None:
    assert _quoted(text) == quoted


def test_a_camcorders_film_is_read_in_the_shape_in_which_it_is_shown(films: Path) -> None:
    path = str(films / "camcorder.dv")
    assert len([*pictures(path, 5)]) == 5
    assert as_shown(path, (720, 576)) == (1024, 576)
    assert fits(path, (720, 576), (1280, 720))
    assert fits(path, (720, 576), (720, 576)), "the table was told in one of its own pictures"
    assert not fits(path, (720, 576), (640, 480))


@pytest.mark.parametrize("name", ["sound.mkv", "sound.ts", "sound.flv"])
def test_a_sound_longer_than_the_pictures_is_no_damage(name: str, films: Path) -> None:
    found = [*pictures(str(films / name), 5)]
    assert found[-1].t == pytest.approx(2.8, abs=0.1)
    assert sound_seconds(films / name) == pytest.approx(9, abs=0.3)
    assert sound_seconds(films / "plain.mp4") == 0


def test_a_film_that_breaks_off_is_damaged_though_it_has_a_sound(films: Path) -> None:
    with pytest.raises(SourceError, match="damaged: its pictures end after"):
        list(pictures(str(films / "cut.mkv"), 5))


def test_a_coding_that_is_not_read_is_named_with_the_command_that_converts_it(films: Path) -> None:
    for ask in (check_source, lambda source: [*pictures(source, 5)]):
        with pytest.raises(SourceError) as caught:
            ask(str(films / "new.mkv"))
        assert "its pictures are AV1" in str(caught.value)
        assert f"ffmpeg -i {films / 'new.mkv'} -c:v libx264 {films / 'new-h264.mp4'}" in str(caught.value)


def film(path: Path, images: Sequence[NDArray[np.uint8]]) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, images[0].shape[1::-1])
    for image in images:
        writer.write(image)
    writer.release()
    return path


def watched(source: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, look: Look = lambda picture: ()) -> Result:
    monkeypatch.setattr("companion.line.trained.trained", lambda cards, decks: look)
    (folder / "table.json").write_text(json.dumps(TABLE))
    words = ["watch", str(source), "--table", str(folder / "table.json"), "--log", str(folder / "log.jsonl"), "--quiet"]
    return CliRunner().invoke(main, words)


BLACK = np.zeros((180, 320, 3), np.uint8)
NOISE = np.random.default_rng(1).normal(0, 2, (20, 180, 320, 3))
GRAIN = cv2.resize(np.random.default_rng(1).normal(90, 25, (45, 80, 3)), SIZE, interpolation=cv2.INTER_CUBIC)
GRAINED = [np.clip(GRAIN + noise, 0, 255).astype(np.uint8) for noise in NOISE]
WALL = [np.clip(120 + noise, 0, 255).astype(np.uint8) for noise in NOISE]
TOP = cv2.fillConvexPoly(np.full((180, 320, 3), 190, np.uint8), np.array(TABLE["corners"], np.int32), (40, 90, 30))


def test_a_film_that_is_black_from_beginning_to_end_is_not_ruled_on_in_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = watched(film(tmp_path / "black.avi", [BLACK] * 20), tmp_path, monkeypatch)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (3, "", 1)
    assert "all its pictures are black" in done.stderr
    assert len(read_lines((tmp_path / "log.jsonl").read_bytes())) == 1


def test_a_film_without_table_card_and_hand_is_said_to_be_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = watched(film(tmp_path / "wall.avi", WALL), tmp_path, monkeypatch)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (3, "", 1)
    assert "no table, no card and no hand" in done.stderr
    assert len(read_lines((tmp_path / "log.jsonl").read_bytes())) == 1


def test_a_card_or_a_table_alone_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert watched(film(tmp_path / "cards.avi", GRAINED), tmp_path, monkeypatch, dealt).exit_code == 0
    table = film(tmp_path / "table.avi", [np.clip(TOP + noise, 0, 255).astype(np.uint8) for noise in NOISE])
    done = watched(table, tmp_path, monkeypatch)
    assert (done.exit_code, done.stderr) == (0, "")


@pytest.mark.parametrize(("width", "refused"), [(240, True), (314, True), (318, False), (322, False), (640, True)])
def test_a_film_of_another_shape_is_refused_with_both_shapes(
    width: int, refused: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = film(tmp_path / "film.avi", [np.ascontiguousarray(cv2.resize(one, (width, 180))) for one in GRAINED])
    done = watched(source, tmp_path, monkeypatch, dealt)
    assert done.exit_code == (2 if refused else 0)
    if refused:
        assert done.stderr.count("\n") == 1
        assert f"{width}x180" in done.stderr
        assert "320x180" in done.stderr
        assert not (tmp_path / "log.jsonl").exists()
