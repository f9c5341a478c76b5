"""An evening of Lu Stù as rows: what every hand did to everybody's pedine, and where the money went. Pure."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from companion.games.stu import rules
from companion.games.stu.pages.accounts import why
from companion.games.stu.rules import report
from companion.games.stu.rules.log import Penalty, Rebuy
from companion.games.stu.rules.money import paid_for, price
from companion.games.stu.rules.report import ruling
from companion.games.stu.rules.state import RULE_OF, Cause
from companion.games.stu.words import has
from companion.pages.moments import HandPlayed, Moment, hands_played, is_tagged
from companion.pages.rows import Cell, Row, Rows, asked, euros, hand_row, set_row, sheet
from companion.pages.sets import Set, by_whom, sets_in
from companion.table.language import N_, Lang, catalogue
from companion.table.story import ALL_SURE, Doubts

_CAUSES: Final[dict[Cause, str]] = {
    "gnaffata": "gnaffata",
    "bbummata": "bbummata",
    "lowest": N_("lowest card"),
    "matto": "Matto",
    "two_matti": N_("both Matti"),
    "n_llev_e_n_matt": "n llev e n matt",
    "taverna_for_nulla": N_("Nulla stopped by the Taverna"),
    "penalty": N_("penalty"),
    "stated": N_("as the table has said"),
}


def hand_rows(moments: Sequence[Moment], lang: Lang, doubts: Doubts = ALL_SURE) -> Rows:
    """A row for each hand and each player who is in it, or whom it cost something: pedine before and after it, why, and by which
    rules. The hand in progress as far as it has come. A penalty that was told after a void hand, or after the table has set how
    it stands, has a row of its own behind that, with the number of the hand that it is of."""
    say = catalogue(lang)
    _, change = say.gettext, say.pgettext("of pedine", "Change")
    columns = _("Hand"), _("Dealer"), _("Player"), _("Pedine before"), change, _("Pedine after"), _("Cause"), _("Rule")
    between = list(_between(moments, lang))
    alone = Counter(row.hand for row in between if not row.set)
    hands = (row for one in hands_played(rules, moments) for row in _hand(one, alone, doubts, lang))
    return sheet(columns, (*hands, *between))


def _between(moments: Sequence[Moment], lang: Lang) -> Iterator[Row]:
    """What was set between two hands, and penalties behind that or behind a void hand, as they were told."""
    alone = False
    for was, now in itertools.pairwise(moments):
        n = len(now.seen.hands)
        if now.seen.hand is not None:
            alone = False
            continue
        alone = alone or is_tagged(now, "set") or now.seen.last_ended != n - 1
        yield from (set_row(cells) for one in sets_in(rules, (was, now)) for cells in _set(one, lang))
        if alone and was.seen.hand is None and isinstance(now.event, Penalty):
            before = was.seen.pedine[was.seen.table.names.index(now.event.player)]
            message = _CAUSES["penalty"]
            cause = catalogue(lang).gettext(message)
            yield Row(n, (now.seen.last_ended + 1, "", now.event.player, before, -1, before - 1, cause, str(RULE_OF["penalty"])))


def _set(one: Set, lang: Lang) -> Iterator[Sequence[Cell]]:
    """What the table has said of each player's pedine between two hands."""
    for name, stands in one.event.standing.items():
        was, now = one.was.pedine[one.was.table.names.index(name)], stands.pedine
        yield one.after, "", name, was, now - was, now, by_whom(one.event, lang, has(now, stands.virgin, lang)), ""


def _hand(played: HandPlayed, alone: Counter[int], doubts: Doubts, lang: Lang) -> Iterator[Row]:
    """``alone``: after which hands, numbers, how many penalties have rows of their own."""
    _ = catalogue(lang).gettext
    before, n = played.before, len(played.before.hands) + 1
    told = ruling(played.told, n)
    assert told is not None, "the hand was begun"
    payments = told.payments[: len(told.payments) - alone[n]] if told.payments else ()
    for seat, name in enumerate(before.table.names):
        paid = [payment for payment in payments if payment.player == name]
        if not before.pedine[seat] and not paid:
            continue
        why = [_(message) for message in (_CAUSES[payment.cause] for payment in paid)]
        causes = _("void hand") if told.void else " + ".join(why)
        cited = " + ".join(str(payment.rule) for payment in paid if payment.rule)
        was, change = before.pedine[seat], sum(payment.delta for payment in paid)  # that all come back is no payment (rule 21)
        doubtful = any(payment in doubts.get(n, ()) for payment in paid)
        yield hand_row((n, told.dealer, name, was, change, was + change, causes, cited), doubtful=doubtful)


def money_rows(
    moments: Sequence[Moment], lang: Lang, unsure: Collection[int] = (), believed: Collection[str] = ()
) -> Rows:  # fmt: skip
    """A row for each sum: stakes; ricompere, with the hand before them and who paid what part; and, once the game is won, what
    everybody takes home and why. ``unsure``, ``believed``: as of `companion.pages.protocol.ForSheets`."""
    _ = catalogue(lang).gettext
    columns = _("After hand"), _("What"), _("Player"), _("Paid in"), _("Paid out")
    if not moments:
        return Rows(columns, ())
    last, settlement = moments[-1].seen, report(moments[-1].seen)
    share, n = _("share of the pot"), len(settlement.hands)
    takes = (
        asked((n, share if name == last.winner else f"{share}: {why(name, last, lang)}", name, None, euros(amount)),
              sure=n not in unsure)
        for name, amount in (settlement.settlement or {}).items()
    )
    return sheet(columns, _put_in(moments, lang), last=takes)


def _put_in(moments: Sequence[Moment], lang: Lang) -> Iterator[Sequence[Cell] | Row]:
    """Stakes, and, in order, the parts of ricompere, and those that the table has set."""
    _ = catalogue(lang).gettext
    first = moments[0].seen
    yield from ((0, _("stake"), name, euros(first.table.stake), None) for name in first.table.names)
    if first.ricompere:
        before = sum(price(first.table.stake, paid) for paid in range(first.ricompere))
        yield 0, _("ricompere before this log began"), "", euros(before), None
    for was, now in itertools.pairwise(moments):
        if isinstance(now.event, Rebuy):
            by, n = now.event.by, len(was.seen.hands)
            for name, part in paid_for(price(now.seen.table.stake, was.seen.ricompere), now.event):
                yield n, "ricompera" if name == by else _("ricompera of {name}").format(name=by), name, euros(part), None
        for one in sets_in(rules, (was, now)):
            if made := one.setting.made:
                yield set_row((one.after, _("ricompere, set by the table"), "", euros(made), None))
