"""A second camera at the table: how it is chosen and shown the table, what pages say of it, and a second phone that films."""

from __future__ import annotations

import html
import json

import pytest
from fake_camera import JPEG, FakeCamera
from flask import Flask
from phones import CORNERS, PLACES, Organiser, seated
from test_phone_camera import ANNA, BRUNO
from test_phone_camera import JPEG as PICTURE

from companion.dashboard import create_app
from companion.dashboard.phone_camera import PhoneDoor
from companion.dashboard.spectators import notice_texts
from companion.ledger import FilmingPhones, Ledger
from companion.line.camera import CameraStatus, CheckView, FoundCorners, Lie
from companion.line.notices import Notice
from companion.line.phone_camera import PHONE, PhoneCamera
from companion.table.language import LANGS, Lang

pytestmark = pytest.mark.usefixtures("camera")

FOUND = FoundCorners(((330.0, 140.0), (1010.0, 170.0), (1180.0, 610.0), (120.0, 560.0)), "rect", 0.9)


@pytest.fixture
def phone(app: Flask, camera: FakeCamera) -> Organiser:
    made = Organiser(app)
    seated(made)
    made.walk("/setup/stakes", "/setup/ready", stake="1", dealer="Anna")
    camera.further[0].found = FOUND
    return made


def show(phone: Organiser, tap: str = "601,521", onto: str = "/setup/ready") -> None:
    """Choose it, take the corners as found, tap the first player's place, and take the others as they were worked out."""
    phone.walk("/setup/camera?view=2", "/setup/view/table?view=2", source="2")
    corners = phone.get("/setup/view/table?view=2").text.partition('id="corners"')[2].partition('value="')[2].partition('"')[0]
    phone.walk("/setup/view/table?view=2", "/setup/view/places?view=2", corners=corners, shape="rect")
    assert "Tocca dove sta la carta di Anna" in phone.get("/setup/view/places?view=2").text
    phone.walk("/setup/view/places?view=2", "/setup/view/places?view=2", tap=tap, who="0")
    places = phone.get("/setup/view/places?view=2").text.partition('name="places"')[2].partition('value="')[2].partition('"')[0]
    phone.walk("/setup/view/places?view=2", onto, places=places)


def test_it_is_shown_the_table_with_one_tap_on_one_players_place(phone: Organiser, camera: FakeCamera) -> None:
    assert "/setup/camera?view=2" in phone.get("/setup/ready").text
    show(phone)
    view = camera.further[0]
    assert view.status().source == "2"
    assert view.lie is not None
    expected = [tuple(map(float, point.split(","))) for point in PLACES.split()]
    assert [pytest.approx(at, abs=2) for at in view.lie.places] == expected, "it stands where the first one does"
    assert list(view.lie.beside) == expected
    ready = html.unescape(phone.get("/setup/ready").text)
    assert "Telecamera 2" in ready
    assert "segue la partita" in ready
    assert "view=3" in ready, "and a third one may come"
    phone.walk("/setup/start", "/organiser")
    assert camera.begun is not None


def test_a_second_camera_that_cannot_make_out_the_rim_says_so(phone: Organiser, camera: FakeCamera) -> None:
    phone.walk("/setup/camera?view=2", "/setup/view/table?view=2", source="2")
    said = "La telecamera non riconosce il bordo"
    assert said not in html.unescape(phone.get("/setup/view/table?view=2").text)
    camera.further[0].found = None
    assert said in html.unescape(phone.get("/setup/view/table?view=2&find=1").text)


def test_network_cameras_are_told_apart_by_their_addresses(phone: Organiser, camera: FakeCamera) -> None:
    camera.state = CameraStatus("rtsp://…@10.0.0.7:554/live", "live", size=(1280, 720))
    assert "<dd>…@10.0.0.7:554/live</dd>" in html.unescape(phone.get("/setup/ready").text)


def test_where_it_stands_opposite_the_places_are_turned(phone: Organiser, camera: FakeCamera) -> None:
    show(phone, tap="690,190")  # Anna, who sits below for the first camera, sits above for this one
    assert camera.further[0].lie is not None
    anna, bruno, carla = camera.further[0].lie.places
    assert anna[1] < 300 < carla[1]
    assert bruno[0] < 500


def test_each_camera_is_on_the_camera_page_and_has_its_picture_and_its_check(phone: Organiser, camera: FakeCamera) -> None:
    show(phone)
    page = html.unescape(phone.get("/setup/camera").text)
    assert page.count("<svg") == 2
    assert "/setup/live.jpg?view=2" in page
    assert phone.get("/setup/live.jpg?view=2").data == JPEG + b"\x02"
    assert phone.get("/setup/live.jpg").data == JPEG
    assert phone.get("/setup/live.jpg?view=3").status_code == 404
    camera.further[0].seen = CheckView((1280, 720), (), 120.0, 0.0, None, 5.0, ())
    assert phone.get("/setup/check.json?view=2").json["check"]["per_second"] == 5.0
    assert "Telecamera 2" in phone.get("/setup/check?view=2").text
    other = phone.get("/setup/camera?view=2").text
    assert 'value="0"' not in other, "the first one's is not offered"
    phone.walk("/setup/camera?view=2", "/setup/camera", thumb="1")
    assert (camera.further[0].status().source, camera.further[0].lie) == ("", None)


def test_the_third_one_stays_on_the_pages_where_the_second_is_taken_away(phone: Organiser, camera: FakeCamera) -> None:
    show(phone)
    phone.walk("/setup/camera?view=3", "/setup/view/table?view=3", source="3")
    phone.walk("/setup/camera?view=2", "/setup/camera", thumb="1")
    assert [one.status().source for one in camera.further] == ["", "3"]
    for page in ("/setup/ready", "/setup/camera"):
        told = html.unescape(phone.get(page).text)
        assert "Telecamera 3" in told, page
        assert "/setup/camera?view=2" in told, "a second one can be chosen again"
    assert phone.get("/setup/view/table?view=3").status_code == 200


def test_places_worked_out_beside_other_players_are_not_taken(phone: Organiser, camera: FakeCamera) -> None:
    phone.walk("/setup/camera?view=2", "/setup/view/table?view=2", source="2")
    phone.walk("/setup/view/table?view=2", "/setup/view/places?view=2", corners=CORNERS, shape="rect")
    phone.walk("/setup/view/places?view=2", "/setup/view/places?view=2", tap="601,521", who="0")
    turned = " ".join([*PLACES.split()[1:], PLACES.split()[0]])
    phone.walk("/setup/players", "/setup/ready", name=["Bruno", "Carla", "Anna"], places=turned)  # another phone
    phone.walk("/setup/view/places?view=2", "/setup/view/table?view=2", places=PLACES)
    assert camera.further[0].lie is None
    phone.walk("/setup/view/places?view=2", "/setup/view/table?view=2", tap="601,521", who="0")


def test_in_mid_evening_it_is_shown_the_places_of_the_game_that_is_on(phone: Organiser, camera: FakeCamera) -> None:
    phone.walk("/setup/start", "/organiser")
    show(phone, onto="/setup/check?view=2")
    assert camera.further[0].lie is not None
    page = html.unescape(phone.get("/setup/camera").text)
    assert "segue la partita" in page


def test_what_cannot_be_is_refused_and_says_why(phone: Organiser, camera: FakeCamera) -> None:
    assert "guarda già il tavolo" in html.unescape(phone.refused("/setup/camera?view=2", source="0").text)
    first, camera.state = camera.state, CameraStatus("rtsp://…@10.0.0.7/live", "live", size=(1280, 720))
    again = phone.refused("/setup/camera?view=2", source="rtsp://bar:pass@10.0.0.7/live").text
    assert "guarda già il tavolo" in html.unescape(again), "the first one's, with the password that pages are not told"
    camera.state = first
    assert phone.get("/setup/view/table?view=1").status_code == 404
    assert phone.get("/setup/view/table?view=3").status_code == 404, "the second one comes first"
    assert phone.get("/setup/view/places?view=2").location == "/setup/view/table?view=2", "its corners come first"
    phone.walk("/setup/camera?view=2", "/setup/view/table?view=2", source="2")
    phone.walk("/setup/view/table?view=2", "/setup/view/places?view=2", corners=CORNERS)
    assert "Non è su questo tavolo" in html.unescape(phone.refused("/setup/view/places?view=2", tap="5,5", who="0").text)
    assert "ogni giocatore" in html.unescape(phone.refused("/setup/view/places?view=2", places="1,1").text)
    on_one_point = phone.refused("/setup/view/places?view=2", places=" ".join([PLACES.split()[0]] * 3))
    assert "Anna e Bruno hanno lo stesso posto" in html.unescape(on_one_point.text)
    nowhere = phone.refused("/setup/view/places?view=2", places="nan,nan 1,1 2,2").text
    assert "punti che non si capiscono" in html.unescape(nowhere)
    assert camera.further[0].lie is None
    assert "Bruno" in phone.get("/setup/view/places?view=2&who=1").text
    camera.further[0].state = CameraStatus("2", "lost")
    assert "persa" in phone.get("/setup/view/table?view=2").text


def test_without_players_a_second_camera_waits(ledger: Ledger) -> None:
    camera = FakeCamera(ledger)
    phone = Organiser(create_app(ledger, camera=camera))
    assert "view=2" not in phone.get("/setup/camera").text
    answer = phone.get("/setup/view/table?view=2")
    assert (answer.status_code, answer.location) == (303, "/setup/ready")
    assert "Prima i giocatori" in phone.get("/setup/ready").text


@pytest.mark.parametrize("lang", LANGS)
def test_a_notice_of_one_of_several_cameras_has_its_number(lang: Lang) -> None:
    kinds = ("moved", "blocked", "dark", "frozen", "resized", "black", "nothing", "elsewhere", "gap")
    texts = notice_texts([Notice(what, 0.0, view=2) for what in kinds], (), lang)
    assert len(set(texts)) == len(kinds)
    assert all("2" in text for text in texts)


def test_two_phones_film_one_table_each_as_the_camera_whose_code_it_scanned(ledger: Ledger, tmp_path) -> None:
    camera, first, second = FakeCamera(ledger), PhoneCamera(), PhoneCamera()
    camera.state = CameraStatus(PHONE, "opening")
    door = PhoneDoor(first, "127.0.0.1", 0, tmp_path / "c.pem", further=[second])
    app = create_app(ledger, camera=camera, door=door)
    camera.further[0].choose(PHONE)
    assert door.app is not None
    web = door.app.test_client()

    def joined(code: str, who: str) -> str:
        answer = web.post("/join", data=json.dumps({"code": code, "phone": who}))
        assert answer.status_code == 200
        return answer.json["token"]

    def sends(token: str, taken: int) -> str:
        heads = {"Authorization": f"Bearer {token}", "X-Page": "p", "X-Taken": str(taken), "Content-Type": "image/jpeg"}
        return web.post("/picture", data=PICTURE, headers=heads).json["said"]

    codes = door.invitation(), door.invitation(2)
    assert codes[0] != codes[1]
    anna, bruno = joined(codes[0], ANNA), joined(codes[1], BRUNO)
    assert (sends(anna, 1000), sends(bruno, 1000)) == ("kept", "kept"), "neither replaces the other"
    assert first.status().sending
    assert second.status().sending
    assert [one.view for one in FilmingPhones(ledger).all()] == [2, 1], "a restart knows which is which"
    door.chosen(films=True, view=2)
    again = joined(door.invitation(2), "c" * 32)
    assert sends(bruno, 2000) == "unpaired", "another phone is the second camera"
    assert sends(again, 1000) == "kept"
    assert sends(anna, 2000) == "kept", "the first one is not touched"
    camera.further[0].choose("")
    assert sends(again, 2000) == "unwanted"
    door.close()
    assert app is not None


def test_a_lie_says_no_name() -> None:
    assert set(Lie.__struct_fields__) == {"size", "corners", "places", "beside"}
