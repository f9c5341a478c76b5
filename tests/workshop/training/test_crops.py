"""What the reader's crops are cut from."""

from __future__ import annotations

import numpy as np

from workshop.training.crops import ITALIAN_FACES, classes


def test_every_style_but_the_committed_one_lends_italian_cards_where_strangers_are_taught() -> None:
    committed, another = (len(classes(styles, 0, None, strangers=1).strangers) for styles in (1, 2))
    assert another == committed + ITALIAN_FACES
    assert classes(2, 0, None).strangers == ()


def test_several_processes_draw_the_same_cards_as_one() -> None:
    alone, together = (classes(1, 0, None, strangers=1, jobs=jobs) for jobs in (1, 2))
    assert together.names == alone.names
    for one, other in zip((*alone.textures, alone.strangers), (*together.textures, together.strangers), strict=True):
        assert len(one) == len(other)
        assert all(np.array_equal(*pair) for pair in zip(one, other, strict=True))
