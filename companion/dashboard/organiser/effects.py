"""What a change would do: the difference between two states of an evening, already said in one language. Pure."""

from __future__ import annotations

from msgspec import Struct

from companion.games import Game
from companion.referee import Evening
from companion.referee.chapter import Chapter
from companion.table.language import Lang, catalogue
from companion.table.phone import Difference, HandSummary


class Effect(Struct, frozen=True):
    """What a change would do. ``hands``: what each changed hand comes to now and then. ``rest``: what the players have, money, who
    has won.

    Both are empty when it would change nothing that anybody pays.
    """

    hands: tuple[Difference, ...]
    rest: tuple[Difference, ...]


def effect(before: Evening, after: Evening, game: Game, lang: Lang) -> Effect:
    """What a change that leads from one evening to the other does."""
    _ = catalogue(lang).gettext
    was, would = ({chapter.id: chapter for chapter in evening.chapters} for evening in (before, after))
    hands = []
    for id in dict.fromkeys([*would, *was]):
        if was.get(id) is would.get(id):
            continue
        now, then = summary(was.get(id), game, lang), summary(would.get(id), game, lang)
        known = then or now
        if known is not None and _paid(now, lang) != _paid(then, lang):
            hands.append(Difference(_("Hand {n}").format(n=known.n), _paid(now, lang), _paid(then, lang)))
    return Effect(tuple(hands), game.pages.differences(before.current.after, after.current.after, lang))


def summary(chapter: Chapter | None, game: Game, lang: Lang) -> HandSummary | None:
    """What a chapter's hand came to, or comes to so far; None where it is no hand."""
    return game.pages.hand(chapter.before, chapter.after, lang) if chapter is not None and chapter.played else None


def _paid(hand: HandSummary | None, lang: Lang) -> str:
    return "\n".join(hand.paid) if hand is not None else catalogue(lang).gettext("no hand")
