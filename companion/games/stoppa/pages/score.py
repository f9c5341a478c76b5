"""How a game of Stoppa stands, what a hand came to, and what a change would make of both: for organisers. Pure."""

from __future__ import annotations

from companion.games.stoppa import words
from companion.games.stoppa.pages.rulings import winner
from companion.games.stoppa.pages.waiting import waits_for
from companion.games.stoppa.rules import State, giro
from companion.games.stoppa.rules.report import on_table, ruling, status
from companion.table.language import Lang, catalogue
from companion.table.phone import Difference, HandSummary, PlayerView, Score
from companion.table.text import sentence, short
from companion.table.view import Figure

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
            PlayerView(name=name, has=_signed(state, balance, lang), in_play=True, dealer=name == dealer)
            for name, balance in zip(state.table.names, state.balances, strict=True)
        ),
        points=state.table.points,
        winner=winner(state),
        figures=_figures(state, lang),
    )


def _figures(state: State, lang: Lang) -> tuple[Figure, ...]:
    _ = catalogue(lang).gettext
    stands = giro.standing(state)
    of = _("{hand} of {of}").format(hand=stands.hand, of=stands.of)
    round_ = Figure(_("Giro {n}").format(n=stands.n), of, _("called") if stands.called else "")
    return (Figure(_("On the table"), _sum(state, on_table(state), lang)), round_)


def hand(before: State, after: State, lang: Lang) -> HandSummary:
    """What the hand came to that was begun after ``before`` and has come as far as ``after``."""
    _ = catalogue(lang).gettext
    number = len(before.hands) + 1
    told = ruling(after, number)
    assert told is not None, "this hand has been begun"
    over, points = number <= len(after.hands), after.table.points
    moved = zip(after.table.names, before.balances, after.balances, strict=True)
    won = [f"{short(name)} {_signed(after, now - was, lang)}" for name, was, now in moved if now != was] if over else []
    return HandSummary(
        n=number,
        title=words.title(told, lang),
        paid=tuple(sentence(said) for said in words.hand(told, lang, points=points)),
        notes=tuple(sentence(words.irregularity(found, lang, where=False)) for found in told.irregularities),
        payers=_("void hand") if told.void else ", ".join(won) or (_("nobody pays") if over else _("in progress")),
        pays=bool(told.pots or told.payments),
    )


def differences(now: State, then: State, lang: Lang) -> tuple[Difference, ...]:
    """What differs between two states: everybody's balance, what lies on the table, what the game is doing."""
    _ = catalogue(lang).gettext
    rows = [
        (name, _signed(now, was, lang), _signed(then, would, lang))
        for name, was, would in zip(now.table.names, now.balances, then.balances, strict=True)
    ]
    rows.append((_("On the table"), _sum(now, on_table(now), lang), _sum(then, on_table(then), lang)))
    if status(now) != status(then):
        rows.append((_("Game"), waits_for(now, lang), waits_for(then, lang)))
    return tuple(Difference(*row) for row in rows if row[1] != row[2])


def _signed(state: State, minor: int, lang: Lang) -> str:
    return words.signed_sum(minor, lang, points=state.table.points)


def _sum(state: State, minor: int, lang: Lang) -> str:
    return words.amount(minor, lang, points=state.table.points)
