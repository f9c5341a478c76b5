"""Why a log of any game is refused: each reason's code, and its sentence in English for gettext."""

from __future__ import annotations

from companion.table.errors import Reason
from companion.table.language import N_

NO_GAME_LINE = Reason("no_game_line", N_("no game line"))
GAME_LINE_TOO_LATE = Reason("game_line_too_late", N_("something happens before the game line"))
STRANGER = Reason("stranger", N_("nobody called {player} sits at this table"))
STRANGER_ALIKE = Reason(
    "stranger_alike",
    N_("nobody called “{player}” sits at this table, but “{name}” does: the two differ in blanks, accents or capitals alone"),
)
