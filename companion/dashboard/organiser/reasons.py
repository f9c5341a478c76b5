"""Why something was refused, in words: by the rules of the game, or by the page."""

from __future__ import annotations

import re

from companion.table.errors import GameError
from companion.table.language import N_, Lang, catalogue
from companion.table.text import sentence

ENGINE: tuple[str, ...] = (
    N_("{a} acts out of turn"),
    N_("{a} acts too soon"),
    N_("{a} has not been asked"),
    N_("{a} is not in this hand"),
    N_("{a} has a card already: one to a player"),
    N_("{a} has played already, with a card"),
    N_("nobody is left after {a} to be asked"),
    N_("a backward run leaves no bargaining"),
    N_("{a} has nothing to draw for"),
    N_("{a} is asked, and a {card} cannot refuse"),
    N_("the hand cannot end yet"),
    N_("the card of {a} has not been seen"),
    N_("the card of {a} is a {card}, not a {other}: it has been seen"),
    N_("one {card} too many: the deck has {n}, seen already"),
    N_("{a} got the Taverna from {b} in this hand and hands it back"),
    N_("{a} is still in play"),
    N_("no ricompera is possible: they are closed for good"),
    N_("no ricompera is possible: no virgin is in play"),
    N_("no penalties in this edition"),
    N_("no penalty while an answer is pending"),
    N_("no hand has ended yet that a penalty could belong to"),
    N_("{a} has no pedina left"),
    N_("{a} is out and cannot deal"),
    N_("a split is between the last two in play"),
    N_("a share is outside 0 to 1"),
    N_("the shares come to more than the whole pot"),
    N_("{what} in mid-hand"),
    N_("{what} outside a hand"),
    N_("{what} after the game is won"),
    N_("the game is over"),
    N_("the hand is not over"),
    N_("the hand is not over, and others came after it"),
    N_("a hand that others follow would not be over"),
    N_("two hands in one"),
    N_("what was fixed by hand in a later hand could not have happened then"),
    N_("what was fixed by hand at the beginning of a later hand could not have happened then"),
)
"""What the engine and the referee say against an event, with blanks for what stands in it."""

PAGE: dict[str, str] = {
    "stale": N_("Something has changed meanwhile: look again"),
    "gone": N_("This hand is no more"),
    "no_game": N_("No game yet: begin an evening at /setup"),
    "contradicted": N_("Nothing that was seen agrees with it: correct the hand line by line"),
    "not_asked": N_("The question is no longer open"),
    "nothing": N_("There is nothing to undo or redo"),
    "unpaired": N_("This phone is not paired (any more): it needs the PIN"),
    "machine": N_("This page opens only on the computer that the program runs on"),
    "csrf": N_("The page is out of date: load it again"),
    "malformed": N_("Not a valid request"),
    "not_kept": N_("This game can be looked at, but not gone on with"),
}
"""What a page answers to what it will not do, by the code that goes with it."""


def why_not(error: GameError, lang: Lang) -> str:
    """Why the rules forbid something, as a sentence with its rule."""
    _ = catalogue(lang).gettext
    said = _("It cannot have been so") if lang != "en" else error.reason  # the engine speaks English
    for message, pattern in _PATTERNS:
        if found := pattern.fullmatch(error.reason):
            said = _(message).format(**found.groupdict())
            break
    rule = _(" (rule {rule})").format(rule=error.rule) if error.rule is not None else ""
    return sentence(said) + rule


def _pattern(message: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", message)
    return re.compile("".join(f"(?P<{part}>.+)" if at % 2 else re.escape(part) for at, part in enumerate(parts)), re.DOTALL)


_PATTERNS = tuple((message, _pattern(message)) for message in ENGINE)
