"""Card by card: which one is asked for, photos from the table's camera and from the phone, and everything about one photo."""

from __future__ import annotations

from flask import Response, abort, redirect, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from msgspec.structs import replace

from companion.dashboard.answers import answer
from companion.dashboard.decks.context import (
    MAX_PHOTO_BYTES,
    LookView,
    PhotoView,
    card_name,
    deck_page,
    decks,
    doubt_text,
    drawn,
    outcome_text,
    progress_of,
    seen_text,
    teaching,
    tell,
    to,
    wants_json,
)
from companion.dashboard.endpoint import JPEG, TEXT, Form, documented
from companion.dashboard.limits import FORM_BYTES, max_bytes
from companion.dashboard.locale import chosen
from companion.dashboard.setup.deck_choice import are_pedine
from companion.dashboard.setup.state import page, setup_state
from companion.decks.lists import BACK
from companion.line.teaching.progress import Outcome, TeachingProgress


@decks.post("/<name>/improve")
@documented(body=Form(("card",)), also=(400,))
@deck_page
def improve(name: str) -> ResponseReturnValue:
    """Teaches a deck further, from the photos in it; `card`: which one comes first."""
    teaching().improve(name)
    card = request.form.get("card")
    return redirect(to("teach", name, card=card, more="1") if card else to("teach", name))


@decks.get("/<name>/teach")
@documented(query={"card": TEXT, "more": TEXT})
@deck_page
def teach(name: str) -> ResponseReturnValue:
    """The card that is asked for, or `?card=`, and a tick for each; `?more=1`: another photo of it."""
    progress, lang = progress_of(name), chosen()
    ids = [card.id for card in progress.cards]
    wished = request.args.get("card")
    card = next((one for one in progress.cards if one.id == wished), None)
    if card is None:
        card = progress.cards[ids.index(progress.next_after("") or ids[0])]
    at = ids.index(card.id)
    return page(
        "decks/teach", progress=progress, card=card, faces={one: drawn(progress.list, one, lang) for one in ids}, of=len(ids),
        before=ids[at - 1], after=progress.next_after(card.id) or ids[(at + 1) % len(ids)], done=progress.next_after("") is None,
        doubt=doubt_text(progress.list, card.like[1], lang) if card.like is not None else None,
        size=setup_state().camera.status().size, back=BACK, more=request.args.get("more") == "1",
        pedine=are_pedine(progress.list),
    )  # fmt: skip


@decks.post("/<name>/photo")
@documented(body=Form(("card",), files=("photo",)), answer=PhotoView, also=(400, 422))
@max_bytes(MAX_PHOTO_BYTES + FORM_BYTES)
@deck_page
def photo(name: str) -> ResponseReturnValue:
    """Form with a file `photo` (JPEG, PNG, WebP, …) of the `card`.

    A script is answered what became of it, ``said``, and where ``to`` go on.
    """
    progress, card = progress_of(name), request.form.get("card", "")
    file = request.files.get("photo")
    if file is None or not file.filename:
        return _answer(progress, Outcome(card), _("Choose a photo."))
    with file.stream as stream:
        data = stream.read(MAX_PHOTO_BYTES + 1)
    outcome = teaching().upload(name, card, data)
    return _answer(progress_of(name), outcome, outcome_text(outcome, progress.list, chosen()))


@decks.post("/<name>/look")
@documented(body=Form(("card", "page", "more")), answer=LookView, also=(400,))
@deck_page
def look(name: str) -> ResponseReturnValue:
    """The table's camera looks once for the `card`, and takes it when it lies still. `page`: any text that is this page's own;
    `more=1`: also where there are photos enough. Answers `state` (`no_camera`, `elsewhere`, `enough`, `none`, `refused`,
    `moving`, `before`, `taken`), `said`, `size`, `quads`, `to`, `sure`."""
    progress, card = progress_of(name), request.form.get("card", "")
    seen = teaching().look(name, card, request.form.get("page", "")[:64], request.form.get("more") == "1")
    text = seen_text(seen, chosen())
    if seen.state == "before" and any(one.id == card and one.marks for one in progress.cards):
        text = _("One more photo: turn the card, or lay it elsewhere.")
    if seen.outcome is not None:
        text = outcome_text(seen.outcome, progress.list, chosen())
    onto = _onto(progress_of(name), seen.outcome) if seen.outcome is not None and seen.outcome.mark else None
    sure = seen.outcome is not None and seen.outcome.like is None
    return answer(LookView(seen.state, text, seen.size, seen.quads, onto, sure))


@decks.post("/<name>/change")
@documented(body=Form(("do", "card", "mark", "each")), also=(400,))
@deck_page
def change(name: str) -> ResponseReturnValue:
    """`do` with a `card`: `drop` or `agree` to the photo `mark`, `again`, `skip`, `unskip`; `each` (1, 2): photos of every card.

    A second tap changes nothing more.
    """
    progress, here = progress_of(name), teaching()
    card, mark, do = (request.form.get(field, "") for field in ("card", "mark", "do"))
    if not any(one.id == card for one in progress.cards):
        abort(400, "no such card")
    following = card
    if do == "drop":
        here.drafts.drop(name, card, mark)
    elif do == "again":
        here.again(name, card)
    elif do == "skip":
        here.drafts.change(name, lambda plan: replace(plan, skipped=tuple(dict.fromkeys((*plan.skipped, card)))))
        following = progress_of(name).next_after(card) or card
    elif do == "unskip":
        here.drafts.change(name, lambda plan: replace(plan, skipped=tuple(one for one in plan.skipped if one != card)))
    elif do == "agree":
        here.drafts.change(name, lambda plan: replace(plan, agreed=tuple(dict.fromkeys((*plan.agreed, mark)))))
        following = progress_of(name).next_after(card) or card
    elif do == "each":
        here.drafts.change(name, lambda plan: replace(plan, each=2 if request.form.get("each") == "2" else 1))
    return redirect(to("teach", name, card=following))


@decks.get("/<name>/photo/<card>/<mark>")
@documented(answer=JPEG)
@deck_page
def picture(name: str, card: str, mark: str) -> ResponseReturnValue:
    """A photo that was taken, straightened."""
    found = teaching().drafts.photo(name, card, mark)
    if found is None:
        abort(404, "no such photo")
    return Response(found.picture, mimetype="image/jpeg")


def _onto(progress: TeachingProgress, outcome: Outcome) -> str:
    """The page to go to after a photo was taken: the next card's, or the same card's while somebody should look at something
    there."""
    wanted = next((card for card in progress.cards if card.id == outcome.card), None)
    stay = outcome.like is not None or (wanted is not None and progress.open(wanted))
    return to("teach", progress.name, card=outcome.card if stay else progress.next_after(outcome.card) or outcome.card)


def _answer(progress: TeachingProgress, outcome: Outcome, text: str) -> ResponseReturnValue:
    taken = bool(outcome.mark)
    onto = _onto(progress, outcome) if taken else to("teach", progress.name, card=outcome.card)
    if wants_json():
        return answer(PhotoView(text, onto if taken else None, taken and outcome.like is None)), 200 if taken else 422
    tell(text if taken else f"{card_name(progress.list, outcome.card, chosen())}: {text}")
    return redirect(onto)
