"""The report's sections on labelled pictures: on all together, and separately on those with scanned and with drawn decks."""

from __future__ import annotations

from pathlib import Path

from companion.eyes.look import Eyes
from workshop.evaluation.detection import InputSize, Tally, figures, shipped_threshold, tally
from workshop.evaluation.labels import read_labels
from workshop.evaluation.report import Section
from workshop.evaluation.sight import Names, naming, read_names

HOW = {"game": "an input of the size that suits its cards, as in a game", "still": "several input sizes"}


def sections(
    eyes: Eyes, folder: Path, limit: int | None = None, size: InputSize = "game"
) -> tuple[list[Section], Tally]:
    """Figures on the first ``limit`` pictures of ``folder``, and everything that was found in them.

    Raises:
        workshop.evaluation.labels.BadLabels: the folder holds no labelled pictures.
    """
    pictures = read_labels(folder)[:limit]
    parts = {
        ", the real deck's scans": [one for one in pictures if one.scanned],
        ", drawn styles": [one for one in pictures if not one.scanned],
    }
    measured: dict[str, tuple[Tally, Names]] = {"": (Tally(), Names())}
    for part, chosen in parts.items():
        measured[part] = tally(eyes.detector, chosen, size), read_names(eyes, chosen, size)
        measured[""][0].extend(measured[part][0])
        measured[""][1].extend(measured[part][1])
    how = HOW[size] if isinstance(size, str) else f"an input {size} px wide"
    found: list[Section] = []
    for part, (counts, names) in measured.items():
        if part and not all(parts.values()):
            continue  # all pictures are of one kind: the section on all of them says it already
        threshold = shipped_threshold(eyes.detector, size)
        shipped = figures(counts, threshold)
        found.append(Section(f"Cards found in `{folder.name}`{part}", f"Detector and refiner, {how}.", shipped))
        shares = counts.by_share.figures(threshold)
        title = f"Cards found in `{folder.name}`{part}, by the share in view"
        found.append(Section(title, f"Detector and refiner, {how}.", shares))
        found.append(Section(f"Faces named in `{folder.name}`{part}", f"With the reader, {how}.", naming(names)))
    return found, measured[""][0]
