"""Why the referee refuses what somebody corrects or adds: each reason's code, and its sentence in English for gettext."""

from __future__ import annotations

from companion.table.errors import Reason
from companion.table.language import N_

HAND_NOT_OVER = Reason("hand_not_over", N_("the hand is not over"))
HAND_NOT_OVER_BEFORE_OTHERS = Reason(
    "hand_not_over_before_others", N_("the hand is not over, and others came after it")
)
WOULD_NOT_BE_OVER = Reason("would_not_be_over", N_("a hand that others follow would not be over"))
TWO_HANDS = Reason("two_hands", N_("two hands in one"))
CARDS_AGAINST_OUTCOME = Reason(
    "cards_against_outcome",
    N_("these cards do not go with the outcome that was entered for this hand: enter other cards, or another outcome first"),
)
ONLY_THE_OUTCOME = Reason(
    "only_the_outcome",
    N_("only the outcome of this hand was entered: enter another outcome, or enter what happened in place of it"),
)
TOLD_DIFFERENTLY = Reason("told_differently", N_("an event that was entered for that hand does not allow these cards"))
NAME_MISSING = Reason("name_missing", N_("a name is missing: write who it is, or leave that person out"))
NAME_TOO_LONG = Reason("name_too_long", N_("the name “{name}…” is too long: at most {most} letters"))
NAMED_TWICE = Reason("named_twice", N_("{player} is named twice: name each person once"))
OUTCOME_TOO_LARGE = Reason("outcome_too_large", N_("{value} is too much for {player}: {most} at most in this hand"))
TEXT_TOO_LONG = Reason("text_too_long", N_("a text of more than {letters} characters"))
UNFITTING = Reason("unfitting", N_("what was fixed by hand in a later hand could not have happened then"))
UNFITTING_BEGINNING = Reason(
    "unfitting_beginning", N_("what was fixed by hand at the beginning of a later hand could not have happened then")
)
