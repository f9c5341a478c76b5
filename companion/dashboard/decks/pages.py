"""The page of all decks, and one for each: decks are made of photos, listed, begun, uploaded, downloaded, deleted, and chosen to
play with."""

from __future__ import annotations

from pathlib import PurePath
from urllib.parse import quote

from flask import abort, redirect, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from msgspec import Struct

from companion.dashboard.answers import answer, refused
from companion.dashboard.decks.context import card_name, deck_page, decks, list_names, reason, teaching, tell, to, wants_json, why
from companion.dashboard.endpoint import Form, documented
from companion.dashboard.limits import FORM_BYTES, max_bytes
from companion.dashboard.locale import chosen
from companion.dashboard.setup.deck_choice import are_pedine, in_use, shipped_name, take, teaching_here
from companion.dashboard.setup.state import page, setup_state
from companion.decks.deckfile import MAGIC, MAX_FILE_BYTES, encode_deck
from companion.decks.lists import LISTS, ListId
from companion.line.teaching.shelf import ENDING, DeckRefused, Entry, as_name
from companion.table.errors import BadDeck

# Making a deck of its photos: a tap begins it, it takes seconds, and the page shows how far it is.

class Progress(Struct, frozen=True):
    """How far the making of a deck is: cards ``done`` ``of`` all, the same in words; ``to``: where to go, None before the end."""

    done: int
    of: int
    said: str
    to: str | None


@decks.post("/<name>/make")
@documented(body=Form(), also=(400,))
@deck_page
def make(name: str) -> ResponseReturnValue:
    """Makes the deck of the photos."""
    teaching().make(name)
    return redirect(to("made", name))


@decks.get("/<name>/make")
@documented()
@deck_page
def made(name: str) -> ResponseReturnValue:
    """How far it is."""
    now = teaching().making(name)
    if now is None:  # the program was restarted meanwhile
        return redirect(to("teach", name))
    if now.ready:
        return redirect(to("trial", name))
    return page("decks/making", 200, name=name, now=now, problem=reason(now.failed, chosen()) if now.failed is not None else None)


@decks.get("/<name>/make.json")
@documented(answer=Progress)
@deck_page
def how_far(name: str) -> ResponseReturnValue:
    """The same: `done`, `of`, `said`, `to`."""
    now = teaching().making(name)
    if now is None or now.ready or now.failed is not None:
        return answer(Progress(1, 1, "", to("made", name)))
    text = _("{done} of {of} cards").format(done=now.done, of=now.of)
    return answer(Progress(now.done, now.of, text, None))


LISTING = "/setup/decks"
"""The address of the list."""


@decks.errorhandler(DeckRefused)
@decks.errorhandler(BadDeck)
def cannot(error: DeckRefused | BadDeck) -> ResponseReturnValue:
    """What cannot be done: one line, as JSON for a script, else on the page of all decks."""
    reason = why(error, chosen())
    return ({"said": reason, "to": None}, 400) if wants_json() else listing_page(reason, 400, request.form.get("name", ""))


@decks.errorhandler(413)
def too_large(error: Exception) -> ResponseReturnValue:
    """The same of a file that is larger than `max_bytes` lets it be: nothing of it is read."""
    if teaching_here() is None:
        return refused("malformed", 413)
    most = (request.max_content_length or FORM_BYTES) - FORM_BYTES
    reason = _("The file is too large: at most {most} MB.").format(most=most // 2**20)
    return ({"said": reason, "to": None}, 413) if wants_json() else listing_page(reason, 413)


@decks.get("")
@documented(also=(404,))
@deck_page
def listing() -> ResponseReturnValue:
    """All decks, those that are being taught, and the forms for new ones."""
    return listing_page()


def listing_page(problem: str | None = None, status: int = 200, typed: str = "") -> ResponseReturnValue:
    """The page of all decks, with a sentence about what could not be done, and the name that was ``typed``."""
    lang, here = chosen(), teaching()
    begun = [name for name in here.drafts.names() if not here.finished(name)]
    in_progress = [progress for name in begun if (progress := here.progress(name)) is not None]
    shipped = {of: shipped_name(of, lang) for of in LISTS}
    return page(
        "decks/list", status, problem=problem, entries=[(one, in_use(one.name))
                                                        for one in here.shelf.entries()], in_progress=in_progress,
        lists=list_names(lang), shipped=shipped, mine=setup_state().draft.game.cards, typed=typed,
        name=lambda of, card: card_name(of, card, lang), faces=lambda of: len(LISTS[of].KINDS),
        pedine=are_pedine,
    )  # fmt: skip


@decks.post("")
@documented(body=Form(("name", "list")), also=(400, 404))
@deck_page
def begin() -> ResponseReturnValue:
    """Begins to teach one: `name`, `list` (`stu`, `italian`, `french`).

    Where there is such a draft already, it is gone on with.
    """
    wished: ListId | None = next((of for of in LISTS if of == request.form.get("list")), None)
    if wished is None:
        return listing_page(_("Choose which cards the deck has."), 400)
    name = as_name(request.form.get("name", ""))
    teaching().begin(name, wished)
    return redirect(to("teach", name))


@decks.post("/upload")
@documented(body=Form(("name",), files=("deck",)), also=(400, 404))
@max_bytes(MAX_FILE_BYTES + FORM_BYTES)
@deck_page
def upload() -> ResponseReturnValue:
    """Form with a file `deck`, and a `name` where it is not the file's: takes a deck in."""
    file = request.files.get("deck")
    if file is None or not file.filename:
        return listing_page(_("Choose a file."), 400)
    with file.stream as stream:
        data = stream.read(MAX_FILE_BYTES + 1)
    named = request.form.get("name", "").strip() or PurePath(file.filename.replace("\\", "/")).name.removesuffix(ENDING)
    try:
        teaching().shelf.take_in(name := as_name(named), data)
    except BadDeck:
        problem = _("This deck file is damaged, or of a newer version: have it sent again, and update the program.")
        if not data.startswith(MAGIC):
            problem = _("This is no deck file of this program: its name ends in .deck.")
        return listing_page(problem, 400)
    tell(_("The deck “{name}” is here: it can be chosen from now on.").format(name=name))
    return redirect(to("show", name))


@decks.get("/<name>")
@documented()
@deck_page
def show(name: str) -> ResponseReturnValue:
    """A deck: what it has and has not."""
    entry, lang = _entry(name), chosen()
    return page(
        "decks/deck", entry=entry, used=in_use(name), lists=list_names(lang), taught=teaching().drafts.plan(name) is not None,
        name=lambda card: card_name(entry.deck.list, card, lang) if entry.deck is not None else card,
        making=teaching().making(name), ask=request.args.get("ask"),
        pedine=entry.deck is not None and are_pedine(entry.deck.list),
    )  # fmt: skip


@decks.get("/<name>/file")
@documented(answer="application/octet-stream")
@deck_page
def download(name: str) -> ResponseReturnValue:
    """Its file, for download."""
    file = f"attachment; filename*=UTF-8''{quote(name + ENDING)}"
    return encode_deck(teaching().shelf.deck(name)), {"Content-Type": "application/octet-stream", "Content-Disposition": file}


@decks.post("/<name>/delete")
@documented(body=Form(("sure", "what")), also=(400, 409))
@deck_page
def delete(name: str) -> ResponseReturnValue:
    """Asks; with `sure=1` deletes it, or with `what=draft` what was taught so far. 409: it is played with."""
    entry, what = teaching().shelf.entry(name), request.form.get("what", "deck")
    if what == "draft":
        if request.form.get("sure") != "1" and teaching().drafts.plan(name) is not None:
            return page("decks/sure", name=name, what=what)
        teaching().forget(name)
        return redirect(LISTING)
    if entry is not None and (entry.given or in_use(name)):
        given = _("This deck was given on the command line (--deck): it goes when the program is started without it.")
        used = _("This deck is being played with: choose another one first.")
        return listing_page(given if entry.given else used, 409)
    if request.form.get("sure") != "1" and entry is not None:
        return page("decks/sure", name=name, what=what)
    teaching().shelf.delete(name)
    for of in LISTS:
        if teaching().shelf.chosen(of) == name:
            teaching().shelf.choose(of, "")
    return redirect(LISTING)


@decks.post("/<name>/use")
@documented(body=Form(("instead_of",)), also=(400, 409))
@deck_page
def use(name: str) -> ResponseReturnValue:
    """It is played with from now on.

    By the evening in preparation or, while there is none, by the one that is on; and by those to come.
    """
    deck = teaching().shelf.deck(name)
    take(name, deck.list)
    if teaching().finished(name):
        teaching().forget(name)
    state = setup_state()
    if state.token and state.draft.game.cards == deck.list and state.draft.names:
        return redirect("/setup/ready")
    if are_pedine(deck.list):
        tell(_("Cards of “{name}” are known as pedine from now on.").format(name=name))
    else:
        tell(_("“{name}” is played with from now on.").format(name=name))
    return redirect(LISTING)


def _entry(name: str) -> Entry:
    return teaching().shelf.entry(name) or abort(404, "no such deck")
