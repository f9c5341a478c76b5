"""What has happened, as one says it: aloud, over the TV's whole screen, and step by step of the moviola; and what a line says in
its place, beyond its words. Pure."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from typing import Any, Final

from companion.decks.italian_sets import INDEX, mask_of
from companion.games.stoper import words
from companion.games.stoper.pages import phrases
from companion.games.stoper.pages.rulings import balances, left, winner
from companion.games.stoper.pages.view import StoperView
from companion.games.stoper.rules import State, waiting
from companion.games.stoper.rules.log import Busso, Cambio, Event, Muck, Parola, Passo, Set, Show, Void
from companion.games.stoper.rules.log import Hand as HandBegins
from companion.games.stoper.rules.report import in_play
from companion.games.stoper.rules.state import Hand, HandRulings
from companion.pages.commentary import won, won_aloud
from companion.pages.moments import Moment, is_sure, is_tagged, last_hand
from companion.pages.ruling import believed
from companion.pages.view import AnnouncementView
from companion.table.game import Turn
from companion.table.language import Lang, catalogue
from companion.table.money import money
from companion.table.sure import SURE_FROM
from companion.table.text import listed, sentence, short


def told_aloud(moments: Sequence[Moment], view: StoperView, lang: Lang) -> tuple[str, ...]:
    """What the voice can say of the game as it stands, a sentence each; one that was there before is not said again. Nothing
    is said of a hand that may be another."""
    state: State = moments[-1].seen
    laid: Hand | None = moments[-1].laid
    doubtful = {seat.name for seat in view.seats if seat.doubtful}
    if state.hand is not None:
        unsure = [moment for moment in last_hand(moments) if is_tagged(moment, *_STAKES) and not is_sure(moment, SURE_FROM)]
        staked = {moment.event.by for moment in unsure}
        return tuple(_in_hand(state, state.hand, doubtful, staked, lang))
    told = tuple(_over(state.hands[-1], laid, state, doubtful, lang)) if state.hands else ()
    return (*told, *_gone(moments, view, lang), *won_aloud(view))


def _gone(moments: Sequence[Moment], view: StoperView, lang: Lang) -> Iterator[str]:
    """Who went out of a tournament by the last hand, or since."""
    state: State = moments[-1].seen
    hand = last_hand(moments)
    doubted = believed(view)
    gone = [name for name in state.table.named(in_play(hand[0].seen) & ~in_play(state)) if name not in doubted] if hand else []
    if gone and _can_go_out(moments[-1].event, state):
        yield f"{catalogue(lang).gettext('Out of the game')}: {listed(gone, lang)}."


_STAKES: Final = ("buio", "apro", "punto", "vedo", "rilancio")
"""Lines by which somebody puts something in."""


def _in_hand(
    state: State, hand: Hand, doubtful: Collection[str], staked: Collection[str], lang: Lang
) -> Iterator[str]:  # fmt: skip
    """Who is all-in, and who shows what; nothing of the cards of the ``doubtful``. ``staked``: who may not have put in what is
    told."""
    _ = catalogue(lang).gettext
    for seat in hand.order:
        if hand.live >> seat & 1 and not state.stacks[seat]:
            said = _("Perhaps {player} is all-in.") if state.table.names[seat] in staked else _("{player} is all-in.")
            yield said.format(player=state.table.names[seat])
    for seat in hand.order:
        if hand.known[seat].shown and state.table.names[seat] not in doubtful:
            said = phrases.hand(hand.known[seat].shown, state.table.house, lang)
            yield _("{player} shows {hand}.").format(player=state.table.names[seat], hand=said)


def _over(book: HandRulings, laid: Hand | None, state: State, doubtful: Collection[str], lang: Lang) -> Iterator[str]:
    """Whose the pots are, or what stays and what it takes to open. ``doubtful``: whose open cards are not sure."""
    _ = catalogue(lang).gettext
    if book.void:
        yield _("Void hand: the cards are dealt again.")
        return
    if book.unassigned is not None:
        said = _("Nobody opens: the pot stays, {sum}.") if book.unassigned == "no_opening" else _("Parola: the pot stays, {sum}.")
        yield said.format(sum=money(left(book), lang))
        yield _("To open it takes {figure}.").format(figure=phrases.figure(state.carried.level, lang))
        return
    if book.stated:
        for paid in book.payments:
            said = _("{player} wins {sum}.") if paid.delta > 0 else _("{player} loses {sum}.")
            yield said.format(player=paid.player, sum=money(abs(paid.delta), lang))
    for n, pot in enumerate(book.pots, start=1):
        shows = laid is not None and pot.how == "shown" and pot.winner not in doubtful
        shown = laid.known[state.table.names.index(pot.winner)].shown if laid is not None and shows else 0
        text = _("{player} takes {pot} with {hand}.") if shown else _("{player} takes {pot}.")
        named = _("the pot") if len(book.pots) == 1 else _("pot {n}").format(n=n)
        hand = phrases.hand(shown, state.table.house, lang) if shown else ""
        yield sentence(text.format(player=pot.winner, pot=f"{named}, {money(pot.amount, lang)},", hand=hand).replace(",.", "."))
        if not doubtful:
            yield from (f"{sentence(why)}." for why in words.ties(pot, book.pots, lang, cited=False))


def announcements(
    before: State, event: Event, after: State, lang: Lang, sure: bool = True
) -> Iterator[AnnouncementView]:  # fmt: skip
    """What fills the TV's screen: who is out of a tournament by this event, three aces that win a pot, the largest pot so far
    that nobody takes, and who has won."""
    _ = catalogue(lang).gettext
    if len(after.hands) > len(before.hands):
        yield from _rare(after.hands, after, lang)
    gone = after.table.named(in_play(before) & ~in_play(after)) if _can_go_out(event, after) else ()
    if gone:
        yield AnnouncementView("out", _("Out of the game"), gone)
    best = winner(after)
    net = balances(after)[after.table.names.index(best)] if best is not None and after.table.mode == "cash" else 0
    yield from won(winner(before), best, _("The winner"), (words.signed(net, lang),) if net else ())


def _rare(hands: Sequence[HandRulings], state: State, lang: Lang) -> Iterator[AnnouncementView]:
    """What is rare in the hand that is over, the last of these."""
    _, book, earlier = catalogue(lang).gettext, hands[-1], [one for one in hands[:-1] if not one.void]
    if book.void or book.stated:
        return
    for pot in book.pots:
        if pot.how == "shown" and pot.ranking[0].score == THREE_ACES:
            takes = _("Takes {sum}").format(sum=money(pot.amount, lang))
            yield AnnouncementView("rare", _("33: three aces"), (pot.winner,), beneath=(takes,))
    largest = max((max(left(one), *(pot.amount for pot in one.pots), 0) for one in earlier), default=0)
    if book.unassigned == "parola" and earlier and left(book) > largest:
        opens = _("To open it takes {figure}.").format(figure=phrases.figure(state.carried.level, lang))
        yield AnnouncementView("rare", _("Parola: the pot stays"), (money(left(book), lang),), beneath=(opens,))


def _can_go_out(event: Event, after: State) -> bool:
    """In a game for cash nobody is out, as they may buy chips; nor where the table says how it stands."""
    return after.table.mode == "torneo" and not isinstance(event, Set)


THREE_ACES = 33
"""The score of three aces, the highest hand (rule 16)."""
_TOGETHER = (Passo, Parola, Busso, Cambio)


def goes_with(before: Moment, now: Moment) -> bool:
    """Whether an act belongs to the same step of the moviola as the one before: players who pass, see or say the same one after
    another are one step, and so is the exchange of cards."""
    return type(before.event) is type(now.event) and isinstance(now.event, _TOGETHER) and before.seen.hand is not None


def step_said(step: Sequence[Moment], shown: Any, lang: Lang) -> str:
    """A step of the moviola as a sentence."""
    say, event = catalogue(lang), step[-1].event
    names = list(dict.fromkeys(short(moment.event.by) for moment in step if isinstance(moment.event, _TOGETHER)))
    if isinstance(event, HandBegins):
        return say.gettext("All who take part pay cip and invito")
    if isinstance(event, Cambio):
        changed = [f"{short(moment.event.by)} {moment.event.n}" for moment in step]
        return say.gettext("They change: {changed}").format(changed=", ".join(changed))
    if len(names) > 1 and isinstance(event, Passo):
        return say.ngettext("{players} passes", "{players} pass", len(names)).format(players=listed(names, lang))
    if len(names) > 1 and isinstance(event, Busso):
        return say.gettext("{players} say busso").format(players=listed(names, lang))
    if len(names) > 1:
        return say.gettext("{players} say parola").format(players=listed(names, lang))
    return shown.happened[-1] if shown.happened else ""


def named(state: State, cards: Sequence[str], lang: Lang) -> str:
    """What a hand of three cards comes to: "32: due assi e figura"; "" for more or fewer."""
    hand = mask_of(INDEX[kind] for kind in cards)
    return phrases.hand(hand, state.table.house, lang) if hand.bit_count() == 3 else ""


def sense(before: State, event: Event, after: State) -> Hashable:
    """A value that is equal for lines with the same effect: what the table waited for, whose chips become more or fewer, whether
    somebody is out, who deals the hand that begins."""
    hand, waits = before.hand, waiting(before)
    if isinstance(event, Void | Show | Muck):
        return None  # several show at once: the one told last ends the showdown, and means no more by it
    chips = tuple([now - was for was, now in zip(before.stacks, after.stacks, strict=True)])
    if hand is None:
        return chips, after.table.names[after.hand.dealer] if after.hand is not None else None
    out = hand.live & ~after.hand.live if after.hand is not None else 0
    return waits.step if isinstance(waits, Turn) else "", hand.phase, chips, out
