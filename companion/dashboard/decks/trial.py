"""The trial of a deck: a few cards are laid down, the page names them, and the organiser says whether it is right."""

from __future__ import annotations

from typing import Final

from flask import Response, abort, redirect, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from companion.dashboard.answers import answer
from companion.dashboard.decks.context import (
    MAX_PHOTO_BYTES,
    LookView,
    PhotoView,
    card_name,
    deck_page,
    decks,
    drawn,
    reason,
    seen_text,
    teaching,
    tell,
    to,
    wants_json,
)
from companion.dashboard.endpoint import JPEG, Form, documented
from companion.dashboard.limits import FORM_BYTES, max_bytes
from companion.dashboard.locale import chosen
from companion.dashboard.setup.deck_choice import are_pedine, in_use
from companion.dashboard.setup.state import page, setup_state
from companion.decks.lists import ListId, cards_of
from companion.line.teaching.progress import Outcome, Tried

TRIAL_CARDS: Final = 5
"""Number of cards that a trial asks for."""


@decks.get("/<name>/trial")
@documented()
@deck_page
def trial(name: str) -> ResponseReturnValue:
    """The trial."""
    deck, lang, here = teaching().shelf.deck(name), chosen(), teaching()
    tried = here.trial(name)
    wrong = {one.was for one in tried if one.right is False and one.was}
    right = sum(one.right is True for one in tried)
    return page(
        "decks/trial", name=name, deck=deck, tried=tried, most=TRIAL_CARDS, used=in_use(name), making=here.making(name),
        asked=next((one for one in tried if one.right is None), None), wrong=sorted(wrong), right=right,
        card=lambda card: drawn(deck.list, card, lang), kinds=cards_of(deck.list),
        size=setup_state().camera.status().size, said=lambda one: _named(one, deck.list), pedine=are_pedine(deck.list),
    )  # fmt: skip


@decks.post("/<name>/trial")
@documented(body=Form(("mark", "right", "was", "do")), also=(400,))
@deck_page
def judge(name: str) -> ResponseReturnValue:
    """Of the card `mark`: `right=1`, or which one it `was`; `do=again`: from the beginning."""
    if request.form.get("do") == "again":
        teaching().try_again(name)
    else:
        of = teaching().shelf.deck(name).list
        was = request.form.get("was", "")
        teaching().judge_trial(
            name, request.form.get("mark", ""), request.form.get("right") == "1", was if was in cards_of(of) else None
        )
    return redirect(to("trial", name))


@decks.post("/<name>/trial/look")
@documented(body=Form(("page",)), answer=LookView, also=(400,))
@deck_page
def try_look(name: str) -> ResponseReturnValue:
    """The table's camera looks once, and names a card that lies still; as `look`."""
    seen = teaching().try_look(name, request.form.get("page", "")[:64])
    text = _named(seen.tried, teaching().shelf.deck(name).list) if seen.tried is not None else seen_text(seen, chosen())
    onto = to("trial", name) if seen.tried is not None else None
    return answer(LookView(seen.state, text, seen.size, seen.quads, onto))


@decks.post("/<name>/trial/photo")
@documented(body=Form(files=("photo",)), answer=PhotoView, also=(400, 422))
@max_bytes(MAX_PHOTO_BYTES + FORM_BYTES)
@deck_page
def try_photo(name: str) -> ResponseReturnValue:
    """Form with a file `photo` of any card: it is named."""
    file = request.files.get("photo")
    if file is None or not file.filename:
        return _not_tried(name, _("Choose a photo."))
    with file.stream as stream:
        data = stream.read(MAX_PHOTO_BYTES + 1)
    tried = teaching().try_photo(name, data)
    if isinstance(tried, Outcome):
        return _not_tried(name, reason(tried.refusal, chosen()) if tried.refusal is not None else "")
    if wants_json():
        return answer(PhotoView(_named(tried, teaching().shelf.deck(name).list), to("trial", name)))
    return redirect(to("trial", name))


@decks.get("/<name>/trial/<mark>")
@documented(answer=JPEG)
@deck_page
def tried_picture(name: str, mark: str) -> ResponseReturnValue:
    """The card as it was seen."""
    found = teaching().tried_picture(name, mark)
    if found is None:
        abort(404, "no such picture")
    return Response(found, mimetype="image/jpeg")


def _not_tried(name: str, said: str) -> ResponseReturnValue:
    if wants_json():
        return answer(PhotoView(said, None)), 422
    tell(said)
    return redirect(to("trial", name))


def _named(one: Tried, of: ListId) -> str:
    return card_name(of, one.card, chosen()) if one.card is not None else _("No card of this deck")
