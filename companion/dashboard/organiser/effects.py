"""What a change would do: the difference between two states of an evening, already said in one language. Pure."""

from __future__ import annotations

from msgspec import Struct

from companion.games import house_game
from companion.referee import Evening
from companion.referee.chapter import Chapter
from companion.table.language import Lang, catalogue
from companion.table.phone import Difference, HandSummary


class Effect(Struct, frozen=True):
    """What a change would do; both are empty when it would change nothing that anybody pays.

    ``hands``: what each changed hand comes to now and then. ``rest``: what the players have, money, who has won.
    """

    hands: tuple[Difference, ...]
    rest: tuple[Difference, ...]


def effect(before: Evening, after: Evening, lang: Lang) -> Effect:
    """What a change that leads from one evening to the other does."""
    _ = catalogue(lang).gettext
    was, would = ({chapter.id: chapter for chapter in evening.chapters} for evening in (before, after))
    hands = []
    for id in dict.fromkeys([*would, *was]):
        if was.get(id) is would.get(id):
            continue
        now, then = summary(was.get(id), lang), summary(would.get(id), lang)
        known = then or now
        if known is not None and _paid(now, lang) != _paid(then, lang):
            hands.append(Difference(_("Hand {n}").format(n=known.n), _paid(now, lang), _paid(then, lang)))
    rest = house_game(before.game).pages.differences(before.current.after, after.current.after, lang)
    return Effect(tuple(hands), rest)


def summary(chapter: Chapter | None, lang: Lang) -> HandSummary | None:
    """What a chapter's hand came to, or comes to so far; None where it is no hand. Worked out once: an evening has hundreds."""
    if chapter is None or not chapter.played:
        return None
    key = "summary", lang
    if key not in chapter.cache:
        chapter.cache[key] = house_game(chapter.game).pages.hand(chapter.before, chapter.after, lang)
    found: HandSummary = chapter.cache[key]
    return found


def _paid(hand: HandSummary | None, lang: Lang) -> str:
    return "\n".join(hand.paid) if hand is not None else catalogue(lang).gettext("no hand")
