"""A Debian package's version rises from build to build, and what keeps one from being built is a line."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import deb
import pytest

import companion


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with one commit."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    commit(folder, "one", "2026-11-28T23:59:58+01:00")
    return folder


def commit(folder: Path, text: str, at: str) -> None:
    (folder / "file").write_text(text)
    who = {f"GIT_{role}_{what}": "a@b" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    git = ["git", "-C", str(folder), "-c", "commit.gpgsign=false"]
    subprocess.run([*git, "add", "file"], check=True)
    subprocess.run([*git, "commit", "--quiet", "-m", text], check=True,
                   env={**os.environ, **who, "GIT_COMMITTER_DATE": at, "GIT_AUTHOR_DATE": at})  # fmt: skip


def test_each_build_of_a_checkout_is_newer_than_those_before_it(checkout: Path) -> None:
    found = [companion.__version__, deb.version(checkout)]
    assert found[1].startswith(f"{companion.__version__}+git20261128225958."), "as of UTC"
    (checkout / "file").write_text("changed")
    found += [deb.version(checkout, now) for now in (1_800_000_000.0, 1_800_000_001.0)]
    assert found[-1].endswith(".changed")
    commit(checkout, "two", "2027-01-16T00:00:00+01:00")
    found.append(deb.version(checkout))
    if shutil.which("dpkg") is None:
        pytest.skip("only dpkg says which version it takes for newer")
    for older, newer in itertools.pairwise(found):
        asked = ["dpkg", "--compare-versions", older, "lt", newer]
        assert subprocess.run(asked, check=False).returncode == 0, (older, newer)


def test_what_is_no_checkout_has_the_programs_own_version(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = checkout / "companion-0.1.0"
    source.mkdir()
    assert deb.version(source) == companion.__version__, "unpacked inside another project"
    monkeypatch.setenv("PATH", "")
    assert deb.version(checkout) == companion.__version__


@pytest.mark.parametrize("there", [True, False])
def test_without_hatchling_pip_takes_it_from_its_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool) -> None:
    python, told = tmp_path / "python3", tmp_path / "told"
    python.write_text(f'#!/bin/sh\necho "$@" > {told}\nmkdir -p {tmp_path}/wheel\n: > {tmp_path}/wheel/companion-0-any.whl\n')
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setattr(deb.importlib.util, "find_spec", lambda name: object() if there else None)
    assert deb.wheel_of(deb.ROOT, tmp_path / "wheel").name == "companion-0-any.whl"
    assert ("--no-build-isolation" in told.read_text()) is there


def test_what_keeps_a_package_from_being_built_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["deb.py", "--out", str(tmp_path / "dist")])
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match=r"^deb\.py: dpkg is missing: [^\n]*$"):
        deb.main()
    (tmp_path / "dpkg").write_text("#!/bin/sh\necho broken >&2\nexit 3\n")
    (tmp_path / "dpkg").chmod(0o755)
    with pytest.raises(SystemExit, match=r"^deb\.py: no package was built: dpkg [^\n]*status 3; broken$"):
        deb.main()
