"""What setting up an evening of Stoppa asks for besides the players: stakes, rules, first dealer, how things stand. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.decks.italian import Kind
from companion.games.stoppa.rules import begin, reasons
from companion.games.stoppa.rules.log import MOST, Game, HouseRules, new_game
from companion.games.stoppa.rules.state import State
from companion.pages import setup
from companion.pages.setup import Wrong
from companion.table.language import N_
from companion.table.money import minor_units, points_of

NO_MONEY = N_("“{typed}” is no sum in euros, such as 2 or 2.50.")
NO_POINTS = N_("“{typed}” is no number of points, such as 200.")
_REASONS = {
    reasons.SMALL_GROSSO.code: N_("Too much for the punti piccoli: more must be left for the punto grosso than for one of them."),
    reasons.NUMBER_OF_PLAYERS.code: N_("Stoppa is for three to six players."),
}
"""What the rules have against a game, by the reason's code."""


class StoppaDraft(msgspec.Struct, frozen=True):
    """What is known so far.

    Attributes:
        points: the amounts are points; else they are minor units (cents).
        misera, small: what everybody pays in a hand, and one punto piccolo of it.
        dealer: who deals first; "" while open. removed: the Re that three play without.
        late: the evening has begun already: ``standing``, everybody's balance, and ``hands_before`` count.
    """

    points: bool = False
    misera: int = 100
    small: int = 20
    dealer: str = ""
    removed: Kind = "denari-10"
    house_rules: HouseRules = HouseRules()
    late: bool = False
    standing: dict[str, int] = {}
    hands_before: int = 0


def game_line(names: tuple[str, ...], own: StoppaDraft) -> Game:
    """The first line of the log. Raises Wrong while nobody deals first, and where no such game can be."""
    if own.dealer not in names:
        raise Wrong(N_("Choose who deals first."))
    return checked(_line(names, own, own.dealer))


def _line(names: tuple[str, ...], own: StoppaDraft, dealer: str) -> Game:
    return new_game(
        names, own.misera, own.small, dealer, removed=own.removed if len(names) == 3 else None, house_rules=own.house_rules,
        standing={name: own.standing.get(name, 0) for name in names} if own.late else None,
        hands_before=own.hands_before if own.late else 0, points=own.points,
    )  # fmt: skip


def checked(game: Game) -> Game:
    """The game. Raises Wrong where the rules have something against it that can be mended here."""
    setup.checked(begin, game, _REASONS)
    return game


def again(first: Game, state: State) -> StoppaDraft:
    """Another evening after this one: the same stakes and rules, all balances 0; the deck goes on to who has it next."""
    return StoppaDraft(
        points=first.points, misera=first.misera, small=first.small, dealer=state.table.names[state.dealer],
        removed=first.removed or StoppaDraft().removed, house_rules=first.house_rules,
    )  # fmt: skip


def seated(own: StoppaDraft, before: tuple[str, ...], names: tuple[str, ...]) -> StoppaDraft:
    """After the players were named: what was said of those who are gone is forgotten."""
    standing = {name: own.standing[name] for name in names if name in own.standing}
    return replace(own, dealer=own.dealer if own.dealer in names else "", standing=standing)


def with_stakes(names: tuple[str, ...], own: StoppaDraft, form: Mapping[str, str], rules: Mapping[str, Any]) -> StoppaDraft:
    """With what is played for and by which rules; amounts as people type them. Raises Wrong."""
    points = form.get("points") == "1"
    try:
        chosen = msgspec.convert({"rules": rules, "removed": form.get("removed", own.removed)}, _Chosen)
    except msgspec.ValidationError as error:
        raise Wrong(N_("The page sent a rule that does not exist: load it again.")) from error
    if form.get("dealer") not in names:
        raise Wrong(N_("Choose who deals first."))
    misera, small = (amount(form.get(name, ""), points=points) for name in ("misera", "small"))
    own = replace(
        own, points=points, misera=misera, small=small, dealer=form["dealer"], removed=chosen.removed, house_rules=chosen.rules
    )
    checked(_line(names, replace(own, late=False), own.dealer))
    return own


class _Chosen(msgspec.Struct):
    rules: HouseRules
    removed: Kind


def amount(text: str, *, points: bool) -> int:
    """An amount of 1 at least: cents from "2" or "2,50", or points. Raises Wrong."""
    found = _number(text, points=points)
    if found is None or not 1 <= found <= MOST:
        raise Wrong(NO_POINTS if points else NO_MONEY, typed=text)
    return found


def with_standing(names: tuple[str, ...], own: StoppaDraft, balances: Mapping[str, str], hands: str) -> StoppaDraft:
    """With how everybody stands: name → balance as typed, "+2", "-3,50"; and how many hands were played. Raises Wrong."""
    found = {}
    for name in names:
        text = balances.get(name, "").strip().replace("−", "-")
        size = _number(text.lstrip("+-") or "0", points=own.points)
        if size is None or size > MOST:
            raise Wrong(NO_POINTS if own.points else NO_MONEY, typed=text)
        found[name] = -size if text.startswith("-") else size
    if sum(found.values()):
        raise Wrong(N_("What some have won the others have lost: together it must be 0."))
    if not (hands.isascii() and hands.isdigit() and len(hands) < 5):
        raise Wrong(N_("The hands played are a number, 0 or more."))
    return replace(own, late=True, standing=found, hands_before=int(hands))


def _number(text: str, *, points: bool) -> int | None:
    text = text.strip()
    try:
        return points_of(text) if points else minor_units(text)
    except ValueError:
        return None
