"""What the pages' scripts say, by the names they call it by. They fill blanks themselves, as in `{name}`."""

from __future__ import annotations

from companion.dashboard.view import Role
from companion.table.language import Lang, catalogue


def spectator_words(lang: Lang) -> dict[str, str]:
    """For the TV and the overlay."""
    _ = catalogue(lang).gettext
    return {
        "hand": _("Hand"),
        "pot": _("Pot"),
        "open": _("open"),
        "shut": _("closed"),
        "virgin": _("virgin"),
        "pedine": _("pedine"),
        "out": _("out"),
        "dealer": _("dealer"),
        "dealer_mark": _("D"),
        "hidden": _("card face down"),
        "unsure": _("? Not sure: please check"),
        "void_hand": _("Void hand"),
        "nobody_pays": _("Nobody pays"),
        "withdrawn": _("Corrected: {player} no longer pays"),
        "moviola": _("Replay"),
        "chance": _("chance of paying"),
    }


def roles(lang: Lang) -> dict[Role, str]:
    """What stands on the plate of a player who is about to do something."""
    _ = catalogue(lang).gettext
    return {"decides": _("decides"), "asks": _("asks"), "asked": _("answers"), "draws": _("draws")}


def organiser_words(lang: Lang) -> dict[str, str]:
    """For the organiser's phone."""
    say = catalogue(lang)
    _ = say.gettext
    return {
        "about_hand": _("Hand {n}"),
        "lines_help": _("Tap a line to change it"),
        "confirm_hand": _("It was just so"),
        "hands": _("All hands"),
        "players": _("Players"),
        "more": _("More"),
        "unsure": _("not sure"),
        "show_card": _("Show a card"),
        "whose": _("{name}’s card"),
        "change": _("Change"),
        "before": _("Before"),
        "after": _("After"),
        "delete": _("Delete"),
        "likely": _("Most likely"),
        "possible": _("Possible"),
        "other": _("Another player or another act"),
        "who": _("Who"),
        "act": _("What"),
        "card": _("Card"),
        "none": _("unknown"),
        "act_sto": _("stays"),
        "act_passo": _("passes"),
        "act_swap": _("exchanges (answer)"),
        "act_taverna": _("cedes the Taverna (answer)"),
        "act_draw": _("draws from the deck"),
        "act_reveal": _("shows a card"),
        "act_deal": _("is dealt a card"),
        "propose": _("See what it does"),
        "effect": _("What changes"),
        "now": _("Now"),
        "then": _("Then"),
        "no_effect": _("Who pays stays the same"),
        "instead": _("It can be so without these lines:"),
        "confirm": _("Confirm"),
        "cancel": _("Leave it"),
        "close_sheet": _("Close"),
        "rebuy": _("Ricompera"),
        "rebuy_for": _("{name} comes back ({price})"),
        "partner": _("Partner"),
        "share": _("Share %"),
        "add_partner": _("Add a partner"),
        "terms": _("Terms"),
        "terms_title": _("Terms for the Taverna"),
        "split": _("Agreement on the pot"),
        "penalty": _("Penalty"),
        "reason": _("Reason"),
        "void": _("Void the hand"),
        "matto_out": _("Take one Matto out of the deck"),
        "matto_in": _("Put the Matto back into the deck"),
        "dealer": _("Somebody else deals"),
        "close": str(say.pgettext("button", "No more ricompere")),
        "tv": _("On the TV"),
        "play": _("Replay of the last hand"),
        "plays": _("The TV shows the last hand again"),
        "moviola": _("Replay after every hand"),
        "odds": _("Chances of paying"),
        "missed": _("A hand is missing before this one"),
        "missed_title": _("The hand missing before hand {n}"),
        "undo": _("Undo"),
        "failed": _("It did not arrive: try again"),
        "virgin": _("virgin"),
        "out": _("out"),
        "dealer_mark": _("D"),
        "dealer_is": _("dealer"),
        "pot": _("Pot"),
        "price": _("Ricompera"),
        "percent": _("{n} %"),
        "picture": _("What the camera saw"),
    }
