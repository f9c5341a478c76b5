"""The ledger's file: how a SQLite database is known to be one of ours, and what is in it.

A version of a game's log is stored as a splice of the version before: how many lines are kept from its head and from its tail,
and the lines that stand between them. Version 0 is the empty log and has no row. Notes are texts kept with a game, such as its
table and its camera; reports are what was seen and said of it, in order: what the log can be made of again; hands are what the
reports have come to, for a quick restart. Phones are those that may change something; of what proves it only a digest is kept.
The season's tables hold what was said of people from evening to evening, and what finished evenings came to, which can always be
worked out again. The `crc` of a text tells a bit that the disk has flipped.
"""

from __future__ import annotations

import sqlite3
import zlib

APPLICATION_ID = 0x53747531
"""`PRAGMA application_id` of a ledger: "Stu1" in ASCII. SQLite keeps it in the file's header."""

SCHEMA_VERSION = 6
"""`PRAGMA user_version` that this program writes and the newest that it reads."""

_GAMES = """
CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    started REAL NOT NULL,              -- Unix time, seconds
    source TEXT NOT NULL                -- where it was seen: a file's name, a camera
) STRICT;
CREATE TABLE version (
    game INTEGER NOT NULL REFERENCES game (id),
    number INTEGER NOT NULL CHECK (number >= 1),
    recorded REAL NOT NULL,             -- Unix time, seconds
    head INTEGER NOT NULL CHECK (head >= 0),    -- lines kept from the start of the version before
    tail INTEGER NOT NULL CHECK (tail >= 0),    -- lines kept from its end
    lines TEXT NOT NULL,                -- the new lines between them, each ended by a line feed
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
"""

_NOTES = """
CREATE TABLE note (
    game INTEGER NOT NULL REFERENCES game (id),
    name TEXT NOT NULL,                 -- what the text is about, such as `table`
    text TEXT NOT NULL,
    PRIMARY KEY (game, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE report (
    game INTEGER NOT NULL REFERENCES game (id),
    number INTEGER NOT NULL CHECK (number >= 1),
    text TEXT NOT NULL,                 -- an entry of the record that the log was made of
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
"""

_PHONES = """
CREATE TABLE phone (
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,        -- SHA-256 of the token in the phone's cookie
    name TEXT NOT NULL,                 -- what people call it
    paired REAL NOT NULL,               -- Unix time, seconds
    seen REAL NOT NULL                  -- Unix time, seconds: its last request, to the minute
) STRICT;
CREATE TABLE secret (
    name TEXT PRIMARY KEY,              -- what it is for, such as `cookies`
    value BLOB NOT NULL
) STRICT, WITHOUT ROWID;
"""

_HANDS = """
CREATE TABLE hand (
    game INTEGER NOT NULL REFERENCES game (id),
    id INTEGER NOT NULL CHECK (id >= 0),
    place INTEGER NOT NULL CHECK (place >= 0),  -- its place among the game's hands, in order of play
    text TEXT NOT NULL,                 -- the hand as it stands, so that a restart need not think it through again
    PRIMARY KEY (game, id)
) STRICT, WITHOUT ROWID;
"""

_SEASON = """
CREATE TABLE season_link (
    name TEXT PRIMARY KEY,              -- the key of a name that is another name of somebody
    person TEXT NOT NULL                -- the key of that person's name
) STRICT, WITHOUT ROWID;
CREATE TABLE season_forgotten (
    digest BLOB PRIMARY KEY             -- of the key of a name that is to be nobody's
) STRICT, WITHOUT ROWID;
CREATE TABLE season_evening (
    game INTEGER PRIMARY KEY REFERENCES game (id),
    counts INTEGER NOT NULL CHECK (counts IN (0, 1))    -- said by hand: whether the evening counts
) STRICT, WITHOUT ROWID;
CREATE TABLE season_figures (
    game INTEGER PRIMARY KEY REFERENCES game (id),
    of TEXT NOT NULL,                   -- the version of the log, and of what was worked out: others are worked out again
    text TEXT NOT NULL                  -- what the evening came to
) STRICT, WITHOUT ROWID;
CREATE TABLE season_choice (
    name TEXT PRIMARY KEY,              -- what was chosen, such as `off`
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""

_CHECKED = """
-- `checksum` of head, tail and lines, of a report's text, of a hand's place and text; NULL: an older program wrote it
ALTER TABLE version ADD COLUMN crc INTEGER;
ALTER TABLE report ADD COLUMN crc INTEGER;
ALTER TABLE hand ADD COLUMN crc INTEGER;
-- the first line of the log again: without it nothing can be made of the reports
ALTER TABLE game ADD COLUMN first TEXT;
-- Unix time, seconds; NULL: an older program wrote it
ALTER TABLE report ADD COLUMN recorded REAL;
CREATE TABLE state (
    name TEXT PRIMARY KEY,              -- `written`
    value TEXT NOT NULL                 -- `whole`, or `apart`: see `companion.ledger.opening`
) STRICT, WITHOUT ROWID;
INSERT INTO state (name, value) VALUES ('written', 'whole');
"""

_STEPS = (_GAMES, _NOTES, _PHONES, _HANDS, _SEASON, _CHECKED)
"""What makes schema 1 of an empty file, schema 2 of schema 1, …"""


class NotALedger(Exception):
    """The file is a database of something else, or of a newer program; the message says which."""


def checksum(*values: int | str) -> int:
    """What is kept beside values to know them again."""
    return zlib.crc32("\n".join(map(str, values)).encode())


def schema_of(connection: sqlite3.Connection) -> int:
    """The schema of a ledger; 0 for an empty database.

    Raises NotALedger for anything else, and sqlite3.DatabaseError for what is no database at all.
    """
    application_id = int(connection.execute("PRAGMA application_id").fetchone()[0])
    schema_version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    tables = int(connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0])
    if application_id == APPLICATION_ID:
        if schema_version > SCHEMA_VERSION:
            raise NotALedger(
                f"was written by a newer companion (schema {schema_version}, this one reads up to {SCHEMA_VERSION}): "
                "update companion, choose another file, or bring back the copy from before that update: companion restore with"
                f" the file beside it that ends in -schema-{SCHEMA_VERSION}.ledger"
            )
    elif tables or application_id or schema_version:
        raise NotALedger("is a database, but no ledger: choose another file")
    return schema_version


def migrate(connection: sqlite3.Connection) -> None:
    """Make the tables in an empty database, or bring those of an older schema up to date: all of it or nothing. Nothing is
    written where nothing is to be done. Raises as `schema_of`."""
    if schema_of(connection) == SCHEMA_VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in _STEPS[schema_of(connection) :]:
            for statement in step.split(";\n"):
                if statement.strip():
                    connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
