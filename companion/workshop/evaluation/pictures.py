"""The sections of the report on labelled pictures: all together, and those with scans and with drawn decks apart."""

from __future__ import annotations

from pathlib import Path

from companion.eyes.look import Eyes
from companion.workshop.evaluation.detection import Tally, figures, tally
from companion.workshop.evaluation.labels import read_labels
from companion.workshop.evaluation.report import Section
from companion.workshop.evaluation.sight import naming


def sections(eyes: Eyes, folder: Path, limit: int | None, width: int | None) -> tuple[list[Section], Tally]:
    """Figures on the pictures of ``folder``, and everything that was found. ``width``: of the input, None for stills.

    Raises:
        companion.workshop.evaluation.labels.BadLabels: the folder holds no labelled pictures.
    """
    pictures = read_labels(folder)[:limit]
    parts = {"": pictures, ", the real deck's scans": [one for one in pictures if one.scanned]}
    parts[", drawn styles"] = [one for one in pictures if not one.scanned]
    if not parts[", the real deck's scans"]:
        parts = {"": pictures}
    how = "several input sizes" if width is None else f"an input {width} px wide"
    found: list[Section] = []
    everything = Tally()
    for part, chosen in parts.items():
        counts = tally(eyes.detector, chosen, width)
        everything = everything if part else counts
        shipped = figures(counts, eyes.detector.calibration.threshold)
        found.append(Section(f"Cards found in `{folder.name}`{part}", f"Detector and refiner, {how}.", shipped))
        found.append(Section(f"Faces named in `{folder.name}`{part}", f"With the reader, {how}.", naming(eyes, chosen, width)))
    return found, everything
