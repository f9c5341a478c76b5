"""Bots that play Bassa."""

import random

from companion.decks.stu import KINDS
from companion.games.simulation import Option, Simulation
from companion.table.bots import GameInPlay, first_of
from toy_with_eyes import rules
from toy_with_eyes.rules import Begin, End, HandLine, Show

NAMES = ("Anna", "Bruno", "Carla", "Dino", "Elsa", "Fabio")


class BassaBots(Simulation):
    players, usual = (2, 6), 3
    options = (Option("lowest", KINDS[0], "the lowest card that is dealt.", KINDS),)

    def seated(self, count):
        return first_of(NAMES, count, fewest=2, game="Bassa")

    def simulate(self, evening, lowest=KINDS[0]):
        game = GameInPlay(rules.begin, rules.apply, Begin(v=1, game="bassa", players=evening.people), random.Random(evening.seed))
        while rules.hands(game.state) < evening.hands and all(game.state.tokens):
            game.do(HandLine())
            deck = [kind for kind in KINDS[KINDS.index(lowest) :] for _ in range(2)]
            for name, card in zip(evening.people, game.rng.sample(deck, len(evening.people)), strict=True):
                game.do(Show(by=name, card=card))
            game.do(End())
        return game.lines


SIMULATION = BassaBots()
