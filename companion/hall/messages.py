"""What a table and a hall tell one another, as JSON over HTTPS: the table asks, the hall answers.

A table pairs once (`Pair`). At every connection it says who it is and asks what the hall has (`Hello`, `Welcome`); then it sends
the next rows, again and again (`Send`, `Sent`). What an organiser has said in the hall comes back with the same answers.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Raw, Struct

from companion.table.language import N_

PROTOCOL = 1
"""Number of this protocol. A hall refuses a table that speaks a newer one."""
MAX_ROWS = 500
"""Rows of one message, at most."""
MAX_BODY_BYTES = 1 << 20
"""Bytes of one message, at most."""
ROWS_BYTES = MAX_BODY_BYTES // 2
"""Bytes of rows after which a message takes no more of them: names may need six bytes for a letter in JSON."""

Name = Annotated[str, Meta(max_length=60)]
Text = Annotated[str, Meta(max_length=4000)]
Count = Annotated[int, Meta(ge=0, le=2**53)]
LangTexts = dict[Name, Text]
"""Language → a sentence in it."""


class Pair(Struct, frozen=True):
    """A table wants to join. ``code``: of the hall, without what tells its key; ``ledger``: the ledger's UUID; ``name``: what the
    table is to be called, "" for the next number; a name that is there already: the table's machine was replaced. ``again``:
    nothing was played with this ledger, so that the table's game may go on in it."""

    code: Name
    ledger: Name
    name: Name = ""
    again: bool = False


class Paired(Struct, frozen=True):
    """It has joined. ``token``: by which it is known from now on; ``name``: what it is called; ``ledger``: the UUID that its
    ledger is to have from now on, as the game of its old machine goes on in it; "": the one that it has."""

    token: str
    name: str
    ledger: str = ""


class Have(Struct, frozen=True, array_like=True):
    """How far the hall has a game: the ``number`` of its last row, the chain up to it (`companion.ledger.outbox`), and how often
    the rows were written in other words."""

    number: int = 0
    chain: str = ""
    rewritten: int = 0


class Hello(Struct, frozen=True):
    """A sender begins. ``sender``: a text of its own, another one in every run; ``clock``: Unix time, seconds."""

    protocol: int
    ledger: Name
    sender: Name
    clock: float


class Welcome(Struct, frozen=True):
    """What the hall has, game by game, by the table's own ids. ``name``: what the table is called; ``skew_s``: seconds by which
    its clock is ahead of the hall's. ``keeps_all``: it wants notes and reports, too; ``reports``: how many it has, by
    the game."""

    name: str
    games: dict[int, Have]
    skew_s: float
    keeps_all: bool = False
    reports: dict[int, int] = {}


class SentRow(Struct, frozen=True, array_like=True):
    """A row as `companion.ledger.outbox.Row` has it."""

    number: Count
    recorded: float
    head: Count
    tail: Count
    lines: str


class GameRows(Struct, frozen=True):
    """The next rows of a game.

    Attributes:
        game: the table's own id; started: Unix time, seconds. rewritten: how often its rows were written in other words.
        gone: it was deleted at the table. counts: it is one of the table's season.
        missed: for how long nothing was seen of its hands, as the ledger keeps it.
        after: number of the row before the first of ``rows``. chain: up to that row.
        instead: the rows are no continuation of what the hall has; what it has, so that this is said once.
    """

    game: Count
    started: float
    rewritten: Count
    gone: bool
    missed: Text
    after: Count
    chain: Name
    rows: Annotated[tuple[SentRow, ...], Meta(max_length=MAX_ROWS)]
    instead: Have | None = None
    counts: bool = True


class SentReport(Struct, frozen=True, array_like=True):
    """A report of a game as its ledger keeps it, and when it was ``recorded`` (Unix time, seconds; None: by an older program)."""

    text: str
    recorded: float | None


class GameKept(Struct, frozen=True):
    """What a hall that keeps all gets of a game besides its rows: the next ``reports``, behind the first ``after``; all its
    ``notes``, None where they are as before. ``rewritten``: as in `GameRows`."""

    game: Count
    rewritten: Count
    after: Count
    reports: Annotated[tuple[SentReport, ...], Meta(max_length=MAX_ROWS)]
    notes: dict[str, str] | None


class Fetch(Struct, frozen=True):
    """A table whose machine was lost asks for its game: how many ``rows`` and ``reports`` it has already."""

    rows: Count
    reports: Count


class Fetched(Struct, frozen=True):
    """The next of them, none where there are no more. ``game``: its id in the ledger, 0: there is none; ``started``: Unix time,
    seconds; ``rewritten``: as in `GameRows`."""

    game: int
    started: float
    rewritten: int = 0
    rows: tuple[SentRow, ...] = ()
    reports: tuple[SentReport, ...] = ()
    notes: dict[str, str] = {}


class OpenChoice(Struct, frozen=True):
    """An answer to choose; ``id`` None: "don't know"."""

    id: Annotated[str, Meta(max_length=200)] | None
    text: LangTexts


class OpenQuestion(Struct, frozen=True):
    """An open question of a table, told whole. ``game``, ``version``, ``said``: what it is asked of; they come back with the
    answer.
    ``n``: number of the hand."""

    id: Annotated[str, Meta(max_length=200)]
    game: Count
    version: Count
    said: Count
    n: Count
    text: LangTexts
    choices: Annotated[tuple[OpenChoice, ...], Meta(max_length=60)]


class Done(Struct, frozen=True):
    """What became of a command at the table: the HTTP status that a phone would have got, and why not, in each language."""

    command: Count
    status: int
    message: LangTexts = {}


class Send(Struct, frozen=True):
    """The next rows and what else is new. ``shows``: the game that the table shows, None for none; ``questions``: all that are
    open, None where they are as before; ``done``: what became of commands; ``call``: the token of its open call of the referee,
    "" for none; ``kept``: of the game that it shows, for a hall that keeps all."""

    sender: Name
    shows: Count | None
    games: tuple[GameRows, ...] = ()
    questions: Annotated[tuple[OpenQuestion, ...], Meta(max_length=100)] | None = None
    done: tuple[Done, ...] = ()
    call: Name = ""
    kept: GameKept | None = None


class Told(Struct, frozen=True):
    """A command for a table. ``body``: as a phone sends it to `POST /api/organiser/command`, its `tap` in it; ``by``: who says
    it; ``left_s``: seconds for which it still counts."""

    id: int
    body: Raw
    by: str
    left_s: float


class Sent(Struct, frozen=True):
    """What the hall has by now of the games that were sent; what the table is to do; seconds after which it is to ask again;
    ``called``: whether the call that was sent is open, and was not dealt with; ``reports``: how many it has by now of what was
    ``kept``, None: it has no such game."""

    games: dict[int, Have]
    commands: tuple[Told, ...]
    again_s: float
    called: bool = False
    reports: int | None = None


WHY = {
    "unknown_table": N_("The hall does not know this table (any more): join it again, with a new code"),
    "taken_over": N_("Another machine has joined the hall as this table: nothing of this one is sent any more"),
    "name_taken": N_("A table of this name plays in the hall now: choose another name, or end its program and wait ten seconds"),
    "ledger_taken": N_("A copy of this ledger is sent to the hall now, under another name: begin with a ledger of its own"),
    "wrong_code": N_("This code does not count (any more): take the one that the hall’s page for organisers shows now"),
    "replaced": N_("Another program sends this table’s evenings now: this one has stopped"),
    "other_ledger": N_("This table joined the hall with another ledger: join it again, with a new code"),
    "hello": N_("The hall has begun again: say hello"),
    "torn": N_("Not a valid message of a table"),
    "update": N_("The hall’s program is older than this table’s: update companion on the hall’s computer"),
    "https": N_("Over http everybody in the network could read along: take the https address that companion hall prints"),
    "key": N_("Another machine answers at the hall’s address: its key is not the hall’s"),
}
"""Code of a refusal → the sentence that the table's phone shows for it."""
