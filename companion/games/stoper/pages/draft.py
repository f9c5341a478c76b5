"""What setting up an evening of Stoper asks for besides the players: cash or tournament, chips, stakes, rules, first dealer, how
things stand. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from companion.games.stoper.rules import State, begin, reasons
from companion.games.stoper.rules.between import buy_in
from companion.games.stoper.rules.cards import Level, Size
from companion.games.stoper.rules.log import MOST, Game, HouseRules, Mode, Standing, Usual, new_game
from companion.pages import setup
from companion.pages.setup import Wrong
from companion.table.language import N_

_ALL_THE_SAME = N_("In a tournament all begin with the same chips: empty the fields of those who do not, or play for cash.")
_REASONS = {
    reasons.NUMBER_OF_PLAYERS.code: N_("Stoper is for four to six players."),
    reasons.NO_STACKS.code: N_("Somebody must have chips."),
    reasons.STANDING_SAID.code: N_("Whose pot is it? Tap who said parola, two at least; nobody where nobody said it."),
    reasons.STANDING_LEVEL.code: N_(
        "A pot that was left is opened by a knight (Cavallo) or king (Re); without one, by a knave (Donna)."
    ),
    reasons.STANDING_PAROLA.code: N_("After parola something is in the pot."),
}
"""What the rules have against a game, by the reason's code."""


class StoperDraft(msgspec.Struct, frozen=True):
    """What is known so far. Amounts are minor units (cents).

    Attributes:
        stack: the chips that everybody begins with; ``stacks``: of those who begin with others (cash, or an evening taken over).
        cip, invito: what a hand is played for. chip: the smallest chip; 0: as the cip.
        deck: 0: the one that goes with the number of players.
        dealer: who deals first; "" while open.
        late: the evening has begun already: ``standing`` counts.
    """

    mode: Mode = "cash"
    stack: int = 5000
    stacks: dict[str, int] = {}
    cip: int = 50
    invito: int = 50
    chip: int = 0
    deck: Literal[0] | Size = 0
    dealer: str = ""
    house_rules: HouseRules = HouseRules()
    late: bool = False
    standing: Standing | None = None

    def stack_of(self, name: str) -> int:
        """The chips with which a player begins, minor units."""
        return self.stacks.get(name, self.stack)


def game_line(names: tuple[str, ...], own: StoperDraft) -> Game:
    """The first line of the log. Raises Wrong while nobody deals first, and where no such game can be."""
    if own.dealer not in names:
        raise Wrong(N_("Choose who deals first."))
    return checked(_line(names, own))


def _line(names: tuple[str, ...], own: StoperDraft) -> Game:
    stacks = {name: own.stack_of(name) for name in names}
    told = {0, buy_in(stacks.values())}  # not so in a game that went on, in which chips have moved since
    bought = own.stack if own.stack not in told else None
    usual = Usual(own.cip, own.invito, own.deck or None, own.chip or None, bought)
    return new_game(
        names, stacks if set(stacks.values()) != {own.stack} else own.stack, own.dealer, mode=own.mode,
        house_rules=own.house_rules, standing=(own.standing or _NOTHING_LEFT) if own.late else None, usual=usual,
    )  # fmt: skip


_NOTHING_LEFT = Standing("donna", 0, {}, False, ())


def checked(game: Game) -> Game:
    """The game. Raises Wrong where the rules refuse it for a reason that can be mended in this form."""
    setup.checked(begin, game, _REASONS)
    return game


def again(first: Game, state: State) -> StoperDraft:
    """Another evening after this one: the same stakes and rules, everybody with what a player buys in for; the deck goes on to
    the next dealer."""
    usual = first.usual or Usual(max(state.cip, 1), state.invito)
    return StoperDraft(
        mode=first.mode, stack=state.table.buy_in, cip=usual.cip, invito=usual.invito, chip=usual.chip or 0,
        deck=usual.deck or 0, dealer=state.table.names[state.dealer], house_rules=first.house_rules,
    )  # fmt: skip


def continued(first: Game, state: State) -> StoperDraft:
    """The game after this one with other people. For cash everybody keeps their chips; players who leave take theirs home,
    newcomers buy as many as a player of this game buys in for. A tournament begins again. Raises Wrong while a pot is carried,
    which is nobody's yet."""
    if state.carried.pot:
        raise Wrong(N_("There is a pot that nobody has won yet: play for it first, then people can come and go."))
    own = again(first, state)
    if first.mode != "cash":
        return own
    stacks = {name: chips for name, chips in zip(state.table.names, state.stacks, strict=True) if chips != own.stack}
    return replace(own, stacks=stacks)


def seated(own: StoperDraft, before: tuple[str, ...], names: tuple[str, ...]) -> StoperDraft:
    """The draft after the players were named again: what was said of players who are gone is dropped."""
    stacks = {name: own.stacks[name] for name in names if name in own.stacks}
    standing = own.standing if set(names) == set(before) else None
    return replace(own, dealer=own.dealer if own.dealer in names else "", stacks=stacks, standing=standing)


class _Chosen(msgspec.Struct):
    rules: HouseRules
    mode: Mode
    deck: Literal[0] | Size


def with_stakes(names: tuple[str, ...], own: StoperDraft, form: Mapping[str, str], rules: Mapping[str, Any]) -> StoperDraft:
    """The draft with the stakes and the rules of the ``form``, whose amounts are as people type them. Raises Wrong."""
    try:
        deck = form.get("deck", "0")
        plain = {"rules": rules, "mode": form.get("mode", own.mode), "deck": int(deck) if deck.isdecimal() else deck}
        chosen = msgspec.convert(plain, _Chosen)
    except msgspec.ValidationError as error:
        raise Wrong(N_("The page sent a rule that does not exist: load it again.")) from error
    if form.get("dealer") not in names:
        raise Wrong(N_("Choose who deals first."))
    stack, cip = (amount(form.get(name, "")) for name in ("stack", "cip"))
    invito, chip = (amount(form.get(name, "") or "0", least=0) for name in ("invito", "chip"))
    if stack <= cip + invito:
        raise Wrong(N_("With so few chips nobody can open: more must be left than cip and invito."))
    if chosen.deck and chosen.deck < 5 * len(names):
        raise Wrong(N_("Each player needs five cards: this deck has too few for all."))
    own = replace(
        own, mode=chosen.mode, stack=stack, stacks={} if not own.late else own.stacks, cip=cip, invito=invito, chip=chip,
        deck=chosen.deck, dealer=form["dealer"], house_rules=chosen.rules,
    )  # fmt: skip
    if not own.late:
        own = replace(own, stacks=_others(names, form, stack))
        if own.mode == "torneo" and own.stacks:
            raise Wrong(_ALL_THE_SAME)
        _can_be_opened(names, own)
    checked(_line(names, replace(own, late=False, stacks={} if own.late else own.stacks)))
    return own


def _can_be_opened(names: Sequence[str], own: StoperDraft) -> None:
    """Raises Wrong where nobody has chips enough for the smallest opening."""
    least, most = own.house_rules.bet_min, max(map(own.stack_of, names))
    if isinstance(least, int) and least > most:
        raise Wrong(N_("Nobody has enough chips: the smallest opening must be smaller, or the chips more."))


def _others(names: Sequence[str], form: Mapping[str, str], stack: int) -> dict[str, int]:
    """Name → chips, of those who begin with more or fewer than the others."""
    found = {}
    for number, name in enumerate(names):
        typed = form.get(f"stack-{number}", "").strip()
        if typed and (chips := amount(typed, least=0)) != stack:
            found[name] = chips
    return found


def amount(text: str, *, least: int = 1) -> int:
    """Cents from "2" or "2,50". Raises Wrong."""
    return setup.amount(text, least, MOST)


def with_standing(names: tuple[str, ...], own: StoperDraft, form: Mapping[str, str]) -> StoperDraft:
    """The draft with the state of a game that is under way: everybody's chips, and the pot that was left: who paid into it, what
    opens it, whose it is. Raises Wrong."""
    stacks = {name: amount(form.get(f"stack-{number}", "") or "0", least=0) for number, name in enumerate(names)}
    paid = {name: amount(form.get(f"paid-{number}", "") or "0", least=0) for number, name in enumerate(names)}
    pot = amount(form.get("pot", "") or "0", least=0)
    if sum(paid.values()) > pot:
        raise Wrong(N_("They cannot have put more into the pot than is in it."))
    said = tuple(name for number, name in enumerate(names) if form.get(f"said-{number}") == "1")
    levels: dict[str, Level] = {"cavallo": "cavallo", "re": "re"}
    level = levels.get(form.get("level", ""), "cavallo") if pot else "donna"
    parola = (bool(said) and own.house_rules.carry_join != "always") or form.get("parola") == "1"
    standing = Standing(level, pot, {name: put for name, put in paid.items() if put}, parola, said)
    own = replace(own, late=True, stacks=stacks, standing=standing)
    checked(_line(names, replace(own, dealer=own.dealer if own.dealer in names else names[0])))
    _can_be_opened(names, own)
    return own
