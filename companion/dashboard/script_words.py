"""The texts of the scripts that all games' pages share, by the names that the scripts use. The scripts fill in the blanks, such
as `{name}`. A game's own scripts get its `Pages.tv_words` and `Pages.phone_words` besides.
"""

from __future__ import annotations

from pathlib import Path

from flask import current_app, url_for

from companion.dashboard import transfer
from companion.games import shown_games
from companion.pages.view import Role
from companion.table.language import Lang, catalogue
from companion.table.money import decimal_mark, group_mark


def spectator_words(lang: Lang) -> dict[str, str]:
    """The texts of the TV and the overlay."""
    _ = catalogue(lang).gettext
    return {
        "hand": _("Hand"),
        "out": _("out"),
        "dealer": _("dealer"),
        "dealer_mark": _("D"),
        "hidden": _("card face down"),
        "unsure": _("? Not sure: please check"),
        "void_hand": _("Void hand"),
        "so_far": _("so far"),
        "corrected": _("Corrected"),
        "corrected_hand": _("Hand {n} corrected"),
        "exchange": _("{who} exchanged with {whom}"),
        "asking": _("{who} asks {whom}"),
        "table_says": _("The table says"),
        "set": _("set by the table"),
        "withdrawn": _("Corrected: {player} no longer pays"),
        "moviola": _("Replay"),
        "var": "VAR",
        "slow": _("slow motion"),
        "verdict_confirmed": _("Confirmed"),
        "verdict_corrected": _("Corrected by hand"),
        "verdict_unseen": _("Cannot be seen"),
        "chance": _("chance of paying"),
        "passed": _("passes"),
        "scored_for": _("Scored for"),
        "hours": _("{h} h {m} min"),
        "minutes": _("{m} min"),
        "paused": _("Break, since {time}"),
    }


def roles(lang: Lang) -> dict[Role, str]:
    """What a player's plate says of what that player is about to do."""
    _ = catalogue(lang).gettext
    return {
        "decides": _("decides"), "asks": _("asks"), "asked": _("answers"), "draws": _("draws"),
        "bets": _("speaks"), "shows": _("shows"), "opens": _("opens"), "lays": _("lays"),
        "changes": _("changes"),
    }  # fmt: skip


def organiser_words(lang: Lang) -> dict[str, str]:
    """The texts of the organiser's phone."""
    say = catalogue(lang)
    _ = say.gettext
    return {
        "about_hand": _("Hand {n}"),
        "lines_help": _("Tap a line to change it"),
        "confirm_hand": _("That is how it was"),
        "doubtful": _("Not sure, and shown so on the TV. These lines are in doubt:"),
        "doubtful_all": _("Not sure, and shown so on the TV."),
        "old_hand": _("An earlier hand: hand {n}"),
        "to_current": _("Back to the newest hand"),
        "hands": _("All hands"),
        "earlier_hands": _("Earlier hands ({n})"),
        "earlier_lines": _("Earlier lines ({n})"),
        "players": _("Players"),
        "more": _("More"),
        "unsure": _("not sure"),
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
        "propose": _("See what it does"),
        "effect": _("What changes"),
        "now": _("Now"),
        "then": _("Then"),
        "no_effect": _("Who pays stays the same"),
        "instead": _("It can be so without these lines:"),
        "confirm": _("Confirm"),
        "cancel": _("Leave it"),
        "back": _("Go back"),
        "close_sheet": _("Close"),
        "reason": _("Reason"),
        "void": _("Void the hand"),
        "outcome": _("Only the outcome…"),
        "outcome_title": _("Only the outcome of hand {n}"),
        "outcome_help": _("Who paid? A tap on a name is one more"),
        "stand_in": _("not seen"),
        "tv": _("On the TV"),
        "play": _("Replay of the last hand"),
        "plays": _("The TV shows the last hand again"),
        "moviola": _("Replay after every hand"),
        "sheet": _("Sheet to print"),
        "hands_csv": _("Hands (CSV)"),
        "money_csv": _("Money (CSV)"),
        "recap": _("The video of the evening"),
        "take_home": _("The evening to take home"),
        "voice": _("Voice"),
        "code": _("QR code for spectators"),
        "pause": _("Take a break"),
        "paused": _("Break, since {time}"),
        "paused_help": _("The TV says so, and nothing that the camera sees counts."),
        "play_on": _("Resume"),
        "var": _("VAR: hand {n}"),
        "var_slow": _("VAR, slow"),
        "var_stop": _("Stop the VAR"),
        "var_plays": _("The TV shows video: {seconds} s"),
        "moment": _("The moment, as video"),
        "moment_still": _("The picture alone"),
        "odds": _("Chances of paying"),
        "lessons": _("Learnt from corrections"),
        "learnt": _("Learnt: {card}, {time}"),
        "forget": _("Forget"),
        "missed": _("A hand is missing before this one"),
        "missed_title": _("The hand missing before hand {n}"),
        "anew": _("Tell it again from here"),
        "anew_title": _("Hand {n}, told again"),
        "history": _("Who said what"),
        "some_phone": _("unknown phone"),
        "some_change": _("a change"),
        "taken_back": _("taken back"),
        "undo": _("Undo"),
        "redo": _("Redo"),
        "already": _("It is so already"),
        "again": _("Try again"),
        "elsewhere": _("What it was meant for is gone. Put it in place of:"),
        "without": _("These lines go with it"),
        "adds": _("These lines come with it"),
        "failed": _("It did not arrive: try again"),
        "dealer_mark": _("D"),
        "dealer_is": _("dealer"),
        "set": _("set by the table"),
        "takes": _("{name} takes {sum}"),
        "lies": _("On the table: {sum}"),
        "in_all": _("In all {sum}, and it must be {total}"),
        "percent": _("{n}\u00a0%"),
        "picture": _("What the camera saw"),
        "other_amount": _("Another amount"),
        "really": _("Really {what}?"),
        "erase": _("Erase"),
        "sum": _("€{euros}.{cents}"),
        "bare_sum": f"{{euros}}{decimal_mark(lang)}{{cents}}",
        "group": group_mark(lang),
        "from_amount": _("{sum} or more"),
        "several": _("Several at once"),
        "laid_last": _("laid last"),
    }


# What a game has in `web/`: its scripts and style sheets go by its id, and are loaded where they are there.

def own_file(game_id: str, name: str) -> str | None:
    """The address of `web/static/games/ID/NAME`, None where the game has no such file."""
    path = f"games/{game_id}/{name}"
    return url_for("static", filename=path) if transfer.found(Path(current_app.static_folder or ""), path) is not None else None


def house_title() -> str:
    """The heading of pages that belong to no game: the titles of all games that can be played here."""
    return " · ".join(game.pages.title for game in shown_games())
