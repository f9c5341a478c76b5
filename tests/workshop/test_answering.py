"""What a truthful party at the table answers, and what it does not know."""

from __future__ import annotations

import pytest

from companion.games import GAMES
from companion.games.stu.rules.log import Draw, End, Event, Hand, Passo, Reveal, Swap, new_game
from companion.games.stu.sightings import Appeared, Cleared, Shown
from companion.referee import Evening, observe
from companion.referee.questions import Choice, Question
from companion.table.log import Line
from workshop.bench.stu.answering import Witness, settle

GAME = new_game(("Anna", "Bruno", "Carla", "Dino"), 200, "Dino")


def hand(t: float, *timed: tuple[float, Event]) -> list[Line]:
    return [Line(Hand(), t), *(Line(event, t + after) for after, event in timed)]


TRUTH = [
    Line(GAME, 0.0),
    *hand(
        1, (4, Passo(by="Anna")), (5, Swap(with_="Bruno")), (8, Passo(by="Bruno")), (9, Reveal(by="Carla", card="gnao")),
        (11, Swap(with_="Anna")), (14, Passo(by="Dino")), (15, Draw(by="Dino")), (18, Reveal(by="Anna", card="7")),
        (18.5, Reveal(by="Bruno", card="2")), (19, Reveal(by="Dino", card="5")), (20, End()),
    ),
    *hand(100, (9, Reveal(by="Anna", card="3")), (9.5, Reveal(by="Bruno", card="9"))),
]  # fmt: skip
"""The second hand breaks off: Carla and Dino have shown nothing."""


def asked(key: str, *choices: str, t: float = 20.0) -> Question:
    kind = key.partition(":")[0]
    return Question(f"0:{key}", 0, 1, kind, t, (), (), tuple(Choice(id, 0.5) for id in choices), 1.0)  # type: ignore[arg-type]


ANSWERS = {
    "an exchange that was": (asked("exchange:0:1", "yes", "no"), "yes"),
    "an exchange that was not": (asked("exchange:1:2", "no", "yes"), "no"),
    "the card that ran back": (asked("back:1:0", "yes", "no"), "yes"),
    "a passo that was refused": (asked("asked:1:2", "yes", "no"), "yes"),
    "the dealer's draw": (asked("draw:3", "yes", "no"), "yes"),
    "who took the gnaffata": (asked("gnaffata:2", "1", "nobody"), "1"),
    "that nobody took a bbummata": (asked("bbummata:2", "1", "nobody"), "nobody"),
    "a face that was shown": (asked("card:0@19.40", "1", "7"), "7"),
    "a face that none of those offered is": (asked("card:0@19.40", "1", "9", "other:1:9"), "other:1:9"),
    "a face that is not among the choices at all": (asked("card:0@19.40", "1", "9"), None),
    "a face that the eyes did not see": (asked("card:1", "2", "matto"), "2"),
    "a trump shown in mid-hand": (asked("card:2@10.10", "gnao", "salta", t=10.1), "gnao"),
    "a face that was never shown": (asked("card:3", "2", "7", t=115), None),
    "the same place, in another hand": (asked("card:0@109.20", "3", "7", t=109.2), "3"),
    "something before the first hand": (asked("draw:3", "yes", "no", t=-10), None),
}


@pytest.mark.parametrize("case", ANSWERS)
def test_a_truthful_party_tells(case: str) -> None:
    question, answer = ANSWERS[case]
    assert Witness(TRUTH).answer(question, question.t) == answer


def test_what_is_asked_about_a_hand_is_answered_about_that_hand_also_once_the_next_has_begun() -> None:
    assert Witness(TRUTH).answer(asked("card:1", "2", "9", t=103), begun=2.0) == "2"


def test_what_is_asked_is_answered_until_the_ruling_is_sure() -> None:
    """The true log: all stay, Anna has the 3, Bruno the 9, which the eyes take for a 1."""
    truth = [Line(GAME, 0.0), *hand(1, *((9 + 0.4 * k, Reveal(by=name, card=card))  # type: ignore[arg-type]
             for k, (name, card) in enumerate(zip(GAME.players, ("3", "9", "8", "6"), strict=True))), (11, End()))]  # fmt: skip
    evening = Evening.of(GAMES["stu"], GAME)
    for place in range(4):
        evening = observe(evening, Appeared(2 + 0.5 * place, place))
    doubtful = {0: (("3", 1.0),), 1: (("1", 0.7), ("9", 0.3)), 2: (("8", 1.0),), 3: (("6", 1.0),)}
    for place, alternatives in doubtful.items():
        evening = observe(evening, Shown(10 + 0.4 * place, place, place, alternatives))
    evening = observe(evening, Cleared(15))
    assert evening.current.after.hands[0].payments[0].player == "Bruno"
    evening, questions = settle(evening, Witness(truth))
    assert [question.kind for question in questions] == ["card"]
    assert evening.current.after.hands[0].payments[0].player == "Anna"
