"""What has happened at Lu Stù, as one says it: aloud, and over the TV's whole screen. And what a line says in its place, beyond
its words: the same card shown may answer a passo, or nobody. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from companion.games.stu import agreed, rules
from companion.games.stu.pages import agreements
from companion.games.stu.pages.offers import due
from companion.games.stu.rules import State, report
from companion.games.stu.rules.log import Close, Event, Hand, Passo, Rebuy, Reveal, Set, Split, Sto, Taverna, Void
from companion.games.stu.rules.money import price
from companion.games.stu.rules.trumps import is_trump
from companion.games.stu.rules.waiting import waiting
from companion.pages.commentary import won
from companion.pages.moments import Moment
from companion.pages.ruling import believed
from companion.pages.view import AnnouncementView, RulingView, View
from companion.table.game import Turn
from companion.table.language import Lang, catalogue
from companion.table.money import money
from companion.table.text import listed, perhaps, sentence, short


def calls(moments: Sequence[Moment], view: View, lang: Lang) -> tuple[str, ...]:
    """What can be said of the game as it stands, a sentence each; one that was there before is not said again.

    Where a ruling is not sure, only that is said.
    """
    _ = catalogue(lang).gettext
    ruling = view.ruling
    if ruling is not None and not ruling.sure:
        return (_("Not sure: check it yourselves."),)
    paid = tuple(_payments(ruling, lang, _ties(moments, ruling, lang))) if ruling is not None else ()
    return (*paid, *_afterwards(moments, view, lang))


def _ties(moments: Sequence[Moment], ruling: RulingView, lang: Lang) -> list[str]:
    """Why one of two equal cards pays, where the pages show why anybody pays."""
    said = catalogue(lang).gettext("{player} has the same card as {others}, and is nearest di mano.")
    book = rules.ruling(moments[-1].seen, ruling.hand)
    shown = {paid.cause for paid in ruling.payments if not paid.text.endswith("?")}  # its card may be another
    return [
        said.format(player=paid.player, others=listed(paid.tied, lang))
        for paid in (book.payments if book is not None else ()) if paid.tied and paid.cause == "lowest" and paid.cause in shown
    ]  # fmt: skip


def _payments(ruling: RulingView, lang: Lang, ties: Sequence[str]) -> Iterator[str]:
    """Who pays how many pedine in the hand. Where somebody pays more than once the sum is said to be of all, as the first of it
    may have been called before."""
    say = catalogue(lang)
    _ = say.gettext
    if ruling.void:
        yield _("Void hand: the cards are dealt again.")
    sums, times = Counter[str](), Counter(payment.player for payment in ruling.payments if payment.delta)
    for payment in ruling.payments:
        sums[payment.player] += payment.delta
    for player, delta in sums.items():
        many = say.ngettext("one pedina", "{n} pedine", abs(delta)).format(n=abs(delta))
        if delta:
            text = _("{player} pays: {pedine}.") if delta < 0 else _("{player} gains: {pedine}.")
            if times[player] > 1:
                text = _("{player} pays: {pedine} in all.") if delta < 0 else _("{player} gains: {pedine} in all.")
            yield text.format(player=player, pedine=many)
    yield from ties
    if ruling.final and not ruling.void and not any(sums.values()):
        yield _("Nobody pays.")


def _afterwards(moments: Sequence[Moment], view: View, lang: Lang) -> Iterator[str]:
    _ = catalogue(lang).gettext
    doubted = believed(view)
    for seat in view.seats:
        if seat.name not in doubted and not seat.in_play and seat.change is not None and seat.change < 0:
            yield _("{player} is out.").format(player=seat.name)
    for before, now in _since_the_hand(moments):
        if isinstance(now.event, Rebuy) and now.event.by not in doubted:
            yield _("{player} comes back: ricompera.").format(player=now.event.by)
        elif isinstance(now.event, Split):
            yield _("They agree on the pot: {shares}.").format(shares=agreements.shares(now.seen, lang))
        if isinstance(now.event, Rebuy | Split) and (gone := agreements.instead(before, now.seen, lang)):
            yield f"{sentence(gone.removeprefix('; '))}."
    if doubted:
        return  # what follows from it is not sure either
    if view.status == "restarted":
        yield _("Nobody has a pedina left: all come back, and there are no more ricompere.")
    yield from (f"{gone}." for gone in agreed.lapsed(moments[-1].seen, view.hand, lang))
    yield from _last_virgin(moments, lang)
    if view.status == "won" and view.winner is not None:
        yield _("{winner} has won the game!").format(winner=view.winner)


def _since_the_hand(moments: Sequence[Moment]) -> Sequence[tuple[State, Moment]]:
    """Each moment after the line that began the last hand, with the state before it; nothing while that hand has just begun."""
    begun = next((at for at in range(len(moments) - 1, 0, -1) if isinstance(moments[at].event, Hand)), 0)
    return [(before.seen, now) for before, now in pairwise(moments[begun:])]


def _last_virgin(moments: Sequence[Moment], lang: Lang) -> Iterator[str]:
    """That the last virgin has fallen by the last hand, or since, so that nobody comes back any more."""
    say = catalogue(lang)
    for before, now in _since_the_hand(moments):
        if fallen := _last_virgins(before, now.event, now.seen):
            title = say.ngettext("The last virgin has fallen", "The last virgins have fallen", len(fallen))
            yield f"{title}: {listed(fallen, lang)}."
            if not now.seen.ricompere_open:
                yield f"{say.gettext('Ricompere closed')}."


def announcements(
    before: State, event: Event, after: State, lang: Lang, sure: bool = True
) -> Iterator[AnnouncementView]:  # fmt: skip
    """What fills the TV's screen by this event. Where all have lost their last pedina, nobody is out, and nobody has paid to come
    back (rule 21). Where the table says how it stands, nobody is announced as out or back either."""
    say = catalogue(lang)
    _ = say.gettext

    def pot() -> str:
        """In words; worked out only where something is announced, as most events announce nothing."""
        return _("pot {sum}").format(sum=money(report(after).pot, lang))

    if after.restarted and not before.restarted:
        under = sentence(_("{pot} (rule 21)").format(pot=pot()))
        lapsed = agreed.lapsed(after, after.restarts[-1], lang)
        yield AnnouncementView("restart", _("Nobody has a pedina left"), (_("All come back,"), _("no more ricompere")),
                               beneath=(under, *lapsed))
        return
    yield from _stopped_by(before, event, after, lang)
    pedine = zip(after.table.names, before.pedine, after.pedine, strict=True)
    gone = tuple(name for name, was, now in pedine if was and not now and not isinstance(event, Set))
    if gone:
        yield AnnouncementView("out", say.ngettext("Out: su saupr", "All out: su saupr", len(gone)), gone,
                               beneath=_way_back(after, lang, sure=sure))
    if isinstance(event, Rebuy):
        paid = money(price(before.table.stake, before.ricompere), lang), agreements.partners(event.by, after, lang)
        beneath = ", ".join(filter(None, paid)), sentence(pot()), *_way_back(after, lang, sure=sure)
        yield AnnouncementView("back", _("Ricompera"), (event.by,), beneath=beneath)
    if fallen := _last_virgins(before, event, after):
        title = say.ngettext("The last virgin has fallen", "The last virgins have fallen", len(fallen))
        yield AnnouncementView("closed", title, fallen, beneath=() if before.closed else _way_back(after, lang, sure=sure))
    if isinstance(event, Split):
        yield AnnouncementView("split", _("They agree on the pot"), agreements.shared(after, lang), beneath=(sentence(pot()),))
    if after.won:
        told = report(after)
        taken = (told.settlement or {}).get(told.winner or "", 0)
        part = _("takes {sum} of {pot}").format(sum=money(taken, lang), pot=money(told.pot, lang))
        takes = pot() if taken == told.pot else part
        yield from won(before.winner if before.won else None, after.winner, _("The winner"), (sentence(takes),))


def hangs(before: State, event: Event, after: State) -> int:
    """What a ricompera costs, or the pot that two agree on."""
    if isinstance(event, Rebuy):
        return price(before.table.stake, before.ricompere)
    return report(after).pot if isinstance(event, Split) else 0


def _way_back(state: State, lang: Lang, *, sure: bool) -> tuple[str, ...]:
    """What the next ricompera costs, or that there are no more; nothing in mid-hand, in which that may change, nor once the game
    is won. A question where the ruling that stands is not ``sure``: it may have closed them, or not."""
    _ = catalogue(lang).gettext
    if state.hand is not None or state.won:
        return ()
    if not state.ricompere_open:
        return (perhaps(_("Ricompere closed"), sure=sure),)
    costs = _("The next ricompera costs {sum}").format(sum=money(price(state.table.stake, state.ricompere), lang))
    return (perhaps(costs, sure=sure),)


def _last_virgins(before: State, event: Event, after: State) -> tuple[str, ...]:
    """The players who were the last virgins until a hand ended or a penalty was told. Nobody where the game is won, or where the
    table has set it."""
    if after.hand is not None or after.won or isinstance(event, Set):
        return ()
    was = before.hand.virgins_before if before.hand is not None else before.virgins
    pedine = before.hand.pedine_before if before.hand is not None else before.pedine
    virgins = [virgin and has > 0 for virgin, has in zip(was, pedine, strict=True)]
    if any(player.virgin for player in after.players):
        return ()
    return tuple(name for name, virgin in zip(after.table.names, virgins, strict=True) if virgin)


def _stopped_by(before: State, event: Event, after: State, lang: Lang) -> Iterator[AnnouncementView]:
    """The trump that was shown to the player who asked for an exchange, with what people in Montorio say; nothing of a card that
    is shown at the end."""
    hand = before.hand
    if hand is None or (ask := hand.asking) is None or not isinstance(event, Reveal | Taverna):
        return
    kind = event.card if isinstance(event, Reveal) else "taverna"
    asked, asker = (before.table.names[hand.order[position]] for position in (ask.asked, ask.asker))
    if event.by == asked and is_trump(kind):
        runs = after.hand is not None and after.hand.asking is not None and after.hand.asking.back
        word = _BACKWARDS.get(kind) if ask.back else _RUNS.get(kind) if runs else None
        said = catalogue(lang).gettext("{player} to {asker}").format(player=short(asked), asker=short(asker))
        yield AnnouncementView("card", said, (word or _WORDS[kind],), card=kind)


_WORDS: Final[dict[str, str]] = {
    "taverna": "Fermatevi alquanto", "gnao": "Gnaff!", "salta": "Zumb!", "bragon": "BBum!", "cucco": "Cecata!",
}  # fmt: skip
"""Trump → what is said with it in Montorio, in any language (rules 13 to 17)."""
_RUNS: Final[dict[str, str]] = {"gnao": "Gnaff, cart’arrit!"}
"""Trump → what is said where the card runs back from it (rule 14)."""
_BACKWARDS: Final[dict[str, str]] = {"gnao": "Gnaff e Gnaff!", "bragon": "Gnaff e BBum!"}
"""Trump → what is said where it stops the card that runs back (rules 22, 23)."""


def spelt_out(before: State, event: Event) -> tuple[Event, ...]:
    """The event, after a `sto` of each player whose turn it leaves out (rule 11)."""
    hand = before.hand
    if hand is None or hand.asking is not None or not isinstance(event, Sto | Passo) or event.by not in before.table.names:
        return (event,)
    position = hand.places[before.table.names.index(event.by)]
    left_out = (at for at in range(hand.turn, position) if hand.present >> at & 1)
    return (*(Sto(by=before.table.names[hand.order[at]]) for at in left_out), event)


def sense(before: State, event: Event, after: State) -> Hashable:
    """A value that is equal for lines with the same effect: whom it answers, whom it asks, what is paid for it, who deals the
    hand that it begins, what the ricompera costs, who has won by it: the same `close` says that nobody comes back, or that nobody
    may any more."""
    names, hand = before.table.names, before.hand
    match event:
        case Hand():
            return names[after.hand.dealer] if after.hand is not None else None
        case Rebuy():
            return price(before.table.stake, before.ricompere)
        case Close():
            return after.winner if after.won else None
        case Set():
            return after.pedine, after.virgins, after.ricompere
        case Void():
            return None
    if hand is None:
        return before.last_ended
    waits, ask = waiting(before), hand.asking
    step = waits.step if isinstance(waits, Turn) else ""
    answers = (names[hand.order[ask.asker]], names[hand.order[ask.asked]], ask.back) if ask is not None else None
    paid = after.hand.payments if after.hand is not None else after.hands[-1].payments
    return step, answers, waiting(after) if due(after) else None, paid[len(hand.payments) :]
