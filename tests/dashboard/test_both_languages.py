"""Every page, walked through in English and in Italian: no word of the other language stands on it."""

from __future__ import annotations

import html
import io
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from babel.messages.pofile import read_po
from fake_camera import FakeCamera
from flask import Flask
from flask.testing import FlaskClient
from phones import CORNERS, PLACES, Organiser, Phone
from test_evenings_life import TOLD, WON, recorded, table_of

from companion.dashboard import Settings, create_app
from companion.dashboard.setup.phrases import advice, why, why_lost
from companion.eyes import source as reasons
from companion.ledger import Ledger
from companion.line.camera import AdviceView, CameraStatus, CheckView, SeenCard, SourceView
from companion.table.errors import CompanionError, Reason, SourceError
from companion.table.language import LANGS, TRANSLATIONS, Lang

NAMES = {"anna", "bruno", "carla", "dino", "elena", "fabio", "webcam"}
OF_THE_GAME = {
    "bragon", "cart", "cucco", "gnaffata", "gnaffate", "gnao", "leone", "mascherone", "matto", "montepremi", "nulla", "passo",
    "pedina", "pedine", "piazza", "ricompera", "ricompere", "salta", "saupr", "secchia", "sto", "taverna", "stù", "arrit",
    "gnaff", "bbum", "mano", "matti", "bbummata",
}  # fmt: skip
"""The game's own words, which are Italian in English, too."""


def words(text: str) -> set[str]:
    """Those of a text, in small letters; addresses, which may hold random codes, are none."""
    return set(re.findall(r"[^\W\d_]{3,}", re.sub(r"https?://\S+|\{\w*\}|%%", " ", text).lower()))


def vocabulary() -> dict[Lang, set[str]]:
    """Words of the catalogue that only this language has."""
    english, italian = set[str](), set[str]()
    with (TRANSLATIONS / "it" / "LC_MESSAGES" / "messages.po").open("rb") as file:
        for message in read_po(file):
            if message.id:
                english |= words(" ".join(message.id) if isinstance(message.id, tuple) else message.id)
                italian |= words(" ".join(message.string) if isinstance(message.string, tuple) else message.string)
    own = NAMES | OF_THE_GAME
    return {"en": english - italian - own, "it": italian - english - own}


ONLY = vocabulary()


def other(lang: Lang) -> Lang:
    return "it" if lang == "en" else "en"


def test_an_apostrophe_is_a_typesetter_s_in_every_italian_sentence() -> None:
    """One that is typed straight among others that are not shows at once in letters of 130 pixels."""
    with (TRANSLATIONS / "it" / "LC_MESSAGES" / "messages.po").open("rb") as file:
        said = [text for one in read_po(file) for text in (one.string if isinstance(one.string, tuple) else (one.string,))]
    assert [text for text in said if re.search(r"\w'", text)] == []


SPOKEN = r"aria-label|alt|title|placeholder|data-.*"
CODES = {f"data-{name}" for name in ("live", "key", "url", "game", "state", "is", "read", "src", "theme", "csrf", "shows",
                                     "panel")}  # fmt: skip
KEYS = {"deed", "kind", "cause", "role", "status", "phase", "e", "who", "card", "wing", "code", "side", "deck", "state", "lang",
        "key", "within"}  # fmt: skip
"""What is for programs: attributes, and keys of the JSON."""
WITHOUT_END = ("input", "link", "meta", "img", "br", "image")


class Read(HTMLParser):
    """What people read on a page, or hear: its text, and what is said of elements; not of what says its language itself."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._skip = 0
        self._stack: list[bool] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        foreign = tag != "html" and "lang" in given
        if tag not in WITHOUT_END:
            self._stack.append(foreign or tag in ("style", "script"))
            self._skip += self._stack[-1]
        if not self._skip:
            spoken = [(name, value) for name, value in attrs if value and not value.startswith("/")]  # that is an address
            self.said += [value for name, value in spoken if value and name not in CODES and re.fullmatch(SPOKEN, name)]

    def handle_endtag(self, tag: str) -> None:
        if self._stack and tag not in WITHOUT_END:
            self._skip -= self._stack.pop()

    def handle_data(self, data: str) -> None:
        if not self._skip:
            self.said.append(data)


def read(page: str) -> str:
    parser = Read()
    parser.feed(page)
    told = re.search(r'<script type="application/json" id="page">(.*?)</script>', page, re.S)
    strings = json.loads(told[1]) if told else {}
    return html.unescape(" ".join([*parser.said, *spoken(strings.get("strings", {})), *spoken(strings.get("acts", []))]))


def spoken(value: object) -> Iterator[str]:
    """The texts in a JSON value, keys and codes left out."""
    if isinstance(value, dict):
        for key, one in value.items():
            if key not in KEYS:
                yield from spoken(one)
    elif isinstance(value, list):
        for one in value:
            yield from spoken(one)
    elif isinstance(value, str) and not value.startswith("/"):  # an address
        yield value


def foreign(text: str, lang: Lang) -> set[str]:
    return words(text) & ONLY[other(lang)]


@pytest.fixture
def camera(ledger: Ledger) -> FakeCamera:
    found = FakeCamera(ledger)
    found.sources = lambda: (SourceView("0", "Webcam", (1280, 720)), SourceView("1", ""))  # type: ignore[method-assign]
    return found


@pytest.fixture
def app(ledger: Ledger, camera: FakeCamera) -> Flask:
    return create_app(ledger, camera=camera, recorder=lambda: camera.recorder)


def test_the_walk_would_notice() -> None:
    """That each language has many words of its own, and that what is read is what people read."""
    assert min(map(len, ONLY.values())) > 400
    assert foreign("Keep the partita", "en") == {"partita"}
    assert foreign("Segna la partita, please", "it") == {"please"}
    page = '<html lang="it"><p title="camera">Tavolo</p><a lang="en" href="?lang=en">English</a><script>table</script></html>'
    assert read(page).split() == ["camera", "Tavolo"]


@pytest.mark.parametrize("lang", LANGS)
def test_no_page_has_a_word_of_the_other_language(camera: FakeCamera, ledger: Ledger, lang: Lang) -> None:
    """A whole evening: set up with every mistake, begun, played, corrected, over; its archive; each page in its states."""
    visited: dict[str, str] = {}
    app = create_app(ledger, settings=Settings(lang=lang), camera=camera, recorder=lambda: camera.recorder)

    def look(client: FlaskClient, path: str, **how: object) -> str:
        asks = {"Accept-Language": f"{lang},{other(lang)};q=0.3"}
        answer = client.open(path, headers=asks, **how)
        if answer.status_code == 303:  # a mistake: its page says which
            answer = client.get(answer.location, headers=asks)
        assert answer.status_code in (200, 302, 400, 403, 409, 429), (path, answer.status_code)
        if answer.status_code != 302:
            text = read(answer.text) if answer.mimetype == "text/html" else " ".join(spoken(answer.json))
            assert foreign(text, lang) == set(), path
            assert f'lang="{lang}"' in answer.text or answer.mimetype != "text/html"
            visited[path.split("?")[0]] = text
        return answer.text

    stranger = app.test_client()
    look(stranger, "/pair")
    for _ in range(7):
        look(stranger, "/pair", method="POST", data={"pin": "1"}, environ_base={"REMOTE_ADDR": "10.0.0.1"})
    look(stranger, "/pair/show")
    for page in ("/", "/charts", "/overlay", "/api/game", "/api/notices"):
        look(stranger, f"{page}?lang={lang}")
    phone = Organiser(app)
    client, csrf = phone.client, phone.csrf

    def send(path: str, **form: object) -> str:
        return look(client, path, method="POST", data={"csrf": csrf, **form})

    for path in ("", "/camera", "/check", "/check.json", "/games"):
        look(client, f"/setup{path}")
    for path in ("/organiser", "/organiser/phones"):
        look(client, path)
    send("/setup/new", late="1")
    send("/setup/camera", source="")
    for reason in (one for one in vars(reasons).values() if isinstance(one, Reason)):
        camera.refuses = lost = SourceError(
            reason, source="0", there="1", number="0", seconds=5, width=9, height=9, most=9, length=9
        )
        send("/setup/camera", source="nowhere")
        camera.state = CameraStatus("7", "lost", str(lost), cause=lost)
        for path in ("/setup/camera", "/setup/table", "/setup/check", "/setup/check.json", "/setup/moved"):
            look(client, path)
    for state in ("opening", "frozen", "ended", "held"):
        camera.state = CameraStatus("0", state)
        look(client, "/setup/camera")
    camera.refuses = None
    send("/setup/camera", source="0")
    card = SeenCard(((1.0, 1.0), (15.0, 1.0), (15.0, 29.0), (1.0, 29.0)), "face", "stu", "gnao", 28.0, 5)
    camera.seen = CheckView((1280, 720), (card,), 30.0, 0.0, 0.5, 9.8, tuple(AdviceView(code, 2.0, 1) for code in advice("en")))
    for path in ("/setup/camera", "/setup/check", "/setup/check.json", "/setup/table"):
        look(client, path)
    send("/setup/table", corners="1,1 2,2")
    send("/setup/table", corners=CORNERS)
    look(client, "/setup/players")
    live = camera.state
    camera.state = CameraStatus("0", "held", size=live.size)
    look(client, "/setup/players")
    camera.state = live
    for names in (["Anna"], ["Anna", ""], ["Anna", "Anna"], ["Anna", "B" * 30]):
        send("/setup/players", name=names, places=PLACES)
    send("/setup/players", name=["Anna", "Bruno", "Carla"], places=" ".join(reversed(PLACES.split())))
    look(client, "/setup/stakes")
    send("/setup/stakes", stake="due", dealer="Anna")
    send("/setup/stakes", stake="1", dealer="")
    look(client, "/setup/standing")
    send("/setup/standing", **{"pedine-0": "-1"})
    send("/setup/standing", **{f"pedine-{n}": "3" for n in range(3)}, **{f"virgin-{n}": "1" for n in range(3)})
    look(client, "/setup/draw")
    send("/setup/draw", **{"card-0": "3"})
    send("/setup/draw", **{"card-0": "3", "card-1": "gnao", "card-2": "gnao"})
    look(client, "/setup/draw")
    send("/setup/draw", **{"card-0": "3", "card-1": "9", "card-2": "10"})
    look(client, "/setup/draw")
    look(client, "/setup/ready")
    send("/setup/start")
    seen = app.test_client()
    play = Phone(app, lang)
    for events in ([{"e": "hand"}], [{"e": "passo", "by": play.view["players"][0]["name"]}]):
        answer = play.send({"what": "say", "events": events})
        assert foreign(" ".join(spoken(answer.json)), lang) == set()
    assert foreign(" ".join(spoken(play.look())), lang) == set()
    for path in ("/setup", "/setup/camera", "/organiser", "/setup/moved"):
        look(client, path)
    send("/setup/moved", corners="1,1 2,2")
    # Evenings that are over, or only begun; asked before one is left.
    over, old = recorded(ledger, WON, table=table_of(WON), camera="0"), recorded(ledger, TOLD)
    look(client, "/setup")
    send("/setup/rematch", game=str(over))
    send("/setup/again", game=str(over))
    look(client, "/setup/ready")
    send("/setup/go-on", game=str(old))
    look(client, "/setup/ready")
    look(client, "/setup/games")
    look(client, f"/setup/games/{over}?step=3")
    for data in ({}, {"log": (io.BytesIO(b'{"e":"game"}'), "x.jsonl")}):
        send("/setup/games", **data)
    for game in (over, old):
        ledger.take_up(game)
        for path in ("/", "/charts", "/overlay", "/api/game", "/api/moviola", "/api/notices"):
            look(seen, f"{path}?lang={lang}")
        look(client, "/setup")
        assert foreign(" ".join(spoken(Phone(app, lang).view)), lang) == set()
    assert len(visited) > 20
    assert {"/setup/rematch", "/setup/ready", "/setup/games", "/charts", "/setup/draw", "/pair/show"} <= set(visited)


@pytest.mark.parametrize(
    ("asks", "cookie", "setting", "comes"),
    [
        ("en-GB,en;q=0.9", None, "it", "en"),
        ("it-IT,it;q=0.9,en;q=0.5", None, "en", "it"),
        ("de-DE,en;q=0.5", None, "it", "en"),
        ("fr", None, "it", "it"),
        (None, None, "en", "en"),
        ("en", "it", "it", "it"),  # chosen by hand: remembered
    ],
)
def test_the_first_page_comes_in_the_phones_own_language(
    ledger: Ledger, asks: str | None, cookie: str | None, setting: Lang, comes: Lang
) -> None:
    app = create_app(ledger, settings=Settings(lang=setting), camera=FakeCamera(ledger))
    client = app.test_client()
    headers = {"Accept-Language": asks} if asks else {}
    if cookie:
        client.get(f"/pair?lang={cookie}")
    assert f'<html lang="{comes}"' in client.get("/pair", headers=headers).text
    client.post("/pair", data={"pin": app.extensions["pairing"].pin.digits})
    for path in ("/setup", "/setup/games", "/organiser", "/organiser/phones"):
        assert f'<html lang="{comes}"' in client.get(path, headers=headers).text
    assert f'<html lang="{cookie or setting}"' in client.get("/", headers=headers).text  # the TV's is the house's


def test_the_switch_is_remembered_wherever_it_was_tapped(app: Flask) -> None:
    for path in ("/setup", "/organiser", "/setup/games", "/organiser/phones", "/"):
        client = Organiser(app).client
        link = re.search(r'href="([^"]*lang=en[^"]*)"', client.get(f"{path}?lang=it").text)
        assert link
        target = html.unescape(link[1])
        client.get(target if target.startswith("/") else path + target)
        for page in ("/setup", "/organiser", "/"):
            assert '<html lang="en"' in client.get(page).text


def test_what_scripts_ask_for_changes_no_choice(app: Flask) -> None:
    client = Organiser(app).client
    client.get("/setup?lang=en")
    client.get("/api/organiser?lang=it")
    client.get("/api/game?lang=it")
    assert '<html lang="en"' in client.get("/setup").text


@pytest.mark.parametrize("lang", LANGS)
def test_why_something_cannot_be_is_said_in_the_pages_language(lang: Lang) -> None:
    assert foreign(why(SourceError(reasons.NO_SUCH_FILE, source="x.mp4"), lang), lang) == set()
    assert why(CompanionError("whatever"), lang) == "whatever"
    assert foreign(why_lost(CameraStatus("0", "lost", "cv2.error: …"), lang), lang) == set()
    assert why_lost(CameraStatus("0", "live"), lang) == ""
