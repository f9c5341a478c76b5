"""The steps of setting up that are Stoper's own: forms taken into its draft, and what their pages show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.stoper.pages import draft
from companion.games.stoper.pages.draft import StoperDraft
from companion.games.stoper.rules.cards import DECKS, deck_of
from companion.games.stoper.rules.log import HouseRules
from companion.pages import setup as house
from companion.pages.setup import Faces, Fact, Taken
from companion.table.language import N_, Lang, catalogue
from companion.table.log import Event
from companion.table.money import money, typed

Form = Mapping[str, str]
MOST_PLAYERS = 6


class Stakes:
    """Cash or tournament, chips and stakes, rules, and the first dealer."""

    name = "stakes"

    def page(self, names: tuple[str, ...], own: StoperDraft, form: Form, lang: Lang, faces: Faces) -> dict[str, Any]:
        amounts = {"stack": own.stack, "cip": own.cip, "invito": own.invito}
        texts = {name: typed(minor) for name, minor in amounts.items()}
        texts |= {"chip": typed(own.chip) if own.chip else "", "mode": own.mode, "deck": str(own.deck), "dealer": own.dealer}
        bet_min = own.house_rules.bet_min
        texts["bet_min"] = typed(bet_min) if isinstance(bet_min, int) else ""
        texts |= {f"stack-{number}": typed(own.stacks[name]) for number, name in enumerate(names) if name in own.stacks}
        return {
            "typed": texts | {name: form[name] for name in form},
            "decks": decks(len(names), lang),
            "why": reasons(lang),
        } | house.rules_on_page(own.house_rules, HouseRules(), house_rules(lang))

    def take(self, names: tuple[str, ...], own: StoperDraft, form: Form) -> Taken:
        rules = house.picked(form, house_rules("it"))
        if form.get("bet_min", "").strip():
            rules["bet_min"] = draft.amount(form["bet_min"])
        own = draft.with_stakes(names, own, form, rules)
        return Taken(names, own, Standing.name if own.late else None)


class Standing:
    """How everything stands in an evening that has begun already."""

    name = "standing"

    def page(self, names: tuple[str, ...], own: StoperDraft, form: Form, lang: Lang, faces: Faces) -> dict[str, Any]:
        stands = own.standing
        texts = {f"stack-{number}": typed(own.stack_of(name)) for number, name in enumerate(names)}
        if stands is not None:
            texts |= {"pot": typed(stands.pot), "level": stands.level, "parola": "1" if stands.parola else ""}
            texts |= {f"paid-{number}": typed(stands.paid.get(name, 0)) for number, name in enumerate(names)}
            texts |= {f"said-{number}": "1" for number, name in enumerate(names) if name in stands.said}
        return {"typed": {name: form[name] for name in form} or texts, "of_some": own.house_rules.carry_join == "always"}

    def take(self, names: tuple[str, ...], own: StoperDraft, form: Form) -> Taken:
        return Taken(names, draft.with_standing(names, own, form))


class StoperSetup:
    """See `companion.pages.setup.Setup`."""

    first_places = 4
    most_players = MOST_PLAYERS
    late: str | None = N_("It goes on from the chips and the pot as they stand now.")
    people = N_(
        "The game goes on with other people, between two hands: places and chips stay; who leaves takes theirs home. A "
        "tournament begins again."
    )
    steps = (Stakes(), Standing())
    again, continued, seated = staticmethod(draft.again), staticmethod(draft.continued), staticmethod(draft.seated)
    game_line = staticmethod(draft.game_line)

    def fresh(self, *, late: bool) -> StoperDraft:
        return StoperDraft(late=late)

    def said_at_once(self, own: StoperDraft) -> tuple[Event, ...]:
        return ()

    def sums(self, own: StoperDraft) -> frozenset[int]:
        least, left = own.house_rules.bet_min, own.standing
        found = [own.stack, *own.stacks.values(), own.cip, own.invito, own.chip, *([least] if isinstance(least, int) else [])]
        return frozenset(found if left is None else [*found, left.pot, *left.paid.values()])

    def facts(self, names: tuple[str, ...], own: StoperDraft, lang: Lang) -> tuple[Fact, ...]:
        _ = catalogue(lang).gettext
        chips = money(own.stack, lang)
        if set(map(own.stack_of, names)) != {own.stack}:
            chips = ", ".join(f"{name} {money(own.stack_of(name), lang)}" for name in names)
        found = [
            Fact(_("Played as"), modes(lang)[own.mode], Stakes.name),
            Fact(_("Chips for each"), chips, Standing.name if own.late else None),
            Fact(_("Cip and invito"), f"{money(own.cip, lang)} + {money(own.invito, lang)}", Stakes.name),
            Fact(_("Deck"), _("{n} cards").format(n=own.deck or deck_of(len(names)))),
            Fact(_("Who deals first"), own.dealer or "–", Stakes.name),
        ]
        if own.chip:
            found.append(Fact(_("Smallest chip"), money(own.chip, lang)))
        found += house.unusual(own.house_rules, house_rules(lang))
        if isinstance(own.house_rules.bet_min, int):
            found.append(Fact(_("Smallest opening and bet"), money(own.house_rules.bet_min, lang)))
        if own.late and own.standing is not None and own.standing.pot:
            found.append(Fact(_("Left in the pot"), money(own.standing.pot, lang), Standing.name))
        return tuple(found)


def modes(lang: Lang) -> dict[str, str]:
    """How it can be played."""
    _ = catalogue(lang).gettext
    return {"cash": _("Cash: chips can be bought"), "torneo": _("Tournament: the last one with chips wins")}


def decks(players: int, lang: Lang) -> dict[str, str]:
    """The decks that this number of players can play with, as a form names them; the usual one for this number first."""
    _ = catalogue(lang).gettext
    said = {36: _("36 cards, without 2s"), 32: _("32 cards, without 2s and 3s"), 28: _("28 cards, without 2s, 3s and 4s")}
    plain = deck_of(players)
    return {"0": said[plain]} | {str(size): said[size] for size in DECKS if size != plain and size >= 5 * players}


def house_rules(lang: Lang) -> dict[str, tuple[str, dict[str, str]]]:
    """House rule → what it decides, and each answer; the usual one comes first."""
    _ = catalogue(lang).gettext
    return {
        "dealer_pays": (
            _("Does the dealer pay cip and invito? (rule 3)"),
            {"true": _("yes, like everybody"), "false": _("no")},
        ),
        "opening_point": (
            _("What opens (rule 6)"),
            {"over_10": _("a figure, or 11 points and more"), "figure_only": _("a figure alone")},
        ),
        "false_opening": (
            _("Who is proved to have opened without it (rule 6)"),
            {"noted": _("is noted, and the money stands"), "forfeit": _("cannot win the showdown")},
        ),
        "ace_pair_third": (
            _("Beside two aces counts (rule 15)"),
            {"figure": _("a figure alone: 32, else 22"), "any": _("any card, with its points")},
        ),
        "blind_speaks_last": (
            _("The last blind raiser speaks last in the final phase (rule 4)"),
            {"always": _("always"), "unless_reraised": _("unless somebody has raised since")},
        ),
        "no_chips_no_opening": (
            _("Nobody opens, and somebody is in without chips (rule 7)"),
            {"play_on": _("the hand goes on to the exchange"), "thrown_in": _("in cash the cards are thrown in")},
        ),
        "carry_join": (
            _("Who comes into a pot that nobody opened for (rule 7)"),
            {"parola_only": _("pays cip and invito alone"), "always": _("pays what they are short of, as after parola")},
        ),
        "parola_level": (
            _("After parola opens (rule 11)"),
            {"keep": _("a knight (Cavallo); a king (Re) where it was a king"), "step": _("a figure more than before")},
        ),
        "parola_join": (
            _("Who comes into a parola pot (rule 11)"),
            {"difference": _("pays what they are short of"), "absent_only": _("pays nothing if they have put in anything")},
        ),
        "deck_follows": (
            _("The deck of a tournament (rule 1)"),
            {"seated": _("shrinks with the players left"), "start": _("stays as it was")},
        ),
    }


def reasons(lang: Lang) -> dict[str, str]:
    """House rule → why the usual answer is the usual one."""
    _ = catalogue(lang).gettext
    return {
        "dealer_pays": _("The deal goes round: in the end everybody pays the same."),
        "opening_point": _("The rules say “a figure or a better hand”: better is more than one figure’s 10."),
        "false_opening": _("It comes to light only when cards are shown: the table judges it."),
        "ace_pair_third": _("So the rules’ own table of hands counts."),
        "blind_speaks_last": _("It is what one has for betting without looking."),
        "no_chips_no_opening": _("Who is all-in with the invito has a right to cards."),
        "carry_join": _("The rules ask for more only after parola."),
        "parola_level": _("The level never falls before the pot is won."),
        "parola_join": _("So everybody has put in the same."),
        "deck_follows": _("With fewer players fewer cards: the hands stay as good."),
    }
