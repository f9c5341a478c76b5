"""The middle of a table of Stoppa, as the TV draws it: the punto that is played for, or the sequence and what it wants."""

from __future__ import annotations

from msgspec import Struct

from companion.decks.italian_words import card_view
from companion.games.stoppa.pages import phrases
from companion.games.stoppa.pages.public import OnTable, UnsureLines
from companion.games.stoppa.rules import State
from companion.games.stoppa.rules.cards import OF_NUMBER, cards_in
from companion.games.stoppa.rules.declarations import best_group
from companion.games.stoppa.rules.state import Hand, Laid, Table
from companion.pages.view import CardView
from companion.table.language import Lang, catalogue
from companion.table.text import sentence, short

MAX_SHOWN = 6
"""Cards of the pile that are drawn, at most: the last ones."""


class PileCard(Struct, frozen=True):
    """A card of the sequence, as it was put down ``by`` a player; ``sure``: which card, and by whom."""

    card: CardView
    by: str
    sure: bool = True


class NumberView(Struct, frozen=True):
    """A number: how many cards of it are ``left`` in the hands; ``wanted``: the open sequence wants it."""

    number: int
    text: str
    left: int
    wanted: bool = False


class WonView(Struct, frozen=True):
    """A punto of this hand that somebody has won: its name ("Piccolo 1"), the winner, the amount, and the winning group with its
    worth as ``score``, "" and 0 where nobody had to show; ``sure``: whether all of it is."""

    punto: str
    winner: str
    sum: str
    group: str = ""
    score: int = 0
    sure: bool = True


class Centre(Struct, frozen=True, kw_only=True):
    """What lies in the middle.

    Attributes:
        title: what is played for.
        pot: what the winner takes as it stands, "" where nothing is played for. parts: of what it is made.
        wants: what the open sequence wants, or who opens one; "" out of the stoppata.
        pile: the last cards of the sequence, the newest last.
        numbers: those of the deck, as far as they are out; empty out of the stoppata.
        won: the punti of this hand so far.
    """

    title: str
    pot: str = ""
    parts: tuple[str, ...] = ()
    wants: str = ""
    pile: tuple[PileCard, ...] = ()
    numbers: tuple[NumberView, ...] = ()
    won: tuple[WonView, ...] = ()


def centre(state: State, laid: OnTable | None, lang: Lang, doubts: UnsureLines) -> Centre | None:
    """What lies in the middle during a hand, as everybody has seen it; None between hands. ``doubts``: what of it is not sure."""
    hand, table = state.hand, state.table
    if hand is None:
        return None
    won = won_views(table, laid, lang, doubts)
    if hand.grosso_decided:
        return _stoppata(table, hand, won, lang, doubts)
    if hand.betting is None or hand.betting.decided:
        return _between_punti(table, hand, won, lang)
    betting = hand.betting
    _ = catalogue(lang).gettext
    parts = [_("for the taking: {sum}").format(sum=phrases.sum_of(table, betting.prize, lang))]
    parts += [_("bets: {sum}").format(sum=phrases.sum_of(table, betting.bets, lang))] if betting.bets else []
    return Centre(
        title=phrases.punto_title(betting.phase, lang, len(table.deals)),
        pot=phrases.sum_of(table, betting.prize + betting.bets, lang), parts=tuple(parts), won=won,
    )  # fmt: skip


def won_views(table: Table, laid: OnTable | None, lang: Lang, doubts: UnsureLines) -> tuple[WonView, ...]:
    """The punti of the hand on the table that are decided; one that was carried is nobody's."""
    if laid is None:
        return ()
    return tuple(
        WonView(
            sentence(pot.phase.replace("-", " ")), pot.winner, phrases.sum_of(table, pot.prize + pot.bets, lang),
            phrases.group(cards, lang) if cards else "", best_group(cards)[1] if cards else 0, pot.phase not in doubts.punti,
        )
        for pot, cards in zip(laid.hand.pots, laid.won, strict=True)
        if pot.winner is not None
    )  # fmt: skip


def _between_punti(table: Table, hand: Hand, won: tuple[WonView, ...], lang: Lang) -> Centre:
    """Before the first cards, and while the next ones are dealt: what is still to be won."""
    _ = catalogue(lang).gettext
    left = len(table.deals) - hand.iteration
    big = table.big + hand.carried_in
    small = phrases.sum_of(table, table.small, lang)
    parts = [_("{n} punti piccoli of {sum}").format(n=left, sum=small)] if left > 1 else []
    parts += [_("one punto piccolo of {sum}").format(sum=small)] if left == 1 else []
    parts.append(_("punto grosso {sum}").format(sum=phrases.sum_of(table, big, lang)))
    return Centre(
        title=_("To be won"), pot=phrases.sum_of(table, left * table.small + big, lang), parts=tuple(parts), won=won
    )


def _stoppata(table: Table, hand: Hand, won: tuple[WonView, ...], lang: Lang, doubts: UnsureLines) -> Centre:
    _ = catalogue(lang).gettext
    opener = short(table.names[table.after(hand.dealer) if not hand.lays else hand.last])
    said = phrases.wants(hand.wants, lang) if hand.wants else _("{player} opens").format(player=opener)
    sequence = _sequence(hand.lays)
    lying = [
        PileCard(card_view(card, lang), table.names[lay.seat], not doubts.laid >> card & 1)
        for lay in sequence for card in cards_in(lay.cards)
    ]  # fmt: skip
    return Centre(
        title="Stoppata", wants=sentence(said), pile=tuple(lying[-MAX_SHOWN:]),
        numbers=numbers(table, hand, lang), won=won,
    )  # fmt: skip


def _sequence(lays: tuple[Laid, ...]) -> tuple[Laid, ...]:
    """The lays of the last sequence, open or closed."""
    start = max((at for at, lay in enumerate(lays) if not lay.wants), default=0)
    return lays[start:]


def numbers(table: Table, hand: Hand, lang: Lang) -> tuple[NumberView, ...]:
    """How many cards of each number are still in the hands."""
    in_hands = table.deck & ~hand.on_pile
    return tuple(
        NumberView(number, _brief(number, lang), (in_hands & OF_NUMBER[number]).bit_count(), number == hand.wants)
        for number in range(1, 11)
        if table.deck & OF_NUMBER[number]
    )


def _brief(number: int, lang: Lang) -> str:
    """The number in a letter or a digit, where there is no room for more."""
    if number == 1:
        return "A"
    return phrases.number(number, lang)[0].upper() if number in phrases.FIGURES else str(number)
