"""The bench's clips once more, with a hole in each: nothing could be seen for a while, whatever the cause; and models/HOLES.md,
how
hands were ruled that were not wholly seen.

Round the hole the pictures are real and go through the shipped guard; which cards are in them is taken from what the eyes found
in the whole clip, as looking for them again would cost hours and find the same ones.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final, Literal, get_args

import msgspec
import numpy as np

from companion.eyes.image import Image
from companion.eyes.seeing import see
from companion.eyes.sighting import CardSeen, Sighting
from companion.eyes.source import Picture, pictures
from companion.eyes.table import Table, with_corners
from companion.eyes.trouble import FrameQuality
from companion.files import write_whole
from companion.games import GAMES
from companion.games.stu.rules.log import Game
from companion.games.stu.sight import Watcher
from companion.line.defaults import LOOKS_PER_SECOND
from companion.line.follow import stopped
from companion.line.tablefile import read_table_file
from companion.referee import Evening, at_the_end, observe
from companion.table.sure import SURE_FROM
from workshop.bench import keys
from workshop.bench.filming import Filmed
from workshop.bench.latency import LogVersion
from workshop.bench.report import rate, shown
from workshop.bench.stu.hands import played
from workshop.bench.stu.ruling import log_with_answers
from workshop.bench.stu.scoring import ClipScore, HandScore, score
from workshop.bench.watching import Footage, decode_sighting, footage_of, laid, unpacked
from workshop.report import table

Cause = Literal["cut", "frozen", "dark", "killed"]
"""Pictures are missing; the last one is repeated; there is no light; the program is killed, and started again."""
CAUSES: Final = get_args(Cause)
LENGTHS: Final = (3.0, 8.0, 30.0)
"""Seconds."""
ROUND_SECONDS = 4.0
"""Seconds before and after a hole in which the guard looks at real pictures."""
ANSWERED = 40
"""Most questions that are answered at the end: in a hole of 30 s a whole hand may have been played."""
DARKNESS = 0.02
"""What is left of the light in the dark."""


class Hole(msgspec.Struct, frozen=True):
    """From ``t`` for ``seconds`` nothing could be seen, because of ``cause``."""

    t: float
    seconds: float
    cause: Cause

    @property
    def until(self) -> float:
        """When it ends, seconds."""
        return self.t + self.seconds


class HoledScore(msgspec.Struct, frozen=True):
    """A clip's scores with this hole in it: with nobody asked, and with ``questions`` (as many) answered truthfully.
    ``touched``: the numbers of the hands that were not wholly seen, from 1."""

    clip: str
    hole: Hole
    score: ClipScore
    asked: ClipScore
    questions: int
    touched: tuple[int, ...]


def holes(filmed: Filmed) -> tuple[Hole, ...]:
    """One hole of each cause and length that the clip is long enough for, at a random moment of it: the same ones each time."""
    truth = filmed.log()
    first, last = (float(one.t or 0.0) for one in (truth[1], truth[-1]))
    found = []
    for cause in CAUSES:
        for seconds in LENGTHS:
            rng = Random(f"hole {filmed.recipe.name} {cause} {seconds}")
            if first + 2 < last - seconds:
                found.append(Hole(round(rng.uniform(first + 2, last - seconds), 2), seconds, cause))
    return tuple(found)


_Glance = tuple[float, tuple[Sighting, ...]]
"""When (seconds) which sightings became sure."""


def holed(filmed: Filmed, footage: Footage, hole: Hole) -> HoledScore:
    """The scores of a clip with a hole in it."""
    truth, table = filmed.log(), read_table_file(filmed.table)
    game = table.first
    assert isinstance(game, Game)
    glances = tuple(_glances(filmed, footage, table.table, game, hole))
    plain = at_the_end(_seen(game, glances)).log
    asked, questions = log_with_answers(game, glances, truth, most=ANSWERED)
    end = glances[-1][0]
    alone, answered = (score(truth, [LogVersion(end, log)]) for log in (plain, asked))
    hands = enumerate(played(truth), start=1)
    touched = tuple(number for number, hand in hands if hand.start < hole.until and hand.end > hole.t)
    return HoledScore(filmed.recipe.name, hole, alone, answered, len(questions), touched)


def all_holed(
    filmed: Filmed, models: Path, say: Callable[[str, float], None] = lambda what, share: None
) -> tuple[HoledScore, ...]:
    """The scores of a clip with each of its `holes`, from the cache, or worked out and kept there."""
    kept = filmed.folder / f"holes-{keys.eyes_key(models)}-{keys.ruling_key('stu')}.json"
    try:
        return msgspec.json.decode(kept.read_bytes(), type=tuple[HoledScore, ...])
    except (FileNotFoundError, msgspec.MsgspecError):
        pass
    duration = max(line.t or 0.0 for line in filmed.log())
    footage = footage_of(filmed, models, lambda t: say("watching", min(t / duration, 1.0)))
    found: list[HoledScore] = []
    wanted = holes(filmed)
    for hole in wanted:
        say("holes", len(found) / len(wanted))
        found.append(holed(filmed, footage, hole))
    write_whole(kept, msgspec.json.encode(found))
    return tuple(found)


def _seen(game: Game, glances: Iterable[_Glance]) -> Evening:
    """The evening with nobody asked."""
    evening = Evening.of(GAMES["stu"], game)
    for _, sightings in glances:
        for sighting in sightings:
            evening = observe(evening, sighting)
    return evening


def _glances(filmed: Filmed, footage: Footage, table: Table, game: Game, hole: Hole) -> Iterator[_Glance]:
    """What the shipped line makes of the clip with the hole."""
    looks = list(laid(footage, table))
    times = [one.t for one, _ in looks]
    dim = [one.t for one, _ in looks if one.blind is not None or one.hidden]
    clear = [t for t in times if t <= hole.t - ROUND_SECONDS and not any(t <= other <= t + ROUND_SECONDS for other in dim)]
    before, after = clear[-1] if clear else 0.0, hole.until + ROUND_SECONDS
    watcher = Watcher(looks[0][1])

    def kept(first: float, last: float) -> Iterator[_Glance]:
        for one, top in looks[bisect.bisect_left(times, first):bisect.bisect_left(times, last)]:
            frame_quality = FrameQuality(one.blind, one.since, frozenset(one.hidden), one.resumed, tuple(map(decode_sighting,
                                                                                                             one.said)))
            yield one.t, watcher.step(one.t, one.cards, frame_quality, top, unpacked(one.moving))

    def cards_in(picture: Picture) -> tuple[CardSeen, ...]:
        at = bisect.bisect_left(times, picture.t)
        return min((looks[i][0] for i in (at - 1, at) if 0 <= i < len(looks)), key=lambda one: abs(one.t - picture.t)).cards

    def real(first: float, last: float) -> Iterator[_Glance]:
        """``last``: the guard looks on for longer while it sees nothing."""
        at = max(0, bisect.bisect_left(times, first) - 1)
        here = with_corners(table, [(float(x), float(y)) for x, y in looks[at][1].corners], footage.size)
        for seen in see(_through(str(filmed.clip), first, hole), here, cards_in):
            if seen.picture.t >= last and seen.frame_quality.blind is None and not seen.frame_quality.hidden:
                return
            yield seen.picture.t, watcher.step(seen.picture.t, seen.cards, seen.frame_quality, seen.top, seen.moving)

    shown: list[_Glance] = []
    shown += kept(0.0, before)
    if hole.cause == "killed":
        shown += (one for one in real(before, hole.t) if one[0] < hole.t)
        watcher = Watcher(looks[bisect.bisect_left(times, hole.until)][1], _seen(game, shown).sightings)
        shown.append((hole.until, watcher.lost(stopped(times[bisect.bisect_left(times, hole.t) - 1], hole.until))))
        shown += real(hole.until, after)
    else:
        shown += real(before, after)
    yield from shown
    yield from kept(shown[-1][0] + 0.5 / LOOKS_PER_SECOND, float("inf"))


def _through(clip: str, first: float, hole: Hole) -> Iterator[Picture]:
    """The clip's pictures from ``first`` seconds on as they come through the hole."""
    latest: Picture | None = None
    for picture in pictures(clip, LOOKS_PER_SECOND, first):
        if not hole.t <= picture.t < hole.until:
            latest = picture
            yield picture
        elif hole.cause == "dark":
            yield replace(picture, image=_dark(picture.image, picture.t))
        elif hole.cause == "frozen" and latest is not None:
            yield replace(picture, image=latest.image)


def _dark(image: Image, t: float) -> Image:
    rng = np.random.default_rng(int(t * 1000))
    noise = rng.normal(0, 1.5, (image.shape[0] // 4, image.shape[1] // 4, 1)).repeat(4, 0).repeat(4, 1)
    noise = np.pad(noise, ((0, image.shape[0] - noise.shape[0]), (0, image.shape[1] - noise.shape[1]), (0, 0)))
    return np.clip(image * DARKNESS + noise, 0, 255).astype(np.uint8)


def markdown(scores: Sequence[HoledScore], command: str) -> str:
    """The report's text; ``command``: what makes it again."""
    clips = len({one.clip for one in scores})
    lines = [
        "# What was not seen is not sure", "",
        f"Written by `{command}`: {clips} clips of the frozen bench, each with {len(scores) // max(clips, 1)} holes, one at a",
        "time, at random moments: pictures *cut* out, the last one repeated (*frozen*), no light (*dark*), the program *killed*",
        "and started again. The 95 % interval (Wilson) is in brackets.", "",
    ]  # fmt: skip
    rows = []
    for seconds in LENGTHS:
        of_length = [one for one in scores if one.hole.seconds == seconds]
        rows += [_row(f"{cause}, {seconds:.0f} s", [one for one in of_length if one.hole.cause == cause]) for cause in CAUSES]
        rows.append(_row(f"all of {seconds:.0f} s", of_length))
    rows.append(_row("**all**", scores))
    lines += table(_HEAD, rows)
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


_HEAD = (
    "hole", "hands touched by it", "right, nobody asked", "right, questions answered", "wrong and sure", "questions",
)  # fmt: skip


def _row(name: str, group: Sequence[HoledScore]) -> tuple[object, ...]:
    alone = [hand for one in group for hand in one.score.hands if hand.number in one.touched]
    asked = [hand for one in group for hand in one.asked.hands if hand.number in one.touched]
    wrong, questions = sum(map(wrong_and_sure, group)), sum(one.questions for one in group)
    return name, len(alone), _right(alone), _right(asked), wrong, questions


def _right(hands: Iterable[HandScore]) -> str:
    right = [hand.right for hand in hands]
    return shown(rate(sum(right), len(right)))


def wrong_and_sure(one: HoledScore) -> int:
    """How many rulings were wrong, or made up, and shown as sure: with nobody asked, or all questions answered."""
    wrong = {hand.number for score in (one.score, one.asked) for hand in score.hands if hand.wrong_as_sure}
    made_up = max(sum(confidence >= SURE_FROM for confidence in score.invented) for score in (one.score, one.asked))
    return len(wrong) + made_up
