"""How a phone becomes the camera: its certificate, its code, who may send what over HTTPS, and the organiser's page of it."""

from __future__ import annotations

import contextlib
import datetime
import http.client
import json
import re
import socket
import ssl
import stat
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from cryptography import x509
from fake_camera import FakeCamera
from flask import Flask

from companion.cli import evening
from companion.clock import Clock as MachineClock
from companion.dashboard import create_app, limits
from companion.dashboard import network as certificates
from companion.dashboard.network import RENEWAL_MARGIN, VALIDITY, certificate
from companion.dashboard.phone_camera import CODE_SECONDS, TOKEN_SECONDS, PhoneDoor
from companion.ledger import Ledger
from companion.line.camera import CameraStatus
from companion.line.phone_camera import MAX_BYTES, PHONE, PhoneCamera
from companion.table.errors import CannotServe

JPEG = cv2.imencode(".jpg", np.random.default_rng(1).integers(0, 255, (180, 320, 3)).astype(np.uint8))[1].tobytes()
ANNA, BRUNO = "a" * 32, "b" * 32
NOW = datetime.datetime(2028, 11, 21, 21, tzinfo=datetime.UTC)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def camera(ledger: Ledger) -> FakeCamera:
    fake = FakeCamera(ledger)
    fake.state = CameraStatus(PHONE, "opening")
    return fake


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def door(tmp_path: Path, clock: Clock) -> Iterator[PhoneDoor]:
    with closing(PhoneDoor(PhoneCamera(), "127.0.0.1", 0, tmp_path / "data" / "phone-camera.pem", clock)) as made:
        yield made


@pytest.fixture
def app(ledger: Ledger, camera: FakeCamera, door: PhoneDoor) -> Flask:
    made = create_app(ledger, camera=camera, door=door)
    made.extensions["pairing"].reachable = lambda: ("http://192.168.1.7:8000",)
    return made


@pytest.fixture
def web(app: Flask, door: PhoneDoor) -> Web:
    return Web(door.open())


@dataclass
class Web:
    """A phone's browser, as far as requests go; it takes any certificate."""

    port: int
    token: str = ""

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, Any]:
        context = ssl._create_unverified_context()
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=context, timeout=60)
        with closing(connection):
            if self.token:
                headers.setdefault("Authorization", f"Bearer {self.token}")
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            said = answer.read()
            told = said.decode("utf-8", "replace")
            return answer.status, json.loads(told) if answer.headers["Content-Type"] == "application/json" else told

    def join(self, code: str, phone: str = ANNA) -> int:
        status, said = self.ask("POST", "/join", json.dumps({"code": code, "phone": phone}).encode())
        self.token = said.get("token", self.token)
        return status

    def send(self, taken: float, body: bytes = JPEG) -> tuple[int, str]:
        status, said = self.ask("POST", "/picture", body, **{"X-Taken": str(taken), "X-Page": "p"})
        return status, said["said"]


# An update


def test_an_update_that_takes_the_files_away_leaves_the_filming_phone_its_page(web: Web, door: PhoneDoor, app: Flask) -> None:
    assert door.app is not None
    evening.hold(app, door.app)
    assert set(door.app.jinja_env.list_templates()) == {"base.html", "camera.html"}
    status, page = web.ask("GET", "/")
    assert (status, "camera.js" in page) == (200, True)


# The certificate


def names(file: Path) -> set[str]:
    found = x509.load_pem_x509_certificate(file.read_bytes()).extensions.get_extension_for_class(x509.SubjectAlternativeName)
    return {*found.value.get_values_for_type(x509.DNSName), *map(str, found.value.get_values_for_type(x509.IPAddress))}


def test_the_certificate_is_made_once_for_the_addresses_and_nobody_else_can_read_it(tmp_path: Path) -> None:
    file = certificate(tmp_path / "data" / "c.pem", ["192.168.1.7", "fd00::7"], NOW)
    assert {"192.168.1.7", "fd00::7", "127.0.0.1", "localhost"} <= names(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    first = file.read_bytes()
    assert certificate(file, ["192.168.1.7"], NOW + VALIDITY / 2).read_bytes() == first
    assert [one.name for one in file.parent.iterdir()] == ["c.pem"]


@pytest.mark.parametrize("what", ["another address", "soon over", "over", "not yet", "damaged", "readable by others", "empty"])
def test_another_one_is_made_where_it_would_not_do(tmp_path: Path, what: str) -> None:
    file = certificate(tmp_path / "c.pem", ["192.168.1.7"], NOW)
    first, addresses, now = file.read_bytes(), ["192.168.1.7"], NOW
    if what == "another address":
        addresses = ["192.168.1.8"]
    elif what in ("soon over", "over", "not yet"):
        now += {"soon over": VALIDITY - RENEWAL_MARGIN, "over": VALIDITY * 2, "not yet": -VALIDITY}[what]
    elif what in ("damaged", "empty"):
        file.write_bytes(b"" if what == "empty" else first[:200])
    else:
        file.chmod(0o644)
    assert certificate(file, addresses, now).read_bytes() != first
    assert set(addresses) <= names(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["", "ströhm", "a" * 70, "my laptop", "bar-1.local"])
def test_a_machine_of_any_name_gets_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(certificates.socket, "gethostname", lambda: name)
    assert ("bar-1.local" in names(certificate(tmp_path / "c.pem", ["10.0.0.2"]))) == (name == "bar-1.local")


def test_where_it_cannot_be_kept_one_line_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CannotServe, match="certificate"):
        certificate(tmp_path / "file" / "c.pem", ["10.0.0.2"])


def test_nothing_is_made_or_opened_before_somebody_asks(app: Flask, door: PhoneDoor, tmp_path: Path) -> None:
    assert door.port is None
    assert not (tmp_path / "data").exists()
    door.open()
    assert (tmp_path / "data" / "phone-camera.pem").exists()


def test_opened_again_it_shows_the_new_certificate_at_the_same_port(app: Flask, door: PhoneDoor, tmp_path: Path) -> None:
    def shown() -> str:
        return ssl.get_server_certificate(("127.0.0.1", port))

    port = door.open()
    first = shown()
    assert door.open() == port
    assert shown() == first
    (tmp_path / "data" / "phone-camera.pem").write_bytes(b"")
    assert door.open() == port
    assert shown() != first


def test_a_taken_port_is_said_with_what_to_do(app: Flask, camera: FakeCamera, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        door = PhoneDoor(PhoneCamera(), "127.0.0.1", taken.getsockname()[1], tmp_path / "c.pem")
        door.serves(app, b"key")
        with pytest.raises(CannotServe, match="choose another port with --https-port"):
            door.open()
        app.extensions["phone_door"] = door
        page = paired(app).post("/setup/camera/phone", data={"csrf": csrf(app)}, follow_redirects=True)
        assert "--https-port" in page.text


# Who may send what


def test_a_phone_comes_with_the_code_and_its_pictures_are_kept(web: Web, door: PhoneDoor) -> None:
    assert web.join(door.invitation()) == 200
    assert door.inbox.status().joined
    assert web.send(1000) == (200, "kept")
    frame = door.inbox.after(0, 0)
    assert frame is not None
    assert frame.jpeg == JPEG
    assert web.send(900) == (200, "late")


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({}, id="no token"),
        pytest.param({"Authorization": "Bearer "}, id="an empty one"),
        pytest.param({"Authorization": "Bearer abc.def.ghi"}, id="a guessed one"),
        pytest.param({"Authorization": "Basic YTpi"}, id="another scheme"),
        pytest.param({"Authorization": "Bearer \xff"}, id="no ASCII"),
    ],
)
@pytest.mark.parametrize("path", ["/picture", "/take", "/away"])
def test_without_a_token_nothing_is_taken(web: Web, door: PhoneDoor, headers: dict[str, str], path: str) -> None:
    assert web.ask("POST", path, JPEG, **{"X-Taken": "1", **headers}) == (401, {"said": "unpaired"})
    assert door.inbox.after(0, 0) is None


def test_an_organisers_cookie_is_no_token_and_nothing_of_the_house_is_served_here(web: Web, app: Flask) -> None:
    client = paired(app)
    cookie = client.get_cookie("organiser")
    assert cookie
    assert web.ask("POST", "/picture", JPEG, Cookie=f"organiser={cookie.value}")[0] == 401
    for path in ("/organiser", "/setup", "/api/game", "/api/log", "/pair", "/pair/show", "/live.jpg", "/setup/live.jpg"):
        assert web.ask("GET", path, Cookie=f"organiser={cookie.value}", Host="localhost")[0] == 404, path


def test_a_code_lets_one_phone_in_which_may_ask_twice(web: Web, door: PhoneDoor, clock: Clock) -> None:
    code = door.invitation()
    assert door.invitation() == code
    assert web.join(code) == 200
    assert web.join(code) == 200  # the first answer got lost
    assert Web(web.port).join(code, BRUNO) == 401
    assert door.invitation() != code
    late = door.invitation()
    clock.now = CODE_SECONDS + 1
    assert web.join(late, BRUNO) == 401


@pytest.mark.parametrize(
    "body", [b"", b"{}", b"[]", b"\xff", b'{"code":1,"phone":2}', b'{"code":"x","phone":"' + b"a" * 32 + b'"}', b"[" * 5000]
)
def test_a_malformed_code_is_refused(web: Web, body: bytes) -> None:
    assert web.ask("POST", "/join", body)[0] in (400, 401)


@pytest.mark.parametrize("phone", ["", "a" * 31, "a" * 33, "A" * 32, "a" * 31 + "\n"])
def test_a_phone_calls_itself_by_what_it_drew_by_lot(web: Web, door: PhoneDoor, phone: str) -> None:
    assert web.join(door.invitation(), phone) == 401


def test_codes_that_nobody_scans_do_not_pile_up(app: Flask, door: PhoneDoor) -> None:
    codes = []
    for number in range(20):
        codes.append(door.invitation())
        assert door.let_in(codes[-1], f"{number:032x}")
    assert len(set(codes)) == 20
    assert len(door._invited) < 8
    assert len(door._came) < 8


def test_a_token_is_good_for_an_evening_also_after_a_restart(
    app: Flask, ledger: Ledger, camera: FakeCamera, door: PhoneDoor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = door.let_in(door.invitation(), ANNA)
    assert token
    again = PhoneDoor(PhoneCamera(), "127.0.0.1", 0, tmp_path / "c.pem")
    create_app(ledger, camera=camera, door=again)
    assert again.who(token) == ANNA
    now = time.time() + TOKEN_SECONDS + 2
    monkeypatch.setattr(limits, "CLOCK", MachineClock(lambda: now, lambda: 0.0))
    assert again.who(token) is None


@pytest.mark.parametrize(
    ("body", "taken", "said"),
    [
        pytest.param(b"", "1", (415, "bad"), id="nothing"),
        pytest.param(b"\x00" * 5000, "1", (415, "bad"), id="garbage"),
        pytest.param(JPEG, "soon", (415, "bad"), id="no time"),
        pytest.param(JPEG, "nan", (415, "bad"), id="a time that is none"),
        pytest.param(JPEG, "1e400", (415, "bad"), id="a time beyond all times"),
    ],
)
def test_what_is_no_picture_is_refused(web: Web, door: PhoneDoor, body: bytes, taken: str, said: tuple[int, str]) -> None:
    web.join(door.invitation())
    status, answer = web.ask("POST", "/picture", body, **{"X-Taken": taken})
    assert (status, answer["said"]) == said
    assert door.inbox.after(0, 0) is None


def test_a_giant_body_is_refused_before_it_has_come(web: Web, door: PhoneDoor) -> None:
    web.join(door.invitation())
    context = ssl._create_unverified_context()
    with socket.create_connection(("127.0.0.1", web.port)) as plain, context.wrap_socket(plain) as phone:
        head = f"POST /picture HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {web.token}\r\nContent-Length: {10**12}\r\n\r\n"
        phone.sendall(head.encode())
        assert phone.recv(100).startswith(b"HTTP/1.1 413")
    with contextlib.suppress(OSError, http.client.HTTPException):  # it may be cut off in the middle of it
        assert web.ask("POST", "/picture", b"\xff\xd8\xff" + b"\0" * (MAX_BYTES + 1))[0] == 413
    assert door.inbox.after(0, 0) is None
    assert web.send(1) == (200, "kept")


def test_a_sender_that_is_too_fast_is_slowed_down(web: Web, door: PhoneDoor) -> None:
    web.join(door.invitation())
    clock = Clock()
    door.inbox._clock = clock
    door.inbox._credited = 0.0
    said = [web.send(number) for number in range(1, 15)]
    assert (429, "fast") in said
    clock.now += 1
    assert web.send(100) == (200, "kept")


def test_a_second_phone_is_asked_whether_it_takes_over(web: Web, door: PhoneDoor) -> None:
    web.join(door.invitation())
    assert web.send(1) == (200, "kept")
    other = Web(web.port)
    other.join(door.invitation(), BRUNO)
    assert other.send(1) == (409, "other")
    assert other.ask("POST", "/take")[0] == 200
    assert other.send(2) == (200, "kept")
    assert web.send(2) == (409, "other")
    assert web.ask("POST", "/away")[0] == 200  # of itself alone
    assert door.inbox.status().sending


def test_choosing_a_phone_again_ends_the_token_of_before(app: Flask, web: Web, door: PhoneDoor, camera: FakeCamera) -> None:
    web.join(door.invitation())
    assert web.send(1) == (200, "kept")
    organiser = paired(app)
    camera.state = CameraStatus("0", "live")  # another camera was chosen since
    organiser.post("/setup/camera/phone", data={"csrf": csrf(app)})
    assert camera.state.source == PHONE
    assert web.send(2) == (401, "unpaired")
    assert not door.inbox.status().sending
    other = Web(web.port)
    assert other.join(door.invitation(), BRUNO) == 200
    assert other.send(1) == (200, "kept")


def test_a_phone_films_on_until_the_one_with_the_new_code_comes(app: Flask, web: Web, door: PhoneDoor) -> None:
    web.join(door.invitation())
    assert web.send(1) == (200, "kept")
    paired(app).post("/setup/camera/phone", data={"csrf": csrf(app)})
    assert web.send(2) == (200, "kept")
    other = Web(web.port)
    assert other.join(door.invitation(), BRUNO) == 200
    assert other.send(1) == (200, "kept")  # nobody needs to be asked: it was chosen
    assert web.send(3) == (401, "unpaired")


@pytest.mark.parametrize("page", ["/organiser/phones", "/pair/show"])
def test_a_phone_that_may_film_is_listed_and_can_be_shut_out(app: Flask, web: Web, door: PhoneDoor, page: str) -> None:
    code = door.invitation()
    coming = json.dumps({"code": code, "phone": ANNA}).encode()
    assert web.ask("POST", "/join", coming, **{"User-Agent": "x (iPhone; y)"})[0] == 200
    web.join(code)
    assert web.send(1) == (200, "kept")
    organiser = paired(app)
    text = organiser.get(page).text
    assert "iPhone, dalle" in text
    found = re.search(r'name="filming" value="([^"]+)"', text)
    assert found
    action = "/organiser/phones" if page == "/organiser/phones" else "/pair/withdraw"
    assert organiser.post(action, data={"csrf": csrf(app), "filming": found[1]}).location == page
    assert web.send(2) == (401, "unpaired")
    assert web.join(code) == 401  # nor with the code that it has come with
    assert "iPhone" not in organiser.get(page).text
    assert not door.inbox.status().sending


def test_a_phone_that_was_shut_out_is_so_after_a_restart(
    app: Flask, ledger: Ledger, camera: FakeCamera, door: PhoneDoor, tmp_path: Path
) -> None:
    tokens = [door.let_in(door.invitation(), phone) for phone in (ANNA, BRUNO)]
    door.shut_out(door.admitted()[-1].id)
    again = PhoneDoor(PhoneCamera(), "127.0.0.1", 0, tmp_path / "c.pem")
    create_app(ledger, camera=camera, door=again)
    assert [again.who(token or "") for token in tokens] == [None, BRUNO]


def test_while_another_camera_is_chosen_pictures_are_not_kept(web: Web, door: PhoneDoor, camera: FakeCamera) -> None:
    web.join(door.invitation())
    camera.state = CameraStatus("0", "live")
    assert web.send(1) == (200, "unwanted")
    assert door.inbox.after(0, 0) is None


def test_a_silent_connection_keeps_nobody_waiting(web: Web, door: PhoneDoor) -> None:
    silent = [socket.create_connection(("127.0.0.1", web.port)) for _ in range(30)]
    try:
        silent[0].sendall(b"GET / HTTP/1.0\r\n\r\n")  # no TLS
        web.join(door.invitation())
        assert web.send(1) == (200, "kept")
    finally:
        for one in silent:
            one.close()


def test_the_page_of_the_camera_loads_nothing_from_elsewhere_and_is_never_kept(web: Web) -> None:
    context = ssl._create_unverified_context()
    with closing(http.client.HTTPSConnection("127.0.0.1", web.port, context=context)) as connection:
        connection.request("GET", "/?lang=it")
        answer = connection.getresponse()
        page = answer.read().decode()
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers
    assert "Sta guardando il tavolo" in page
    for file in re.findall(r'(?:src|href)="([^"#]+)"', page):
        assert web.ask("GET", file)[0] == 200, file


# The organiser's page


def paired(app: Flask) -> Any:
    client = app.test_client()
    assert client.post("/pair", data={"pin": app.extensions["pairing"].pin.digits}).status_code == 302
    app.extensions["test client"] = client
    return client


def csrf(app: Flask) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', app.extensions["test client"].get("/setup").text)
    assert found
    return found[1]


def test_the_organiser_shows_a_code_and_waits_for_the_first_picture(app: Flask, door: PhoneDoor, camera: FakeCamera) -> None:
    camera.state = CameraStatus("", "none")
    organiser = paired(app)
    assert "/setup/camera/phone" in organiser.get("/setup/camera").text
    assert organiser.post("/setup/camera/phone", data={"csrf": csrf(app)}).location == "/setup/camera/phone"
    assert camera.state.source == PHONE
    camera.state = CameraStatus(PHONE, "opening")
    assert "<svg" in organiser.get("/setup/camera/phone").text

    def stage() -> str:
        return organiser.get("/setup/camera/phone.json").json["stage"]

    assert stage() == "waiting"
    assert door.let_in(door.invitation(), ANNA)
    assert stage() == "joined"
    door.inbox.put(ANNA, "p", 1.0, JPEG)
    camera.state = CameraStatus(PHONE, "live", size=(1280, 720))
    assert stage() == "sending"
    door.inbox.away(ANNA, "p", 2.0)
    assert stage() == "silent"


def test_the_code_leads_to_the_page_that_explains_the_warning(app: Flask, door: PhoneDoor) -> None:
    organiser = paired(app)
    door.open()
    page = organiser.get("/setup/camera/phone?lang=it").text
    assert "http://192.168.1.7:8000/camera?lang=it" in page
    assert door.invitation() not in page  # only in the picture: what is read over a shoulder lets nobody in
    for lang, words in (("it", ("«Avanzate»", "«visita questo sito web»")), ("en", ("“Advanced”", "“visit this website”"))):
        before = app.test_client().get(f"/camera?lang={lang}", headers={"Host": "192.168.1.7:8000"}).text
        assert all(word in before for word in (*words, "192.168.1.7", f'data-port="{door.port}"'))


def test_a_phone_that_was_chosen_in_another_way_finds_the_door_open(app: Flask, door: PhoneDoor) -> None:
    assert door.port is None  # as after an evening that goes on from the archive
    assert "<svg" in paired(app).get("/setup/camera/phone").text
    assert door.port is not None


def test_where_no_phone_can_be_the_camera_the_pages_say_so(ledger: Ledger, camera: FakeCamera) -> None:
    app = create_app(ledger, camera=camera)
    organiser = paired(app)
    organiser.post("/setup/camera/phone", data={"csrf": csrf(app)})  # as an old page might
    assert "--https-port" in organiser.get("/setup/camera/phone").text
    assert "scegli «Un telefono»" in app.test_client().get("/camera?lang=it").text


def test_on_a_machine_that_no_phone_reaches_the_code_is_a_link_for_its_own_browser(app: Flask, door: PhoneDoor) -> None:
    app.extensions["pairing"].reachable = lambda: ()
    organiser = paired(app)
    door.open()
    page = organiser.get("/setup/camera/phone").text
    assert "--host 0.0.0.0" in page
    assert f"/camera?lang=it#{door.invitation()}" in page


def test_every_address_of_the_phones_camera_is_documented(app: Flask, door: PhoneDoor) -> None:
    text = (Path(__file__).parents[2] / "docs" / "http-api.md").read_text("utf-8")
    assert door.app is not None
    for rule in door.app.url_map.iter_rules():
        for method in rule.methods - {"HEAD", "OPTIONS"}:
            address = rule.rule.replace("<path:", "<")
            assert f"`{method} :8443{address}`" in text, f"{method} {address} is not in docs/http-api.md"


@pytest.mark.usefixtures("app")
def test_the_program_keeps_the_pages_of_the_phone_that_films_in_memory_too(door: PhoneDoor) -> None:
    """Each application compiles every template, those that only the other serves, too: an error would be on the terminal of
    every evening, and an update could take the other pages' place."""
    assert door.app is not None
    evening.hold(door.app)
    assert len(door.app.jinja_env.cache) == len(door.app.jinja_env.list_templates())
