"""The report on full tables: a row for each camera alone, and one for all together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workshop.full_tables.stu.filming import LETTERS, Shares
from workshop.full_tables.stu.recipe import FullBench, Part
from workshop.full_tables.stu.watching import EveningResult, Watched, right, sure, wrong_as_sure

OPEN = 0.6
"""Share of a place that must be in view for what lies there to be read."""


def figures(results: Sequence[EveningResult]) -> dict[str, Any]:
    """All counts, under the names of the cameras that looked: ``A``, ``B``, ``A and B``."""
    found: dict[str, Any] = {}
    for label in dict.fromkeys(one.label for result in results for one in result.watched):
        them = [one for result in results for one in result.watched if one.label == label]
        hands = [hand for one in them for hand in one.score.hands]
        length = sum(one.seconds for one in them)
        found[label] = {
            "hands": len(hands), "right": right(them), "sure": sure(them), "wrong_as_sure": wrong_as_sure(them),
            "exchanges": sum(hand.exchanges for hand in hands), "exchanges_found": sum(hand.exchanges_found for hand in hands),
            "exchanges_invented": sum(hand.exchanges_seen - hand.exchanges_found for hand in hands),
            "places_seen": _seen(results, them), "cpu_per_second": round(sum(one.cpu for one in them) / max(length, 1), 2),
            "memory": max(one.memory for one in them),
        }  # fmt: skip
        if asked := [one for one in them if one.questions is not None]:
            found[label] |= {"questions": sum(one.questions or 0 for one in asked),
                             "right_asked": sum(one.right_asked or 0 for one in asked)}  # fmt: skip
    return found


def _seen(results: Sequence[EveningResult], watched: Sequence[Watched]) -> float:
    """Share of places and seconds in which one of the cameras could see enough of the place."""
    shares = {result.recipe.name: result.shares for result in results}
    moments = [moment for one in watched for moment in _open([shares[one.name][view] for view in one.views])]
    return round(sum(moments) / max(len(moments), 1), 3)


def _open(views: Sequence[Shares]) -> list[bool]:
    return [
        max(shares) >= OPEN
        for rows in zip(*(view.places for view in views), strict=False)
        for shares in zip(*rows, strict=True)
    ]


def report(results: Sequence[EveningResult], bench: FullBench, part: Part, command: str) -> str:
    """The report's text, Markdown."""
    of = sum(clip.part == part for clip in bench.clips)
    written = f"Written by `{command}`: {len(results)} of the bench's {of} clips for {part}"
    said = (
        "Each camera alone, and all together, as `companion watch` follows them, with nobody asked. *Sure*: right, and shown as "
        f"sure. *Places seen*: share of places and seconds, counted where {OPEN:.0%} of the place are in view. *Processor*: "
        "seconds a second of the clip."
    )
    told_of = figures(results)
    simulated = any("questions" in told for told in told_of.values())
    if simulated:
        said = (
            "Each camera alone, and all together, as simulated eyes see the table from there: bodies hide what is behind them, "
            "and faces that are found are read right. *Sure*: right, and shown as sure, with nobody asked. *Places seen*: share "
            f"of places and seconds, counted where bodies leave {OPEN:.0%} of the place in view. *Questions*: asked, where each "
            "is answered truthfully; how many hands are right then."
        )
    last = ("questions: asked", "right then") if simulated else ("processor", "memory, MB")
    lines = [
        "# Full tables", "", f"{written}; {bench.about}.", "", said, "",
        f"| who looks | right | sure | wrong and sure | exchanges found | invented | places seen | {last[0]} | {last[1]} |",
        "|---|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for label, told in told_of.items():
        cost = (f"{told['cpu_per_second']:.2f}", f"{told['memory'] / 1e6:.0f}")
        cells = (
            label, f"{told['right']} of {told['hands']}", told["sure"], told["wrong_as_sure"],
            f"{told['exchanges_found']} of {told['exchanges']}", told["exchanges_invented"], f"{told['places_seen']:.0%}",
            *((told["questions"], told["right_asked"]) if simulated else cost),
        )  # fmt: skip
        lines.append(f"| {' | '.join(map(str, cells))} |")
    lines += ["", "| clip | players | shortest card, px | right: each view alone, all together | what was wrong |",
              "|---|---|---|---|---|"]
    for result in results:
        cards = ", ".join(f"{LETTERS[n]} {one.card:.0f}" for n, one in enumerate(result.shares))
        hands = len(result.watched[0].score.hands)
        counts = ", ".join(f"{one.label} {right([one])}" for one in result.watched) + f" of {hands}"
        wrong = "; ".join(f"{one.label}, hand {hand.number}: {hand.differences[0]}" for one in result.watched
                          for hand in one.score.hands if hand.differences)  # fmt: skip
        lines.append(f"| {result.recipe.name} | {result.recipe.players} | {cards} | {counts} | {wrong or '–'} |")
    return "\n".join(lines)
