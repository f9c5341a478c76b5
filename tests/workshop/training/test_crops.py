"""What the reader's crops are cut from."""

from __future__ import annotations

from companion.workshop.training.crops import ITALIAN_FACES, classes


def test_every_style_but_the_committed_one_lends_italian_cards_where_strangers_are_taught() -> None:
    committed, another = (len(classes(styles, 0, None, strangers=1).strangers) for styles in (1, 2))
    assert another == committed + ITALIAN_FACES
    assert classes(2, 0, None).strangers == ()
