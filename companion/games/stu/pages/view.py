"""From what everybody has seen to what a page for spectators shows, in one language. Pure: no ledger, no clock, no request."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.decks.stu import NAMES
from companion.games.stu import agreed, rules, words
from companion.games.stu.pages import agreements
from companion.games.stu.pages.accounts import accounts
from companion.games.stu.pages.commentary import comment, notes_of, of_earlier, payment_view
from companion.games.stu.pages.doubts import Misread, doubtful, may_pay, misread
from companion.games.stu.pages.score import figures
from companion.games.stu.pages.waiting import waiting
from companion.games.stu.rules import Report, State, report
from companion.games.stu.rules.log import Deal, Penalty, Rebuy, Set, Swap, Taverna
from companion.games.stu.rules.state import HandRulings
from companion.games.stu.words import has
from companion.pages.commentary import deals, last_said
from companion.pages.doubts import hands_told
from companion.pages.moments import Moment, is_sure, last_hand, ruling_sure, unsure_hands
from companion.pages.ruling import doubted_figures, ruling_view
from companion.pages.view import (
    CardView,
    ExchangeView,
    Figure,
    PaymentView,
    Role,
    RulingView,
    SeatView,
    ShareView,
    View,
    ViewSettings,
    no_game,
)
from companion.table.game import Turn
from companion.table.language import Lang, catalogue
from companion.table.money import Sum, as_sum
from companion.table.text import perhaps, sentence, short


class StuSeat(SeatView, frozen=True, kw_only=True):
    """One player, in seat order (anticlockwise). ``change`` is what the shown ruling does to their pedine; ``partners``: with
    whom they have come back since the last hand, "" for nobody; ``doubtful``: the card that lies open
    before them may be another."""

    pedine: int
    virgin: bool
    partners: str = ""
    doubtful: bool = False


class RicomperaView(Struct, frozen=True):
    """Whether an eliminated player may come back, what the next one costs, and how many were paid."""

    open: bool
    price: Sum
    count: int


class StuView(View, frozen=True, kw_only=True):
    """`View.status` is the engine's, or `NO_GAME`."""

    seats: tuple[StuSeat, ...]
    pot: Sum
    ricompera: RicomperaView


def view(moments: Sequence[Moment], lang: Lang, settings: ViewSettings) -> StuView:
    """The view of a game that has come this far; of no game, when there are no moments.

    Nothing but `Moment.seen`, `Moment.laid` and public events go into it, so no face in it is one that nobody showed.
    """
    if not moments:
        nothing = as_sum(0, lang)
        return StuView(
            **no_game("stu", lang), pot=nothing, ricompera=RicomperaView(False, nothing, 0),
        )
    now = moments[-1]
    told = report(now.seen)
    hand = told.hands[-1] if told.hands else None
    cards = misread(moments, settings.sure_from)
    ruling = _ruling(moments, hand, lang, settings) if hand is not None else None
    believed = _believed(moments, told, ruling, settings)
    sure = ruling is None or ruling.sure
    asked, done = asks(now.seen), _exchange(moments)
    return StuView(
        lang=lang,
        game_id="stu",
        status=told.status,
        hand=hand.n if hand is not None else 0,
        seats=_seats(now, ruling, believed, _partners(moments, lang), cards, lang),
        ruling=ruling,
        happened=last_said(
            moments, (), settings.happened, lambda before, moment: _comment(before, moment, lang),
            lambda moment: is_sure(moment, settings.sure_from),
        ),
        message=_message(now.seen, told, lang, sure=sure),
        figures=doubted_figures(figures(told, lang), _figures_before(moments, lang), sure=sure),
        winner=told.winner,
        exchange=asked or done,
        exchange_before=done if asked is not None else None,
        settlement=tuple(ShareView(name, as_sum(amount, lang)) for name, amount in (told.settlement or {}).items()),
        accounts=accounts(now.seen, lang),
        pot=as_sum(told.pot, lang),
        ricompera=RicomperaView(told.ricompera.open, as_sum(told.ricompera.price, lang), told.ricompera.count),
    )


def _ruling(
    moments: Sequence[Moment], hand: HandRulings, lang: Lang, settings: ViewSettings
) -> RulingView | None:
    """The ruling that stands: on the hand in progress as soon as somebody has paid, else on the last hand."""
    now = moments[-1]
    final = now.seen.hand is None
    since = _penalties_since(moments, lang) if hand.void else ()
    if not final and not hand.payments:
        return None
    names = now.seen.table.names
    virgins = [name for name, was in zip(names, now.laid.virgins_before, strict=True) if was] if now.laid else []
    back = {player.name for player in now.seen.players if player.in_play}  # by ricompera: no longer out
    noted = replace(hand, out=tuple(name for name in hand.out if name not in back))
    unsure = doubtful(moments, settings.sure_from)
    lapsed = agreed.lapsed(now.seen, hand.n, lang)
    return ruling_view(
        hand.n,
        [*(_doubted(payment_view(one, lang, hand.dealer), sure=one not in unsure) for one in hand.payments), *since],
        lang,
        final=final,
        sure=ruling_sure(now, settings.sure_from),
        confidence=now.confidence,
        void=hand.void,
        notes=(*notes_of(noted, lang, virgins, unsure), *agreed.notes(now.seen, hand.n, lang, report(now.seen).pot), *lapsed),
    )


def _figures_before(moments: Sequence[Moment], lang: Lang) -> tuple[Figure, ...]:
    """What stood above the table when the hand on it was dealt."""
    hand = last_hand(moments)
    return figures(report((hand[0] if hand else moments[-1]).seen), lang)


def _penalties_since(moments: Sequence[Moment], lang: Lang) -> Iterator[PaymentView]:
    """The penalties that were told since the last hand, which is void: they are of the last one that counts, and that is no
    longer on the screen. Each names that hand."""
    between = itertools.takewhile(lambda pair: pair[0].seen.hand is None, itertools.pairwise(reversed(moments)))
    told = sum(isinstance(now.event, Penalty) and before.seen.hand is None for now, before in between)
    seen = moments[-1].seen
    for paid in seen.hands[seen.last_ended].payments[-told:] if told else ():
        said = payment_view(paid, lang, "")
        yield replace(said, text=of_earlier(said.text, seen, lang), brief=of_earlier(said.brief, seen, lang))


def _doubted(payment: PaymentView, *, sure: bool) -> PaymentView:
    """The payment, with a question mark where why it is paid is not ``sure``. Who pays may still be."""
    return replace(payment, text=perhaps(payment.text, sure=sure), brief=perhaps(payment.brief, sure=sure))


def _believed(moments: Sequence[Moment], told: Report, ruling: RulingView | None, settings: ViewSettings) -> set[str]:
    """The players whose pedine are not sure: a ruling that was not sure changed them, or would have changed them by other cards,
    and since then they have not come back by a ricompera, nor has the table said how they stand."""
    unsure = set(unsure_hands(moments[-1], settings.sure_from))
    if ruling is not None and not ruling.sure:
        unsure.add(ruling.hand)
    found: dict[str, int] = {}
    for n, played in hands_told(rules, moments) if unsure else ():
        if n in unsure and not (hand := told.hands[n - 1]).void:
            found |= dict.fromkeys((*may_pay(played, settings.sure_from), *(paid.player for paid in hand.payments)), n)
    known: dict[str, int] = {}
    for now in moments if found else ():
        if isinstance(now.event, Rebuy | Set):
            known |= dict.fromkeys((now.event.by,) if isinstance(now.event, Rebuy) else now.event.names, len(now.seen.hands))
    return {name for name, number in found.items() if known.get(name, 0) < number}


def asks(seen: State) -> ExchangeView | None:
    """The exchange that is asked for, also past a Salta that was jumped; in a backward run, the offer of the card."""
    if seen.hand is None or (asking := seen.hand.asking) is None:
        return None
    names, order = seen.table.names, seen.hand.order
    return ExchangeView(names[order[asking.asker]], names[order[asking.asked]], pending=True, back=asking.back)


def _exchange(moments: Sequence[Moment]) -> ExchangeView | None:
    """The last exchange of the hand in progress: who asked, and whom."""
    if moments[-1].seen.hand is None:
        return None
    for index in range(len(moments) - 1, 0, -1):
        before = moments[index - 1].seen
        if before.hand is None:
            return None
        if isinstance(moments[index].event, Swap | Taverna) and (done := asks(before)) is not None:
            since = any(not isinstance(moment.event, Deal) for moment in moments[index + 1 :])
            return replace(done, pending=False, past=since)
    return None


def _partners(moments: Sequence[Moment], lang: Lang) -> dict[str, str]:
    """Player → with whom they have come back since the last hand."""
    since = itertools.takewhile(lambda moment: moment.seen.hand is None, reversed(moments))
    back = [moment.event.by for moment in since if isinstance(moment.event, Rebuy)]
    return {by: agreements.partners(by, moments[-1].seen, lang) for by in back}


def _seats(
    now: Moment, ruling: RulingView | None, believed: Collection[str], partners: Mapping[str, str], cards: Misread, lang: Lang
) -> tuple[StuSeat, ...]:
    """Everybody in seat order, with the card that lies before them. ``believed``, ``partners``: from the functions with these
    names; ``cards``: those that may be others."""
    seen, laid = now.seen, now.laid
    roles = _roles(seen)
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
            StuSeat(
                name=player.name,
                in_play=player.in_play,
                in_hand=card is not None and seen.hand is not None,
                dealer=number == dealer and not seen.won,
                has=has(player.pedine, player.virgin, lang),
                role=roles.get(player.name),
                card=card,
                doubtful=card is not None and cards.has(player.name, card.face),
                change=change.get(player.name),
                believed=player.name in believed,
                winner=player.name == seen.winner,
                pedine=player.pedine,
                virgin=player.virgin,
                partners=partners.get(player.name, ""),
            )
        )
    return tuple(seats)


def _roles(seen: State) -> dict[str, Role]:
    """Player → what they are about to do."""
    match waiting(seen):
        case Turn("answer", str(asked), str(asker)):
            return {asker: "asks", asked: "asked"}
        case Turn("draw", str(drawer)):
            return {drawer: "draws"}
        case Turn("keep" | "decide", str(player)):
            return {player: "decides"}
    return {}


def _message(seen: State, told: Report, lang: Lang, *, sure: bool) -> str:
    """The one sentence for the table's middle, below the ruling where one stands; ``sure``: that one is."""
    _ = catalogue(lang).gettext
    hand = seen.hand
    if hand is None:
        if told.winner is not None:
            return perhaps(sentence(words.status(replace(told, winner=short(told.winner)), lang)), sure=sure)
        if told.status == "restarted":
            return perhaps(sentence(words.status(told, lang)), sure=sure)
        return deals(seen.table.names[seen.next_dealer()], seen.hands, lang)
    match waiting(seen):
        case Turn("answer", str(asked), str(asker)):
            back = hand.asking is not None and hand.asking.back
            said = _("Backwards: {player} offers to {asked}") if back else _("{player} passes to {asked}")
            return said.format(player=short(asker), asked=short(asked))
        case Turn("draw", str(drawer)):
            return _("{player} draws from the deck").format(player=short(drawer))
        case Turn("decide" | "keep" as step, str(player)):
            dealing = step == "decide" and hand.turn == hand.dealer_position
            said = _("{player} to decide, with the deck") if dealing else _("{player} to decide")
            return said.format(player=short(player))
    return _("Show the cards")


def _comment(before: State, now: Moment, lang: Lang) -> tuple[str, ...]:
    """The sentence of commentary on what has just happened, if there is one."""
    said = comment(before, now.event, now.seen, lang)
    return (said,) if said is not None else ()
