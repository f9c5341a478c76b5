"""The commentary of a game as a page carries it: its last sentences. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from companion.pages.moments import Moment
from companion.table.game import State
from companion.table.language import Lang, catalogue
from companion.table.text import perhaps, sentence, short


class Ended(Protocol):
    """What a hand that is over has come to, in any game."""

    @property
    def void(self) -> bool: ...


def deals(player: str, hands: Sequence[Ended], lang: Lang) -> str:
    """Who deals next, after these hands: after a void one it is the same dealer again."""
    _ = catalogue(lang).gettext
    if not hands:
        said = _("About to begin: {player} deals")
    else:
        said = _("{player} deals again") if hands[-1].void else _("{player} deals next")
    return said.format(player=short(player))


def last_said(
    moments: Sequence[Moment], names: Sequence[str], most: int, happened: Callable[[State, Moment], Sequence[str]],
    is_sure: Callable[[Moment], bool] = lambda moment: True,
) -> tuple[str, ...]:  # fmt: skip
    """The last ``most`` sentences of what ``happened`` after a state with a moment, oldest first; long ``names`` are cut. What is
    not sure has a question mark; nothing is said of lines that stand in for what was not told."""
    said: list[str] = []
    long = [name for name in names if short(name) != name]
    for at in range(len(moments) - 1, 0, -1):
        if moments[at].event is None:
            continue
        for told in reversed(happened(moments[at - 1].seen, moments[at])):
            for name in long:
                told = told.replace(name, short(name))
            said.append(perhaps(sentence(told), sure=is_sure(moments[at])))
        if len(said) >= most:
            break
    return tuple(reversed(said[:most]))
