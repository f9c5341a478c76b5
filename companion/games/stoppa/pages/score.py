"""How a game of Stoppa stands, what a hand came to, and what a change would make of both: for organisers. Pure."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from companion.games.stoppa import words
from companion.games.stoppa.pages import phrases
from companion.games.stoppa.pages.rulings import notes_of, winner
from companion.games.stoppa.pages.waiting import waits_for
from companion.games.stoppa.rules import State, giro
from companion.games.stoppa.rules.report import on_table, ruling, status
from companion.games.stoppa.rules.state import Irregularity
from companion.pages.phone import Difference, HandSummary, PlayerView, Score
from companion.pages.view import Figure
from companion.table.language import Lang, catalogue
from companion.table.story import hand_title
from companion.table.text import sentence, short

_PHASES = {"last_hand": "hand_in_progress", "over": "won"}
"""A status of the report → the code that pages know it by."""


def score(state: State, lang: Lang) -> Score:
    """How the game stands."""
    phase = status(state)
    dealer = state.table.names[state.hand.dealer if state.hand is not None else state.dealer]
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


def hand(before: State, after: State, lang: Lang, doubtful: Collection[Irregularity] = ()) -> HandSummary:
    """What the hand came to that was begun after ``before`` and has come as far as ``after``; ``doubtful``: which of its
    irregularities are not sure."""
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
        paid=tuple(sentence(said) for said in words.hand(told, lang, points=points)),
        notes=notes_of(replace(told, declared=None, stoppata=None), lang, doubtful),
        payers=_("void hand") if told.void else ", ".join(won) or (_("nobody pays") if over else _("in progress")),
        pays=bool(told.pots or told.payments),
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
