"""Bassa, a small game that eyes can follow, in all its parts: rules, eyes, referee, pages, bots, demo, film, bench and soak.

Two to six sit anticlockwise with three tokens each, and are dealt a card of Lu Stù's deck face down. All turn it; the lowest card
pays a token, of two equal ones the one shown first. Once somebody has none the game is over, and the most tokens win.
"""

from companion.games import Game

BASSA = Game("bassa", "toy_with_eyes")
