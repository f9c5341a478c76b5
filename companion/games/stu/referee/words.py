"""The referee's questions and notices as people say them, short enough for a phone, in Italian and English."""

from __future__ import annotations

from typing import Final, cast, get_args

from companion.decks.stu import Kind
from companion.games.stu import words
from companion.games.stu.referee.facts import NOBODY, FactKind
from companion.games.stu.referee.pedine import PedineDiffer
from companion.referee.facts import OTHER
from companion.referee.questions import Question
from companion.table.language import Lang

_QUESTIONS: Final[dict[Lang, dict[FactKind, str]]] = {
    "it": {
        "exchange": "{0} ha passato a {1}, e hanno scambiato le carte?",
        "back": "Nella gnaffata la carta è tornata indietro da {0} a {1}?",
        "asked": "{0} ha passato a {1}?",
        "draw": "{0} ha cambiato la carta col mazzo?",
        "card": "Che carta ha scoperto {0}?",
        "gnaffata": "Chi ha preso la gnaffata da {0}?",
        "bbummata": "Chi ha preso la bbummata da {0}?",
    },
    "en": {
        "exchange": "Did {0} pass to {1}, and did they exchange cards?",
        "back": "After the gnaffata, did the card run back from {0} to {1}?",
        "asked": "Did {0} pass to {1}?",
        "draw": "Did {0} change cards with the deck?",
        "card": "Which card did {0} show?",
        "gnaffata": "Who took the gnaffata from {0}?",
        "bbummata": "Who took the bbummata from {0}?",
    },
}
_UNSEEN: Final[dict[Lang, str]] = {"it": "Che carta aveva {0} alla fine?", "en": "Which card did {0} have in the end?"}
_CHOICES: Final[dict[Lang, dict[str, str]]] = {
    "it": {"yes": "Sì", "no": "No", NOBODY: "Nessuno", OTHER: "Un altro", "other card": "Un'altra", "unknown": "Non so"},
    "en": {"yes": "Yes", "no": "No", NOBODY: "Nobody", OTHER: "Somebody else", "other card": "Another", "unknown": "Don't know"},
}
_PEDINE: Final[dict[Lang, dict[str, str]]] = {
    "it": {
        "one": "1 pedina",
        "many": "{shown} pedine",
        "differ": "Davanti a {player}: {count}, dovrebbero essere {expected}",
        "differ one": "Davanti a {player}: {count}, dovrebbe essere 1",
        "virgin": "Davanti a {player}: {count}, ma è vergine e non ne ha ancora sul tavolo",
        "out": "Davanti a {player}: {count}, ma è fuori",
    },
    "en": {
        "one": "1 pedina",
        "many": "{shown} pedine",
        "differ": "Before {player}: {count}, there should be {expected}",
        "differ one": "Before {player}: {count}, there should be 1",
        "virgin": "Before {player}: {count}, but a virgin has none on the table yet",
        "out": "Before {player}: {count}, but {player} is out",
    },
}


def pedine(found: PedineDiffer, language: Lang) -> str:
    """That other pedine lie before a player than should."""
    say = _PEDINE[language]
    count = say["one" if found.shown == 1 else "many"].format(shown=found.shown)
    differ = "differ one" if found.expected == 1 else "differ"
    said = say["virgin" if found.virgin else "out" if found.out else differ]
    return said.format(player=found.player, count=count, expected=found.expected)


def question(asked: Question, language: Lang) -> str:
    """What to ask, one sentence: "Anna ha passato a Bruno?"."""
    said = _UNSEEN[language] if asked.unseen else _QUESTIONS[language][cast(FactKind, asked.kind)]
    return said.format(*asked.players)


def choice(asked: Question, choice_id: str | None, names: tuple[str, ...], language: Lang) -> str:
    """One answer to choose, as on a button. ``names``: of all players by place; None stands for "don't know"."""
    say = _CHOICES[language]
    if choice_id is None:
        return say["unknown"]
    if choice_id.startswith(OTHER):
        return say["other card" if asked.kind == "card" else OTHER]
    if choice_id in say:
        return say[choice_id]
    for kind in get_args(Kind) if asked.kind == "card" else ():
        if choice_id == kind:
            said = words.card(kind, language)
            return said[0].upper() + said[1:]
    return names[int(choice_id)]
