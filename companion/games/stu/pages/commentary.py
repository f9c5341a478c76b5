"""What has just happened, as a sentence in the language of the table; and why somebody pays."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from companion.games.stu import words
from companion.games.stu.pages import agreements
from companion.games.stu.rules import State, log
from companion.games.stu.rules.log import Event
from companion.games.stu.rules.state import HandRulings, Irregularity, Payment
from companion.pages.view import PaymentView
from companion.table.language import Lang, catalogue
from companion.table.setting import set_said
from companion.table.text import sentence, short


def comment(before: State, event: Event, after: State, lang: Lang) -> str | None:
    """The sentence for what has just happened between two states, None for what is not worth one (a card dealt)."""
    _ = catalogue(lang).gettext
    hand = before.hand
    names = [short(name) for name in before.table.names]
    match event:
        case log.Hand() if after.hand is not None:
            return _("Hand {n}: {dealer} has the deck").format(n=after.hand.n, dealer=names[after.hand.dealer])
        case log.Hand():
            return _("Nobody comes back: {player} has won").format(player=short(after.winner or ""))
        case log.Sto():
            return _("{player} stays").format(player=short(event.by))
        case log.Passo():
            ask = after.hand.asking if after.hand is not None else None
            if ask is None or after.hand is None:
                return _("{player} changes with the deck").format(player=short(event.by))
            said = _("Backwards: {player} sends the card on to {asked}") if ask.back else _("{player} passes to {asked}")
            return said.format(player=short(event.by), asked=names[after.hand.order[ask.asked]])
        case log.Swap() if hand is not None and hand.asking is not None:
            asker = names[hand.order[hand.asking.asker]]
            return _("{player} and {asked} exchange cards").format(player=asker, asked=short(event.with_))
        case log.Taverna():
            said = _("{player} shows the Taverna and gives it away").format(player=short(event.by))
            return f"{said}: {agreed}" if (agreed := agreements.terms(event, lang)) else said
        case log.Draw():
            return _("{player} draws from the deck").format(player=short(event.by))
        case log.Reveal():
            return _("{player} shows {card}").format(player=short(event.by), card=words.card(event.card, lang))
        case log.End():
            return _("The hand is over")
        case log.Rebuy():
            said = _("{player} comes back by ricompera").format(player=short(event.by))
            others = agreements.partners(event.by, after, lang, sums=False)
            return " ".join(filter(None, (said, others))) + agreements.instead(before, after, lang)
        case log.Matto():
            return _("One Matto out of the deck") if event.in_deck == 1 else _("Two Matti in the deck again")
        case log.Penalty():
            said = _("{player} pays a pedina as a penalty").format(player=short(event.player))
            return of_earlier(said, after, lang) if hand is None else said
        case log.Void():
            return _("Void hand: the cards are dealt again")
        case log.Set():
            return set_said(words.stands(event, lang), event, lang)
        case log.Split():
            both = _(" and ").join(short(name) for name in event.shares)
            said = _("{players} agree on shares of the pot").format(players=both)
            return f"{said}: {agreements.shares(after, lang)}{agreements.instead(before, after, lang)}"
        case log.Close():
            return _("No more ricompere")
        case _:
            return None


def of_earlier(said: str, after: State, lang: Lang) -> str:
    """What is ``said`` of a penalty between two hands, with the hand that it is of where that is not the last one: a void hand
    has none. ``after``: the game after it."""
    n = after.last_ended + 1
    return said if n == len(after.hands) else catalogue(lang).gettext("{said}, of hand {n}").format(said=said, n=n)


def line_text(before: State, event: Event, after: State, lang: Lang) -> str:
    """The line of a log as a sentence, with the face in it."""
    said = comment(before, event, after, lang)
    if isinstance(event, log.Deal):
        said = catalogue(lang).gettext("{player} is dealt a card").format(player=short(event.to))
    assert said is not None, "what else the commentary passes over is no line of a hand"
    return f"{said}: {words.card(event.card, lang)}" if isinstance(event, log.Deal | log.Draw) and event.card else said


def together(events: Sequence[Event], index: int) -> tuple[int, int]:
    """The lines (first index, index after the last) to correct together: a passo and its exchange, as one seldom happened without
    the other."""
    def passo(at: int) -> bool:
        return 0 <= at < len(events) and isinstance(events[at], log.Passo)

    def exchange(at: int) -> bool:
        return 0 <= at < len(events) and isinstance(events[at], log.Swap | log.Draw | log.Taverna)

    start = index - 1 if exchange(index) and passo(index - 1) else index
    return start, index + 2 if passo(index) and exchange(index + 1) else index + 1


def payment_view(payment: Payment, lang: Lang, dealer: str) -> PaymentView:
    """The payment as pages show it; `dealer` is who dealt that hand."""
    by = short(payment.by) if payment.by is not None else None
    brief = words.brief(replace(payment, by=by), lang, dealer)
    said = why(payment, lang, dealer)
    return PaymentView(payment.player, payment.delta, payment.cause, payment.rule, said, payment.card, brief)


def why(payment: Payment, lang: Lang, dealer: str) -> str:
    """Why this payment falls due, as a sentence with its rule; `dealer` is who dealt that hand."""
    by = short(payment.by) if payment.by is not None else None
    said = words.payment(replace(payment, player=short(payment.player), by=by), lang, short(dealer))
    return said if said.startswith(short(payment.player)) else sentence(said)


def notes_of(
    hand: HandRulings, lang: Lang, virgins: Collection[str], doubtful: Collection[Payment | Irregularity] = ()
) -> tuple[str, ...]:
    """What else there is to say of a hand: who is out, what was irregular, and what of that is `doubtful`. `virgins` were so when
    it began."""
    brief = replace(
        hand,
        payments=tuple(replace(paid, player=short(paid.player)) for paid in hand.payments),
        out=tuple(short(name) for name in hand.out),
        irregularities=tuple(replace(found, player=short(found.player)) for found in hand.irregularities),
    )
    unsure = [replace(found, player=short(found.player)) for found in hand.irregularities if found in doubtful]
    return tuple(sentence(note) for note in words.aftermath(brief, lang, [short(name) for name in virgins], unsure))
