"""What an organiser's phone shows: the JSON under `/api/organiser`, already said in one language. Pure; for organisers only.

Cards that nobody has shown yet may be in it: it never goes to a spectator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from msgspec import Struct

from companion.dashboard.organiser.desk import Standing
from companion.dashboard.organiser.effects import has
from companion.dashboard.organiser.lines import NEVER_SURE, HandView, hand_view
from companion.dashboard.organiser.offers import Next, offers
from companion.dashboard.shows import Shows
from companion.decks.stu import KINDS
from companion.games.stu import words
from companion.games.stu.pages.commentary import sentence, short
from companion.games.stu.pages.sums import money
from companion.games.stu.referee import words as asked_words
from companion.games.stu.referee.pedine import differences
from companion.games.stu.rules import report
from companion.referee import Evening
from companion.referee.chapter import Chapter
from companion.referee.corrections import ruling_of
from companion.referee.questions import Question, question
from companion.referee.undo import can
from companion.table.language import Lang, catalogue


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
    """A player as they stand now, in seat order. ``has``: their pedine in words."""

    name: str
    pedine: int
    has: str
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
    shows: Shows
    undo: bool
    redo: bool


def phone_view(standing: Standing, shows: Shows, lang: Lang, pictured: Callable[[Question], bool]) -> PhoneView:
    """The view of a game for organisers. ``shows``: what else spectators see; ``pictured``: is there a picture of it?"""
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
            PlayerView(
                name=player.name,
                pedine=player.pedine,
                has=has(player.pedine, player.virgin, lang),
                virgin=player.virgin,
                in_play=player.in_play,
                dealer=player.name == dealer,
            )
            for player in state.players
        ),
        question=_question_view(evening, lang, pictured),
        next=offers(state, lang, just_over=current.played and state.hand is None),
        hand=hand_view(shown, lang) if shown is not None else None,
        hands=tuple(_link(chapter, lang) for chapter in reversed(evening.chapters) if chapter.played),
        notices=tuple(asked_words.pedine(found, lang) for found in differences(evening)),
        shows=shows,
        undo=undo,
        redo=redo,
    )


def _link(chapter: Chapter, lang: Lang) -> HandLink:
    ruling = ruling_of(chapter)
    assert ruling is not None
    _ = catalogue(lang).gettext
    paid: Counter[str] = Counter()
    for payment in ruling.payments:
        paid[payment.player] += payment.delta
    payers = ", ".join(f"{short(player)} {delta:+d}".replace("-", "−") for player, delta in paid.items())
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
