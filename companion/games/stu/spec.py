"""What the program asks of Lu Stù beside its rules, its sight and its pages."""

from companion.games.spec import Demo, Spec

SPEC = Spec("Lu Stù", Demo("datasets/demo/demo.mp4"))
