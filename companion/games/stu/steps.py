"""Cards as steps, 0 (Matto) to 19 (Cucco), and where staying and passing come to the same: what bots and odds reckon with."""

from __future__ import annotations

from typing import Final

from companion.decks.stu import KINDS

STEPS: Final = len(KINDS)
STEP: Final = {kind: step for step, kind in enumerate(KINDS)}
"""Kind → its step."""
FIRST_TRUMP: Final = STEP["taverna"]
"""The step from which a card is a trump."""


def indifference(players: int) -> float:
    """The step of the card with which sto and passo come to about the same, by the card alone.

    With ``n`` others unseen, a card is the lowest of all with chance (share of higher cards)^n; a passo costs about one pedina in
    eight: a Gnao, a Bragon, or a card that is worse still.

    >>> [round(indifference(players), 1) for players in (2, 6, 12)]
    [17.1, 6.6, 3.4]
    """
    higher: float = 0.125 ** (1 / (players - 1))
    return (STEPS - 0.5) * (1 - higher)
