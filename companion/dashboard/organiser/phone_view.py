"""What an organiser's phone shows: the JSON under `/api/organiser`, in one language's words. For organisers only: cards that
nobody has shown yet may be in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, get_type_hints

from msgspec import UNSET, Struct, UnsetType, defstruct
from msgspec.structs import asdict, replace
from msgspec.structs import fields as struct_fields

from companion.dashboard.endpoint import OneOf
from companion.dashboard.organiser.editor import CurrentEvening
from companion.dashboard.organiser.effects import state_without_outcome, summary
from companion.dashboard.organiser.lines import HandView, Marks, hand_view
from companion.dashboard.organiser.said import SaidView, to_redo, to_undo
from companion.dashboard.settings import Shows
from companion.games import Game, shown_games
from companion.pages.phone import Next
from companion.pages.ruling import doubted_end
from companion.pages.settling import won_last_said
from companion.referee import Evening
from companion.referee.chapter import Chapter
from companion.referee.evening import later_still
from companion.referee.questions import Question, question
from companion.table.language import Lang


class HandLink(Struct, frozen=True):
    """A hand to look at: its id and number, who paid in a few words, and whether the TV shows it as unsure."""

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


class PhoneView(Struct, frozen=True):
    """One phone's worth, besides the keys of the game's `Score`. ``game``, ``version`` and ``said`` go with every command made on
    it; ``wing``: the id of the game that is played, under the name of its key in JSON; ``believed``: players whose pedine or
    chips the TV shows as not sure; ``undoes``, ``redoes``: what an undo and a redo are of; ``sets``: players whose standing the
    table has set since the last hand was over; ``takes_back``: it is a rematch without a hand so far, and can be taken back as a
    whole."""

    game: int
    wing: str
    version: int
    said: int
    lang: Lang
    question: QuestionView | None
    next: Next
    hand: HandView | None
    hands: tuple[HandLink, ...]
    believed: tuple[str, ...]
    notices: tuple[str, ...]
    shows: Shows
    undo: bool
    redo: bool
    undoes: SaidView | None
    redoes: SaidView | None
    sets: tuple[str, ...] = ()
    takes_back: bool = False


@cache
def organiser_views() -> tuple[object, ...]:
    """The types of what `phone_view` makes, one for each game: `PhoneView` with the game's score and offers, and ``already``,
    which says that nothing had to be done."""
    found = []
    for game in shown_games():
        score, offers = (get_type_hints(one)["return"] for one in (game.pages.score, game.pages.offers))
        fields: dict[str, Any] = {one.name: one.type for kind in (score, PhoneView) for one in struct_fields(kind)}
        fields["next"] = offers
        parts: list[Any] = [*fields.items(), ("already", bool | UnsetType, UNSET)]
        found.append(defstruct(f"{game.id.capitalize()}OrganiserView", parts, kw_only=True))
    return tuple(found)


ORGANISERS = OneOf(organiser_views)
"""The game as organisers see it."""


def phone_view(current: CurrentEvening, shows: Shows, lang: Lang, marks: Marks, *, pictured: bool) -> dict[str, Any]:
    """The view of a game for organisers, by key: `PhoneView` with the game's `Score`.

    ``shows``: what spectators see besides the game; ``marks``: what they see as unsure; ``pictured``: there are pictures of what
    happened."""
    evening, game = current.evening, current.game
    chapter = evening.current
    state, stated = chapter.after, state_without_outcome(evening)
    doubted = [more for _, more in chapter.reports.doubted]
    undoes, redoes = to_undo(evening, lang), to_redo(evening, lang)
    stands = game.pages.score(state, lang)
    score = won_last_said(doubted_end(stands, sure=not marks.end), marks.won)
    offers = game.pages.offers(stated, lang, just_over=chapter.over, perhaps=doubted)
    shown = chapter if chapter.lines else next((one for one in reversed(evening.chapters) if one.lines), None)
    view = PhoneView(
        game=current.game_id,
        wing=game.id,
        version=current.version,
        said=evening.record.said,
        lang=lang,
        question=_question_view(evening, game, lang, pictured=pictured),
        next=replace(offers, title=score.status) if offers.title == stands.status else offers,
        hand=hand_view(shown, lang, marks, evening.told_later(shown)) if shown is not None else None,
        hands=tuple(_links(evening, lang, marks)),
        believed=marks.believed,
        notices=game.pages.notices(evening, lang),
        shows=shows,
        undo=undoes is not None,
        redo=redoes is not None,
        undoes=undoes,
        redoes=redoes,
        sets=chapter.named if not chapter.over else (),
        takes_back=current.rematch and not any(one.played for one in evening.chapters),
    )
    return {**asdict(score), **asdict(view)}


def _links(evening: Evening, lang: Lang, marks: Marks) -> Iterator[HandLink]:
    """A link to each hand, the newest first."""
    later: tuple[Chapter, ...] = ()
    for chapter in reversed(evening.chapters):
        hand = summary(chapter, lang, marks.sure_from, later)
        if hand is not None:
            yield HandLink(chapter.id, hand.n, hand.payers, unsure=hand.doubtful or hand.n in marks.hands)
        later = later_still(chapter, later)


def _question_view(evening: Evening, game: Game, lang: Lang, *, pictured: bool) -> QuestionView | None:
    open_question = question(evening)
    return question_view(evening, game, open_question, lang, pictured=pictured) if open_question is not None else None


def question_view(
    evening: Evening, game: Game, open_question: Question, lang: Lang, *, pictured: bool = False
) -> QuestionView:
    """An open question in words."""
    names = game.rules.names(evening.current.before)
    choices = []
    for choice in open_question.choices:
        answer = game.pages.choice(open_question, choice.id, names, lang)
        choices.append(ChoiceView(choice.id, answer.text, round(choice.probability, 3), answer.card))
    unknown = ChoiceView(None, game.pages.choice(open_question, None, names, lang).text)
    text = game.pages.question(open_question, lang)
    return QuestionView(
        open_question.id, open_question.hand, open_question.n, text, (*choices, unknown), pictured and not open_question.unseen
    )
