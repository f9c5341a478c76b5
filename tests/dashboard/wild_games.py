"""Games at random: any first line, and then whatever the rules allow or a phone can tell, for what must hold in all of them."""

from __future__ import annotations

import random
from collections.abc import Sequence

from first_lines import agreed_in
from hypothesis import strategies as st
from taps import taps

from companion.editing.commands import Change, Command, Confirm, Outcome, Redo, Say, Undo
from companion.games import GAMES, Game
from companion.games.stoper.rules import log as stoper
from companion.games.stoppa.rules import log as stoppa
from companion.games.stu.rules import log as stu
from companion.referee import Evening
from companion.table.game import Over, State
from companion.table.log import Event, Line, tag

NAMES = ("Anna", "Bruno", "Carla", "Dino", "Elsa", "Fabio")
SELDOM = {"void": 0.1, "close": 0.02, "split": 0.1, "giro": 0.05, "annul": 0.1, "matto": 0.1, "deal": 0.3, "cambio": 3.0}
"""Kind of event → how often, where it is possible; the others: 1."""


def first_line(name: str, chance: random.Random) -> Event:
    """A game that is soon over, by any of its rules; of a game that has no terms of its own here, its usual first line."""
    own = {"stu": _stu, "stoppa": _stoppa, "stoper": _stoper}.get(name)
    return own(chance) if own is not None else GAMES[name].rules.LOG.event(agreed_in(name))


def _stu(chance: random.Random) -> Event:
    names = NAMES[: chance.randint(2, 5)]
    rules = stu.HouseRules(
        salta_on_dealer=chance.choice(["deck", "stop"]), backward_run=chance.choice(["choice", "forced"]),
        two_matti_lowest=chance.choice(["others", "matti"]),
    )  # fmt: skip
    pedine = {name: chance.choice([1, 1, 1, 2, 3]) for name in names}
    if chance.random() < 0.5:
        pedine = {**dict.fromkeys(names, 1), chance.choice(names): 3}  # a virgin, whom the others may leave alone at the table
    standing = {name: stu.Standing(many, many == 3) for name, many in pedine.items()}
    edition = chance.choice(["booklet", "piazza-2010"])
    return stu.new_game(
        names, chance.choice([1, 101, 10**9]), names[-1], edition=edition, house_rules=rules, standing=standing,
        ricompere=chance.choice([0, 0, 3]),
    )  # fmt: skip


def _stoppa(chance: random.Random) -> Event:
    names = NAMES[: chance.randint(3, 6)]
    rules = stoppa.HouseRules(
        pass_=chance.choice(["final", "checks"]), grosso_nobody=chance.choice(["dealer", "carried"]),
        two_misere=chance.choice(["priority", "each"]), three_aces_anytime=chance.choice([True, False]),
        no_stoppata=chance.choice(["three_twos_no_king", "three_aces_no_king", "four_aces_no_king", "three_aces"]),
        all_at_once=chance.choice(["deck", "left"]),
    )  # fmt: skip
    points = chance.choice([True, False])
    removed = "denari-10" if len(names) == 3 else None
    return stoppa.new_game(names, 601, 101, names[-1], removed=removed, house_rules=rules, points=points)


def _stoper(chance: random.Random) -> Event:
    names = NAMES[: chance.randint(4, 6)]
    rules = stoper.HouseRules(
        false_opening=chance.choice(["noted", "forfeit"]), no_chips_no_opening=chance.choice(["play_on", "thrown_in"]),
        carry_join=chance.choice(["parola_only", "always"]), parola_level=chance.choice(["keep", "step"]),
        parola_join=chance.choice(["difference", "absent_only"]), dealer_pays=chance.choice([True, False]),
    )  # fmt: skip
    stacks, mode = chance.choice([3, 40, 2000]), chance.choice(["cash", "torneo"])
    return stoper.new_game(names, stacks, names[-1], mode=mode, house_rules=rules)


def any_act(game: Game, state: State, chance: random.Random) -> Event | None:
    """Something that can happen now: which kind of thing first, so that faces do not crowd out the rest. None: nothing can."""
    by_kind: dict[str, list[Event]] = {}
    for event in game.rules.legal_acts(state):
        by_kind.setdefault(tag(event), []).append(event)
    if not by_kind:
        return None
    plain = game.rules.LOG.event({"e": "hand"})
    if "hand" not in by_kind and game.rules.check(state, plain) is None:
        by_kind["hand"] = [plain]  # it ends the hand before, and begins one
    kind = chance.choices(list(by_kind), [SELDOM.get(kind, 1.0) for kind in by_kind])[0]
    return chance.choice(by_kind[kind])


def any_log(name: str, seed: int, most: int) -> tuple[Line, ...]:
    """A log of legal lines, with times and confidences; some lines stand for an outcome."""
    game, chance = GAMES[name], random.Random(seed)
    events = [first_line(name, chance)]
    state = game.rules.begin(events[0])
    over = 0
    while len(events) < most and over < 3 and (event := any_act(game, state, chance)) is not None:
        state = game.rules.apply(state, event)
        events.append(event)
        over += isinstance(game.rules.waiting(state), Over)
    return tuple(Line(event, float(at), chance.choice([None, 0.0, 0.4, 0.99])) for at, event in enumerate(events))


def any_command(evening: Evening, chance: random.Random) -> Command | None:
    """Something that a phone can say of this evening; it may be refused. None where nothing can be said."""
    game, current = GAMES[evening.game.id], evening.current
    kind = chance.choices(["act", "tap", "outcome", "change", "undo", "redo", "confirm"], [8, 8, 2, 2, 1, 1, 1])[0]
    hand = chance.choice(evening.chapters)
    events = tuple(line.event for line in hand.lines)
    match kind:
        case "act":
            event = any_act(game, current.after, chance)
            return Say((event,)) if event is not None else None
        case "tap":
            found = list(taps(game.pages.offers(current.after, "it", just_over=current.over), chance))
            return Say(chance.choice(found)) if found else None
        case "outcome":
            names = game.rules.names(current.after)
            if game.pages.outcomes is not None and game.pages.outcomes.in_money:
                has = dict(game.pages.outcomes.comes_to(hand.before, hand.after))
                wins = chance.choice(names)
                lies = max(game.pages.outcomes.most(hand.before) - sum(has.values()), 0)
                return Outcome(hand.id, {**has, wins: has.get(wins, 0) + lies})
            return Outcome(hand.id, {name: chance.choice([0, 0, 1, 1, 2]) for name in names})
        case "change" if events:
            start = chance.randrange(len(events) + 1)
            stop = min(start + chance.choice([0, 1, 1, 2]), len(events))
            return Change(hand.id, start, stop, (_act_at(game, hand, start, chance),) if chance.random() < 0.5 else (), mend=True)
        case "undo":
            return Undo()
        case "redo":
            return Redo()
        case "confirm":
            return Confirm(hand.id)
    return None


def _act_at(game: Game, hand: object, start: int, chance: random.Random) -> Event:
    state = hand.before
    for line in hand.lines[:start]:
        state = game.rules.apply(state, line.event)
    return any_act(game, state, chance) or hand.lines[0].event


seeds = st.integers(0, 2**32)


def prefixes(log: Sequence[Line]) -> range:
    return range(1, len(log) + 1)
