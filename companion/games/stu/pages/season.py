"""Lu Stù from evening to evening: what is counted of everybody. Pure.

Money is shown once a game is over: what everybody put in, and what they took home of the pot (rules 5, 10, 13, 20), partners from
outside among them. The sums are those of `companion.games.stu.rules.reckoning`. Where ricompere were paid before the program came
to the table, or were set by the table, nobody knows who paid them; then neither what was put in nor what anybody has won is
shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from types import MappingProxyType
from typing import Any

from companion.games.stu import rules
from companion.games.stu.rules import State, apply, names
from companion.games.stu.rules.log import Close, Penalty, Rebuy, Set
from companion.games.stu.rules.reckoning import Account, accounts, unknown
from companion.games.stu.rules.state import Cause, HandRulings
from companion.pages.counted import Counted, CountedSeason
from companion.pages.season import EveningFigures, Pair, PlayedLine, PlayerEvening, figure_of, finest
from companion.table.language import N_, Lang, catalogue
from companion.table.text import short

_HIGHLIGHTS = 5
"""Highlights of an evening, at most."""


def _lost(hand: HandRulings, name: str) -> int:
    """Pedine that a player paid."""
    return sum(max(0, -paid.delta) for paid in hand.payments if paid.player == name)


def _dealt_out(cause: Cause) -> Callable[[HandRulings], list[tuple[str, str]]]:
    """Who made whom pay for this cause."""
    return lambda hand: [(paid.by, paid.player) for paid in hand.payments if paid.cause == cause and paid.by is not None]


gnaffate = _dealt_out("gnaffata")
"""Who made whom pay by their Gnao in a hand, as (who, whom), as often as they did."""

COUNTED = (
    Counted("lost", "count", _lost, label=N_("Pedine lost"), help=N_("Pedine paid in all hands, whatever for.")),
    Counted(
        "gave", "count", lambda hand, name: sum(by == name for by, _ in gnaffate(hand)),
        label=N_("Gnaffate given"), help=N_("How often others paid a pedina for this player’s Gnao."),
    ),
    Counted(
        "took", "count", lambda hand, name: sum(to == name for _, to in gnaffate(hand)),
        label=N_("Gnaffate taken"), help=N_("How often this player paid a pedina for another’s Gnao."),
    ),
    Counted("ricompere", "count", label=N_("Ricompere"), help=N_("How often this player came back in.")),
    Counted(
        "virgin", "best", label=N_("Virgin longest"), runs=True,
        help=N_("Hands without paying from an evening’s first on: the best evening."),
    ),
    Counted("worst", "best", _lost),
    Counted("paid", "money", label=N_("Put in"), help=N_("Stakes and parts of ricompere, of games that are over.")),
    Counted("got", "money", label=N_("Taken home"), help=N_("Of the pot, of games that are over.")),
    Counted("net", "money", label=N_("Balance"), help=N_("Taken home less what was put in.")),
)  # fmt: skip


class StuSeason(CountedSeason):
    """See `companion.pages.season.Season`."""

    revision = 4
    curve: str | None = "net"
    counted, kept = COUNTED, ("lost", "gave", "took", "ricompere", "virgin", "worst", "got", "paid", "net")
    pairs = MappingProxyType({"gnaffata": gnaffate, "bbummata": _dealt_out("bbummata")})

    def between(self, lang: Lang, /) -> tuple[Pair, ...]:
        _ = catalogue(lang).gettext
        return (Pair("gnaffata", _("Gave gnaffate to"), _("Took gnaffate from")),)

    def stands(self, stood: int, lang: Lang, /) -> str:
        """Pedine in words."""
        say = catalogue(lang)
        return say.ngettext("{n} pedina", "{n} pedine", stood).format(n=stood) if stood else say.gettext("out")

    def closed(self, state: State, *, ended: bool) -> State:
        """The state at the end: a game that is won unless somebody comes back is won once it has ended (rule 10)."""
        return apply(state, Close()) if ended and state.status == "won_unless_reentry" else state

    def is_over(self, state: State) -> bool:
        return state.won

    def has(self, state: State) -> Sequence[int]:
        return state.pedine

    def after(self, played: Sequence[PlayedLine], at: int) -> State:
        """Penalties included, those behind void hands, too, and before anybody came back; or as the table said that it stood
        then."""
        state: State = played[at].state
        hands = played[-1].state.hands
        last = number = len(played[at].state.hands)
        for one in played[at + 1 :]:
            if one.state.hand is not None:
                number = one.state.hand.n
                if number > len(hands) or not hands[number - 1].void:
                    break
            elif isinstance(one.line.event, Set) and number == last:
                state = one.state
            elif isinstance(one.line.event, Penalty) and rules.check(state, one.line.event) is None:
                state = apply(state, one.line.event)
        return state

    def more(
        self, played: Sequence[PlayedLine], state: State, after: Sequence[State], *, settled: bool
    ) -> dict[str, dict[str, int]]:
        back = Counter(one.line.event.by for one in played if isinstance(one.line.event, Rebuy))
        money = {one.name: _money(one) for one in accounts(state)}
        virgins = [one.virgins for one in after]
        found = {}
        for seat, name in enumerate(names(state)):
            longest = max((hand for hand, virgin in enumerate(virgins, start=1) if virgin[seat]), default=0)
            found[name] = {"ricompere": back[name], "virgin": longest} | money.get(name, {})
        return found

    def others(self, state: State, told: Sequence[PlayerEvening]) -> Iterable[PlayerEvening]:
        """Partners from outside."""
        for one in accounts(state):
            if one.name not in names(state):
                yield PlayerEvening(one.name, figures=dict.fromkeys(told[0].figures, 0) | _money(one), played=False)

    def finally_told(self, state: State, *, settled: bool) -> dict[str, Any]:
        return {"unknown": settled and unknown(state) != 0}

    def highlights(self, told: EveningFigures, lang: Lang, /) -> tuple[str, ...]:
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


def _money(one: Account | None) -> dict[str, int]:
    """The columns of money; what was put in, and what they have won, only where it can be known."""
    if one is None:
        return {}
    return {"got": one.takes} | ({"paid": one.paid, "net": one.net} if one.paid is not None and one.net is not None else {})


SEASON = StuSeason(rules, lambda state: state.winner if state.won else None)
