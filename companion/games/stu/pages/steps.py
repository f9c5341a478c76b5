"""The steps of setting up that are Lu Stù's own: forms taken into its draft, and what their pages show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import to_builtins
from msgspec.structs import fields, replace

from companion.decks.stu import KINDS
from companion.games.stu import words
from companion.games.stu.pages import draft
from companion.games.stu.pages.draft import Edition, StuDraft
from companion.games.stu.rules.log import HouseRules
from companion.pages.setup import Faces, Fact, Taken
from companion.table.language import N_, Lang, catalogue
from companion.table.money import money, typed

Form = Mapping[str, str]


class Stakes:
    """The stake, the rules, and the first dealer."""

    name = "stakes"

    def page(self, names: tuple[str, ...], own: StuDraft, form: Form, lang: Lang, faces: Faces) -> dict[str, Any]:
        return {
            "rules": house_rules(lang),
            "editions": editions(lang),
            "picked": to_builtins(own.house_rules),
            "defaults": {field.name: field.default for field in fields(HouseRules)},
            "stake": form.get("stake", typed(own.stake)),
        }

    def take(self, names: tuple[str, ...], own: StuDraft, form: Form) -> Taken:
        rules = {field.name: form[field.name] for field in fields(HouseRules) if field.name in form}
        stake, dealer, edition = form.get("stake", ""), form.get("dealer", ""), form.get("edition", "booklet")
        own = draft.with_stakes(names, own, stake, dealer, edition, rules)
        return Taken(names, own, "standing" if own.late else _draw_or_done(own))


class Standing:
    """How everybody stands in an evening that began without the camera."""

    name = "standing"

    def page(self, names: tuple[str, ...], own: StuDraft, form: Form, lang: Lang, faces: Faces) -> dict[str, Any]:
        return {}

    def take(self, names: tuple[str, ...], own: StuDraft, form: Form) -> Taken:
        stand = {
            name: (form.get(f"pedine-{number}", "3"), form.get(f"virgin-{number}") == "1") for number, name in enumerate(names)
        }
        own = draft.with_standing(names, own, stand, form.get("ricompere", "0"))
        return Taken(names, own, _draw_or_done(own))


class Draw:
    """The seat draw: a card for everybody who draws now, as the camera reads it, to be corrected by thumb."""

    name = "draw"

    def page(self, names: tuple[str, ...], own: StuDraft, form: Form, lang: Lang, faces: Faces) -> dict[str, Any]:
        due = draft.still_to_draw(names, own)
        seen = dict(zip(names, faces(), strict=False)) if due else {}
        return {
            "due": due,
            "cards": {name: form.get(f"card-{names.index(name)}") or seen.get(name) for name in due},
            "kinds": [(kind, words.card(kind, lang)) for kind in reversed(KINDS)],
            "seating": own.seating(),
        }

    def take(self, names: tuple[str, ...], own: StuDraft, form: Form) -> Taken:
        if form.get("restart") == "1":
            return Taken(names, replace(own, drawn=(), dealer=""), self.name)
        cards = {name: form.get(f"card-{number}", "") for number, name in enumerate(names)}
        return Taken(*draft.with_draw(names, own, cards), self.name)


def _draw_or_done(own: StuDraft) -> str | None:
    return None if own.dealer else Draw.name


class StuSetup:
    """See `companion.pages.setup.Setup`."""

    first_places = 2
    most_players = 39
    late: str | None = N_("It goes on from how the pedine stand now.")
    people = N_(
        "The game goes on with other people, between two hands: places and pedine stay. Who comes puts in a stake."
    )
    steps = (Stakes(), Standing(), Draw())
    again, continued, seated = staticmethod(draft.again), staticmethod(draft.continued), staticmethod(draft.seated)
    game_line, said_at_once = staticmethod(draft.game_line), staticmethod(draft.said_at_once)

    def fresh(self, *, late: bool) -> StuDraft:
        return StuDraft(late=late)

    def sums(self, own: StuDraft) -> frozenset[int]:
        return frozenset([own.stake])

    def facts(self, names: tuple[str, ...], own: StuDraft, lang: Lang) -> tuple[Fact, ...]:
        _ = catalogue(lang).gettext
        found = [
            Fact(_("Stake for each, in euros"), money(own.stake, lang), Stakes.name),
            Fact(_("Who deals first"), own.dealer or "–", Stakes.name),
            Fact(_("Rule book"), editions(lang)[own.edition]),
        ]
        for name, (question, answers) in house_rules(lang).items():
            found.append(Fact(question, answers[getattr(own.house_rules, name)]))
        if own.late:
            found.append(Fact(_("How things stand"), _standing_text(names, own, lang), Standing.name))
        if own.closed:
            found.append(Fact(_("Ricompera"), _("closed")))
        return tuple(found)


def _standing_text(names: tuple[str, ...], own: StuDraft, lang: Lang) -> str:
    _ = catalogue(lang).gettext
    said = []
    for name in names:
        stands = own.standing.get(name)
        virgin = f" ({_('Virgin').lower()})" if stands is None or stands.virgin else ""
        said.append(f"{name}: {stands.pedine if stands is not None else 3}{virgin}")
    return f"{', '.join(said)}; {_('Ricompere paid so far').lower()}: {own.ricompere}"


def editions(lang: Lang) -> dict[Edition, str]:
    """The rule books."""
    _ = catalogue(lang).gettext
    return {"booklet": _("The booklet"), "piazza-2010": _("The piazza’s of 2010: with a referee and penalties")}


def house_rules(lang: Lang) -> dict[str, tuple[str, dict[str, str]]]:
    """Field of the engine's `HouseRules` → what it decides, and each answer; the engine's own default comes first."""
    _ = catalogue(lang).gettext
    return {
        "salta_on_dealer": (
            _("The dealer shows the Salta to the player who passes to them (rule 15)"),
            {"deck": _("the asker draws from the deck"), "stop": _("the asker keeps the card")},
        ),
        "backward_run": (
            _("Cart’arrit: the player who gets the card that travels back (rule 14)"),
            {"choice": _("may keep it"), "forced": _("must send it further back")},
        ),
        "two_matti_lowest": (
            _("Two Matti in one hand: who pays as lowest (rule 12)"),
            {"others": _("the lowest of the other cards"), "matti": _("the Matto nearest di mano, for nothing")},
        ),
    }
