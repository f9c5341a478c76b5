"""The steps of setting up that are Stoppa's own: forms taken into its draft, and what their pages show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.decks.italian import SUITS
from companion.decks.italian_words import card
from companion.games.stoppa import words
from companion.games.stoppa.pages import draft
from companion.games.stoppa.pages.draft import StoppaDraft
from companion.games.stoppa.rules import State
from companion.games.stoppa.rules.cards import DEALS
from companion.games.stoppa.rules.log import Game, HouseRules
from companion.pages import setup as house
from companion.pages.setup import Faces, Fact, Taken
from companion.table.language import N_, Lang, catalogue
from companion.table.money import typed

Form = Mapping[str, str]
_AMOUNTS: Final = ("bet_min", "declaration_price", "stoppata_unit")


class Stakes:
    """What is played for, by which rules, and who deals first."""

    name = "stakes"

    def page(self, names: tuple[str, ...], own: StoppaDraft, form: Form, lang: Lang, faces: Faces) -> dict[str, Any]:
        rules = house.chosen(own.house_rules)
        chosen = {"points": str(int(own.points)), "misera": _typed(own, own.misera), "small": _typed(own, own.small)}
        chosen |= {name: _typed(own, rules[name]) if isinstance(rules.get(name), int) else "" for name in _AMOUNTS}
        return {
            "typed": {name: form.get(name, text) for name, text in chosen.items()},
            "kings": [(kind, card(kind, lang)) for kind in (f"{suit}-10" for suit in SUITS)] if len(names) == 3 else [],
            "rules": house_rules(lang),
            "picked": {name: house.said(value) for name, value in rules.items()},
            "defaults": {name: house.said(value) for name, value in house.usual(HouseRules()).items()},
            "amounts": amounts(lang),
        }

    def take(self, names: tuple[str, ...], own: StoppaDraft, form: Form) -> Taken:
        points = form.get("points") == "1"
        rules = house.picked(form, house_rules("it"))
        rules |= {name: draft.amount(form[name], points=points) for name in _AMOUNTS if form.get(name, "").strip()}
        own = draft.with_stakes(names, own, form, rules)
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
        return Taken(names, draft.with_standing(names, own, balances, form.get("hands", "0").strip()))


class StoppaSetup:
    """See `companion.pages.setup.Setup`."""

    most_players = max(DEALS)
    late: str | None = N_("It goes on from how the balances stand now.")
    steps = (Stakes(), Standing())

    def fresh(self, *, late: bool) -> StoppaDraft:
        return StoppaDraft(late=late)

    def again(self, first: Game, state: State) -> StoppaDraft:
        return draft.again(first, state)

    def seated(self, own: StoppaDraft, before: tuple[str, ...], names: tuple[str, ...]) -> StoppaDraft:
        return draft.seated(own, before, names)

    def game_line(self, names: tuple[str, ...], own: StoppaDraft) -> Game:
        return draft.game_line(names, own)

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
        if len(names) == 3:
            found.append(Fact(_("Left out"), card(own.removed, lang)))
        rules, asked, default = house.chosen(own.house_rules), house_rules(lang), house.usual(HouseRules())
        for name, (question, answers) in asked.items():
            if name in rules:
                found.append(Fact(question, answers[house.said(rules[name])]))
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
