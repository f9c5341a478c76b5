"""How a game of Stoper stands, what a hand came to, and what a change would make of both. Pure."""

from __future__ import annotations

from collections.abc import Collection

from companion.games.stoper import words
from companion.games.stoper.pages import phrases
from companion.games.stoper.pages.rulings import winner
from companion.games.stoper.pages.wanted import message
from companion.games.stoper.rules import State
from companion.games.stoper.rules.joining import expected_in, next_dealer
from companion.games.stoper.rules.report import in_play, ruling, status
from companion.games.stoper.rules.state import Irregularity, Seat
from companion.pages.phone import Difference, HandSummary, PlayerView, Score
from companion.pages.view import Figure
from companion.table.language import Lang, catalogue
from companion.table.money import money
from companion.table.story import hand_title
from companion.table.text import perhaps, sentence, short


def phase(state: State) -> str:
    """What the game is doing, as a view's status says it: a game that was closed is over, too."""
    found = status(state)
    return "won" if found == "over" else found


def dealer(state: State) -> Seat:
    """Who has dealt the hand in progress, or deals the next."""
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
    """What stands above the table, and on the phone: what is in, cip and invito, what opens, and how many are left of a
    tournament."""
    _ = catalogue(lang).gettext
    hand, table = state.hand, state.table
    before = hand.before if hand is not None else state.carried
    lies = hand.pot if hand is not None else state.carried.pot
    tag = _("of parola") if before.parola else _("carried") if before.pot else ""
    found = [Figure(_("In the pot"), money(lies, lang), tag, dim=not lies)]
    if state.cip:
        stakes = money(state.cip, lang) + (f" + {money(state.invito, lang)}" if state.invito else "")
        found.append(Figure(_("Cip and invito") if state.invito else _("Cip"), stakes))
    level = hand.level if hand is not None else state.carried.level
    found.append(Figure(_("To open"), sentence(phrases.figure(level, lang))))
    if table.mode == "torneo":
        still = in_play(state).bit_count()
        found.append(Figure(_("In the tournament"), _("{n} of {of}").format(n=still, of=len(table.names))))
    return tuple(found)


def hand(before: State, after: State, lang: Lang, doubtful: Collection[Irregularity] = ()) -> HandSummary:
    """What the hand came to that was begun after ``before`` and has come as far as ``after``; ``doubtful``: which of its
    irregularities are not sure."""
    _ = catalogue(lang).gettext
    number = len(before.hands) + 1
    told = ruling(after, number)
    assert told is not None, "this hand has been begun"
    over = number <= len(after.hands)
    changed = [f"{short(paid.player)} {words.signed(paid.delta, lang)}" for paid in told.payments]
    said_of = [(found, sentence(words.irregularity(found, lang))) for found in told.irregularities]
    mistakes = tuple(perhaps(said, sure=found not in doubtful) for found, said in said_of)
    said, nothing = words.hand(told, lang), _("nobody pays") if over else _("in progress")
    return HandSummary(
        n=number,
        title=hand_title(told, lang),
        paid=tuple(sentence(one) for one in said[: len(said) - len(mistakes)]) or (sentence(nothing),),
        notes=mistakes,
        payers=_("void hand") if told.void else ", ".join(changed) or nothing,
        pays=bool(told.payments),
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
