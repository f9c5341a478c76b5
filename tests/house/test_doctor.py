"""Each probe of `companion doctor`, on machines that lack something."""

import errno
import json
import os
import shlex
import socket
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from companion.cli.doctor import command
from companion.line import autostart, doctor
from companion.line.doctor import Finding
from companion.table.errors import AssetMissing


def refuse(error: Exception) -> object:
    def call(_: object) -> object:
        raise error

    return call


def test_a_library_that_imports_is_ok() -> None:
    found = doctor.library("cv2", "opencv", lambda name: SimpleNamespace(__version__="5.0"))
    assert found == Finding("opencv", True, "5.0")


@pytest.mark.parametrize(
    ("words", "mend"),
    [
        ("libGL.so.1: cannot open shared object file: No such file or directory", "sudo apt-get install -y libgl1"),
        ("libgthread-2.0.so.0: cannot open shared object file", "sudo apt-get install -y libglib2.0-0"),
        ("libxcb.so.1: cannot open shared object file", "sudo apt-get install -y libxcb1"),
        ("libodd.so.3: cannot open shared object file", "install the package that brings libodd.so.3"),
    ],
)
def test_a_missing_system_library_names_its_package(words: str, mend: str) -> None:
    found = doctor.library("cv2", "opencv", refuse(ImportError(words)))  # type: ignore[arg-type]
    assert not found.ok
    assert found.found == f"the system has no {words.split(':')[0]}"
    assert found.mend == mend


def test_a_library_that_is_not_installed() -> None:
    found = doctor.library("cv2", "opencv", refuse(ModuleNotFoundError("No module named 'cv2'")))  # type: ignore[arg-type]
    assert not found.ok
    assert found.mend == doctor.REINSTALL


def test_models_missing() -> None:
    found = doctor.models(refuse(AssetMissing("models is missing")))  # type: ignore[arg-type]
    assert (found.ok, found.found, found.mend) == (False, "models is missing", doctor.REINSTALL)


def test_models_damaged(tmp_path: Path) -> None:
    for name in ("detector.onnx", "reader.onnx", "prototypes.npz"):
        (tmp_path / name).write_bytes(b"no model")
    found = doctor.models(lambda name: tmp_path)
    assert (found.ok, found.mend) == (False, doctor.REINSTALL)


def test_models_cannot_be_tried_without_opencv(tmp_path: Path) -> None:
    found = doctor.models(lambda name: tmp_path, refuse(ImportError("libGL.so.1: cannot open")))  # type: ignore[arg-type]
    assert (found.ok, found.mend) == (False, "mend what stands above first")


def test_shipped_models_load() -> None:
    assert doctor.models().ok


def test_shipped_page_and_clip_are_there() -> None:
    assert doctor.web().ok


def test_no_camera(tmp_path: Path) -> None:
    found = doctor.cameras(tmp_path, lambda device: (640, 480))
    assert (found.ok, found.mend) == (True, None)  # thumb play needs none
    assert "plug in a USB camera" in found.found


def test_a_machine_without_a_camera_ends_well(tmp_path: Path) -> None:
    result = CliRunner().invoke(command, obj=(lambda: GOOD, lambda: doctor.cameras(tmp_path)))
    assert result.exit_code == 0
    assert "missing" not in result.output


def test_cameras_are_listed_by_number_and_silent_devices_left_out(tmp_path: Path) -> None:
    for number in (10, 1, 0):
        (tmp_path / f"video{number}").touch()
    found = doctor.cameras(tmp_path, lambda device: None if device.name == "video1" else (640, 480))
    assert (found.ok, found.found) == (True, "camera 0: 640x480, camera 10: 640x480")


def test_a_camera_without_a_picture(tmp_path: Path) -> None:
    (tmp_path / "video0").touch()
    found = doctor.cameras(tmp_path, lambda device: None)
    assert not found.ok
    assert "no picture" in found.found


def test_a_device_that_is_no_camera_gives_no_picture(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "video0").write_bytes(b"no camera")
    found = doctor.cameras(tmp_path)
    assert not found.ok
    assert capfd.readouterr() == ("", "")


def test_a_camera_that_this_user_may_not_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "video0").touch()
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    found = doctor.cameras(tmp_path, lambda device: (640, 480))
    assert not found.ok
    assert found.mend is not None
    assert "usermod -aG video" in found.mend


def test_a_taken_port() -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        number = holder.getsockname()[1]
        taken = doctor.port(number)
    assert (taken.ok, taken.found) == (False, "another program uses it")
    assert taken.mend is not None
    assert taken.mend.startswith(f"companion serve --port {number + 1}, or end that program")
    assert f"sport = :{number}" in taken.mend
    assert doctor.port(number).ok


def test_a_port_that_the_evenings_program_has_is_not_missing() -> None:
    asked: list[str] = []
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        found = doctor.port(holder.getsockname()[1], runs=lambda url: asked.append(url) is None)
    assert (found.ok, found.mend) == (True, None)
    assert asked == [f"http://127.0.0.1:{doctor.PORT}"]


def test_evenings_that_can_be_written_leave_nothing_behind(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "yet"
    assert doctor.evenings(folder) == Finding("evenings", True, f"they are kept in {folder}")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("code", "found", "mend"),
    [
        (errno.EACCES, "may not be written by this user", "sudo chown -R $USER: "),
        (errno.EPERM, "may not be written by this user", "sudo chown -R $USER: "),
        (errno.EROFS, "read-only", "sudo mount -o remount,rw "),
        (errno.ENOSPC, "no room is left", "du -xh "),
        (errno.EDQUOT, "no room is left", "du -xh "),
        (errno.EIO, "Input/output error", "companion serve --ledger "),
    ],
)
def test_evenings_that_cannot_be_written_say_why_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, found: str, mend: str
) -> None:
    folder = tmp_path / "the bar's"
    folder.mkdir()

    def refused(**_: object) -> object:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(doctor.tempfile, "TemporaryFile", refused)
    said = doctor.evenings(folder)
    assert not said.ok
    assert found in said.found
    assert str(folder) in said.found
    assert said.mend is not None
    assert said.mend.startswith(mend)
    if "--ledger" not in mend:
        assert shlex.quote(str(folder)) in said.mend, "a folder with a blank or a quote in its name"


def test_a_ledger_of_another_user_is_found_in_a_folder_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "evenings.ledger").touch()
    assert doctor.evenings(tmp_path).ok
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    said = doctor.evenings(tmp_path)
    assert said.found == f"{tmp_path}/evenings.ledger may not be written by this user"
    assert said.mend == f"sudo chown -R $USER: {tmp_path}/evenings.ledger"


def test_a_file_in_the_folders_place_is_said(tmp_path: Path) -> None:
    (tmp_path / "companion").touch()
    said = doctor.evenings(tmp_path / "companion")
    assert not said.ok
    assert "Not a directory" in said.found


@pytest.mark.parametrize(
    ("found", "wanted", "ok"), [("/usr/bin/chromium", True, True), (None, True, False), (None, False, True)]
)
def test_a_browser_is_missing_only_where_the_tvs_page_is_to_open_here(found: str | None, wanted: bool, ok: bool) -> None:
    said = doctor.browser(found, wanted)
    assert said.ok is ok
    assert ("apt install chromium" in f"{said.found} {said.mend}") is (found is None)


def test_the_command_looks_at_the_folder_of_the_evenings_and_at_the_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "data").touch()  # where its folder should be
    (tmp_path / "config" / "autostart").mkdir(parents=True)
    (tmp_path / "config" / "autostart" / autostart.KIOSK).touch()
    found = {one["what"]: one for one in json.loads(CliRunner().invoke(command, ["--json"]).output)["findings"]}
    assert not found["evenings"]["ok"]
    assert str(tmp_path / "data") in found["evenings"]["found"]
    assert found["browser for the TV"]["mend"] == doctor.KIOSK_BROWSER
    assert str(tmp_path) in found["disk space"]["found"]


def test_a_full_disk(tmp_path: Path) -> None:
    found = doctor.disk(tmp_path / "not" / "yet", lambda folder: (10**12, 10**12 - 10**6, 10**6))
    assert not found.ok
    assert found.found == f"1 MB free in {tmp_path}, {doctor.DISK_MB} wanted"


def test_little_memory(tmp_path: Path) -> None:
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal:  4000000 kB\nMemAvailable:    200000 kB\n")
    assert not doctor.memory(meminfo).ok
    meminfo.write_text("MemAvailable:    2000000 kB\n")
    assert doctor.memory(meminfo) == Finding("memory", True, "2.0 GB available")


GOOD, BAD = Finding("a", True, "fine"), Finding("long name", False, "gone", "mend it")


@pytest.mark.parametrize(("findings", "code"), [((GOOD,), 0), ((GOOD, BAD), 1)])
def test_exit_status_and_lines(findings: tuple[Finding, ...], code: int) -> None:
    probes = tuple(lambda finding=finding: finding for finding in findings)
    result = CliRunner().invoke(command, obj=probes)
    assert result.exit_code == code
    for finding in findings:
        assert finding.found in result.output
        assert (f"mend: {finding.mend}" in result.output) is not finding.ok


def test_json_says_the_same() -> None:
    result = CliRunner().invoke(command, ["--json"], obj=(lambda: GOOD, lambda: BAD))
    assert json.loads(result.output) == {
        "ok": False,
        "findings": [
            {"what": "a", "ok": True, "found": "fine", "mend": None},
            {"what": "long name", "ok": False, "found": "gone", "mend": "mend it"},
        ],
    }
    assert result.exit_code == 1


def test_without_a_voice_nothing_is_missing_and_it_is_said_how_to_get_one() -> None:
    assert doctor.voice(lambda name: f"/usr/bin/{name}").found == "espeak-ng"
    without = doctor.voice(lambda name: None)
    assert without.ok
    assert "apt install espeak-ng" in without.found
