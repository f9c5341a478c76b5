"""What the table waits for: in few words for the phone, and at length for the TV. Pure."""

from __future__ import annotations

from companion.decks import italian_words
from companion.games.stoppa import words
from companion.games.stoppa.pages import phrases
from companion.games.stoppa.pages.rulings import winner
from companion.games.stoppa.rules import State, waiting
from companion.games.stoppa.rules.state import Betting, Hand, Seat
from companion.pages.commentary import deals
from companion.table.game import Between, Over, Turn
from companion.table.language import Lang, catalogue
from companion.table.text import listed, sentence, short


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
        due = listed([short(state.table.names[seat]) for seat in still_to_show(hand)], lang)
        return _("{punto}: {players} to show").format(punto=punto, players=due)
    return _("{punto}: {player} to speak").format(punto=punto, player=player)


def still_to_show(hand: Hand) -> tuple[Seat, ...]:
    """The players who must show or concede before the punto in play is decided."""
    betting = hand.betting
    if betting is None or not betting.comparing or betting.decided:
        return ()
    return tuple(seat for seat in betting.still_in() if not betting.shown[seat] and not betting.mucked >> seat & 1)


def message(state: State, lang: Lang) -> str:
    """The one sentence that says what the table waits for."""
    _ = catalogue(lang).gettext
    hand, table = state.hand, state.table
    names = [short(name) for name in table.names]
    wait = waiting(state)
    if isinstance(wait, Over):
        best = winner(state)
        return _("{winner} has won most").format(winner=short(best)) if best is not None else _("The game is over")
    if hand is None or not isinstance(wait, Turn):
        return deals(table.names[state.dealer], state.hands, lang)
    who = short(wait.who) if wait.who is not None else ""
    match wait.step:
        case "piccolo":
            punto = phrases.punto(f"piccolo-{hand.iteration + 1}", lang, len(table.deals))
            return _("{player} deals for the {punto}").format(player=names[hand.dealer], punto=punto)
        case "grosso":
            return _("Next: the punto grosso")
        case "bet" if hand.betting is not None and wait.who is not None:
            return _word(hand.betting, table.names.index(wait.who), who, state, lang)
        case "show":
            left = [names[seat] for seat in still_to_show(hand)]
            said = catalogue(lang).ngettext("{players} is to show", "{players} are to show", len(left))
            return str(said.format(players=listed(left, lang)))
        case "lay" if hand.wants:
            return _("{player} goes on, or the next player who has it").format(player=who)
        case "lay":
            return _("{player} opens with any card").format(player=who)
    return _("Declared: there is no stoppata")


def _word(betting: Betting, seat: Seat, who: str, state: State, lang: Lang) -> str:
    """What a player in turn may say, and what seeing costs them."""
    _ = catalogue(lang).gettext
    if not betting.high:
        return _("{player} bets or passes").format(player=who)
    more = phrases.sum_of(state.table, betting.high - betting.totals[seat], lang)
    return _("{player} sees with {sum}, raises or passes").format(player=who, sum=more)
