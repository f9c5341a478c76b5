"""The two roles of a hall's phones: an organiser's may change everything; a referee's answers the questions and calls of all
tables, and changes nothing else (rules 5, 24). Organisers give phones their roles.
"""

from __future__ import annotations

from flask import Flask, g, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from msgspec import Struct

from companion.dashboard.answers import refused
from companion.dashboard.locale import chosen
from companion.dashboard.organiser.guard import paired_phone
from companion.dashboard.organiser.phone_names import phone_name
from companion.hall.phones import HallPhones

_READS = ("GET", "HEAD", "OPTIONS")
_MAY = frozenset({"organiser.say", "organiser.dealt", "pairing.let_in"})
"""What a referee's phone may change, by endpoint."""
_OF_ORGANISERS = frozenset({"tournament.page", "season.show", "pairing.phones_page"})
"""Endpoints of pages on which organisers change something; a referee's phone is sent back to its own page."""


class PhoneRow(Struct, frozen=True):
    """A paired phone in the organisers' list; ``own``: it is the phone that has asked for the list."""

    id: int
    name: str
    referee: bool
    own: bool


class Role(Struct, frozen=True, forbid_unknown_fields=True):
    """The role that a phone gets: ``referee``, or else organiser."""

    phone: int
    referee: bool


def install(app: Flask, phones: HallPhones) -> None:
    """Let referees' phones of this application change nothing but what a referee rules."""

    @app.before_request
    def only_rules() -> ResponseReturnValue | None:
        changes = request.method not in _READS
        if not changes and request.endpoint not in _OF_ORGANISERS:
            return None
        if changes and (request.endpoint in _MAY or (request.endpoint or "").startswith("tables.")):
            return None
        if not asks_as_referee(phones):
            return None
        if changes:
            why = _("A referee’s phone answers questions and calls: what is set, an organiser’s changes")
            return refused("referee", 403, why)
        return redirect(url_for("organiser.page"))


def asks_as_referee(phones: HallPhones) -> bool:
    """Whether the phone that asks is a referee's. Raises HallDown."""
    if "referee" not in g:
        phone = paired_phone()
        g.referee = phone is not None and phone.id in phones.referees()
    return bool(g.referee)


def rows(phones: HallPhones) -> tuple[PhoneRow, ...]:
    """All paired phones, the oldest first."""
    own, referees = paired_phone(), phones.referees()
    found = sorted(phones.all(), key=lambda phone: phone.id)
    lang, mine = chosen(), own.id if own is not None else None
    return tuple(PhoneRow(one.id, phone_name(one.name, lang), one.id in referees, one.id == mine) for one in found)


def give(phones: HallPhones, role: Role) -> bool:
    """Give a phone this role. False where there is no such phone, or it is the phone that asks: so one organiser's phone is
    always left."""
    own = paired_phone()
    return own is not None and own.id != role.phone and phones.make_referee(role.phone, role.referee)
