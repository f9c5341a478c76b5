"""Tries on all pages what is about to be recorded, and refuses it where one of them fails: that page would fail from then on,
also after a restart."""

from __future__ import annotations

import logging
from bisect import bisect_left
from collections.abc import Callable, Sequence

import msgspec

from companion.dashboard.feed import Snapshot
from companion.dashboard.organiser.editor import CurrentEvening
from companion.dashboard.organiser.lines import hand_view, marks
from companion.dashboard.organiser.phone_view import phone_view
from companion.dashboard.settings import Shows
from companion.pages.doubts import doubts
from companion.pages.moments import Moment, hands_played
from companion.pages.season import told_so_far
from companion.referee import Evening
from companion.table.language import Lang

_log = logging.getLogger(__name__)


class Unshown(Exception):
    """A page fails at what was about to be recorded, by a defect of the program. Nothing was recorded."""


def check_evening(before: Evening, after: Evening, now: Snapshot, then: Snapshot, shows: Shows, lang: Lang) -> None:
    """Raises Unshown where a phone or a TV could not show the evening ``after`` a change. ``now``, ``then``: the game before and
    after the change, as everybody has seen it.

    Hands that the change leaves as they are (a long evening has hundreds) are not tried again.
    """
    known = {id(chapter) for chapter in before.chapters}

    def pages() -> None:
        marked = marks(then, lang)
        current = CurrentEvening(then.game_id or 0, then.version, after)
        msgspec.json.encode(phone_view(current, shows, lang, marked, pictured=False))
        for chapter in after.chapters:
            if id(chapter) not in known and chapter.lines:
                msgspec.json.encode(hand_view(chapter, lang, marked, after.told_later(chapter)))
        _spectators(then, then.moments[_first_changed_hand(now.moments, then.moments) :], lang)

    _tried(pages)


def check_log(then: Snapshot, lang: Lang) -> None:
    """Raises Unshown where a page for spectators, or the printed sheet, could not show this game."""
    _tried(lambda: _spectators(then, then.moments, lang))


def _spectators(then: Snapshot, changed: Sequence[Moment], lang: Lang) -> None:
    """Make the TV's view, and the printed sheet's rows of the ``changed`` moments, which begin between two hands; where a hand of
    those is over, also the moviola, the charts and the evening's figures, which take as long as the evening was. While a hand is
    played the charts count what it came to so far, and the others stay as they were."""
    pages, rules = then.game.pages, then.game.rules
    view = then.view(lang)
    made: list[object] = [view, pages.calls(then.settled, view, lang)]
    doubtful = doubts(rules, pages, changed, then.settings.view.sure_from)
    made += [
        pages.hand(one.before, one.told, lang, doubtful.get(rules.hands(one.before) + 1, ()))
        for one in hands_played(rules, changed)
    ]
    if not rules.in_hand(then.moments[-1].seen) or rules.hands(then.moments[-1].seen) > rules.hands(changed[0].seen):
        made.append(pages.moviola(then.moments, lang) if pages.moviola is not None else None)
        if pages.charts is not None:
            figures = pages.charts.figures(then.moments, lang)
            made += [figures, pages.charts.drawing(figures, lang)]
        figures_so_far = told_so_far(rules, pages, then.moments, ended=True)
        made += [figures_so_far, pages.season.highlights(figures_so_far, lang)] if figures_so_far is not None else []
    msgspec.json.encode(made)
    pages.hand_rows(changed, lang, doubtful)
    pages.money_rows(changed, lang)


def _first_changed_hand(now: Sequence[Moment], then: Sequence[Moment]) -> int:
    """The index of the moment just before the first hand that differs."""
    same = bisect_left(range(min(len(now), len(then))), True, key=lambda at: now[at] is not then[at])
    return next((at - 1 for at in range(min(same, len(then) - 1), 0, -1) if then[at].begins), 0)


def _tried(pages: Callable[[], None]) -> None:
    try:
        pages()
    except Exception as error:  # whatever it is: it would be raised again and again, for everybody
        _log.warning("a page fails at what was said, so it is not recorded; please report this", exc_info=error)
        raise Unshown from error
