"""models/ENROL.md: how well enrolled decks are read, with what was asked for beside what was found.

The counts are kept in a JSON file beside the report: each run replaces the decks that it measured, and the report is then written
from all of them.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from companion.eyes.enrol.deck import Cohort
from companion.eyes.look import Eyes
from companion.line.tablefile import read_table_file
from workshop.bench import watching
from workshop.bench.filming import Filmed, film_clip
from workshop.bench.recipe import Bench
from workshop.bench.report import Rate
from workshop.enrolment.measure import Album, DeckResult, Run, Say, enrolled
from workshop.enrolment.prints import FIRST, drawn
from workshop.enrolment.tally import ASKED, BANDS, READABLE, SURE, Count, Tally, together
from workshop.games import workshop_of
from workshop.report import kept_beside, table, write_beside

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
    def show(done: int, of: int) -> None:
        say(what, done / of)

    return show

WANTED = {1: 0.97, 2: 0.99}
"""Photos a card → share of faces that are to be named right."""
STRANGERS = 0.01
SECONDS = {20: 20.0, 40: 40.0}
"""Cards → seconds in which they are to be enrolled from one photo each."""
HANDS = 0.02
"""How much lesser the share of right hands may be than with the shipped decks."""
NEAR = 0.005
"""How much less of the cards may be found with a deck than without it."""
MOST_WRONG = 8
READERS = {"companion": "companion", "beside": "companion, beside the shipped deck", "orb": "ORB + RANSAC"}


class Report(msgspec.Struct):
    """All that is kept: the ``decks``, the ``hands`` of clips, and the ``command`` that measured last."""

    decks: list[DeckResult] = []
    hands: list[HandsResult] = []
    command: str = ""


def merged(old: Report, new: Report) -> Report:
    """``old`` with what is ``new`` in place of what has the same name."""
    decks = {deck.name: deck for deck in (*old.decks, *new.decks)}
    hands = {clip.name: clip for clip in (*old.hands, *new.hands)}
    return Report(list(decks.values()), list(hands.values()), new.command)


def write_report(path: Path, new: Report) -> None:
    """Writes the report ``path`` and its counts beside it. Raises `BadReport` where those that are there cannot be read."""
    whole = merged(kept_beside(path, Report, Report(), "counts of this report"), new)
    write_beside(path, whole, markdown(whole))


def markdown(report: Report) -> str:
    """The report's text."""
    parts = ["# Enrolled decks", "", f"Written by `{report.command}`.", _ABOUT]
    if report.decks or report.hands:
        parts += ["## What was asked for", "", *_targets(report), ""]
    if len(report.decks) > 1:
        parts += ["## All decks", "", *_table(_of_all(report.decks)), ""]
    if report.hands:
        parts += ["## Hands", "", *_hands(report.hands), ""]
    for deck in report.decks:
        about = f"{deck.faces} faces and a back; {deck.about}. {_SEEN[deck.seen]} {deck.pictures} pictures."
        parts += [f"## {deck.name}", "", about, ""]
        parts += [*_table(_of_deck(deck)), "", *_wrong(deck)]
    return "\n".join(parts)


def _wrong(deck: DeckResult) -> Iterator[str]:
    """What was said wrong most often with the deck enrolled, a paragraph for each number of photos."""
    for run in deck.runs:
        worst = sorted(run.tally.wrong.items(), key=lambda entry: (-entry[1], entry[0]))[:MOST_WRONG]
        if run.who == "companion" and worst:
            told = ", ".join(f"{what} ({often})" for what, often in worst)
            yield from (f"With {run.photos} photo{'s' if run.photos > 1 else ''}, what lay there and what was said: {told}.", "")


_SEEN = {True: "The reader's training saw this deck.", False: "Nothing was trained on it."}
_ABOUT = """\
Figures that fall short are reported as they are; in brackets the 95 % interval (Wilson).

Each deck is enrolled as `companion enrol` does it, from rendered photos: one card on a table top, as a hand-held phone sees it.
A photo that is refused is taken again. The deck is then looked at in play: whole tables as in a game, drawn with another print,
ink or copy of it, strangers' cards among its own. Where it is a print of a shipped deck, that one is taken away meanwhile;
*beside the shipped deck* is the same with that left where it is.

*ORB + RANSAC* is what one might otherwise take: OpenCV's ORB features of the same photos, with the true corners of their cards,
matched with those of the quads that the detector found, and a homography for each card. It was tuned on other pictures. It has no
calibrated score, and looks at the first pictures of each deck only, as it takes its time.

*Sisters* are pip cards of drawn decks of other families: the same signs in the same places in another drawing. They are counted
apart from the strangers.
"""


def _targets(report: Report) -> list[str]:
    rows: list[tuple[str, str, str, str]] = []
    for photos, wanted in WANTED.items():
        tally = together(run.tally for run in _runs(report.decks, photos))
        named, strange = tally.asked.rate, tally.strangers.rate
        many = f"{photos} photo{'s' if photos > 1 else ''} a card"
        if named.of:
            rows += [
                _target(f"faces of {ASKED} px and more named right, {many}", f"≥ {wanted:.0%}", named, named.share >= wanted),
                _target(f"strangers named as the deck's, {many}", f"< {STRANGERS:.0%}", strange, strange.share < STRANGERS),
            ]
    for cards, most in SECONDS.items():
        if runs := _runs([deck for deck in report.decks if deck.faces == cards], 1):
            wall, cpu = max(run.seconds for run in runs), max(run.cpu for run in runs)
            found = f"{wall:.1f} s at most ({cpu:.1f} s of processor time)"
            name = f"{cards} cards enrolled from a photo each, wall clock"
            rows.append((name, f"< {most:.0f} s", found, _sign(wall < most)))
    if runs := _runs(report.decks, 1):
        before = together(deck.before for deck in report.decks).found.rate
        after = together(run.tally for run in runs).found.rate
        found, near = f"{_percent(after)}, and {_percent(before)}", _sign(after.share >= before.share - NEAR)
        rows.append(("cards found with the deck, and without", "as without", found, near))
    if report.hands:
        hands, shipped, own = _sums(report.hands)
        fewer = (shipped - own) / max(hands, 1)
        name = "hands exactly right, fewer than with the shipped decks"
        rows.append((name, f"≤ {HANDS:.0%}", f"{fewer:.1%}", _sign(fewer <= HANDS)))
    return table(("figure", "asked for", "found", ""), rows)


def _runs(decks: Sequence[DeckResult], photos: int) -> list[Run]:
    return [run for deck in decks for run in deck.runs if (run.who, run.photos) == ("companion", photos)]


def _sums(clips: Sequence[HandsResult]) -> tuple[int, int, int]:
    return sum(clip.hands for clip in clips), sum(clip.shipped for clip in clips), sum(clip.enrolled for clip in clips)


def _target(name: str, wanted: str, found: Rate, reached: bool) -> tuple[str, str, str, str]:
    return name, wanted, _percent(found), _sign(reached) if found.of else ""


def _sign(reached: bool) -> str:
    return "✓" if reached else "short"


class _Column(NamedTuple):
    """``who``: as of `Run`, empty for the eyes without the deck; ``run``: where it is one deck's."""

    heading: str
    tally: Tally
    who: str = ""
    run: Run | None = None


def _of_deck(deck: DeckResult) -> list[_Column]:
    return [_without(deck.before), *(_Column(_heading(run), run.tally, run.who, run) for run in deck.runs)]


def _of_all(decks: Sequence[DeckResult]) -> list[_Column]:
    """The decks' counts together, by the way of reading."""
    runs = [run for deck in decks for run in deck.runs]
    ways = {(run.who, run.photos): _heading(run) for run in runs}
    return [_without(together(deck.before for deck in decks))] + [
        _Column(heading, together(run.tally for run in runs if (run.who, run.photos) == way), way[0])
        for way, heading in ways.items()
    ]


def _without(before: Tally) -> _Column:
    return _Column("companion, without the deck", before)


def _heading(run: Run) -> str:
    return f"{READERS[run.who]}, {run.photos} photo{'s' if run.photos > 1 else ''}"


def _table(columns: Sequence[_Column]) -> list[str]:
    rows = [(name, *(cell(column) for column in columns)) for name, cell in _figures()]
    return table(("figure", *(column.heading for column in columns)), [row for row in rows if any(row[1:])])


def _figures() -> Iterator[tuple[str, Callable[[_Column], str]]]:
    """The rows of a table: a figure's name, and what a column says of it, which may be nothing."""

    def read(of: Callable[[Tally], Count]) -> Callable[[_Column], str]:
        return lambda column: _percent(of(column.tally).rate) if column.who else ""

    def scored(of: Callable[[Tally], str]) -> Callable[[_Column], str]:
        return lambda column: of(column.tally) if column.who not in ("", "orb") else ""

    def timed(of: Callable[[Run], str]) -> Callable[[_Column], str]:
        return lambda column: of(column.run) if column.run else ""

    yield f"faces of {ASKED} px and more named right", read(lambda tally: tally.asked)
    for number, (low, high) in enumerate(BANDS):
        words = f"{low} px and more" if number == len(BANDS) - 1 else f"{low} to {high} px"
        yield f"the same, {words}", read(lambda tally, number=number: tally.bands[number])  # type: ignore[misc]
    yield f"strangers of {READABLE} px and more named as the deck's", read(lambda tally: tally.strangers)
    yield "sisters named as the deck's", read(lambda tally: tally.sisters)
    yield "backs told as the deck's", read(lambda tally: tally.backs)
    yield "other decks' backs told as the deck's", read(lambda tally: tally.foreign_backs)
    yield "cards found, of any deck", lambda column: _percent(column.tally.found.rate)
    yield "entries that lie on a card", lambda column: _percent(column.tally.on_cards.rate)
    yield f"named with a score of {SURE:g} or more: right", scored(lambda tally: _percent(tally.sure.rate))
    yield "calibration error of that score (ECE)", scored(lambda tally: _share(tally.calibration))
    yield "photos taken / refused and taken again", timed(lambda run: f"{run.taken} / {run.refused}")
    yield "seconds to enrol, wall clock / processor", timed(lambda run: f"{run.seconds:.1f} / {run.cpu:.1f}")
    yield "ms to read a card that was found", timed(lambda run: f"{run.ms:.1f}")


_HANDS = """\
Easy clips of the bench, played with a drawn Stù deck in a held-out style, once followed with the shipped decks and once with that
deck, enrolled from one photo a card of another inking, beside them. Hands whose payments are exactly right:
"""


def _hands(clips: Sequence[HandsResult]) -> list[str]:
    rows = [*((clip.name, clip.hands, clip.shipped, clip.enrolled) for clip in clips), ("all", *_sums(clips))]
    return [_HANDS, *table(("clip", "hands", "shipped decks", "with the enrolled deck"), rows)]


def _percent(found: Rate) -> str:
    if not found.of:
        return "none to measure"
    return f"{found.share:.1%} ({found.hits} of {found.of}) [{100 * found.low:.1f}, {100 * found.high:.1f}]"


def _share(value: float) -> str:
    return "none to measure" if math.isnan(value) else f"{value:.1%}"
