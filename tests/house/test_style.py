"""Plain English: no docstring, comment, message, name or page uses a turn that a reader has to read twice.

``TURNS`` has each turn with what to write instead. A finding names the file, the line, what stands there and what to write.
What is looked at: comments, strings and names in Python, the names of files, and the whole text of pages, templates, scripts,
sheets, settings and cases. A name is read as its words: ``so_many_cards`` has a turn, too. ``NAMES`` has names of one word that
say less than they could.
"""

from __future__ import annotations

import functools
import io
import re
import subprocess
import sys
import tokenize
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.house

ROOT = Path(__file__).resolve().parents[2]

TURNS = {
    r"so (?:many|much)": "say the quantity: 'at most 3 cards', 'this many', 'the same number'",
    r"so long": "as long as; while",
    r"who(?:so)?ever|whomever": "anybody who; everybody who; the player who",
    r"anew": "again; from the start",
    r"for ever": "forever; for good; without end",
    r"likewise": "too; in the same way",
    r"of (?:which|whom)(?! (?:card|deck|game|hand|player|kind))": "two sentences, or 'whose', 'some of them', 'among them'",
    r"otherwise than": "differently from; not as",
    r"(?:say|says|said|tell|tells|told|stands?|stood|lies?|lay|written|worn|read|called|counted?|counts|went on|goes on|ended|"
    r"is|are|was|were|be) otherwise": "differently; otherwise means 'if not' only",
    r"(?:for|from|to|than|because|by|so that) who": "the player who, those who, anybody who",
    r"(?<=[.!] )who [^.?!:;]{3,120}\.(?= |$)": "the player who, those who: only a question begins so",
    r"(?<=[.!] )(?!who [^.?!:;]{3,120}\.(?: |$))"
    r"who (?:is|are|was|comes|leaves|has|sits)(?: \w+,?){1,6} (?:keeps?|sits?|goes|has|gets|takes|pays|loses)":
        "a player who, those who: only a question begins so",
    r"(?<=[;:,] )who \w+(?: \w+){0,2} (?:has|goes|gets|keeps|loses|wins|deals|plays|sits|stays|leaves|comes|begins)":
        "a player who, the one who",
    r"(?:that|nothing) (?:is|are|was|were|be) told(?=[.,;:])": "is said; is reported; or who is told what",
    r"(?:un)?heed(?:ed|s|ing)?": "take into account; use; apply",
    r"borne out": "confirmed",
    r"forlorn": "hopeless: say what follows from it",
    r"n[oa]ught": "nothing, 0",
    r"awry": "wrong: say what is wrong",
    r"that which": "what",
    r"whence|thence|hence|thereby|whereby|herein|therein|wherein|thereof|whereof|hitherto|henceforth|thereupon|whereupon":
        "a word of this century",
    r"whilst|amongst|albeit|lest|upon|unto|betwixt|perchance|ere": "while, among, though, so that … not, on, to",
    r"to and fro": "back and forth",
    r"as it were": "leave it out",
    r"needs must|must needs": "must",
}  # fmt: skip
"""What is not written → what to write. Each is a regular expression between two ends of words, upper or lower case."""

NAMES = {
    **dict.fromkeys(("AGREED", "BARELY", "HARDLY", "LET_STAND", "NOTHING", "SOON", "UNTOLD", "WITHIN"),
                    "say the quantity: MAX_…, MIN_…, …_SECONDS, …_PROBABILITY"),
    "Meaning": "SightingModel",
    **dict.fromkeys(("wing", "wings"), "game_id; package"),
    **dict.fromkeys(("Filing", "filed"), "Assignment, assign"),
    **dict.fromkeys(("Breadth", "breadth"), "BeamLimits, limits"),
    **dict.fromkeys(("Scribe", "scribe"), "EveningRecorder, recorder"),
    **dict.fromkeys(("Station", "station"), "CameraSession, camera_session"),
    "Gaze": "IncrementalDetector",
    **dict.fromkeys(("school", "lesson", "lessons"), "teaching; corrections"),
    **dict.fromkeys(("parted", "Parted"), "split; distinct"),
    "Outlook": "FrameQuality", "Thought": "what was decoded", "hangs_on": "depends_on", "rarities": "event_probabilities",
    "reel": "replay_steps; clips", "strays": "dropped_sightings",
}  # fmt: skip
"""Names in Python, upper and lower case as here → what to write."""
HASHED = (
    "companion/eyes/", "companion/line/trained.py", "workshop/bench/", "workshop/dataset/", "workshop/evaluation/",
    "workshop/training/", "tests/", "tools/recorded_looks.py",
)  # fmt: skip
"""Files in which names of one word stay: results of hours are kept by a hash of their text, and tests name what they test."""
KEPT = {
    "companion/line/corrections_learnt.py": {"lessons"},
    "companion/dashboard/organiser/phone_view.py": {"wing"}, "companion/dashboard/learnt.py": {"lesson"},
    "companion/games/stu/story.py": {"to_who"},
}  # fmt: skip
"""File → names that stay, as addresses, keys of JSON, messages, or files of `HASHED` have them."""

TEXTS = (".md", ".html", ".js", ".css", ".toml", ".yaml", ".py", ".txt")
NOT_OURS = (
    "docs/licences.md", "web/static/vendor/", "tests/house/test_style.py", "constraints.txt", "hashes.txt",
)  # fmt: skip
"""Texts of others, and this list itself."""

FORBIDDEN = {
    re.compile(rf"(?<![\w’'=.`-])(?!(?<=\")(?:{turn})\")(?:{turn})(?![\w’'`-])", re.I): instead for turn, instead in TURNS.items()
}
"""As `TURNS`. In backticks, alone between quotation marks, after an equals sign or a dot it is a code or a name, and no prose."""
ANY = re.compile(rf"(?<![\w’'=.`-])(?:{'|'.join(TURNS)})(?![\w’'`-])", re.I)
"""Matches wherever one of them does: what stands before a turn is looked at once, and not for each of them."""


def our_texts() -> list[str]:
    """The paths of all texts that are kept, from the root of the project."""
    kept = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return [path for path in kept if path.endswith(TEXTS) and not path.startswith(NOT_OURS) and (ROOT / path).exists()]


def passages(path: str, text: str) -> Iterator[tuple[int, str]]:
    """What a person reads in a file, each passage with its first line: comments that follow one another are one passage. The
    file's name comes first."""
    yield 1, as_words(Path(path).stem)
    if not path.endswith(".py"):
        yield 1, as_words(text) if path.endswith(".txt") else text
        return
    comment: list[str] = []
    began = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            if comment and token.start[0] == began + len(comment):
                comment.append(token.string)
                continue
            if comment:
                yield began, "\n".join(comment)
            comment, began = [token.string], token.start[0]
        elif token.type == tokenize.STRING:
            yield token.start[0], token.string
        elif token.type == tokenize.NAME and token.string not in KEPT.get(path, ()) and (
            token.string.count("_") > 1 or not path.startswith(HASHED[:-2])
        ):
            yield token.start[0], as_words(token.string)
    if comment:
        yield began, "\n".join(comment)


def as_words(name: str) -> str:
    """A name as the words that it is made of."""
    return re.sub(r"[_-]", " ", name).strip()


def turns_in(line: int, passage: str) -> Iterator[tuple[int, str, str]]:
    """Each forbidden turn: its line, what stands there, what to write instead. Ends of lines and marks of comments are blanks."""
    words = list(re.finditer(r"(?:^[ \t]*(?:#|//|\*)|\s)+|[^\s]+", passage, re.M))
    plain, starts, lines = "", [], []
    for word in words:
        starts.append(len(plain))
        lines.append(line + passage.count("\n", 0, word.start()))
        plain += word[0] if word[0].strip(" \t\n#/*") else " "
    for pattern, instead in FORBIDDEN.items():
        for found in pattern.finditer(plain):
            yield lines[bisect_right(starts, found.start()) - 1], found[0], instead


@functools.cache
def findings(path: str) -> list[str]:
    """What is wrong in a file, a line each. Raises UnicodeDecodeError where it is no text."""
    text = (ROOT / path).read_text("utf-8")
    plain = re.sub(r"[\s_#/*-]+", " ", f"{Path(path).stem} {text}")
    if not ANY.search(plain):  # taking all files apart would take ten seconds
        return []
    return [
        f"{path}:{at}: “{turn}”: {instead}"
        for line, passage in passages(path, text)
        for at, turn, instead in turns_in(line, passage)
    ]


def test_nothing_is_written_in_a_turn_that_has_to_be_read_twice() -> None:
    found = [line for path in our_texts() for line in findings(path)]
    assert not found, "\n".join(["", *found])


def test_what_explains_a_constant_stands_by_itself() -> None:
    """An editor shows it without the one above, and a new constant may come between the two. The eyes are left as they are."""
    files = [path for path in (ROOT / "companion").rglob("*.py") if "eyes" not in path.parts]
    found = [f"{path.relative_to(ROOT)}" for path in files if re.search(r'^"""The same\b', path.read_text("utf-8"), re.M)]
    assert not found, "“The same …”: say again what it is, quantity and unit first"


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("a.py", 'X = 3\n"""At most so\n    many cards."""\n', [(2, "so many")]),
        ("a.py", "# one comment, and\n# for\n# ever\n", [(2, "for ever")]),
        ("a.py", "def test_whoever_is_in_pays() -> None: ...\n", [(1, "whoever")]),
        ("a.py", "with taken as so, many:\n    who_pays(for_whom)\n", []),
        ("a.py", "begin_anew(likewise=3)\n", [(1, "anew"), (1, "likewise")]),
        ("a.txt", "r10-who-closes-opens-anew\npiccolo\n", [(1, "anew")]),
        ("dealt-anew.txt", "piccolo\n", [(1, "anew")]),
        ("a.md", "No hue alone: who pays has a border.\n", [(1, "who pays has")]),
        ("a.md", "A tap. Who comes late, at any time, sits down; who leaves goes on nowhere.\n",
         [(1, "Who comes late, at any time, sits"), (1, "who leaves goes")]),
        ("a.md", "It tells who pays. Who pays follows from it; who deals is not said.\n", []),
        ("a.md", "The line that was told. He is told, and so are they.\n", [(1, "that was told")]),
        ("companion/eyes/a.py", "awry = begin_it_anew()\n", [(1, "anew")]),
        ("a.md", "Cards.\n\nA pile is dealt\nanew.\n", [(4, "anew")]),
        ("a.md", "All stop. Who has shown goes on. Who pays?\n", [(1, "Who has shown goes on.")]),
        ("a.md", "It says who pays, and otherwise nothing.\n", []),
        ("a.js", "  // likewise of\n  // which\n", [(1, "likewise"), (1, "of which")]),
    ],
)
def test_a_turn_is_found_with_its_line(path: str, text: str, found: list[tuple[int, str]]) -> None:
    assert [turn[:2] for line, passage in passages(path, text) for turn in turns_in(line, passage)] == found


def names_of(path: str) -> list[str]:
    """The names in a Python file that are in `NAMES`, a line each."""
    text = (ROOT / path).read_text("utf-8")
    if not LISTED.search(text):
        return []
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [
        f"{path}:{token.start[0]}: `{token.string}`: {NAMES[token.string]}"
        for token in tokens
        if token.type == tokenize.NAME and token.string in NAMES and token.string not in KEPT.get(path, ())
    ]


LISTED = re.compile(rf"\b(?:{'|'.join(NAMES)})\b")


def test_no_name_of_one_word_says_less_than_it_could() -> None:
    found = [line for path in our_texts() if path.endswith(".py") and not path.startswith(HASHED) for line in names_of(path)]
    assert not found, "\n".join(["", *found])


def test_a_listed_name_is_found_and_words_in_texts_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    (tmp_path / "a.py").write_text('"""A wing of the house, within it nothing."""\nSOON = 3  # HARDLY\nwithin = "NOTHING"\n')
    assert [line.split(": say")[0] for line in names_of("a.py")] == ["a.py:2: `SOON`"]


UNNAMED = re.compile(r"^\s*(?:async )?def _*(?:told|said)\(", re.M)
"""A function that is named after its being said, and not after what it returns."""
MEASURED = ("workshop/streams/stoppa/truth.py", "workshop/streams/stoper/truth.py")
"""Modules whose functions of that name files of `HASHED` import."""


def unnamed(path: str) -> list[str]:
    """The functions in a Python file that are called `told` or `said`, a line each."""
    text = (ROOT / path).read_text("utf-8")
    return [f"{path}:{text.count(chr(10), 0, found.end()) + 1}: {found[0].strip()}" for found in UNNAMED.finditer(text)]


def test_a_function_is_named_after_what_it_returns() -> None:
    paths = [path for path in our_texts() if path.endswith(".py") and not path.startswith((*HASHED, *MEASURED))]
    found = [line for path in paths for line in unnamed(path)]
    assert not found, "\n".join(["", *found])


def test_a_function_that_is_not_is_found_with_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    (tmp_path / "a.py").write_text("def retold(): ...\nclass A:\n    def told(self): ...\n    said = print\n\ndef _said(): ...\n")
    assert unnamed("a.py") == ["a.py:3: def told(", "a.py:6: def _said("]


def test_pages_write_dates_in_one_way() -> None:
    """`companion.dashboard.days` has it. Only names of files have another."""
    pages = [*(ROOT / "companion" / "dashboard").rglob("*.py"), *(ROOT / "companion" / "hall").rglob("*.py"),
             *(ROOT / "web" / "templates").rglob("*.html")]  # fmt: skip
    found = {page.name for page in pages if re.search(r"strftime\(.*%[dmbBy]", page.read_text("utf-8"))}
    assert len(pages) > 50
    assert found == set()
