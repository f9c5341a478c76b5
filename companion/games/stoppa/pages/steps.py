"""The steps of setting up that are Stoppa's own: forms taken into its draft, and what their pages show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from companion.decks.italian import SUITS, Kind
from companion.decks.italian_words import card
from companion.games.stoppa import words
from companion.games.stoppa.rules import State, begin, reasons
from companion.games.stoppa.rules.cards import DEALS
from companion.games.stoppa.rules.log import MOST, Game, HouseRules, new_game
from companion.pages import setup as house
from companion.pages.setup import Faces, Fact, Taken, Wrong
from companion.table.language import N_, Lang, catalogue
from companion.table.log import Event
from companion.table.money import typed

# What setting up an evening of Stoppa asks for besides the players: stakes, rules, first dealer, how things stand. Pure.


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
        re_open: nobody has said which Re that is, as the game before was of more players.
        late: the evening has begun already: ``standing``, everybody's balance, and ``hands_before`` count.
    """

    points: bool = False
    misera: int = 100
    small: int = 20
    dealer: str = ""
    removed: Kind = "denari-10"
    re_open: bool = False
    house_rules: HouseRules = HouseRules()
    late: bool = False
    standing: dict[str, int] = {}
    hands_before: int = 0


def game_line(names: tuple[str, ...], own: StoppaDraft) -> Game:
    """The first line of the log. Raises Wrong while nobody deals first, and where no such game can be."""
    if own.dealer not in names:
        raise Wrong(N_("Choose who deals first."))
    if own.re_open and len(names) == 3:
        raise Wrong(N_("Choose which Re is left out."))
    return checked(_line(names, own, own.dealer))


def _line(names: tuple[str, ...], own: StoppaDraft, dealer: str) -> Game:
    return new_game(
        names, own.misera, own.small, dealer, removed=own.removed if len(names) == 3 else None, house_rules=own.house_rules,
        standing={name: own.standing.get(name, 0) for name in names} if own.late else None,
        hands_before=own.hands_before if own.late else 0, points=own.points,
    )  # fmt: skip


def checked(game: Game) -> Game:
    """The game. Raises Wrong where the rules refuse it for a reason that can be mended in this form."""
    house.checked(begin, game, _REASONS)
    return game


def again(first: Game, state: State) -> StoppaDraft:
    """Another evening after this one: the same stakes and rules, all balances 0; the deck goes on to the next dealer."""
    return StoppaDraft(
        points=first.points, misera=first.misera, small=first.small, dealer=state.table.names[state.dealer],
        removed=first.removed or StoppaDraft().removed, re_open=first.removed is None, house_rules=first.house_rules,
    )  # fmt: skip


def continued(first: Game, state: State) -> StoppaDraft:
    """The game after this one with other people. What has been won and lost so far is settled with this one: balances add up to 0
    among those who have played. Raises Wrong while a punto grosso is carried, which is nobody's yet."""
    if state.carried:
        raise Wrong(N_("There is a pot that nobody has won yet: play for it first, then people can come and go."))
    return again(first, state)


def seated(own: StoppaDraft, before: tuple[str, ...], names: tuple[str, ...]) -> StoppaDraft:
    """The draft after the players were named again: what was said of players who are gone is dropped."""
    standing = {name: own.standing[name] for name in names if name in own.standing}
    return replace(own, dealer=own.dealer if own.dealer in names else "", standing=standing)


def with_stakes(names: tuple[str, ...], own: StoppaDraft, form: Mapping[str, str], rules: Mapping[str, Any]) -> StoppaDraft:
    """The draft with the stakes and the rules of the ``form``, whose amounts are as people type them. Raises Wrong."""
    points = form.get("points") == "1"
    try:
        chosen = msgspec.convert({"rules": rules, "removed": form.get("removed", own.removed)}, _Chosen)
    except msgspec.ValidationError as error:
        raise Wrong(N_("The page sent a rule that does not exist: load it again.")) from error
    if form.get("dealer") not in names:
        raise Wrong(N_("Choose who deals first."))
    misera, small = (amount(form.get(name, ""), points=points) for name in ("misera", "small"))
    own = replace(
        own, points=points, misera=misera, small=small, dealer=form["dealer"], removed=chosen.removed,
        re_open=own.re_open and len(names) != 3, house_rules=chosen.rules,
    )  # fmt: skip
    checked(_line(names, replace(own, late=False), own.dealer))
    return own


class _Chosen(msgspec.Struct):
    rules: HouseRules
    removed: Kind


def amount(text: str, *, points: bool) -> int:
    """An amount of 1 at least: cents from "2" or "2,50", or points. Raises Wrong."""
    return house.amount(text, 1, MOST, points=points)


def with_standing(names: tuple[str, ...], own: StoppaDraft, balances: Mapping[str, str], hands: str) -> StoppaDraft:
    """The draft with the state of a game that is under way. ``balances``: name → balance as typed, "+2", "-3,50"; ``hands``: the
    number of hands that were played. Raises Wrong."""
    found = {}
    for name in names:
        text = balances.get(name, "").strip().replace("−", "-")
        size = house.amount(text.lstrip("+-") or "0", 0, MOST, points=own.points)
        found[name] = -size if text.startswith("-") else size
    if sum(found.values()):
        raise Wrong(N_("What some have won the others have lost: together it must be 0."))
    before = house.count(hands, 9999, N_("The hands played are a number from 0 to {most}."))
    return replace(own, late=True, standing=found, hands_before=before)


Form = Mapping[str, str]
_AMOUNTS: Final = ("bet_min", "declaration_price", "stoppata_unit")


class Stakes:
    """The stakes, the rules, and the first dealer."""

    name = "stakes"

    def page(self, names: tuple[str, ...], own: StoppaDraft, form: Form, lang: Lang, faces: Faces) -> dict[str, Any]:
        rules = house.chosen(own.house_rules)
        chosen = {"points": str(int(own.points)), "misera": _typed(own, own.misera), "small": _typed(own, own.small)}
        chosen |= {name: _typed(own, rules[name]) if isinstance(rules.get(name), int) else "" for name in _AMOUNTS}
        return {
            "typed": {name: form.get(name, text) for name, text in chosen.items()},
            "kings": [(kind, card(kind, lang)) for kind in (f"{suit}-10" for suit in SUITS)] if len(names) == 3 else [],
            "amounts": amounts(lang),
        } | house.rules_on_page(own.house_rules, HouseRules(), house_rules(lang))

    def take(self, names: tuple[str, ...], own: StoppaDraft, form: Form) -> Taken:
        points = form.get("points") == "1"
        rules = house.picked(form, house_rules("it"))
        rules |= {name: amount(form[name], points=points) for name in _AMOUNTS if form.get(name, "").strip()}
        own = with_stakes(names, own, form, rules)
        return Taken(names, own, Standing.name if own.late else None)


class Standing:
    """How everybody stands in an evening that has begun already."""

    name = "standing"

    def page(self, names: tuple[str, ...], own: StoppaDraft, form: Form, lang: Lang, faces: Faces) -> dict[str, Any]:
        stands = {f"balance-{number}": _signed(own, own.standing.get(name, 0)) for number, name in enumerate(names)}
        stands["hands"] = str(own.hands_before)
        return {"typed": {name: form.get(name, text) for name, text in stands.items()}}

    def take(self, names: tuple[str, ...], own: StoppaDraft, form: Form) -> Taken:
        balances = {name: form.get(f"balance-{number}", "") for number, name in enumerate(names)}
        return Taken(names, with_standing(names, own, balances, form.get("hands", "0").strip()))


class StoppaSetup:
    """See `companion.pages.setup.Setup`."""

    first_places = 3
    most_players = max(DEALS)
    late: str | None = N_("It goes on from how the balances stand now.")
    people = N_(
        "The game goes on with other people, between two hands: places stay, and balances begin at 0 again. What was won and "
        "lost before is settled in the end."
    )
    steps = (Stakes(), Standing())
    again, continued, seated = staticmethod(again), staticmethod(continued), staticmethod(seated)
    game_line = staticmethod(game_line)

    def fresh(self, *, late: bool) -> StoppaDraft:
        return StoppaDraft(late=late)

    def said_at_once(self, own: StoppaDraft) -> tuple[Event, ...]:
        return ()

    def sums(self, own: StoppaDraft) -> frozenset[int]:
        rules = house.chosen(own.house_rules)
        amounts = [rules[name] for name in _AMOUNTS if name in rules]
        return frozenset() if own.points else frozenset([own.misera, own.small, *amounts, *map(abs, own.standing.values())])

    def facts(self, names: tuple[str, ...], own: StoppaDraft, lang: Lang) -> tuple[Fact, ...]:
        _ = catalogue(lang).gettext

        def sum(minor: int) -> str:
            return words.amount(minor, lang, points=own.points)

        found = [
            Fact(_("Misera"), sum(own.misera), Stakes.name),
            Fact(_("Each punto piccolo"), sum(own.small)),
            Fact(_("Who deals first"), own.dealer or "–", Stakes.name),
        ]
        if len(names) == 3 and not own.re_open:
            found.append(Fact(_("Left out"), card(own.removed, lang)))
        rules, default = house.chosen(own.house_rules), house.usual(HouseRules())
        found += house.unusual(own.house_rules, house_rules(lang))
        for name, label in amounts(lang).items():
            if rules.get(name, default[name]) != default[name]:
                found.append(Fact(label, sum(rules[name])))
        if own.late:
            stands = ", ".join(f"{name} {words.signed_sum(own.standing.get(name, 0), lang, points=own.points)}" for name in names)
            found.append(Fact(_("How things stand"), stands, Standing.name))
        return tuple(found)


def _typed(own: StoppaDraft, minor: int) -> str:
    return str(minor) if own.points else typed(minor)


def _signed(own: StoppaDraft, minor: int) -> str:
    return ("-" if minor < 0 else "") + _typed(own, abs(minor))


def amounts(lang: Lang) -> dict[str, str]:
    """The house rules that are amounts, and what each decides; nothing typed is the usual."""
    _ = catalogue(lang).gettext
    return {
        "bet_min": _("Smallest bet (rule 5); usually none"),
        "declaration_price": _("Price of a misera and of four Re (rule 9); usually the misera"),
        "stoppata_unit": _("What the cards left cost (rule 15); usually the misera"),
    }


def house_rules(lang: Lang) -> dict[str, tuple[str, dict[str, str]]]:
    """House rule → what it decides, and each answer; the usual one comes first."""
    _ = catalogue(lang).gettext
    return {
        "pass": (
            _("Who passes before the first bet (rule 5)"),
            {"final": _("is out of this punto"), "checks": _("may still come in after it")},
        ),
        "grosso_nobody": (
            _("Nobody bets on the punto grosso (rule 8)"),
            {"dealer": _("the dealer takes it"), "carried": _("it stays for the next hand")},
        ),
        "no_stoppata": (
            _("The hand that prevents the stoppata (rule 9)"),
            {
                "three_twos_no_king": _("three 2s without a Re"), "three_aces_no_king": _("three aces without a Re"),
                "four_aces_no_king": _("four aces without a Re"), "three_aces": _("three aces"),
            },
        ),
        "two_misere": (
            _("Two misere in one hand (rule 9)"),
            {"priority": _("the first in order of play is paid by all"), "each": _("each is paid by those without one")},
        ),
        "three_aces_anytime": (
            _("Three aces without a Re, thrown out of turn of number (rule 14)"),
            {"false": _("never"), "true": _("allowed")},
        ),
        "cards_per_misera": (
            _("The stopper is paid once for every (rule 15)"),
            {"2": _("two cards left"), "3": _("three cards left")},
        ),
        "all_at_once": (
            _("All of a number at once (rule 13)"),
            {"deck": _("all in the deck"), "left": _("all that are left")},
        ),
    }  # fmt: skip
