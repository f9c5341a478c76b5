"""The parts of `make test-all`: each names what it depends on, and is run again when that has changed."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import msgspec
import parts
import pytest
from inputs import ROOT
from parts import PARTS, Part

EVERY_PART = pytest.mark.parametrize("part", [part for part in PARTS if not part.always], ids=lambda part: part.name)


def test_every_marker_that_make_test_leaves_out_has_a_part() -> None:
    [line] = re.findall(r"^LONG := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert line.split(" or ") == list(parts.LONG)
    run = {word for part in PARTS if not part.always for words in part.command for word in re.findall(r"\w+", words)}
    run |= set(re.findall(r"-m (\w+) ", (ROOT / "Makefile").read_text()))  # `make check`
    assert set(parts.LONG) <= run


@EVERY_PART
def test_a_part_depends_on_files_that_are_there(part: Part) -> None:
    for glob in part.inputs:
        assert list(ROOT.glob(glob)), f"{part.name}: {glob} is no file"
    assert len(part.files) > len(parts.ALWAYS)


@pytest.fixture
def part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Part:
    """One that depends on a module of its own."""
    monkeypatch.setattr(parts, "ROOT", tmp_path)
    monkeypatch.setattr(parts, "PASSED", tmp_path / "passed.json")
    monkeypatch.setattr(parts, "MINUTES", tmp_path / "contributing.md")
    (tmp_path / "contributing.md").write_text("<!-- minutes: python tools/parts.py --table -->\n<!-- /minutes -->\n")
    (tmp_path / "eyes.py").write_text("seen = 1  # cards\n")
    part = Part("eyes", "", ("-c", "pass"), ("eyes.py",), "no marker")
    monkeypatch.setattr(parts, "PARTS", (part,))
    return part


def test_other_code_is_another_hash_and_another_comment_is_none(part: Part, tmp_path: Path) -> None:
    before = part.now
    hashed = parts.hash_of_file
    (tmp_path / "eyes.py").write_text("seen = 1  # faces\n")
    hashed.cache_clear()
    assert part.now == before
    (tmp_path / "eyes.py").write_text("seen = 2  # cards\n")
    hashed.cache_clear()
    assert part.now != before
    assert replace(part, name="other").now != part.now


def run(monkeypatch: pytest.MonkeyPatch, *words: str, ci: bool = False) -> int:
    monkeypatch.setattr("sys.argv", ["parts.py", *words])
    monkeypatch.setenv("CI", "1") if ci else monkeypatch.delenv("CI", raising=False)
    with pytest.raises(SystemExit) as left:
        parts.main()
    return int(left.value.code or 0) if not isinstance(left.value.code, str) else 1


def test_what_passed_is_not_run_again_until_its_files_change(
    part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "--changed") == 0
    assert "passed" in capsys.readouterr().out
    assert msgspec.json.decode((tmp_path / "passed.json").read_bytes())["eyes"]["files"] == part.now
    assert run(monkeypatch, "--changed") == 0
    assert "passed with the files that are there" in capsys.readouterr().out
    (tmp_path / "eyes.py").write_text("seen = 2\n")
    parts.hash_of_file.cache_clear()
    assert run(monkeypatch, "--list") == 0
    assert "to be run" in capsys.readouterr().out


def test_in_ci_nothing_is_written_and_a_part_that_fails_fails(
    part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "--changed", ci=True) == 0
    assert not (tmp_path / "passed.json").exists()
    monkeypatch.setattr(parts, "PARTS", (replace(part, command=("-c", "raise SystemExit(3)")),))
    assert run(monkeypatch, "--changed", ci=True) == 1
    assert "Again: python tools/parts.py eyes" in capfd.readouterr().out


WRONG = {"torn": b"{", "other": b'{"eyes": 3}', "stranger": b'{"tarots": {"files": "", "minutes": 1}}'}


@pytest.mark.parametrize("claim", WRONG.values(), ids=WRONG)
def test_a_claim_that_cannot_be_is_refused(part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, claim: bytes) -> None:
    (tmp_path / "passed.json").write_bytes(claim)
    assert run(monkeypatch, "--changed", ci=True) == 1


def test_every_part_stands_in_the_documents() -> None:
    """The minutes there are those of the run that was last written down, which need not be the newest."""
    text = re.sub(r" [\d.]+ \|$", "  |", (ROOT / "docs" / "contributing.md").read_text(), flags=re.MULTILINE)
    expected = parts.minutes({})
    assert expected in text, "python tools/parts.py --table"


@pytest.mark.parametrize("claim", ['"minutes": -1, "tests": null', '"minutes": 1, "tests": 12'])
def test_a_claim_that_cannot_be_so_fails(part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, claim: str) -> None:
    (tmp_path / "passed.json").write_text(f'{{"eyes": {{"files": "{part.now}", {claim}}}}}')
    with pytest.raises(SystemExit, match="eyes cannot have passed"):
        parts.passed()


def test_a_part_depends_on_what_its_tests_import_of_tests_and_tools(part: Part, tmp_path: Path) -> None:
    """A helper may break every test that uses it, and no test of its own would say so."""
    room = tmp_path / "tests" / "room"
    room.mkdir(parents=True)
    (room / "test_eyes.py").write_text("import pytest\nfrom table import laid\n\npytestmark = pytest.mark.looked\n")
    (room / "table.py").write_text("from cards import deck\n")
    (room / "conftest.py").write_text("import other\n")
    for name in ("cards", "other", "stranger"):
        (room.parent / f"{name}.py").write_text("deck = 40\n")
    (room.parent / "conftest.py").write_text("import stranger\n")
    found = {path.relative_to(tmp_path).as_posix() for path in replace(part, marker=r"mark\.looked").files}
    assert found == {
        "eyes.py", "tests/cards.py", "tests/conftest.py", "tests/other.py", "tests/room/conftest.py", "tests/room/table.py",
        "tests/room/test_eyes.py",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from hypothesis import given\n", "from hypothesis import example, given\n"),
        ("from hypothesis import example, given\n", "from hypothesis import example, given\n"),
    ],
)
def test_a_case_that_was_found_is_imported_where_it_is_written(tmp_path: Path, before: str, after: str) -> None:
    file = tmp_path / "test_cards.py"
    rest = "from hypothesis import strategies as st\n\n\n@example(1)\n@given(st.integers())\ndef test_it(n): pass\n"
    file.write_text(before + rest)
    parts.import_example(file)
    assert file.read_text() == after + rest
