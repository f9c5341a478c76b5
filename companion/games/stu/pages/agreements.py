"""What was agreed on the pot, as people say it: partners of a ricompera, what a ceded Taverna costs, how the last two share
(rules 10, 13, 20). Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from companion.games.stu.rules import State, report
from companion.games.stu.rules.log import Rebuy, Split, Taverna
from companion.games.stu.rules.money import part_of_pot
from companion.games.stu.rules.state import Agreement
from companion.pages.phone import Difference
from companion.table.language import Lang, catalogue
from companion.table.money import money, percent
from companion.table.text import listed, short

_LONGEST = 60
"""Letters of a Taverna's terms in a sentence."""


def partners(event: Rebuy, lang: Lang) -> str:
    """The partners of a ricompera, each with the share: "with Zia (25 %) and Carla (10 %)"; "" where there are none."""
    _ = catalogue(lang).gettext
    said = []
    for one in event.partners:
        pays = "" if one.paid is None else ", " + _("puts in {sum}").format(sum=money(one.paid, lang))
        said.append(f"{short(one.name)} ({percent(one.share, lang)}{pays})")
    return _("with {partners}").format(partners=listed(said, lang)) if said else ""


def terms(event: Taverna, lang: Lang) -> str:
    """What a ceded Taverna costs: "25 % of the pot, a coffee"; "" where nothing was said."""
    share = catalogue(lang).gettext("{share} of the pot").format(share=percent(event.share, lang)) if event.share else ""
    return ", ".join(filter(None, (share, _cut(event.terms or ""))))


def shares(event: Split, pot: int, lang: Lang) -> str:
    """How the last two share the ``pot`` (minor units): "Anna 60 % (7,20 €), Bruno 40 % (4,80 €)"."""
    return ", ".join(f"{short(name)} {_part(share, pot, lang)}" for name, share in event.shares.items())


def notes(state: State, hand: int, lang: Lang, *, then: State | None = None) -> tuple[str, ...]:
    """What was agreed in the hand with this number, a sentence each. ``then``: when the pot was as large as is said; now, where
    it is left out."""
    _ = catalogue(lang).gettext
    pot = report(then or state).pot
    return tuple(
        _("{player} has ceded the Taverna: {terms}").format(player=short(one.to), terms=_taverna(one, pot, lang))
        for one in state.agreements
        if one.kind == "taverna" and one.hand == hand
    )


def differences(now: State, then: State, lang: Lang) -> Iterator[Difference]:
    """The agreements that differ between two states."""
    none = catalogue(lang).gettext("nothing agreed")
    was, would = _by_subject(now), _by_subject(then)
    for subject in dict.fromkeys((*was, *would)):
        one, other = was.get(subject, ()), would.get(subject, ())
        if one != other:
            texts = (_said(agreed, report(state).pot, lang) or none for agreed, state in ((one, now), (other, then)))
            yield Difference(_subject((one or other)[0], lang), *texts)


def _by_subject(state: State) -> dict[tuple[str, ...], tuple[Agreement, ...]]:
    """The agreements that belong together: the partners of a player, a Taverna of a hand, the two of a split."""
    found: dict[tuple[str, ...], tuple[Agreement, ...]] = {}
    for one in state.agreements:
        subject = (one.kind, *(() if one.kind == "split" else one.winners), str(one.hand))
        found[subject] = (*found.get(subject, ()), one)
    return found


def _subject(agreed: Agreement, lang: Lang) -> str:
    _ = catalogue(lang).gettext
    if agreed.kind == "partner":
        return _("Partners of {name}").format(name=short(agreed.winners[0]))
    return _("Taverna of {name}").format(name=short(agreed.to)) if agreed.kind == "taverna" else _("Agreement on the pot")


def _said(agreements: Sequence[Agreement], pot: int, lang: Lang) -> str:
    _ = catalogue(lang).gettext
    said = []
    for one in agreements:
        if one.kind == "taverna":
            said.append(_taverna(one, pot, lang))
        else:
            said.append(f"{short(one.to)} {_part(one.share, pot, lang)}")
            if one.kind == "partner":
                said[-1] += ", " + _("puts in {sum}").format(sum=money(one.paid, lang))
    return ("; " if any(one.kind == "partner" for one in agreements) else ", ").join(said)


def _taverna(agreed: Agreement, pot: int, lang: Lang) -> str:
    said = catalogue(lang).gettext("{share} if {winner} wins")
    share = said.format(share=_part(agreed.share, pot, lang), winner=short(agreed.winners[0])) if agreed.share else ""
    return ", ".join(filter(None, (share, _cut(agreed.terms))))


def _part(share: Decimal, pot: int, lang: Lang) -> str:
    """A share in percent, and what it is of the pot as that stands."""
    return f"{percent(share, lang)} ({money(part_of_pot(pot, share), lang)})"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
