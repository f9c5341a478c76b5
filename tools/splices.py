"""What is ruled of the demo clips when some seconds are cut out of them and the time stamps closed up, at every few seconds.

`python tools/splices.py` plays each of these from the recorded looks (`recorded_looks`); no network runs. What was said in the
part cut out is told at the cut, as by a phone at the table. A hand that is sure and did not come to what it comes to in the whole
clip is wrong and sure; a hand that is missing, void or not sure is none.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import click
import recorded_looks
from msgspec.structs import replace as struct_replace
from recorded_looks import CLIPS

from companion.eyes.seeing import Seen
from companion.eyes.sighting import Unseen
from companion.line.follow import glimpses
from companion.line.prompter import Prompter
from companion.referee import Evening, at_the_end, observe
from companion.referee.chapter import Chapter
from companion.table.log import Line, tag
from companion.table.sure import SURE_FROM


@dataclass(frozen=True)
class Cut:
    """What came of a clip without ``seconds`` from ``since`` on (0 seconds: of the whole clip): of each hand that is over what it
    came to and how sure that is. ``gaps``: the times in which, as the eyes say, they saw nothing. ``evening``: as it is then."""

    since: float
    seconds: float
    hands: tuple[tuple[Hashable, float], ...]
    gaps: tuple[Unseen, ...] = ()
    evening: Evening | None = None

    @property
    def noticed(self) -> bool:
        """The eyes tell that they did not see something."""
        return bool(self.gaps)


@cache
def cut(game: str, since: float = 0.0, seconds: float = 0.0) -> Cut:
    """The clip of this game, followed without these seconds."""
    table, words = recorded_looks.DemoClip(game).table, CLIPS[game].path.with_name("told.jsonl")
    told = table.game.rules.LOG.read_lines(words.read_bytes()) if words.is_file() else ()
    phone, evening = Prompter([_closed_up(line, since, seconds) for line in told]), Evening.of(table.game, table.first)
    gaps = list[Unseen]()
    for glimpse in glimpses(_spliced(game, since, seconds), table):
        for sighting in glimpse.sightings:
            if isinstance(sighting, Unseen):
                gaps.append(sighting)
            evening = observe(phone(evening, sighting.t), sighting)
    hands = [_hand(chapter) for chapter in at_the_end(evening).chapters if chapter.played and chapter.over]
    return Cut(since, seconds, tuple(hands), tuple(gaps), evening)


def _spliced(game: str, since: float, seconds: float) -> Iterator[Seen]:
    for seen in recorded_looks.seen(game):
        t = seen.picture.t
        if t < since:
            yield seen
        elif t >= since + seconds:
            yield replace(seen, picture=replace(seen.picture, t=t - seconds))


def _closed_up(line: Line, since: float, seconds: float) -> Line:
    if line.t is None or line.t < since:
        return line
    return struct_replace(line, t=max(since, line.t - seconds))


def _hand(chapter: Chapter) -> tuple[Hashable, float]:
    void = any(tag(line.event) == "void" for line in chapter.lines)
    return chapter.game.rules.outcome(chapter.after), 0.0 if void else chapter.probability or 0.0


def wrong_and_sure(whole: Cut, found: Cut) -> tuple[int, ...]:
    """The hands of a cut clip (numbers, from 1) that are sure and not what comes next among the hands of the whole clip: a hand
    that was cut out may be missing between two others."""
    true, at, wrong = [came_to for came_to, _ in whole.hands], 0, []
    for n, (came_to, sure) in enumerate(found.hands, start=1):
        if sure < SURE_FROM:
            continue
        if came_to in true[at:]:
            at = true.index(came_to, at) + 1
        else:
            wrong.append(n)
    return tuple(wrong)


def table(rows: Sequence[Sequence[Any]]) -> str:
    """Rows as a table in Markdown; the first is its head."""
    head, *rest = rows
    lines = [head, ["---"] * len(head), *rest]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


@click.command()
@click.option("--game", "games", type=click.Choice(tuple(CLIPS)), multiple=True, default=tuple(CLIPS), help="Whose clip.")
@click.option("--seconds", default=8.0, show_default=True, help="How much is cut out.")
@click.option("--every", default=4.0, show_default=True, help="Seconds from one cut to the next.")
def main(games: Sequence[str], seconds: float, every: float) -> None:
    """Cut the demo clips, play each from the recorded looks, and say which hands are wrong and sure."""
    rows: list[Sequence[Any]] = [["clip", "cuts", "hands over", "sure", "cut noticed", "wrong and sure"]]
    for game in games:
        whole, last = cut(game), max(seen.picture.t for seen in recorded_looks.seen(game))
        found = []
        for n in range(1, int((last - seconds) // every) + 1):
            one = cut(game, n * every, seconds)
            found.append(one)
            if wrong := wrong_and_sure(whole, one):
                which = ", ".join(map(str, wrong))
                click.echo(f"{game}: {seconds:g} s cut out at {one.since:g} s: hand {which} wrong and sure", err=True)
        hands = [hand for one in found for hand in one.hands]
        sure = sum(probability >= SURE_FROM for _, probability in hands)
        wrong_hands = sum(len(wrong_and_sure(whole, one)) for one in found)
        rows.append([game, len(found), len(hands), sure, sum(one.noticed for one in found), wrong_hands])
    click.echo(table(rows))


if __name__ == "__main__":
    main()
