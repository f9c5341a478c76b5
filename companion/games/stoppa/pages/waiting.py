"""What the table waits for, as a sentence."""

from __future__ import annotations

from companion.decks import italian_words
from companion.games.stoppa import words
from companion.games.stoppa.rules import State, waiting
from companion.games.stoppa.rules.state import Hand, Seat
from companion.table.game import Between, Over, Turn
from companion.table.language import Lang, catalogue
from companion.table.text import sentence, short


def waits_for(state: State, lang: Lang) -> str:
    """What the table waits for: "Punto piccolo 2: Anna to speak", "Wanted: a six"."""
    _ = catalogue(lang).gettext
    found, hand = waiting(state), state.hand
    if isinstance(found, Over):
        return _("The game is over")
    if isinstance(found, Between) or hand is None:
        return _("Between hands")
    return _in_hand(state, hand, found, lang)


def _in_hand(state: State, hand: Hand, turn: Turn, lang: Lang) -> str:
    _ = catalogue(lang).gettext
    betting, player = hand.betting, short(turn.who or "")
    match turn.step:
        case "end":
            return _("Declared: no stoppata")
        case "lay" if state.in_last_hand:
            return _("The last hand: no stoppata")
        case "lay" if not hand.wants:
            return _("Stoppata: {player} opens").format(player=player)
        case "lay":
            return _("Stoppata: wanted is the {number}").format(number=italian_words.number(hand.wants, lang))
        case "piccolo" | "grosso":
            step = f"piccolo-{hand.iteration + 1}" if turn.step == "piccolo" else "grosso"
            return _("Next: {punto}").format(punto=words.punto(step))
    assert betting is not None
    punto = sentence(words.punto(betting.phase))
    if turn.step == "show":
        due = ", ".join(short(state.table.names[seat]) for seat in still_to_show(hand))
        return _("{punto}: {players} to show").format(punto=punto, players=due)
    return _("{punto}: {player} to speak").format(punto=punto, player=player)


def still_to_show(hand: Hand) -> tuple[Seat, ...]:
    """The players who must show or concede before the punto in play is decided."""
    betting = hand.betting
    if betting is None or not betting.comparing or betting.decided:
        return ()
    return tuple(seat for seat in betting.still_in() if not betting.shown[seat] and not betting.mucked >> seat & 1)
