"""How a game of Stoppa stands, what a hand came to, and what a change would make of both: for organisers. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from companion.games.stoppa import rules, words
from companion.games.stoppa.pages import phrases
from companion.games.stoppa.pages.rulings import NO_BET_TOLD, notes_of, winner
from companion.games.stoppa.pages.waiting import waits_for
from companion.games.stoppa.rules import State, giro, ruling
from companion.games.stoppa.rules.report import on_table, status
from companion.games.stoppa.rules.state import Cause, Doubtful, HandRulings, Table
from companion.pages.commentary import leads
from companion.pages.moments import HandPlayed, Moment, hands_played
from companion.pages.phone import Difference, HandSummary, PlayerView, Score
from companion.pages.rows import Cell, Row, Rows, asked, before_hand, euros, hand_row, sheet
from companion.pages.sets import Set, by_whom, sets_in
from companion.pages.view import Figure, Ranked
from companion.table.language import Lang, catalogue
from companion.table.story import ALL_SURE, Doubts, hand_title, nothing_paid
from companion.table.text import sentence, short

_PHASES = {"last_hand": "hand_in_progress", "over": "won"}
"""A status of the report → the code that pages know it by."""


def score(state: State, lang: Lang) -> Score:
    """How the game stands."""
    phase = status(state)
    dealer = state.table.names[state.hand.dealer if state.hand is not None else state.dealer] if not state.over else None
    return Score(
        phase=_PHASES.get(phase, phase),
        status=waits_for(state, lang),
        players=tuple(
            PlayerView(name=name, has=phrases.signed_sum(state.table, balance, lang), in_play=True, dealer=name == dealer)
            for name, balance in zip(state.table.names, state.balances, strict=True)
        ),
        points=state.table.points,
        winner=winner(state),
        figures=figures(state, lang),
    )


def figures(state: State, lang: Lang) -> tuple[Figure, ...]:
    """What stands above the table, and on the phone: the misera, the money that is nobody's yet, the giro."""
    _ = catalogue(lang).gettext
    table, stands = state.table, giro.standing(state)
    tag = _("last hand") if stands.last else _("called") if stands.called else ""
    return (
        Figure(_("On the table"), phrases.sum_of(table, on_table(state), lang), dim=not on_table(state)),
        Figure(_("Misera"), phrases.sum_of(table, table.misera, lang)),
        Figure(_("Giro {n}").format(n=stands.n), _("hand {n} of {of}").format(n=max(stands.hand, 1), of=stands.of), tag),
    )


def standing(state: State, doubtful: Collection[str], lang: Lang) -> tuple[Figure, ...]:
    """Who leads, and how many hands are left of a called giro."""
    say, most = catalogue(lang), max(state.balances)
    names = [name for name, has in zip(state.table.names, state.balances, strict=True) if has == most > 0]
    left = state.last_hand - state.counted
    last = Figure(say.gettext("Last giro"), say.ngettext("{n} hand left", "{n} hands left", left).format(n=left))
    return *leads(names, phrases.signed_sum(state.table, most, lang), doubtful, lang), *((last,) if state.last_hand else ())


def ranked(state: State, lang: Lang) -> tuple[Ranked, ...]:
    """By balance."""
    return tuple(map(Ranked, state.balances))


def hand(before: State, after: State, lang: Lang, doubtful: Collection[Doubtful] = ()) -> HandSummary:
    """What a hand came to, from the state ``before`` it to the state ``after`` its latest line; ``doubtful``: what of it is not
    sure."""
    _ = catalogue(lang).gettext
    number = len(before.hands) + 1
    told = ruling(after, number)
    assert told is not None, "this hand has been begun"
    over, points = number <= len(after.hands), after.table.points
    moved = zip(after.table.names, before.balances, after.balances, strict=True)
    changed = [(name, now - was) for name, was, now in moved if over and now != was]
    won = [f"{short(name)} {phrases.signed_sum(after.table, by, lang)}" for name, by in changed]
    return HandSummary(
        n=number,
        title=hand_title(told, lang),
        paid=tuple(sentence(said) for said in words.hand(told, lang, points=points, over=over, doubtful=doubtful)),
        notes=notes_of(replace(told, declared=None, stoppata=None), lang, doubtful),
        payers=_("void hand") if told.void else ", ".join(won) or nothing_paid(lang, over=over),
        pays=bool(told.pots or told.payments),
        doubtful=bool(doubtful),
    )


def differences(now: State, then: State, lang: Lang) -> tuple[Difference, ...]:
    """What differs between two states: everybody's balance, what lies on the table, what the game is doing."""
    _ = catalogue(lang).gettext
    rows = [
        (name, phrases.signed_sum(now.table, was, lang), phrases.signed_sum(then.table, would, lang))
        for name, was, would in zip(now.table.names, now.balances, then.balances, strict=True)
    ]
    lies, would_lie = (phrases.sum_of(state.table, on_table(state), lang) for state in (now, then))
    rows.append((_("On the table"), lies, would_lie))
    if status(now) != status(then):
        rows.append((_("Game"), waits_for(now, lang), waits_for(then, lang)))
    return tuple(Difference(*row) for row in rows if row[1] != row[2])


# An evening of Stoppa as rows: what every hand did to everybody's balance, and who paid what to whom. Pure.


def _cause(cause: Cause, lang: Lang) -> str:
    return catalogue(lang).gettext("four Re") if cause == "four_kings" else cause


def hand_rows(moments: Sequence[Moment], lang: Lang, doubts: Doubts = ALL_SURE) -> Rows:
    """A row a hand and player: the balance before and after it, what they put in and what they won, why, and by which rules. The
    hand in progress as far as it has come."""
    _ = catalogue(lang).gettext
    columns = (
        _("Hand"), _("Dealer"), _("Player"), _("Balance before"), _("Misera and bets"), _("Punti"), _("Stoppata, declarations"),
        _("Balance after"), _("Cause"), _("Rule"),
    )  # fmt: skip
    told = (row for one in hands_played(rules, moments) for row in _hand(one, doubts, lang))
    return sheet(columns, told, (cells for one in sets_in(rules, moments) for cells in _set(one, lang)))


def _set(one: Set, lang: Lang) -> Iterator[Sequence[Cell]]:
    """What the table has said of each balance between two hands."""
    table = one.was.table
    for name, now in one.event.standing.items():
        was = one.was.balances[table.names.index(name)]
        yield one.after, "", name, _sum(table, was), None, None, None, _sum(table, now), by_whom(one.event, lang), ""


def _hand(played: HandPlayed, doubts: Doubts, lang: Lang) -> Iterator[Row]:
    before, after, told_by = played
    n, table = len(before.hands) + 1, before.table
    told = ruling(told_by, n)
    assert told is not None, "the hand was begun"
    punti = Counter[str]()
    for pot in told.pots:
        if pot.winner is not None:
            punti[pot.winner] += pot.prize + pot.bets
    paid = Counter[str]()
    for payment in told.payments:
        paid[payment.payer] -= payment.amount
        paid[payment.to] += payment.amount
    given = after.carried if told_by.over else 0  # a punto grosso that was carried is the dealer's once the game is closed
    for seat, name in enumerate(table.names):
        was, now = before.balances[seat], after.balances[seat] + (given if name == told.dealer else 0)
        put_in = now - was - punti[name] - paid[name]
        sums = (_sum(table, amount) for amount in (was, put_in, punti[name], paid[name], now))
        doubtful = any(pot in doubts.get(n, ()) and pot.winner == name for pot in told.pots)
        yield hand_row((n, told.dealer, name, *sums, *_why(told, name, lang)), doubtful=doubtful)


def _why(told: HandRulings, name: str, lang: Lang) -> tuple[str, str]:
    """For what a player has won or paid something in a hand, and by which rules."""
    _ = catalogue(lang).gettext
    if told.void:
        return _("void hand"), "17"
    won = [pot for pot in told.pots if pot.winner == name]
    found = [(phrases.punto(pot.phase, lang), words.RULE_OF[pot.phase.partition("-")[0]]) for pot in won if pot.how != "stated"]
    found += [(_("as the table has said") if pot.bets else _(NO_BET_TOLD), 0) for pot in won if pot.how == "stated"]
    causes_of = [payment.cause for payment in told.payments if name in (payment.payer, payment.to)]
    found += [(_cause(cause, lang), words.RULE_OF[cause]) for cause in causes_of]
    causes, cited = dict.fromkeys(cause for cause, _rule in found), dict.fromkeys(str(rule) for _cause, rule in found if rule)
    return " + ".join(causes), " + ".join(cited)


def money_rows(
    moments: Sequence[Moment], lang: Lang, unsure: Collection[int] = (), believed: Collection[str] = ()
) -> Rows:  # fmt: skip
    """A row for each sum that somebody won or paid, hand by hand, and everybody's balance in the end, or before the hand in
    progress. ``unsure``, ``believed``: as of `companion.pages.protocol.ForSheets`."""
    say = catalogue(lang)
    _ = say.gettext
    columns = _("Hand"), _("What"), say.pgettext("who pays", "From"), say.pgettext("who is paid", "To"), _("Sum")
    if not moments:
        return Rows(columns, ())
    state: State = moments[-1].seen
    table, hands = state.table, len(state.hands) + (state.hand is not None)
    settings = (
        (one.after, by_whom(one.event, lang), "", name, _sum(table, moved))
        for one in sets_in(rules, moments)
        for name, moved in zip(table.names, one.setting.moved, strict=True) if moved
    )  # fmt: skip
    balances, what = state.balances, _("balance")
    if state.hand is not None:
        balances, what = state.hand.balances_before, f"{what}, {before_hand(hands, lang)}"
    last = (
        asked((hands, what, "", name, _sum(table, balance)), sure=name not in believed)
        for name, balance in zip(table.names, balances, strict=True)
    )
    told = (asked(cells, sure=cells[0] not in unsure) for cells in _paid(moments[0].seen, state, hands, lang))
    return sheet(columns, told, settings, last)


def _paid(first: State, state: State, hands: int, lang: Lang) -> Iterator[Sequence[Cell]]:
    """What everybody had before, and each sum of this number of hands."""
    table = state.table
    for name, balance in zip(table.names, first.balances, strict=True):
        if balance:
            yield 0, catalogue(lang).gettext("balance before"), "", name, _sum(table, balance)
    for n in range(1, hands + 1):
        told = ruling(state, n)
        assert told is not None, "the hand was begun"
        for pot in told.pots:
            yield n, phrases.punto(pot.phase, lang), "", pot.winner or "", _sum(table, pot.prize + pot.bets)
        for paid in told.payments:
            yield n, _cause(paid.cause, lang), paid.payer, paid.to, _sum(table, paid.amount)


def _sum(table: Table, minor: int) -> Cell:
    """An amount in euros, or a number of points."""
    return minor if table.points else euros(minor)
