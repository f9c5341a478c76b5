"""What was written down is told when it is due, where it belongs, and not at all where it cannot have happened."""

from companion.games import GAMES
from companion.games.stoppa.rules import log
from companion.games.stoppa.rules.log import new_game
from companion.line.prompter import RETRY_SECONDS, Prompter
from companion.referee import Evening
from companion.referee.corrections import Correction, correct
from companion.table.log import Line

NAMES = ("Anna", "Bruno", "Carla", "Dino")


def evening(*events: tuple[float, log.Event]) -> Evening:
    """An evening with these lines, each at its time."""
    made = Evening.of(GAMES["stoppa"], new_game(NAMES, 600, 100, "Dino"))
    for t, event in events:
        at = len(made.current.lines)
        made = correct(made, Correction(made.current.id, at, at, (event,), t=t))
    return made


def events(evening: Evening) -> list[str]:
    """What is known of the hand, in order."""
    return [type(line.event).__name__ for line in evening.current.lines]


DEALT = ((1.0, log.Hand()), (5.0, log.Piccolo()))


def test_a_word_is_told_when_it_is_due_and_not_before() -> None:
    phone, known = Prompter([Line(log.Punto(by="Anna", to=50), 7.0)], thumb=1.0), evening(*DEALT)
    assert phone(known, 7.9) is known
    told = phone(known, 8.0)
    assert events(told) == ["Hand", "Piccolo", "Punto"]
    assert told.current.lines[-1].t == 7.0
    assert phone.fitted == 1


def test_a_word_that_comes_late_stands_before_what_was_seen_since() -> None:
    bets = (6.0, log.Punto(by="Anna", to=50)), (7.0, log.Vedo(by="Bruno"))
    known = evening(*DEALT, *bets, (9.0, log.Show(by="Anna", cards=("spade-1",))))
    phone = Prompter([Line(log.Vedo(by="Carla"), 8.0)])
    assert events(phone(known, 12.0)) == ["Hand", "Piccolo", "Punto", "Vedo", "Vedo", "Show"]


def test_a_word_waits_for_the_eyes_and_is_left_out_where_they_never_see_its_cause() -> None:
    words = [Line(log.Vedo(by="Bruno"), 6.0), Line(log.Punto(by="Anna", to=50), 6.5)]
    phone, known = Prompter(words), evening(*DEALT)
    assert phone(known, 6.0 + RETRY_SECONDS - 0.1) is known
    assert events(phone(known, 6.0 + RETRY_SECONDS)) == ["Hand", "Piccolo", "Punto"]
    assert phone.fitted == 1


def test_words_are_told_in_their_order_whatever_their_times() -> None:
    words = [Line(log.Punto(by="Anna", to=50), 8.0), Line(log.Vedo(by="Bruno"), 7.0)]
    assert events(Prompter(words)(evening(*DEALT), 8.0)) == ["Hand", "Piccolo", "Punto", "Vedo"]
