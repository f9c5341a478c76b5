"""For showing a hand of Stoper once more: which lines decided who pays, and which faces lay open for everybody, and when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.betting.referee import ruled_history
from companion.games.stoper.referee.exchanges import thrown_in
from companion.games.stoper.referee.history import History
from companion.games.stoper.rules import State, ruling
from companion.games.stoper.rules.log import Muck, Passo, Show
from companion.games.stoper.rules.state import Seat
from companion.referee.chapter import Chapter
from companion.referee.evening import Evening
from companion.referee.splitting import MAX_HANDS_BACK
from companion.table.log import Line


def deciding(before: State, lines: Sequence[Line]) -> tuple[int, ...]:
    """The lines (indices) that decided who pays: what was shown, and who conceded; else the last pass, which left one alone."""
    shown = tuple(index for index, line in enumerate(lines) if isinstance(line.event, Show | Muck))
    passed = tuple(index for index, line in enumerate(lines) if isinstance(line.event, Passo))
    return shown or passed[-1:]


# What the phone can be told at once: who seems to have thrown in their cards without a word, whose hand lies open in part, which
# earlier hand had another winner than it seemed.


MIN_THROWN_IN_PROBABILITY = 0.8
"""Probability of cards thrown in from which on their player is asked whether they pass."""
HELD_SECONDS = 4.0
"""Seconds after which a player who shows their cards has all of them open."""


def thrown_without_a_word(chapter: Chapter) -> tuple[Seat, ...]:
    """The players who are still in by what was said, and were seen to throw all their cards. They are asked whether they pass;
    nothing is assumed. None at a showdown, where cards thrown are conceded."""
    best = ruled_history(chapter, History)
    hand = best.state.hand if best is not None else None
    if best is None or hand is None or hand.phase == "showdown":
        return ()
    players = len(best.state.table.names)
    return tuple(
        seat for seat in hand.order
        if hand.live >> seat & 1 and thrown_in(best.seen, players, seat, best.seen.dealt_until) >= MIN_THROWN_IN_PROBABILITY
    )  # fmt: skip


def partly_shown(chapter: Chapter, t: float) -> tuple[float, tuple[Seat, ...]] | None:
    """At a showdown, by ``t`` seconds: since when (seconds) and before which places hands lie open that could not be read whole;
    None where there are none."""
    best = ruled_history(chapter, History)
    hand = best.state.hand if best is not None else None
    if best is None or hand is None or hand.phase != "showdown" or best.reading is None:
        return None
    waiting = [
        found for found in best.reading.hands
        if found.unknown and hand.live >> found.seat & 1 and not hand.known[found.seat].shown and t - found.since >= HELD_SECONDS
    ]  # fmt: skip
    return (min(found.since for found in waiting), tuple(found.seat for found in waiting)) if waiting else None


def otherwise(evening: Evening) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The latest hands that another player has won than it seemed, as later bets have shown: each with its number and who took
    the pots. Hands that somebody has corrected by hand are left out."""
    for chapter in evening.chapters[-MAX_HANDS_BACK - 1 : -1]:
        book = ruling(chapter.after, chapter.game.rules.hands(chapter.after)) if chapter.reports.later else None
        if book is not None and len(chapter.lines) - 1 not in chapter.fixed and not chapter.reports.answers:
            yield book.n, tuple(dict.fromkeys(pot.winner for pot in book.pots))
