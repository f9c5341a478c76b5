"""What the program asks of Bassa beside its parts. Its clip does not ship: the test of the demo films one."""

from companion.games.spec import Demo, Spec

SPEC = Spec("Bassa", Demo("bassa.mp4"))
