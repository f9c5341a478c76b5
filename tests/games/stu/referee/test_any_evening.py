"""What holds for every evening, whatever is seen, answered and corrected in whatever order."""

from __future__ import annotations

from dataclasses import replace

import stories
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.eyes.sighting import Unseen
from companion.games import find_game, stu
from companion.games.stu.referee.facts import default_of, fact_of
from companion.games.stu.rules import Illegal
from companion.games.stu.rules.log import Draw, End, Event, Hand, Passo, Penalty, Rebuy, Reveal, Set, Standing, Swap, Void
from companion.games.stu.sightings import Appeared, Cleared, DeckExchanged, Exchanged, PedineSeen, Resumed, Shown, Sighting
from companion.referee import Evening, observe, replay
from companion.referee.chapter import decoded
from companion.referee.corrections import Correction, Stale, confirm, correct, suggestions
from companion.referee.keeping import encode_aside, encode_hand, restored
from companion.referee.questions import Contradicted, answer, questions
from companion.referee.record import decode, encode
from companion.referee.values import OTHER, struck, value_in

KINDS = st.sampled_from(["2", "7", "matto", "nulla", "taverna", "gnao", "salta", "bragon", "cucco"])
PLACES = st.integers(0, 3)
CHANCE = st.sampled_from([0.3, 0.6, 0.95, 0.99])


def _shown(t: float, place: int, kind: str, other: str, chance: float) -> Shown:
    return Shown(t, place, round(t * 100), ((kind, chance), ("4" if other == kind else other, 1 - chance)))


T = 0.0  # sightings are drawn without their time: they follow each other
ONE = st.one_of(
    st.builds(Appeared, st.just(T), PLACES),
    st.builds(_shown, st.just(T), PLACES, KINDS, KINDS, CHANCE),
    st.builds(lambda a, p: Exchanged(T, T, (a, (a + 1) % 4), p), PLACES, CHANCE),
    st.builds(DeckExchanged, st.just(T), st.just(T), PLACES, CHANCE),
    st.builds(PedineSeen, st.just(T), PLACES, st.integers(0, 4), CHANCE),
)
SOME = st.sets(PLACES).map(lambda places: tuple(sorted(places)))
HOLE = st.builds(
    lambda seconds, same, backs, faces, turned, deck: Resumed(
        T, seconds, same, tuple(set(range(4)) - set(same)), backs, tuple(set(faces) - set(backs)), turned, deck
    ),
    st.sampled_from([0.6, 4.0, 16.0, 34.0]), SOME, SOME, SOME, SOME, st.tuples(st.none() | PLACES, st.none() | PLACES),
)  # fmt: skip
DEAL: list[Sighting] = [Appeared(T, place) for place in range(4)]
SHOWDOWN = st.tuples(*(st.builds(_shown, st.just(T), st.just(place), KINDS, KINDS, CHANCE) for place in range(4)))
HANDS = st.builds(
    lambda middle, hole, end, gone: [*DEAL, *middle, *hole, *end, *gone],
    st.lists(st.one_of(ONE, ONE, HOLE), max_size=3), st.lists(HOLE, max_size=1), SHOWDOWN,
    st.sampled_from([[Cleared(T)], [Cleared(T)], []]),
)  # fmt: skip
NAMES = st.sampled_from(stories.NAMES)
EVENTS: st.SearchStrategy[tuple[Event, ...]] = st.one_of(
    st.builds(lambda a: (Passo(by=stories.NAMES[a]), Swap(with_=stories.NAMES[(a + 1) % 4])), PLACES),
    st.builds(lambda by, card: (Reveal(by=by, card=card),), NAMES, KINDS),
    st.builds(lambda by: (Draw(by=by),), NAMES),
    st.builds(lambda by: (Rebuy(by=by),), NAMES),
    st.builds(lambda player: (Penalty(player=player),), NAMES),
    st.builds(lambda player, pedine: (Set(standing={player: Standing(pedine, False)}),), NAMES, st.integers(0, 4)),
    st.sampled_from([(), (Void(),), (Hand(),), (End(),)]),
)
LINES = st.integers(0, 12)
BY_HAND = st.one_of(
    st.tuples(st.just("answer"), st.integers(0, 4)),
    st.tuples(st.just("confirm"), st.integers(0, 4)),
    st.tuples(st.just("suggested"), st.integers(0, 4), LINES, st.integers(0, 1), st.integers(0, 30)),
    st.tuples(st.just("correct"), st.integers(0, 4), LINES, st.integers(0, 1), EVENTS),
)
PARTS = st.tuples(st.one_of(HANDS, HANDS, ONE.map(lambda one: [one])), st.lists(BY_HAND, max_size=3))
EVENINGS = st.lists(PARTS, min_size=2, max_size=4).map(lambda parts: [act for seen, said in parts for act in (seen, *said)])


def play(script: list[object]) -> Evening:
    """The evening of a script; what cannot be corrected is left out."""
    result, t = stories.evening(edition="piazza-2010"), 0.0
    for act in script:
        if isinstance(act, list):
            for sighting in act:
                t += 0.7
                if isinstance(sighting, Resumed):
                    result = observe(result, Unseen(t, t + sighting.until, None, "gap"))
                    result = observe(result, replace(sighting, t=t, until=t + sighting.until))
                    t += sighting.until - sighting.t
                else:
                    result = observe(result, timed(sighting, t))
        elif isinstance(act, tuple):
            result = by_hand(result, act)
    return result


def timed(sighting: Sighting, t: float) -> Sighting:
    if isinstance(sighting, Exchanged | DeckExchanged):
        return replace(sighting, t=t, until=t + 0.5)
    if isinstance(sighting, Shown):
        return replace(sighting, t=t, episode=round(t * 100))
    return replace(sighting, t=t)


def by_hand(result: Evening, act: tuple[object, ...]) -> Evening:
    try:
        match act:
            case ("answer", int(number)):
                for asked in questions(result):
                    choices = [*(choice.id for choice in asked.choices), None]
                    return answer(result, asked.id, choices[number % len(choices)])
            case ("confirm", int(number)):
                return confirm(result, result.chapters[number % len(result.chapters)].id)
            case ("suggested", int(number), int(line), int(count), int(which)):
                chapter = result.chapters[number % len(result.chapters)]
                start = min(line, len(chapter.lines) - count)
                found = suggestions(result, chapter.id, start, start + count)
                events = found[which % len(found)].events
                return correct(result, Correction(chapter.id, start, start + count, events))
            case ("correct", int(number), int(line), int(count), tuple(events)):
                chapter = result.chapters[number % len(result.chapters)]
                start = min(line, len(chapter.lines))
                return correct(result, Correction(chapter.id, start, start + count, events))
    except (Illegal, Stale, Contradicted, ZeroDivisionError):  # the last: nothing can be suggested
        pass
    return result


@settings(max_examples=20)
@given(EVENINGS)
def test_recomputed_from_its_record_it_is_the_same(script: list[object]) -> None:
    result = play(script)
    game, kept = decode(encode(result.record, result.game), find_game)
    assert kept == result.record
    again = replay(game, kept)
    assert again == result
    assert again.log == result.log


@settings(max_examples=20)
@given(EVENINGS)
def test_what_was_taken_over_from_earlier_is_what_thinking_it_all_through_again_gives(script: list[object]) -> None:
    result = play(script)
    before = result.chapters[0].before
    for chapter in result.chapters:
        again = decoded(result.game, chapter.reports, before)
        assert again.lines == chapter.lines
        assert again.before == chapter.before
        before = again.after


@settings(max_examples=20)
@given(EVENINGS)
def test_its_log_always_passes_the_engine(script: list[object]) -> None:
    stu.replay(play(script).log)


@settings(max_examples=20)
@given(EVENINGS, st.lists(ONE, max_size=6), st.lists(BY_HAND, max_size=3))
def test_lines_fixed_by_hand_stay(script: list[object], more: list[Sighting], elsewhere: list[tuple[object, ...]]) -> None:
    result = play(script)
    fixed = {chapter.id: [chapter.lines[i].event for i in sorted(chapter.fixed)] for chapter in result.chapters}
    for number, sighting in enumerate([*more, Cleared(0.0)]):
        result = observe(result, timed(sighting, 1000 + number))
    for act in elsewhere:
        if act[0] == "answer":
            result = by_hand(result, act)
    for chapter in result.chapters:
        left = [line.event for line in chapter.lines]
        for event in fixed.get(chapter.id, []):
            assert event in left
            left.remove(event)


@settings(max_examples=20)
@given(EVENINGS)
def test_the_true_answer_never_makes_the_true_history_impossible(script: list[object]) -> None:
    """This holds for any of the histories as the true one: an answer that agrees with it never rules it out."""
    result = play(script)
    for found in questions(result):
        chapter = result.chapter(found.hand)
        fact = fact_of(found.id.partition(":")[2])
        offered = [choice.id for choice in found.choices]
        others = [id for id in offered if id.startswith(OTHER)]
        for history, facts in list(zip(chapter.outcome, chapter.facts, strict=True))[:50]:
            value = value_in(facts, fact, default_of(fact))
            if value is None:
                continue
            choice = value if value in offered else others[0]
            left = struck(chapter.outcome, chapter.facts, fact, default_of(fact), choice)
            assert history in left
            assert len(left) <= len(chapter.outcome)


@settings(max_examples=20)
@given(EVENINGS)
def test_kept_as_texts_it_is_restored_as_it_stood(script: list[object]) -> None:
    result = play(script)
    texts = [encode_hand(chapter) for chapter in result.chapters]
    again = restored(result.game, result.record, result.log, texts, encode_aside(result))
    assert again.log == result.log
    assert [chapter.reports for chapter in again.chapters] == [chapter.reports for chapter in result.chapters]
    assert [chapter.probability for chapter in again.chapters] == [chapter.probability for chapter in result.chapters]
    assert questions(again) == questions(result)
