"""Pedine of decks that nothing was trained on, counted at rendered tables."""
