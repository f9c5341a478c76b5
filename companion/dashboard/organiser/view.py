"""What an organiser's phone shows: the JSON under `/api/organiser`, already said in one language. Pure; for organisers only.

Cards that nobody has shown yet may be in it: it never goes to a spectator.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from companion.dashboard.commentary import comment, notes_of, sentence, short, why
from companion.dashboard.language import catalogue
from companion.dashboard.organiser.commands import Change
from companion.dashboard.organiser.desk import Standing
from companion.dashboard.organiser.offers import Next, exchanges, offers, possible
from companion.dashboard.sums import money
from companion.dashboard.view import Lang
from companion.referee import Evening
from companion.referee import words as asked_words
from companion.referee.chapter import Chapter
from companion.referee.corrections import Suggestion, changed, ruling_of, suggestions
from companion.referee.pedine import differences
from companion.referee.questions import Question, question
from companion.referee.undo import can
from companion.stu import Report, State, apply, report, words
from companion.stu.cards import KINDS
from companion.stu.log import Deal, Event
from companion.stu.table import HandRulings

NEVER_SURE = 0.95
"""A line less sure than this is marked."""


class LineView(Struct, frozen=True):
    """One line of a hand: its ``index`` in it, what it says, the event itself as in a table log, and how sure it is.

    ``by_hand``: somebody has said so. ``unsure``: the camera side is not sure. ``fixed``: it opens the hand, or ends it.
    """

    index: int
    text: str
    event: dict[str, Any]
    by_hand: bool
    unsure: bool
    frame: bool


class HandView(Struct, frozen=True):
    """A hand: its ``id`` for commands, its number, its lines, and what it came to, or comes to so far, a sentence each.

    ``order``: who plays in it, di mano first. ``over``: it has ended.
    """

    id: int
    n: int
    title: str
    lines: tuple[LineView, ...]
    ruling: tuple[str, ...]
    order: tuple[str, ...]
    over: bool


class HandLink(Struct, frozen=True):
    """A hand to look at: its id and number, who paid in a few words, and whether its ruling is unsure."""

    id: int
    n: int
    text: str
    unsure: bool


class ChoiceView(Struct, frozen=True):
    """An answer to choose; ``id`` None: "don't know". ``card``: the kind whose drawing goes with it."""

    id: str | None
    text: str
    probability: float | None = None
    card: str | None = None


class QuestionView(Struct, frozen=True):
    """The open question. ``hand``: the id of the hand asked about. ``picture``: there is a picture of it."""

    id: str
    hand: int
    n: int
    text: str
    choices: tuple[ChoiceView, ...]
    picture: bool


class PlayerView(Struct, frozen=True):
    """A player as they stand now, in seat order. ``card``: a kind that is known, shown or not."""

    name: str
    pedine: int
    virgin: bool
    in_play: bool
    dealer: bool


class PhoneView(Struct, frozen=True):
    """One phone's worth. ``game`` and ``version`` go with every command made on it."""

    game: int
    version: int
    said: int
    lang: Lang
    status: str
    pot: str
    ricompera: str
    players: tuple[PlayerView, ...]
    question: QuestionView | None
    next: Next
    hand: HandView | None
    hands: tuple[HandLink, ...]
    notices: tuple[str, ...]
    undo: bool
    redo: bool


class Difference(Struct, frozen=True):
    """Something that is one thing now and would be another."""

    what: str
    now: str
    then: str


class Effect(Struct, frozen=True):
    """What a change would do. ``hands``: what each changed hand comes to now and then. ``rest``: pedine, money, who has won.

    Both are empty when it would change nothing that anybody pays.
    """

    hands: tuple[Difference, ...]
    rest: tuple[Difference, ...]


class SuggestionView(Struct, frozen=True):
    """What could stand in a place of a hand: a sentence, the events, and how likely the camera side finds it (0: saw nothing)."""

    text: str
    events: tuple[dict[str, Any], ...]
    probability: float


def phone_view(standing: Standing, lang: Lang, pictured: Callable[[Question], bool]) -> PhoneView:
    """The view of a game for organisers. ``pictured``: whether there is a picture of what a question asks about."""
    evening = standing.evening
    current = evening.current
    state = current.after
    told = report(state)
    dealer = state.table.names[state.hand.dealer if state.hand is not None else state.next_dealer()]
    undo, redo = can(evening)
    shown = current if current.lines else next((one for one in reversed(evening.chapters) if one.lines), None)
    return PhoneView(
        game=standing.game_id,
        version=standing.version,
        said=standing.said,
        lang=lang,
        status=sentence(words.status(told, lang)),
        pot=money(told.pot, lang),
        ricompera=money(told.ricompera.price, lang) if told.ricompera.open else "",
        players=tuple(
            PlayerView(player.name, player.pedine, player.virgin, player.in_play, player.name == dealer)
            for player in state.players
        ),
        question=_question_view(evening, lang, pictured),
        next=offers(state, lang, just_over=current.played and state.hand is None),
        hand=hand_view(shown, lang) if shown is not None else None,
        hands=tuple(_link(chapter, lang) for chapter in reversed(evening.chapters) if chapter.played),
        notices=tuple(asked_words.pedine(found, lang) for found in differences(evening)),
        undo=undo,
        redo=redo,
    )


def hand_view(chapter: Chapter, lang: Lang) -> HandView:
    """One hand, line by line."""
    state = chapter.before
    lines = []
    order: tuple[str, ...] = ()
    for index, line in enumerate(chapter.lines):
        before, state = state, apply(state, line.event)
        by_hand = index in chapter.fixed
        unsure = not by_hand and line.confidence is not None and line.confidence < NEVER_SURE
        frame = before.hand is None or state.hand is None
        lines.append(LineView(index, line_text(before, line.event, state, lang), plain(line.event), by_hand, unsure, frame))
        if before.hand is None and state.hand is not None:
            order = tuple(state.table.names[seat] for seat in state.hand.order)
    ruling = ruling_of(chapter)
    over = chapter.after.hand is None
    title = words.title(ruling, lang) if ruling is not None else catalogue(lang).gettext("Before the next hand")
    return HandView(
        id=chapter.id,
        n=ruling.n if ruling is not None else 0,
        title=title,
        lines=tuple(lines),
        ruling=_sentences(ruling, chapter.before, lang) if ruling is not None and (ruling.payments or over) else (),
        order=order,
        over=over,
    )


def line_text(before: State, event: Event, after: State, lang: Lang) -> str:
    """The line of a log as a sentence."""
    said = comment(before, event, after, lang)
    if said is not None:
        more = getattr(event, "card", None) if not hasattr(event, "terms") else None
        return said if more is None or event.__struct_config__.tag == "reveal" else f"{said}: {words.card(more, lang)}"
    assert isinstance(event, Deal), "what else the commentary passes over is no line of a hand"
    dealt = catalogue(lang).gettext("{player} is dealt a card").format(player=short(event.to))
    return dealt + (f": {words.card(event.card, lang)}" if event.card else "")


def suggested_in(evening: Evening, hand: int, start: int, stop: int) -> tuple[Suggestion, ...]:
    """`companion.referee.corrections.suggestions`, and whole exchanges among them: those before single acts that are as likely.

    Raises:
        KeyError: there is no such hand.
    """
    chapter = evening.chapter(hand)
    state = chapter.before
    for line in chapter.lines[:start]:
        state = apply(state, line.event)
    found = suggestions(evening, hand, start, stop)
    told = {suggestion.events for suggestion in found}
    rest = tuple(line.event for line in chapter.lines[stop:])
    whole = [Suggestion(events, 0.0) for events in exchanges(state) if events not in told and possible(state, (*events, *rest))]
    likely = tuple(one for one in found if one.probability > 0)
    return (*likely, *whole, *found[len(likely) :])


def suggestion_views(
    evening: Evening, hand: int, start: int, found: tuple[Suggestion, ...], lang: Lang
) -> tuple[SuggestionView, ...]:
    """The suggestions for a place of a hand, each as a sentence."""
    chapter = evening.chapter(hand)
    state = chapter.before
    for line in chapter.lines[:start]:
        state = apply(state, line.event)
    views = []
    for suggestion in found:
        said, here = [], state
        for event in suggestion.events:
            before, here = here, apply(here, event)
            said.append(line_text(before, event, here, lang))
        views.append(SuggestionView("; ".join(said), tuple(map(plain, suggestion.events)), round(suggestion.probability, 3)))
    return tuple(views)


def left_out(evening: Evening, change: Change, mended: Change, lang: Lang) -> tuple[str, ...]:
    """The lines, as sentences, that a mended change leaves out of its hand."""
    lines = hand_view(evening.chapter(change.hand), lang).lines[change.stop :]
    kept = list(mended.events[len(change.events) :])
    gone = []
    for line, told in zip(lines, evening.chapter(change.hand).lines[change.stop :], strict=True):
        if kept and kept[0] == told.event:
            kept.pop(0)
        else:
            gone.append(line.text)
    return tuple(gone)


def effect(before: Evening, after: Evening, hand: int, lang: Lang) -> Effect:
    """What a change that leads from one evening to the other does."""
    found = changed(before, after, hand)
    _ = catalogue(lang).gettext
    hands = []
    for _id, now, then in found.hands:
        ruling = then or now
        if ruling is not None and _paid(now, lang) != _paid(then, lang):
            hands.append(Difference(_("Hand {n}").format(n=ruling.n), _paid(now, lang), _paid(then, lang)))
    return Effect(tuple(hands), _rest(found.rulings_before, found.rulings_after, lang))


def plain(event: Event) -> dict[str, Any]:
    """The event as in a table log."""
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(event))
    return found


def _rest(now: Report, then: Report, lang: Lang) -> tuple[Difference, ...]:
    _ = catalogue(lang).gettext
    found = []
    for one, other in zip(now.players, then.players, strict=True):
        was, would = _has(one.pedine, one.virgin, lang), _has(other.pedine, other.virgin, lang)
        if was != would:
            found.append(Difference(one.name, was, would))
    sums = [(_("Pot"), now.pot, then.pot), (_("Ricompera"), now.ricompera.price, then.ricompera.price)]
    found += [Difference(what, money(a, lang), money(b, lang)) for what, a, b in sums if a != b]
    if now.ricompera.open != then.ricompera.open:
        was, would = (_("open") if one.ricompera.open else _("closed") for one in (now, then))
        found.append(Difference(_("Ricompera"), was, would))
    if (now.status, now.winner) != (then.status, then.winner):
        found.append(Difference(_("Game"), *(sentence(words.status(one, lang)) for one in (now, then))))
    for name in dict.fromkeys([*(now.settlement or {}), *(then.settlement or {})]):
        a, b = ((one.settlement or {}).get(name, 0) for one in (now, then))
        if a != b:
            found.append(Difference(_("{name} takes").format(name=name), money(a, lang), money(b, lang)))
    return tuple(found)


def _has(pedine: int, virgin: bool, lang: Lang) -> str:
    say = catalogue(lang)
    if not pedine:
        return say.gettext("out")
    has = say.ngettext("{n} pedina", "{n} pedine", pedine).format(n=pedine)
    return f"{has}, {say.gettext('virgin')}" if virgin else has


def _paid(ruling: HandRulings | None, lang: Lang) -> str:
    _ = catalogue(lang).gettext
    if ruling is None:
        return _("no hand")
    if ruling.void:
        return _("void hand")
    if not ruling.payments:
        return _("nobody pays")
    return "\n".join(why(payment, lang, ruling.dealer) for payment in ruling.payments)


def _sentences(ruling: HandRulings, before: State, lang: Lang) -> tuple[str, ...]:
    virgins = [player.name for player in before.players if player.virgin]
    return (*_paid(ruling, lang).split("\n"), *notes_of(ruling, lang, virgins))


def _link(chapter: Chapter, lang: Lang) -> HandLink:
    ruling = ruling_of(chapter)
    assert ruling is not None
    _ = catalogue(lang).gettext
    payers = ", ".join(f"{short(paid.player)} {paid.delta:+d}".replace("-", "−") for paid in ruling.payments)
    over = chapter.after.hand is None
    text = _("void hand") if ruling.void else payers or (_("nobody pays") if over else _("in progress"))
    confirmed = len(chapter.fixed) == len(chapter.lines)
    unsure = over and not confirmed and chapter.ruling is not None and chapter.ruling.probability < NEVER_SURE
    return HandLink(chapter.id, ruling.n, text, unsure)


def _question_view(evening: Evening, lang: Lang, pictured: Callable[[Question], bool]) -> QuestionView | None:
    asked = question(evening)
    if asked is None:
        return None
    names = evening.current.before.table.names
    choices = [
        ChoiceView(
            choice.id,
            asked_words.choice(asked, choice.id, names, lang),
            round(choice.probability, 3),
            choice.id if choice.id in KINDS and asked.kind == "card" else None,
        )
        for choice in asked.choices
    ]
    unknown = ChoiceView(None, asked_words.choice(asked, None, names, lang))
    text, picture = asked_words.question(asked, lang), not asked.unseen and pictured(asked)
    return QuestionView(asked.id, asked.hand, asked.n, text, (*choices, unknown), picture)


