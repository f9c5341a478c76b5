"""From what everybody has seen to what a page shows, in one language. Pure: no ledger, no clock, no request."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.dashboard.settings import Settings
from companion.dashboard.view import CardView, PaymentView, Ricompera, Role, Ruling, Seat, Share, Sum, View
from companion.decks.stu import NAMES
from companion.games.stu import words
from companion.games.stu.pages.commentary import comment, notes_of, sentence, short, why
from companion.games.stu.pages.public import Moment
from companion.games.stu.pages.sums import money
from companion.games.stu.rules import Hand, Report, State, report
from companion.games.stu.rules.state import HandRulings
from companion.table.language import Lang, catalogue


def projection(moments: Sequence[Moment], lang: Lang, settings: Settings) -> View:
    """The view of a game that has come this far; of no game, when there are no moments.

    Nothing but `Moment.seen`, `Moment.laid` and public events go into it, so no face in it is one that nobody showed.
    """
    if not moments:
        nothing = Sum(0, money(0, lang))
        message = catalogue(lang).gettext("No game yet: this page starts by itself when one begins")
        return View(lang, "no_game", 0, (), nothing, Ricompera(False, nothing, 0), None, (), message)
    now = moments[-1]
    told = report(now.seen)
    hand = told.hands[-1] if told.hands else None
    ruling = _ruling(now, hand, lang, settings) if hand is not None else None
    price = Sum(told.ricompera.price, money(told.ricompera.price, lang))
    return View(
        lang=lang,
        status=told.status,
        hand=hand.n if hand is not None else 0,
        seats=_seats(now, ruling, lang),
        pot=Sum(told.pot, money(told.pot, lang)),
        ricompera=Ricompera(told.ricompera.open, price, told.ricompera.count),
        ruling=ruling,
        happened=_happened(moments, lang, settings.happened),
        message=_message(now.seen, told, lang),
        winner=told.winner,
        settlement=tuple(
            Share(name, Sum(amount, money(amount, lang))) for name, amount in (told.settlement or {}).items()
        ),
    )


def _ruling(now: Moment, hand: HandRulings, lang: Lang, settings: Settings) -> Ruling | None:
    """The ruling that stands: of the hand in progress as soon as somebody has paid, else of the last hand."""
    final = now.seen.hand is None
    if not final and not hand.payments:
        return None
    names = now.seen.table.names
    virgins = [name for name, was in zip(names, now.laid.virgins_before, strict=True) if was] if now.laid else []
    return Ruling(
        hand=hand.n,
        final=final,
        sure=now.confidence is None or now.confidence >= settings.sure_from,
        confidence=now.confidence,
        void=hand.void,
        payments=tuple(
            PaymentView(p.player, p.delta, p.cause, p.rule, why(p, lang, hand.dealer), p.card) for p in hand.payments
        ),
        notes=notes_of(hand, lang, virgins),
    )  # fmt: skip


def _seats(now: Moment, ruling: Ruling | None, lang: Lang) -> tuple[Seat, ...]:
    """Everybody in seat order, with the card that lies before them."""
    seen, laid = now.seen, now.laid
    roles = _roles(seen.hand) if seen.hand is not None else {}
    dealer = laid.dealer if laid is not None else seen.next_dealer()
    change: dict[str, int] = {}
    for payment in ruling.payments if ruling is not None else ():
        change[payment.player] = change.get(payment.player, 0) + payment.delta
    seats = []
    for number, player in enumerate(seen.players):
        position = laid.order.index(number) if laid is not None and number in laid.order else None
        card = None
        if laid is not None and position is not None and laid.still_in(position):
            face = laid.face_of(position)
            card = CardView(face, NAMES[face].it if face is not None else "")
        seats.append(
            Seat(
                name=player.name,
                pedine=player.pedine,
                virgin=player.virgin,
                in_play=player.in_play,
                in_hand=card is not None and seen.hand is not None,
                dealer=number == dealer and not seen.won,
                role=roles.get(number),
                card=card,
                change=change.get(player.name),
                winner=player.name == seen.winner,
            )
        )
    return tuple(seats)


def _roles(hand: Hand) -> dict[int, Role]:
    """Seat → what that player is about to do. Nobody has one once cards are shown unasked: that is the showdown."""
    if hand.asking is not None:
        return {hand.order[hand.asking.asker]: "asks", hand.order[hand.asking.asked]: "asked"}
    if hand.drawing >= 0:
        return {hand.order[hand.drawing]: "draws"}
    if hand.back >= 0:
        return {hand.order[hand.back]: "decides"}
    if hand.turn < len(hand.order) and not hand.early:
        return {hand.order[hand.turn]: "decides"}
    return {}


def _message(seen: State, told: Report, lang: Lang) -> str:
    """The one sentence for the table's middle, below the ruling where one stands."""
    _ = catalogue(lang).gettext
    names = [short(name) for name in seen.table.names]
    hand = seen.hand
    if hand is None:
        if told.winner is not None:
            return sentence(words.status(replace(told, winner=short(told.winner)), lang))
        if told.status == "restarted":
            return sentence(words.status(told, lang))
        said = _("{player} deals next") if seen.hands else _("About to begin: {player} deals")
        return said.format(player=names[seen.next_dealer()])
    roles = {role: names[seat] for seat, role in _roles(hand).items()}
    if hand.asking is not None:
        said = _("Backwards: {player} offers to {asked}") if hand.asking.back else _("{player} passes to {asked}")
        return said.format(player=roles["asks"], asked=roles["asked"])
    if "draws" in roles:
        return _("{player} draws from the deck").format(player=roles["draws"])
    if "decides" in roles:
        dealing = hand.back < 0 and hand.turn == hand.dealer_position
        said = _("{player} to decide, with the deck") if dealing else _("{player} to decide")
        return said.format(player=roles["decides"])
    return _("Show the cards")


def _happened(moments: Sequence[Moment], lang: Lang, most: int) -> tuple[str, ...]:
    """The last sentences of commentary, oldest first."""
    told: list[str] = []
    for index in range(len(moments) - 1, 0, -1):
        said = comment(moments[index - 1].seen, moments[index].event, moments[index].seen, lang)
        if said is not None:
            told.append(said)
        if len(told) == most:
            break
    return tuple(reversed(told))
