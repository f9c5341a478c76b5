"""The hall's database tables, and which role may do what with them. A change of the schema is one more step; steps are run in
order, each of them once.

The spectators' role reads `shown` and the view `table_seen`. It has no right to read `version`, which holds faces that nobody was
shown.
"""

from __future__ import annotations

from typing import Any

import psycopg

from companion.hall.cluster import ORGANISER, TAKING, VIEWING
from companion.hall.table.membership import HallError

_TABLES = """
CREATE TABLE hall (
    id uuid NOT NULL,
    epoch integer NOT NULL,             -- grows when the database was restored: commands of before are not obeyed
    made timestamptz NOT NULL DEFAULT now()
);
INSERT INTO hall (id, epoch) VALUES (gen_random_uuid(), 1);
CREATE TABLE secret (
    name text PRIMARY KEY,              -- what it is for, such as cookies
    value bytea NOT NULL
);
CREATE TABLE phone (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    digest bytea NOT NULL UNIQUE,       -- SHA-256 of the token in the phone's cookie
    name text NOT NULL,
    paired double precision NOT NULL,   -- Unix time, seconds
    seen double precision NOT NULL
);
CREATE TABLE seat_at (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE,          -- what people call the table
    digest bytea NOT NULL UNIQUE,       -- SHA-256 of the token that its sender has
    ledger uuid NOT NULL,
    sender text NOT NULL DEFAULT '',    -- the run of its program that may send
    shows bigint,                       -- the game that it shows: the ledger's id; NULL: none
    heard double precision,             -- Unix time of the hall: when it was heard last
    skew_s double precision NOT NULL DEFAULT 0,  -- seconds by which its clock is ahead
    withdrawn boolean NOT NULL DEFAULT false
);
CREATE TABLE game (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    ledger uuid NOT NULL,
    number bigint NOT NULL,             -- its id in the ledger
    branch integer NOT NULL,            -- 0; one more for each copy of the ledger that was gone on with elsewhere
    seat bigint NOT NULL REFERENCES seat_at (id),
    started double precision NOT NULL,  -- Unix time, seconds, by the table's clock
    rewritten integer NOT NULL,         -- how often its rows were written in other words
    gone boolean NOT NULL,              -- it was deleted at the table
    missed text NOT NULL,               -- number of a hand and for how many seconds nothing of it was seen, JSON
    last bigint NOT NULL DEFAULT 0,     -- number of its last row
    chain text NOT NULL DEFAULT '',     -- up to that row
    told boolean NOT NULL DEFAULT true, -- false: a branch that no organiser has looked at yet
    UNIQUE (ledger, number, branch)
);
CREATE TABLE version (
    game bigint NOT NULL REFERENCES game (id),
    number bigint NOT NULL CHECK (number >= 1),
    recorded double precision NOT NULL, -- Unix time of the table, seconds
    came double precision NOT NULL,     -- Unix time of the hall
    head integer NOT NULL CHECK (head >= 0),
    tail integer NOT NULL CHECK (tail >= 0),
    lines text NOT NULL,
    PRIMARY KEY (game, number)
);
CREATE TABLE shown (
    game bigint PRIMARY KEY REFERENCES game (id),
    version bigint NOT NULL,
    wing text NOT NULL,                 -- which of the house's games
    over boolean NOT NULL,
    problem text NOT NULL,              -- '' or why it cannot be shown, such as update
    view_it text NOT NULL,              -- what a TV shows, JSON
    view_en text NOT NULL,
    log text NOT NULL                   -- the table log as everybody has seen the game
);
CREATE TABLE question (
    seat bigint NOT NULL REFERENCES seat_at (id),
    place integer NOT NULL,
    id text NOT NULL,
    body text NOT NULL,                 -- as the table has told it, JSON
    PRIMARY KEY (seat, place)
);
CREATE TABLE command (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    seat bigint NOT NULL REFERENCES seat_at (id),
    epoch integer NOT NULL,
    tap text NOT NULL UNIQUE,
    by_phone text NOT NULL,
    said double precision NOT NULL,     -- Unix time of the hall, seconds
    until double precision NOT NULL,    -- after that it is not obeyed
    body text NOT NULL,
    status integer,                     -- what the table answered; NULL: nothing yet
    message text NOT NULL DEFAULT '{}'
);
CREATE TABLE act (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at double precision NOT NULL,       -- Unix time of the hall, seconds
    by_phone text NOT NULL,
    body text NOT NULL                  -- an act of the tournament, JSON
);
CREATE VIEW table_seen AS
    SELECT seat.id, seat.name, seat.heard, seat.shows, game.id AS game, game.last,
           (SELECT count(*) FROM question WHERE question.seat = seat.id) AS questions
    FROM seat_at AS seat
    LEFT JOIN LATERAL (
        SELECT id, last FROM game WHERE game.ledger = seat.ledger AND game.number = seat.shows AND NOT game.gone
        ORDER BY branch DESC LIMIT 1
    ) AS game ON true
    WHERE NOT seat.withdrawn;
"""

_CALLS = """
ALTER TABLE seat_at
    ADD COLUMN call text NOT NULL DEFAULT '',   -- token of the table's call of the referee, '' for none
    ADD COLUMN called double precision;         -- Unix time of the hall: since when it is open; NULL: not
"""

_CHOSEN = """
ALTER TABLE game ADD COLUMN chosen boolean NOT NULL DEFAULT false;  -- organisers want this branch shown
CREATE OR REPLACE VIEW table_seen AS
    SELECT seat.id, seat.name, seat.heard, seat.shows, game.id AS game, game.last,
           (SELECT count(*) FROM question WHERE question.seat = seat.id) AS questions
    FROM seat_at AS seat
    LEFT JOIN LATERAL (
        SELECT id, last FROM game WHERE game.ledger = seat.ledger AND game.number = seat.shows AND NOT game.gone
        ORDER BY chosen DESC, branch DESC LIMIT 1
    ) AS game ON true
    WHERE NOT seat.withdrawn;
"""

_YEARS = """
ALTER TABLE game ADD COLUMN counts boolean NOT NULL DEFAULT true;  -- it is one of its table's season
CREATE TABLE came_to (
    game bigint PRIMARY KEY REFERENCES game (id),
    worked_out_of text NOT NULL,        -- which version of its log, and by which program
    figures text NOT NULL               -- what the evening came to, JSON
);
CREATE TABLE evening_counts (           -- what organisers of the hall have said of an evening
    ledger uuid NOT NULL,
    number bigint NOT NULL,             -- its id in the ledger
    counts boolean NOT NULL,
    PRIMARY KEY (ledger, number)
);
CREATE TABLE link (
    name text PRIMARY KEY,              -- a name's key
    person text NOT NULL                -- the key of the person whose other name it is
);
CREATE TABLE choice (
    name text PRIMARY KEY,              -- what organisers have chosen, such as open
    value text NOT NULL
);
CREATE VIEW evening AS
    SELECT game.id, game.started, seat.name AS place, game.last, coalesce(said.counts, game.counts) AS counts,
           seat.ledger = game.ledger AND seat.shows IS NOT DISTINCT FROM game.number AND NOT seat.withdrawn AS goes_on
    FROM (
        SELECT DISTINCT ON (ledger, number) *, first_value(gone)
               OVER (PARTITION BY ledger, number ORDER BY branch DESC) AS is_gone
        FROM game ORDER BY ledger, number, chosen DESC, branch DESC
    ) AS game
    JOIN seat_at AS seat ON seat.id = game.seat
    LEFT JOIN evening_counts AS said ON said.ledger = game.ledger AND said.number = game.number
    WHERE NOT is_gone AND last > 0;
"""

_REFEREES = """
ALTER TABLE phone ADD COLUMN referee boolean NOT NULL DEFAULT false;  -- it answers questions and calls, and changes nothing else
"""

_EVERYTHING = """
CREATE TABLE note (                     -- with --keep-all: what is kept with a game, such as its table
    game bigint NOT NULL REFERENCES game (id),
    name text NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (game, name)
);
CREATE TABLE report (                   -- with --keep-all: what its log can be made of again
    game bigint NOT NULL REFERENCES game (id),
    number bigint NOT NULL CHECK (number >= 1),
    text text NOT NULL,
    recorded double precision,          -- Unix time of the table, seconds; NULL: an older program wrote it
    PRIMARY KEY (game, number)
);
"""

_JOINED = """
ALTER TABLE seat_at ADD COLUMN joined bigint NOT NULL DEFAULT 0;  -- when its machine joined: Unix time, ms; never twice
"""

_CALL_SEEN = """
CREATE OR REPLACE VIEW table_seen AS
    SELECT seat.id, seat.name, seat.heard, seat.shows, game.id AS game, game.last,
           (SELECT count(*) FROM question WHERE question.seat = seat.id) AS questions, seat.called
    FROM seat_at AS seat
    LEFT JOIN LATERAL (
        SELECT id, last FROM game WHERE game.ledger = seat.ledger AND game.number = seat.shows AND NOT game.gone
        ORDER BY chosen DESC, branch DESC LIMIT 1
    ) AS game ON true
    WHERE NOT seat.withdrawn;
"""

_PARTS = """
ALTER TABLE game ADD COLUMN goes_on_from bigint;  -- the game of its ledger that went on as it; 0: none; NULL: not told
CREATE OR REPLACE VIEW evening AS
    SELECT game.id, game.started, seat.name AS place, game.last, coalesce(said.counts, game.counts) AS counts,
           seat.ledger = game.ledger AND seat.shows IS NOT DISTINCT FROM game.number AND NOT seat.withdrawn AS goes_on,
           game.ledger, game.number, game.goes_on_from
    FROM (
        SELECT DISTINCT ON (ledger, number) *, first_value(gone)
               OVER (PARTITION BY ledger, number ORDER BY branch DESC) AS is_gone
        FROM game ORDER BY ledger, number, chosen DESC, branch DESC
    ) AS game
    JOIN seat_at AS seat ON seat.id = game.seat
    LEFT JOIN evening_counts AS said ON said.ledger = game.ledger AND said.number = game.number
    WHERE NOT is_gone AND last > 0;
"""

_STEPS = (_TABLES, _CALLS, _CHOSEN, _YEARS, _REFEREES, _EVERYTHING, _JOINED, _CALL_SEEN, _PARTS)
"""The steps that make schema 1 from an empty database, schema 2 from schema 1, …"""

_RIGHTS = f"""
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {TAKING}, {VIEWING}, {ORGANISER};
GRANT SELECT ON hall TO {TAKING}, {VIEWING}, {ORGANISER};
GRANT SELECT, INSERT, UPDATE, DELETE ON seat_at, game, version, shown, question, command TO {TAKING};
GRANT SELECT, INSERT, UPDATE, DELETE ON came_to, note, report TO {TAKING};
GRANT SELECT ON shown, table_seen, act, evening, came_to, link, choice TO {VIEWING};
GRANT SELECT, INSERT, UPDATE, DELETE ON phone, secret TO {ORGANISER};
GRANT SELECT, UPDATE ON seat_at, game TO {ORGANISER};
GRANT SELECT ON shown, question, table_seen TO {ORGANISER};
GRANT SELECT, INSERT ON act, command TO {ORGANISER};
GRANT SELECT, INSERT, UPDATE, DELETE ON evening_counts, link, choice TO {ORGANISER};
GRANT SELECT ON evening TO {ORGANISER};
"""  # nosec B608 # our names


def migrate(connection: psycopg.Connection[Any]) -> None:
    """Make the tables, or bring those of an older program up to date, all of it or nothing. ``connection``: the owner's. Raises
    HallError where a newer program has made them."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(1400141105)")
        connection.execute("CREATE TABLE IF NOT EXISTS schema_version (number integer NOT NULL)")
        found = connection.execute("SELECT number FROM schema_version").fetchone()
        number = found[0] if found else 0
        if number > len(_STEPS):
            raise HallError(f"the hall was written by a newer companion (schema {number}, this one reads up to {len(_STEPS)}):"
                            " update companion, or choose another folder with --folder")  # fmt: skip
        for role in (TAKING, VIEWING, ORGANISER):
            if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone():
                connection.execute(f"CREATE ROLE {role} LOGIN".encode())
        for step in _STEPS[number:]:
            connection.execute(step.encode())
        connection.execute(_RIGHTS.encode())
        connection.execute("DELETE FROM schema_version")
        connection.execute("INSERT INTO schema_version VALUES (%s)", (len(_STEPS),))
