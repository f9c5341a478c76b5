"""A quick evaluation that needs nothing but the repository, and whether its figures fall below those of the report.

It uses the first pictures of the holdouts `easy` and `hard`, made on the fly with drawn decks alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from companion.assets import asset
from companion.eyes.look import Eyes
from workshop.dataset.make import make
from workshop.dataset.recipe import read_recipe
from workshop.evaluation.pictures import sections
from workshop.evaluation.report import Section, shown, words

SETS = ("easy", "hard")
PICTURES = 40
NOISE = 2.5
"""Standard errors of a share by which a figure may lie below the report's."""
WATCHED = ("recall", "precision", "named_right")
"""The figures that must not fall: shares of counted cards, whose standard error is known."""
SLACK = 0.005
"""How much another processor's arithmetic may change a share."""


def measure(eyes: Eyes) -> list[Section]:
    """The figures of the quick evaluation: always the same pictures."""
    found: list[Section] = []
    with TemporaryDirectory() as folder:
        for name in SETS:
            recipe = msgspec.structs.replace(read_recipe(asset("datasets") / f"{name}.yaml"), count=PICTURES)
            place = Path(folder) / name
            make(recipe, place)
            made, _ = sections(eyes, place)
            found += [msgspec.structs.replace(one, title=f"Quick: {one.title[0].lower()}{one.title[1:]}") for one in made]
    return found


def fallen(found: Sequence[Section], recorded: Sequence[Section]) -> Iterator[str]:
    """A line for each watched figure that lies below the recorded one by more than noise, or was never recorded."""
    known = {section.title: section.figures for section in recorded}
    for section in found:
        for name in WATCHED:
            if name not in section.figures:
                continue
            before = known.get(section.title, {}).get(name)
            if before is None:
                yield f"{section.title}: {words(name)}: the report has no such figure: run companion evaluate quick --report"
                continue
            count = section.figures.get("cards", section.figures.get("faces", 1.0))
            noise = NOISE * math.sqrt(max(before * (1 - before), 0.01) / max(count, 1.0)) + SLACK
            if not section.figures[name] >= before - noise:
                now, then = shown(name, section.figures[name]), shown(name, before)
                yield f"{section.title}: {words(name)} fell from {then} to {now}, noise is {noise:.1%}"
