"""Questions, only when the answer matters: the one question that settles most of who pays.

A question is asked when a hand is over, or all its cards have been seen, and its ruling is not sure. The game goes on without
an answer, and the ruling stands unsure. ``question`` says what to ask, ``answer`` takes what was said; both are pure.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable

from msgspec import Struct

from companion.referee.beam import outcome, shares
from companion.referee.chapter import Chapter
from companion.referee.evening import Evening, hand_of, reported
from companion.referee.record import Answered
from companion.referee.values import OTHER, Fact, struck, value_in
from companion.table.sure import SURE_FROM

MAX_OFFERED = 3
"""Greatest number of answers that are offered beside "another" and "don't know"; all of them where the eyes have nothing to
offer."""
MIN_OFFERED_PROBABILITY = 0.01
"""Least probability of an answer that is offered."""
MIN_GAIN_BITS = 0.1
"""Least information, in bits about who pays, for which a question is asked."""
MIN_GAIN_BITS_UNSEEN = 0.01
"""Least information, in bits about who pays, for which a question is asked of a hand that could not be seen in part."""
UNSEEN_GAIN_SHARE = 0.5
"""Share that counts of the gain of a question about a card that the eyes did not see: only a person who saw it can answer."""
MIN_SPLIT_PROBABILITY = 0.98
"""Probability below which an assumed split is asked about: whether two hands were taken for one, or one for two."""
MIN_GAIN_SHARE = 0.9
"""Share of the best question's gain from which on a plainer question is asked instead."""


class Choice(Struct, frozen=True):
    """An answer to choose. ``id``: ``yes``, ``no``, a kind's id, a place's number, ``nobody``, or ``other:…`` (none of those
    offered). ``probability``: how likely it is that this is right."""

    id: str
    probability: float


class Question(Struct, frozen=True):
    """What to ask the table. The game has the words for it and for its choices.

    Attributes:
        id: the same as long as it means the same, also after the hand was decoded again.
        hand: id of the chapter asked about. n: that hand's number, as people count, from 1.
        kind: what is asked for, as the game's facts say it.
        t: when it happened, seconds into the source: what to show pictures of.
        places: whose, from 0; the asker first. players: their names.
        choices: most likely first; "don't know" is always possible and stands for itself (`answer` with None).
        gain: how much the answer says about who pays, bits.
        unseen: the eyes have seen nothing of it: there is no picture to show.
        blind: seconds of the hand, or before it, in which nothing could be seen.
    """

    id: str
    hand: int
    n: int
    kind: str
    t: float
    places: tuple[int, ...]
    players: tuple[str, ...]
    choices: tuple[Choice, ...]
    gain: float
    unseen: bool = False
    blind: float = 0.0


class NotAsked(ValueError):
    """No question with this id can be answered in this evening, or it has no such choice."""


class Contradicted(ValueError):
    """Every possible history contradicts the answer: the hand must be corrected instead. Nothing has changed."""


def question(evening: Evening, sure: float = SURE_FROM) -> Question | None:
    """The question to ask now, of the newest hand that has one; None when nothing needs to be asked."""
    for ask in (doubt_of, question_of):
        for chapter in reversed(evening.chapters):
            found = ask(chapter, sure)
            if found is not None:
                return found
    return None


def questions(evening: Evening, sure: float = SURE_FROM) -> tuple[Question, ...]:
    """The best question of every hand that has one, the newest hand first."""
    found = (doubt_of(chapter, sure) or question_of(chapter, sure) for chapter in reversed(evening.chapters))
    return tuple(one for one in found if one is not None)


def doubt_of(chapter: Chapter, sure: float = SURE_FROM) -> Question | None:
    """The question that tells whether this hand is one hand; None where that is sure, or nobody knows."""
    given = dict(chapter.reports.answers)
    for doubt in chapter.doubts:
        value, odd = doubt.odds[0]
        open_yet = doubt.ask and f"{chapter.id}:{doubt.fact.key}" not in given
        if open_yet and (odd < max(sure, MIN_SPLIT_PROBABILITY) or value not in doubt.assumed):
            return _asked(chapter, doubt.fact, tuple(Choice(value, odd) for value, odd in doubt.odds), 1.0)
    return None


def question_of(chapter: Chapter, sure: float = SURE_FROM) -> Question | None:
    """The question that settles most of what this hand comes to; None when that is sure, or not to be known yet."""
    key = "question", sure
    if key not in chapter.cache:
        chapter.cache[key] = _question_of(chapter, sure)
    found: Question | None = chapter.cache[key]
    return found


def _question_of(chapter: Chapter, sure: float) -> Question | None:
    model = chapter.game.sighting_model
    if model is None:
        return None
    if lost := chapter.missing:
        return _about_a_missing_card(chapter, lost)
    if chapter.probability is None or chapter.probability >= sure or not chapter.over:
        return None
    told = chapter.facts
    likely = shares(chapter.outcome)
    comes_to = [outcome(history) for history in chapter.outcome]
    given = dict(chapter.reports.answers)
    facts = {key: fact for found in reversed(told) for key, (fact, _) in found.items()}  # as the likeliest history has it
    gains: dict[str, float] = {}
    for key, fact in facts.items():
        before = given.get(f"{chapter.id}:{key}", OTHER)
        if before is not None and before.startswith(OTHER):  # else it has been answered, or nobody knows
            gain = _gain([value_in(found, fact, model.default(fact)) for found in told], likely, comes_to)
            gains[key] = gain * (UNSEEN_GAIN_SHARE if model.unseen(fact) else 1.0)
    best = max(gains.values(), default=0.0)
    if best < (MIN_GAIN_BITS_UNSEEN if chapter.blind else MIN_GAIN_BITS):
        return None
    good = (key for key, gain in gains.items() if gain >= MIN_GAIN_SHARE * best)
    fact = facts[min(good, key=lambda key: (model.PLAINEST.index(facts[key].kind), -gains[key], key))]
    values = [value_in(found, fact, model.default(fact)) for found in told]
    refused = (given.get(f"{chapter.id}:{fact.key}") or OTHER).split(":")[1:]
    return _asked(chapter, fact, _choices(values, likely, whole=bool(refused) or model.unseen(fact)), gains[fact.key])


def _about_a_missing_card(chapter: Chapter, missing: tuple[int, ...]) -> Question | None:
    """More cards are missing than can be tried through: one after the other can be told, until the rest can."""
    assert chapter.game.sighting_model is not None
    given = dict(chapter.reports.answers)
    for place in missing:
        fact, possible = chapter.game.sighting_model.about_missing(place, chapter.reports.cleared or 0.0)
        if f"{chapter.id}:{fact.key}" not in given:
            return _asked(chapter, fact, tuple(Choice(value, 1 / len(possible)) for value in possible), 1.0)
    return None


def _asked(chapter: Chapter, fact: Fact, choices: tuple[Choice, ...], gain: float) -> Question:
    assert chapter.game.sighting_model is not None
    rules = chapter.game.rules
    names = rules.names(chapter.before)
    return Question(
        id=f"{chapter.id}:{fact.key}",
        hand=chapter.id,
        n=rules.hands(chapter.before) + 1,
        kind=fact.kind,
        t=fact.t,
        places=fact.places,
        players=tuple(names[place] for place in fact.places),
        choices=choices,
        gain=gain,
        unseen=chapter.game.sighting_model.unseen(fact),
        blind=round(sum(until - t for t, until in chapter.game.sighting_model.blind(chapter.reports.sightings, fact)), 2),
    )


def answer(evening: Evening, question_id: str, choice: str | None) -> Evening:
    """The evening after an answer: histories that contradict it are struck out, of this hand, and all later hands follow.

    ``choice``: the id of a `Choice`; None for "don't know", after which this is not asked again.

    Raises:
        NotAsked: the id is of no question, or of a hand that is no more.
        Contradicted: no history agrees with it.
        Unfitting: a correction made by hand in a later hand could not have happened then.
    """
    model = evening.game.sighting_model
    try:
        if model is None:
            raise ValueError("a game without eyes asks nothing")
        chapter = evening.chapter(hand_of(question_id))
        fact = model.fact(question_id.partition(":")[2])
    except (KeyError, ValueError):
        raise NotAsked(f"{question_id!r} is no question of this evening") from None
    told = model.unseen(fact) and fact.places[:1] and fact.places[0] in chapter.missing
    if choice is not None and not told and not struck(chapter.outcome, chapter.facts, fact, model.default(fact), choice):
        raise Contradicted("nothing that is thought possible agrees with this answer: correct the hand instead")
    return reported(evening, Answered(question_id, choice))


def _gain(values: list[str | None], shares: list[float], paid: list[Hashable]) -> float:
    """Expected information (bits) about the payments from an answer, which strikes out what says something else.

    Histories that say nothing about it stay, whatever the answer; how likely each answer is, the others tell.
    """
    likely: dict[str, float] = defaultdict(float)
    for value, share in zip(values, shares, strict=True):
        if value is not None:
            likely[value] += share
    if len(likely) < 2:
        return 0.0
    after = 0.0
    for value, share in likely.items():
        left = [(odd, due) for found, odd, due in zip(values, shares, paid, strict=True) if found in (value, None)]
        after += share / sum(likely.values()) * _entropy(left)
    return _entropy(list(zip(shares, paid, strict=True))) - after


def _entropy(weighed: list[tuple[float, Hashable]]) -> float:
    """Bits needed to tell which payments it is."""
    odds: dict[Hashable, float] = defaultdict(float)
    for share, due in weighed:
        odds[due] += share
    total = sum(odds.values())
    return -sum(share / total * math.log2(share / total) for share in odds.values() if share)


def _choices(values: Iterable[str | None], shares: Iterable[float], *, whole: bool) -> tuple[Choice, ...]:
    """The likeliest values and one choice for all others; every value when ``whole``."""
    odds: dict[str, float] = defaultdict(float)
    for value, share in zip(values, shares, strict=True):
        if value is not None:
            odds[value] += share
    total = sum(odds.values())
    ranked = sorted((Choice(value, odd / total) for value, odd in odds.items()), key=lambda choice: -choice.probability)
    if whole:
        return tuple(ranked)
    offered = [choice for choice in ranked[:MAX_OFFERED] if choice.probability >= MIN_OFFERED_PROBABILITY]
    rest = sum(choice.probability for choice in ranked[len(offered) :])
    if len(offered) < len(ranked):
        offered.append(Choice(":".join((OTHER, *(choice.id for choice in offered))), rest))
    return tuple(offered)
