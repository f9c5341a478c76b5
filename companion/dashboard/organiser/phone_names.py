"""The names of phones that nobody has named, in the language of the page that shows them. Pure."""

from __future__ import annotations

from companion.table.language import LANGS, Lang, catalogue


def phone_name(name: str, lang: Lang) -> str:
    """The phone's name. One that the program gave it, such as "Telefono 2", is translated into ``lang``.

    >>> phone_name("Telefono 2", "en"), phone_name("Phone", "it"), phone_name("Telefono di Anna", "en")
    ('Phone 2', 'Telefono', 'Telefono di Anna')
    """
    for other in LANGS:
        before, word, number = name.partition(catalogue(other).gettext("Phone"))
        if word and not before and (not number or (number[0] == " " and number[1:].isdecimal())):
            return catalogue(lang).gettext("Phone") + number
    return name
