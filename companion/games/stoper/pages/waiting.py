"""What the table waits for, as a sentence."""

from __future__ import annotations

from typing import Final

from companion.games.stoper.rules import State, waiting
from companion.games.stoper.rules.cards import Level
from companion.games.stoper.rules.state import NOBODY, Hand, Seat
from companion.table.game import Over, Turn
from companion.table.language import N_, Lang, catalogue
from companion.table.text import short

_OPENS: Final[dict[Level, str]] = {
    "donna": N_("Opening from a Donna: {player} to speak"),
    "cavallo": N_("Opening from a Cavallo: {player} to speak"),
    "re": N_("Opening from a Re: {player} to speak"),
}


def waits_for(state: State, lang: Lang) -> str:
    """What the table waits for: "Opening from a Donna: Bice to speak", "Exchange: Ciro"."""
    _ = catalogue(lang).gettext
    found, hand = waiting(state), state.hand
    if isinstance(found, Over):
        winner = state.winner
        return _("The game is over") if winner == NOBODY else _("{winner} has won").format(winner=state.table.names[winner])
    if not isinstance(found, Turn) or hand is None:
        return _("Between hands")
    return _in_hand(state, hand, found, lang)


def _in_hand(state: State, hand: Hand, turn: Turn, lang: Lang) -> str:
    _ = catalogue(lang).gettext
    player = short(turn.who or "")
    match turn.step:
        case "show":
            due = ", ".join(short(state.table.names[seat]) for seat in still_to_show(hand))
            return _("Showdown: {players} to show").format(players=due)
        case "cambio":
            return _("Exchange: {player}").format(player=player)
        case "raise":
            return _("The blind is seen: {player} to speak").format(player=player)
        case "open" | "blind" if not hand.high:
            return _(_OPENS[hand.level]).format(player=player)
    if hand.phase == "final":
        return _("Final phase: {player} to speak").format(player=player)
    if hand.blind_open:
        return _("Opened blind: {player} to speak").format(player=player)
    return _("Opened: {player} to speak").format(player=player)


def still_to_show(hand: Hand) -> tuple[Seat, ...]:
    """Who must show or concede before the pots are awarded."""
    if hand.phase != "showdown":
        return ()
    return tuple(
        seat for seat in hand.order
        if hand.live >> seat & 1 and seat not in hand.conceded and not hand.known[seat].shown
    )  # fmt: skip
