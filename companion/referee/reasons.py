"""Why the referee refuses a correction: what no rule speaks of."""

from __future__ import annotations

from companion.table.errors import Reason
from companion.table.language import N_

UNFITTING = Reason("unfitting", N_("what was fixed by hand in a later hand could not have happened then"))
OPENING_UNFITTING = Reason(
    "opening_unfitting", N_("what was fixed by hand at the beginning of a later hand could not have happened then")
)
HAND_NOT_OVER = Reason("hand_not_over", N_("the hand is not over"))
OTHERS_CAME_AFTER = Reason("others_came_after", N_("the hand is not over, and others came after it"))
