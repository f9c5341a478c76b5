"""What the program asks of Bassa beside its parts. The clip of its demo is filmed by the tests: `FOLDER` is theirs."""

import tempfile

from companion.games.spec import Demo, Spec

FOLDER = tempfile.mkdtemp(prefix="bassa-")
SPEC = Spec("Bassa", Demo(f"{FOLDER}/bassa.mp4"))
