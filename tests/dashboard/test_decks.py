"""Decks on the organiser's phone: taught card by card, tried, chosen, handed on; and everything that can go wrong on the way."""

from __future__ import annotations

import html
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from drawn_cards import photo
from fake_camera import FakeCamera
from fake_sight import BLURRED, NONE, FakeSight, a_deck, grey, sent
from flask import Flask
from msgspec import structs
from phones import Organiser, seated
from serving import until
from test_both_languages import foreign, read, spoken
from werkzeug.test import TestResponse

from companion.assets import asset
from companion.dashboard import create_app
from companion.decks.deckfile import MAX_FILE_BYTES, encode_deck
from companion.eyes.enrol import reasons
from companion.eyes.source import Picture
from companion.ledger import Ledger
from companion.line.teaching import drafts, shelf, teaching
from companion.line.teaching.shelf import Shelf
from companion.line.teaching.sight import Sight
from companion.line.teaching.teaching import Teaching
from companion.photos import reasons as photo_reasons
from companion.table.errors import Reason
from companion.table.language import LANGS, Lang, catalogue

MATTO, LEONE, MASCHERONE = range(3)
JSON = {"Accept": "application/json"}


class Table:
    """What lies before the camera, and a clock that goes on with every look."""

    def __init__(self) -> None:
        self.image: np.ndarray | None = grey(NONE)
        self.now = 0.0

    def newest(self) -> Picture | None:
        self.now += 0.5
        return Picture(self.now, self.image.copy()) if self.image is not None else None


class House:
    """The application over a folder of decks; `again` restarts the program."""

    def __init__(self, ledger: Ledger, folder: Path) -> None:
        self.ledger, self.folder, self.table = ledger, folder, Table()
        self.sights: list[FakeSight] = []
        self.again()

    def again(self) -> None:
        self.camera, self.sight = FakeCamera(self.ledger), FakeSight()
        self.sights.append(self.sight)
        self.decks = Teaching(Shelf(self.folder), self.sight, self.table.newest, lambda: self.table.now)  # type: ignore[arg-type]
        self.app: Flask = create_app(self.ledger, camera=self.camera, teaching=self.decks)

    def teaching(self, name: str = "nonna", cards: str = "stu") -> Organiser:
        """A phone that has begun to teach a deck."""
        phone = Organiser(self.app)
        phone.walk("/setup/decks", f"/setup/decks/{name}/teach", name=name, list=cards)
        return phone


@pytest.fixture
def house(ledger: Ledger, tmp_path: Path) -> Iterator[House]:
    made = House(ledger, tmp_path / "decks")
    yield made
    for sight in made.sights:  # no thread waits forever
        sight.go.set()


def look(phone: Organiser, card: str, page: str = "a", name: str = "nonna") -> dict:
    answer = phone.post(f"/setup/decks/{name}/look", card=card, page=page)
    assert answer.status_code == 200
    return answer.json


def upload(phone: Organiser, card: str, data: bytes, path: str = "nonna/photo") -> TestResponse:
    form = {"csrf": phone.csrf, "card": card, "photo": (io.BytesIO(data), "photo.jpg")}
    return phone.client.post(f"/setup/decks/{path}", data=form, headers=JSON)


def ticks(phone: Organiser, name: str = "nonna") -> dict[str, str]:
    """Card → what the page says of it, without those that are missing."""
    page = html.unescape(phone.get(f"/setup/decks/{name}/teach").text)
    found = re.findall(r'<a href="[^"]+card=([^"&]+)" class="\w*"[^>]*aria-label="[^":]+: ([^"]+)"', page)
    assert len(found) == 21
    return {card: state for card, state in found if state != "manca"}


def problem(answer: TestResponse) -> str:
    found = re.findall(r'class="problem" role="alert">([^<]*)<', answer.text)
    assert len(found) == 1, answer.text
    return html.unescape(found[0])


def made(phone: Organiser, house: House, name: str = "nonna") -> None:
    phone.walk(f"/setup/decks/{name}/make", f"/setup/decks/{name}/make")
    until(lambda: house.decks.making(name).ready)  # type: ignore[union-attr]


def test_the_camera_takes_a_card_by_itself_when_it_lies_still(house: House) -> None:
    phone = house.teaching()
    assert look(phone, "matto")["said"] == "Metti la carta davanti alla telecamera, da sola e intera."
    house.table.image = grey(MATTO)
    states = [look(phone, "matto") for _ in range(3)]
    assert [one["state"] for one in states] == ["moving", "moving", "taken"]
    assert states[-1]["to"] == "/setup/decks/nonna/teach?card=leone"
    assert ticks(phone) == {"matto": "presa"}
    # It lies there still: it is not taken for the next one.
    assert {look(phone, "leone")["state"] for _ in range(5)} == {"before"}
    house.table.image = grey(LEONE)
    assert [look(phone, "leone")["state"] for _ in range(3)] == ["moving", "moving", "taken"]
    assert ticks(phone) == {"matto": "presa", "leone": "presa"}


def test_a_card_is_taken_also_where_each_look_takes_longer_than_a_page_may_pause(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = house.sight.look

    def slow(*given: Any, **named: Any) -> Any:
        house.table.now += 2 * teaching.HELD_SECONDS
        return quick(*given, **named)

    monkeypatch.setattr(house.sight, "look", slow)
    phone = house.teaching()
    house.table.image = grey(MATTO)
    assert [look(phone, "matto")["state"] for _ in range(3)] == ["moving", "moving", "taken"]
    assert look(phone, "matto", page="b")["state"] == "elsewhere"


def test_a_page_that_paused_begins_from_the_beginning(house: House) -> None:
    phone = house.teaching()
    house.table.image = grey(MATTO)
    assert [look(phone, "matto")["state"] for _ in range(2)] == ["moving", "moving"]
    house.table.now += teaching.PAUSE_SECONDS
    assert [look(phone, "matto")["state"] for _ in range(3)] == ["moving", "moving", "taken"]


def test_no_page_decodes_a_picture_that_somebody_sent(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def decoded(*_: object) -> None:
        raise AssertionError("in the program itself")

    house.decks.shelf.put("zia", a_deck())
    phone = house.teaching()
    webp = cv2.imencode(".webp", grey(LEONE))[1].tobytes()
    monkeypatch.setattr(cv2, "imdecode", decoded)
    assert upload(phone, "matto", sent(MATTO)).json["said"] == "Matto: presa."
    assert upload(phone, "leone", webp).status_code == 200
    assert phone.post("/setup/decks/zia/improve").status_code == 302
    assert ticks(phone, "zia") == {"matto": "presa", "leone": "da riguardare"}


def test_a_card_that_cannot_be_read_is_not_taken_and_the_page_says_why(house: House) -> None:
    phone = house.teaching()
    house.table.image = grey(BLURRED)
    said = "La carta è mossa o sfocata: tieni fermo, e lascia mettere a fuoco"
    assert [look(phone, "matto")["said"] for _ in range(4)] == [said] * 4
    assert upload(phone, "matto", sent(BLURRED)).json["said"].startswith("La carta è mossa")
    assert upload(phone, "matto", b"half a picture").json["said"].startswith("Non è un’immagine")
    assert upload(phone, "matto", sent(MATTO)[:-20]).json["said"].startswith("Questo JPEG è incompleto")
    assert upload(phone, "matto", b"\0\0\0\x14ftypqt  \0\0\0\0qt  ").json["said"] == "È un filmato, non una foto: manda una foto"
    assert upload(phone, "matto", b"").status_code == 422
    house.table.image = None
    assert look(phone, "matto")["state"] == "no_camera"
    assert ticks(phone) == {}


def test_a_picture_that_would_not_fit_into_the_memory_is_not_opened(house: House) -> None:
    phone = house.teaching()
    png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (100_000).to_bytes(4, "big") * 2 + b"\x08\x02\0\0\0" + b"\0" * 40
    assert upload(phone, "matto", png).json["said"].startswith("Non è un’immagine")


def test_photos_of_the_phone_are_taken_and_two_of_a_card_where_they_are_wanted(house: House) -> None:
    phone = house.teaching()
    told = upload(phone, "matto", sent(MATTO)).json
    assert told == {"said": "Matto: presa.", "to": "/setup/decks/nonna/teach?card=leone", "sure": True}
    phone.walk("/setup/decks/nonna/change", "/setup/decks/nonna/teach?card=matto", do="each", each="2", card="matto")
    assert ticks(phone) == {"matto": "ancora una foto"}
    darker = cv2.imencode(".png", cv2.GaussianBlur(grey(MATTO), (0, 0), 1) - 1)[1].tobytes()
    assert upload(phone, "matto", darker).json["to"] == "/setup/decks/nonna/teach?card=leone"
    assert ticks(phone) == {"matto": "presa"}


def test_a_card_that_looks_like_one_already_taken_is_asked_about(house: House) -> None:
    phone = house.teaching()
    upload(phone, "matto", sent(MATTO))
    other = cv2.imencode(".png", grey(MATTO) - 1)[1].tobytes()
    told = upload(phone, "leone", other).json
    assert told == {"said": "Sembra la stessa di Matto: è giusta?", "to": "/setup/decks/nonna/teach?card=leone", "sure": False}
    assert ticks(phone) == {"matto": "presa", "leone": "da riguardare"}  # it is the newer one that is doubted
    mark = house.decks.drafts.photos("nonna")["leone"][0]
    phone.walk("/setup/decks/nonna/change", "/setup/decks/nonna/teach?card=mascherone", do="agree", card="leone", mark=mark)
    assert ticks(phone)["leone"] == "presa"
    phone.walk("/setup/decks/nonna/change", "/setup/decks/nonna/teach?card=leone", do="drop", card="leone", mark=mark)
    phone.walk("/setup/decks/nonna/change", "/setup/decks/nonna/teach?card=leone", do="drop", card="leone", mark=mark)  # twice
    assert "leone" not in ticks(phone)


def test_the_very_same_photo_is_not_taken_for_two_cards(house: House) -> None:
    phone = house.teaching()
    upload(phone, "matto", sent(MATTO))
    assert upload(phone, "matto", sent(MATTO)).status_code == 200  # a double tap
    assert upload(phone, "leone", sent(MATTO)).json["said"] == "La stessa foto è data per due carte"
    assert [len(marks) for marks in house.decks.drafts.photos("nonna").values()] == [1]


def test_a_card_is_skipped_gone_back_to_and_taken_again(house: House) -> None:
    phone = house.teaching()
    phone.walk("/setup/decks/nonna/change", "/setup/decks/nonna/teach?card=leone", do="skip", card="matto")
    assert ticks(phone) == {"matto": "saltata"}
    phone.walk("/setup/decks/nonna/change", "/setup/decks/nonna/teach?card=matto", do="unskip", card="matto")
    upload(phone, "matto", sent(MATTO))
    house.table.image = grey(MATTO)
    assert {look(phone, "matto")["state"] for _ in range(5)} == {"enough"}  # a card that is done is not taken by itself
    phone.walk("/setup/decks/nonna/change", "/setup/decks/nonna/teach?card=matto", do="again", card="matto")
    assert ticks(phone) == {}


def test_two_phones_teach_one_deck_and_lose_nothing(house: House) -> None:
    one, other = house.teaching(), Organiser(house.app)
    house.table.image = grey(MATTO)
    assert look(one, "matto", "one")["state"] == "moving"
    assert look(other, "matto", "other")["said"].startswith("Un altro telefono sta prendendo le carte con la telecamera.")
    assert upload(other, "leone", sent(LEONE)).status_code == 200
    assert [look(one, "matto", "one")["state"] for _ in range(2)] == ["moving", "taken"]
    assert ticks(one) == ticks(other) == {"matto": "presa", "leone": "presa"}
    house.table.now += 5  # the first one was put away
    assert look(other, "mascherone", "other")["state"] == "before"


def test_a_restart_in_the_middle_goes_on_where_it_was(house: House) -> None:
    upload(house.teaching(), "matto", sent(MATTO))
    house.again()
    phone = Organiser(house.app)
    assert "1 su 21" in phone.get("/setup/decks").text
    assert ticks(phone) == {"matto": "presa"}
    upload(phone, "leone", sent(LEONE))
    house.sight.go.clear()
    phone.walk("/setup/decks/nonna/make", "/setup/decks/nonna/make")
    assert phone.get("/setup/decks/nonna/make.json").json["to"] is None
    house.again()  # while the deck was being made
    assert Organiser(house.app).get("/setup/decks/nonna/make").location == "/setup/decks/nonna/teach"


def test_a_deck_is_made_tried_and_played_with(house: House) -> None:
    phone = house.teaching()
    for level, card in enumerate(("matto", "leone")):
        upload(phone, card, sent(level))
    made(phone, house)
    assert phone.get("/setup/decks/nonna/make").location == "/setup/decks/nonna/trial"
    house.table.image = grey(LEONE)
    seen = [phone.post("/setup/decks/nonna/trial/look", page="a").json for _ in range(3)]
    assert (seen[-1]["state"], seen[-1]["said"]) == ("taken", "Leone")
    tried = house.decks.trial("nonna")[0]
    assert phone.get(f"/setup/decks/nonna/trial/{tried.mark}").mimetype == "image/jpeg"
    phone.walk("/setup/decks/nonna/trial", "/setup/decks/nonna/trial", mark=tried.mark, right="1")
    assert upload(phone, "", sent(MASCHERONE), "nonna/trial/photo").json["said"] == "Nessuna carta di questo mazzo"
    phone.walk("/setup/decks/nonna/trial", "/setup/decks/nonna/trial", mark=house.decks.trial("nonna")[1].mark, was="mascherone")
    page = phone.get("/setup/decks/nonna/trial").text
    assert "Rifai: Mascherone" in page
    assert "Mancano: Mascherone, Secchia" in page
    assert "Da finire" not in phone.get("/setup/decks").text
    phone.walk("/setup/decks/nonna/improve", "/setup/decks/nonna/teach?card=leone&more=1", card="leone")
    house.table.image = grey(NONE)
    look(phone, "leone")
    house.table.image = grey(LEONE) - 1
    looks = [phone.post("/setup/decks/nonna/look", card="leone", page="a", more="1").json["state"] for _ in range(3)]
    assert looks[-1] == "taken"
    assert len(house.decks.drafts.photos("nonna")["leone"]) == 2
    phone.walk("/setup/decks/nonna/use", "/setup/decks")
    assert house.decks.drafts.names() == ("nonna",)  # a photo of it is not in the deck yet
    made(phone, house)
    phone.walk("/setup/decks/nonna/use", "/setup/decks")
    assert house.camera.state.deck == "nonna"
    assert "nonna <em>in uso</em>" in phone.get("/setup/decks").text
    assert house.decks.drafts.names() == ()


def test_a_deck_of_pedine_needs_the_back_and_some_faces_and_is_never_chosen(house: House) -> None:
    phone = house.teaching("bar", "french")
    assert "Delle pedine bastano il dorso e qualche faccia." in phone.get("/setup/decks/bar/teach").text
    for level, card in enumerate(("hearts-7", "back")):
        upload(phone, card, sent(level), "bar/photo")
    made(phone, house, "bar")
    before = house.camera.state.deck
    phone.walk("/setup/decks/bar/use", "/setup/decks")
    assert house.camera.asked == [("bar", "french")], "the eyes are told that there is one more"
    assert house.camera.state.deck == before
    assert "Le carte di «bar» ora sono riconosciute come pedine." in phone.get("/setup/decks").text
    page = phone.get("/setup/decks/bar").text
    assert "In una partita di Stù le sue carte valgono come pedine" in page
    assert "Usa questo mazzo" not in page
    assert "<dt>Mancano" not in page, "nothing is"
    assert "mancano" not in phone.get("/setup/decks").text
    assert house.decks.shelf.chosen("french") == ""


def test_the_deck_is_kept_with_the_evening_and_remembered_for_the_next(house: House) -> None:
    house.decks.shelf.put("nonna", a_deck())
    phone = Organiser(house.app)
    seated(phone)
    phone.walk("/setup/stakes", "/setup/ready", stake="1", dealer="Anna")
    assert "Masenghini (in dotazione)" in phone.get("/setup/ready").text
    phone.walk("/setup/deck", "/setup/ready", deck="nonna")
    phone.walk("/setup/start", "/organiser")
    assert house.camera.state.deck == "nonna"
    house.again()
    phone = Organiser(house.app)
    seated(phone)
    phone.walk("/setup/stakes", "/setup/ready", stake="1", dealer="Anna")
    assert '<dd>nonna</dd>' in phone.get("/setup/ready").text
    phone.walk("/setup/deck", "/setup/ready", deck="")
    assert house.decks.shelf.chosen("stu") == ""


def test_a_deck_that_is_gone_is_said_and_the_evening_goes_on(house: House) -> None:
    house.decks.shelf.put("nonna", a_deck())
    house.decks.shelf.choose("stu", "nonna")
    house.decks.shelf.path("nonna").unlink()
    phone = Organiser(house.app)
    seated(phone)
    phone.walk("/setup/stakes", "/setup/ready", stake="1", dealer="Anna")
    said = "Il mazzo «nonna» non c’è più o è rovinato: si gioca con quello in dotazione."
    assert said in phone.get("/setup/ready").text
    phone.walk("/setup/start", "/organiser")
    house.camera.state = type(house.camera.state)("0", "live", size=(1280, 720), deck="nonna", deck_lost=True)
    assert json.loads(house.app.extensions["organiser"].beat("it"))["notices"] == [said]
    assert phone.get("/api/notices").json["notices"] == []  # that is for the TV


def test_a_deck_is_handed_on_and_taken_in(house: House) -> None:
    house.decks.shelf.put("nonna", a_deck())
    phone = Organiser(house.app)
    file = phone.get("/setup/decks/nonna/file")
    assert file.data == encode_deck(a_deck())
    assert "nonna.deck" in file.headers["Content-Disposition"]

    def take_in(data: bytes, name: str = "zia.deck") -> TestResponse:
        form = {"csrf": phone.csrf, "deck": (io.BytesIO(data), name)}
        return phone.client.post("/setup/decks/upload", data=form)

    assert take_in(file.data).location == "/setup/decks/zia"
    assert house.decks.shelf.deck("zia") == a_deck()
    assert problem(take_in(file.data)) == "Un mazzo di nome «zia» c’è già: scegli un altro nome"
    assert problem(take_in(b"GIF89a", "x.deck")).startswith("Questo non è un file di mazzo")
    assert problem(take_in(file.data[:-3], "x.deck")).startswith("Questo file di mazzo è rovinato")
    assert problem(take_in(file.data, "../unknown.deck")).startswith("«unknown» è un nome che usa il programma")
    large = phone.client.post("/setup/decks/upload", data=bytes(MAX_FILE_BYTES + 10**6),
                              content_type="multipart/form-data; boundary=x")
    assert large.status_code == 413
    assert problem(large) == "Il file è troppo grande: al massimo 16 MB."
    assert [entry.name for entry in house.decks.shelf.entries()] == ["nonna", "zia"]


def test_a_deck_is_deleted_once_somebody_is_sure_and_not_while_it_is_played_with(house: House) -> None:
    house.decks.shelf.put("nonna", a_deck())
    phone = Organiser(house.app)
    phone.walk("/setup/decks/nonna/use", "/setup/decks")
    assert "Con questo mazzo si sta giocando" in problem(phone.post("/setup/decks/nonna/delete", sure="1"))
    phone.walk("/setup/deck", "/setup/players", deck="")
    assert "Eliminare «nonna»?" in phone.post("/setup/decks/nonna/delete").text
    assert house.decks.shelf.entry("nonna") is not None
    phone.walk("/setup/decks/nonna/delete", "/setup/decks", sure="1")
    phone.walk("/setup/decks/nonna/delete", "/setup/decks", sure="1")  # a second tap
    assert house.decks.shelf.entries() == ()


def test_a_picture_that_cannot_be_opened_in_somebodys_deck_is_asked_for_again(house: House) -> None:
    deck = a_deck()
    broken = bytearray(deck.cards[0].pictures[0])
    broken[broken.index(b"\xff\xc0") + 12] = 3  # a table that it does not bring: its head is right, and it cannot be decoded
    cards = (structs.replace(deck.cards[0], pictures=(bytes(broken),)), deck.cards[1])
    house.decks.shelf.put("nonna", structs.replace(deck, cards=cards))
    phone = Organiser(house.app)
    phone.walk("/setup/decks/nonna/improve", "/setup/decks/nonna/teach")
    assert ticks(phone) == {"leone": "presa"}


def test_names_are_checked_and_a_draft_is_gone_on_with_under_its_own(house: House) -> None:
    phone = house.teaching()
    phone.walk("/setup/decks", "/setup/decks/nonna/teach", name=" nonna ", list="stu")
    assert "c’è già" in problem(phone.post("/setup/decks", name="nonna", list="french"))
    assert "lettere, cifre e trattini" in problem(phone.post("/setup/decks", name="../etc", list="stu"))
    assert "che usa il programma" in problem(phone.post("/setup/decks", name="ramino", list="french"))
    assert problem(phone.post("/setup/decks", name="zia", list="tarot")) == "Scegli quali carte ha il mazzo."
    assert upload(phone, "matto", sent(0), "zia/photo").status_code == 404
    assert upload(phone, "hearts-1", sent(0)).json["said"] == "Questo mazzo non si sta più insegnando"


def test_a_deck_needs_a_face(house: House) -> None:
    phone = house.teaching()
    assert "nessuna carta ha ancora una foto" in problem(phone.post("/setup/decks/nonna/make")).lower()


@pytest.mark.parametrize("cards", ["stu", "italian", "french"])
@pytest.mark.parametrize("lang", LANGS)
def test_every_card_of_every_list_is_asked_for_by_name(house: House, cards: str, lang: str) -> None:
    phone = house.teaching("nonna", cards)
    page = phone.get(f"/setup/decks/nonna/teach?lang={lang}").text
    assert page.count("<li><a href=") == {"stu": 21, "italian": 41, "french": 53}[cards]
    assert ("Dorso" if lang == "it" else "Back") in page
    drawings = re.findall(r'<img class="face" src="([^"]+)"', page)
    assert len(set(drawings)) == {"stu": 21, "italian": 41, "french": 53}[cards]
    for picture in drawings:
        with phone.get(picture) as drawing:
            assert drawing.status_code == 200


def test_the_pages_are_for_organisers_and_for_our_own_forms(house: House) -> None:
    house.teaching()
    stranger = house.app.test_client()
    assert "/pair" in stranger.get("/setup/decks/nonna/teach").location
    assert "/pair" in stranger.post("/setup/decks/upload", data=bytes(2 * MAX_FILE_BYTES)).location
    phone = Organiser(house.app)
    assert phone.client.post("/setup/decks/nonna/make").status_code == 403
    assert phone.client.post("/setup/decks", data={"csrf": phone.csrf, "name": "x", "list": "stu"},
                             headers={"Origin": "http://evil.example"}).status_code == 403  # fmt: skip


def test_without_decks_there_are_no_pages_of_them(ledger: Ledger) -> None:
    phone = Organiser(create_app(ledger, camera=FakeCamera(ledger)))
    assert phone.get("/setup/decks").status_code == 404
    assert "/setup/decks" not in phone.get("/setup").text


@pytest.mark.networks
def test_the_real_eyes_take_a_drawn_card_from_the_camera_and_from_a_phone(ledger: Ledger, tmp_path: Path) -> None:
    table = Table()
    table.image = photo("gnao")
    here = Teaching(Shelf(tmp_path), Sight(asset("models")), table.newest, lambda: table.now)
    phone = Organiser(create_app(ledger, camera=FakeCamera(ledger), teaching=here))
    phone.walk("/setup/decks", "/setup/decks/nonna/teach", name="nonna", list="stu")
    assert [look(phone, "gnao")["state"] for _ in range(3)] == ["moving", "moving", "taken"]
    for card, seed in (("cucco", 1), ("salta", 2)):
        jpeg = cv2.imencode(".jpg", photo(card, (1600, 1200), 700, -20, seed))[1].tobytes()
        assert upload(phone, card, jpeg).json["sure"]
    blurred = cv2.imencode(".jpg", cv2.GaussianBlur(photo("matto", (1600, 1200), 700), (0, 0), 15))[1].tobytes()
    assert upload(phone, "matto", blurred).json["said"].startswith("La carta è mossa")
    again = cv2.imencode(".jpg", photo("gnao", (1600, 1200), 600, 40, 3))[1].tobytes()
    assert upload(phone, "matto", again).json["said"] == "Sembra la stessa di Gnao: è giusta?"
    here.again("nonna", "matto")
    phone.walk("/setup/decks/nonna/make", "/setup/decks/nonna/make")
    until(lambda: here.making("nonna").ready)  # type: ignore[union-attr]
    for card, seed in (("gnao", 5), ("cucco", 6), ("salta", 7)):
        jpeg = cv2.imencode(".jpg", photo(card, (1280, 720), 120, 75, seed))[1].tobytes()
        assert upload(phone, "", jpeg, "nonna/trial/photo").json["said"].lower() == card


@pytest.mark.parametrize("lang", LANGS)
def test_no_page_of_decks_has_a_word_of_the_other_language(house: House, lang: Lang) -> None:
    phone = house.teaching()
    house.decks.shelf.put("zia", a_deck())
    house.decks.shelf.path("rotto").write_bytes(b"companion deck")
    upload(phone, "matto", sent(MATTO))
    upload(phone, "leone", cv2.imencode(".png", grey(MATTO) - 1)[1].tobytes())
    upload(phone, "back", sent(9))
    seen = dict[str, str]()

    def look_at(path: str, **form: object) -> None:
        how = {"method": "POST", "data": {"csrf": phone.csrf, **form}} if form else {}
        answer = phone.client.open(f"/setup/{path}{'&' if '?' in path else '?'}lang={lang}", **how)
        text = read(answer.text) if answer.mimetype == "text/html" else " ".join(spoken(answer.json))
        assert foreign(text, lang) - {"nonna", "modiano", "zia", "rotto"} == set(), path
        seen[path] = text

    for path in ("", "/zia", "/rotto", "/nonna/teach", "/nonna/teach?card=leone", "/nonna/teach?card=back"):
        look_at(f"decks{path}")
    for name, cards in (("stu", "stu"), ("", "stu"), ("zia", "stu"), ("x", "x")):
        look_at("decks", name=name, list=cards)
    look_at("decks/rotto/use", x="1")
    look_at("decks/zia/delete", x="1")
    look_at("decks/nonna/delete", what="draft")
    for level in (NONE, BLURRED, LEONE):
        house.table.image = grey(level)
        for _ in range(4):
            look_at("decks/nonna/look", card="mascherone", page="a")
    look_at("decks/nonna/look", card="mascherone", page="b")
    look_at("decks/nonna/look", card="matto", page="a")
    house.table.image = None
    look_at("decks/nonna/look", card="secchia", page="a")
    house.sight.go.clear()
    phone.walk("/setup/decks/nonna/make", "/setup/decks/nonna/make")
    look_at("decks/nonna/make")
    look_at("decks/nonna/make.json")
    house.sight.go.set()
    until(lambda: house.decks.making("nonna").ready)  # type: ignore[union-attr]
    look_at("decks/nonna/trial")
    for level, answer in ((MATTO, {"right": "1"}), (20, {"was": "leone"})):
        upload(phone, "", sent(level), "nonna/trial/photo")
        look_at("decks/nonna/trial")
        phone.walk("/setup/decks/nonna/trial", "/setup/decks/nonna/trial", mark=house.decks.trial("nonna")[-1].mark, **answer)
    look_at("decks/nonna/trial")
    phone.post("/setup/new")
    look_at("deck")
    assert len(seen) == 14


@pytest.mark.parametrize("lang", LANGS)
def test_every_reason_against_a_photo_has_words_in_both_languages(house: House, lang: Lang) -> None:
    modules = (reasons, photo_reasons, shelf, drafts, teaching)
    told = [one for module in modules for one in vars(module).values() if isinstance(one, Reason)]
    assert len(told) > 15
    for one in told:
        words = catalogue(lang).gettext(one.text)
        assert foreign(words, lang) == set(), one.code
        assert (words == one.text) == (lang == "en"), one.code
