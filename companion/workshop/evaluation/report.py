"""models/REPORT.md: the figures of the models, as `companion evaluate pictures` found them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

_SAID = {
    "pictures": "pictures",
    "cards": "cards asked for (half or more shows)",
    "ap50": "AP50, mean of the classes (exact polygons)",
    "recall": "recall at the shipped threshold",
    "precision": "precision at the shipped threshold",
    "corner_error": "mean corner error, share of the card's length",
    "corner_error_40px": "the same, cards of 40 px and more",
    "rectangle_error_40px": "the least that rotated rectangles (OBB) could err there",
    "ece_card": "calibration error of the score (ECE)",
    "faces": "Stù faces found of which nine tenths show",
    "named_right": "named right",
    "not_recognised": "own cards taken for strangers",
    "ece_face": "calibration error of the name (ECE)",
    "crops": "crops",
    "named_all_the_same": "named as a Stù card all the same",
}
_COUNTS = ("pictures", "cards", "faces", "crops")


@dataclass(frozen=True, slots=True)
class Section:
    """One table of the report: ``title``, ``about`` in a sentence, ``figures`` by their short names (shares 0..1, counts)."""

    title: str
    about: str
    figures: Mapping[str, float] = field(default_factory=dict)


def markdown(sections: list[Section], command: str) -> str:
    """The report's text; ``command`` repeats it."""
    parts = ["# What the models see", "", f"Written by `{command}`. Figures that fall short are reported as they are.", ""]
    for section in sections:
        parts += [f"## {section.title}", "", section.about, "", "| figure | value |", "|---|---|"]
        parts += [f"| {said(name)} | {shown(name, value)} |" for name, value in section.figures.items()]
        parts.append("")
    return "\n".join(parts)


def said(name: str) -> str:
    """A figure's name in words."""
    if name in _SAID:
        return _SAID[name]
    if name.startswith("named_right_"):
        low, high = name.removeprefix("named_right_").removesuffix("px").split("_")
        return f"named right, {low} to {high} px long"
    head, _, kind = name.partition("_")
    return f"{'AP50' if head == 'ap50' else head}, {kind.replace('_', ' ')}"


def shown(name: str, value: float) -> str:
    """A figure's value as the report shows it: counts whole, shares in per cent."""
    if math.isnan(value):
        return "none to measure"
    return f"{value:.0f}" if name in _COUNTS else f"{value:.1%}"


def write_report(path: Path, sections: list[Section], command: str) -> None:
    """Writes the report to ``path``, in the place of the last one."""
    path.write_text(markdown(sections, command) + "\n", encoding="utf-8")
