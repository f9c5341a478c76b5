"""What the program stands on: every licence is listed, and an audit that was not made is not called clean."""

from __future__ import annotations

import json
import re
from pathlib import Path

import audit
import hashes
import licences
import pytest


def test_every_pinned_package_is_listed_with_its_licence() -> None:
    listed = licences.rows(licences.PAGE.read_text("utf-8"))
    pinned = {name for packages in licences.pins().values() for name, _ in packages}
    assert set(listed) == pinned, "run: make docs"


def test_the_list_says_what_the_installed_packages_say() -> None:
    page = licences.PAGE.read_text("utf-8")
    assert licences.written(page) == page, "run: make docs"


def test_what_was_read_of_another_version_is_not_kept() -> None:
    page = licences.PAGE.read_text("utf-8")
    _, version = next(pin for pin in licences.pins()["train"] if pin[0] == "torch")
    older = licences.written(page.replace(f"| `torch` | {version} |", "| `torch` | 0.1 |"))
    assert licences.rows(older)["torch"] == (version, licences.licence("torch", version) or licences.UNREAD)


@pytest.mark.train
@pytest.mark.parametrize("name", ["torch", "ultralytics", "onnx"])
def test_the_list_was_read_from_what_trains(name: str) -> None:
    version = dict(licences.pins()["train"])[name]
    if (said := licences.licence(name, version)) is None:
        pytest.skip(f"needs {name} {version}: extra `train`")
    assert licences.rows(licences.PAGE.read_text("utf-8"))[name] == (version, said)


def test_something_built_here_is_not_asked_for_the_licence_of_what_it_stands_in_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "standin-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.4\nName: standin\nVersion: 1.0\nLicense-Expression: MIT\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert licences.licence("standin", "1.0") == "MIT"
    assert licences.licence("standin", "1.1") is None
    (info / "direct_url.json").write_text('{"dir_info": {}, "url": "file:///here"}')
    assert licences.licence("standin", "1.0") is None


def test_what_runs_has_a_licence_that_goes_with_ours() -> None:
    listed = licences.rows(licences.PAGE.read_text("utf-8"))
    for name, _ in licences.pins()["run"]:
        said = listed[name][1]
        assert said != licences.UNREAD, name
        assert not any(word in said for word in ("Proprietary", "Commercial")), name


def test_what_runs_has_hashes_of_the_files_that_pip_takes() -> None:
    one = r"^(\S+==\S+) \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)"
    entries = dict(re.findall(one, hashes.PAGE.read_text("utf-8"), re.M))
    pinned = {f"{hashes.plain(name)}=={version}" for name, version in licences.pins()["run"]}
    assert set(entries) == pinned, "run: python tools/hashes.py"


def test_hashes_are_written_as_pip_reads_them(tmp_path: Path) -> None:
    told = {"install": [{"metadata": {"name": "Flask_X.y", "version": "1.0"},
                         "download_info": {"archive_info": {"hashes": {"sha256": "a" * 64}}}}]}  # fmt: skip
    found = {pin: {digest, "b" * 64} for pin, digest in hashes.hashes_of(told).items()}
    wanted = tmp_path / "hashes.txt"
    wanted.write_text(hashes.written(found))
    assert wanted.read_text().endswith(f"flask-x-y==1.0 \\\n    --hash=sha256:{'a' * 64} \\\n    --hash=sha256:{'b' * 64}\n")


def told(*found: dict[str, object]) -> str:
    return json.dumps({"dependencies": found, "fixes": []})


CLEAN = {"name": "flask", "version": "3.1.3", "vulns": []}
HOLE = {"name": "old", "version": "1.0", "vulns": [{"id": "PYSEC-1"}]}
UNKNOWN = {"name": "own", "skip_reason": "not found"}


@pytest.mark.parametrize(("printed", "status", "said"), [
    ("", 0, "cannot be reached"),
    ("Traceback …", 0, "cannot be reached"),
    (told(UNKNOWN), 0, "knows none of the 1 pinned versions"),
    (told(CLEAN, UNKNOWN), 0, "1 of 2 pinned versions audited, no known hole"),
    (told(CLEAN, HOLE), 1, "old 1.0: PYSEC-1"),
])  # fmt: skip
def test_an_audit_fails_on_a_hole_and_says_what_it_has_not_seen(printed: str, status: int, said: str) -> None:
    found = audit.verdict(printed)
    assert found[0] == status
    assert said in found[1]
