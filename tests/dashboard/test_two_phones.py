"""Two phones say something at once, of the same moment: both is done as it was meant, in one order or the other, or one of
them is refused and hears what the other has said."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

import pytest
from flask import Flask
from hypothesis import given, settings
from phones import Phone
from taps import taps
from wild_games import any_command, first_line, seeds

from companion.dashboard.organiser.editor import events_of
from companion.editing.commands import Say, StaleVersion
from companion.editing.edit import obey
from companion.editing.rebase import rebased
from companion.games import GAMES
from companion.games.stoper.rules.log import new_game as new_stoper
from companion.games.stoppa.rules.log import new_game as new_stoppa
from companion.games.stu import story as stu_story
from companion.games.stu.rules.log import Standing, new_game
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder
from companion.referee import Evening
from companion.table.errors import Illegal
from companion.table.log import Event, Line, tag

every_game = pytest.mark.parametrize("name", GAMES)


def refusal(phone: Phone, other: Phone, first: Sequence[dict[str, Any]], second: Sequence[dict[str, Any]]) -> str:
    """What the other phone is told, which says the second thing on the view that both were shown."""
    phone.look(), other.look()
    said = other.view["said"]
    phone.say(*first)
    body = {"game": other.view["game"], "version": other.view["version"], "said": said,
            "do": {"what": "say", "events": list(second)}}  # fmt: skip
    answer = other.client.post("/api/organiser/command?lang=it", data=json.dumps(body), headers={"X-CSRF-Token": other.csrf})
    assert (answer.status_code, answer.json["error"]) == (409, "stale"), answer.text
    return str(answer.json["message"])


PASSES, SWAPS, CEDES = {"e": "passo", "by": "Anna"}, {"e": "swap", "with": "Bruno"}, {"e": "taverna", "by": "Bruno"}
REFUSALS = ["taverna", "gnao", "salta", "bragon", "cucco"]


def shows(card: str) -> dict[str, str]:
    return {"e": "reveal", "by": "Bruno", "card": card}


ANSWERS = {"swap": SWAPS, "ceded": CEDES, **{card: shows(card) for card in REFUSALS}}
"""All that Bruno can answer."""


@pytest.mark.parametrize("asked", [(PASSES,), ()], ids=["whole acts", "answers"])
@pytest.mark.parametrize("one", ANSWERS)
def test_of_two_answers_to_one_passo_the_second_is_refused(app: Flask, ledger: Ledger, one: str, asked: tuple) -> None:
    """Whether each phone tells the passo with it, or that was told before."""
    for other in ANSWERS:
        if other == one:
            continue
        game = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla", "Dino"], 200, "Dino")).game_id
        phones = Phone(app), Phone(app)
        phones[0].say({"e": "hand"}, *(() if asked else (PASSES,)))
        message = refusal(*phones, [*asked, ANSWERS[one]], [*asked, ANSWERS[other]])
        assert " ha detto: " in message, (one, other)
        assert [tag(line.event) for line in ledger.lines(game)] == ["game", "hand", "passo", ANSWERS[one]["e"]]


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("stays", ["Carla", "Dino"])
def test_who_was_said_to_stay_does_not_pass_meanwhile(app: Flask, ledger: Ledger, stays: str, answer: str) -> None:
    """A `sto` says of all before it that they stay, too (rule 11), whichever of the two is said first."""
    game = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla", "Dino"], 200, "Dino")).game_id
    phones = Phone(app), Phone(app)
    phones[0].say({"e": "hand"})
    assert " ha detto: " in refusal(*phones, [{"e": "sto", "by": stays}], [PASSES, ANSWERS[answer]])
    assert [tag(line.event) for line in ledger.lines(game)] == ["game", "hand", "sto"]


@pytest.mark.parametrize("stays", ["Anna", "Bruno"])
def test_who_says_beside_it_that_one_of_them_stays_is_heard(app: Flask, ledger: Ledger, stays: str) -> None:
    game = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla", "Dino"], 200, "Dino")).game_id
    phones = Phone(app), Phone(app)
    phones[0].say({"e": "hand"})
    phones[0].look(), phones[1].look()
    before = phones[1].view
    phones[0].say({"e": "sto", "by": "Carla"})
    body = {"game": before["game"], "version": before["version"], "said": before["said"],
            "do": {"what": "say", "events": [{"e": "sto", "by": stays}]}}  # fmt: skip
    headers = {"X-CSRF-Token": phones[1].csrf}
    assert phones[1].client.post("/api/organiser/command?lang=it", data=json.dumps(body), headers=headers).status_code == 200
    assert [tag(line.event) for line in ledger.lines(game)] == ["game", "hand", "sto", "sto"]


def test_two_who_come_back_at_once_do_not_pay_what_neither_was_told(app: Flask, ledger: Ledger) -> None:
    """The second ricompera costs twice the first."""
    standing = {name: {"pedine": 0, "virgin": False} for name in ("Anna", "Bruno")}
    first = GAMES["stu"].rules.LOG.event(
        {"e": "game", "v": 1, "game": "stu", "players": ["Anna", "Bruno", "Carla", "Dino"], "stake": 200, "currency": "EUR",
         "dealer": "Dino", "standing": standing})  # fmt: skip
    EveningRecorder.begin(ledger, first)
    message = refusal(Phone(app), Phone(app), [{"e": "rebuy", "by": "Anna"}], [{"e": "rebuy", "by": "Bruno"}])
    assert "Anna rientra" in message


@pytest.mark.parametrize("first", ["close", "rebuy"])
def test_nobody_who_ends_the_game_is_taken_to_have_closed_the_ricompere(app: Flask, ledger: Ledger, first: str) -> None:
    """One says that nobody comes back, which wins the game, the other that Bruno does."""
    EveningRecorder.begin(ledger, new_game(["Anna", "Bruno"], 200, "Bruno", standing={"Bruno": Standing(1, False)}))
    one, other = Phone(app), Phone(app)
    one.say({"e": "hand"}, {"e": "reveal", "by": "Anna", "card": "9"}, {"e": "reveal", "by": "Bruno", "card": "2"})
    assert one.view["phase"] == "won_unless_reentry"
    acts = {"close": {"e": "close"}, "rebuy": {"e": "rebuy", "by": "Bruno"}}
    (second,) = acts.keys() - {first}
    said = refusal(one, other, [acts[first]], [acts[second]])
    assert ("Bruno rientra" if first == "rebuy" else "Niente più ricompere") in said, said
    assert one.look()["phase"] == ("won" if first == "close" else "in_play")


def test_a_vedo_is_no_vedo_of_a_raise_that_nobody_knew_of(app: Flask, ledger: Ledger) -> None:
    EveningRecorder.begin(ledger, new_stoppa(["Anna", "Bruno", "Carla", "Dino"], 600, 100, "Dino"))
    phones = Phone(app), Phone(app)
    phones[0].say({"e": "hand"}, {"e": "piccolo"}, {"e": "punto", "by": "Anna", "to": 50})
    refusal(*phones, [{"e": "vedo", "by": "Carla"}], [{"e": "rilancio", "by": "Bruno", "to": 200}])


def test_a_card_is_taken_back_that_was_there_when_it_was_said(app: Flask, ledger: Ledger) -> None:
    EveningRecorder.begin(ledger, new_stoppa(["Anna", "Bruno", "Carla", "Dino"], 600, 100, "Dino"))
    phones = Phone(app), Phone(app)
    phones[0].say({"e": "hand"}, *[{"e": "piccolo"}] * 4, {"e": "grosso"}, {"e": "lay", "by": "Anna", "cards": ["denari-2"]})
    refusal(*phones, [{"e": "lay", "by": "Anna", "cards": ["denari-3"]}], [{"e": "back", "lays": 1}])


def test_at_stoper_one_has_their_turn_once(app: Flask, ledger: Ledger) -> None:
    EveningRecorder.begin(ledger, new_stoper(["Ada", "Bice", "Ciro", "Dora"], 9000, "Dora"))
    phones = Phone(app), Phone(app)
    phones[0].say({"e": "hand", "cip": 50, "invito": 50})
    message = refusal(*phones, [{"e": "apro", "by": "Ada", "to": 200}], [{"e": "parola", "by": "Ada"}])
    assert "Ada apre" in message


SHOWDOWNS = {
    "stoppa": (
        new_stoppa(["Anna", "Bruno", "Carla", "Dino"], 600, 100, "Dino"),
        [{"e": "hand"}, {"e": "piccolo"}, {"e": "punto", "by": "Anna", "to": 50}, {"e": "vedo", "by": "Bruno"}],
        [["coppe-5"], ["coppe-9"]],
    ),
    "stoper": (
        new_stoper(["Anna", "Bruno", "Carla", "Dino"], 9000, "Dino"),
        [{"e": "hand", "cip": 50, "invito": 50}, {"e": "apro", "by": "Anna", "to": 200}, {"e": "vedo", "by": "Bruno"},
         *({"e": "passo", "by": name} for name in ("Carla", "Dino")),
         *({"e": "cambio", "by": name, "n": 0} for name in ("Anna", "Bruno")),
         *({"e": "busso", "by": name} for name in ("Anna", "Bruno"))],
        [["coppe-10", "coppe-5", "coppe-6"], ["spade-10", "spade-5", "spade-7"]],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SHOWDOWNS)
def test_two_cards_are_shown_at_once(app: Flask, ledger: Ledger, name: str) -> None:
    """Who is told last decides the hand, and means no more by it."""
    game, before, cards = SHOWDOWNS[name]
    kept = EveningRecorder.begin(ledger, game).game_id
    one, other = Phone(app), Phone(app)
    one.say(*before)
    other.look()
    for phone, player, shown in zip((one, other), ("Anna", "Bruno"), cards, strict=True):
        phone.say({"e": "show", "by": player, "cards": shown})
    shows = [line.event for line in ledger.lines(kept) if tag(line.event) == "show"]
    assert sorted((show.by, list(show.cards)) for show in shows) == [("Anna", cards[0]), ("Bruno", cards[1])]


OUTCOME, OTHER = ({"what": "outcome", "paid": {name: 1}} for name in ("Carla", "Anna"))
PENALTY = {"what": "say", "events": [{"e": "penalty", "player": "Dino"}]}
VOID = {"what": "say", "events": [{"e": "void"}]}
GNAO = {"what": "say", "events": [PASSES, shows("gnao")]}


@pytest.mark.parametrize("first", [OUTCOME, OTHER, PENALTY, VOID, GNAO], ids=["outcome", "another", "penalty", "void", "gnao"])
@pytest.mark.parametrize("second", [OUTCOME, PENALTY, VOID], ids=["outcome", "penalty", "void"])
def test_what_was_shown_first_and_no_longer_holds_is_refused_with_what_the_other_has_said(
    app: Flask, ledger: Ledger, first: dict[str, Any], second: dict[str, Any]
) -> None:
    """One phone has the preview open, and the other tells something else: confirmed, it is done as it was shown, or the refusal
    says who has said what, also where the rules would not allow it any more."""
    kept = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla", "Dino"], 200, "Dino", edition="piazza-2010")).game_id
    one, other = Phone(app), Phone(app)
    one.say({"e": "hand"})
    one.look(), other.look()
    view = other.view
    hand = {"hand": view["hand"]["id"]}
    do = {**second, **hand} if second["what"] == "outcome" else second
    body = {"game": view["game"], "version": view["version"], "said": view["said"], "do": do}
    send = {"headers": {"X-CSRF-Token": other.csrf}}
    mark = other.client.post("/api/organiser/command?lang=it", json={**body, "dry": True}, **send).json["mark"]
    one.view = one.send({**first, **hand} if first["what"] == "outcome" else first).json
    before = ledger.lines(kept)
    answer = other.client.post("/api/organiser/command?lang=it", json={**body, "expects": mark}, **send)
    if answer.status_code == 200:
        assert (first == second) == (ledger.lines(kept) == before), "the same is done once, all else is done"
        return
    assert (answer.status_code, answer.json["error"] in ("changed", "stale")) == (409, True), answer.text
    assert answer.json["message"] == f"Intanto Telefono ha detto: {one.view['undoes']['text']}. Guarda di nuovo"
    assert ledger.lines(kept) == before


def test_an_outcome_that_what_was_said_meanwhile_forbids_says_that_and_then_why(app: Flask, ledger: Ledger) -> None:
    """Without a preview, too. Tapped again on what the phone shows by then it is the rules that refuse it."""
    EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla", "Dino"], 200, "Dino", edition="piazza-2010"))
    one, other = Phone(app), Phone(app)
    one.say({"e": "hand"})
    view = other.look()
    one.say(*PENALTY["events"])
    do = {**OUTCOME, "hand": view["hand"]["id"]}
    body = {"game": view["game"], "version": view["version"], "said": view["said"], "do": do}
    for dry in (True, False):
        send = {"headers": {"X-CSRF-Token": other.csrf}}
        answer = other.client.post("/api/organiser/command?lang=it", json={**body, "dry": dry}, **send)
        assert (answer.status_code, answer.json["error"]) == (409, "stale")
        assert answer.json["message"] == "Intanto Telefono ha detto: Dino paga una pedina di penalità. Guarda di nuovo"
    other.look()
    again = other.send(do)
    assert (again.status_code, again.json["error"]) == (422, "illegal")


# Any two acts.


@every_game
@pytest.mark.parametrize("between", [False, True], ids=["anywhere", "between two hands"])
@settings(max_examples=20)
@given(seed=seeds)
def test_of_any_two_acts_both_are_done_as_meant_or_one_is_refused(name: str, between: bool, seed: int) -> None:
    chance = random.Random(seed)
    game, evening = GAMES[name], Evening.of(GAMES[name], first_line(name, chance))
    left = chance.randint(0, 25)
    while left > 0 or (between and left > -60 and (game.rules.in_hand(evening.current.after) or not evening.current.over)):
        command, left = any_command(evening, chance), left - 1
        if isinstance(command, Say):
            evening = said(evening, command.events) or evening
    found = list(taps(game.pages.offers(evening.current.after, "it", just_over=evening.current.over), chance))
    found += [(event,) for event in game.rules.legal_acts(evening.current.after)]
    for _ in range(15 if found else 0):
        check_both(evening, chance.choice(found), chance.choice(found))


def check_both(then: Evening, one: tuple[Event, ...], other: tuple[Event, ...]) -> None:
    first, alone = said(then, one), said(then, other)
    if first is None or alone is None or "void" in {tag(event) for event in (*one, *other)}:
        return
    try:
        command = rebased(Say(other), events_of(then.log), first)
        both = first if command is None else obey(first, command)
    except (StaleVersion, Illegal):
        return
    begun = len(then.log)
    was, wanted, came = (told(evening)[begun:] for evening in (first, alone, both))
    if command is None:
        assert not Counter(wanted) - Counter(was), (one, other)
        return
    added = {*one, *other}
    for meant in (was, wanted):
        for event, said_ in meant:
            if tag(event) == "end" and event not in added:
                continue  # it comes by itself
            if set(one) < set(other) and meant is was:
                continue  # the second says the first, and more
            assert (event, said_) in came, (one, other, came)
    put_in = Counter(event for event, _ in came) - Counter(event for event, _ in was) - Counter(event for event, _ in wanted)
    assert set(map(tag, put_in)) <= {"end"}, (one, other, came)


def said(evening: Evening, events: tuple[Event, ...]) -> Evening | None:
    try:
        return obey(evening, Say(events))
    except Illegal:
        return None


def told(evening: Evening) -> list[tuple[Event, Hashable]]:
    """The log, with what each line says in its place: what `companion rule` tells of it, whose money or pedine it moves, and
    who has won by a `close`."""
    game = GAMES[evening.game.id]
    rules, lines = game.rules, evening.log
    steps = _steps(game.id, lines)
    state, found = rules.begin(lines[0].event), list[tuple[Event, Hashable]]()
    found.append((lines[0].event, None))
    for number, line in enumerate(lines[1:], start=2):
        before, state = state, rules.apply(state, line.event)
        moved = None if tag(line.event) in ("show", "muck") else _moved(before, state)
        wins = game.pages.score(state, "it").winner if tag(line.event) == "close" else None
        found.append((line.event, (steps.get(number), moved, wins)))
    return found


def _steps(game_id: str, lines: Sequence[Line]) -> dict[int, Hashable]:
    if game_id == "stu":
        return {
            step.line: (step.deed, step.who, step.whom, step.payments) for hand in stu_story.story(lines) for step in hand.steps
        }
    return {}


def _moved(before: Any, after: Any) -> Hashable:
    for what in ("balances", "stacks", "pedine"):
        if hasattr(before, what):
            return tuple(now - was for was, now in zip(getattr(before, what), getattr(after, what), strict=True))
    return None
