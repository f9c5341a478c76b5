"""Who is who from evening to evening: two spellings of a name, two names of one person, somebody who is to be forgotten. Pure.

A name is known by its `name_key`, so that "Peppe ", "peppe" and "PEPPÈ" are the same person. Two names can be made one
person; that is kept as a link from one to the other, so that taking the link away again leaves everything as it was.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

_ACCENTED = ("LATIN", "GREEK")
"""In these scripts a mark over a letter is an accent; in others it may be the vowel, and two names differ by it."""


@lru_cache(maxsize=4096)
def name_key(name: str) -> str:
    """The key of a name: the same for spellings that differ only in case, accents, and spaces around the name or doubled in it.

    >>> name_key("  Niccolò  d’ANNUNZIO "), name_key("Peppe") == name_key("PEPPÈ")
    ('niccolo d’annunzio', True)
    """
    plain: list[str] = []
    base = ""
    for letter in unicodedata.normalize("NFD", name.casefold()):
        kind = unicodedata.category(letter)
        if kind == "Cf" or (kind == "Mn" and unicodedata.name(base or " ", "").startswith(_ACCENTED)):
            continue
        if kind != "Mn":
            base = letter
        plain.append(letter)
    return unicodedata.normalize("NFC", " ".join("".join(plain).split())) or spelling(name)


def spelling(name: str) -> str:
    """The name in Unicode's NFC, without spaces around it or doubled in it."""
    return unicodedata.normalize("NFC", " ".join(name.split())) or name


MAX_NAME_LENGTH = 24
"""Characters of a name that the TV can show."""

NOBODY = "Qualcuno"
"""What somebody who was forgotten is called in an evening; a second one "Qualcuno 2", and so on."""


def is_nobody(name: str) -> bool:
    """Whether this is a name that stands for somebody who was forgotten.

    >>> is_nobody("Qualcuno 2"), is_nobody("Qualcuno di noi")
    (True, False)
    """
    return re.fullmatch(rf"{NOBODY}( \d+)?", spelling(name), re.I) is not None


def nobodies(taken: Collection[str]) -> Iterator[str]:
    """Names for the people to forget in an evening with these names ``taken``, without end."""
    names = (NOBODY if number == 1 else f"{NOBODY} {number}" for number in itertools.count(1))
    known = {name_key(name) for name in taken}
    return (name for name in names if name_key(name) not in known)


def page_id(person: str) -> str:
    """A person's id in addresses: ten hexadecimal digits that do not tell the name.

    >>> page_id("peppe")
    'cee1cb2757'
    """
    import hashlib  # only here: it loads OpenSSL, and rules need no address of anybody

    return hashlib.sha256(person.encode()).hexdigest()[:10]


class Same(ValueError):
    """Two names that cannot be made one person: they are one already, or have sat at the same table."""


@dataclass(frozen=True)
class People:
    """Whose name is whose.

    Attributes:
        links: the key of a name → the key of the person whose other name it is; without cycles.
        distinct: keys under which two people have sat at one table ("José" and "Jose"): they are told apart by how they are
            written.
        forgotten: tells whether the person with this key is to be forgotten.
    """

    links: Mapping[str, str] = field(default_factory=dict)
    distinct: Collection[str] = ()
    forgotten: Callable[[str], bool] = lambda key: False

    def own_key(self, name: str) -> str:
        """The key of this name itself, without following links."""
        key = name_key(name)
        return spelling(name) if key in self.distinct else key

    def person(self, name: str) -> str | None:
        """The key of the person with this name; None for somebody forgotten."""
        key = self.own_key(name)
        return None if self.forgotten(key) or self.forgotten(root := self.root(key)) else root

    def root(self, key: str) -> str:
        """The person whose name has this key, found by following the links to their end."""
        seen = {key}
        while (further := self.links.get(key)) is not None and further not in seen:
            seen.add(further)
            key = further
        return key

    def names_of(self, person: str) -> tuple[str, ...]:
        """The keys of all names of a person, their own first."""
        others = sorted(key for key in self.links if key != person and self.root(key) == person)
        return (person, *others)


def merged(links: Mapping[str, str], one: str, other: str) -> dict[str, str]:
    """The links after ``one`` was made another name of ``other``; both are keys of people.

    Raises:
        Same: they are one person already.
    """
    people = People(links)
    if people.root(one) == people.root(other):
        raise Same("these are one person already")
    return {**links, people.root(one): people.root(other)}


def split(links: Mapping[str, str], name: str) -> dict[str, str]:
    """The links after the name with this key was made a person again. It keeps the names that it had before it was merged."""
    return {key: other for key, other in links.items() if key != name}


def distinct_keys(tables: Iterable[Sequence[str]]) -> frozenset[str]:
    """The keys under which two people have sat at one of these tables (the players' names of each)."""
    found: set[str] = set()
    for names in tables:
        counted = Counter(map(name_key, names))
        if len(counted) < len(names):
            found.update(key for key, count in counted.items() if count > 1)
    return frozenset(found)


def best_spellings(people: People, tables: Iterable[Sequence[str]]) -> dict[str, str]:
    """Person → name to show: their own name, in the spelling that was typed most often; of equally frequent ones one with
    capitals, and then the one typed last. Other names of theirs count only where their own was never typed.

    ``tables``: the players' names of each evening, the oldest first.
    """
    own: defaultdict[str, Counter[str]] = defaultdict(Counter)
    other: defaultdict[str, Counter[str]] = defaultdict(Counter)
    last: dict[str, int] = {}
    for at, names in enumerate(tables):
        for name in names:
            person = people.person(name)
            if person is not None:
                written = spelling(name)
                (own if people.own_key(name) == person else other)[person][written] += 1
                last[written] = at
    return {
        person: max(counted, key=lambda written: (counted[written], written != written.lower(), last[written]))
        for person, counted in {**other, **own}.items()
    }
