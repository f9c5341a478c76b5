"""Setting up an evening: from a phone's taps to TABLE.json and the first hand, and everything that can go wrong on the way."""

import html
import json
import math
import re
import typing
from pathlib import Path

import msgspec
import pytest
from fake_camera import JPEG, FakeCamera
from flask import Flask
from phones import CORNERS, PLACES, SIZE, Organiser, seated
from refused import blanks

from companion.assets import asset
from companion.dashboard.setup.draft import Draft, points, with_corners, with_players
from companion.dashboard.setup.phrases import advice, advised
from companion.eyes import source as reasons
from companion.eyes.check import Code
from companion.games.stu.pages.draft import NO_VIRGIN, StuDraft, stake_of, with_draw
from companion.games.stu.pages.steps import house_rules
from companion.games.stu.rules.log import HouseRules
from companion.ledger import Ledger
from companion.line import placewatch
from companion.line.camera import AdviceView, CameraState, CameraStatus, CheckView, FoundCorners, PlaceView, SeenCard
from companion.line.tablefile import parse_table_file
from companion.pages.setup import Wrong
from companion.table.errors import SourceError
from companion.table.language import LANGS, Lang, filled

pytestmark = pytest.mark.usefixtures("camera")


def test_an_evening_from_the_first_tap_to_the_first_hand(phone: Organiser, camera: FakeCamera, ledger: Ledger) -> None:
    seated(phone)
    phone.walk("/setup/stakes", "/setup/ready", stake="2,50", dealer="Carla", edition="piazza-2010", salta_on_dealer="stop",
               backward_run="choice", two_matti_lowest="others")  # fmt: skip
    page = phone.get("/setup/ready").text
    assert all(word in page for word in ("Anna, Bruno, Carla", "2,50", "chi passa si tiene la carta", "3 posti segnati"))
    phone.walk("/setup/start", "/organiser")
    assert camera.begun is not None
    game, table = camera.begun
    assert (game.players, game.stake, game.dealer, game.edition) == (("Anna", "Bruno", "Carla"), 250, "Carla", "piazza-2010")
    assert game.house_rules == HouseRules(salta_on_dealer="stop")
    assert table is not None
    parsed = parse_table_file(table)
    assert parsed.first == game
    assert parsed.table.corners == ((330, 140), (1010, 170), (1180, 610), (120, 560))
    assert [seat.place for seat in parsed.table.players] == [(600, 520), (1000, 400), (620, 190)]
    assert parsed.table.image_size == SIZE
    assert "In corso: Anna, Bruno, Carla" in phone.get("/setup").text
    assert ledger.newest() == 1


def test_an_evening_by_thumb_needs_no_camera(phone: Organiser, camera: FakeCamera) -> None:
    phone.walk("/setup/new", "/setup/game")
    phone.walk("/setup/game", "/setup/camera", game="stu")
    phone.walk("/setup/camera", "/setup/players", thumb="1")
    phone.walk("/setup/players", "/setup/stakes", name=["Anna", "Bruno"], places="")
    phone.walk("/setup/stakes", "/setup/ready", stake="1", dealer="Anna")
    phone.walk("/setup/start", "/organiser")
    assert camera.begun is not None
    assert camera.begun[1] is None


def test_coming_late_takes_the_standing_with_it(phone: Organiser, camera: FakeCamera) -> None:
    seated(phone, late="1")
    phone.walk("/setup/stakes", "/setup/standing", stake="1", dealer="Bruno")
    form = {"pedine-0": "2", "pedine-1": "3", "virgin-1": "1", "pedine-2": "0", "ricompere": "1"}
    phone.walk("/setup/standing", "/setup/ready", **form)
    phone.walk("/setup/start", "/organiser")
    assert camera.begun is not None
    game, table = camera.begun
    assert {name: (one.pedine, one.virgin) for name, one in game.standing.items()} == {
        "Anna": (2, False), "Bruno": (3, True), "Carla": (0, False)
    }  # fmt: skip
    assert game.ricompere == 1
    assert parse_table_file(table or b"").first == game
    view = phone.get("/api/game").json
    assert [(seat["pedine"], seat["virgin"], seat["in_play"]) for seat in view["seats"]] == [
        (2, False, True), (3, True, True), (0, False, False)
    ]  # fmt: skip
    assert view["ricompera"]["price"]["minor"] == 400
    assert view["pot"]["minor"] == 500


def test_the_seat_draw_is_read_by_the_camera_and_equal_cards_draw_again(phone: Organiser, camera: FakeCamera) -> None:
    seated(phone)
    phone.walk("/setup/stakes", "/setup/draw", stake="1", dealer="")
    camera.faces = ("3", None, "gnao")
    assert phone.get("/setup/draw.json").json == {"0": "3", "2": "gnao"}
    page = phone.get("/setup/draw").text
    assert page.count("selected") == 2
    assert '<option value="gnao" selected>' in page
    # Bruno's could not be read: the thumb says it. Two Gnao: those two draw again.
    phone.walk("/setup/draw", "/setup/draw", **{"card-0": "3", "card-1": "gnao", "card-2": "gnao"})
    page = phone.get("/setup/draw").text
    assert "ripescano Bruno, Carla" in page
    assert page.count("<select") == 2
    phone.walk("/setup/draw", "/setup/draw", **{"card-1": "10", "card-2": "2"})
    # Bruno deals and stays at place 2; Carla and Anna follow at the dealer's right.
    page = phone.get("/setup/draw").text
    assert "Fa il mazzo Bruno" in page
    assert re.findall(r"<li>(\w+)", page.split("seats")[1]) == ["Anna", "Bruno", "Carla"]
    phone.walk("/setup/start", "/organiser")
    assert camera.begun is not None
    assert camera.begun[0].dealer == "Bruno"


def test_the_highest_card_keeps_its_place_and_the_others_sit_down_at_its_right() -> None:
    """Rule 4: descending at the dealer's right, who plays last; anticlockwise, as the places run."""
    names = ("Anna", "Bruno", "Carla", "Dino")
    names, own = with_draw(names, StuDraft(), {"Anna": "2", "Bruno": "5", "Carla": "cucco", "Dino": "9"})
    assert own.dealer == "Carla"
    assert names == ("Bruno", "Anna", "Carla", "Dino")  # after Carla: Dino (9), Bruno (5), Anna (2)


@pytest.mark.parametrize(
    ("path", "form", "message"),
    [
        pytest.param("/setup/camera", {"source": " "}, "Type the address or the file.", id="no address"),
        pytest.param("/setup/table", {"corners": "1,1 2,2"}, "There must be four corners.", id="two corners"),
        pytest.param(
            "/setup/table",
            {"corners": "1,1 2,x 3,3 4,4"},
            "The page sent points that make no sense: load it again.",
            id="no numbers",
        ),
        pytest.param(
            "/setup/table",
            {"corners": "nan,1 2,2 3,3 4,4"},
            "The page sent points that make no sense: load it again.",
            id="not a number",
        ),
        pytest.param(
            "/setup/table",
            {"corners": "100,100 900,100 100,500 900,500"},
            "The corners cross: put one on each corner, round the table.",
            id="crossed",
        ),
        pytest.param(
            "/setup/table",
            {"corners": "1,1 21,1 21,21 1,21"},
            "That makes the table too small: put the points on its corners.",
            id="a table like a stamp",
        ),
        pytest.param("/setup/players", {"name": ["Anna"], "places": "1,1"}, "At least two players are needed.", id="alone"),
        pytest.param(
            "/setup/players", {"name": ["Anna", " "], "places": "1,1 2,2"}, "The name at place {number} is missing.", id="no name"
        ),
        pytest.param(
            "/setup/players",
            {"name": ["Anna", "Anna "], "places": "1,1 2,2"},
            "Two players are called {name}: add something to one of them.",
            id="twice the same",
        ),
        pytest.param(
            "/setup/players",
            {"name": ["Nicola", "nicolà"], "places": "1,1 2,2"},
            "Two players are called {name}: add something to one of them.",
            id="one person in the season",
        ),
        pytest.param(
            "/setup/players",
            {"name": ["Anna", "B" * 25], "places": "1,1 2,2"},
            "“{name}…” is too long: at most {most} letters.",
            id="a long name",
        ),
        pytest.param(
            "/setup/players",
            {"name": ["Anna", "Bruno"], "places": "1,1"},
            "Names: {names}. Places tapped: {places}. There must be as many.",
            id="a place short",
        ),
        pytest.param(
            "/setup/stakes",
            {"stake": "due", "dealer": "Anna"},
            "The stake is a sum in euros, such as 2 or 2.50.",
            id="a stake in words",
        ),
        pytest.param(
            "/setup/stakes", {"stake": "0", "dealer": "Anna"}, "“{typed}” is too little: {least} at least.", id="for nothing"
        ),
        pytest.param("/setup/stakes", {"stake": "2", "dealer": "Zeno"}, "Choose who deals first.", id="a dealer from elsewhere"),
        pytest.param(
            "/setup/stakes",
            {"stake": "2", "salta_on_dealer": "up"},
            "The page sent a rule that does not exist: load it again.",
            id="no such house rule",
        ),
        pytest.param(
            "/setup/standing", {"pedine-0": "-1"}, "{name}’s pedine are a number from 0 to {most}.", id="fewer than none"
        ),
        pytest.param(
            "/setup/standing",
            {"pedine-0": "2", "virgin-0": "1"},
            NO_VIRGIN,
            id="a virgin with two",
        ),
        pytest.param(
            "/setup/standing",
            {"pedine-0": "1", "virgin-0": "1"},
            NO_VIRGIN,
            id="a virgin with one",
        ),
        pytest.param(
            "/setup/standing", {"ricompere": "many"}, "The ricompere paid are a number from 0 to {most}.", id="many ricompere"
        ),
        pytest.param(
            "/setup/standing",
            {"pedine-0": "0", "pedine-1": "0", "pedine-2": "0"},
            "Somebody must have a pedina.",
            id="nobody has any",
        ),
        pytest.param("/setup/draw", {"card-0": "3"}, "{name}’s card is missing.", id="a card short"),
        pytest.param(
            "/setup/draw",
            {f"card-{n}": "3" for n in range(3)},
            "The same card three times: the deck has two. Check again.",
            id="three of a kind",
        ),
    ],
)
@pytest.mark.parametrize("lang", LANGS)
def test_what_cannot_be_is_said_on_the_page_and_changes_nothing(
    phone: Organiser, app: Flask, path: str, form: dict, message: str, lang: Lang
) -> None:
    seated(phone)
    phone.walk("/setup/stakes", "/setup/ready", stake="3", dealer="Anna")
    before = app.extensions["setup"].draft
    answer = phone.refused(f"{path}?lang={lang}", **form)
    said = re.search(r'role="alert">([^<]*)', answer.text)
    assert said
    given = dict.fromkeys(blanks(message), ".*") | {"pedine": int(form.get("pedine-0", 2))}
    pattern = re.escape(filled(message, given, lang)).replace(r"\.\*", ".*")
    assert re.fullmatch(pattern, html.unescape(said[1]))
    assert app.extensions["setup"].draft == before


def test_what_was_typed_and_why_it_cannot_be_stand_on_the_page_once_and_on_no_other_phone(phone: Organiser, app: Flask) -> None:
    """The page is one that a browser can go back to: it answers no form."""
    seated(phone)
    other = Organiser(app)
    alert, typed = 'role="alert"', 'value="Zoe"'
    assert phone.post("/setup/players", name=["Zoe", ""], places=PLACES).status_code == 303
    assert alert not in other.get("/setup/players").text
    page = phone.get("/setup/players").text
    assert alert in page
    assert typed in page
    page = phone.get("/setup/players").text
    assert alert not in page
    assert typed not in page
    phone.post("/setup/players", name=["Zoe", ""], places=PLACES)
    phone.get("/setup/ready")  # gone elsewhere meanwhile
    assert alert not in phone.get("/setup/players").text


@pytest.mark.parametrize(
    ("game", "wrong", "chosen"),
    [
        ("stu", {"stake": "due"}, {"dealer": "Bruno", "edition": "piazza-2010", "backward_run": "forced"}),
        ("stoppa", {"misera": "due"}, {"dealer": "Bruno", "removed": "spade-10", "two_misere": "each"}),
        ("stoper", {"stack": "due"}, {"dealer": "Bruno", "mode": "torneo", "carry_join": "always"}),
    ],
)
def test_a_refused_form_keeps_what_was_chosen(phone: Organiser, game: str, wrong: dict, chosen: dict) -> None:
    names = ["Anna", "Bruno", "Carla", "Dino"][: 4 if game == "stoper" else 3]
    phone.post("/setup/new")
    phone.post("/setup/game", game=game)
    phone.post("/setup/camera", thumb="1")
    phone.walk("/setup/players", "/setup/stakes", name=names)
    page = phone.refused("/setup/stakes", **wrong, **chosen).text
    assert 'role="alert"' in page
    for field, value in chosen.items():
        assert re.findall(rf'name="{field}" value="([^"]*)" checked', page) == [value]


def test_nothing_begins_while_something_is_missing(phone: Organiser, camera: FakeCamera) -> None:
    assert "disabled" in phone.get("/setup/ready").text
    assert 'role="alert"' in phone.refused("/setup/start").text
    assert camera.begun is None


def test_the_corners_that_the_camera_finds_are_offered_and_when_it_finds_none_the_page_says_so(
    phone: Organiser, camera: FakeCamera
) -> None:
    phone.walk("/setup/camera", "/setup/camera", source="0")
    assert "La telecamera non riconosce il bordo: trascina i punti sugli angoli" in phone.get("/setup/table").text
    camera.found = FoundCorners(((330.5, 140.0), (1010.0, 170.0), (1180.0, 610.0), (120.0, 560.0)), "rect", 0.9)
    page = phone.get("/setup/table").text
    assert "Angoli trovati dalla telecamera: controllali." in page
    assert "330.5,140.0" in page
    phone.walk("/setup/table", "/setup/players", corners=CORNERS)
    camera.found = None
    assert "330.0,140.0" in phone.get("/setup/table").text  # as the thumb left them


def test_places_tapped_clockwise_are_turned_round(phone: Organiser, app: Flask) -> None:
    seated(phone)
    clockwise = " ".join(reversed(PLACES.split()))
    phone.walk("/setup/players", "/setup/stakes", name=["Anna", "Bruno", "Carla"], places=clockwise)
    draft = app.extensions["setup"].draft
    assert draft.names == ("Anna", "Carla", "Bruno")
    assert draft.places[0] == (620, 190)
    assert "I posti erano in senso orario: li ho girati." in phone.get("/setup/stakes").text


def test_a_camera_that_was_moved_is_put_right_while_the_game_goes_on(
    phone: Organiser, camera: FakeCamera, ledger: Ledger
) -> None:
    seated(phone)
    assert 'role="alert"' in phone.refused("/setup/moved", corners=CORNERS).text
    phone.walk("/setup/stakes", "/setup/ready", stake="1", dealer="Anna")
    phone.walk("/setup/start", "/organiser")
    assert "/setup/moved" in phone.get("/setup").text
    assert 'role="alert"' in phone.refused("/setup/moved", corners="1,1 2,2").text
    assert camera.corners_moved is None
    phone.walk("/setup/moved", "/setup/check", corners=CORNERS)
    assert camera.corners_moved == (points(CORNERS), SIZE)
    assert ledger.newest() == 1


def test_last_evenings_names_are_offered(phone: Organiser, camera: FakeCamera) -> None:
    seated(phone)
    phone.walk("/setup/stakes", "/setup/ready", stake="1", dealer="Anna")
    phone.walk("/setup/start", "/organiser")
    phone.walk("/setup/new", "/setup/game")
    phone.walk("/setup/game", "/setup/camera", game="stu")
    assert 'data-name="Bruno"' in phone.get("/setup/players").text


def test_another_picture_size_forgets_the_places_and_keeps_the_names() -> None:
    draft = with_corners(Draft.fresh(), points(CORNERS), SIZE)
    draft = with_players(draft, ("Anna", "Bruno"), points("1,1 2,2"))
    assert with_corners(draft, points(CORNERS), SIZE).places == ((1, 1), (2, 2))
    wider = with_corners(draft, points(CORNERS), (1920, 1080))
    assert (wider.places, wider.names) == ((), ("Anna", "Bruno"))
    with pytest.raises(Wrong, match="Places tapped"):
        Draft("stu", StuDraft(dealer="Anna"), names=("Anna", "Bruno"), size=SIZE, corners=points(CORNERS)).table()


@pytest.mark.parametrize("places", ["600,500 600,500", "600,500 600.4,500.4"])
def test_two_places_on_one_point_are_refused_by_name(places: str) -> None:
    draft = with_corners(Draft.fresh(), points(CORNERS), SIZE)
    with pytest.raises(Wrong, match="have the same place") as wrong:
        with_players(draft, ("Anna", "Bruno"), points(places))
    assert wrong.value.blanks == {"one": "Anna", "other": "Bruno"}


def test_cards_dealt_to_each_are_the_places_in_the_order_of_play(phone: Organiser, camera: FakeCamera) -> None:
    """Anticlockwise at Lu Stù, clockwise at Stoper; nothing before the corners are known."""
    middles = [(640.0, 560.0), (1000.0, 400.0), (620.0, 190.0), (300.0, 380.0)]
    quads = [((x - 15, y - 24), (x + 15, y - 24), (x + 15, y + 24), (x - 15, y + 24)) for x, y in middles]
    cards = tuple(SeenCard(quad, "back", "stu", None, 48.0, None) for quad in quads)
    for game, order in (("stu", [0, 1, 2, 3]), ("stoper", [0, 3, 2, 1])):
        camera.seen = CheckView(SIZE, cards, 90.0, 0.0, 0.5, 9.8, ())
        phone.walk("/setup/new", "/setup/game")
        phone.walk("/setup/game", "/setup/camera", game=game)
        phone.walk("/setup/camera", "/setup/camera", source="0")
        if game == "stu":
            assert phone.get("/setup/places.json").json == {"places": [], "outside": 0}
        phone.walk("/setup/table", "/setup/players", corners=CORNERS)
        places = phone.get("/setup/places.json").json["places"]
        assert [min(range(4), key=lambda number, at=at: math.dist(middles[number], at)) for at in places] == order
        assert max(math.dist(middles[number], at) for number, at in zip(order, places, strict=True)) < 2
        camera.seen = None
        assert phone.get("/setup/places.json").json == {"places": [], "outside": 0}


@pytest.mark.parametrize(
    ("dealt", "cards", "gathered"), [("1", "", True), ("1", "gathered", True), ("1", "played", False), ("", "", False)]
)
def test_cards_that_marked_the_places_are_gathered_before_the_first_hand_unless_the_table_plays_with_them(
    phone: Organiser, camera: FakeCamera, ledger: Ledger, dealt: str, cards: str, gathered: bool
) -> None:
    phone.walk("/setup/new", "/setup/game")
    phone.walk("/setup/game", "/setup/camera", game="stu")
    phone.walk("/setup/camera", "/setup/camera", source="0")
    phone.walk("/setup/table", "/setup/players", corners=CORNERS)
    nameless = phone.refused("/setup/players", name=["Anna", ""], places="640,560 620,190", dealt=dealt)
    assert f'id="by-cards" name="dealt" value="{dealt}"' in nameless.text, "forgotten beside a name that is missing"
    phone.walk("/setup/players", "/setup/stakes", name=["Anna", "Bruno"], places="640,560 620,190", dealt=dealt)
    phone.walk("/setup/stakes", "/setup/ready", stake="1", dealer="Anna")
    assert ("Le carte che segnano i posti" in phone.get("/setup/ready").text) == (dealt == "1")
    phone.walk("/setup/start", "/organiser", cards=cards)
    assert ("gather" in ledger.notes(ledger.newest() or 0)) == gathered


def test_cards_beside_the_table_as_marked_are_said(phone: Organiser, camera: FakeCamera) -> None:
    def quad(x: float, y: float) -> tuple[tuple[float, float], ...]:
        return ((x - 15, y - 24), (x + 15, y - 24), (x + 15, y + 24), (x - 15, y + 24))

    seen = [(640.0, 560.0), (1000.0, 400.0), (300.0, 380.0), (1240.0, 360.0)]
    cards = tuple(SeenCard(quad(x, y), "back", "stu", None, 48.0, None) for x, y in seen)
    camera.seen = CheckView(SIZE, cards, 90.0, 0.0, 0.5, 9.8, ())
    phone.walk("/setup/new", "/setup/game")
    phone.walk("/setup/game", "/setup/camera", game="stu")
    phone.walk("/setup/camera", "/setup/camera", source="0")
    phone.walk("/setup/table", "/setup/players", corners=CORNERS)
    found = phone.get("/setup/places.json").json
    assert (len(found["places"]), found["outside"]) == (3, 1)
    assert "fuori dal tavolo segnato" in phone.get("/setup/players").text


def test_an_evening_later_the_corners_are_those_that_the_camera_finds_now(phone: Organiser, camera: FakeCamera) -> None:
    before = tuple((float(x), float(y)) for x, y in points(CORNERS))
    camera.found = FoundCorners(before, "rect", 0.8)
    phone.walk("/setup/new", "/setup/game")
    phone.walk("/setup/game", "/setup/camera", game="stu")
    phone.walk("/setup/camera", "/setup/camera", source="0")
    phone.walk("/setup/table", "/setup/players", corners=CORNERS)
    assert "non sta dove stava" not in phone.get("/setup/table").text  # somebody has just put them there
    phone.walk("/setup/new", "/setup/game")
    phone.walk("/setup/game", "/setup/camera", game="stu")
    same = phone.get("/setup/table").text
    assert "Questi angoli sono della serata di prima" in same
    camera.found = FoundCorners(tuple((x + 150, y) for x, y in before), "rect", 0.8)
    moved = phone.get("/setup/table").text
    assert "Il tavolo non sta dove stava" in moved
    assert f"{before[0][0] + 150},{before[0][1]}" in moved
    assert f"{before[0][0]},{before[0][1]} " not in moved


def test_the_seat_draw_reads_nothing_from_a_video_that_waits(phone: Organiser, camera: FakeCamera) -> None:
    phone.walk("/setup/new", "/setup/game")
    phone.walk("/setup/game", "/setup/camera", game="stu")
    phone.walk("/setup/camera", "/setup/camera", source="0")
    phone.walk("/setup/table", "/setup/players", corners=CORNERS)
    phone.walk("/setup/players", "/setup/stakes", name=["Anna", "Bruno"], places="640,560 620,190")
    phone.walk("/setup/stakes", "/setup/draw", stake="1", dealer="")
    camera.faces = ("9", "5")
    assert phone.get("/setup/draw.json").json == {"0": "9", "1": "5"}
    camera.state = msgspec.structs.replace(camera.state, state="held")
    assert phone.get("/setup/draw.json").json == {}
    page = phone.get("/setup/draw").text
    assert "Il filmato sta fermo finché non comincia la partita: tocca le carte" in page
    assert "Lette dalla telecamera" not in page
    assert "selected" not in page


@pytest.mark.parametrize(("state", "by_cards"), [("live", True), ("held", False)])
def test_a_video_that_waits_for_the_game_asks_for_no_deal(
    phone: Organiser, camera: FakeCamera, state: CameraState, by_cards: bool
) -> None:
    phone.walk("/setup/new", "/setup/game")
    phone.walk("/setup/game", "/setup/camera", game="stu")
    phone.walk("/setup/camera", "/setup/camera", source="0")
    phone.walk("/setup/table", "/setup/players", corners=CORNERS)
    camera.state = msgspec.structs.replace(camera.state, state=state)
    page = phone.get("/setup/players").text
    assert ("Date una carta a testa" in page, 'id="dealt"' in page) == (by_cards, by_cards)
    assert ("Il filmato sta fermo" in page) == (not by_cards)
    assert "in senso antiorario" in page


@pytest.mark.parametrize(("text", "cents"), [("2", 200), ("2,5", 250), ("2.05", 205), ("€ 1", 100), ("0,10 €", 10)])
def test_stakes_are_read_as_people_write_them(text: str, cents: int) -> None:
    assert stake_of(text) == cents


@pytest.mark.parametrize("text", ["", "-1", "1,234", "1.2.3", "1e3", "٣"])
def test_what_is_no_stake_is_refused(text: str) -> None:
    with pytest.raises(Wrong, match="stake is a sum"):
        stake_of(text)


@pytest.mark.parametrize(
    ("game_id", "path", "form", "limit"),
    [
        ("stu", "stakes", {"stake": "10.000.000,01"}, "«10.000.000,01» è troppo: al massimo 10.000.000,00 €"),
        ("stu", "stakes", {"stake": "9" * 20}, "è troppo: al massimo 10.000.000,00 €"),
        ("stu", "stakes", {"stake": "0,00"}, "«0,00» è troppo poco: almeno 0,01 €"),
        ("stu", "standing", {"pedine-0": "100"}, "Le pedine di Anna sono un numero da 0 a 99"),
        ("stu", "standing", {"ricompere": "10001"}, "sono un numero da 0 a 10.000"),
        ("stoppa", "stakes", {"misera": "10.000.000,01"}, "è troppo: al massimo 10.000.000,00 €"),
        ("stoppa", "stakes", {"misera": "1000000001", "points": "1"}, "è troppo: al massimo 1.000.000.000"),
        ("stoppa", "stakes", {"small": "0"}, "«0» è troppo poco: almeno 0,01 €"),
        ("stoppa", "standing", {"balance-0": "-10000001"}, "è troppo: al massimo 10.000.000,00 €"),
        ("stoppa", "standing", {"hands": "12345"}, "sono un numero da 0 a 9.999"),
        ("stoper", "stakes", {"stack": "1" * 14}, "è troppo: al massimo 10.000.000,00 €"),
        ("stoper", "stakes", {"cip": "0"}, "«0» è troppo poco: almeno 0,01 €"),
        ("stoper", "standing", {"pot": "10000000.01"}, "è troppo: al massimo 10.000.000,00 €"),
    ],
)  # fmt: skip
def test_what_is_beyond_a_limit_is_told_the_limit(
    app: Flask, phone: Organiser, game_id: str, path: str, form: dict[str, str], limit: str
) -> None:
    """It is a sum, or a number: to say that it is none would leave people looking for their mistake."""
    names = ["Anna", "Bruno", "Carla", "Dino"]
    phone.walk("/setup/new", "/setup/game", late="1")
    phone.walk("/setup/game", "/setup/camera", game=game_id)
    phone.walk("/setup/camera", "/setup/players", thumb="1")
    phone.post("/setup/players", name=names)
    usual = {"stu": {"stake": "2"}, "stoppa": {"misera": "1", "small": "0,20"}, "stoper": {"stack": "20", "cip": "0,50"}}
    answer = phone.refused(f"/setup/{path}?lang=it", **{"dealer": "Anna", **(usual[game_id] if path == "stakes" else {}), **form})
    alert = re.search(r'role="alert">([^<]*)', answer.text)
    assert alert
    assert limit in html.unescape(alert[1])


def test_the_check_says_in_plain_words_what_to_do(phone: Organiser, camera: FakeCamera) -> None:
    assert phone.get("/setup/check.json").json["check"] is None
    camera.choose("0")
    quad = ((1.0, 1.0), (15.0, 1.0), (15.0, 29.0), (1.0, 29.0))
    card = SeenCard(quad, "face", "stu", "gnao", 28.0, 5)
    camera.seen = CheckView(SIZE, (card,), 30.0, 0.0, 0.5, 9.8, (AdviceView("small", 28.0, 5), AdviceView("dark", 30.0, None)))
    told = phone.get("/setup/check.json?lang=en").json
    assert told["advice"][0].startswith("Move a little closer: the cards at place 5 are 28 pixels long")
    assert told["check"]["cards"][0]["card"] == "gnao"
    assert len(told["advice"]) == 2
    lost = SourceError(reasons.SILENT, source="0", seconds=5)
    camera.state = CameraStatus("0", "lost", str(lost), cause=lost)
    told = phone.get("/setup/check.json").json
    assert (told["state"], told["check"], told["reason"]) == (
        "lost", None, "0: nessuna immagine da 5 secondi; la telecamera è ancora collegata?"
    )  # fmt: skip


PAGES = ["", "/camera", "/table", "/players", "/stakes", "/standing", "/draw", "/draw.json", "/places.json", "/ready", "/moved",
         "/check", "/check.json", "/live.jpg", "/games"]  # fmt: skip
FORMS = ["/new", "/camera", "/table", "/players", "/stakes", "/standing", "/draw", "/start", "/games", "/moved"]


@pytest.mark.parametrize("path", PAGES)
def test_spectators_see_nothing_of_it(app: Flask, camera: FakeCamera, path: str) -> None:
    """Above all not the camera's picture: it may show cards that nobody has turned yet."""
    camera.choose("0")
    answer = app.test_client().get(f"/setup{path}")
    assert answer.status_code == 302
    assert answer.location.startswith("/pair")
    assert JPEG not in answer.data


@pytest.mark.parametrize("path", FORMS)
def test_nobody_changes_anything_from_another_site(phone: Organiser, app: Flask, path: str) -> None:
    before = app.extensions["setup"].draft
    assert phone.client.post(f"/setup{path}", data={"source": "0"}).status_code == 403
    assert app.extensions["setup"].draft == before


def test_the_cameras_picture_is_there_for_organisers_and_is_not_kept(phone: Organiser, camera: FakeCamera) -> None:
    assert phone.get("/setup/live.jpg").status_code == 404
    camera.choose("0")
    answer = phone.get("/setup/live.jpg")
    assert answer.data == JPEG
    assert answer.headers["Cache-Control"] == "no-store"


def test_every_house_rule_and_each_of_its_answers_has_words_the_default_first() -> None:
    for lang in LANGS:
        rules = house_rules(lang)
        assert set(rules) == {field.name for field in msgspec.structs.fields(HouseRules)}
        for field in msgspec.structs.fields(HouseRules):
            answers = rules[field.name][1]
            assert set(answers) == set(typing.get_args(field.type))
            assert next(iter(answers)) == field.default


def test_every_advice_of_the_check_has_words() -> None:
    for lang in LANGS:
        codes = (*typing.get_args(Code), *typing.get_args(placewatch.Code))
        assert set(advice(lang)) == set(codes)
        for code in codes:
            [said] = advised([AdviceView(code, 1.0, 3)], lang)
            assert "{" not in said


def test_the_check_names_the_places_that_something_hides(phone: Organiser, camera: FakeCamera) -> None:
    camera.choose("0")
    places = (PlaceView(1, (30.0, 40.0), "hidden", 33.0), PlaceView(2, (90.0, 40.0), "seen", 44.0))
    hidden = (AdviceView("hidden", 20.0, None, (1, 4)), AdviceView("outside", 20.0, None, (5,)))
    camera.seen = CheckView(SIZE, (), 90.0, 0.0, None, 9.8, hidden, places, 20.0)
    told = phone.get("/setup/check.json?lang=en").json
    assert told["advice"][0].startswith("Something is in the way at the places 1, 4: hardly a card was seen there for 20 seconds")
    assert told["advice"][1].startswith("Outside the picture: the cards at place 5.")
    assert told["check"]["places"][0] == {"place": 1, "at": [30.0, 40.0], "state": "hidden", "length": 33.0}
    assert phone.get("/setup/check.json?lang=it").json["advice"][0].startswith("C’è qualcosa davanti ai posti 1, 4:")


def test_names_of_any_kind_stay_names(phone: Organiser) -> None:
    hostile = '<b>"x"</b>&{0}'
    seated(phone, (hostile, "{say}", "Carla"))
    for path in ("/setup/stakes", "/setup/ready", "/setup/draw", "/setup/players", "/setup/standing"):
        assert '<b>"x"' not in phone.get(path).text
    assert json.loads(phone.get("/setup/draw.json").text) == {}


@pytest.mark.parametrize("template", sorted((asset("web") / "templates").rglob("*.html")), ids=lambda path: path.stem)
def test_a_button_that_needs_a_script_is_hidden_until_the_script_listens(template: Path) -> None:
    for button in re.findall(r"<button\b[^>]*\btype=\"button\"[^>]*>", template.read_text()):
        assert re.search(r"\shidden>$", button), button


LARGE = [
    pytest.param("stu", {"stake": "10.000.000"}, ["10.000.000,00 €"], id="a stake"),
    pytest.param("stu", {"stake": "2.500"}, ["2.500,00 €"], id="a point for a comma"),
    pytest.param("stoppa", {"misera": "6.000", "small": "1.000"}, ["1.000,00 €, 6.000,00 €"], id="misera and punti"),
    pytest.param("stoppa", {"bet_min": "5000"}, ["5.000,00 €"], id="the smallest bet"),
    pytest.param("stoper", {"stack": "10000000"}, ["10.000.000,00 €"], id="chips"),
    pytest.param("stoper", {"stack-1": "1.234,50"}, ["1.234,50 €"], id="one player's chips"),
]


@pytest.mark.parametrize(("game", "large", "said"), LARGE)
def test_a_large_sum_is_asked_about_and_taken_in_only_when_it_is_right(
    phone: Organiser, app: Flask, game: str, large: dict, said: list[str]
) -> None:
    usual = {"stu": {"stake": "2"}, "stoppa": {"misera": "6", "small": "1"}, "stoper": {"stack": "50", "cip": "1", "invito": "0"}}
    form = {**usual[game], **large, "dealer": "Bruno"}
    phone.post("/setup/new")
    phone.post("/setup/game", game=game)
    phone.post("/setup/camera", thumb="1")
    phone.walk("/setup/players", "/setup/stakes", name=["Anna", "Bruno", "Carla", "Dino"][: 4 if game == "stoper" else 3])
    before = app.extensions["setup"].draft
    page = phone.refused("/setup/stakes", **form).text
    assert [html.unescape(one) for one in re.findall(r'role="alert">([^:<]*):', page)] == said
    assert app.extensions["setup"].draft == before
    sent, _, below = page.partition("Sì, la somma è giusta")
    for name, value in large.items():
        assert f'<input type="hidden" name="{name}" value="{value}">' in sent
        assert re.search(rf'id="{name}"[^>]* value="{re.escape(value)}"', below)  # to be changed
    agreed = re.findall(r'name="large" value="([^"]*)"', sent)
    assert phone.post("/setup/stakes", **form, large="1").status_code == 303  # another sum was agreed to
    phone.walk("/setup/stakes", "/setup/ready", **form, large=agreed[0])
    phone.walk("/setup/stakes", "/setup/ready", **form)  # it has been asked about


def test_a_large_number_of_points_is_no_money_and_asks_nothing(phone: Organiser) -> None:
    phone.post("/setup/new")
    phone.post("/setup/game", game="stoppa")
    phone.post("/setup/camera", thumb="1")
    phone.walk("/setup/players", "/setup/stakes", name=["Anna", "Bruno", "Carla"])
    phone.walk("/setup/stakes", "/setup/ready", points="1", misera="600.000", small="100000", dealer="Bruno")
    assert "600.000 punti" in phone.get("/setup/ready").text
