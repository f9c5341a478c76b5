"""models/HOLES.md: how hands were ruled that were not wholly seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.table.sure import SURE_FROM
from workshop.bench.figures import rate
from workshop.bench.report import shown
from workshop.bench.stu.holes import CAUSES, LENGTHS, HoledScore
from workshop.bench.stu.scoring import HandScore


def markdown(scores: Sequence[HoledScore], command: str) -> str:
    """The report's text; ``command``: what makes it again."""
    clips = len({one.clip for one in scores})
    lines = [
        "# What was not seen is not sure", "",
        f"Written by `{command}`: {clips} clips of the frozen bench, each with {len(scores) // max(clips, 1)} holes, one at a",
        "time, at random moments: pictures *cut* out, the last one repeated (*frozen*), no light (*dark*), the program *killed*",
        "and started again. The 95 % interval (Wilson) is in brackets.", "",
        "| hole | hands touched by it | right, nobody asked | right, questions answered | wrong and sure | questions |",
        "|---|---|---|---|---|---|",
    ]  # fmt: skip
    for seconds in LENGTHS:
        of_length = [one for one in scores if one.hole.seconds == seconds]
        lines += [_row(f"{cause}, {seconds:.0f} s", [one for one in of_length if one.hole.cause == cause]) for cause in CAUSES]
        lines.append(_row(f"all of {seconds:.0f} s", of_length))
    lines.append(_row("**all**", scores))
    alone, answered = ([hand for one in scores for hand in one.score.hands], [hand for one in scores for hand in one.asked.hands])
    lines += [
        "", f"Of all {len(alone)} hands of these clips, touched or not, {_right(alone)} are right with nobody asked,",
        f"{_right(answered)} with questions answered. Wrong and sure is counted over all hands, before and after the answers.",
    ]  # fmt: skip
    failed = [
        f"- `{one.clip}`, {one.hole.cause} from {one.hole.t:.1f} s for {one.hole.seconds:.0f} s: hand {hand.number}"
        f"{', wrong and sure' if hand.wrong_as_sure else ''}: {'; '.join(hand.differences)}"
        for one in scores for hand in one.asked.hands if not hand.right
    ]  # fmt: skip
    return "\n".join([*lines, "", "## Wrong with questions answered", "", *failed] if failed else lines)


def _row(name: str, group: Sequence[HoledScore]) -> str:
    alone = [hand for one in group for hand in one.score.hands if hand.number in one.touched]
    asked = [hand for one in group for hand in one.asked.hands if hand.number in one.touched]
    wrong, questions = sum(map(wrong_and_sure, group)), sum(one.questions for one in group)
    return f"| {name} | {len(alone)} | {_right(alone)} | {_right(asked)} | {wrong} | {questions} |"


def _right(hands: Iterable[HandScore]) -> str:
    right = [hand.right for hand in hands]
    return shown(rate(sum(right), len(right)))


def wrong_and_sure(one: HoledScore) -> int:
    """How many rulings were wrong, or made up, and shown as sure: with nobody asked, or all questions answered."""
    wrong = {hand.number for score in (one.score, one.asked) for hand in score.hands if hand.wrong_as_sure}
    made_up = max(sum(confidence >= SURE_FROM for confidence in score.invented) for score in (one.score, one.asked))
    return len(wrong) + made_up
