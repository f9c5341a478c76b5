"""The moviola of Stoper: those who pass, see or say the same one after another are one step, and so is the exchange. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.stoper.pages.centre import Centre
from companion.games.stoper.pages.view import StoperSeat, StoperView, view
from companion.games.stoper.rules.log import Busso, Cambio, Chips, Deal, End, Hand, Parola, Passo
from companion.pages.moments import Moment
from companion.pages.moviola import SETTINGS, Moviola, replay_steps
from companion.table.language import Lang, catalogue
from companion.table.text import listed, short


def moviola(moments: Sequence[Moment], lang: Lang) -> Moviola[StoperSeat, Centre] | None:
    """The last hand that is over; None before the first is, and of a void one."""
    return replay_steps(
        moments, quiet=(Deal, End, Chips), goes_with=_goes_with, view=lambda so_far: view(so_far, lang, SETTINGS),
        says=lambda step, shown: _said(step, shown, lang),
    )  # fmt: skip


_TOGETHER = (Passo, Parola, Busso, Cambio)


def _goes_with(before: Moment, now: Moment) -> bool:
    return type(before.event) is type(now.event) and isinstance(now.event, _TOGETHER) and before.seen.hand is not None


def _said(step: Sequence[Moment], shown: StoperView, lang: Lang) -> str:
    """A step as a sentence."""
    say, event = catalogue(lang), step[-1].event
    names = list(dict.fromkeys(short(moment.event.by) for moment in step if isinstance(moment.event, _TOGETHER)))
    if isinstance(event, Hand):
        return say.gettext("All who take part pay cip and invito")
    if isinstance(event, Cambio):
        changed = [f"{short(moment.event.by)} {moment.event.n}" for moment in step]
        return say.gettext("They change: {changed}").format(changed=", ".join(changed))
    if len(names) > 1 and isinstance(event, Passo):
        return say.ngettext("{players} passes", "{players} pass", len(names)).format(players=listed(names, lang))
    if len(names) > 1 and isinstance(event, Busso):
        return say.gettext("{players} say busso").format(players=listed(names, lang))
    if len(names) > 1:
        return say.gettext("{players} say parola").format(players=listed(names, lang))
    return shown.happened[-1] if shown.happened else ""
