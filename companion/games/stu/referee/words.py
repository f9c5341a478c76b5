"""The referee's questions and notices as people say them, short enough for a phone."""

from __future__ import annotations

from typing import Final, cast, get_args

from companion.decks.stu import Kind
from companion.games.stu import words
from companion.games.stu.referee.facts import NO, NOBODY, YES, FactKind
from companion.games.stu.referee.pedine import PedineDiffer
from companion.referee.questions import Question
from companion.referee.values import OTHER
from companion.table.language import N_, Lang, catalogue
from companion.table.text import not_seen, sentence

_QUESTIONS: Final[dict[FactKind, str]] = {
    "exchange": N_("Did {0} pass to {1}, and did they exchange cards?"),
    "back": N_("After the gnaffata, did the card run back from {0} to {1}?"),
    "asked": N_("Did {0} pass to {1}?"),
    "rebuy": N_("Did {0} come back before this hand?"),
    "draw": N_("Did {0} change cards with the deck?"),
    "card": N_("Which card did {0} show?"),
    "gnaffata": N_("Who took the gnaffata from {0}?"),
    "bbummata": N_("Who took the bbummata from {0}?"),
}
_DEALINGS: Final[dict[FactKind, str]] = {
    "dealt": N_("was another hand dealt meanwhile?"),
    "played": N_("was a whole hand played meanwhile?"),
}
_UNSEEN: Final = N_("Which card did {0} have in the end?")


def pedine(found: PedineDiffer, lang: Lang) -> str:
    """The notice that another number of pedine lies before a player than should."""
    say = catalogue(lang)
    _ = say.gettext
    count = say.ngettext("{n} pedina", "{n} pedine", found.shown).format(n=found.shown)
    if found.virgin:
        said = _("Before {player}: {count}, but a virgin has none on the table yet")
    elif found.out:
        said = _("Before {player}: {count}, but {player} is out")
    else:
        said = say.ngettext(
            "Before {player}: {count}, there should be {n}", "Before {player}: {count}, there should be {n}", found.expected
        )
    return said.format(player=found.player, count=count, n=found.expected)


def question(asked: Question, lang: Lang) -> str:
    """What to ask, one sentence: "Anna ha passato a Bruno?"; of a hand that was not seen as a whole: "8 secondi non visti. …"."""
    say, kind = catalogue(lang), cast(FactKind, asked.kind)
    said = _DEALINGS.get(kind) or (_UNSEEN if asked.unseen else _QUESTIONS[kind])
    text = say.gettext(said).format(*asked.players)
    return f"{not_seen(asked.blind, lang)}. {sentence(text)}" if asked.blind else text


def choice(asked: Question, choice_id: str | None, names: tuple[str, ...], lang: Lang) -> str:
    """One answer to choose, as on a button. ``names``: of all players by place; None stands for "don't know"."""
    say = catalogue(lang)
    if choice_id is None:
        return str(say.pgettext("answer", "Don't know"))
    if asked.kind == "dealt":
        found = {"0": N_("No, the same hand went on"), "1": N_("Yes, one"), "2": N_("Yes, two")}
        return str(say.gettext(found[choice_id]))
    if asked.kind == "played":
        return str(say.pgettext("answer", "Yes") if choice_id == "1" else say.pgettext("answer", "No"))
    if choice_id.startswith(OTHER):
        return str(say.pgettext("answer", "Another") if asked.kind == "card" else say.pgettext("answer", "Somebody else"))
    plain = {YES: say.pgettext("answer", "Yes"), NO: say.pgettext("answer", "No"), NOBODY: say.pgettext("answer", "Nobody")}
    if choice_id in plain:
        return str(plain[choice_id])
    for kind in get_args(Kind) if asked.kind == "card" else ():
        if choice_id == kind:
            return sentence(words.card(kind, lang))
    return names[int(choice_id)]
