"""No card that nobody has laid open reaches a spectator, in any game, whatever the log, the camera or an organiser knows.

What the contract needs of a game is in `hidden_cards.HIDDEN`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from hidden_cards import HIDDEN, Hidden
from hypothesis import given, settings
from hypothesis import strategies as st
from leaks import ASKED, answered, answers, answers_of, everything, played

from companion.dashboard.settings import DEFAULTS
from companion.games import GAMES, Game
from companion.line.alone import evening_of
from companion.table.game import Turn
from companion.table.log import Line, tag
from companion.table.moments import Moment, last_hand

every_game = pytest.mark.parametrize("name", GAMES)
MOST_PREFIXES = 6


@dataclass(frozen=True)
class Case:
    """A game and what is hidden in it."""

    game: Game
    hidden: Hidden

    @classmethod
    def of(cls, name: str) -> Case:
        assert name in HIDDEN, f"{name} is in GAMES: say in hidden_cards.HIDDEN what nobody may see of it"
        return cls(GAMES[name], HIDDEN[name])

    def told(self, moments: list[Moment]) -> object:
        """All that a spectator can get of a game that has come so far."""
        return everything(self.game, moments), self.hidden.reckoned(moments)

    def told_blind(self, lines: Any) -> object:
        return self.told(played(self.game, self.hidden.blind(lines)))


def lengths(data: st.DataObject, whole: int) -> set[int]:
    """How far into a log to look: to some places, and to its end."""
    return {whole, *data.draw(st.lists(st.integers(1, whole), max_size=MOST_PREFIXES - 1))}


@every_game
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_what_the_log_knows_of_hidden_cards_changes_nothing(name: str, data: st.DataObject) -> None:
    case = Case.of(name)
    lines = case.hidden.noted(data.draw(case.hidden.logs))
    moments = played(case.game, lines)
    for length in lengths(data, len(lines)):
        assert case.told(moments[:length]) == case.told_blind(lines[:length])


@every_game
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_what_organisers_have_said_of_hidden_cards_changes_nothing(name: str, data: st.DataObject) -> None:
    case = Case.of(name)
    said = case.hidden.noted(evening_of(data.draw(case.hidden.logs)).log)  # every line, as if it had been said on a phone
    moments = played(case.game, said)
    for length in lengths(data, len(said)):
        assert case.told(moments[:length]) == case.told_blind(said[:length])


@every_game
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_every_face_on_a_page_is_one_that_was_laid_open_in_this_hand(name: str, data: st.DataObject) -> None:
    case = Case.of(name)
    moments = played(case.game, data.draw(case.hidden.logs))
    for length in lengths(data, len(moments)):
        check_faces(case, moments[:length])


def check_faces(case: Case, moments: list[Moment]) -> None:
    """What the TV and the moviola show and name has been laid open."""
    opened, pages, rules = faces_laid_open(moments), case.game.pages, case.game.rules
    view = msgspec.to_builtins(pages.view(moments, "it", DEFAULTS.view))
    assert case.hidden.faces({key: value for key, value in view.items() if key != "happened"}) <= opened
    if pages.moviola is not None and not rules.in_hand(moments[-1].seen):
        reel = pages.moviola(moments, "it")
        if reel is not None and reel.n == rules.hands(moments[-1].seen):
            assert case.hidden.faces(msgspec.to_builtins(reel)) <= opened


def faces_laid_open(moments: list[Moment]) -> set[str]:
    """The cards in the public lines of the hand in progress, or of the last one."""
    found = set[str]()
    for moment in last_hand(moments):
        for line in moment.lines:
            plain = msgspec.to_builtins(line.event)
            card = plain.get("card")
            found |= {card} if isinstance(card, str) else set()
            found |= {*plain.get("cards", ())} if isinstance(plain.get("cards", ()), list | tuple) else set()
            found |= {*(plain.get("discards") or ())} | ({"taverna"} if tag(line.event) == "taverna" else set())
    return found


@every_game
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_the_public_log_tells_the_same_money_and_no_card_that_was_dealt(name: str, data: st.DataObject) -> None:
    case = Case.of(name)
    rules, moments = case.game.rules, played(case.game, data.draw(case.hidden.logs))
    public = [line for moment in moments for line in moment.lines]
    assert not [line for line in public if tag(line.event) in ("deal", "draw") and faces_of(line)]
    seen = played(case.game, public)[-1].known
    assert case.hidden.money(rules.report(seen)) == case.hidden.money(rules.report(moments[-1].known))


def faces_of(line: Line) -> object:
    return getattr(line.event, "faces", None) or getattr(line.event, "card", None)


@every_game
def test_the_logs_have_cards_that_nobody_may_see(name: str) -> None:
    case = Case.of(name)
    lines = case.hidden.whole()
    upto = max(at for at, line in enumerate(lines) if faces_of(line) and tag(line.event) in ("deal", "draw")) + 1
    assert case.hidden.blind(lines[:upto]) != lines[:upto]


@pytest.mark.slow
@every_game
def test_in_every_phase_every_address_answers_as_if_nobody_had_seen_a_hidden_card(name: str) -> None:
    case = Case.of(name)
    lines = case.hidden.noted(case.hidden.whole())
    for length in phases(case.game, lines):
        dear = length == len(lines)
        told = answers(lines[:length], dear=dear)
        assert not differing(told, answers(case.hidden.blind(lines[:length]), dear=dear))
    asked = {*ASKED, *(["/api/chances"] if case.game.pages.chances is not None else [])}
    assert asked <= {one.partition(" ")[0] for one in told}


def differing(told: dict[str, bytes], blind: dict[str, bytes]) -> list[str]:
    """Which addresses answer differently."""
    return [one for one in sorted(told.keys() | blind.keys()) if told.get(one) != blind.get(one)]


def phases(game: Game, lines: Any) -> list[int]:
    """How far to play until the table first waits for each thing that it waits for in this log."""
    found: dict[object, int] = {}
    state, hidden = game.rules.begin(lines[0].event), False
    for length, line in enumerate(lines[1:], start=2):
        state = game.rules.apply(state, line.event)
        hidden = hidden or bool(faces_of(line))
        waiting = game.rules.waiting(state)
        if hidden:
            found.setdefault(waiting.step if isinstance(waiting, Turn) else type(waiting), length)
    return [*found.values(), len(lines)]


@pytest.mark.slow
@every_game
def test_what_the_camera_guesses_reaches_no_page_but_as_the_log_says_it(name: str) -> None:
    """Also while it is doubtful, and after every answer: no spectator is told what else the eyes hold for possible."""
    case = Case.of(name)
    if case.game.meaning is None:
        pytest.skip(f"no eyes follow {name}")
    assert case.hidden.watched is not None, f"eyes follow {name}: say in hidden_cards.HIDDEN what they report"
    guessed = answered(case.hidden.watched())
    assert len(guessed) > 1, "nothing was doubtful"
    for evening in guessed:
        moments = played(case.game, evening.log)
        for length in (*range(1, len(moments), 23), len(moments)):
            check_faces(case, moments[:length])
    told = answers_of(guessed[0])
    assert not differing(told, answers(case.hidden.blind(guessed[0].log)))
    assert not [one for one, said in told.items() if b'"question"' in said or b'"choices"' in said or b"alternatives" in said]
