"""When the referee asks, what, and what an answer does."""

from __future__ import annotations

import pytest
import stories
from stories import ANNA, BRUNO, CARLA, DINO, dealt, drawn, evening, exchanged, payments, plain, showdown, shown, told

from companion.games.stu.referee import words
from companion.games.stu.sightings import Cleared, Sighting
from companion.referee import Evening, observe
from companion.referee.questions import Contradicted, NotAsked, Question, answer, question, questions

BADLY_READ: list[Sighting] = [
    *dealt(), shown(9, ANNA, "2"), shown(9.4, BRUNO, "1", 0.7, "9"), shown(9.8, CARLA, "8"), shown(10.2, DINO, "6"), Cleared(15)
]  # fmt: skip
BRAGON_EARLY: list[Sighting] = [
    *dealt(), shown(8.6, CARLA, "bragon"), shown(9.4, BRUNO, "7"), shown(10.5, ANNA, "2"), shown(11, DINO, "5"), Cleared(20)
]  # fmt: skip


def asked(result: Evening) -> Question:
    found = question(result)
    assert found is not None
    return found


# What was seen → the question in Italian, its answers as on the buttons
QUESTIONS = {
    "the face that decides is read badly": (
        BADLY_READ,
        "Che carta ha scoperto Bruno?", ["L’1", "Il 9", "Un’altra"],
    ),
    "rule 16, a Bragon turned just before the others may have been a refusal": (
        BRAGON_EARLY,
        "Chi ha preso la bbummata da Carla?", ["Bruno", "Nessuno"],
    ),
    "rule 14, a Gnao that was turned long before the others, but nothing ran back": (
        [*dealt(), shown(5, CARLA, "gnao"), shown(13, BRUNO, "7"), shown(13.5, ANNA, "2"), shown(14, DINO, "5"), Cleared(20)],
        "Chi ha preso la gnaffata da Carla?", ["Bruno", "Nessuno"],
    ),
    "a card that the eyes never saw may be the lowest": (
        [*dealt(), shown(9, BRUNO, "7"), shown(9.4, ANNA, "matto"), shown(9.8, CARLA, "4"), Cleared(15)],
        "Che carta aveva Dino alla fine?", None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", QUESTIONS)
def test_the_one_question_that_settles_most_is_asked(case: str) -> None:
    sightings, sentence, buttons = QUESTIONS[case]
    found = asked(evening(sightings))
    assert words.question(found, "it") == sentence
    assert words.question(found, "en").endswith("?")
    labels = [words.choice(found, choice.id, stories.NAMES, "it") for choice in found.choices]
    assert buttons is None or sorted(labels) == sorted(buttons)
    assert [choice.probability for choice in found.choices] == sorted((c.probability for c in found.choices), reverse=True)
    assert sum(choice.probability for choice in found.choices) == pytest.approx(1)


QUIET = {
    "all is clear": plain(0, "2", "7", "9", "10"),
    "a doubt that changes nothing": [
        *dealt(), shown(9, ANNA, "2"), shown(9.4, BRUNO, "8", 0.6, "9"), shown(9.8, CARLA, "9"), shown(10.2, DINO, "6"),
        Cleared(15),
    ],
    "an exchange that changes nothing may have been": [
        *dealt(), exchanged(5, ANNA, BRUNO, 0.5), *showdown(9, "2", "7", "9", "10")
    ],
    "the cards have not been turned yet": [*dealt(), exchanged(5, ANNA, BRUNO, 0.5), drawn(7, DINO, 0.5)],
    "nothing has been seen": [],
}  # fmt: skip


@pytest.mark.parametrize("case", QUIET)
def test_nobody_is_asked_when(case: str) -> None:
    assert question(evening(QUIET[case])) is None


def test_an_answer_settles_the_ruling_and_nothing_more_is_asked() -> None:
    unsure = evening(BADLY_READ)
    assert payments(unsure.chapters[0]) == [("Bruno", "lowest")]
    settled = answer(unsure, asked(unsure).id, "9")
    assert payments(settled.chapters[0]) == [("Anna", "lowest")]
    assert settled.chapters[0].lines[-1].confidence > 0.95  # type: ignore[operator]
    assert question(settled) is None


def test_until_somebody_answers_the_ruling_stands_unsure() -> None:
    unsure = evening(BADLY_READ)
    assert unsure.chapters[0].lines[-1].confidence == pytest.approx(0.7, abs=0.01)


def test_dont_know_is_not_asked_again() -> None:
    unsure = evening(BADLY_READ)
    first = asked(unsure)
    again = question(answer(unsure, first.id, None))
    assert again is None or again.id != first.id


def test_an_answer_to_an_old_hand_changes_all_that_follows() -> None:
    unsure = evening(BADLY_READ, plain(100, "4", "7", "9", "10"))
    found = asked(unsure)
    assert found.hand == 0
    settled = answer(unsure, found.id, "9")
    pedine = [player.pedine for player in settled.current.after.players]
    assert pedine == [1, 3, 3, 3]  # Anna has paid twice; before, Bruno and Anna once each
    assert [player.pedine for player in unsure.current.after.players] == [2, 2, 3, 3]


def test_a_question_keeps_its_id_while_further_looks_change_the_odds() -> None:
    before = evening(BADLY_READ[:-1])
    better = stories.grown(before, shown(9.4, BRUNO, "1", 0.6, "9"))
    assert asked(before).id == asked(better).id
    assert asked(before).choices != asked(better).choices


def test_another_card_than_those_offered_can_be_told() -> None:
    doubtful = (("1", 0.3), ("4", 0.28), ("nulla", 0.22), ("5", 0.2))
    face = shown(9.4, BRUNO, "1")
    face = type(face)(face.t, face.place, face.episode, doubtful)
    unsure = evening(dealt(), shown(9, ANNA, "6"), face, shown(9.8, CARLA, "8"), shown(10.2, DINO, "7"), Cleared(15))
    found = asked(unsure)
    assert [choice.id for choice in found.choices] == ["1", "4", "nulla", "other:1:4:nulla"]
    assert words.choice(found, found.choices[-1].id, stories.NAMES, "it") == "Un’altra"
    settled = answer(unsure, found.id, found.choices[-1].id)
    assert "reveal Bruno 5" in told(settled.chapters[0])


def test_an_answer_that_nothing_agrees_with_is_refused_and_changes_nothing() -> None:
    unsure = evening(BRAGON_EARLY)
    with pytest.raises(Contradicted):
        answer(unsure, asked(unsure).id, str(DINO))


@pytest.mark.parametrize("id", ["7:card:1@9.40", "0:colour:1", "nonsense", ""])
def test_what_was_not_asked_cannot_be_answered(id: str) -> None:
    with pytest.raises(NotAsked):
        answer(evening(BADLY_READ), id, "9")


def test_every_hand_has_its_own_question_the_newest_first() -> None:
    again: list[Sighting] = [
        *dealt(101), shown(109, ANNA, "2"), shown(109.4, BRUNO, "1", 0.7, "9"), shown(109.8, CARLA, "8"), shown(110.2, DINO, "6"),
        Cleared(115),
    ]  # fmt: skip
    both = questions(evening(BADLY_READ, again))
    assert [found.n for found in both] == [2, 1]
    assert asked(evening(BADLY_READ, again)) == both[0]


def test_a_card_that_the_eyes_took_for_quite_another_can_be_told_in_two_steps() -> None:
    unsure = evening(BADLY_READ)
    other = asked(unsure).choices[-1]
    assert other.id == "other:1:9"
    unsure = answer(unsure, asked(unsure).id, other.id)
    found = asked(unsure)
    assert words.question(found, "it") == "Che carta aveva Bruno alla fine?"
    assert len(found.choices) > 10
    settled = answer(unsure, found.id, "nulla")
    assert payments(settled.chapters[0]) == [("Bruno", "lowest")]
    assert "reveal Bruno nulla" in told(settled.chapters[0])


def test_when_a_nulla_met_a_taverna_it_is_asked_who_asked() -> None:
    """Rule 13: the Taverna pays for the Nulla that it refused, and not for one that was never offered."""
    found = asked(evening(
        dealt(), shown(11, BRUNO, "taverna"), shown(12.2, ANNA, "nulla"), shown(14, CARLA, "7"), shown(14.4, DINO, "5"),
        Cleared(22),
    ))  # fmt: skip
    assert words.question(found, "it") == "Anna ha passato a Bruno?"
    assert {words.choice(found, choice.id, stories.NAMES, "en") for choice in found.choices} == {"Yes", "No"}


def test_a_hand_with_too_many_faces_missed_is_told_face_by_face() -> None:
    blocked = evening(dealt(), shown(9, ANNA, "2"), Cleared(20))
    assert told(blocked.chapters[0])[-1] == "void"
    asked_for = []
    for kind in ("1", "9"):
        found = asked(blocked)
        asked_for.append(words.question(found, "it"))
        blocked = answer(blocked, found.id, kind)
    assert asked_for == ["Che carta aveva Bruno alla fine?", "Che carta aveva Carla alla fine?"]
    blocked = answer(blocked, asked(blocked).id, "6")
    assert payments(blocked.chapters[0]) == [("Bruno", "lowest")]
    assert blocked.chapters[0].lines[-1].confidence > 0.9  # type: ignore[operator]


THREE_OF_FOUR: list[Sighting] = [*dealt(1.0, ANNA, BRUNO, CARLA), shown(9, ANNA, "6"), shown(9.4, BRUNO, "7"), shown(9.8, CARLA,
                                                                                                                     "8")]


def test_a_card_in_a_place_that_is_never_seen_is_asked_for_as_soon_as_the_others_lie_open() -> None:
    found = asked(evening(THREE_OF_FOUR))
    assert words.question(found, "it") == "Che carta aveva Dino alla fine?"
    told_of = answer(evening(THREE_OF_FOUR), found.id, "2")
    assert payments(told_of.chapters[0]) == [("Dino", "lowest")]
    assert question(told_of) is None
    gathered = observe(told_of, Cleared(15))
    assert payments(gathered.chapters[0]) == [("Dino", "lowest")]
    assert question(gathered) is None


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param([*dealt(), *THREE_OF_FOUR[3:]], id="a card that lies there may still be shown"),
        pytest.param(THREE_OF_FOUR[:-1], id="somebody else has not shown theirs yet"),
        pytest.param([*THREE_OF_FOUR[:3], shown(9, ANNA, "matto", 0.999), shown(9.4, BRUNO, "leone", 0.999), *THREE_OF_FOUR[5:]],
                     id="whatever Dino has, it is sure enough who pays"),
        pytest.param(THREE_OF_FOUR[:3], id="nobody has shown"),
    ],
)
def test_it_is_waited_for_where(seen: list[Sighting]) -> None:
    found = evening(seen)
    assert question(found) is None
    assert not found.chapters[0].over


def test_one_that_is_shown_after_all_is_believed() -> None:
    late = evening(THREE_OF_FOUR, shown(11, DINO, "10"))
    assert question(late) is None
    assert payments(late.chapters[0]) == [("Anna", "lowest")]


def test_when_nobody_knows_the_missing_faces_the_hand_stays_open() -> None:
    blocked = evening(dealt(), shown(9, ANNA, "2"), Cleared(20))
    for _ in range(3):
        blocked = answer(blocked, asked(blocked).id, None)
    assert question(blocked) is None
    assert blocked.chapters[0].lines[-1].confidence == 0.0
