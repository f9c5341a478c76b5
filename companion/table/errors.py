"""The errors that people meet.

Tree::

    CompanionError            bad input or a machine that lacks something: one line, exit 2, never a traceback
    ├── AssetMissing          a file that the program brings is not there
    └── (each room's own)     derive from CompanionError, so that the command line knows them

`companion.games.stu` knows no other room, so its errors stand on ValueError and the command line knows them by name.
Anything else that is raised is a defect of the program, and keeps its traceback.
"""


class CompanionError(Exception):
    """Something a person can mend. The message says what was wrong, where, what was expected and what to do."""


class AssetMissing(CompanionError):
    """A file that belongs to the program (weights, web files, the bundled clip) is not there."""
