"""What a change would do: the difference between two states of an evening, already said in one language. Pure."""

from __future__ import annotations

from typing import cast

from msgspec import Struct

from companion.games.stu import words
from companion.games.stu.pages.commentary import sentence, why
from companion.games.stu.pages.sums import money
from companion.games.stu.rules import Report
from companion.games.stu.rules.state import HandRulings
from companion.referee import Evening
from companion.referee.corrections import changed
from companion.table.language import Lang, catalogue


class Difference(Struct, frozen=True):
    """Something that is one thing now and would be another."""

    what: str
    now: str
    then: str


class Effect(Struct, frozen=True):
    """What a change would do. ``hands``: what each changed hand comes to now and then. ``rest``: pedine, money, who has won.

    Both are empty when it would change nothing that anybody pays.
    """

    hands: tuple[Difference, ...]
    rest: tuple[Difference, ...]


def effect(before: Evening, after: Evening, hand: int, lang: Lang) -> Effect:
    """What a change that leads from one evening to the other does."""
    found = changed(before, after, hand)
    _ = catalogue(lang).gettext
    hands = []
    for _id, now, then in found.hands:
        ruling = then or now
        if ruling is not None and paid(now, lang) != paid(then, lang):
            hands.append(Difference(_("Hand {n}").format(n=ruling.n), paid(now, lang), paid(then, lang)))
    return Effect(tuple(hands), _rest(cast(Report, found.rulings_before), cast(Report, found.rulings_after), lang))


def has(pedine: int, virgin: bool, lang: Lang) -> str:
    """What a player has: "2 pedine, virgin"."""
    say = catalogue(lang)
    if not pedine:
        return say.gettext("out")
    count = say.ngettext("{n} pedina", "{n} pedine", pedine).format(n=pedine)
    return f"{count}, {say.gettext('virgin')}" if virgin else count


def paid(ruling: HandRulings | None, lang: Lang) -> str:
    """What a hand came to, a line for each payment; None: there is no hand."""
    _ = catalogue(lang).gettext
    if ruling is None:
        return _("no hand")
    if ruling.void:
        return _("void hand")
    if not ruling.payments:
        return _("nobody pays")
    return "\n".join(why(payment, lang, ruling.dealer) for payment in ruling.payments)


def _rest(now: Report, then: Report, lang: Lang) -> tuple[Difference, ...]:
    _ = catalogue(lang).gettext
    found = []
    for one, other in zip(now.players, then.players, strict=True):
        was, would = has(one.pedine, one.virgin, lang), has(other.pedine, other.virgin, lang)
        if was != would:
            found.append(Difference(one.name, was, would))
    sums = [(_("Pot"), now.pot, then.pot), (_("Ricompera"), now.ricompera.price, then.ricompera.price)]
    found += [Difference(what, money(a, lang), money(b, lang)) for what, a, b in sums if a != b]
    if now.ricompera.open != then.ricompera.open:
        was, would = (_("open") if one.ricompera.open else _("closed") for one in (now, then))
        found.append(Difference(_("Ricompera"), was, would))
    if (now.status, now.winner) != (then.status, then.winner):
        found.append(Difference(_("Game"), *(sentence(words.status(one, lang)) for one in (now, then))))
    for name in dict.fromkeys([*(now.settlement or {}), *(then.settlement or {})]):
        a, b = ((one.settlement or {}).get(name, 0) for one in (now, then))
        if a != b:
            found.append(Difference(_("{name} takes").format(name=name), money(a, lang), money(b, lang)))
    return tuple(found)
