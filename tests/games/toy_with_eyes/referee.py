"""What sightings mean in Bassa: a face is a card shown, or nothing; what was not seen cannot be ruled on."""

import math
from types import MappingProxyType

from companion.eyes.sighting import Shown
from companion.referee.clips import FaceUp
from companion.referee.plain import PlainModel
from toy_with_eyes import rules
from toy_with_eyes.rules import Show

MISTAKEN = math.log(0.001)
"""Logarithm of the probability that a face was no card of the hand."""


class BassaModel(PlainModel):
    TAGS = MappingProxyType({**PlainModel.TAGS, "Shown": Shown})

    def explain(self, history, step, least):
        if isinstance(step, Shown):
            name = rules.names(history.state)[step.place]
            for kind, odds in step.alternatives:
                if (shown := history.after([Show(by=name, card=kind)], math.log(odds), step.t)) is not None:
                    yield shown
        yield history.after([], MISTAKEN if isinstance(step, Shown) else 0.0, step.t)

    def faces_up(self, history, before, sightings):
        faces = (seen for seen in sightings if isinstance(seen, Shown))
        return tuple(FaceUp(seen.place, seen.alternatives[0][0], seen.t, math.inf) for seen in faces)


MODEL = BassaModel(rules)
