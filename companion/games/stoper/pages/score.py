"""How a game of Stoper stands, what a hand came to, and what a change would make of both. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from companion.games.stoper import rules, words
from companion.games.stoper.pages import phrases
from companion.games.stoper.pages.rulings import balances, left, money_known, pots_taken, winner
from companion.games.stoper.pages.waiting import message
from companion.games.stoper.rules import State, ruling
from companion.games.stoper.rules.joining import expected_in, next_dealer
from companion.games.stoper.rules.log import Chips
from companion.games.stoper.rules.report import in_play, status
from companion.games.stoper.rules.state import Doubtful, HandRulings, Seat
from companion.games.stoper.words import signed
from companion.pages.commentary import leads
from companion.pages.moments import HandPlayed, Moment, hands_played
from companion.pages.phone import Difference, HandSummary, PlayerView, Score
from companion.pages.rows import Cell, Row, Rows, asked, before_hand, euros, hand_row, set_row, sheet
from companion.pages.sets import Set, by_whom, sets_in
from companion.pages.view import Figure, Ranked
from companion.table.language import Lang, catalogue
from companion.table.money import money
from companion.table.story import ALL_SURE, Doubts, hand_title, nothing_paid
from companion.table.text import perhaps, sentence, short


def phase(state: State) -> str:
    """What the game is doing, as a view's status says it: a game that was closed is over, too."""
    found = status(state)
    return "won" if found == "over" else found


def dealer(state: State) -> Seat | None:
    """The seat that has dealt the hand in progress, or deals the next; None once the game is over."""
    if state.over:
        return None
    return state.hand.dealer if state.hand is not None else next_dealer(state, expected_in(state))


def score(state: State, lang: Lang) -> Score:
    """How the game stands."""
    playing, deals = in_play(state), dealer(state)
    return Score(
        phase=phase(state),
        status=message(state, lang),
        players=tuple(
            PlayerView(
                name=name, has=money(stack, lang), in_play=bool(playing >> seat & 1) or state.table.mode == "cash",
                dealer=seat == deals,
            )
            for seat, (name, stack) in enumerate(zip(state.table.names, state.stacks, strict=True))
        ),
        winner=winner(state),
        figures=figures(state, lang),
    )  # fmt: skip


def figures(state: State, lang: Lang) -> tuple[Figure, ...]:
    """What stands above the table, and on the phone: what is in, and how much of it earlier hands left; cip and invito, what
    opens, and how many are left of a tournament."""
    _ = catalogue(lang).gettext
    hand, table = state.hand, state.table
    if hand is None:
        lies = state.carried.pot
        tag = _("of parola") if state.carried.parola else _("carried") if lies else ""
    else:
        lies = hand.pot
        said = _("{sum} of parola") if hand.before.parola else _("{sum} carried")
        tag = said.format(sum=money(hand.carried, lang)) if hand.carried else ""
    found = [Figure(_("In the pot"), money(lies, lang), tag, dim=not lies)]
    if state.cip:
        stakes = money(state.cip, lang) + (f" + {money(state.invito, lang)}" if state.invito else "")
        found.append(Figure(_("Cip and invito") if state.invito else _("Cip"), stakes))
    level = hand.level if hand is not None else state.carried.level
    found.append(Figure(_("To open"), sentence(phrases.figure(level, lang))))
    if table.mode == "torneo":
        still = in_play(state).bit_count()
        found.append(Figure(_("In the tournament"), _("{n} of {of} players").format(n=still, of=len(table.names))))
    return tuple(found)


def standing(state: State, doubtful: Collection[str], lang: Lang) -> tuple[Figure, ...]:
    """Who leads: with the largest win of a game for cash whose money is known, with the most chips of a tournament."""
    cash = state.table.mode == "cash"
    stands = balances(state) if cash and money_known(state) else state.stacks
    most = max(stands)
    if most <= 0 or (cash and not money_known(state)) or len(set(stands)) == 1:
        return ()
    names = [name for name, has in zip(state.table.names, stands, strict=True) if has == most]
    return tuple(leads(names, signed(most, lang) if cash else money(most, lang), doubtful, lang))


def ranked(state: State, lang: Lang) -> tuple[Ranked, ...]:
    """By chips in a tournament, in a game for cash by what everybody has won or lost: who has bought more does not lead."""
    if state.table.mode != "cash":
        return tuple(map(Ranked, state.stacks))
    return tuple(Ranked(won, signed(won, lang)) for won in balances(state)) if money_known(state) else ()


def hand(before: State, after: State, lang: Lang, doubtful: Collection[Doubtful] = ()) -> HandSummary:
    """What a hand came to, from the state ``before`` it to the state ``after`` its latest line; ``doubtful``: what of it is not
    sure."""
    _ = catalogue(lang).gettext
    number = len(before.hands) + 1
    told = ruling(after, number)
    assert told is not None, "this hand has been begun"
    over = number <= len(after.hands)
    changed = [f"{short(paid.player)} {words.signed(paid.delta, lang)}" for paid in told.payments]
    said_of = [(found, sentence(words.irregularity(found, lang))) for found in told.irregularities]
    mistakes = tuple(perhaps(said, sure=found not in doubtful) for found, said in said_of)
    said, nothing = words.hand(told, lang, doubtful), nothing_paid(lang, over=over)
    return HandSummary(
        n=number,
        title=hand_title(told, lang),
        paid=tuple(sentence(one) for one in said[: len(said) - len(mistakes)]) or (sentence(nothing),),
        notes=mistakes,
        payers=_("void hand") if told.void else ", ".join(changed) or nothing,
        pays=bool(told.payments),
        doubtful=bool(doubtful),
    )


def differences(now: State, then: State, lang: Lang) -> tuple[Difference, ...]:
    """What differs between two states: everybody's stack, the pot, what the game is doing."""
    _ = catalogue(lang).gettext
    rows = [
        (name, money(was, lang), money(would, lang))
        for name, was, would in zip(now.table.names, now.stacks, then.stacks, strict=True)
    ]
    lies, would_lie = (figures(state, lang)[0].text for state in (now, then))
    rows.append((_("In the pot"), lies, would_lie))
    made = [sum(setting.made for setting in state.settings) for state in (now, then)]
    if made[0] != made[1]:  # else a hand moves them, and the pot says so
        rows.append((_("Chips in all"), money(now.brought, lang), money(then.brought, lang)))
    opens, would_open = (phrases.figure((state.hand or state.carried).level, lang) for state in (now, then))
    rows.append((_("To open"), opens, would_open))
    if status(now) != status(then):
        rows.append((_("Game"), message(now, lang), message(then, lang)))
    return tuple(Difference(*row) for row in rows if row[1] != row[2])


# An evening of Stoper as rows: what every hand did to everybody's stack, and whose each pot was. Pure.


def hand_rows(moments: Sequence[Moment], lang: Lang, doubts: Doubts = ALL_SURE) -> Rows:
    """A row a hand and player: the stack before and after it, what they put in, took and got back, the score that they showed,
    and by which rules. The hand in progress as far as it has come."""
    _ = catalogue(lang).gettext
    columns = (
        _("Hand"), _("Dealer"), _("Player"), _("Stack before"), _("Put in"), _("Pots"), _("Back"), _("Stack after"), _("Score"),
        _("Cause"), _("Rule"),
    )  # fmt: skip
    told = (row for one in hands_played(rules, moments) for row in _hand(one, doubts, lang))
    return sheet(columns, told, (cells for one in sets_in(rules, moments) for cells in _set(one, lang)))


def _set(one: Set, lang: Lang) -> Iterator[Sequence[Cell]]:
    """What the table has said of each stack between two hands."""
    for name, now in one.event.stacks.items():
        was = one.was.stacks[one.was.table.names.index(name)]
        yield one.after, "", name, euros(was), None, None, None, euros(now), None, by_whom(one.event, lang), ""


def _hand(played: HandPlayed, doubts: Doubts, lang: Lang) -> Iterator[Row]:
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
    doubtful = doubts.get(n, ())
    unsure = {one.player for pot in told.pots for one in pot.ranking if one in doubtful}
    unsure |= {pot.winner for pot in told.pots if pot in doubtful}
    _ = catalogue(lang).gettext
    not_known = _("not known")
    for seat, name in enumerate(before.table.names):
        was, now = before.stacks[seat], after.stacks[seat]
        moved: Sequence[Cell] = [euros(sum) for sum in (now - was - pots[name] - back[name], pots[name], back[name])]
        if told.stated:
            won = _("a pot, not known how large") if pots_taken(told, name) else not_known
            moved = [not_known, won, not_known]
        cells = n, told.dealer, name, euros(was), *moved, euros(now), scores.get(name), *_why(told, name, lang)
        yield hand_row(cells, doubtful=name in unsure)


def _why(told: HandRulings, name: str, lang: Lang) -> tuple[str, str]:
    """What a player got something for in a hand, or why nobody did, and by which rules."""
    _ = catalogue(lang).gettext
    if told.void:
        return _("void hand"), "17"
    if told.stated and told.unassigned is None:
        return (_("as the table has said") if any(paid.player == name for paid in told.payments) else ""), ""
    found = [
        (phrases.pot(n, len(told.pots), lang), words.RULE_OF[words.how(pot)])
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


def money_rows(
    moments: Sequence[Moment], lang: Lang, unsure: Collection[int] = (), believed: Collection[str] = ()
) -> Rows:  # fmt: skip
    """A row for each sum: stacks brought in, chips bought, pots taken, what stayed; and everybody's stack in the end, or
    before the hand in progress. ``unsure``, ``believed``: as of `companion.pages.protocol.ForSheets`."""
    _ = catalogue(lang).gettext
    columns = _("Hand"), _("What"), _("Player"), _("Sum")
    if not moments:
        return Rows(columns, ())
    state: State = moments[-1].seen
    names, hands = state.table.names, len(state.hands) + (state.hand is not None)
    stacks, what = state.stacks, _("in the end")
    if state.hand is not None:
        stacks, what = state.hand.stacks_before, before_hand(hands, lang)
    last = (
        asked((hands, what, name, euros(stack)), sure=name not in believed) for name, stack in zip(names, stacks, strict=True)
    )
    return sheet(columns, _paid(moments, hands, lang, unsure), last=last)


def _moved(one: Set, lang: Lang) -> Iterator[Sequence[Cell]]:
    """By how much the table has changed each stack, and the pot."""
    pot = one.now.carried.pot - one.was.carried.pot
    for name, by in (*zip(one.now.table.names, one.setting.moved, strict=True), ("", pot)):
        if by:
            yield one.after, by_whom(one.event, lang), name, euros(by)


def _paid(moments: Sequence[Moment], hands: int, lang: Lang, unsure: Collection[int]) -> Iterator[Sequence[Cell] | Row]:
    """Stacks brought in, and hand by hand what it came to; behind it, in order, chips bought and what the table has set."""
    _ = catalogue(lang).gettext
    first, state = moments[0].seen, moments[-1].seen
    yield from ((0, _("brought in"), name, euros(stack)) for name, stack in zip(first.table.names, first.stacks, strict=True))
    between = list(_between_hands(moments, lang))
    for n in range(hands + 1):
        if n:
            told = ruling(state, n)
            assert told is not None, "the hand was begun"
            yield from (asked(cells, sure=n not in unsure) for cells in _of_hand(n, told, lang))
        yield from (row for row in between if row.hand == n)


def _between_hands(moments: Sequence[Moment], lang: Lang) -> Iterator[Row]:
    """Chips bought, and by how much the table has set something, as they were told."""
    bought = catalogue(lang).gettext("chips bought")
    for was, now in pairwise(moments):
        if isinstance(event := now.event, Chips):
            after = rules.hands(now.seen)
            yield Row(after, (after, bought, event.by, euros(event.amount)))
        yield from (set_row(cells) for one in sets_in(rules, (was, now)) for cells in _moved(one, lang))


def _of_hand(n: int, told: HandRulings, lang: Lang) -> Iterator[Sequence[Cell]]:
    """The pots, what went back and what stays; where only the outcome is known, by how much it has changed every stack."""
    if told.stated:
        said = catalogue(lang).gettext("as the table has said")
        yield from ((n, said, paid.player, euros(paid.delta)) for paid in told.payments)
    for number, pot in enumerate(told.pots, start=1):
        yield n, phrases.pot(number, len(told.pots), lang), pot.winner, euros(pot.amount)
    for back in told.returned:
        yield n, catalogue(lang).gettext("back"), back.player, euros(back.amount)
    if told.unassigned is not None:
        yield n, _unassigned(told, lang), "", euros(left(told))


# Who came in where in a tournament of Stoper. Pure.


def places(state: State) -> dict[str, int]:
    """Player → place, from 1. Players with chips come first, by their stacks; then those who are out, the last one out first.
    Where one hand put several out, the larger stack before that hand comes first. Equal players share a place, as in poker."""
    stacks = dict(zip(state.table.names, _first_stacks(state), strict=True))
    stood = {name: (0, stack) for name, stack in stacks.items()}
    for n, player, delta in _moves(state):
        before = stacks[player]
        stacks[player] += delta
        if not stacks[player]:
            stood[player] = (n, before)
    last = len(state.hands) + 1
    stood |= {name: (last, stack) for name, stack in stacks.items() if stack}
    return {name: 1 + sum(other > one for other in stood.values()) for name, one in stood.items()}


def _first_stacks(state: State) -> tuple[int, ...]:
    """What everybody had in the beginning."""
    found = dict(zip(state.table.names, state.hand.stacks_before if state.hand is not None else state.stacks, strict=True))
    for _, player, delta in _moves(state):
        found[player] -= delta
    return tuple(found.values())


def _moves(state: State) -> Iterator[tuple[int, str, int]]:
    """How a tournament's chips moved, in order: by a hand (its number), or as the table has said after it."""
    for n in range(len(state.hands) + 1):
        for paid in state.hands[n - 1].payments if n else ():
            yield n, paid.player, paid.delta
        for setting in state.settings:
            if setting.after == n:
                yield from ((n, name, by) for name, by in zip(state.table.names, setting.moved, strict=True) if by)
