"""What the program asks of Stoper beside its rules, its sight and its pages."""

from companion.games.spec import Demo, Spec

SPEC = Spec("Stoper", Demo("datasets/demo/stoper/stoper.mp4", "datasets/demo/italian.deck"))
