"""How a phone is paired: with a QR code on the machine's own screen and in its terminal, or with a PIN, for which a few wrong
tries are allowed."""

from __future__ import annotations

import datetime
import itertools
import math
import secrets
import time
from collections.abc import Callable
from typing import Protocol
from urllib.parse import urlencode

import segno
from flask import Blueprint, Flask, current_app, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from flask_babel import ngettext
from msgspec import Struct

from companion.dashboard import limits
from companion.dashboard.answers import refused
from companion.dashboard.endpoint import TEXT, Form, documented
from companion.dashboard.feed import Feed
from companion.dashboard.held import InMemory, SharedValue
from companion.dashboard.limits import Sessions
from companion.dashboard.locale import chosen
from companion.dashboard.organiser import guard
from companion.dashboard.organiser.on_tv import OnTv
from companion.dashboard.organiser.phone_names import phone_name
from companion.ledger import Phone, Phones
from companion.table.text import plain_name

DIGITS = 6
WINDOW_SECONDS = 15 * 60.0
"""Seconds for which wrong tries are remembered."""
MAX_WRONG_PER_ADDRESS = 5
"""The most wrong tries of one network address within `WINDOW_SECONDS`."""
MAX_WRONG_IN_ALL = 30
"""The most wrong tries of all addresses within `WINDOW_SECONDS`: at this pace half of all PINs would take more than five
months."""


class PinState(Struct):
    """What lets phones in: the six ``digits`` of the PIN and the ``code`` in the QR code. ``wrong``: the time (seconds of
    ``Pin``'s clock) and the network address of each wrong try."""

    digits: str
    code: str
    wrong: list[tuple[float, str]]


def new_pin() -> PinState:
    """A random PIN and code."""
    return PinState(f"{secrets.randbelow(10**DIGITS):0{DIGITS}}", secrets.token_urlsafe(16), [])


class Pin:
    """A PIN of six digits to type and a code to scan, both valid until they are renewed. Any thread may ask. ``clock``: seconds
    from any zero; ``held``: where they are kept, by default in this program alone. Raises what ``held`` raises."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, held: SharedValue[PinState] | None = None) -> None:
        self._clock = clock
        self._held: SharedValue[PinState] = held if held is not None else InMemory(new_pin())

    @property
    def code(self) -> str:
        """The code in the QR code: 22 letters, digits, - and _, too many to guess, so that wrong tries do not block it."""
        with self._held.changing() as now:
            return now.code

    def opens(self, code: str) -> bool:
        """Whether this is the code."""
        return secrets.compare_digest(code.encode(), self.code.encode())

    @property
    def digits(self) -> str:
        """The PIN as people type it: six digits."""
        with self._held.changing() as now:
            return now.digits

    def renew(self) -> None:
        """Replace the PIN and the code, and forget the wrong tries."""
        made = new_pin()
        with self._held.changing() as now:
            now.digits, now.code, now.wrong = made.digits, made.code, []

    def wait(self, address: str) -> float:
        """Seconds until this network address may try again; 0 when it may now."""
        with self._held.changing() as now:
            return self._wait(now, address)

    def matches(self, address: str, typed: str) -> bool:
        """Whether this is the PIN; a wrong try is remembered. For an address that has to wait it is False, and not remembered."""
        with self._held.changing() as now:
            if self._wait(now, address):
                return False
            if secrets.compare_digest(typed.encode(), now.digits.encode()):
                return True
            now.wrong.append((self._clock(), address))
            return False

    def _wait(self, state: PinState, address: str) -> float:
        now = self._clock()
        state.wrong = [(t, other) for t, other in state.wrong if now - t < WINDOW_SECONDS]
        own = [t for t, other in state.wrong if other == address]
        due = [own[-MAX_WRONG_PER_ADDRESS]] if len(own) >= MAX_WRONG_PER_ADDRESS else []
        due += [state.wrong[-MAX_WRONG_IN_ALL][0]] if len(state.wrong) >= MAX_WRONG_IN_ALL else []
        return max((t + WINDOW_SECONDS - now for t in due), default=0.0)


COOKIE_DAYS = 30
"""Days after which a phone that was not used has to be paired again."""
_MAX_NAME_LENGTH = 30

pairing = Blueprint("pairing", __name__)


class PairingState:
    """What a phone needs to be paired: the ``pin``, and the URLs at which it finds this machine. ``reachable``: gives these URLs
    as they are now, as the network may come up later than the program; ``port``: at which this machine's own browser finds the
    pages over HTTP, 0: unknown; ``for_all``: the program listens for the whole network;
    ``on_tv``: decides whether this machine's own television shows PIN and code."""

    def __init__(self, pin: Pin) -> None:
        self.pin = pin
        self.on_tv = OnTv(pin)
        self.port = 0
        self.for_all = False
        self.reachable: Callable[[], tuple[str, ...]] = tuple

    @property
    def urls(self) -> tuple[str, ...]:
        """The URLs at which a phone finds this machine now, the likeliest first."""
        return self.reachable()

    def links(self) -> tuple[str, ...]:
        """The links in the QR codes: the pairing page, with the code in the fragment, which browsers never send or log."""
        return tuple(f"{url}/pair#{self.pin.code}" for url in self.urls)


class PhoneBook(Protocol):
    """Where paired phones are kept: `companion.ledger.Phones`, or a hall's."""

    def pair(self, name: str) -> tuple[Phone, str]: ...

    def find(self, token: str) -> Phone | None: ...

    def all(self) -> tuple[Phone, ...]: ...

    def withdraw(self, number: int) -> bool: ...

    def key(self) -> bytes: ...


def install(app: Flask, phones: PhoneBook, pin: Pin | None = None) -> None:
    """Add pairing to this application: sessions, CSRF tokens, the pages. ``pin``: what lets phones in, None: a new one. Raises
    what ``phones`` raises."""
    app.secret_key = phones.key()
    app.session_interface = Sessions()
    app.config.update(
        SESSION_COOKIE_NAME="organiser",
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_HTTPONLY=True,
        PERMANENT_SESSION_LIFETIME=datetime.timedelta(days=COOKIE_DAYS),
    )
    app.extensions["phones"] = phones
    app.extensions["pairing"] = PairingState(pin if pin is not None else Pin())
    # no filters: a template with one that an application lacks cannot be compiled there, and `companion serve` compiles all
    app.jinja_env.globals.update(
        csrf_token=guard.csrf_token, why_unreached=why_unreached, phone_name=lambda name: phone_name(name, chosen())
    )
    app.register_blueprint(pairing)


def pairing_state() -> PairingState:
    """The `PairingState` of the current application."""
    found: PairingState = current_app.extensions["pairing"]
    return found


def why_unreached() -> str:
    """Why no phone finds this machine while `PairingState.urls` is empty, and what to do."""
    if pairing_state().for_all:
        return _("No phone reaches this machine: connect it to the bar’s network, then load this page again.")
    return _("The program listens on this computer only. For phones: companion serve --host 0.0.0.0")


@pairing.get("/pair")
@documented(query={"next": TEXT}, also=(302,))
def pair() -> ResponseReturnValue:
    """The form for the PIN; `?next=` where to go afterwards, by default to the setup while there is no game, then to the game. A
    paired phone goes there at once. The QR code's link has a long code of its own after `#`, which browsers neither send nor log;
    the PIN may stand there, too.

    A paired phone that comes here has scanned the code once more.
    """
    if (safe := _over_https()) is not None:
        return redirect(safe)
    if guard.paired_phone() is not None:
        return redirect(_next() or needed())
    return _form("")


@pairing.post("/pair")
@documented(body=Form(("pin", "code", "name", "next")), also=(403, 422, 429))
def let_in() -> ResponseReturnValue:
    """Form: `pin`, or the QR code's `code`; `name`, `next`. Right: the cookie, and a redirect. 403: wrong. 422: the name is too
    long. 429: too many wrong PINs, five from an address or thirty in all within 15 minutes (with `Retry-After`); the code counts
    all the same."""
    if not guard.from_this_site():
        return refused("csrf", 403)
    if (safe := _over_https()) is not None:
        return redirect(safe)
    address, pin = request.remote_addr or "", pairing_state().pin
    pairing_state().on_tv.past()
    scanned = pin.opens(request.form.get("code", ""))
    if not scanned and (wait := pin.wait(address)):
        response = make_response(_form(_too_many(math.ceil(wait / 60))), 429)
        response.headers["Retry-After"] = str(math.ceil(wait))
        return response
    typed = "".join(character for character in request.form.get("pin", "") if character.isdigit())
    if not scanned and not pin.matches(address, typed):
        return _form(_("Wrong PIN: look at the terminal or the computer’s screen")), 403
    phones: PhoneBook = current_app.extensions["phones"]
    name = plain_name(request.form.get("name", ""))
    if len(name) > _MAX_NAME_LENGTH:
        problem = _("“{name}…” is too long: at most {most} letters.")
        return _form(problem.format(name=name[:_MAX_NAME_LENGTH], most=_MAX_NAME_LENGTH)), 422
    token = phones.pair(name or _free_name(phones))[1]
    if isinstance(phones, Phones) and guard.on_this_machine():
        phones.is_this_machine(token)
    guard.remember(token)
    pairing_state().on_tv.paired()
    return redirect(_next() or needed())


@pairing.get("/pair/show")
@documented()
@guard.machine_only
def show() -> ResponseReturnValue:
    """The QR code, the PIN and the paired phones."""
    phones: PhoneBook = current_app.extensions["phones"]
    codes = [(link.partition("/pair#")[0], qr(link)) for link in pairing_state().links()]
    return render_template("pair_show.html", codes=codes, pin=pairing_state().pin.digits, phones=phones.all(), filming=_filming())


@pairing.post("/pair/renew")
@documented(body=Form())
@guard.machine_only
def renew() -> ResponseReturnValue:
    """Another PIN and another code. Paired phones stay paired. Redirects."""
    pairing_state().pin.renew()
    return redirect(url_for("pairing.show"))


@pairing.post("/pair/withdraw")
@documented(body=Form(("phone", "filming")))
@guard.machine_only
def withdraw_here() -> ResponseReturnValue:
    """Form: `phone`, the id of one to withdraw, or `filming`, of one that may film. Redirects."""
    _withdraw()
    return redirect(url_for("pairing.show"))


@pairing.get("/organiser/phones")
@documented()
@guard.organiser_only
def phones_page() -> ResponseReturnValue:
    """Which phones are paired, and which may film the table."""
    phones: PhoneBook = current_app.extensions["phones"]
    return render_template("pair_phones.html", phones=phones.all(), own=guard.paired_phone(), filming=_filming())


@pairing.post("/organiser/phones")
@documented(body=Form(("phone", "filming")))
@guard.organiser_only
def withdraw() -> ResponseReturnValue:
    """Form: `phone`, the id of one to withdraw, or `filming`, of one that may film. Redirects."""
    _withdraw()
    own, phones = guard.paired_phone(), current_app.extensions["phones"]
    if own is not None and own.id not in (phone.id for phone in phones.all()):
        guard.forget()
        return redirect(url_for("pairing.pair"))
    return redirect(url_for("pairing.phones_page"))


def _over_https() -> str | None:
    """The HTTPS address of the pairing page, to which a phone is sent that came over plain HTTP, as others in the network could
    read its cookie there. None where it need not be: over HTTPS, without HTTPS, and for this machine's own browser."""
    urls = [url for url in pairing_state().urls if url.startswith("https://")]
    if request.is_secure or not urls or guard.on_this_machine():
        return None
    query = urlencode({"next": _next()}) if _next() else ""
    return f"{urls[0]}{url_for('pairing.pair')}{'?' if query else ''}{query}"


def _form(problem: str) -> str:
    return render_template("pair.html", problem=problem, next=_next())


def _free_name(phones: PhoneBook) -> str:
    """The name for a phone that nobody has named: "Phone" or the first of "Phone 2", "Phone 3", … that no other phone has in any
    language, so that people can tell them apart."""
    name, taken = _("Phone"), {phone_name(phone.name, chosen()) for phone in phones.all()}
    names = (name if number == 1 else f"{name} {number}" for number in itertools.count(1))
    return next(free for free in names if free not in taken)


def _too_many(minutes: int) -> str:
    text = ngettext(
        "Too many wrong PINs: wait {minutes} minute, or make a new PIN at the computer",
        "Too many wrong PINs: wait {minutes} minutes, or make a new PIN at the computer",
        minutes,
    )
    return text.format(minutes=minutes)


def _next() -> str:
    """The path of this site to which the phone goes after it was paired; "" where the request names none, or another site."""
    wish = request.values.get("next", "")
    plain = wish.startswith("/") and not wish.startswith("//") and "\\" not in wish and wish.isprintable()
    return wish if plain else ""


def needed() -> str:
    """The path at which an organiser is needed: the setup while there is no game, then the organiser's page."""
    feed: Feed = current_app.extensions["dashboard"]
    return "/setup" if feed.game_id() is None and "setup" in current_app.blueprints else "/organiser"


def _withdraw() -> None:
    phones: PhoneBook = current_app.extensions["phones"]
    number = request.form.get("phone", "")
    if number.isdecimal() and len(number) < 10:
        phones.withdraw(int(number))
    door = current_app.extensions.get("phone_door")
    if door is not None and (filming := request.form.get("filming")):
        door.shut_out(filming)


def _filming() -> list[tuple[str, str]]:
    """The phones that may film the table: the id by which one is withdrawn, and its name."""
    door = current_app.extensions.get("phone_door")
    found = []
    for one in door.admitted() if door is not None else ():
        since = datetime.datetime.fromtimestamp(one.since).strftime("%H:%M")
        found.append((one.id, _("{kind}, since {time}").format(kind=one.kind or _("Phone"), time=since)))
    return found


def qr(link: str) -> str:
    """The link as a QR code: an `<svg>` element that fills its box."""
    svg: str = segno.make(link, error="m").svg_inline(scale=8, border=4, dark="#000", light="#fff", omitsize=True)
    return svg


pairing.after_request(limits.never_kept)
