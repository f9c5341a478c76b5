"""Setting up on a bare machine: what is missing is installed, or named in one command."""

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
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


def test_where_there_are_no_hashes_it_is_said_and_pip_is_not_asked(
    prepare: ModuleType, refusing: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(prepare, "without_hashes", lambda: "Python 3.14")
    prepare.verified(tmp_path)
    assert capsys.readouterr().err == "No file is checked by its hash: hashes.txt has none for Python 3.14\n"
    assert refusing == []
