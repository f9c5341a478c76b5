"""Addresses of cameras: what is wrong with one is said with what to write, no message has a password in it, and MJPEG is read
however it is framed."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_servers import jpegs, locked, page, serving, stream

from companion.line.sources.address import camera_number, plain
from companion.line.sources.http import picture_end, whole_pictures
from companion.line.sources.pictures import pictures
from companion.line.sources.wanted import check_source
from companion.line.worker.messages import Job
from companion.table.errors import SourceError


def refused(source: str) -> str:
    with pytest.raises(SourceError) as caught:
        check_source(source)
    return str(caught.value)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("rtsp://anna:se#greto@192.168.1.20/live", "has “#” in it, which ends an address: write %23"),
        ("rtsp://anna:se/greto@192.168.1.20:554/live", "has “/” in it, which ends an address: write %2F"),
        ("http://anna:se?greto@camera.local/video", "has “?” in it, which ends an address: write %3F"),
        ("192.168.1.20:8080/video", "begins with http://: write http://192.168.1.20:8080/video"),
        ("192.168.1.20:554/live", "begins with rtsp://: write rtsp://192.168.1.20:554/live"),
        ("anna:segreto@192.168.1.20/live", "begins with http://: write http://…@192.168.1.20/live"),
        ("camera.local:8080", "begins with http://: write http://camera.local:8080"),
        ("rtsp://…@192.168.1.20/live", "write the name and the password"),
        ("rtsp://anna:segreto@", "not the address of a stream"),
        ("ftp://192.168.1.20/live", "not the address of a stream"),
    ],
)
def test_an_address_that_is_none_says_what_to_write_and_not_the_password(source: str, said: str) -> None:
    told = refused(source)
    assert said in told
    assert "greto" not in told


@pytest.mark.parametrize("source", ["film.mp4", "sera 12.5/film.mp4", "192.168.mp4"])
def test_a_films_name_is_not_taken_for_an_address(source: str) -> None:
    assert "no such file" in refused(source)


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("rtsp://anna:segreto@192.168.1.20:554/live", "rtsp://…@192.168.1.20:554/live"),
        ("rtsp://192.168.1.20/live", "rtsp://192.168.1.20/live"),
        ("http://192.168.1.9/snap?user=anna&pwd=segreto&channel=1", "http://192.168.1.9/snap?user=…&pwd=…&channel=1"),
        ("/video/serata.mp4", "/video/serata.mp4"),
        ("0", "0"),
    ],
)
def test_pages_are_told_an_address_without_name_and_password(source: str, shown: str) -> None:
    assert plain(source) == shown


SECRET = st.text(st.sampled_from("aZ0:#/?@%&=+ ;!"), min_size=1, max_size=8).map(lambda text: f"X{text}X")


@given(SECRET, st.sampled_from(["192.168.1.20", "cam.local:554", "cam"]), st.sampled_from(["", "/live", "/live?x=1"]))
def test_whatever_letters_a_password_has_it_is_not_shown(password: str, host: str, path: str) -> None:
    assert password not in plain(f"rtsp://anna:{password}@{host}{path}")


def given_by(source: str) -> list[int]:
    """The grey levels of the pictures, until the source is silent."""
    found: list[int] = []
    with pytest.raises(SourceError, match="no picture for"):
        found.extend(round(float(picture.image.mean())) for picture in pictures(source, 1e9))
    return found


PLAIN = jpegs()
FRAMES = {
    "as it should be": [b"--frame\r\nContent-Length: %d\r\n\r\n%s\r\n" % (len(one), one) for one in PLAIN],
    "without a first boundary": [b"\r\n--frame\r\n".join(PLAIN)],
    "boundaries without dashes": [b"frame\r\nContent-Type: image/jpeg\r\n\r\n%s\r\n" % one for one in PLAIN],
    "a wrong length": [b"--frame\r\nContent-Length: 7\r\n\r\n%s\r\n" % one for one in PLAIN],
    "no frames at all": [b"".join(PLAIN)],
    "thumbnails": [b"--frame\r\n\r\n%s\r\n" % one for one in jpegs(thumbnail=True)],
    "in small pieces": [bytes([letter]) for letter in b"--frame\r\n\r\n" + PLAIN[0] + b"\r\n--frame\r\n\r\n" + PLAIN[-1]],
}


@pytest.mark.parametrize("parts", FRAMES.values(), ids=FRAMES)
def test_mjpeg_is_read_however_it_is_framed(parts: list[bytes]) -> None:
    rest, found = bytearray(), []
    for part in parts:
        rest += part
        found += whole_pictures(rest)
    assert [len(one) for one in found] in ([len(one) for one in PLAIN], [len(one) for one in jpegs(thumbnail=True)],
                                           [len(PLAIN[0]), len(PLAIN[-1])])  # fmt: skip
    with serving(stream(parts)) as address:
        assert given_by(f"{address}/video")[-1] == 160


@given(st.binary(max_size=400))
def test_whatever_comes_between_no_picture_is_lost(junk: bytes) -> None:
    junk = junk.replace(b"\xff", b"")
    rest = bytearray(PLAIN[0] + junk + PLAIN[1] + junk)
    assert list(whole_pictures(rest)) == PLAIN[:2]
    assert picture_end(PLAIN[0]) == len(PLAIN[0])


def test_half_a_picture_ends_where_the_next_one_begins() -> None:
    half = PLAIN[0][: len(PLAIN[0]) - 20]
    assert list(whole_pictures(bytearray(half + PLAIN[1]))) == [half, PLAIN[1]]


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a busy machine takes, no camera is given up for that."""
    monkeypatch.setattr("companion.eyes.source.OPEN_SECONDS", 600.0)


def why(source: str) -> str:
    with pytest.raises(SourceError) as caught:
        next(iter(pictures(source, 10)))
    assert "segreto" not in str(caught.value)
    return str(caught.value)


@pytest.mark.slow
def test_a_wrong_password_a_page_and_a_redirect_are_told_apart(patient: None) -> None:
    film = stream([b"--frame\r\n\r\n" + one + b"\r\n" for one in PLAIN])
    with serving(locked("anna", "giusto/#", film)) as address:
        assert "refuses the name or the password" in why(address.replace("//", "//anna:segreto@") + "/video")
        assert "wants a name and a password: write NAME:PASSWORD@ behind http://" in why(f"{address}/video")
        assert given_by(address.replace("//", "//anna:giusto%2F%23@") + "/video")[-1] == 160
    with serving(page()) as address:
        assert "a web page, to log in perhaps" in why(f"{address}/video")
        with serving(page(302, "", Location=f"{address}/login")) as other:
            assert f"sends on to a web page, {address}/login" in why(f"{other}/video")
    with serving(page(404)) as address:
        assert "knows no such address (it answers 404)" in why(f"{address}/video")
    with serving(film) as address, serving(page(302, "", Location=f"{address}/video")) as other:
        assert given_by(f"{other}/old")[-1] == 160


@pytest.fixture
def rtsp() -> Iterator[tuple[str, list[int]]]:
    """A camera that speaks RTSP and answers everything with the status in the list."""
    status = [401]
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    camera, _ = server.accept()
                except OSError:
                    return
                with camera:
                    camera.settimeout(600)
                    try:
                        asked = camera.recv(2000)
                        number = next((line for line in asked.split(b"\r\n") if line.startswith(b"CSeq")), b"CSeq: 1")
                        camera.sendall(b"RTSP/1.0 %d No\r\n%s\r\n\r\n" % (status[0], number))
                    except OSError:
                        continue

        threading.Thread(target=serve, daemon=True).start()
        yield f"127.0.0.1:{server.getsockname()[1]}/live", status


def test_a_camera_that_speaks_rtsp_says_why_it_gives_no_pictures(rtsp: tuple[str, list[int]], patient: None) -> None:
    where, status = rtsp
    assert "refuses the name or the password" in why(f"rtsp://anna:segreto@{where}")
    assert "behind rtsp://" in why(f"rtsp://{where}")
    status[0] = 404
    assert "it answers 404" in why(f"rtsp://anna:segreto@{where}")
    status[0] = 500
    assert why(f"rtsp://anna:segreto@{where}").startswith(f"rtsp://…@{where}: cannot be opened")


@pytest.mark.parametrize("source", ["x" * 5000, "rtsp://192.168.1.20/" + "x" * 5000, "x" * 300, "a\0b", "\udcff\0"])
def test_what_nothing_can_be_called_is_refused_in_a_short_line(source: str) -> None:
    told = refused(source)
    assert len(told) < 400
    assert told.isprintable()
    with pytest.raises(SourceError) as caught:
        next(iter(pictures(source, 10)))
    assert str(caught.value) == told


def test_a_loop_of_links_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.mp4").symlink_to(tmp_path / "b.mp4")
    (tmp_path / "b.mp4").symlink_to(tmp_path / "a.mp4")
    assert "no file can be called that" in refused(str(tmp_path / "a.mp4"))


def test_a_camera_may_be_named_by_a_link_that_stays_whatever_else_is_plugged_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.line.sources.address.LINKS", tmp_path / "v4l")
    (tmp_path / "v4l" / "by-id").mkdir(parents=True)
    link = tmp_path / "v4l" / "by-id" / "usb-Webcam_C920-video-index0"
    link.symlink_to("../../video2")
    (tmp_path / "video2").touch()
    check_source(str(link))
    assert camera_number(str(link)) == "2"
    assert not Job(1, str(link)).is_file
    assert camera_number("/dev/video2") is None
    link.unlink()
    assert "this camera is not plugged in" in refused(str(link))
    assert "this camera is not plugged in" in why(str(link))
