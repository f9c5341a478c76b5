"""What stands in the season in place of a sum of money."""

from __future__ import annotations

import pytest

from companion.dashboard.season.columns import no_money
from companion.pages.season import EveningFigures

KNOWN = EveningFigures((), 1, over=True, settled=True)
OPEN = EveningFigures((), 1, over=False, settled=False)
UNTOLD = EveningFigures((), 1, over=True, settled=False, unknown=True)
TOLD_TOO_LATE = EveningFigures((), 1, over=True, settled=True, unknown=True)


@pytest.mark.parametrize(("games", "words"), [
    ([], ""), ([KNOWN], ""), ([OPEN], "not yet"), ([UNTOLD], "not known"), ([TOLD_TOO_LATE], "not known"),
    ([KNOWN, UNTOLD], "not known"), ([UNTOLD, OPEN], "not yet"), ([KNOWN, OPEN], "not yet"),
])  # fmt: skip
def test_a_sum_that_is_missing_says_whether_it_is_still_to_come(games: list[EveningFigures], words: str) -> None:
    assert no_money(games, "en") == words
