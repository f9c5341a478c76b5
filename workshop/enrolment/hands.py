"""Hands ruled with an enrolled deck: easy clips of the bench in a held-out style, followed with the shipped decks and with it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from companion.eyes.enrol.deck import Cohort
from companion.eyes.look import Eyes
from companion.line.tablefile import read_table_file
from workshop.bench import watching
from workshop.bench.filming import Filmed, film_clip
from workshop.bench.recipe import Bench
from workshop.enrolment.measure import Album, Say, enrolled
from workshop.enrolment.prints import FIRST, drawn
from workshop.games import workshop_of

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
    prints = drawn("stu", STYLE)
    eyes = Eyes.load(models, threads=2)
    with tempfile.TemporaryDirectory() as scratch:
        deck = enrolled(Album(prints, Path(scratch)), eyes, Cohort.load(models / "cohort.npz"), 1, say).deck
    for recipe in bench.chosen("easy", count):
        styled = msgspec.structs.replace(recipe, style=STYLE)
        filmed = film_clip(styled, cache, None, _saying(say, f"{recipe.name}: filming"))
        hands, shipped = _right(filmed, models, (), say)
        yield HandsResult(recipe.name, hands, shipped, _right(filmed, models, ((prints.name, deck),), say)[1])


def _right(filmed: Filmed, models: Path, decks: watching.Decks, say: Say) -> tuple[int, int]:
    """How many hands the clip has, and of how many the payments are exactly right."""
    truth = filmed.log()
    whole, what = max(line.t or 0.0 for line in truth), f"{filmed.recipe.name}: watching{' with the deck' if decks else ''}"
    stream = watching.watch_clip(filmed, models, lambda t: say(what, min(t / whole, 1.0)), decks)
    game = workshop_of(filmed.recipe.game)
    score = game.ruled(filmed.recipe, truth, read_table_file(filmed.table).first, stream).score
    return len(score.hands), sum(hand.right for hand in score.hands)


def _saying(say: Say, what: str) -> Callable[[int, int], None]:
    def said(done: int, of: int) -> None:
        say(what, done / of)

    return said
