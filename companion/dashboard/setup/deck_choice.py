"""The choice of the deck on the table: the shipped one, or one that was taught. It is made in setting up, and remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Flask, current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from companion.dashboard.endpoint import Form, documented
from companion.dashboard.locale import chosen
from companion.dashboard.setup.state import SetupState, onward, page, preparation_only, running, setup, setup_state
from companion.decks.lists import BESIDE, ListId
from companion.games import Game
from companion.line.teaching.shelf import Entry
from companion.table.language import Lang, catalogue

if TYPE_CHECKING:
    from companion.line.teaching.teaching import Teaching


@setup.get("/deck")
@documented(also=(404,))
@preparation_only
def choose_deck() -> ResponseReturnValue:
    """Which deck lies on the table, see [decks](#decks)."""
    cards = setup_state().draft.game.cards
    return page("setup/deck", decks=playable(cards), shipped=shipped_name(cards, chosen()))


@setup.post("/deck")
@documented(body=Form(("draft", "deck")), also=(400, 404))
@preparation_only
def set_deck() -> ResponseReturnValue:
    """`deck`: the name of a taught one, or empty: the shipped one."""
    name, cards = request.form.get("deck", ""), setup_state().draft.game.cards
    if name and name not in (entry.name for entry in playable(cards)):
        return redirect(url_for("setup.choose_deck"))  # deleted meanwhile
    take(name, cards)
    return redirect(onward(setup_state().draft, url_for("setup.players")))


def teaching_here() -> Teaching | None:
    """The `Teaching` of the current application; None where it keeps no decks."""
    found: Teaching | None = current_app.extensions.get("decks")
    return found


def playable(of: ListId) -> list[Entry]:
    """The taught decks of this list whose files can be read."""
    here = teaching_here()
    return [one for one in here.shelf.entries() if one.deck is not None and one.deck.list == of] if here is not None else []


def are_pedine(of: ListId) -> bool:
    """Whether cards of this list are used as pedine, beside the cards that are played with."""
    return of in BESIDE.values()


def take(name: str, of: ListId) -> None:
    """Play with this deck, "" for the shipped one, in the evening in preparation or in the one that is on, and remember it. A
    deck of pedine needs no choice: it is read beside any other."""
    state, here = setup_state(), teaching_here()
    if are_pedine(of):
        state.camera.play_with(name, of)
        return
    if here is not None:
        here.shelf.choose(of, name)
    if state.token and state.draft.game.cards == of:
        state.change(lambda draft: replace(draft, deck=name))
    if running() is None or not state.token:
        state.camera.play_with(name, of)


def in_use(name: str) -> bool:
    """Whether the evening that is on, or the one in preparation, uses this deck."""
    state = setup_state()
    on = running() is not None and state.camera.status().deck == name
    return on or (bool(state.token) and state.draft.deck == name)


def remembered(game: Game) -> str:
    """The deck that was last chosen for this game's cards on this machine; "" for the shipped one."""
    here = teaching_here()
    return here.shelf.chosen(game.cards) if here is not None else ""


def shipped_name(of: ListId, lang: Lang) -> str:
    """The name of the deck of this list that comes with the program."""
    _ = catalogue(lang).gettext
    shipped: dict[ListId, str] = {"stu": "Masenghini", "italian": "Napoletane · Piacentine", "french": _("French")}
    return _("{deck} (shipped)").format(deck=shipped[of])


def unusable(name: str, game: Game) -> str:
    """A sentence that this game cannot be played with this deck; "" where it can."""
    here = teaching_here()
    if not name or here is None or any(entry.name == name for entry in playable(game.cards)):
        return ""
    return lost(name, chosen())


def lost(name: str, lang: Lang) -> str:
    """A sentence that this deck is missing or damaged."""
    return catalogue(lang).gettext("The deck “{name}” is gone or damaged: the shipped one is played with.").format(name=name)


def notices(app: Flask, lang: Lang) -> list[str]:
    """Sentences for organisers' phones where the deck that is played with is missing or damaged. Works outside of a request,
    too."""
    state: SetupState | None = app.extensions.get("setup")
    status = state.camera.status() if state is not None else None
    return [lost(status.deck, lang)] if status is not None and status.deck_lost else []
