"""All that a phone can be tapped to say of what may come next, for tests of any game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import chain

from msgspec.structs import replace

from companion.pages.phone import Form, Next, Pick
from companion.table.log import Event


def taps(next: Next, chance: random.Random) -> Iterator[tuple[Event, ...]]:
    """The events of every tap: amounts from the least to the most, cards alone, in groups, and some at random."""
    doers = (*next.doers, *next.rows)
    for offer in chain(next.offers, *(one.offers for one in (*doers, *next.more))):
        yield offer.events
    for amounts in chain((one.amounts for one in doers if one.amounts is not None), *(one.amounts for one in next.more)):
        for minor in (amounts.least, amounts.most, *(sum.minor for sum in amounts.likely)):
            yield (replace(amounts.event, **{amounts.key: minor}),)
    picks = [one.pick for one in doers if one.pick is not None]
    for pick in chain(picks, *(one.picks for one in next.more)):
        for cards in picked(pick, chance):
            yield (replace(pick.event, **{pick.key: cards}),)


    for form in (one.form for one in next.more if one.form is not None and one.key != "set"):  # test_set.py fills that one
        yield from ((event,) for event in filled(form))


def filled(form: Form) -> Iterator[Event]:
    """The form as it is, and with each single thing changed."""
    yield form.event
    plain = type(form.event)()
    for field in form.fields:
        for choice in field.choices:
            value = getattr(plain, field.key) if choice.value is None else choice.value
            if field.several:
                now = getattr(form.event, field.key)
                value = tuple(one for one in now if one != value) if value in now else (*now, value)
            yield replace(form.event, **{field.key: value})
        if field.amounts is not None:
            yield replace(form.event, **{field.key: field.amounts.least})


def picked(pick: Pick, chance: random.Random) -> Iterator[tuple[str, ...]]:
    """Cards that the phone lets be picked."""
    if pick.least == 1:
        yield from ((kind,) for kind in pick.kinds)
    if pick.groups is not None:
        yield from pick.groups
        return
    if pick.least > 1 and len(pick.kinds) < pick.least:
        return
    others = [kind for kind in pick.kinds if kind not in pick.known]
    for _ in range(3):
        new = chance.sample(others, min(pick.room, len(others)))
        cards = chance.sample([*new, *pick.known], min(pick.most, len(new) + len(pick.known)))
        yield tuple(cards)
