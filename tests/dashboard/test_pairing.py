"""Who gets in, who does not, and that a phone can be sent away again."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.dashboard import create_app
from companion.dashboard.network import reachable
from companion.dashboard.organiser import guard
from companion.dashboard.organiser.pairing import MAX_WRONG_IN_ALL, MAX_WRONG_PER_ADDRESS, WINDOW_SECONDS, Pin
from companion.dashboard.serve import terminal
from companion.games import log_format
from companion.ledger import Ledger, Phones


def pin_of(app: Flask) -> str:
    return app.extensions["pairing"].pin.digits


def wrong_pin(app: Flask) -> str:
    return f"{(int(pin_of(app)) + 1) % 10**6:06}"


def csrf_in(page: str) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', page)
    assert found
    return found[1]


def test_a_stranger_is_sent_to_the_pin_and_with_it_where_they_wanted(app: Flask, client: FlaskClient) -> None:
    assert client.get("/organiser/phones").headers["Location"] == "/pair?next=/organiser/phones"
    assert "/organiser/phones" in client.get("/pair?next=/organiser/phones").text
    answer = client.post("/pair", data={"pin": f"{pin_of(app)[:3]} {pin_of(app)[3:]}", "next": "/organiser/phones"})
    assert answer.headers["Location"] == "/organiser/phones"
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    assert "SameSite=Lax" in answer.headers["Set-Cookie"]
    assert client.get("/organiser/phones").status_code == 200


def test_phones_that_nobody_named_can_be_told_apart(app: Flask) -> None:
    for name in ("", " ", "Anna", "", "Anna"):
        app.test_client().post("/pair?lang=it", data={"pin": pin_of(app), "name": name})
    names = [phone.name for phone in app.extensions["phones"].all()]
    assert names == ["Anna", "Telefono 3", "Anna", "Telefono 2", "Telefono"]


def test_a_phone_whose_name_is_too_long_is_not_let_in_under_another(app: Flask) -> None:
    answer = app.test_client().post("/pair?lang=it", data={"pin": pin_of(app), "name": "A" * 31})
    assert (answer.status_code, f"«{'A' * 30}…» è troppo lungo" in answer.text) == (422, True)
    assert app.extensions["phones"].all() == ()


def test_a_phone_that_nobody_named_is_called_in_the_language_of_the_page(app: Flask) -> None:
    clients = [app.test_client() for _ in range(3)]
    for client, lang in zip(clients, ("it", "en", "it"), strict=True):
        client.post(f"/pair?lang={lang}", data={"pin": pin_of(app)})
    clients[0].post("/pair?lang=it", data={"pin": pin_of(app), "name": "Telefono di Anna"})
    for lang, word in (("it", "Telefono"), ("en", "Phone")):
        page = clients[0].get(f"/organiser/phones?lang={lang}").text
        assert re.findall(r"<span>(.*?)(?: <em>.*)?</span>", page) == ["Telefono di Anna", f"{word} 3", f"{word} 2", word]


@pytest.mark.parametrize("wish", ["https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example", "", "/a\nb"])
def test_after_the_pin_nobody_is_sent_to_another_site(app: Flask, client: FlaskClient, wish: str) -> None:
    assert client.post("/pair", data={"pin": pin_of(app), "next": wish}).headers["Location"] == "/organiser"


def test_a_wrong_pin_lets_nobody_in(app: Flask, client: FlaskClient) -> None:
    for typed in (wrong_pin(app), "", "abc", pin_of(app) + "0", pin_of(app)[:5]):
        assert client.post("/pair", data={"pin": typed}).status_code == 403
    assert client.get("/organiser/phones").status_code == 302


def test_trying_pins_is_slowed_down_until_also_the_right_one_has_to_wait(app: Flask, client: FlaskClient) -> None:
    for _ in range(MAX_WRONG_PER_ADDRESS):
        assert client.post("/pair", data={"pin": wrong_pin(app)}).status_code == 403
    answer = client.post("/pair", data={"pin": pin_of(app)})
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= WINDOW_SECONDS
    assert client.get("/organiser/phones").status_code == 302
    elsewhere = client.post("/pair", data={"pin": pin_of(app)}, environ_base={"REMOTE_ADDR": "192.168.1.9"})
    assert elsewhere.status_code == 302


def test_waiting_ends_after_a_quarter_of_an_hour_and_with_a_new_pin() -> None:
    now = 0.0
    pin = Pin(clock=lambda: now)
    wrong = "" if pin.digits else "x"
    for _ in range(MAX_WRONG_PER_ADDRESS):
        assert pin.wait("a") == 0
        assert not pin.matches("a", wrong)
    assert pin.wait("a") == WINDOW_SECONDS
    assert pin.wait("b") == 0
    assert not pin.matches("a", pin.digits)
    now = WINDOW_SECONDS + 1
    assert pin.matches("a", pin.digits)
    old = pin.digits
    for _ in range(MAX_WRONG_PER_ADDRESS):
        pin.matches("a", wrong)
    pin.renew()
    assert pin.wait("a") == 0
    assert pin.matches("a", pin.digits)
    assert old != pin.digits or not pin.matches("b", wrong)


def test_many_addresses_together_are_slowed_down_too() -> None:
    pin = Pin(clock=lambda: 0.0)
    for number in range(MAX_WRONG_IN_ALL):
        assert not pin.matches(f"10.0.0.{number}", "")
    assert pin.wait("10.0.1.1") == WINDOW_SECONDS
    assert not pin.matches("10.0.1.1", pin.digits)


def test_a_withdrawn_phone_is_out_with_its_next_request(app: Flask, client: FlaskClient, ledger: Ledger) -> None:
    other = app.test_client()
    for who, name in ((client, "Rina"), (other, "<b>Tonio</b>")):
        who.post("/pair", data={"pin": pin_of(app), "name": name})
    page = client.get("/organiser/phones").text
    assert "&lt;b&gt;Tonio" in page
    tonio = next(phone for phone in Phones(ledger).all() if "Tonio" in phone.name)
    client.post("/organiser/phones", data={"phone": tonio.id, "csrf": csrf_in(page)})
    assert other.get("/organiser/phones").status_code == 302
    assert client.get("/organiser/phones").status_code == 200


def test_a_phone_can_withdraw_itself(app: Flask, client: FlaskClient, ledger: Ledger) -> None:
    client.post("/pair", data={"pin": pin_of(app)})
    page = client.get("/organiser/phones").text
    own = Phones(ledger).all()[0].id
    assert client.post("/organiser/phones", data={"phone": own, "csrf": csrf_in(page)}).headers["Location"] == "/pair"
    assert client.get("/organiser/phones").status_code == 302


@pytest.mark.parametrize(
    ("data", "headers"),
    [
        pytest.param({}, {}, id="no token"),
        pytest.param({"csrf": "x"}, {}, id="a wrong token"),
        pytest.param({}, {"X-CSRF-Token": "é"}, id="a token that is no ASCII"),
        pytest.param({"csrf": "right"}, {"Origin": "http://elsewhere.example"}, id="from another site"),
    ],
)
def test_a_change_without_the_sessions_own_token_is_refused(
    app: Flask, client: FlaskClient, ledger: Ledger, data: dict[str, str], headers: dict[str, str]
) -> None:
    client.post("/pair", data={"pin": pin_of(app)})
    token = csrf_in(client.get("/organiser/phones").text)
    data = {**data, "phone": str(Phones(ledger).all()[0].id)}
    if data.get("csrf") == "right":
        data["csrf"] = token
    assert client.post("/organiser/phones", data=data, headers=headers).status_code == 403
    assert len(Phones(ledger).all()) == 1
    assert client.post("/pair", data={"pin": pin_of(app)}, headers={"Origin": "http://elsewhere.example"}).status_code == 403


def test_a_forged_cookie_is_nobodys(app: Flask, client: FlaskClient, ledger: Ledger) -> None:
    forged = Flask(__name__)
    forged.secret_key = b"guessed"
    with forged.test_request_context():
        cookie = forged.session_interface.get_signing_serializer(forged).dumps({"phone": Phones(ledger).pair("a")[1]})
    client.set_cookie("organiser", cookie)
    assert client.get("/organiser/phones").status_code == 302


def test_a_restart_keeps_the_phones(app: Flask, client: FlaskClient, ledger: Ledger) -> None:
    client.post("/pair", data={"pin": pin_of(app)})
    cookie = client.get_cookie("organiser")
    assert cookie
    again = create_app(ledger).test_client()
    again.set_cookie("organiser", cookie.value)
    assert again.get("/organiser/phones").status_code == 200


@pytest.mark.parametrize(
    ("environ", "headers"),
    [
        pytest.param({"REMOTE_ADDR": "192.168.1.9"}, {}, id="from the network"),
        pytest.param({}, {"Host": "rebound.example"}, id="by a name that somebody else may have pointed here"),
        pytest.param({}, {"X-Forwarded-For": "192.168.1.9"}, id="through a proxy"),
    ],
)
def test_the_pin_is_shown_on_this_machine_only(
    app: Flask, client: FlaskClient, environ: dict[str, str], headers: dict[str, str]
) -> None:
    page = client.get("/pair/show").text
    assert f"{pin_of(app)[:3]} {pin_of(app)[3:]}" in page
    shown = client.get("/pair/show", environ_base=environ, headers=headers)
    assert shown.status_code == 403
    assert pin_of(app)[:3] not in shown.text
    before = pin_of(app)
    token = {"csrf": csrf_in(page)}
    assert client.post("/pair/renew", data=token, environ_base=environ, headers=headers).status_code == 403
    assert pin_of(app) == before


def test_on_this_machine_the_pin_can_be_renewed_and_a_phone_withdrawn(app: Flask, client: FlaskClient, ledger: Ledger) -> None:
    Phones(ledger).pair("lost in the bar")
    before = pin_of(app)
    token = csrf_in(client.get("/pair/show").text)
    client.post("/pair/renew", data={"csrf": token})
    client.post("/pair/withdraw", data={"csrf": token, "phone": Phones(ledger).all()[0].id})
    assert (pin_of(app) == before, Phones(ledger).all()) == (False, ())


def test_the_code_leads_to_the_form_and_is_no_pin(app: Flask) -> None:
    door = app.extensions["pairing"]
    door.reachable = lambda: reachable("192.168.1.7", 8000)
    assert door.links() == (f"http://192.168.1.7:8000/pair#{door.pin.code}",)
    assert len(door.pin.code) > 20
    assert pin_of(app) not in door.pin.code
    assert "<svg" in app.test_client().get("/pair/show").text
    assert "\n" in terminal(door, "http://192.168.1.7:8000")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_where_no_phone_can_come_none_is_invited(app: Flask, host: str) -> None:
    door = app.extensions["pairing"]
    door.reachable = lambda: reachable(host, 8000)
    assert door.urls == ()
    assert "--host 0.0.0.0" in terminal(door, f"http://{host}:8000")


def test_spectators_are_given_no_session(client: FlaskClient) -> None:
    for url in ("/", "/api/game", "/api/stream"):
        assert "Set-Cookie" not in client.get(url).headers


def at_port(app: Flask, port: int) -> Flask:
    """The application as it is served at this port."""
    app.extensions["pairing"].port = port
    return app


def test_two_programs_of_one_machine_do_not_log_each_other_out() -> None:
    """A browser sends the cookies of a host to each of its ports."""
    with Ledger.in_memory(log_format) as one, Ledger.in_memory(log_format) as other:
        first, second = at_port(create_app(one), 8000), at_port(create_app(other), 8001)
        jar: dict[str, str] = {}

        def asked(app: Flask, method: str, path: str, **form: str) -> int:
            client = app.test_client()
            for name, value in jar.items():
                client.set_cookie(name, value)
            answer = client.open(path, method=method, data=form)
            jar.update(one.partition(";")[0].split("=", 1) for one in answer.headers.getlist("Set-Cookie"))
            return answer.status_code

        for app in (first, second):
            assert asked(app, "POST", "/pair", pin=pin_of(app)) == 302
        assert sorted(jar) == ["organiser", "organiser-8001"]
        for app in (first, second, first):
            assert asked(app, "GET", "/organiser/phones") == 200
        assert asked(at_port(create_app(one), 8002), "GET", "/organiser/phones") == 200, "the same ledger, at another port"
        assert asked(first, "GET", "/organiser/phones") == 200
        doorkeeper = guard.Doorkeeper(second)
        assert doorkeeper.knows({"HTTP_COOKIE": "; ".join(f"{name}={value}" for name, value in jar.items())})
        assert not doorkeeper.claims({"HTTP_COOKIE": f"organiser={jar['organiser']}"}), "signed by the other one"


def test_the_document_names_the_cookie_that_the_program_has(app: Flask) -> None:
    document = at_port(app, 8001).test_client().get("/api/openapi.json").json
    assert document["components"]["securitySchemes"]["organiser"]["name"] == "organiser-8001"
