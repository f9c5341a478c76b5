"""What was agreed on the pot, as people say it: partners of a ricompera, what a ceded Taverna costs, how the last two share
(rules 10, 13, 20). Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from companion.games.stu.agreed import cut, part, sums, taverna
from companion.games.stu.rules import State, report
from companion.games.stu.rules.log import Taverna
from companion.games.stu.rules.state import Agreement
from companion.pages.phone import Difference
from companion.table.language import Lang, catalogue
from companion.table.money import money, percent
from companion.table.text import listed, short


def partners(by: str, state: State, lang: Lang, *, sums: bool = True) -> str:
    """The partners of a player's latest ricompera, each with the share, what that is of the pot now, and what they put in:
    "with Zia (25 %: 2,50 €, puts in 1,00 €)"; "" where there are none. ``sums``: whether to say what the share is of the pot:
    False where the words outlive that pot."""
    _, pot, among, said = catalogue(lang).gettext, report(state).pot, state.agreements, list[str]()
    for one, share in _sharing([agreed for agreed in among if agreed.kind == "partner" and agreed.winners == (by,)]):
        pays = _("puts in {sum}").format(sum=money(one.paid, lang))
        of_pot = f": {money(part(one, pot, among), lang)}" if sums else ""
        said.append(f"{short(one.to)} ({percent(share, lang)}{of_pot}, {pays})")
    return _("with {partners}").format(partners=listed(said, lang)) if said else ""


def _sharing(agreements: Sequence[Agreement]) -> Iterator[tuple[Agreement, Decimal]]:
    """The partners of one ricompera, each with the share of the pot; nobody where only the player who comes back was noted: all
    is theirs. Noted among others, they have what these leave, which may be another share than was noted."""
    others = [one for one in agreements if one.to not in one.winners]
    own = next((one for one in agreements if one.to in one.winners), None)
    left = 1 - sum((one.share for one in others), Decimal(0))
    for one in agreements if others else ():
        if one is own:
            yield one, one.share if abs(left - one.share) < _ROUNDED else left
        elif one in others:
            yield one, one.share


_ROUNDED = Decimal("0.001")
"""By how much shares that were written with few digits, such as three times 0.3333, may miss the whole."""


def terms(event: Taverna, lang: Lang) -> str:
    """What a ceded Taverna costs: "25 % of the pot, a coffee"; "" where nothing was said."""
    share = catalogue(lang).gettext("{share} of the pot").format(share=percent(event.share, lang)) if event.share else ""
    return ", ".join(filter(None, (share, cut(event.terms or ""))))


def shares(state: State, lang: Lang) -> str:
    """How the last two share the pot: "Anna 60 %, Bruno 40 %". Without sums: the pot may grow yet."""
    return ", ".join(f"{short(one.to)} {percent(one.share, lang)}" for one in state.agreements if one.kind == "split")


def instead(before: State, after: State, lang: Lang) -> str:
    """What an agreement takes the place of: "; no longer counts: Gino 50 %"; "" where all of that was agreed again."""
    gone = [one.agreed for one in after.lapsed[len(before.lapsed) :]]
    again = {(one.kind, one.winners, one.to, one.share) for one in after.agreements}
    said = [
        f"{short(one.to)} {percent(one.share, lang)}"
        for one in gone
        if one.share and (one.kind, one.winners, one.to, one.share) not in again
        and (one.kind == "split" or one.to not in one.winners)
    ]  # fmt: skip
    return "; " + catalogue(lang).gettext("no longer counts: {agreements}").format(agreements=", ".join(said)) if said else ""


def shared(state: State, lang: Lang) -> tuple[str, ...]:
    """What each agreement on sharing comes to in the pot as it is now, in euros: "Anna 7,20 €"."""
    pot, among = report(state).pot, state.agreements
    return tuple(f"{short(one.to)} {sums(one, pot, among, lang)}" for one in among if one.kind == "split")


def differences(now: State, then: State, lang: Lang) -> Iterator[Difference]:
    """The agreements that differ between two states."""
    none = catalogue(lang).gettext("nothing agreed")
    was, would = _by_subject(now), _by_subject(then)
    for subject in dict.fromkeys((*was, *would)):
        one, other = was.get(subject, ()), would.get(subject, ())
        if one != other:
            texts = [_agreements_text(agreed, state, lang) or none for agreed, state in ((one, now), (other, then))]
            if texts[0] != texts[1]:
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


def _agreements_text(agreements: Sequence[Agreement], state: State, lang: Lang) -> str:
    _, pot, among, said = catalogue(lang).gettext, report(state).pot, state.agreements, list[str]()
    partners = any(one.kind == "partner" for one in agreements)
    for one, share_of in _sharing(agreements) if partners else ((one, one.share) for one in agreements):
        if one.kind == "taverna":
            said.append(taverna(one, pot, among, lang))
            continue
        share = sums(one, pot, among, lang) if one.kind == "split" else money(part(one, pot, among), lang)
        said.append(f"{short(one.to)} {percent(share_of, lang)} ({share})")
        if one.kind == "partner":
            said[-1] += ", " + _("puts in {sum}").format(sum=money(one.paid, lang))
    return ("; " if partners else ", ").join(said)
