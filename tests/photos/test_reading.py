"""One reader of photos: the formats of phones, the command line and the page alike; what cannot be read says why."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from hostile import jpeg, many_scans

from companion import MOST_PIXELS
from companion.cli import main
from companion.photos import reasons
from companion.photos.reading import NotRead, photo_of, read_photo

IMAGE = cv2.GaussianBlur(np.random.default_rng(1).integers(0, 255, (60, 80, 3), np.uint8), (0, 0), 6)
HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(200)
FILM = b"\0\0\0\x14ftypisom\0\0\0\0mp42" + bytes(200)
ENDINGS = (".jpg", ".png", ".webp", ".avif", ".tiff", ".bmp")


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_phones_and_programs_write_is_read(ending: str) -> None:
    found = photo_of(cv2.imencode(ending, IMAGE)[1].tobytes())
    assert np.abs(found.astype(int) - IMAGE).mean() < 6


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        pytest.param(b"hello", reasons.NO_PICTURE, id="text"),
        pytest.param(b"", reasons.NO_PICTURE, id="nothing"),
        pytest.param(jpeg()[:-30], reasons.BAD_JPEG, id="cut short"),
        pytest.param(many_scans(700), reasons.BAD_JPEG, id="700 scans"),
        pytest.param(jpeg().replace(b"\x00\x78\x00\xa0", b"\xff\x00\xff\x00"), reasons.TOO_LARGE, id="a JPEG of 4 gigapixels"),
        pytest.param(FILM, reasons.FILM, id="a film"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, reason: object) -> None:
    with pytest.raises(NotRead) as caught:
        photo_of(data, "a.jpg")
    assert caught.value.reason == reason
    assert str(caught.value) == f"a.jpg: {reason.text}"  # type: ignore[attr-defined]
    assert f"{MOST_PIXELS // 10**6} million" in reasons.TOO_LARGE.text


def test_an_iphones_photo_that_is_not_read_says_what_to_do_on_the_phone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    (tmp_path / "gnao.heic").write_bytes(HEIC)
    with pytest.raises(NotRead, match="Most Compatible"):
        read_photo(tmp_path / "gnao.heic")
    done = CliRunner().invoke(main, ["enrol", str(tmp_path), "--out", str(tmp_path / "a.deck")])
    assert done.exit_code == 2
    assert f"gnao.heic: {reasons.HEIC.text}" in done.stderr


def test_an_iphones_photo_is_read_where_its_library_is(tmp_path: Path) -> None:
    pillow_heif = pytest.importorskip("pillow_heif", reason="the extra heic is not installed")
    photo = io.BytesIO()
    pillow_heif.encode("RGB", (80, 60), IMAGE[:, :, ::-1].tobytes(), photo, quality=95)
    assert np.abs(photo_of(photo.getvalue()).astype(int) - IMAGE).mean() < 6
    with pytest.raises(NotRead) as caught:
        photo_of(photo.getvalue()[:-40])
    assert caught.value.reason == reasons.NO_PICTURE


def test_enrol_says_of_each_photo_why_it_cannot_be_used(tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    for name, data in {"gnao.jpg": many_scans(700), "salta.mov": FILM, "matto.jpg": b"hello"}.items():
        (photos / name).write_bytes(data)
    done = CliRunner().invoke(main, ["enrol", str(photos), "--out", str(tmp_path / "a.deck")])
    assert done.exit_code == 2
    said = [f"gnao.jpg: {reasons.BAD_JPEG.text}", f"matto.jpg: {reasons.NO_PICTURE.text}", f"salta.mov: {reasons.FILM.text}"]
    assert done.stderr.splitlines()[:3] == said
    assert [path.name for path in tmp_path.iterdir()] == ["photos"]
