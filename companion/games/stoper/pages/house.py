"""The house rules of Stoper as questions, the usual answer first, and a line each of why it is the usual one."""

from __future__ import annotations

from companion.table.language import Lang, catalogue


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
            {"keep": _("a Cavallo; a Re where it was a Re"), "step": _("a figure more than before")},
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
