"""How evenings begin, end and go on: nothing replaces one that is on unasked, no matter what is tapped, how
often, and on which phone."""

from __future__ import annotations

import re

import pytest
from fake_camera import FakeCamera
from flask import Flask
from games import GNAFFATA, lines
from phones import CORNERS, PLACES, SIZE, Organiser, seated
from toy import HIGH_CARD
from werkzeug.test import TestResponse

from companion.dashboard.setup.draft import points
from companion.games import GAMES
from companion.games.stu.rules.log import read_lines
from companion.ledger import Ledger
from companion.line.camera import FoundCorners
from companion.line.tablefile import parse_table_file
from companion.table.errors import CompanionError
from companion.table.log import Line

pytestmark = pytest.mark.usefixtures("camera")

TOLD = tuple(GNAFFATA)
_STANDING = '{"Anna":{"pedine":1,"virgin":false},"Bruno":{"pedine":2,"virgin":false},"Carla":{"pedine":0,"virgin":false}}'
WON = (
    GNAFFATA[0][:-1] + ',"edition":"piazza-2010","house_rules":{"backward_run":"forced"},"standing":' + _STANDING + "}",
    '{"e":"hand"}',
    '{"e":"reveal","by":"Anna","card":"1"}',
    '{"e":"reveal","by":"Bruno","card":"9"}',
    '{"e":"end"}',
)
"""Anna, with her last pedina, pays: Bruno has won."""


def draft_of(phone: Organiser, path: str = "/setup/ready") -> str:
    """The preparation that a page's forms are of."""
    found = re.search(r'name="draft" value="([^"]*)"', phone.get(path).text)
    assert found
    return found[1]


def ready(phone: Organiser, names: tuple[str, ...] = ("Anna", "Bruno", "Carla")) -> str:
    seated(phone, names)
    phone.walk("/setup/stakes", "/setup/ready", stake="1", dealer=names[0])
    return draft_of(phone)


def asked_first(answer: TestResponse) -> str:
    """The page asks before it does it; the value that agrees."""
    assert answer.status_code == 409
    found = re.search(r'name="instead_of" value="(\d+)"', answer.text)
    assert found
    return found[1]


def recorded(ledger: Ledger, log: tuple[str, ...], **notes: str) -> int:
    game = ledger.new_game(source=notes.get("camera") or "by hand")
    ledger.record(game, lines(*log))
    ledger.note(game, **notes)
    return game


def table_of(log: tuple[str, ...]) -> str:
    """A TABLE.json where this log's game could be."""
    head = log[0].replace('"e":"game",', "").replace('"game":"stu",', "")
    names = re.search(r'"players":\[(.*?)\],', head)
    assert names
    seats = [f'{{"name":{name},"place":[{at}]}}' for name, at in zip(names[1].split(","), PLACES.split(), strict=True)]
    corners = ",".join(f"[{one}]" for one in CORNERS.split())
    return head.replace(names[0], f'"image_size":[1280,720],"corners":[{corners}],"players":[{",".join(seats)}],')


# A draft is closed when the game begins.


def test_a_second_tap_begins_no_second_evening(phone: Organiser, ledger: Ledger) -> None:
    draft = ready(phone)
    for _ in range(3):
        phone.walk("/setup/start", "/organiser", draft=draft)
    assert [game.id for game in ledger.games()] == [1]


@pytest.mark.parametrize("step", ["ready", "players", "table", "stakes", "draw", "start"])
def test_back_after_the_beginning_leads_to_where_things_stand(phone: Organiser, step: str, ledger: Ledger) -> None:
    phone.walk("/setup/start", "/organiser", draft=ready(phone))
    answer = phone.get(f"/setup/{step}")
    answer = phone.get(answer.location) if answer.location == "/setup/ready" else answer
    assert answer.location == "/setup?why=begun"
    page = phone.get(answer.location).text
    assert "La serata è cominciata" in page
    assert "In corso: Anna, Bruno, Carla" in page


def test_a_second_phone_with_an_old_page_changes_nothing(
    app: Flask, phone: Organiser, camera: FakeCamera, ledger: Ledger
) -> None:
    other = Organiser(app)
    draft = ready(phone)
    phone.walk("/setup/start", "/organiser", draft=draft)
    for path, form in (
        ("/setup/start", {}),
        ("/setup/camera", {"source": "2"}),
        ("/setup/camera", {"thumb": "1"}),
        ("/setup/table", {"corners": CORNERS}),
        ("/setup/players", {"name": ["Zoe", "Ugo"], "places": "1,1 2,2"}),
        ("/setup/stakes", {"stake": "9", "dealer": "Anna"}),
    ):
        assert other.post(path, draft=draft, **form).location == "/organiser"
    assert [game.id for game in ledger.games()] == [1]
    assert camera.state.source == "0"


def test_another_preparation_makes_the_pages_of_another_phone_old(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    other = Organiser(app)
    mine = ready(phone)
    theirs = ready(other, ("Dino", "Elena", "Fabio"))
    assert mine != theirs
    assert phone.post("/setup/start", draft=mine).location == "/setup?why=anew"
    assert "ha ricominciato a preparare" in phone.get("/setup?why=anew").text
    assert ledger.games() == ()
    other.walk("/setup/start", "/organiser", draft=theirs)
    assert ledger.lines(1)[0].event.players == ("Dino", "Elena", "Fabio")


def test_another_preparation_while_an_evening_is_on_is_named_as_the_reason_on_another_phone(app: Flask, phone: Organiser) -> None:
    phone.walk("/setup/start", "/organiser", draft=ready(phone))
    other = Organiser(app)
    phone.walk("/setup/new", "/setup/game")
    mine = draft_of(phone, "/setup/game")
    other.walk("/setup/new", "/setup/game")
    answer = phone.post("/setup/game", game="stu", draft=mine)
    assert answer.location == "/setup?why=anew"
    assert "ha ricominciato a preparare" in phone.get(answer.location).text


def test_a_new_evening_takes_the_place_of_one_that_is_on_only_when_asked_again(phone: Organiser, ledger: Ledger) -> None:
    phone.walk("/setup/start", "/organiser", draft=ready(phone))
    draft = ready(phone, ("Dino", "Elena", "Fabio"))
    answer = phone.post("/setup/start", draft=draft)
    on = asked_first(answer)
    assert "In corso: Anna, Bruno, Carla" in answer.text
    assert ledger.newest() == int(on) == 1
    phone.walk("/setup/start", "/organiser", draft=draft, instead_of=on)
    assert ledger.newest() == 2
    # What was agreed to is that evening: for another that is on by then it asks again.
    draft = ready(phone)
    asked_first(phone.post("/setup/start", draft=draft, instead_of="1"))
    assert ledger.newest() == 2


def test_an_evening_that_is_over_is_replaced_unasked(phone: Organiser, ledger: Ledger) -> None:
    recorded(ledger, WON)
    phone.walk("/setup/start", "/organiser", draft=ready(phone))
    assert ledger.newest() == 2


def test_the_camera_of_an_evening_that_is_on_is_not_taken_away_unasked(
    phone: Organiser, camera: FakeCamera, ledger: Ledger
) -> None:
    on = recorded(ledger, TOLD, table=table_of(TOLD), camera="0")
    camera.choose("0")
    phone.walk("/setup/new", "/setup/game")
    phone.walk("/setup/game", "/setup/camera", game="stu")
    phone.walk("/setup/camera", "/setup/camera", source="0")  # the same one: nothing changes
    answer = phone.post("/setup/camera", source="2")
    assert asked_first(answer) == str(on)
    assert 'name="source" value="2"' in answer.text
    assert camera.state.source == "0"
    phone.walk("/setup/camera", "/setup/camera", source="2", instead_of=str(on))
    assert camera.state.source == "2"


def test_the_camera_can_be_changed_in_mid_evening(phone: Organiser, camera: FakeCamera) -> None:
    phone.walk("/setup/start", "/organiser", draft=ready(phone))
    page = phone.get("/setup/camera").text
    assert "/setup/table" not in page
    assert 'name="thumb"' not in page
    phone.walk("/setup/camera", "/setup/camera", source="2")
    assert camera.state.source == "2"


def test_a_source_that_cannot_be_is_refused_on_the_page(phone: Organiser, camera: FakeCamera) -> None:
    camera.refuses = CompanionError("no such file")
    phone.walk("/setup/new", "/setup/game")
    phone.walk("/setup/game", "/setup/camera", game="stu")
    answer = phone.refused("/setup/camera", source="nowhere.mp4")
    assert "no such file" in answer.text
    assert 'value="nowhere.mp4"' in answer.text
    assert camera.state.source == ""
    phone.walk("/setup/camera", "/setup/camera", source="0")  # one of the list was tried already


# Rivincita, and the same table again.


def test_a_rematch_is_the_same_table_with_nothing_played(phone: Organiser, camera: FakeCamera, ledger: Ledger) -> None:
    over = recorded(ledger, WON, table=table_of(WON), camera="2")
    assert "Rivincita" in phone.get("/setup").text
    for _ in range(2):  # a second tap does nothing
        phone.walk("/setup/rematch", "/organiser", game=over)
    assert ledger.newest() == 2
    assert len(ledger.games()) == 2
    assert camera.begun is not None
    game, table = camera.begun
    assert (game.players, game.stake, game.edition) == (("Anna", "Bruno", "Carla"), 200, "piazza-2010")
    assert game.house_rules.backward_run == "forced"
    assert (game.standing, game.ricompere) == ({}, 0)
    assert game.dealer in game.players
    assert [seat.place for seat in parse_table_file(table or b"").table.players] == [(600, 520), (1000, 400), (620, 190)]
    assert camera.state.source == "2"


def test_a_rematch_by_thumb_needs_no_camera(phone: Organiser, camera: FakeCamera, ledger: Ledger) -> None:
    phone.walk("/setup/rematch", "/organiser", game=recorded(ledger, WON, table="", camera=""))
    assert camera.begun is not None
    assert camera.begun[1] is None


def test_a_rematch_asks_where_it_would_replace_an_evening_that_is_on(phone: Organiser, ledger: Ledger) -> None:
    over, on = recorded(ledger, WON), recorded(ledger, TOLD)
    assert asked_first(phone.post("/setup/rematch", game=over)) == str(on)
    assert ledger.newest() == on
    phone.walk("/setup/rematch", "/organiser", game=over, instead_of=str(on))
    assert ledger.newest() == 3


def test_a_rematch_closes_what_another_phone_prepares(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    over = recorded(ledger, WON)
    draft = ready(Organiser(app))
    phone.walk("/setup/rematch", "/organiser", game=over)
    assert phone.post("/setup/start", draft=draft).location == "/organiser"
    assert ledger.newest() == 2


def test_the_same_table_as_last_time_is_ready_at_once(phone: Organiser, camera: FakeCamera, ledger: Ledger) -> None:
    last = recorded(ledger, TOLD, table=table_of(TOLD), camera="2")
    assert "Stesso tavolo dell’ultima volta" in phone.get("/setup").text
    phone.walk("/setup/again", "/setup/ready", game=last)
    page = phone.get("/setup/ready").text
    assert "disabled" in page  # the evening that is on keeps its camera; none is open yet
    camera.choose("2")
    page = phone.get("/setup/ready").text
    assert "Il tavolo sta qui come prima?" in page
    found = points(CORNERS)
    for shift, moved in ((10, False), (200, True)):  # found from another corner on; a little beside, and far away
        corners = tuple((x + shift, y) for x, y in (*found[1:], found[0]))
        camera.found = FoundCorners(corners, "rect", 0.9)
        assert ("in un altro punto" in phone.get("/setup/ready").text) is moved
    assert "600.0,520.0 1000.0,400.0 620.0,190.0" in page
    phone.walk("/setup/start", "/organiser", draft=draft_of(phone), instead_of=str(last))
    assert camera.begun is not None
    assert parse_table_file(camera.begun[1] or b"").first == camera.begun[0]
    assert camera.begun[0].stake == 200


def test_places_of_last_time_go_along_when_the_table_is_elsewhere(phone: Organiser, camera: FakeCamera, ledger: Ledger) -> None:
    last = recorded(ledger, WON, table=table_of(WON), camera="0")
    phone.walk("/setup/again", "/setup/ready", game=last)
    assert camera.state.source == "0"
    shifted = " ".join(f"{float(x) + 40},{y}" for x, y in (pair.split(",") for pair in CORNERS.split()))
    phone.walk("/setup/table", "/setup/ready", corners=shifted)
    phone.walk("/setup/start", "/organiser", draft=draft_of(phone))
    assert camera.begun is not None
    table = parse_table_file(camera.begun[1] or b"").table
    assert [seat.place for seat in table.players] == [pytest.approx((x + 40, y), abs=0.1) for x, y in points(PLACES)]
    assert table.image_size == SIZE


# Going on with an evening of the archive.


def moments(ledger: Ledger, game: int) -> tuple[Line, ...]:
    return tuple(line.event for line in ledger.lines(game))


def test_an_evening_before_the_last_is_gone_on_with_by_thumb(
    phone: Organiser, camera: FakeCamera, ledger: Ledger
) -> None:
    old = recorded(ledger, TOLD)
    recorded(ledger, WON)
    before = moments(ledger, old)
    assert 'action="/setup/go-on"' in phone.get("/setup/games").text
    phone.walk("/setup/go-on", "/setup/ready", game=old)
    page = phone.get("/setup/ready").text
    assert "Anna, Bruno, Carla" in page
    assert "/setup/players" not in page  # who plays is settled
    phone.walk("/setup/start", "/organiser", draft=draft_of(phone))
    assert camera.gone_on == (old, None)
    assert ledger.newest() == old
    assert moments(ledger, old) == before
    view = phone.get("/api/organiser").json
    assert (view["game"], view["phase"]) == (old, "in_play")


def test_an_evening_from_a_file_is_gone_on_with_camera_and_places(phone: Organiser, camera: FakeCamera, ledger: Ledger) -> None:
    answer = phone.client.post("/api/games", data="\n".join(TOLD), headers={"X-CSRF-Token": phone.csrf})
    game = answer.json["id"]
    recorded(ledger, WON)
    phone.walk("/setup/go-on", "/setup/ready", game=game)
    phone.walk("/setup/camera", "/setup/camera", source="0")
    phone.walk("/setup/table", "/setup/players", corners=CORNERS)
    phone.refused("/setup/players", name=["Anna", "Bruno", "Zoe"], places=PLACES)
    clockwise = " ".join(reversed(PLACES.split()))
    phone.refused("/setup/players", name=["Anna", "Bruno", "Carla"], places=clockwise)
    phone.walk("/setup/players", "/setup/ready", name=["Anna", "Bruno", "Carla"], places=PLACES)
    phone.walk("/setup/start", "/organiser", draft=draft_of(phone))
    assert camera.gone_on is not None
    assert camera.gone_on[0] == game
    assert ledger.newest() == game
    assert parse_table_file(camera.gone_on[1] or b"").first == read_lines("\n".join(TOLD).encode())[0].event


def test_going_on_with_another_evening_asks_before_it_replaces_one_that_is_on(phone: Organiser, ledger: Ledger) -> None:
    old, on = recorded(ledger, TOLD), recorded(ledger, TOLD)
    phone.walk("/setup/go-on", "/setup/ready", game=old)
    draft = draft_of(phone)
    assert asked_first(phone.post("/setup/start", draft=draft)) == str(on)
    phone.walk("/setup/start", "/organiser", draft=draft, instead_of=str(on))
    assert ledger.newest() == old


def test_an_evening_that_is_over_has_a_rematch_and_is_not_gone_on_with(phone: Organiser, ledger: Ledger) -> None:
    over = recorded(ledger, WON)
    page = phone.get("/setup/games").text
    assert 'action="/setup/rematch"' in page
    assert 'action="/setup/go-on"' not in page
    assert phone.post("/setup/go-on", game=over).status_code == 404


@pytest.mark.parametrize("path", ["/setup/go-on", "/setup/again", "/setup/rematch"])
@pytest.mark.parametrize("game", ["", "99", "x", "9" * 30])
def test_an_evening_that_is_not_there_is_not_found(phone: Organiser, path: str, game: str) -> None:
    assert phone.post(path, game=game).status_code == 404


def test_another_game_has_rematch_and_going_on_for_free(
    phone: Organiser, camera: FakeCamera, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, "highcard", HIGH_CARD)
    first = '{"e":"game","v":1,"game":"highcard","players":["Anna","Bruno"]}'
    hand = ('{"e":"hand"}', '{"e":"show","by":"Anna","number":1}', '{"e":"show","by":"Bruno","number":2}', '{"e":"end"}')
    read = HIGH_CARD.rules.LOG.read_lines
    begun, over = ledger.new_game(), ledger.new_game()
    ledger.record(begun, read("\n".join((first, *hand)).encode()))
    ledger.record(over, read("\n".join((first, *hand * 3)).encode()))
    assert [(game["id"], game["over"]) for game in phone.get("/api/games").json] == [(over, True), (begun, False)]
    phone.walk("/setup/rematch", "/organiser", game=over)
    assert camera.begun is not None
    assert camera.begun[0].players == ("Anna", "Bruno")
    phone.walk("/setup/go-on", "/setup/ready", game=begun)
    phone.walk("/setup/start", "/organiser", draft=draft_of(phone), instead_of=str(ledger.newest()))
    assert camera.gone_on == (begun, None)
    assert phone.get("/api/organiser").json["players"][0]["has"] == "2 tokens"
