"""Why something was refused, in words: by the rules of the game, or by the page."""

from __future__ import annotations

from companion.table.errors import GameError
from companion.table.language import N_, Lang, catalogue
from companion.table.text import sentence

PAGE: dict[str, str] = {
    "stale": N_("Something has changed meanwhile: look again"),
    "changed": N_("What it does has changed meanwhile: look again"),
    "unshown": N_("The program fails at showing this, so it was not recorded: tell it in another way, and report it, please"),
    "gone": N_("This hand is no more"),
    "no_game": N_("No game yet: begin an evening at /setup"),
    "contradicted": N_("Nothing that was seen agrees with it: correct the hand line by line"),
    "not_asked": N_("The question is no longer open"),
    "nothing": N_("There is nothing to undo or redo"),
    "unpaired": N_("This phone is not paired (any more): it needs the PIN"),
    "machine": N_("This page opens only on the computer that the program runs on"),
    "csrf": N_("The page is out of date: load it again"),
    "malformed": N_("Not a valid request"),
    "no_video": N_("No video is kept: the program was started without"),
    "no_ruling": N_("Nobody has paid in this hand"),
    "not_filmed": N_("The camera did not see what decided this hand: there is no video of it"),
    "video_gone": N_("The video of this hand is gone: only the last minutes are kept, and not over a restart"),
    "no_voice": N_("The voice is missing: on the program's computer, run sudo apt install espeak-ng"),
    "ledger": N_("The evening's file cannot be read or written: the terminal of the program's computer says why"),
    "only_shown": N_("The game is only shown here: it is changed where the evening's program runs"),
    "unknown": N_("There is no such game"),
    "not_kept": N_("This game can be looked at, but not gone on with"),
}
"""What a page answers to what it will not do, by the code that goes with it."""


def why_not(error: GameError, lang: Lang) -> str:
    """Why the rules forbid something, as a sentence with its rule. A reason without a code is told in English alone."""
    _ = catalogue(lang).gettext
    text = error.reason if lang == "en" else _("It cannot have been so")
    if error.code:
        text = _(error.text).format(**error.values)
    rule = _(" (rule {rule})").format(rule=error.rule) if error.rule is not None else ""
    return sentence(text) + rule
