"""It was so: how it stands is set between two hands, in every game of the house, and from there on that holds."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from any_game import check_prefixes
from click.testing import CliRunner
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec import to_builtins
from msgspec.structs import replace
from phones import Phone

from companion.cli.rule import command as rule
from companion.dashboard import create_app
from companion.games import GAMES, Game
from companion.games.stoper.rules.log import Standing as Left
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder
from companion.pages.moments import Moment, follow
from companion.pages.phone import Form
from companion.pages.season import told_of
from companion.table.errors import GameError
from companion.table.log import Event, Line, tag, write_lines

STU = {"e": "game", "v": 1, "game": "stu", "players": ["Anna", "Bruno", "Carla"], "stake": 200, "currency": "EUR",
       "dealer": "Carla"}  # fmt: skip
STOPPA = {"e": "game", "v": 1, "game": "stoppa", "players": ["Anna", "Bruno", "Carla", "Dino"], "misera": 600, "small": 100,
          "currency": "EUR", "dealer": "Dino"}  # fmt: skip
STOPER = {"e": "game", "v": 1, "game": "stoper", "players": ["Ada", "Bice", "Ciro", "Dora"], "mode": "cash", "stacks": 500,
          "currency": "EUR", "dealer": "Dora"}  # fmt: skip
TORNEO = {**STOPER, "mode": "torneo"}
PIAZZA = {**STU, "edition": "piazza-2010"}

HAND = ({"e": "hand"}, *({"e": "reveal", "by": name, "card": card}
                         for name, card in (("Anna", "2"), ("Bruno", "5"), ("Carla", "7"))), {"e": "end"})  # fmt: skip
"""A hand of Stù that costs Anna a pedina."""


def data(*lines: dict[str, Any]) -> bytes:
    return "\n".join(map(json.dumps, lines)).encode()


def stu_set(ricompere: int | None = None, **standing: tuple[int, bool]) -> dict[str, Any]:
    said = {name: {"pedine": pedine, "virgin": virgin} for name, (pedine, virgin) in standing.items()}
    return {"e": "set", "standing": said} | ({} if ricompere is None else {"ricompere": ricompere})


def report(*lines: dict[str, Any]) -> dict[str, Any]:
    rules = GAMES[lines[0]["game"]].rules
    plain: dict[str, Any] = json.loads(json.dumps(rules.report(rules.replay_log(data(*lines))).to_dict()))  # type: ignore[attr-defined]
    return plain


# What it says, and what `--json` says of it.


def test_pedine_virgins_and_ricompere_are_as_the_table_says_and_the_rest_is_kept() -> None:
    told = report(STU, *HAND, stu_set(2, Anna=(3, True), Carla=(1, False)))
    assert told["players"] == [
        {"name": "Anna", "pedine": 3, "virgin": True, "in_play": True},
        {"name": "Bruno", "pedine": 3, "virgin": True, "in_play": True},
        {"name": "Carla", "pedine": 1, "virgin": False, "in_play": True},
    ]
    assert told["pot"] == 600 + 400 + 800
    assert told["ricompera"] == {"open": True, "price": 1600, "count": 2}
    assert told["hands"] == report(STU, *HAND)["hands"], "the hand stays as it was told"
    assert told["set"] == [{
        "after": 1, "ricompere": 2,
        "standing": {"Anna": {"pedine": 3, "virgin": True}, "Carla": {"pedine": 1, "virgin": False}},
    }]  # fmt: skip


def test_a_log_in_which_nothing_was_set_is_reported_as_ever() -> None:
    assert "set" not in report(STU, *HAND)


def test_who_is_set_to_no_pedina_is_out_and_comes_back_as_any() -> None:
    out = report(STU, stu_set(Anna=(0, False)))
    assert [player["in_play"] for player in out["players"]] == [False, True, True]
    back = report(STU, stu_set(Anna=(0, False)), {"e": "rebuy", "by": "Anna"})
    assert (back["players"][0]["pedine"], back["players"][0]["virgin"], back["pot"]) == (3, False, 1000)


@pytest.mark.parametrize(
    ("virgin", "status"), [(True, "won_unless_reentry"), (False, "won")], ids=["who may still lose it", "who has won"]
)
def test_one_player_left_has_won_as_ever(virgin: bool, status: str) -> None:
    told = report(STU, stu_set(Anna=(0, False), Bruno=(0, False), Carla=(3, virgin)))
    assert (told["status"], told["winner"]) == (status, "Carla")


def test_after_rule_21_a_hand_has_the_game_begun_again_or_one_alone_has_won() -> None:
    first = {**STU, "players": ["Anna", "Bruno"], "dealer": "Bruno",
             "standing": {name: {"pedine": 1, "virgin": False} for name in ("Anna", "Bruno")}}  # fmt: skip
    shown = [{"e": "reveal", "by": name, "card": card} for name, card in (("Anna", "matto"), ("Bruno", "2"))]
    all_out = [{"e": "hand"}, *shown, {"e": "end"}]
    assert report(first, *all_out)["status"] == "restarted"
    assert report(first, *all_out, stu_set(Anna=(2, False)))["status"] == "restarted"
    assert report(first, *all_out, stu_set(Anna=(0, False)))["status"] == "won"


def test_a_virgin_restored_can_meet_the_virgins_end_and_one_who_was_none_cannot() -> None:
    from companion.games.stu.rules import replay_log
    from companion.games.stu.rules.report import virgins_by_hand

    log = data(STU, *HAND, stu_set(Anna=(3, True), Carla=(3, False)), *HAND)
    assert virgins_by_hand(replay_log(log)) == (("Anna", "Bruno", "Carla"), ("Anna", "Bruno"))


def test_a_penalty_stands_at_its_hand_and_says_whether_the_set_line_was_told_before_it() -> None:
    """Terminal, sheet, TV and phone list it with its hand, above what was set: read in that order alone, the set would seem to
    have taken it back."""
    penalty, restored, since = {"e": "penalty", "player": "Bruno"}, stu_set(Bruno=(3, False)), "dopo che il tavolo ha detto come"
    void = ({"e": "hand"}, {"e": "void"})
    for told, told_after in (((penalty, restored), False), ((restored, penalty), True), ((*void, penalty, restored), False),
                             ((restored, *void, penalty), True), ((*void, restored, penalty), True),
                             ((restored, *HAND, penalty), False)):  # fmt: skip
        log = data(PIAZZA, *HAND, *told)
        with Ledger.in_memory(lambda _: GAMES["stu"].rules.LOG) as ledger:
            ledger.begin(GAMES["stu"].rules.LOG.read_lines(log))
            phone = Phone(create_app(ledger))
            places = {"sheet": phone.client.get("/organiser/games/1/sheet?lang=it").text,
                      "TV": phone.client.get("/api/hands?lang=it").text,
                      "phone": phone.client.get(f"/api/organiser/hand/{phone.view['hands'][-1]['id']}?lang=it").text,
                      "rule": CliRunner().invoke(rule, ["-"], input=log).output,
                      "story": CliRunner().invoke(rule, ["-", "--story"], input=log).output}  # fmt: skip
        assert {where: since in text for where, text in places.items()} == dict.fromkeys(places, told_after), told
        assert "since_set" not in json.dumps(report(PIAZZA, *HAND, *told))


def test_a_penalty_after_a_set_ends_a_virginity_that_the_set_restored() -> None:
    """Both between the same two hands: what comes later holds. So nobody meets the virgin's end who was no virgin any more."""
    from companion.games.stu.rules import replay_log
    from companion.games.stu.rules.report import virgins_by_hand
    from companion.games.stu.rules.state import Payment

    piazza, penalty = {**STU, "edition": "piazza-2010"}, {"e": "penalty", "player": "Anna"}
    after_set = replay_log(data(piazza, *HAND, stu_set(Anna=(3, True)), penalty, *HAND))
    before_set = replay_log(data(piazza, *HAND, penalty, stu_set(Anna=(3, True)), *HAND))
    assert "Anna" not in virgins_by_hand(after_set)[1]
    assert "Anna" in virgins_by_hand(before_set)[1]
    for state, told in ((after_set, False), (before_set, True)):
        *hands, last = state.hands
        causes = ("gnaffata", "bbummata", "lowest")
        paid = tuple(Payment("Anna", -1, cause, rule) for cause, rule in zip(causes, (15, 16, 8), strict=True))
        state = replace(state, hands=(*hands, replace(last, payments=paid)))
        assert ("fine del vergine" in str(state)) is told


def test_balances_are_as_the_table_says() -> None:
    told = report(STOPPA, {"e": "set", "standing": {"Anna": 250, "Dino": -250}, "reason": "contati"})
    assert [player["balance"] for player in told["players"]] == [250, 0, 0, -250]
    assert told["set"] == [{"after": 0, "standing": {"Anna": 250, "Dino": -250}, "reason": "contati"}]


def test_what_a_punto_grosso_has_left_on_the_table_stays_there() -> None:
    first = {**STOPPA, "house_rules": {"grosso_nobody": "carried"}}
    nobody = [{"e": "hand"}, *[{"e": "piccolo"}] * 4, {"e": "grosso"}, {"e": "annul"}]
    was = report(first, *nobody)
    on_table = -sum(player["balance"] for player in was["players"])
    assert on_table == 2000
    even = dict.fromkeys(STOPPA["players"], -500)  # type: ignore[union-attr]
    told = report(first, *nobody, {"e": "set", "standing": even}, {"e": "close"})
    assert sorted(player["balance"] for player in told["players"]) == [-500, -500, -500, 1500]
    assert refused(first, *nobody, {"e": "set", "standing": dict.fromkeys(even, 0)}) == (
        9, "the balances would then add up to 0, and 2000 lie on the table for the next hand: in all it must be -2000",
    )  # fmt: skip


def test_the_phone_says_which_sum_the_balances_must_come_to_and_why(ledger: Ledger) -> None:
    """Where a punto grosso has stayed on the table balances that come to 0 in all are refused."""
    first = GAMES["stoppa"].rules.LOG.event({**STOPPA, "house_rules": {"grosso_nobody": "carried"}})
    recorder = EveningRecorder.begin(ledger, first)
    phone = Phone(create_app(ledger, recorder=lambda: recorder))
    phone.say({"e": "hand"}, *[{"e": "piccolo"}] * 4, {"e": "grosso"}, {"e": "annul"})
    none = dict.fromkeys(("Anna", "Bruno", "Carla", "Dino"), 0)
    answer = phone.send({"what": "say", "events": [{"e": "set", "standing": none}]})
    assert answer.status_code == 422
    assert answer.json["message"] == (
        "I saldi farebbero 0,00 € in tutto, ma sul tavolo restano 20,00 € per la prossima mano: devono fare −20,00 €"
    )
    form = next(more["form"] for more in phone.view["next"]["more"] if more["key"] == "set")
    assert form["total"] == -2000
    assert "Sul tavolo restano 20,00 € per la prossima mano: i saldi fanno −20,00 € in tutto." in form["hint"]


def test_stacks_the_pot_and_what_opens_it_are_as_the_table_says() -> None:
    told = report(STOPER, {"e": "set", "stacks": {"Ada": 350}, "pot": 150, "level": "re"})
    assert [player["stack"] for player in told["players"]] == [350, 500, 500, 500]
    assert told["carried"] == {"pot": 150, "level": "re", "parola": False, "said": [], "join": {}}
    assert told["set"] == [{"after": 0, "stacks": {"Ada": 350}, "level": "re", "pot": 150}]
    left = {"e": "set", "stacks": {"Ada": 350}, "pot": 150, "level": "re"}
    gone = report(STOPER, left, {"e": "set", "stacks": {"Ada": 500}, "pot": 0})
    assert gone["carried"] == report(STOPER)["carried"], "without a pot a Donna opens"


def test_a_tournament_is_won_by_the_one_with_chips() -> None:
    told = report(TORNEO, {"e": "set", "stacks": {"Ada": 2000, "Bice": 0, "Ciro": 0, "Dora": 0}})
    assert (told["status"], told["winner"]) == ("won", "Ada")


# What cannot have been.


def refused(*lines: dict[str, Any]) -> tuple[int | None, str]:
    with pytest.raises(GameError) as caught:
        GAMES[lines[0]["game"]].rules.replay_log(data(*lines))  # type: ignore[attr-defined]
    return caught.value.line, caught.value.reason


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([STU, {"e": "hand"}, stu_set(Anna=(1, False))], "set in mid-hand"),
        ([STU, stu_set(Dino=(1, False))], "nobody called Dino sits at this table"),
        ([STU, stu_set(Anna=(2, True))], "Anna is a virgin with 2 pedine"),
        ([STU, stu_set(Anna=(0, False), Bruno=(0, False), Carla=(0, False))], "nobody has a pedina"),
        ([STU, stu_set(Anna=(0, False), Bruno=(0, False), Carla=(1, False)), stu_set(Anna=(1, False))],
         "set after the game is won"),
        ([STU, stu_set(-1)], "`ricompere`: Expected `int` >= 0"),
        ([STU, stu_set(10_001)], "`ricompere`: Expected `int` <= 10000"),
        ([STU, {"e": "set"}], "Object missing required field `standing`"),
        ([STU, {"e": "set", "standing": {"Anna": {"pedine": True, "virgin": False}}}],
         "`standing[...].pedine`: Expected `int`, got `bool`"),
        ([STU, {"e": "set", "standing": {}, "reason": None}], "`reason` is null"),
        ([STOPPA, {"e": "set", "standing": {"Anna": 5}}],
         "the balances would then add up to 5, and what some win others lose: in all it must be 0"),
        ([STOPPA, {"e": "set", "standing": {"Ugo": 0}}], "nobody called Ugo sits at this table"),
        ([STOPPA, {"e": "hand"}, {"e": "set", "standing": {}}], "set in mid-hand"),
        ([STOPPA, {"e": "close"}, {"e": "set", "standing": {}}], "the game is over"),
        ([STOPPA, {"e": "set"}], "Object missing required field `standing`"),
        ([STOPER, {"e": "set", "stacks": {"Ugo": 0}}], "nobody called Ugo sits at this table"),
        ([STOPER, {"e": "set", "stacks": {"Ada": -1}}], "`stacks[...]`: Expected `int` >= 0"),
        ([STOPER, {"e": "set", "stacks": {}, "pot": 10}], "a pot of 10 that a donna opens"),
        ([STOPER, {"e": "set", "stacks": {}, "level": "re"}], "a pot of 0 that a re opens"),
        ([STOPER, {"e": "hand", "cip": 10, "invito": 0}, {"e": "set", "stacks": {}}], "set in mid-hand"),
        ([STOPER, {"e": "close"}, {"e": "set", "stacks": {}}], "the game is over"),
        ([TORNEO, {"e": "set", "stacks": dict.fromkeys(["Ada", "Bice", "Ciro", "Dora"], 0)}],
         "a tournament in which nobody has chips"),
        ([STOPER, {"e": "set"}], "Object missing required field `stacks`"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_set_is_an_error_of_its_line(lines: list[dict[str, Any]], why: str) -> None:
    assert refused(*lines) == (len(lines), why)


# It holds from there on.


class Told:
    """Random games, in which now and then it is set how it stands."""

    def __init__(self, first: dict[str, Any], seed: int) -> None:
        self.game, self.chance = GAMES[first["game"]], random.Random(seed)
        self.rules: Any = self.game.rules
        self.events: list[Event] = [self.rules.LOG.event(first)]
        self.states = [self.rules.begin(self.events[0])]

    @property
    def now(self) -> Any:
        return self.states[-1]

    def go(self, events: Sequence[Event]) -> bool:
        for event in events:
            if self.rules.check(self.now, event) is not None:
                return False
            self.events.append(event)
            self.states.append(self.rules.apply(self.now, event))
        return True

    def act(self) -> bool:
        """Any act that the rules allow; False where there is none but to close."""
        legal = [event for event in self.rules.legal_acts(self.now) if tag(event) not in ("close", "void", "giro")]
        if not legal:
            return False
        kind = self.chance.choice(sorted({tag(event) for event in legal}))
        return self.go([self.chance.choice([event for event in legal if tag(event) == kind])])

    def aside(self) -> bool:
        """Something that can be told between two hands and begins none; False where there is nothing."""
        legal = [event for event in self.rules.legal_acts(self.now) if tag(event) in ("chips", "penalty", "rebuy")]
        if self.rules.check(self.now, _nothing(self)) is None:
            legal.append(self.set())
        return bool(legal) and self.go([self.chance.choice(legal)])

    def set(self) -> Event:
        """A `set` line of some players, as the rules allow it."""
        names = [name for name in self.rules.names(self.now) if self.chance.random() < 0.6]
        while True:
            event = self.rules.LOG.event({"e": "set", **getattr(self, f"_{self.game.id}")(names)})
            if self.rules.check(self.now, event) is None:
                return event
            names = names[1:]

    def _stu(self, names: list[str]) -> dict[str, Any]:
        pick = self.chance.choice
        standing = {name: {"pedine": (n := pick(range(6))), "virgin": n >= 3 and pick((True, False))} for name in names}
        return {"standing": standing} | ({"ricompere": pick(range(4))} if pick((True, False)) else {})

    def _stoppa(self, names: list[str]) -> dict[str, Any]:
        standing = {name: self.chance.randrange(-900, 900) for name in names[1:]}
        kept = zip(self.now.table.names, self.now.balances, strict=True)
        rest = sum(balance for name, balance in kept if name not in names)
        return {"standing": standing | {name: -sum(standing.values()) - rest - self.now.carried for name in names[:1]}}

    def _stoper(self, names: list[str]) -> dict[str, Any]:
        pick = self.chance.choice
        pot = pick((None, 0, 70))
        return {"stacks": {name: pick((0, 5, 120, 900)) for name in names}} | (
            {} if pot is None else {"pot": pot, "level": pick(("cavallo", "re")) if pot else "donna"}
        )


def told(first: dict[str, Any], seed: int, acts: int = 60) -> Told:
    """A game in which it was set at least once where that could be."""
    game = Told(first, seed)
    for _ in range(acts):
        if not game.rules.in_hand(game.now) and game.chance.random() < 0.5 and game.rules.check(game.now, _nothing(game)) is None:
            game.go([game.set()])
        if not game.act():
            break
    return game


def _nothing(game: Told) -> Event:
    key = "stacks" if game.game.id == "stoper" else "standing"
    return game.rules.LOG.event({"e": "set", key: {}})


def afresh(game: Told) -> Told:
    """A game whose first line says that it stands as in this one."""
    state, first = game.now, to_builtins(game.events[0])
    if game.game.id == "stu":
        first |= {
            "standing": {name: {"pedine": pedine, "virgin": virgin} for name, pedine, virgin
                         in zip(state.table.names, state.pedine, state.virgins, strict=True)},
            "ricompere": state.ricompere, "dealer": state.table.names[state.next_seat],
        }  # fmt: skip
    elif game.game.id == "stoppa":
        standing = dict(zip(state.table.names, state.balances, strict=True))
        first |= {"standing": standing, "dealer": state.table.names[state.dealer], "hands_before": state.counted}
    else:
        names, carried = state.table.names, state.carried
        paid, stacks = (dict(zip(names, sums, strict=True)) for sums in (carried.paid, state.stacks))
        left = Left(carried.level, carried.pot, paid, carried.parola, state.table.named(carried.said))
        first |= {"stacks": stacks, "dealer": names[state.dealer], "standing": to_builtins(left)}
    fresh = Told(first, game.chance.randrange(1000))
    if game.game.id == "stu":
        fresh.go([game.rules.LOG.event({"e": "matto", "in_deck": state.matti})])
    return fresh


def stands(rules: Any, state: Any, before: int) -> dict[str, Any]:
    """What the report says of the hands from number ``before`` + 1 on, and of how it stands."""
    plain: dict[str, Any] = json.loads(json.dumps(rules.report(state).to_dict()))
    plain.pop("set", None)
    plain["hands"] = [{**hand, "n": hand["n"] - before} for hand in plain["hands"][before:]]
    for hand in plain["hands"]:
        for found in hand["irregularities"]:
            found.pop("line", None)
    return plain


@pytest.mark.parametrize("first", [STU, STOPPA, STOPER, TORNEO], ids=["stu", "stoppa", "cash", "torneo"])
@settings(max_examples=20)
@given(seed=st.integers(0, 2**32))
def test_a_game_goes_on_as_one_that_begins_so(first: dict[str, Any], seed: int) -> None:
    game = told(first, seed, acts=25)
    while game.rules.in_hand(game.now):
        if not game.act():
            break
    assume(not game.rules.in_hand(game.now) and game.rules.check(game.now, _nothing(game)) is None)
    game.go([game.set()])
    assume(game.rules.check(game.now, _nothing(game)) is None)  # it is not won by that
    fresh, rules, before = afresh(game), game.rules, game.rules.hands(game.now)
    for _ in range(40):
        now, then = stands(rules, game.now, before), stands(rules, fresh.now, 0)
        if now["status"] == "restarted":
            now["status"] = then["status"]  # by rule 21, until the next hand
        if agreed := getattr(game.now, "agreements", ()):
            assert len(agreed) >= len(fresh.now.agreements)
            now.pop("settlement"), then.pop("settlement")
        assert now == then
        if not fresh.act():
            return
        assert game.go(fresh.events[-1:]), fresh.events[-1]


@pytest.mark.parametrize("first", [STU, STOPPA, STOPER, TORNEO], ids=["stu", "stoppa", "cash", "torneo"])
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32))
def test_a_log_in_which_it_was_set_is_as_good_as_any(first: dict[str, Any], seed: int) -> None:
    game = told(first, seed, acts=40)
    check_prefixes(game.rules, list(zip(game.events, game.states, strict=True)))
    assert all(hash(state) == hash(state) for state in game.states)
    sets = [event for event in game.events if tag(event) == "set"]
    listed = game.rules.report(game.now).to_dict().get("set", ())
    assert [{key: value for key, value in one.items() if key != "after"} for one in listed] == [
        {key: value for key, value in to_builtins(event).items() if key != "e"} for event in sets
    ]
    assert [one["after"] for one in listed] == [
        game.rules.hands(state) for state, event in zip(game.states, game.events[1:], strict=False) if tag(event) == "set"
    ]


# The pages.


def moments(game: Told) -> list[Moment]:
    return list(follow(game.rules, game.game.pages, (Line(event) for event in game.events)))


@pytest.mark.parametrize("first", [STU, STOPPA, STOPER, TORNEO], ids=["stu", "stoppa", "cash", "torneo"])
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32))
def test_money_comes_to_nothing_in_all_or_is_not_told(first: dict[str, Any], seed: int) -> None:
    game = told(first, seed)
    while game.rules.in_hand(game.now) and game.act():
        pass
    assume(not game.rules.in_hand(game.now))
    game.go([game.rules.LOG.event({"e": "close"})])
    found = told_of(game.rules, game.game.pages, [Line(event) for event in game.events], ended=True)
    assert found is not None
    assert found.sets == sum(tag(event) == "set" for event in game.events)
    nets = [player.figures["net"] for player in found.players if "net" in player.figures]
    left = game.now.carried.pot if game.game.id == "stoper" else 0
    gone = 0
    if game.game.id == "stu" and nets:  # who takes a part from outside sits at no table
        settled = game.rules.report(game.now).settlement or {}
        gone = sum(sum_ for name, sum_ in settled.items() if name not in game.now.table.names)
    assert sum(nets) == -left - gone if nets else True


def how_it_ends(game: Told) -> dict[str, list[int]]:
    """What everybody has in the end: as the season tells it, the evening's figures, and the spreadsheet of money."""
    pages, shown = game.game.pages, moments(game)
    found = told_of(game.rules, pages, [Line(event) for event in game.events], ended=True)
    assert found is not None
    assert pages.charts is not None
    figures = to_builtins(pages.charts.figures(shown, "it"))
    ends = {
        "season": [player.ends for player in found.players if player.ends is not None],
        "figures": [row[HAVE[game.game.id]][-1] for row in figures["rows"]],
    }
    if game.game.id != "stu":
        rows = pages.money_rows(shown, "it").rows[-len(game.now.table.names) :]
        ends["money"] = [int(row.cells[-1] * 100) for row in rows]
    return ends


HAVE = {"stu": "pedine", "stoppa": "balances", "stoper": "stacks"}


@pytest.mark.parametrize("first", [PIAZZA, STOPPA, STOPER, TORNEO], ids=["stu", "stoppa", "cash", "torneo"])
@settings(max_examples=15)
@given(seed=st.integers(0, 2**32))
def test_how_it_ends_is_the_same_wherever_it_is_told(first: dict[str, Any], seed: int) -> None:
    """Whatever has followed the last hand: chips bought, a void hand, a penalty, who came back, what was set."""
    game = told(first, seed, acts=25)
    while game.rules.in_hand(game.now):
        if not (game.chance.random() < 0.2 and game.go([game.rules.LOG.event({"e": "void"})])) and not game.act():
            break
    for _ in range(game.chance.randrange(3)):
        game.aside()
    assume(not game.rules.in_hand(game.now))
    last = list(getattr(game.now, HAVE[game.game.id]))
    for where, has in how_it_ends(game).items():
        assert has == last, where


CHIPS = {"e": "chips", "by": "Ada", "amount": 500}
VOID = ({"e": "hand", "cip": 10, "invito": 0}, {"e": "void"})
AFTER_THE_LAST_HAND: dict[str, tuple[dict[str, Any], tuple[dict[str, Any], ...], list[int]]] = {
    "chips": (STOPER, (CHIPS,), [1000, 500, 500, 500]),
    "a void hand, then chips": (STOPER, (*VOID, CHIPS), [1000, 500, 500, 500]),
    "a void hand, then a set": (STOPER, (*VOID, {"e": "set", "stacks": {"Dora": 700}}), [500, 500, 500, 700]),
    "a void hand, then balances": (STOPPA, ({"e": "hand"}, {"e": "void"}, {"e": "set", "standing": {"Anna": 50, "Dino": -50}}),
                                   [50, 0, 0, -50]),
    "a void hand, then pedine and a penalty": (
        PIAZZA, (*HAND, {"e": "hand"}, {"e": "void"}, stu_set(Bruno=(1, False)), {"e": "penalty", "player": "Carla"}), [2, 1, 2],
    ),
    "who came back": (PIAZZA, (*HAND, stu_set(Anna=(0, False)), {"e": "rebuy", "by": "Anna"}), [3, 3, 3]),
}  # fmt: skip


@pytest.mark.parametrize("case", AFTER_THE_LAST_HAND)
def test_what_follows_the_last_hand_is_in_how_it_ends(case: str) -> None:
    first, after, has = AFTER_THE_LAST_HAND[case]
    game = Told(first, 0)
    assert game.go([game.rules.LOG.event(line) for line in after])
    assert all(ends == has for ends in how_it_ends(game).values())


def forms(game: Game, state: Any) -> Iterator[Form]:
    for more in game.pages.offers(state, "it").more:
        if more.key == "set":
            assert more.form is not None
            yield more.form


@pytest.mark.parametrize("first", [STU, STOPPA, STOPER, TORNEO], ids=["stu", "stoppa", "cash", "torneo"])
def test_it_can_be_set_on_a_phone_exactly_where_the_rules_allow_it(first: dict[str, Any]) -> None:
    offered = set()
    for seed in range(6):
        game = told(first, seed)
        for state in game.states:
            found = list(forms(game.game, state))
            assert bool(found) == (game.rules.check(state, _nothing(game)) is None)
            offered.add(bool(found))
            for form in found:
                assert game.rules.check(state, form.event) is None
                after = game.rules.apply(state, form.event)
                assert stands(game.rules, after, 0) == stands(game.rules, state, 0), "as it stands, so it stands"
                assert len({(field.within, field.key) for field in form.fields}) == len(form.fields)
    assert offered == {True, False}


def test_the_terminal_says_between_which_hands_it_was_set() -> None:
    from companion.games import stoper, stoppa, stu

    log = data(STU, stu_set(1), *HAND, stu_set(Anna=(0, False), Bruno=(4, True)))
    said = [line for line in f"{stu.replay_log(log):en}".splitlines() if "table says" in line or line.startswith("Hand")]
    assert said == [
        "The table says how it stands: 1 ricompera paid", "Hand 1, dealt by Carla",
        "The table says how it stands: Anna: out; Bruno: 4 pedine, virgin",
    ]  # fmt: skip
    log = data(STOPPA, {"e": "set", "standing": {"Anna": 250, "Dino": -250}, "reason": "contati"})
    assert f"{stoppa.replay_log(log):it}".startswith("Il tavolo dice come si sta: Anna: +2,50 €; Dino: −2,50 € (contati)")
    log = data(STOPER, {"e": "set", "stacks": {"Ada": 350}, "pot": 150, "level": "re"})
    said = f"{stoper.replay_log(log):en}"
    assert said.startswith("The table says how it stands: Ada: €3.50; left in the pot: €1.50; a king (Re) opens")


def test_between_two_hands_the_money_is_told_in_the_order_in_which_it_was() -> None:
    """Chips and ricompere before what was set, and behind it; and what was set is marked."""
    bought = [{"e": "chips", "by": "Bice", "amount": amount} for amount in (100, 200)]
    chips = [STOPER, bought[0], {"e": "set", "stacks": {"Ada": 350}}, bought[1]]
    assert money_rows(chips)[4:7] == [("Bice", 1, False), ("Ada", -1.5, True), ("Bice", 2, False)]
    back = [{"e": "rebuy", "by": name} for name in ("Anna", "Carla")]
    ricompere = [STU, stu_set(Anna=(0, False), Carla=(0, False)), back[0], stu_set(2), back[1]]
    assert money_rows(ricompere)[3:6] == [("Anna", 4, False), ("", 8, True), ("Carla", 16, False)]


def money_rows(log: Sequence[dict[str, Any]]) -> list[tuple[str, float, bool]]:
    """Of each row of the spreadsheet of money: whose, how much, and whether it was set."""
    game = GAMES[log[0]["game"]]
    lines = game.rules.LOG.read_lines(data(*log))
    rows = game.pages.money_rows(list(follow(game.rules, game.pages, lines)), "it").rows
    return [(str(row.cells[2]), float(row.cells[3] or 0), row.set) for row in rows]


def test_the_figures_mark_what_was_set() -> None:
    game = Told(STU, 0)
    game.go([game.rules.LOG.event(line) for line in (*HAND, stu_set(Anna=(3, True)), *HAND)])
    charts = game.game.pages.charts
    assert charts is not None
    figures = charts.figures(moments(game), "it")
    assert [row.sets for row in figures.rows] == [(1,), (), ()]  # type: ignore[attr-defined]
    assert figures.rows[0].pedine == (3, 3, 2)  # type: ignore[attr-defined]
    drawn = charts.drawing(figures, "it")
    for one in drawn.split("</svg>")[:-1]:  # across, and upright
        assert (one.count("✎"), one.count("✎ messo a mano")) == (2, 1)


def test_who_is_restored_as_a_virgin_never_paid_in_the_season() -> None:
    log = [STU, *HAND, *HAND, stu_set(Anna=(3, True)), *HAND]
    lines = list(GAMES["stu"].rules.LOG.read_lines(data(*log)))
    found = told_of(GAMES["stu"].rules, GAMES["stu"].pages, lines, ended=False)
    assert found is not None
    assert found.players[0].figures["virgin"] == 2
    assert found.players[0].stood == (3, 2, 3, 2)


def test_write_lines_gives_the_line_back() -> None:
    plain = {"stoppa": {"e": "set", "standing": {}}, "stoper": {"e": "set", "stacks": {}}, "stu": stu_set(1, Anna=(3, True))}
    for game, line in plain.items():
        log = GAMES[game].rules.LOG
        assert json.loads(write_lines([Line(log.event(line))])) == line
