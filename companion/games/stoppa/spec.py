"""What the program asks of Stoppa beside its rules, its sight and its pages."""

from companion.games.spec import Demo, Spec

SPEC = Spec("Stoppa", Demo("datasets/demo/stoppa/stoppa.mp4", "datasets/demo/italian.deck"))
