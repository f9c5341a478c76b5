"""The report: each command puts its own sections in, the others' stay, and what was asked for stands first."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from workshop.evaluation.report import Section, markdown, read_figures, shown, telling, words, write_report
from workshop.report import BadReport

HARD = Section("Cards found in `hard`", "About.", {"recall": 0.9, "precision": 0.99, "corner_error_40px": 0.031})


def test_one_command_does_not_touch_anothers_figures(tmp_path: Path) -> None:
    report = tmp_path / "REPORT.md"
    write_report(report, [HARD], "companion evaluate pictures")
    write_report(report, [Section("Speed", "About.", {"play_fps": 17.2, "idle_fps": float("nan")})], "companion evaluate speed")
    write_report(report, [Section("Cards found in `hard`", "Again.", {"recall": 0.98})], "companion evaluate pictures")
    hard, speed = read_figures(report)
    assert (hard.figures, hard.about) == ({"recall": 0.98}, "Again.")
    assert (speed.figures, speed.command) == ({"play_fps": 17.2}, "companion evaluate speed")
    assert report.read_text().index("98.0%") < report.read_text().index("17.2 frames/s")


def test_what_was_asked_for_stands_first_and_says_what_falls_short() -> None:
    text = markdown([HARD])
    rows = [line for line in text.splitlines() if line.startswith(("| card", "| mean corner"))]
    assert [row.split("|")[-2].strip() for row in rows[:3]] == ["short", "✓", "short"]
    assert "≤ 3.0%" in rows[2]
    assert "## Targets" not in markdown([Section("Other", "About.", {"recall": 1.0})])


def test_rounding_does_not_hide_what_is_missing() -> None:
    text = markdown([Section("Cards found in `hard`", "About.", {"recall": 0.9198, "corner_error_40px": 0.0303})])
    assert "| ≥ 92.0% | just under 92.0% | short |" in text
    assert "| ≤ 3.0% | just over 3.0% | short |" in text


@pytest.mark.parametrize(
    ("figure", "value", "name", "number"),
    [
        ("recall_stu_back", 0.5, "recall, stu back", "50.0%"),
        ("named_right_40_60px", 1.0, "named right, 40 to 60 px long", "100.0%"),
        ("idle_fps", 61.24, "idle", "61.2 frames/s"),
        ("cards", 544.0, "cards that count (half or more in view)", "544"),
        ("precision", float("nan"), "precision at the shipped threshold", "none to measure"),
    ],
)
def test_figures_in_words(figure: str, value: float, name: str, number: str) -> None:
    assert (words(figure), shown(figure, value)) == (name, number)


def test_damaged_figures_are_named_and_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "REPORT.json").write_text("{")
    with pytest.raises(BadReport, match=r"REPORT\.json"):
        write_report(tmp_path / "REPORT.md", [HARD], "companion evaluate pictures")
    assert (tmp_path / "REPORT.json").read_text() == "{"
    assert not (tmp_path / "REPORT.md").exists()


def test_the_referee_alone_has_its_section(tmp_path: Path) -> None:
    report = tmp_path / "REPORT.md"
    result = CliRunner().invoke(
        main, ["evaluate", "streams", "--hands", "3", "--noise", "none", "--report", str(report)], catch_exceptions=False
    )
    assert result.exit_code == 0, result.output
    (section,) = read_figures(report)
    assert section.title == "The referee alone: none streams of sightings"
    assert section.figures["right"] == 1.0
    assert "hands whose payments are exactly right | 100.0% |" in report.read_text(encoding="utf-8")
    assert section.command == "companion evaluate streams --hands 3 --noise none --seed 0"


def test_what_there_was_nothing_of_is_left_out() -> None:
    """Without a card a precision of 0 says nothing, and false cards do."""
    empty = Section("Cards found in `empty`", "x", {"pictures": 2, "cards": 0, "precision": 0.0, "cardless": 2,
                                                    "false_half_hundred": 150.0})
    faces, full = Section("Faces named in `empty`", "x", {"faces": 0, "ece_card": 0.5}), Section("y", "x", {"recall": 0.0})
    kept = telling([empty, faces, full])
    assert [one.title for one in kept] == [empty.title, full.title]
    assert kept[0].figures == {"pictures": 2, "cardless": 2, "false_half_hundred": 150.0}
    assert kept[1] == full
