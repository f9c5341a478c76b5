"""What is kept of the games that are shown, to go on from there."""

from __future__ import annotations

import pytest
from serving import until
from tables import Running, table

from companion.hall import shown


def test_where_more_lines_are_played_than_may_be_kept_all_is_shown_all_the_same(
    hall: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shown, "MAX_KEPT_LINES", 30)
    with table(hall, name="Portico") as one, table(hall, name="Loggia") as other, table(hall, name="Ponte") as third:
        for seed in (1, 2):
            for at, each in enumerate((one, other, third)):
                each.play(seed=seed, hands=3, every=4)
                told = each.says()
                until(lambda at=at, told=told: [hall.tables()[at][key] for key in ("game", "hand", "ruling")]
                      == [told[key] for key in ("game", "hand", "ruling")])  # fmt: skip
        assert len(hall.hall.showing._kept) == 1, "the last one's lines are more than may be kept, and are kept alone"
