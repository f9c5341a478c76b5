"""models/REPORT.md: the figures of the models and of the referee alone that the commands of `companion evaluate` found.

The targets come first. The figures are kept in a JSON file beside the report: each command replaces its own sections in it, and
the report is then written from all of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from companion.table.sure import SURE_FROM
from workshop.report import kept_beside, table, write_beside

_NAMES = {
    "pictures": "pictures",
    "cards": "cards that count (half or more in view)",
    "ap50": "AP50, mean of the classes (exact polygons)",
    "cardless": "pictures without any card",
    "false_half_hundred": "false cards there with 0.5 and more",
    "false_sure_hundred": "false cards there with 0.9 and more",
    "recall": "recall at the shipped threshold",
    "precision": "precision at the shipped threshold",
    "corner_error": "mean corner error, share of the card's length",
    "corner_error_40px": "the same, cards of 40 px and more",
    "rectangle_error_40px": "the least error that rotated rectangles (OBB) could have there",
    "ece_card": "calibration error of the score (ECE)",
    "faces": "Stù faces found with nine tenths in view",
    "named_right": "named right",
    "not_recognised": "own cards taken for strangers",
    "ece_face": "calibration error of the name (ECE)",
    "crops": "crops",
    "named_all_the_same": "named as a Stù card all the same",
    "least_recall": "recall, lower end of the 95 % interval",
    "hands": "hands played",
    "right": "hands whose payments are exactly right",
    "sure_but_wrong": f"wrong rulings shown as sure ({SURE_FROM:g} or more)",
    "unsure": "hands ruled with less than that",
    "exchange_recall": "exchanges and draws found, recall",
    "exchange_precision": "exchanges and draws found, precision",
    "cards_quarter": "cards with a quarter or more in view",
    "recall_quarter": "recall, a quarter and more in view",
    "precision_quarter": "precision, a quarter and more in view",
    "indices": "labelled corner indices",
    "faces_asked": "found faces that should show an index",
    "least_precision": "precision, lower end of the 95 % interval",
    "not_asked": "found faces that need not show an index",
    "precision_at_least": "precision if those were all wrong",
    "backs": "labelled backs",
    "recall_back": "recall, back",
    "named_ours": "of those found: named as one of ours",
    "most_named_ours": "the same, upper end of the 95 % interval",
    "called_stu": "of those found: called Stù",
    "called_ramino": "of those found: called ramino",
    "calibration": "calibration error of the rulings' confidence (ECE)",
    "looks": "pictures looked at",
    "left_out": "pictures left out, as there is no time for them",
}
_COUNTS = (
    "pictures", "cardless", "cards", "cards_quarter", "faces", "faces_asked", "not_asked", "indices", "backs", "crops", "photos",
    "hands", "hands_per_cpu_second", "looks", "rulings",
)  # fmt: skip
_MEASURED_ON = ("cards", "cards_quarter", "faces")
"""Counts of what a section's other figures are shares of."""
_OF_NOTHING = ("pictures", "cardless", "false_half_hundred", "false_sure_hundred")
"""What is measured where there is none of it."""
_UNITS = {"fps": "frames/s", "ms": "ms", "mb": "MB", "times": "times", "s": "s", "hundred": "a hundred pictures"}
"""Endings of figures that are not shares → their units."""


class Section(msgspec.Struct, frozen=True):
    """One table of the report: ``title``, ``about`` in a sentence, ``figures`` by their short names (shares 0..1, counts).

    ``command``: what measures them again.
    """

    title: str
    about: str
    figures: dict[str, float] = {}
    command: str = ""


@dataclass(frozen=True, slots=True)
class Goal:
    """A target: its name in words, the ``section`` and ``figure`` that measure it, and the ``wanted`` value.

    ``least``: the figure is to be at least that; else at most.
    """

    name: str
    section: str
    figure: str
    wanted: float
    least: bool = True


GOALS = (
    Goal("card recall", "Cards found in `hard`", "recall", 0.92),
    Goal("card precision", "Cards found in `hard`", "precision", 0.97),
    Goal("card recall, a quarter and more in view", "Cards found in `overlap`, by the share in view", "recall_quarter", 0.92),
    Goal("card precision, a quarter and more in view", "Cards found in `overlap`, by the share in view",
         "precision_quarter", 0.97),
    Goal("card recall, half and more in view", "Cards found in `overlap`", "recall", 0.95),
    Goal("card precision, half and more in view", "Cards found in `overlap`", "precision", 0.98),
    Goal("false cards with 0.5 and more, without any card", "Cards found in `empty`", "false_half_hundred", 10, False),
    Goal("false cards with 0.9 and more, without any card", "Cards found in `empty`", "false_sure_hundred", 0, False),
    Goal("mean corner error, cards of 40 px and more", "Cards found in `hard`", "corner_error_40px", 0.03, False),
    Goal("face named right, 60 to 100 px", "Faces named in `hard`", "named_right_60_100px", 0.995),
    Goal("face named right, 40 to 60 px", "Faces named in `hard`", "named_right_40_60px", 0.97),
    Goal("ramino card recall", "Real photos: all", "recall", 0.98),
    Goal("ramino card precision", "Real photos: all", "precision", 0.985),
    Goal("corner indices that lie in a corner of a found card", "Overlapping cards: all", "recall", 0.92),
    Goal("found cards with a corner index", "Overlapping cards: all", "precision", 0.95),
    Goal("card recall", "Strange decks: all", "recall", 0.92),
    Goal("card precision", "Strange decks: all", "precision", 0.95),
    Goal("named as one of ours", "Strange decks: all", "named_ours", 0.01, False),
    Goal("Stù named although another deck lies there", "The reader alone: Neapolitan cards, never trained on",
         "named_all_the_same", 0.01, False),
    Goal("calibration error of the face", "Faces named in `easy`", "ece_face", 0.02, False),
    Goal("calibration error of the face", "Faces named in `hard`", "ece_face", 0.02, False),
    Goal("calibration error of the face", "Faces named in `far`", "ece_face", 0.02, False),
    Goal("play, 1280x720", "Speed", "play_fps", 30.0),
    Goal("play, compared with ultralytics' predict and track", "Speed", "play_times", 3.0),
    Goal("idle table, 1920x1080", "Speed", "idle_fps", 100.0),
    Goal("resident memory of companion watch", "Speed", "resident_mb", 500.0, False),
)  # fmt: skip
"""The targets."""


def markdown(sections: Sequence[Section]) -> str:
    """The report's text: first the targets, as far as the sections measure them, then every section."""
    parts = ["# Figures", "", "Figures that fall short are reported as they are.", "", *_goals(sections)]
    for section in sections:
        rows = ((words(name), shown(name, value)) for name, value in section.figures.items())
        parts += [f"## {section.title}", "", section.about, "", *table(("figure", "value"), rows)]
        parts += ["", f"`{section.command}`", ""] if section.command else [""]
    return "\n".join(parts)


def _goals(sections: Sequence[Section]) -> list[str]:
    found = {(section.title, name): value for section in sections for name, value in section.figures.items()}
    measured = [goal for goal in GOALS if (goal.section, goal.figure) in found]
    if not measured:
        return []
    rows = []
    for goal in measured:
        value = found[goal.section, goal.figure]
        reached = value >= goal.wanted if goal.least else value <= goal.wanted
        wanted, reads = shown(goal.figure, goal.wanted), shown(goal.figure, value)
        if not reached and reads == wanted:  # rounding must not hide that the target is missed
            reads = f"just under {wanted}" if goal.least else f"just over {wanted}"
        sign = "≥" if goal.least else "≤"
        rows.append((goal.name, goal.section, f"{sign} {wanted}", reads, "✓" if reached else "short"))
    return ["## Targets", "", *table(("figure", "in", "target", "found", ""), rows), ""]


def words(name: str) -> str:
    """A figure's name in words."""
    if name in _NAMES:
        return _NAMES[name]
    share = re.fullmatch(r"(\w+?)_(\d+)_(\d+)shown", name)
    if share:
        return f"{share[1].replace('_', ' ')}, {share[2]} to {share[3]} % in view"
    band = re.fullmatch(r"(\w+?)_(\d+)_(\d+)px", name)
    if band:
        return f"{band[1].replace('_', ' ')}, {band[2]} to {band[3]} px long"
    head, _, kind = name.partition("_")
    if head in ("recall", "precision", "ap50"):
        return f"{'AP50' if head == 'ap50' else head}, {kind.replace('_', ' ')}"
    stem, _, unit = name.rpartition("_")
    return (stem if unit in _UNITS else name).replace("_", " ")


def shown(name: str, value: float) -> str:
    """A figure's value as the report shows it: a whole count, a number with its unit, or a share in per cent."""
    if math.isnan(value):
        return "none to measure"
    if name in _COUNTS:
        return f"{value:.0f}"
    unit = _UNITS.get(name.rpartition("_")[2])
    return f"{value:.{2 if unit == 's' else 1}f} {unit}" if unit else f"{value:.1%}"


def telling(sections: Sequence[Section]) -> list[Section]:
    """The sections without what there was nothing of: where a picture has no card, a precision of 0 says nothing."""
    found = []
    for section in sections:
        figures = section.figures
        if any(figures.get(name) == 0 for name in _MEASURED_ON):
            figures = {name: value for name, value in figures.items() if name in _OF_NOTHING}
        if figures == section.figures or figures.get("cardless"):
            found.append(msgspec.structs.replace(section, figures=figures))
    return found


def read_figures(report: Path) -> list[Section]:
    """The sections kept beside ``report`` (a .md file); none where there is no such file yet. Raises `BadReport`."""
    return kept_beside(report, list[Section], [])


def write_report(report: Path, sections: Sequence[Section], command: str) -> None:
    """Writes ``report`` with ``sections``, found by ``command``, in place of those with the same titles."""
    fresh = {section.title: msgspec.structs.replace(section, command=command) for section in telling(sections)}
    kept = [fresh.pop(section.title, section) for section in read_figures(report)]
    kept += fresh.values()
    finite = [
        msgspec.structs.replace(one, figures={name: value for name, value in one.figures.items() if math.isfinite(value)})
        for one in kept
    ]
    write_beside(report, finite, markdown(kept))
