"""A game's log at one version, and the difference between two: how many lines stay at head and tail, and what stands between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.table.log import Line, encode_line


@dataclass(slots=True)
class KeptLog:
    """A game's log at one version: its lines as text and as read. ``read`` may lag behind: its first ``good`` lines are those of
    ``text``, what follows is to be read again. ``recent``: the last versions that were recorded, for callers that still show one.
    """

    version: int
    text: list[str]
    read: tuple[Line, ...] = ()
    good: int = 0
    recent: dict[int, tuple[Line, ...]] = field(default_factory=dict)

    def go_on(self, version: int, head: int, tail: int, middle: str) -> None:
        """To the next version. ``middle``: its new lines, each ended by a line feed."""
        # Split at line feeds only: names may hold other characters that str.splitlines takes for line ends.
        self.text[head : len(self.text) - tail] = middle.split("\n")[:-1]
        self.good = min(self.good, head)
        self.version = version

    def go_on_to(self, version: int, head: int, tail: int, middle: Sequence[str], lines: tuple[Line, ...]) -> None:
        """To the next version, whose ``lines`` are all known."""
        self.text[head : len(self.text) - tail] = middle
        self.version, self.read, self.good = version, lines, len(lines)


def difference(before: KeptLog, lines: Sequence[Line]) -> tuple[int, int, list[str]]:
    """How many lines of ``before`` stay at its head and at its tail, and as text those that come between them.

    A line that is known already is not written out again: a long evening's log has mostly those.
    """
    same = before.read if before.good == len(before.text) else ()
    first = common_start(same, lines)
    last = common_start(same[first:][::-1], lines[first:][::-1])
    text = [encode_line(line).decode() for line in lines[first : len(lines) - last]]
    stood = before.text[first : len(before.text) - last]
    head = common_start(stood, text)
    tail = common_start(stood[head:][::-1], text[head:][::-1])
    return first + head, last + tail, text[head : len(text) - tail]


def common_start(one: Sequence[object], other: Sequence[object]) -> int:
    """How many lines two logs, both tuples or both lists, have in common from their start: quick where most are the same."""
    least = min(len(one), len(other))
    count, step = 0, least
    while step:
        if one[count : count + step] == other[count : count + step]:
            count += step
            step = min(step, least - count)
        else:
            step //= 2
    return count
