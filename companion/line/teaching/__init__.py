"""The decks of a house: those that were taught, those that are being taught, and how a card before the camera is taken."""
