"""models/ENROL.md: how well enrolled decks are read, with what was asked for beside what was found.

The counts are kept in a JSON file beside the report: each run replaces the decks that it measured, and the report is written anew
from all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from companion.files import write_whole
from companion.workshop.bench.figures import Rate
from companion.workshop.enrolment.hands import HandsResult
from companion.workshop.enrolment.measure import DeckResult, Run
from companion.workshop.enrolment.tally import BANDS, READABLE, Tally, together
from companion.workshop.evaluation.report import BadReport

WANTED = {1: 0.97, 2: 0.99}
"""Photos a card → share of faces that are to be named right."""
STRANGERS = 0.01
SECONDS = {20: 20.0, 40: 40.0}
"""Cards → seconds in which they are to be enrolled from one photo each."""
HANDS = 0.02
"""How much lesser the share of right hands may be than with the shipped decks."""
READERS = {"companion": "companion", "beside": "companion, beside the shipped deck of the same cards", "orb": "ORB + RANSAC"}


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
    kept = path.with_suffix(".json")
    try:
        old = msgspec.json.decode(kept.read_bytes(), type=Report)
    except FileNotFoundError:
        old = Report()
    except (OSError, msgspec.DecodeError) as error:
        raise BadReport(f"{kept}: not the counts of this report: {error}: remove the file or restore it") from error
    whole = merged(old, new)
    write_whole(kept, msgspec.json.format(msgspec.json.encode(whole), indent=1) + b"\n")
    write_whole(path, markdown(whole).encode())


def markdown(report: Report) -> str:
    """The report's text."""
    parts = ["# Enrolled decks", "", *_about(report)]
    if report.decks:
        parts += ["## What was asked for", "", *_targets(report), "", "## All decks", "", *_table(_everywhere(report.decks)), ""]
    if report.hands:
        parts += ["## Hands", "", *_hands(report.hands), ""]
    for deck in report.decks:
        seen = "The reader's training saw this deck." if deck.seen else "Nothing was trained on it."
        parts += [f"## {deck.name}", "", f"{deck.faces} faces and a back; {deck.about}. {seen} {deck.pictures} pictures.", ""]
        parts += [*_table([("companion, without the deck", deck.before, None), *_ways(deck)]), ""]
    return "\n".join(parts)


def _about(report: Report) -> list[str]:
    return [
        f"Written by `{report.command}`. Figures that fall short are reported as they are; in brackets the 95 % interval (Wilson).",
        "",
        "Each deck is enrolled as `companion enrol` does it, from rendered photos: one card on a table top, as a phone held by hand "
        "sees it. A photo that is refused is taken again. The deck is then looked at in play: whole tables as in a game, drawn with "
        "another print, ink or copy of it, strangers' cards among its own. A shipped deck of which it is a print is taken away "
        "meanwhile; *beside the shipped deck* is the same with that left where it is.",
        "",
        "*ORB + RANSAC* is what one might otherwise take: OpenCV's ORB features of the same photos, with the true corners of their "
        "cards, matched with those of the quads that the detector found, and a homography for each card. It was tuned on other "
        "pictures. It has no calibrated score, and looks at the first pictures of each deck only, as it takes its time.",
        "",
        "*Sisters* are pip cards of drawn decks of other families: the same signs in the same places in another drawing. They are "
        "counted apart from the strangers.",
        "",
    ]


def _targets(report: Report) -> list[str]:
    rows = ["| figure | asked for | found | |", "|---|---|---|---|"]
    for photos, wanted in WANTED.items():
        tally = together(run.tally for deck in report.decks for run in deck.runs if (run.who, run.photos) == ("companion", photos))
        named, strange = tally.asked.rate, tally.strangers.rate
        many = f"{photos} photo{'s' if photos > 1 else ''} a card"
        rows += [_target(f"faces of 60 px and more named right, {many}", f"≥ {wanted:.0%}", named, named.share >= wanted),
                 _target(f"strangers named as the deck's, {many}", f"< {STRANGERS:.0%}", strange, strange.share < STRANGERS)]
    for cards, least in SECONDS.items():
        runs = [run for deck in report.decks if deck.faces == cards for run in deck.runs
                if (run.who, run.photos) == ("companion", 1)]  # fmt: skip
        if runs:
            worst = max(run.seconds for run in runs)
            rows.append(f"| {cards} cards enrolled from a photo each, wall clock | < {least:.0f} s | {worst:.1f} s "
                        f"({max(run.cpu for run in runs):.1f} s of processor time) | {_sign(worst < least)} |")  # fmt: skip
    before = together(deck.before for deck in report.decks).found.rate
    after = together(run.tally for deck in report.decks for run in deck.runs if run.who == "companion" and run.photos == 1)
    rows.append(f"| cards found, with the deck as without | {_percent(before)} | {_percent(after.found.rate)} | "
                f"{_sign(after.found.rate.share >= before.share - 0.005)} |")  # fmt: skip
    if report.hands:
        shipped, own = (sum(getattr(clip, which) for clip in report.hands) / max(sum(clip.hands for clip in report.hands), 1)
                        for which in ("shipped", "enrolled"))  # fmt: skip
        rows.append(f"| hands exactly right, less than with the shipped decks | within {100 * HANDS:.0f} points | "
                    f"{100 * (own - shipped):+.1f} points | {_sign(own >= shipped - HANDS)} |")  # fmt: skip
    return rows


def _target(name: str, wanted: str, found: Rate, reached: bool) -> str:
    return f"| {name} | {wanted} | {_percent(found)} | {_sign(reached) if found.of else ''} |"


def _sign(reached: bool) -> str:
    return "✓" if reached else "short"


Column = tuple[str, Tally, Run | None]


def _ways(deck: DeckResult) -> list[Column]:
    return [(_heading(run), run.tally, run) for run in deck.runs]


def _heading(run: Run) -> str:
    return f"{READERS[run.who]}, {run.photos} photo{'s' if run.photos > 1 else ''}"


def _everywhere(decks: Sequence[DeckResult]) -> list[Column]:
    """The decks' counts together, by the way of reading."""
    ways = {(run.who, run.photos): _heading(run) for deck in decks for run in deck.runs}
    found: list[Column] = [("companion, without the deck", together(deck.before for deck in decks), None)]
    for way, heading in ways.items():
        found.append((heading, together(run.tally for deck in decks for run in deck.runs if (run.who, run.photos) == way), None))
    return found


def _table(columns: Sequence[Column]) -> list[str]:
    rows = [f"| figure | {' | '.join(heading for heading, _, _ in columns)} |", f"|---|{'---|' * len(columns)}"]

    def row(name: str, cell: Callable[[Tally, Run | None], str]) -> None:
        cells = [cell(tally, run) for _, tally, run in columns]
        if any(cells):
            rows.append(f"| {name} | {' | '.join(cells)} |")

    read = [n for n, (heading, _, _) in enumerate(columns) if "without the deck" not in heading]

    def rated(name: str, of: Callable[[Tally], Rate], everywhere: bool = False) -> None:
        cells = [_percent(of(tally)) if everywhere or n in read else "" for n, (_, tally, _) in enumerate(columns)]
        rows.append(f"| {name} | {' | '.join(cells)} |")

    rated("faces of 60 px and more named right", lambda tally: tally.asked.rate)
    for number, (low, high) in enumerate(BANDS):
        rated(f"the same, {low} to {high} px" if high < 1000 else f"the same, {low} px and more",
              lambda tally, number=number: tally.bands[number].rate)  # type: ignore[misc]
    rated(f"strangers of {READABLE} px and more named as the deck's", lambda tally: tally.strangers.rate)
    rated("sisters named as the deck's", lambda tally: tally.sisters.rate)
    rated("backs told as the deck's", lambda tally: tally.backs.rate)
    rated("other decks' backs told as the deck's", lambda tally: tally.foreign_backs.rate)
    rated("cards found, of any deck", lambda tally: tally.found.rate, True)
    rated("entries that lie on a card", lambda tally: tally.on_cards.rate, True)
    calibrated = [n for n, (heading, _, _) in enumerate(columns) if n in read and "ORB" not in heading]
    cells = [_percent(tally.sure.rate) if n in calibrated else "" for n, (_, tally, _) in enumerate(columns)]
    rows.append(f"| named with a score of 0.9 or more: right | {' | '.join(cells)} |")
    cells = [_share(tally.calibration) if n in calibrated else "" for n, (_, tally, _) in enumerate(columns)]
    rows.append(f"| calibration error of that score (ECE) | {' | '.join(cells)} |")
    row("photos taken / refused and taken again", lambda _, run: f"{run.taken} / {run.refused}" if run else "")
    row("seconds to enrol, wall clock / processor", lambda _, run: f"{run.seconds:.1f} / {run.cpu:.1f}" if run else "")
    row("ms to read a card that was found", lambda _, run: f"{run.ms:.1f}" if run else "")
    return rows


def _hands(clips: Sequence[HandsResult]) -> list[str]:
    rows = [
        "Easy clips of the bench, played with a drawn Stù deck in a held-out style, once followed with the shipped decks and once "
        "with that deck, enrolled from one photo a card of another inking, beside them. Hands whose payments are exactly right:",
        "", "| clip | hands | shipped decks | with the enrolled deck |", "|---|---|---|---|",
    ]  # fmt: skip
    rows += [f"| {clip.name} | {clip.hands} | {clip.shipped} | {clip.enrolled} |" for clip in clips]
    sums = [sum(getattr(clip, name) for clip in clips) for name in ("hands", "shipped", "enrolled")]
    return [*rows, f"| all | {' | '.join(map(str, sums))} |"]


def _percent(found: Rate) -> str:
    if not found.of:
        return "none to measure"
    return f"{found.share:.1%} ({found.hits} of {found.of}) [{100 * found.low:.1f}, {100 * found.high:.1f}]"


def _share(value: float) -> str:
    return "none to measure" if math.isnan(value) else f"{value:.1%}"
