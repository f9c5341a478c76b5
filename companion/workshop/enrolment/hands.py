"""Hands ruled with an enrolled deck: easy clips of the bench in a held-out style, followed with the shipped decks and with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from companion.decks.deckfile import DeckFile
from companion.eyes.enrol.cohort import Cohort
from companion.eyes.look import Eyes
from companion.line.tablefile import read_table_file
from companion.workshop.bench import watching
from companion.workshop.bench.filming import film_clip
from companion.workshop.bench.recipe import Bench
from companion.workshop.bench.run import ruled
from companion.workshop.enrolment.measure import Say, enrolled
from companion.workshop.enrolment.prints import FIRST, drawn_stu
from companion.workshop.stage.cards import Textures

STYLE = FIRST
"""The style of the deck in the clips."""


class HandsResult(msgspec.Struct):
    """One clip: how many ``hands`` it has, and of how many the payments are exactly right with the ``shipped`` decks, and with
    the ``enrolled`` one beside them."""

    name: str
    hands: int
    shipped: int
    enrolled: int


def measure_hands(
    bench: Bench, count: int, cache: Path, models: Path, say: Say = lambda what, share: None
) -> Iterator[HandsResult]:
    """The first ``count`` easy clips, played with the drawn deck in `STYLE` in place of their own."""
    prints = drawn_stu(STYLE)
    eyes = Eyes.load(models, threads=2)
    deck = enrolled(prints, Textures(prints.photos), eyes, Cohort.load(models / "cohort.npz"), 1, say).deck
    for recipe in bench.chosen("easy", count):
        styled = msgspec.structs.replace(recipe, style=STYLE)
        filmed = film_clip(styled, cache, None, lambda done, of: say(f"{recipe.name}: filming", done / of))
        right = []
        for decks in ((), ((prints.name, deck),)):
            right.append(_right(watched(filmed, models, decks, say)))
        yield HandsResult(recipe.name, right[0][0], right[0][1], right[1][1])
