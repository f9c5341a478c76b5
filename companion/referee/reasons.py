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
NO_SUCH_OUTCOME = Reason("no_such_outcome", N_("no hand can come to this"))
TOLD_DIFFERENTLY = Reason("told_differently", N_("an event that was entered for that hand does not allow these cards"))
TEXT_TOO_LONG = Reason("text_too_long", N_("a text of more than {letters} characters"))
UNFITTING = Reason("unfitting", N_("what was fixed by hand in a later hand could not have happened then"))
UNFITTING_BEGINNING = Reason(
    "unfitting_beginning", N_("what was fixed by hand at the beginning of a later hand could not have happened then")
)
