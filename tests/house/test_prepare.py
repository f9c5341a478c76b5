"""Setting up on a bare machine: what is missing is installed, or named in one command."""

import ctypes
import importlib.util
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from types import ModuleType

import hashes
import pytest

from companion.line import doctor

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def prepare() -> ModuleType:
    spec = importlib.util.spec_from_file_location("prepare", ROOT / ".ci" / "prepare.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def without_libgl(name: str) -> object:
    if name == "libGL.so.1":
        raise OSError(f"{name}: cannot open shared object file")
    return object()


def test_it_is_known_which_library_is_missing(prepare: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(ctypes, "CDLL", without_libgl)
    assert prepare.missing_packages() == ["libgl1"]


def test_a_python_without_venv_needs_its_package(prepare: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert prepare.missing_packages() == [f"python3.{sys.version_info.minor}-venv"]


def test_a_user_gets_the_one_command(prepare: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/apt-get")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(SystemExit) as stopped:
        prepare.install_packages(["libgl1", "libglib2.0-0"])
    assert str(stopped.value).splitlines()[-1].strip() == (
        "sudo apt-get install -y --no-install-recommends libgl1 libglib2.0-0"
    )


def test_a_system_without_apt_gets_the_names(prepare: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(SystemExit, match="libgl1"):
        prepare.install_packages(["libgl1"])


def test_root_gets_them_installed(prepare: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[list[str]] = []

    def note(arguments: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        ran.append(arguments)
        return subprocess.CompletedProcess(arguments, 0, "", "")

    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/apt-get")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(subprocess, "run", note)
    prepare.install_packages(["libgl1"])
    assert ran == [["apt-get", "update"], ["apt-get", "install", "-y", "--no-install-recommends", "libgl1"]]


def test_apt_that_fails_says_its_last_of_each_face(prepare: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/apt-get")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(
        subprocess, "run", lambda arguments, **_: subprocess.CompletedProcess(arguments, 100, "", "E: no network")
    )
    with pytest.raises(SystemExit, match="E: no network"):
        prepare.install_packages(["libgl1"])


def test_the_doctor_names_the_same_packages(prepare: ModuleType) -> None:
    for library, package in prepare.LIBRARIES.items():
        assert doctor.PACKAGE_OF[library.split(".so")[0].split("-")[0]] == package


def test_the_bar_counts_to_what_is_pinned(prepare: ModuleType) -> None:
    assert 10 < prepare.expected("run") < prepare.expected("dev")


def test_without_a_terminal_it_says_when_it_begins_and_ends(
    prepare: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    bar = prepare.Bar("installing", 3)
    bar.close()
    assert capsys.readouterr().err == "installing ...\ninstalling: done (0 s)\n"


def test_hashes_are_asked_for_where_there_are_some(prepare: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (prepare.PYTHONS, prepare.PROCESSORS) == (hashes.PYTHONS, hashes.PROCESSORS)
    for python, processor, libc, lacks in (
        ((3, 12), "x86_64", "glibc", ""),
        ((3, 14), "x86_64", "glibc", "Python 3.14"),
        ((3, 12), "armv7l", "glibc", "a processor that is armv7l"),
        ((3, 12), "aarch64", "", "a system without glibc"),
    ):
        monkeypatch.setattr(sys, "version_info", (*python, 1))
        monkeypatch.setattr(prepare.platform, "machine", lambda processor=processor: processor)
        monkeypatch.setattr(prepare.platform, "libc_ver", lambda libc=libc: (libc, "2.36"))
        assert prepare.without_hashes() == lacks


@pytest.mark.parametrize(("told", "other"), [
    ("", False),
    ("global.cert='/etc/ssl/a.crt'\n", False),
    (":env:.index-url='https://packages.example/simple'\n", True),
    ("global.cert='/etc/ssl/a.crt'\nglobal.extra-index-url='https://packages.example/simple'\n", True),
    ("install.find-links='wheels'\n", True),
    (":env:.no-index='1'\n", True),
])  # fmt: skip
def test_it_is_known_whether_pip_takes_files_from_pypi(
    prepare: ModuleType, monkeypatch: pytest.MonkeyPatch, told: str, other: bool
) -> None:
    monkeypatch.setattr(subprocess, "run", lambda arguments, **_: subprocess.CompletedProcess(arguments, 0, told, ""))
    assert prepare.other_index(Path("venv")) is other


@pytest.fixture
def refusing(prepare: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """pip finds other files than those of hashes.txt; what it was asked for."""
    asked: list[list[str]] = []

    def refuse(venv: Path, arguments: list[str], title: str, total: int) -> bool:
        asked.append(arguments)
        (venv / "pip.log").write_text("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.\n")
        return False

    monkeypatch.setattr(prepare, "run_pip", refuse)
    monkeypatch.setattr(prepare, "without_hashes", lambda: "")
    return asked


def test_pypis_files_with_other_hashes_are_not_installed(
    prepare: ModuleType, refusing: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(prepare, "other_index", lambda venv: False)
    with pytest.raises(SystemExit, match="DO NOT MATCH THE HASHES"):
        prepare.verified(tmp_path)
    assert "--require-hashes" in refusing[0]


def test_an_index_that_builds_its_own_files_is_installed_from_and_it_is_said(
    prepare: ModuleType, refusing: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(prepare, "other_index", lambda venv: True)
    prepare.verified(tmp_path)
    said = capsys.readouterr().err
    assert said.startswith("No file is checked by its hash: the index that pip is told of")
    assert said.count("\n") == 1
    assert "DO NOT MATCH" in (tmp_path / "pip-hashes.log").read_text()


# what pip, pip itself, says where it finds nothing


@pytest.fixture
def failed(
    prepare: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[[str], str]:
    """How the installation stops when pip is told of the index at this address, and finds no file of Babel there."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    for name in [name for name in os.environ if name.startswith("PIP_") or name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_RETRIES", "1")
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")

    def stopped(index: str) -> str:
        monkeypatch.setenv("PIP_INDEX_URL", index)
        with pytest.raises(SystemExit) as why:
            prepare.pip(tmp_path, ["--target", str(tmp_path / "into"), "--only-binary=:all:", "babel"], "installing", 1)
        assert f"report is in {tmp_path}/pip.log:" in str(why.value)
        return str(why.value)

    return stopped


def test_without_a_network_it_says_so_and_not_that_versions_are_in_conflict(failed: Callable[[str], str]) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and does not listen
        said = failed(f"http://127.0.0.1:{nobody.getsockname()[1]}/simple")
    assert "It did not reach the package index: NewConnectionError" in said
    assert "Connection refused" in said
    assert "needs the internet" in said
    assert "conflict" not in said


def test_a_page_that_wants_a_login_is_not_taken_for_a_conflict_either(failed: Callable[[str], str]) -> None:
    class Portal(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>Benvenuto</title><form><input name=room></form>")

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    with HTTPServer(("127.0.0.1", 0), Portal) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        said = failed(f"http://127.0.0.1:{server.server_port}/simple")
        server.shutdown()
        thread.join()
    assert re.search(r"The package index has no file of babel==\S+ for this machine, with Python 3\.", said)
    assert "log in" in said
    assert "conflict" not in said


def test_a_file_with_another_hash_is_named_and_a_full_disk_too(prepare: ModuleType) -> None:
    mismatch = (
        "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE. If you have updated … tampered with them.\n"
        "    babel==2.18.0 from https://packages.example/babel-2.18.0-py3-none-any.whl (from -r hashes.txt (line 4)):\n"
        "        Expected sha256 e2b5\n             Got        e2b4\n"
    )
    assert prepare.why(f"Collecting babel==2.18.0\n  Downloading babel-2.18.0.whl (10.2 MB)\n{mismatch}") == mismatch.strip("\n")
    retried = "WARNING: Retrying (Retry(total=4, connect=None)) after connection broken by 'ReadTimeoutError(…)': /simple/babel/"
    full = "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device"
    assert prepare.why(f"{retried}\nCollecting babel==2.18.0\n{full}\n\n") == f"{full}\n"
    assert prepare.why("") == "It said nothing."


def test_where_there_are_no_hashes_it_is_said_and_pip_is_not_asked(
    prepare: ModuleType, refusing: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(prepare, "without_hashes", lambda: "Python 3.14")
    prepare.verified(tmp_path)
    assert capsys.readouterr().err == "No file is checked by its hash: hashes.txt has none for Python 3.14\n"
    assert refusing == []
