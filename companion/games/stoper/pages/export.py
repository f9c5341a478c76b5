"""An evening of Stoper as rows: what every hand did to everybody's stack, and whose each pot was. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from companion.games.stoper import rules, words
from companion.games.stoper.pages import phrases
from companion.games.stoper.pages.rulings import left
from companion.games.stoper.rules import State, ruling
from companion.games.stoper.rules.log import Chips
from companion.games.stoper.rules.state import HandRulings
from companion.pages.moments import HandPlayed, Moment, hands_played
from companion.pages.rows import Row, Rows, euros, in_order
from companion.pages.sets import Set, by_whom, sets_in
from companion.table.language import Lang, catalogue


def hand_rows(moments: Sequence[Moment], lang: Lang) -> Rows:
    """A row a hand and player: the stack before and after it, what they put in, took and got back, the score that they showed,
    and by which rules. The hand in progress as far as it has come."""
    _ = catalogue(lang).gettext
    columns = (
        _("Hand"), _("Dealer"), _("Player"), _("Stack before"), _("Put in"), _("Pots"), _("Back"), _("Stack after"), _("Score"),
        _("Cause"), _("Rule"),
    )  # fmt: skip
    rows = [row for one in hands_played(rules, moments) for row in _hand(one, lang)]
    return Rows(columns, in_order([*rows, *(row for one in sets_in(rules, moments) for row in _set(one, lang))]))


def _set(one: Set, lang: Lang) -> Iterator[Row]:
    """What the table has said of each stack between two hands."""
    for name, now in one.event.stacks.items():
        was = one.was.stacks[one.was.table.names.index(name)]
        cells = one.after, "", name, euros(was), None, None, None, euros(now), None, by_whom(one.event, lang), ""
        yield Row(one.after, cells, set=True)


def _hand(played: HandPlayed, lang: Lang) -> Iterator[Row]:
    before, after, told_by = played
    n = len(before.hands) + 1
    told = ruling(told_by, n)
    assert told is not None, "the hand was begun"
    pots, back = Counter[str](), Counter[str]()
    for pot in told.pots:
        pots[pot.winner] += pot.amount
    for returned in told.returned:
        back[returned.player] += returned.amount
    scores = {one.player: one.score for pot in told.pots for one in pot.ranking}
    for seat, name in enumerate(before.table.names):
        was, now = before.stacks[seat], after.stacks[seat]
        moved = (None, None, None) if told.stated else (now - was - pots[name] - back[name], pots[name], back[name])
        sums = (None if amount is None else euros(amount) for amount in (was, *moved, now))
        yield Row(n, (n, told.dealer, name, *sums, scores.get(name), *_why(told, name, lang)))


def _why(told: HandRulings, name: str, lang: Lang) -> tuple[str, str]:
    """For what a player has got something in a hand, or why nobody has, and by which rules."""
    _ = catalogue(lang).gettext
    if told.void:
        return _("void hand"), "17"
    if told.stated and told.unassigned is None:
        return (_("as the table has said") if any(paid.player == name for paid in told.payments) else ""), ""
    found = [
        (phrases.pot(n, len(told.pots), lang), words.RULE_OF[pot.how])
        for n, pot in enumerate(told.pots, start=1) if pot.winner == name
    ]  # fmt: skip
    found += [(_("back"), words.RULE_OF["returned"]) for back in told.returned if back.player == name]
    if told.unassigned is not None:
        found.append((_unassigned(told, lang), words.RULE_OF[told.unassigned]))
    cited = dict.fromkeys(str(rule) for _cause, rule in found)
    return " + ".join(cause for cause, _rule in found), " + ".join(cited)


def _unassigned(told: HandRulings, lang: Lang) -> str:
    _ = catalogue(lang).gettext
    return _("nobody opens") if told.unassigned == "no_opening" else _("all say parola")


def money_rows(moments: Sequence[Moment], lang: Lang) -> Rows:
    """A row for each sum: stacks brought in, chips bought, pots taken, what stayed; and everybody's stack in the end."""
    _ = catalogue(lang).gettext
    columns = _("Hand"), _("What"), _("Player"), _("Sum")
    if not moments:
        return Rows(columns, ())
    state: State = moments[-1].seen
    names = state.table.names
    rows = [Row(0, (0, _("brought in"), name, euros(stack)))
            for name, stack in zip(names, moments[0].seen.stacks, strict=True)]  # fmt: skip
    hands = len(state.hands) + (state.hand is not None)
    bought = [(len(moment.seen.hands), moment.event) for moment in moments if isinstance(moment.event, Chips)]
    for n in range(hands + 1):
        if n:
            told = ruling(state, n)
            assert told is not None, "the hand was begun"
            rows += _of_hand(n, told, lang)
        rows += [Row(n, (n, _("chips bought"), chips.by, euros(chips.amount))) for after, chips in bought if after == n]
    for one in sets_in(rules, moments):
        setting = one.setting
        said = by_whom(one.event, lang)
        moved = [(name, by) for name, by in zip(names, setting.moved, strict=True) if by]
        pot = one.now.carried.pot - one.was.carried.pot
        moved += [("", pot)] if pot else []
        rows += [Row(one.after, (one.after, said, name, euros(by)), set=True) for name, by in moved]
    rows = list(in_order(rows))
    rows += [Row(hands, (hands, _("in the end"), name, euros(stack))) for name, stack in zip(names, state.stacks, strict=True)]
    return Rows(columns, tuple(rows))


def _of_hand(n: int, told: HandRulings, lang: Lang) -> Iterator[Row]:
    """The pots, what went back and what stays; where only the outcome is known, by how much it has changed every stack."""
    if told.stated:
        said = catalogue(lang).gettext("as the table has said")
        yield from (Row(n, (n, said, paid.player, euros(paid.delta))) for paid in told.payments)
    for number, pot in enumerate(told.pots, start=1):
        yield Row(n, (n, phrases.pot(number, len(told.pots), lang), pot.winner, euros(pot.amount)))
    for back in told.returned:
        yield Row(n, (n, catalogue(lang).gettext("back"), back.player, euros(back.amount)))
    if told.unassigned is not None:
        yield Row(n, (n, _unassigned(told, lang), "", euros(left(told))))
