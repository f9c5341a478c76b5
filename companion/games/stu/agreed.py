"""What was agreed on the pot, in words with its sums: those that settle the game (rules 10, 13, 20). Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from companion.games.stu.rules import State
from companion.games.stu.rules.money import parts, settlement
from companion.games.stu.rules.state import Agreement
from companion.table.language import Lang, catalogue
from companion.table.money import money, percent
from companion.table.text import short

_MAX_TERMS_LETTERS = 60
"""Letters of a Taverna's terms in a sentence."""


def notes(state: State, hand: int, lang: Lang, pot: int | None = None) -> tuple[str, ...]:
    """What was agreed in the hand with this number, a sentence each, for pages. ``pot``: of how many minor units the sums are;
    None: no sums, as the pot may have grown since."""
    return tuple(_ceded(state, hand, lang, short, pot))


def in_full(state: State, hand: int, lang: Lang) -> tuple[str, ...]:
    """As `notes` without sums, with whole names."""
    return tuple(_ceded(state, hand, lang, str, None))


def _ceded(state: State, hand: int, lang: Lang, name: Callable[[str], str], pot: int | None) -> Iterator[str]:
    said = catalogue(lang).gettext("{player} has ceded the Taverna: {terms}")
    for one in state.agreements:
        if one.kind == "taverna" and one.hand == hand:
            yield said.format(player=name(one.to), terms=taverna(one, pot, state.agreements, lang, name))


def taverna(
    agreed: Agreement, pot: int | None, among: Sequence[Agreement], lang: Lang, name: Callable[[str], str] = short
) -> str:
    """What a ceded Taverna costs: "25 % (2,00 €) if Anna wins, a coffee". ``pot``: minor units, None for "25 % of the pot";
    ``among``: all agreements of the game."""
    _, share = catalogue(lang).gettext, ""
    if agreed.share:
        share = percent(agreed.share, lang)
        of_pot = _("{share} of the pot").format(share=share)
        share = of_pot if pot is None else f"{share} ({money(part(agreed, pot, among), lang)})"
        share = _("{share} if {winner} wins").format(share=share, winner=name(agreed.winners[0]))
    return ", ".join(filter(None, (share, cut(agreed.terms))))


def part(agreed: Agreement, pot: int, among: Sequence[Agreement]) -> int:
    """What an agreement gives of the ``pot`` if who gives it wins, minor units. ``among``: all agreements of the game.

    A winner noted among their own partners has what the settlement leaves to them, whatever share was noted; noted again, 0.
    """
    for winner in agreed.winners:
        for one, amount in parts(pot, winner, among):
            if one is agreed:
                return amount
    first = next(one for one in among if one.kind == agreed.kind and one.to == agreed.to and one.winners == agreed.winners)
    return settlement(pot, agreed.to, among)[agreed.to] if first is agreed else 0


def sums(agreed: Agreement, pot: int, among: Sequence[Agreement], lang: Lang) -> str:
    """What somebody has of the ``pot`` by a split, minor units in words: "7,20 €"; where it is not the same if they win, both
    sums."""
    lost, won = part(agreed, pot, among), settlement(pot, agreed.to, among)[agreed.to]
    if lost == won:
        return money(lost, lang)
    both = catalogue(lang).gettext("{sum}, or {other} by winning")
    return both.format(sum=money(lost, lang), other=money(won, lang))


def lapsed(state: State, hand: int, lang: Lang, name: Callable[[str], str] = short) -> tuple[str, ...]:
    """What no longer counts since all came back after the hand with this number (rule 21), a sentence; none where nothing was
    agreed: "No longer counts: Gino 50 % as partner of Anna (rule 21)"."""
    _ = catalogue(lang).gettext
    gone = [one.agreed for one in state.lapsed if one.rule == 21 and one.hand == hand and one.agreed.share]
    said = list[str]()
    for winners in dict.fromkeys(one.winners for one in gone):
        its = [one for one in gone if one.winners == winners and (one.kind == "split" or one.to not in winners)]
        shares = ", ".join(f"{name(one.to)} {percent(one.share, lang)}" for one in its)
        whose = _("{shares} as partner of {winner}") if len(winners) == 1 else _("{shares} as agreed for the pot")
        said += [whose.format(shares=shares, winner=name(winners[0]))] if its else []
    sentence = _("No longer counts: {agreements}") + _(" (rule {rule})")
    return (sentence.format(agreements="; ".join(said), rule=21),) if said else ()


def cut(text: str) -> str:
    """The terms of a Taverna, not too long for a sentence."""
    return text if len(text) <= _MAX_TERMS_LETTERS else text[: _MAX_TERMS_LETTERS - 1] + "…"
