"""The middle of a table of Stoper, as the TV draws it: the phase, what is in, the pots and who can win each of them."""

from __future__ import annotations

from msgspec import Struct

from companion.games.stoper.pages import phrases
from companion.games.stoper.pages.public import UnsureLines
from companion.games.stoper.rules import State
from companion.games.stoper.rules.cards import rank
from companion.games.stoper.rules.ending import so_far
from companion.games.stoper.rules.state import Hand, Seats, Table
from companion.table.language import Lang, catalogue
from companion.table.money import money
from companion.table.text import listed, short


class PotView(Struct, frozen=True):
    """A pot as it stands: its name, the amount in it, and in words who can win it. ``leads``: the player who has shown the best
    hand for it, "" while nobody has; ``score``: of that hand; ``sure``: whether all hands shown for it are."""

    name: str
    sum: str
    entitled: str
    leads: str = ""
    score: int = 0
    sure: bool = True


class Centre(Struct, frozen=True, kw_only=True):
    """What lies in the middle.

    Attributes:
        title: the phase of the hand. pot: all that is in. parts: what is to be known of it.
        pots: from the first on, where there are several; one alone goes without saying.
        back: what nobody can match any more, and whose it is; "" for nothing.
    """

    title: str
    pot: str
    parts: tuple[str, ...] = ()
    pots: tuple[PotView, ...] = ()
    back: str = ""


def centre(state: State, lang: Lang, unsure: UnsureLines) -> Centre | None:
    """What lies in the middle during a hand, as everybody has seen it; None between hands. ``unsure``: what of it is not sure."""
    hand = state.hand
    if hand is None:
        return None
    _ = catalogue(lang).gettext
    pots, (seat, back) = so_far(hand)
    said = _("{sum} go back to {player}")
    return Centre(
        title=_title(hand, lang), pot=money(hand.pot, lang), parts=tuple(_parts(state, hand, lang)),
        pots=pot_views(state.table, hand, pots, lang, unsure) if len(pots) > 1 else (),
        back=said.format(sum=money(back, lang), player=short(state.table.names[seat])) if back else "",
    )  # fmt: skip


def _title(hand: Hand, lang: Lang) -> str:
    _ = catalogue(lang).gettext
    match hand.phase:
        case "blind":
            return _("Before the cards: the blinds")
        case "opening" if hand.opened is None:
            return _("Opening: it takes {figure}").format(figure=phrases.figure(hand.level, lang))
        case "opening":
            return _("Opening")
        case "exchange":
            return _("The exchange")
        case "final":
            return _("Final phase")
    return _("Showdown")


def _parts(state: State, hand: Hand, lang: Lang) -> list[str]:
    """What the pot is made of, who opened, and how high the betting stands."""
    _ = catalogue(lang).gettext
    found = []
    if hand.carried:
        left = _("parola pot: {sum}") if hand.before.parola else _("left in the pot: {sum}")
        found.append(left.format(sum=money(hand.carried, lang)))
    if hand.opened is not None:
        by, to = short(hand.opened.by), money(hand.opened.to, lang)
        opened = _("{player} opened blind with {sum}") if hand.opened.blind else _("{player} opened with {sum}")
        found.append(opened.format(player=by, sum=to))
    if hand.high and (hand.phase == "final" or hand.opened is None or hand.high != hand.opened.to):
        found.append(_("the highest: {sum}").format(sum=money(hand.high, lang)))
    return found


def pot_views(
    table: Table, hand: Hand, pots: list[tuple[int, Seats]], lang: Lang, unsure: UnsureLines
) -> tuple[PotView, ...]:
    """The pots, each with the best of the hands that were shown for it."""
    found = []
    for n, (amount, entitled) in enumerate(pots, start=1):
        who, (leads, score) = _entitled(table, hand, entitled, lang), _leads(table, hand, entitled)
        sure = unsure.shown.isdisjoint(table.named(entitled))
        found.append(PotView(phrases.pot(n, len(pots), lang), money(amount, lang), who, leads, score, sure))
    return tuple(found)


def _entitled(table: Table, hand: Hand, entitled: Seats, lang: Lang) -> str:
    """Who can win a pot: their names, or all who are still in."""
    if entitled == hand.live:
        return catalogue(lang).gettext("all still in")
    return listed([short(name) for name in table.named(entitled)], lang)


def _leads(table: Table, hand: Hand, entitled: Seats) -> tuple[str, int]:
    shown = [(rank(hand.known[seat].shown, table.house.ace_pair_third), seat) for seat in hand.order
             if entitled >> seat & 1 and hand.known[seat].shown]  # fmt: skip
    if not shown:
        return "", 0
    best, seat = max(shown)
    return table.names[seat], best.score
