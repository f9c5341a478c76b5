"""The whole hall's season and past evenings: what each table's own pages say, added up; for whom the table shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from serving import until
from tables import Organiser, Running, Table, played, table

from companion.dashboard.feed import Snapshot, replayed
from companion.dashboard.settings import DEFAULTS
from companion.games import game_of_log
from companion.hall.years import HallSeason
from companion.ledger import Ledger, SeasonBook
from companion.line.season import SeasonKeeper

DAY = 24 * 3600.0
FIRST = 1_760_000_000.0
"""In October 2025."""
HANDS = {"A": (3, 5), "B": (2,)}
"""Table → the hands of each of its evenings."""


def begun(ledger: Ledger, hands: int, seed: int, day: int) -> int:
    log = played(hands, seed)
    game = ledger.begin(log[:1], started=FIRST + day * DAY)
    ledger.record(game, log)
    return game


@pytest.fixture
def years(hall: Running) -> Iterator[tuple[Running, list[Table]]]:
    """A hall with two tables, whose evenings have come in."""
    with table(hall, name="A") as one, table(hall, name="B") as other:
        tables = [one, other]
        for number, (found, hands) in enumerate(zip(tables, HANDS.values(), strict=True)):
            for day, count in enumerate(hands):
                begun(found.ledger, count, 10 * number + day, 7 * day + number)
            found.is_sent(hall)
        until(lambda: len(evenings(hall)) == 3)
        yield hall, tables


def evenings(hall: Running, game: str = "all") -> list[str]:
    """The addresses of the evenings that the season's page leads to."""
    return re.findall(r"/season/evening/\d+", hall.client.get(f"/season?season={game}&lang=en").text)


def newest_of(hall: Running, place: str) -> int:
    """The id of a table's newest evening."""
    return max((one for one in hall.hall.season.games()[0] if one.source == place), key=lambda one: one.started).id


def season(client: Any, span: str = "season=all") -> dict[str, dict[str, Any]]:
    """Name → figures, as the season's table has them."""
    view = client.get(f"/api/season?{span}&lang=en").json
    return {row["name"]: row["figures"] for row in view["rows"]}


def number(figure: Any) -> int:
    return figure["minor"] if isinstance(figure, dict) else figure or 0


def test_the_halls_table_is_the_sum_of_what_its_tables_say(years: tuple[Running, list[Table]]) -> None:
    hall, tables = years
    own = [season(one.app.test_client()) for one in tables]
    whole = season(hall.client)
    assert set(whole) == set().union(*own)
    for name, figures in whole.items():
        for column, figure in figures.items():
            parts = [number(one[name][column]) for one in own if name in one]
            assert number(figure) == (max(parts) if column == "virgin" else sum(parts)), (name, column)
    day = season(hall.client, "from=2025-10-09&to=2025-10-09")
    assert {name: row["evenings"] for name, row in day.items()} == dict.fromkeys(day, 1)


def test_an_evening_is_told_as_at_its_table(years: tuple[Running, list[Table]], lang: str) -> None:
    hall, [one, _] = years
    here = one.app.test_client().get(f"/season/evening/2?lang={lang}").text
    texts = [hall.client.get(f"{address}?lang={lang}").text for address in evenings(hall)]
    place = {"it": "Tavolo A", "en": "Table A"}[lang]
    told = [text.partition("<tbody>")[2].partition("</tbody>")[0] for text in texts if place in text]
    assert here.partition("<tbody>")[2].partition("</tbody>")[0] in told


def test_two_names_become_one_and_an_evening_stops_counting_on_a_paired_phone_alone(years: tuple[Running, list[Table]]) -> None:
    hall, _ = years
    phone = Organiser(hall, "en")

    def say(client: Any, **form: str) -> int:
        return int(client.post("/season/settings?lang=en", data={"csrf": phone.csrf, **form}).status_code)

    assert hall.client.get("/season/settings").status_code == 302
    assert say(hall.client, do="anew", sure="1") == 302
    assert len(season(hall.client)) > 0
    text = phone.client.get("/season/settings?lang=en").text
    assert "Table B" in text
    assert 'value="forget"' not in text
    ids = {row["name"]: row["id"] for row in hall.client.get("/api/season?season=all").json["rows"]}
    game = max(map(int, re.findall(r'name="game" value="(\d+)"', text)))
    before = sum(row["evenings"] for row in season(hall.client).values())
    assert say(phone.client, do="count", game=str(game), counts="0") == 302
    assert sum(row["evenings"] for row in season(hall.client).values()) < before
    first, second, *_ = ids
    assert say(phone.client, do="merge", one=ids[first], other=ids[second]) == 400  # they sat at one table
    for do in ("off", "forget", "recall"):  # which are said at the tables
        assert say(phone.client, do=do, player=ids[first], name=first, sure="1") == 302
        assert first in season(hall.client)
    assert phone.client.get(f"/season/settings?ask=forget&player={ids[first]}").status_code == 200
    assert say(phone.client, do="anew", sure="1") == 302
    assert season(hall.client) == {}


def test_past_evenings_are_for_paired_phones_until_they_are_opened(years: tuple[Running, list[Table]]) -> None:
    hall, _ = years
    phone = Organiser(hall, "en")
    text = phone.client.get("/evenings?season=all&lang=en").text
    replays = re.findall(r"/evenings/\d+", text)
    assert len(set(replays)) == 3
    addresses = ["/evenings", *(f"{each}{more}" for each in set(replays) for more in ("", "?step=1", "/log"))]
    for address in addresses:
        assert hall.client.get(address).status_code == 302
        assert phone.client.get(address).status_code == 200
    assert hall.client.post("/evenings/open", data={"open": "1", "csrf": phone.csrf}).status_code == 302
    assert hall.client.get("/evenings").status_code == 302
    assert phone.client.post("/evenings/open", data={"open": "1", "csrf": phone.csrf}).status_code == 302
    for address in addresses:
        assert hall.client.get(address).status_code == 200
    assert phone.client.post("/evenings/open", data={"open": "0", "csrf": phone.csrf}).status_code == 302
    assert hall.client.get("/evenings").status_code == 302
    assert phone.client.get("/evenings/99").status_code == 404


def test_a_past_evening_is_replayed_as_everybody_has_seen_it(years: tuple[Running, list[Table]]) -> None:
    hall, [one, _] = years
    phone, lines, evening = Organiser(hall, "en"), one.ledger.lines(2), newest_of(hall, "A")
    assert phone.client.get(f"/evenings/{evening}/log").text == one.app.test_client().get("/api/log").text
    game = game_of_log(lines)
    for step in range(1, len(lines) + 1, 7):
        told = Snapshot(2, step, game, replayed(game, lines[:step]), DEFAULTS).view("en")
        text = phone.client.get(f"/evenings/{evening}?step={step}&lang=en").text
        assert f"Step {step} of {len(lines)}" in text
        shown = re.findall(r"/cards/([a-z0-9-]+)\.svg", text)
        assert shown == [seat.card.face or "back" for seat in told.seats if seat.card is not None]


def test_what_changes_at_a_table_changes_in_the_hall(years: tuple[Running, list[Table]]) -> None:
    hall, [one, other] = years
    SeasonBook(one.ledger).count([1], counts=False)
    until(lambda: len(evenings(hall)) == 2)
    SeasonBook(one.ledger).count([1], counts=True)
    until(lambda: len(evenings(hall)) == 3)
    one.ledger.delete(2)
    until(lambda: len(evenings(hall)) == 2)
    one.ledger.restore(2)
    until(lambda: len(evenings(hall)) == 3)
    other.ledger.begin(played(1, 77), archived=True)  # taken in from a file: it does not count there, nor here
    other.is_sent(hall)
    assert len(evenings(hall)) == 3
    name = next(iter(season(hall.client)))
    for found in (one, other):
        keeper: SeasonKeeper = found.app.extensions["season"]
        seasons = keeper.seasons()
        keeper.forget(next(person for person, written in seasons.written.items() if written == name))
    until(lambda: name not in season(hall.client))
    assert len(evenings(hall)) == 3


def test_the_log_that_the_hall_keeps_is_that_of_the_table(years: tuple[Running, list[Table]]) -> None:
    hall, [one, _] = years
    keeper = hall.hall.season
    game = newest_of(hall, "A")
    assert keeper.lines(game) == one.ledger.lines(2)
    with hall.hall.database.taking() as connection:
        connection.execute("UPDATE version SET lines = '{\"e\":\"game\",\"v\":99,\"game\":\"stu\"}' || chr(10) WHERE game = %s"
                           " AND number = 1", (game,))  # fmt: skip
    assert keeper.lines(game) is None


def test_what_evenings_came_to_is_worked_out_again_whole_after_the_database_was_killed_in_the_middle_of_it(
    years: tuple[Running, list[Table]]
) -> None:
    hall, tables = years
    for number, one in enumerate(tables):  # those before have ended now, and are kept
        begun(one.ledger, 2, 20 + number, 30)
        one.is_sent(hall)
    until(lambda: len(evenings(hall)) == 5)
    as_it_was = season(hall.client)
    with hall.hall.database.owner() as connection:
        kept = connection.execute("SELECT game, figures FROM came_to ORDER BY game").fetchall()
        connection.execute("UPDATE came_to SET worked_out_of = 'an older program'")
        connection.execute("CREATE FUNCTION killed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                           " IF NEW.game > (SELECT min(game) FROM came_to) THEN PERFORM pg_terminate_backend(pg_backend_pid());"
                           " END IF; RETURN NEW; END $$")  # fmt: skip
        connection.execute("CREATE TRIGGER killed BEFORE UPDATE ON came_to FOR EACH ROW EXECUTE FUNCTION killed()")
    assert len(kept) == 3
    HallSeason(hall.hall.database).seasons()  # as a process that begins
    with hall.hall.database.owner() as connection:
        left = connection.execute("SELECT DISTINCT worked_out_of FROM came_to").fetchall()
        assert left == [("an older program",)]
        connection.execute("DROP TRIGGER killed ON came_to")
    hall.hall.season.__init__(hall.hall.database)  # type: ignore[misc] # it begins again
    assert season(hall.client) == as_it_was
    with hall.hall.database.owner() as connection:
        assert connection.execute("SELECT game, figures FROM came_to ORDER BY game").fetchall() == kept
