"""What a hand of Stoppa comes to, as the pages show it: a punto that is won, what the stoppata or a declaration costs whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final

from companion.games.stoppa import words
from companion.games.stoppa.pages import phrases
from companion.games.stoppa.pages.public import OnTable, UnsureLines
from companion.games.stoppa.rules import State, ruling
from companion.games.stoppa.rules.state import Cause, Doubtful, Hand, HandRulings, How, Payment, Pot, Table
from companion.pages.moments import Moment, ruling_sure, unsure_hands
from companion.pages.ruling import ruling_view
from companion.pages.view import PaymentView, RulingView, ViewSettings
from companion.table.language import N_, Lang, catalogue
from companion.table.story import only_the_outcome
from companion.table.text import perhaps, sentence, short

_WON: Final[dict[How, str]] = {
    "conceded": N_("all others have conceded"),
    "alone": N_("all others have passed"),
    "dealer": N_("deals, and nobody bets"),
    "stated": N_("as the table has said"),
}


NO_BET_TOLD = N_("nobody has entered a bet")
"""Why the dealer has a punto, where only the outcome of the hand is known."""
_MAX_NAMED = 3
"""Payers named in the headline, at most; for more it says what they pay together."""


def hand_ruling(now: Moment, lang: Lang, settings: ViewSettings, doubts: UnsureLines) -> RulingView | None:
    """The ruling that stands: on the last hand, once it is over; during a hand on what was declared, or on the punto that has
    just been won. None while a punto is played for. ``doubts``: what is not sure of a hand in progress."""
    table, hand = now.seen.table, now.seen.hand
    number = len(now.seen.hands) + (hand is not None)
    book = ruling(now.seen, number)
    if book is None:
        return None
    sure = ruling_sure(now, settings.sure_from)
    if book.void:
        return ruling_view(number, (), lang, final=True, sure=sure, confidence=now.confidence, void=True)
    if hand is not None and not hand.declared:
        decided = hand.betting is not None and hand.betting.decided and not hand.begun
        return _of_punto(now, book, lang, doubts, sure=book.pots[-1].phase not in doubts.punti, final=False) if decided else None
    if book.stoppata is None and not book.declared:
        return _of_punto(now, book, lang, doubts, sure=sure, final=True)
    payments = tuple(payments_of(book, now.laid, table, lang))
    notes = (*not_told(book, table, lang), *notes_of(book, lang, doubts.mistakes))
    return ruling_view(
        number, payments, lang, final=hand is None, sure=sure, confidence=now.confidence, notes=notes,
        amount=lambda owed: phrases.sum_of(table, owed, lang), said=_headline(book, table, lang, sure=sure),
    )  # fmt: skip


def _headline(book: HandRulings, table: Table, lang: Lang, *, sure: bool) -> tuple[str, ...]:
    """The headline where too many pay to be named in one line; empty where they are few."""
    _ = catalogue(lang).gettext
    receivers = {paid.to for paid in book.payments}
    if len(book.payments) <= _MAX_NAMED or len(receivers) != 1:
        return ()
    to, taken = book.payments[0].to, sum(paid.amount for paid in book.payments)
    if book.stoppata is not None:
        said = _("{player} stops and takes {n}") if sure else _("Perhaps {player} stops and takes {n}")
        return (said.format(player=short(to), n=phrases.sum_of(table, taken, lang)),)
    said = _("All others pay {player} {n}") if sure else _("Perhaps all others pay {player} {n}")
    return (said.format(player=short(to), n=phrases.sum_of(table, book.payments[0].amount, lang)),)


def _of_punto(now: Moment, book: HandRulings, lang: Lang, doubts: UnsureLines, *, sure: bool, final: bool) -> RulingView:
    """The ruling on the last punto: who has won it, with which cards, against whom. ``doubts``: which cards are not sure."""
    _ = catalogue(lang).gettext
    table, pot, laid = now.seen.table, book.pots[-1], now.laid
    amount = phrases.sum_of(table, pot.prize + pot.bets, lang)
    if pot.winner is None:
        said = _("Nobody bets: {sum} stay on the table").format(sum=amount)
    else:
        said = (_("{player} takes {n}") if sure else _("Perhaps {player} takes {n}")).format(player=short(pot.winner), n=amount)
    notes = (_("This was the last hand: it has no stoppata"),) if final else ()
    compared = tuple(_compared(pot, laid, table, doubts, lang))
    return ruling_view(
        book.n, compared, lang, final=final, sure=sure, confidence=now.confidence, notes=notes,
        amount=lambda won: phrases.sum_of(table, won, lang), about=phrases.punto_title(pot.phase, lang), said=(said,),
    )  # fmt: skip


def _compared(pot: Pot, laid: OnTable | None, table: Table, doubts: UnsureLines, lang: Lang) -> Iterator[PaymentView]:
    """The winner with what they take, and whom they have beaten with what; cards that may be others have a question mark."""
    betting = laid.hand.betting if laid is not None else None
    rule = words.RULE_OF[pot.phase.partition("-")[0]]
    title = phrases.punto_title(pot.phase, lang)
    if pot.winner is not None and not pot.ranking:
        message = _WON[pot.how] if pot.how != "stated" or pot.bets else NO_BET_TOLD
        brief = catalogue(lang).gettext(message)
        cited = 0 if pot.how == "stated" else rule
        yield PaymentView(pot.winner, pot.prize + pot.bets, pot.how, cited, f"{title}, {brief}", brief=brief)
    for place, ranked in enumerate(pot.ranking):
        cards = betting.shown[table.names.index(ranked.player)] if betting is not None else 0
        brief = phrases.group(cards, lang) if cards else str(ranked.score)
        brief = "; ".join((brief, *words.ties(pot, lang, cited=False))) if place == 0 else brief
        named = words.compared(pot) if place == 0 else {ranked.player}
        brief = perhaps(brief, sure=not any((name, pot.phase) in doubts.shown for name in named))
        yield PaymentView(
            ranked.player, pot.prize + pot.bets if place == 0 else 0, pot.how, rule, f"{title}, {brief}", brief=brief
        )
    if betting is not None and betting.mucked:
        conceded = catalogue(lang).gettext("does not show")
        for seat, name in enumerate(table.names):
            if betting.mucked >> seat & 1:
                yield PaymentView(name, 0, "muck", rule, f"{short(name)}: {conceded}", brief=conceded)


def payments_of(book: HandRulings, laid: OnTable | None, table: Table, lang: Lang) -> Iterator[PaymentView]:
    """Who pays for the stoppata, or for a declaration, and who is paid; for a stoppata also the players who have nothing to
    pay."""
    if book.stoppata is not None and book.stoppata.winner is not None:
        yield from _of_stoppata(book, laid, table, lang)
        return
    for to in dict.fromkeys(paid.to for paid in book.payments):
        owed = [paid for paid in book.payments if paid.to == to]
        for paid in owed:
            yield _payment(paid, declaration(paid.cause, to, lang), lang, table)
        cause = owed[0].cause
        message = _HOLDS[cause]
        brief = catalogue(lang).gettext(message)
        told = f"{short(to)}: {brief}"
        yield PaymentView(to, sum(paid.amount for paid in owed), cause, words.RULE_OF[cause], told, brief=brief)


def _of_stoppata(book: HandRulings, laid: OnTable | None, table: Table, lang: Lang) -> Iterator[PaymentView]:
    _ = catalogue(lang).gettext
    assert book.stoppata is not None
    winner = book.stoppata.winner
    assert winner is not None
    owed = {paid.payer: paid for paid in book.payments}
    for seat in table.round_from(table.names.index(winner))[1:]:
        name = table.names[seat]
        left = table.size - book.stoppata.laid[name]
        why = price_of(left, table, lang)
        if name in owed:
            yield _payment(owed[name], why, lang, table)
        else:
            yield PaymentView(name, 0, "stoppata", words.RULE_OF["stoppata"], f"{short(name)}: {why}", brief=why)
    brief = _("stoppata di mano: stops at the first turn") if laid is not None and di_mano(laid.hand, table) else _("stops")
    taken = sum(paid.amount for paid in book.payments)
    yield PaymentView(winner, taken, "stoppata", words.RULE_OF["stoppata"], f"{short(winner)}: {brief}", brief=brief)


def price_of(left: int, table: Table, lang: Lang) -> str:
    """What ``left`` cards left in hand cost: for each two (or three) of them the misera, the odd ones nothing: *strush't* (rule
    15)."""
    say = catalogue(lang)
    times, odd = divmod(left, table.house.cards_per_misera)
    unit = table.misera if table.house.stoppata_unit == "misera" else table.house.stoppata_unit
    cards, owed = say.ngettext("{n} card", "{n} cards", left).format(n=left), phrases.sum_of(table, unit, lang)
    if not times:
        return f"{cards}: strush’t"
    said = f"{cards}: {owed}" if times == 1 else f"{cards}: {times} × {owed}"
    free = say.ngettext("strush’t for the odd one", "strush’t for {n}", odd).format(n=odd)
    return f"{said}, {free}" if odd else said


def di_mano(hand: Hand, table: Table) -> bool:
    """Whether the mano stopped at their first turn: nobody else has laid anything."""
    mano = table.after(hand.dealer)
    return hand.ending == "stop" and hand.winner == mano and not any(map(hand.many_laid, table.round_from(mano)[1:]))


_HOLDS: Final[dict[Cause, str]] = {"four_kings": N_("the four Re"), "misera": N_("misera: no figure in hand")}


def declaration(cause: str, to: str, lang: Lang) -> str:
    """The declaration for which the others pay: "misera di Anna"."""
    _ = catalogue(lang).gettext
    said = _("the four Re of {player}") if cause == "four_kings" else _("the misera of {player}")
    return said.format(player=short(to))


def _payment(paid: Payment, brief: str, lang: Lang, table: Table) -> PaymentView:
    _ = catalogue(lang).gettext
    owed = phrases.sum_of(table, paid.amount, lang)
    said = _("{player} pays {to} {sum}").format(player=short(paid.payer), to=short(paid.to), sum=owed)
    return PaymentView(paid.payer, -paid.amount, paid.cause, words.RULE_OF[paid.cause], f"{said}: {brief}", brief=brief)


def notes_of(book: HandRulings, lang: Lang, doubtful: Collection[Doubtful] = ()) -> tuple[str, ...]:
    """What else there is to say of a hand that is over or declared: who declared what, its punti, what was irregular, and what of
    that is ``doubtful``."""
    _ = catalogue(lang).gettext
    said = [words.declared(short(one.player), one.what, lang) for one in book.declared or ()]
    if book.stoppata is not None and book.stoppata.annulled:
        said.append(_("All agree: no stoppata in this hand"))
    said += [
        perhaps(words.irregularity(found, lang, where=False), sure=found not in doubtful) for found in book.irregularities
    ]
    said += [only_the_outcome(lang)] if book.stated else []
    return tuple(sentence(one) for one in said)


def not_told(book: HandRulings, table: Table, lang: Lang) -> Iterator[str]:
    """Where only the outcome of the hand is known: what everybody has for punti that were not decided when it was said."""
    found = Counter[str]()
    for pot in book.pots:
        if pot.how == "stated" and pot.winner is not None:
            found[pot.winner] += pot.prize + pot.bets
    bets = any(pot.how == "stated" and pot.bets for pot in book.pots)
    for name, amount in found.items():
        text = catalogue(lang).gettext("{player} takes {sum} for punti")
        said = text.format(player=short(name), sum=phrases.sum_of(table, amount, lang))
        yield said if bets else f"{said}: {catalogue(lang).gettext(NO_BET_TOLD)}"


def touched(book: HandRulings) -> set[str]:
    """The players whose balance this hand has changed by what was seen: winners of punti, and those who paid or were paid after
    them."""
    found = {pot.winner for pot in book.pots if pot.winner is not None}
    return found | {name for paid in book.payments for name in (paid.payer, paid.to)} if not book.void else set()


def _at_stake(book: HandRulings) -> set[str]:
    """The players whose balance hangs on this hand: whom it has `touched`, and who would have won a punto by other cards."""
    return touched(book) | {ranked.player for pot in book.pots for ranked in pot.ranking}


def believed(now: Moment, shown: RulingView | None, settings: ViewSettings, doubts: UnsureLines) -> set[str]:
    """The players whose balance is not sure: a ruling that was not sure changed it, or a punto of this hand that is not."""
    state: State = now.seen
    known = {name: setting.after for setting in state.settings for name in setting.event.names}  # the table has said it since
    unsure = unsure_hands(now, settings.sure_from)
    found = {name for n in unsure for name in _at_stake(state.hands[n - 1]) if known.get(name, 0) < n}
    for pot in state.hand.pots if state.hand is not None else ():
        if pot.phase in doubts.punti and pot.winner is not None:
            found |= {pot.winner, *(ranked.player for ranked in pot.ranking)}
    if shown is not None and not shown.sure:
        found |= {paid.player for paid in shown.payments if paid.delta and known.get(paid.player, -1) < shown.hand}
    return found


def winner(state: State) -> str | None:
    """The player who has won most in a game that is over; None while it goes on, where two have won the same, and where nobody
    has won."""
    most = max(state.balances)
    if not state.over or most <= 0 or state.balances.count(most) > 1:
        return None
    return state.table.names[state.balances.index(most)]
