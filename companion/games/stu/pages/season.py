"""Lu Stù from evening to evening: `companion.pages.season.Season`, as a module. Pure.

Money is shown once a game is over: what everybody put in, and what they took home of the pot (rules 5, 10, 13, 20), partners from
outside among them. The sums are those of `companion.games.stu.rules.reckoning`. Where ricompere were paid before the program came
to the table, or were set by the table, nobody knows who paid them; then neither what was put in nor what anybody has won is
shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from companion.games.stu import rules
from companion.games.stu.rules import State, apply, report
from companion.games.stu.rules.log import Close, Rebuy, Set
from companion.games.stu.rules.reckoning import Account, accounts, unknown
from companion.games.stu.rules.state import HandRulings, Payment
from companion.pages.season import Between, Column, EveningFigures, Pair, Played, PlayerEvening, figure_of, finest, hand_ends
from companion.table.language import Lang, catalogue
from companion.table.text import short

__all__ = ["between", "columns", "curve", "evening", "highlights", "revision", "stands"]

revision = 2
curve = "net"

_HIGHLIGHTS = 5
"""Highlights of an evening, at most."""


def columns(lang: Lang) -> tuple[Column, ...]:
    """What is counted of everybody."""
    _ = catalogue(lang).gettext
    return (
        Column("lost", _("Pedine lost"), "count", _("Pedine paid in all hands, whatever for.")),
        Column("gave", _("Gnaffate given"), "count", _("How often others paid a pedina for this player’s Gnao.")),
        Column("took", _("Gnaffate taken"), "count", _("How often this player paid a pedina for another’s Gnao.")),
        Column("ricompere", _("Ricompere"), "count", _("How often this player came back in.")),
        Column("virgin", _("Virgin longest"), "best", _("Hands without paying from an evening’s first on: the best evening.")),
        Column("paid", _("Put in"), "money", _("Stakes and parts of ricompere, of games that are over.")),
        Column("got", _("Taken home"), "money", _("Of the pot, of games that are over.")),
        Column("net", _("Balance"), "money", _("Taken home less what was put in.")),
    )


def between(lang: Lang) -> tuple[Pair, ...]:
    """What one does to another."""
    _ = catalogue(lang).gettext
    return (Pair("gnaffata", _("Gave gnaffate to"), _("Took gnaffate from")),)


def stands(stood: int, lang: Lang) -> str:
    """Pedine in words."""
    say = catalogue(lang)
    return say.ngettext("{n} pedina", "{n} pedine", stood).format(n=stood) if stood else say.gettext("out")


def evening(played: Sequence[Played], *, ended: bool) -> EveningFigures:
    """What an evening came to. One that would be won unless somebody came back is won once it has ended (rule 10)."""
    state = played[-1].state
    if ended and state.status == "won_unless_reentry":
        state = apply(state, Close())
    told, names = report(state), state.table.names
    counted = hand_ends(rules, played)
    paid = [payment for hand in told.hands if not hand.void for payment in hand.payments]
    lost = _lost(paid)
    gnaffate = Counter((one.by, one.player) for one in paid if one.cause == "gnaffata" and one.by is not None)
    bbummate = Counter((one.by, one.player) for one in paid if one.cause == "bbummata" and one.by is not None)
    back = Counter(one.line.event.by for one in played if isinstance(one.line.event, Rebuy))
    money = {one.name: one for one in accounts(state)}
    worst = _worst(told.hands)
    after = [_after(played, at) for at in counted]
    virgins = [state.virgins for state in after]
    players = []
    for seat, name in enumerate(names):
        stood = tuple(state.pedine[seat] for state in (played[0].state, *after))
        figures = {
            "lost": lost[name],
            "gave": sum(count for (by, _), count in gnaffate.items() if by == name),
            "took": sum(count for (_, to), count in gnaffate.items() if to == name),
            "ricompere": back[name],
            "virgin": max((hand for hand, virgin in enumerate(virgins, start=1) if virgin[seat]), default=0),
            "worst": worst[name],
        }
        figures |= _money(money.pop(name, None))
        players.append(PlayerEvening(name, state.won and told.winner == name, figures, stood))
    pairs = [("gnaffata", gnaffate), ("bbummata", bbummate)]
    found = tuple(Between(what, by, to, count) for what, counts in pairs for (by, to), count in counts.items())
    nothing = dict.fromkeys(players[0].figures, 0)
    players += [PlayerEvening(name, figures=nothing | _money(one), played=False) for name, one in money.items()]
    return EveningFigures(tuple(players), len(counted), state.won, found, unknown=state.won and unknown(state) != 0)


def highlights(told: EveningFigures, lang: Lang) -> tuple[str, ...]:
    """The evening's funniest figures: who gnaffed whom, who stayed a virgin, who came back."""
    say = catalogue(lang)
    said = []
    most = max((one for one in told.between if one.what == "gnaffata"), key=lambda one: one.count, default=None)
    if most is not None and most.count > 1:
        text = say.gettext("{by} gnaffed {to} {n} times")
        said.append(text.format(by=short(most.by), to=short(most.to), n=most.count))
    bbummate = Counter[str]()
    for one in told.between:
        bbummate[one.by] += one.count if one.what == "bbummata" else 0
    figures: tuple[tuple[Callable[[PlayerEvening], int], int, Callable[[int], str]], ...] = (
        (figure_of("gave"), 2,
         lambda n: say.ngettext("{player}: {n} gnaffata given", "{player}: {n} gnaffate given", n)),
        (figure_of("took"), 2,
         lambda n: say.ngettext("{player}: {n} gnaffata taken", "{player}: {n} gnaffate taken", n)),
        (figure_of("virgin"), 2,
         lambda n: say.ngettext("{player}: virgin for {n} hand", "{player}: virgin for {n} hands", n)),
        (figure_of("ricompere"), 1,
         lambda n: say.ngettext("{player}: back {n} time", "{player}: back {n} times", n)),
        (figure_of("worst"), 2,
         lambda n: say.ngettext("{player}: {n} pedina gone in one hand", "{player}: {n} pedine gone in one hand", n)),
        (lambda one: bbummate[one.name], 1,
         lambda n: say.ngettext("{player}: {n} bbummata given", "{player}: {n} bbummate given", n)),
    )  # fmt: skip
    return (*said, *finest(told, figures, lang))[:_HIGHLIGHTS]


def _worst(hands: Iterable[HandRulings]) -> Counter[str]:
    """The most pedine that each player lost in one hand."""
    worst: Counter[str] = Counter()
    for hand in hands:
        worst |= _lost(hand.payments if not hand.void else ())
    return worst


def _lost(payments: Iterable[Payment]) -> Counter[str]:
    """Player → pedine that they paid."""
    lost: Counter[str] = Counter()
    for payment in payments:
        lost[payment.player] += max(0, -payment.delta)
    return lost


def _after(played: Sequence[Played], at: int) -> State:
    """The game after the hand that was over at index ``at`` had been paid for, penalties included, and before anybody came back;
    or as the table said that it stood then."""
    state: State = played[at].state
    came_back = False
    for one in played[at + 1 :]:
        if one.state.hand is not None:
            break
        came_back = isinstance(one.line.event, Rebuy) or (came_back and not isinstance(one.line.event, Set))
        state = state if came_back else one.state
    return state


def _money(one: Account | None) -> dict[str, int]:
    """The columns of money; what was put in, and what they have won, only where it can be known."""
    if one is None:
        return {}
    return {"got": one.takes} | ({"paid": one.paid, "net": one.net} if one.paid is not None and one.net is not None else {})
