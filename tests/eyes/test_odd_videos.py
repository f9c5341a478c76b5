"""Videos and pictures of every wrong kind: a good result, or one line that says what is wrong, with exit status 2, in seconds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from imageio_ffmpeg import get_ffmpeg_exe

from companion.line.sources.pictures import pictures
from companion.line.sources.wanted import check_source
from companion.table.errors import SourceError

HANGS_S = 600.0
"""A command that has not ended in this time hangs: the test fails."""
TABLE = {
    "v": 1, "image_size": [640, 360], "corners": [[100, 60], [540, 60], [600, 340], [40, 340]], "stake": 200, "currency": "EUR",
    "players": [{"name": name, "place": [200 + 80 * at, 250]} for at, name in enumerate(("Anna", "Bruno", "Carla"))],
    "dealer": "Carla",
}  # fmt: skip


def ffmpeg(*words: str | Path) -> None:
    subprocess.run([get_ffmpeg_exe(), "-hide_banner", "-loglevel", "error", "-y", *map(str, words)], check=True)


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a good video and all the others."""
    folder = tmp_path_factory.mktemp("odd")
    good, sound = folder / "good.mp4", folder / "audio.mp4"
    ffmpeg("-f", "lavfi", "-i", "testsrc=size=640x360:rate=15:duration=2", "-c:v", "libx264", "-pix_fmt", "yuv420p", good)
    ffmpeg("-f", "lavfi", "-i", "sine=duration=1", "-c:a", "aac", sound)
    ffmpeg("-display_rotation", "90", "-i", good, "-c", "copy", folder / "rotated.mp4")
    ffmpeg("-i", good, "-vf", "setpts='if(lt(N,10),N/30,N/5)/TB'", "-fps_mode", "vfr", folder / "variable.mp4")
    ffmpeg("-i", good, "-c:v", "mjpeg", "-f", "mjpeg", folder / "stream.mjpg")
    giant = "color=gray:size=16000x16000:rate=1:duration=1"
    ffmpeg("-f", "lavfi", "-i", giant, "-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-q:v", "31", folder / "giant.avi")
    cv2.imwrite(str(folder / "giant.png"), np.zeros((16000, 16000), np.uint8), [cv2.IMWRITE_PNG_COMPRESSION, 1])
    cv2.imwrite(str(folder / "still.png"), np.full((360, 640, 3), 90, np.uint8))
    whole = good.read_bytes()
    (folder / "picture.mp4").write_bytes((folder / "still.png").read_bytes())
    (folder / "film.jpg").write_bytes(whole)
    (folder / "cut.mp4").write_bytes(whole[: len(whole) * 6 // 10])
    (folder / "cut.png").write_bytes((folder / "still.png").read_bytes()[:60])
    (folder / "empty.mp4").touch()
    (folder / "text.mp4").write_text("hello\n" * 1000)
    (folder / "folder.mp4").mkdir()
    os.mkfifo(folder / "pipe.mp4")
    (folder / "endless.mp4").symlink_to("/dev/zero")
    (folder / "table.json").write_text(json.dumps(TABLE))
    return folder


WRONG = {
    "cut.mp4": "not a video that can be read, or it is damaged", "empty.mp4": "not a video that can be read",
    "text.mp4": "not a video that can be read", "audio.mp4": "not a video that can be read", "picture.mp4": "is a picture",
    "giant.avi": "16000x16000", "giant.png": "16000x16000", "folder.mp4": "is a folder", "pipe.mp4": "is a pipe or a device",
    "endless.mp4": "is a pipe or a device", "gone.mp4": "no such file",
}  # fmt: skip
"""What is no video, and what is said of it."""


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_video_is_refused_and_the_reason_said_before_and_while_it_is_followed(name: str, odd: Path) -> None:
    for ask in (check_source, lambda source: [*pictures(source, 5)]):
        with pytest.raises(SourceError) as refused:
            ask(str(odd / name))
        assert WRONG[name] in str(refused.value)
        assert name in str(refused.value)


@pytest.mark.parametrize(("name", "size", "seconds"), [
    ("good.mp4", (640, 360), 1.8), ("rotated.mp4", (360, 640), 1.8), ("variable.mp4", (640, 360), 5.8),
    ("stream.mjpg", (640, 360), None),
])  # fmt: skip
def test_an_unusual_video_is_followed_upright_by_its_own_clock(
    name: str, size: tuple[int, int], seconds: float | None, odd: Path
) -> None:
    check_source(str(odd / name))
    found = [*pictures(str(odd / name), 5)]
    assert {picture.image.shape[1::-1] for picture in found} == {size}
    assert len(found) >= 6
    assert seconds is None or found[-1].t == pytest.approx(seconds, abs=0.25)


@pytest.mark.parametrize("bits", range(4))
def test_a_video_with_flipped_bits_gives_pictures_or_says_why_not(bits: int, odd: Path) -> None:
    data = bytearray((odd / "good.mp4").read_bytes())
    dice = np.random.default_rng(bits)
    for at in dice.integers(200, len(data), 40 * 10**bits // 10):
        data[at] = int(dice.integers(256))
    path = odd / f"flipped-{bits}.mp4"
    path.write_bytes(data)
    try:
        found = sum(1 for _ in pictures(str(path), 5))
    except SourceError as error:
        assert path.name in str(error)  # noqa: PT017 - either is right
    else:
        assert found > 0


def companion(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """The command, as it is typed: what libraries print of their own shows, too."""
    command = [sys.executable, "-m", "companion", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=HANGS_S, check=False)


def test_detect_says_of_each_picture_that_is_none_why_and_does_the_others(odd: Path) -> None:
    names = ["film.jpg", "giant.png", "cut.png", "empty.mp4", "folder.mp4", "pipe.mp4", "endless.mp4", "gone.png"]
    done = companion("detect", *(odd / name for name in names), odd / "still.png")
    assert done.returncode == 2
    assert [Path(line.split(": ")[0]).name for line in done.stderr.splitlines()] == names, done.stderr
    assert "a picture of more than 64 million pixels: make it smaller" in done.stderr
    assert done.stdout.startswith(f"{odd / 'still.png'} (640 x 360): ")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cut.mp4", "giant.avi", "pipe.mp4"])
def test_watch_says_in_one_line_what_is_wrong_and_writes_no_log(name: str, odd: Path, tmp_path: Path) -> None:
    done = companion("watch", odd / name, "--table", odd / "table.json", "--log", tmp_path / "log.jsonl")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert done.stderr.startswith(str(odd / name))
    assert not [*tmp_path.iterdir()]


@pytest.mark.slow
def test_serve_does_not_begin_with_what_can_be_no_camera(odd: Path, tmp_path: Path) -> None:
    done = companion("serve", "--ledger", tmp_path / "a.ledger", "--camera", odd / "audio.mp4", "--port", "0")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert WRONG["audio.mp4"] in done.stderr


@pytest.mark.slow
def test_enrol_names_the_photos_that_are_none(odd: Path, tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    for name in ("film.jpg", "giant.png", "cut.png"):
        (photos / f"cucco{name}").symlink_to(odd / name)
    done = companion("enrol", photos, "--out", tmp_path / "mine.deck")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "mine.deck").exists()
