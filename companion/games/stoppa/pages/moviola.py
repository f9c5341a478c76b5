"""The moviola of Stoppa: all that one player lays without a break is one step; players who pass one after another are one, too.
Pure."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.stoppa.pages import phrases
from companion.games.stoppa.pages.centre import Centre
from companion.games.stoppa.pages.view import StoppaSeat, StoppaView, view
from companion.games.stoppa.rules.log import Deal, End, Giro, Hand, Lay, Passo
from companion.pages.moments import Moment
from companion.pages.moviola import SETTINGS, Moviola, replay_steps
from companion.table.language import Lang, catalogue
from companion.table.text import listed, short


def moviola(moments: Sequence[Moment], lang: Lang) -> Moviola[StoppaSeat, Centre] | None:
    """The last hand that is over; None before the first is, of a void one, and where only its outcome is known."""
    return replay_steps(
        moments, quiet=(Deal, End, Giro), goes_with=_goes_with, view=lambda so_far: view(so_far, lang, SETTINGS),
        says=lambda step, shown: _said(step, shown, lang),
    )  # fmt: skip


def _goes_with(before: Moment, now: Moment) -> bool:
    if isinstance(before.event, Lay) and isinstance(now.event, Lay):
        return before.event.by == now.event.by
    return isinstance(before.event, Passo) and isinstance(now.event, Passo)


def _said(step: Sequence[Moment], shown: StoppaView, lang: Lang) -> str:
    """A step as a sentence."""
    _ = catalogue(lang).gettext
    event = step[-1].event
    match event:
        case Hand():
            return _("Everybody pays the misera")
        case Lay(by=by):
            cards = [card for moment in step for card in moment.event.cards]
            said = _("{player} lays {cards}").format(player=short(by), cards=phrases.numbers(cards, lang))
            return said if step[-1].seen.hand is not None else said + _(": stops!")
        case Passo():
            names = dict.fromkeys(short(moment.event.by) for moment in step)
            say = catalogue(lang).ngettext("{players} passes", "{players} pass", len(names))
            return str(say.format(players=listed(list(names), lang)))
    return shown.happened[-1] if shown.happened else ""
