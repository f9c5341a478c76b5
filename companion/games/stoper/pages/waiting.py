"""What the table waits for, in few words for the phone; `wanted` says it at length."""

from __future__ import annotations

from typing import Final

from companion.games.stoper.pages import wanted
from companion.games.stoper.rules import State, waiting
from companion.games.stoper.rules.cards import Level
from companion.games.stoper.rules.state import Hand
from companion.table.game import Over, Turn
from companion.table.language import N_, Lang, catalogue
from companion.table.text import short

_OPENS: Final[dict[Level, str]] = {
    "donna": N_("Opening from a Donna: {player}"),
    "cavallo": N_("Opening from a Cavallo: {player}"),
    "re": N_("Opening from a Re: {player}"),
}


def waits_for(state: State, lang: Lang) -> str:
    """What the table waits for: "Opening from a Donna: Bice to speak", "Exchange: Ciro"."""
    _ = catalogue(lang).gettext
    found, hand = waiting(state), state.hand
    if isinstance(found, Over):
        return wanted.message(state, lang)
    if not isinstance(found, Turn) or hand is None:
        return _("Between hands")
    return _in_hand(state, hand, found, lang)


def _in_hand(state: State, hand: Hand, turn: Turn, lang: Lang) -> str:
    _ = catalogue(lang).gettext
    player = short(turn.who or "")
    match turn.step:
        case "show":
            due = ", ".join(short(state.table.names[seat]) for seat in wanted.still_to_show(hand))
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
