"""What the table waits for: in few words for the phone; and at length for the TV, whose word it is, what they may say and what
seeing costs them. Pure."""

from __future__ import annotations

from typing import Final

from companion.games.stoper.pages import phrases
from companion.games.stoper.pages.rulings import winner
from companion.games.stoper.rules import State, phases, waiting
from companion.games.stoper.rules.betting import smallest
from companion.games.stoper.rules.cards import Level
from companion.games.stoper.rules.joining import expected_in, next_dealer
from companion.games.stoper.rules.state import Hand, Seat
from companion.pages.commentary import deals
from companion.table.game import Over, Turn
from companion.table.language import N_, Lang, catalogue
from companion.table.money import money
from companion.table.text import listed, short

_OPENS: Final[dict[Level, str]] = {
    "donna": N_("Opening from a knave (Donna): {player}"),
    "cavallo": N_("Opening from a knight (Cavallo): {player}"),
    "re": N_("Opening from a king (Re): {player}"),
}


def waits_for(state: State, lang: Lang) -> str:
    """What the table waits for: "Opening from a knave (Donna): Bice", "Exchange: Ciro"."""
    _ = catalogue(lang).gettext
    found, hand = waiting(state), state.hand
    if isinstance(found, Over):
        return message(state, lang)
    if not isinstance(found, Turn) or hand is None:
        return _("Between hands")
    return _in_hand(state, hand, found, lang)


def _in_hand(state: State, hand: Hand, turn: Turn, lang: Lang) -> str:
    _ = catalogue(lang).gettext
    player = short(turn.who or "")
    match turn.step:
        case "show":
            due = listed([short(state.table.names[seat]) for seat in still_to_show(hand)], lang)
            return _("Showdown: {players} to show").format(players=due)
        case "cambio":
            return _("Exchange: {player}").format(player=player)
        case "raise":
            return _("The blind is seen: {player} to speak").format(player=player)
        case "open" | "blind" if not hand.high:
            message = _OPENS[hand.level]
            return _(message).format(player=player)
    if hand.phase == "final":
        return _("Final phase: {player} to speak").format(player=player)
    if hand.blind_open:
        return _("Opened blind: {player} to speak").format(player=player)
    return _("Opened: {player} to speak").format(player=player)


def message(state: State, lang: Lang) -> str:
    """The one sentence that says what the table waits for."""
    _ = catalogue(lang).gettext
    wait, hand, names = waiting(state), state.hand, [short(name) for name in state.table.names]
    if isinstance(wait, Over):
        return _over(state, lang)
    if hand is None or not isinstance(wait, Turn):
        return deals(state.table.names[next_dealer(state, expected_in(state))], state.hands, lang)
    if wait.who is None:
        left = [names[seat] for seat in still_to_show(hand)]
        said = catalogue(lang).ngettext("{players} is to show", "{players} are to show", len(left))
        return said.format(players=listed(left, lang))
    return _word(state, hand, state.table.names.index(wait.who), wait.step, lang)


def _over(state: State, lang: Lang) -> str:
    _ = catalogue(lang).gettext
    best = winner(state)
    if best is None:
        return _("The game is over")
    said = _("{winner} has won the tournament") if state.table.mode == "torneo" else _("{winner} has won most")
    return said.format(winner=short(best))


def still_to_show(hand: Hand) -> tuple[Seat, ...]:
    """The players who must show or concede before the showdown is decided."""
    return tuple(
        seat for seat in hand.order
        if hand.phase == "showdown" and hand.live >> seat & 1 and not hand.known[seat].shown and seat not in hand.conceded
    )  # fmt: skip


def _word(state: State, hand: Hand, seat: Seat, step: str, lang: Lang) -> str:
    """What the player in turn may do."""
    _ = catalogue(lang).gettext
    who = short(state.table.names[seat])
    least = money(min(smallest(state, hand), state.stacks[seat]), lang) if not hand.high else ""
    match step:
        case "blind":
            return _blind(state, hand, seat, lang)
        case "open" if hand.before.parola:
            said = _("{player} opens with {sum} or more, and {figure}, or passes the word")
            return said.format(player=who, sum=least, figure=phrases.figure(hand.level, lang))
        case "open":
            said = _("{player} opens with {figure}, for {sum} or more, or passes the word")
            return said.format(player=who, sum=least, figure=phrases.figure(hand.level, lang))
        case "raise":
            return _("{player} raises the blind or leaves it").format(player=who)
        case "cambio":
            return _("{player} changes two cards, one or none").format(player=who)
        case "speak":
            parola = len(phases.with_chips(state, hand, hand.order)) == hand.live.bit_count()
            said = _("{player}: punto from {sum}, busso, parola or passo")
            said = said if parola else _("{player}: punto from {sum}, busso or passo")
            return said.format(player=who, sum=least)
    return _answer(state, hand, seat, lang)


def _blind(state: State, hand: Hand, seat: Seat, lang: Lang) -> str:
    """The next blind, or what else is open."""
    _ = catalogue(lang).gettext
    who = short(state.table.names[seat])
    found = phases.next_blind(state, hand)
    cost = money(found[1], lang) if found is not None else ""
    blind = phrases.BLINDS[min(hand.blinds, 2)]
    if not hand.high:
        return _("{player}: {blind} of {sum}, or the cards are dealt").format(player=who, blind=blind, sum=cost)
    due = money(min(hand.high - hand.totals[seat], state.stacks[seat]), lang)
    return _("{player}: {blind} of {sum}, sees with {due} or passes").format(player=who, blind=blind, sum=cost, due=due)


def _answer(state: State, hand: Hand, seat: Seat, lang: Lang) -> str:
    """What seeing costs, and whether a raise is allowed and from what on."""
    _ = catalogue(lang).gettext
    who = short(state.table.names[seat])
    due, stack = hand.high - hand.totals[seat], state.stacks[seat]
    if stack <= due:
        return _("{player} sees with all they have, {sum}, or passes").format(player=who, sum=money(stack, lang))
    if hand.blind_open or not phases.anybody_else_has_chips(state, hand, seat):
        return _("{player} sees with {sum} or passes").format(player=who, sum=money(due, lang))
    said = _("{player} sees with {sum}, raises above {high} or passes")
    return said.format(player=who, sum=money(due, lang), high=money(hand.high, lang))
