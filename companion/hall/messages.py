"""The messages between a table and a hall, as JSON over HTTPS: the table asks, the hall answers.

A table pairs once (`Pair`, `Paired`). At every connection it says who it is and asks what the hall has (`Hello`, `Welcome`); then
it sends the next rows, again and again (`Send`, `Sent`). Commands that an organiser gives in the hall come with these answers.
When its own organiser lets it leave, it says so (`Leave`, `Left`).
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Raw, Struct

from companion.table.language import N_

PROTOCOL = 1
"""Number of this protocol. A hall refuses a table that speaks a newer one."""
BELL_SECONDS = 120.0
"""Seconds for which a table's TV shows that the hall's bell has rung, and what it proposes."""
MAX_ROWS = 500
"""Rows of one message, at most."""
MAX_BODY_BYTES = 1 << 20
"""Bytes of one message, at most."""
ROWS_BYTES = MAX_BODY_BYTES // 2
"""The most bytes of rows in a message: in JSON a letter of a name may need six bytes."""

MAX_NAME_LENGTH = 30
"""Letters of a table's name, at most: the big screen has room for that."""

Name = Annotated[str, Meta(max_length=60)]
Text = Annotated[str, Meta(max_length=4000)]
Count = Annotated[int, Meta(ge=0, le=2**53)]
LangTexts = dict[Name, Text]
"""Language → a sentence in it."""


class Pair(Struct, frozen=True):
    """A table wants to join. ``code``: the hall's, without the letters that stand for its key; ``ledger``: the ledger's UUID;
    ``name``: the wished name, "" for the next free number; a name that the hall knows already means that the table's machine was
    replaced. ``again``: nothing was played with this ledger yet, so the game of the old machine may go on in it."""

    code: Name
    ledger: Name
    name: Name = ""
    again: bool = False


class Paired(Struct, frozen=True):
    """The table has joined. ``token``: identifies it from now on; ``name``: what the hall calls it; ``ledger``: the UUID that its
    ledger takes, because the game of its old machine goes on in it; "": it keeps its own."""

    token: str
    name: str
    ledger: str = ""


class Have(Struct, frozen=True, array_like=True):
    """How much of a game the hall has: the ``number`` of its last row, the ``chain`` of hashes up to that row
    (`companion.ledger.outbox`), and how often the game was ``rewritten`` in other words."""

    number: int = 0
    chain: str = ""
    rewritten: int = 0


class Hello(Struct, frozen=True):
    """A sender begins. ``sender``: a random text, another one in every run of the table's program; ``clock``: the table's Unix
    time, seconds."""

    protocol: int
    ledger: Name
    sender: Name
    clock: float


class Welcome(Struct, frozen=True):
    """What the hall has: ``games``, by the table's own ids. ``name``: what the table is called; ``skew_s``: seconds by which the
    table's clock is ahead of the hall's. ``keeps_all``: the hall also wants notes and reports; ``reports``: how many it has of
    each game."""

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
        gone: it was deleted at the table. counts: the game counts in the table's season.
        missed: for how long nothing was seen of each of its hands, in the words of the ledger's note (JSON).
        after: number of the row before the first of ``rows``. chain: the chain of hashes up to that row.
        instead: what the hall has, where the rows take its place instead of continuing it; None where they continue it.
        goes_on_from: the game that went on as this one with other people, by the table's own id, 0 for none; None: an older
            program does not say.
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
    goes_on_from: Count | None = None


class SentReport(Struct, frozen=True, array_like=True):
    """A report of a game as its ledger keeps it, and when it was ``recorded`` (Unix time, seconds; None: by an older program)."""

    text: str
    recorded: float | None


class GameKept(Struct, frozen=True):
    """What a hall that keeps all gets of a game besides its rows: the ``reports`` that follow the first ``after``, and all its
    ``notes``, None where they have not changed. ``rewritten``: as in `GameRows`."""

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
    """The answer to `Fetch`: the next rows and reports, none where there are no more. ``game``: the game's id in the ledger, 0:
    the hall has none; ``started``: Unix time, seconds; ``rewritten``: as in `GameRows`."""

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
    """An open question of a table, complete. ``game``, ``version``, ``said``: the state in which it is asked; the answer repeats
    them. ``n``: number of the hand."""

    id: Annotated[str, Meta(max_length=200)]
    game: Count
    version: Count
    said: Count
    n: Count
    text: LangTexts
    choices: Annotated[tuple[OpenChoice, ...], Meta(max_length=60)]


class Done(Struct, frozen=True):
    """What became of a command at the table: the HTTP ``status`` that a phone would have got and, where the command was refused,
    why, in each language."""

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


class Leave(Struct, frozen=True):
    """The table's organiser has let it leave the hall: it sends no more."""


class Left(Struct, frozen=True):
    """The answer to `Leave`."""


class TableCommand(Struct, frozen=True):
    """A command for a table. ``body``: as a phone sends it to `POST /api/organiser/command`, with its `tap`; ``by``: who gives
    it; ``left_s``: seconds for which it is still valid."""

    id: int
    body: Raw
    by: str
    left_s: float


class Rung(Struct, frozen=True):
    """The tournament's bell rang ``since_s`` seconds ago. ``proposes``: as of `companion.tournament.acts.Ring`; a newer hall may
    propose what this table does not know."""

    proposes: str
    since_s: float


class Sent(Struct, frozen=True):
    """The answer to `Send`: what the hall now has of the ``games`` that were sent; the ``commands`` for the table; ``again_s``:
    seconds after which to ask again; ``called``: whether the call that was sent is still open; ``reports``: how many reports the
    hall now has of the game in ``kept``, None: it has no such game; ``bell``: None where it has not rung, or long ago."""

    games: dict[int, Have]
    commands: tuple[TableCommand, ...]
    again_s: float
    called: bool = False
    reports: int | None = None
    bell: Rung | None = None


WHY = {
    "unknown_table": N_("The hall does not know this table (any more): join it again, with a new code"),
    "taken_over": N_("Another machine has joined the hall as this table: nothing of this one is sent any more"),
    "name_taken": N_("A table of this name plays in the hall now: choose another name, or end its program and wait ten seconds"),
    "name_too_long": N_("This name for the table is too long: at most 30 letters"),
    "ledger_taken": N_("A copy of this ledger is sent to the hall now, under another name: begin with a ledger of its own, or"
                       " wait ten seconds where it is the same table"),
    "wrong_code": N_("This code does not count (any more): take the one that the hall’s page for organisers shows now"),
    "replaced": N_("Another program sends this table’s evenings now: this one has stopped"),
    "other_ledger": N_("This table joined the hall with another ledger: join it again, with a new code"),
    "hello": N_("The hall has begun again: say hello"),
    "torn": N_("Not a valid message of a table"),
    "update": N_("The hall’s program is older than this table’s: update companion on the hall’s computer"),
    "https": N_("Over http everybody in the network could read along: take the https address that companion hall prints"),
    "code_of_another": N_("This code is not of the hall at this address, or another machine answers there: check both"),
    "key": N_("Another machine answers at the hall’s address: its key is not the hall’s"),
}
"""Code of a refusal → the sentence that the table's phone shows for it."""
