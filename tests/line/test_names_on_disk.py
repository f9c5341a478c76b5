"""What a ledger calls what was seen and said: the names that older programs wrote are those that this one writes and reads.

A class may be renamed, a name on disk may not: an evening that was on would not be gone on with. A new key is added here, too.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import msgspec
import pytest

from companion.games import GAMES
from companion.games.stu.rules.log import Reveal
from companion.referee import record
from companion.referee.record import JointCorrection, decode_entry, encode_entry

ENTRIES = """
    Answered question choice by tap
    Fixed hand lines removed after opening confirms by tap
    Together fixes by tap
    Inserted before lines by tap
    Withdrawn entry by tap
"""
SIGHTINGS = {
    "stu": """
        Appeared t place
        Shown t place episode alternatives not_before
        Exchanged t until places probability
        DeckExchanged t until place probability
        PedineSeen t place count probability
        Cleared t
        Resumed t until same moved backs faces turned deck
        Unseen t until places why
        CameraMoved t shift
    """,
    "stoppa": """
        Dealt t place count
        Laid t episode alternatives places motion
        TakenBack t top places probability
        Shown t place episode alternatives
        Cleared t
        Resumed t until pile same top backs faces
        Unseen t until places why
        CameraMoved t shift
    """,
    "stoper": """
        Dealt t episode place counts until
        Thrown t episode places counts
        Shown t place episode alternatives
        Cleared t
        Resumed t until same middle backs faces
        Unseen t until places why
        CameraMoved t shift
    """,
}


def named(text: str) -> dict[str, list[str]]:
    return {words[0]: words[1:] for words in map(str.split, text.strip().splitlines())}


def keys(kind: type[Any]) -> list[str]:
    if dataclasses.is_dataclass(kind):
        return [field.name for field in dataclasses.fields(kind)]
    return list(kind.__struct_encode_fields__)


def test_entries_are_called_as_ever() -> None:
    assert {name: keys(kind) for kind, name in record.TAGS.items()} == named(ENTRIES)


@pytest.mark.parametrize("game", SIGHTINGS)
def test_sightings_are_called_as_ever(game: str) -> None:
    model = GAMES[game].sighting_model
    assert model is not None
    assert {name: keys(kind) for name, kind in model.TAGS.items()} == named(SIGHTINGS[game])


JOINT = (
    b'{"%s":{"fixes":[{"hand":0,"lines":[{"event":{"e":"hand"},"t":0},{"event":{"e":"reveal","by":"Anna","card":"10"},"t":5,'
    b'"by_hand":true}],"removed":[{"event":{"e":"reveal","by":"Anna","card":"2"},"t":10,"confidence":0.999}]},'
    b'{"hand":1,"lines":[{"event":{"e":"hand"},"t":100}],"opening":1}]}}'
)
"""A correction of two hands, as it was written."""


@pytest.mark.parametrize("name", [b"Together", b"JointCorrection"])
def test_a_correction_of_two_hands_is_read_under_both_names_that_it_has_had(name: bytes) -> None:
    game = GAMES["stu"]
    entry = decode_entry(JOINT % name, game)
    assert isinstance(entry, JointCorrection)
    assert [fix.hand for fix in entry.fixes] == [0, 1]
    assert entry.fixes[0].lines[1].event == Reveal(by="Anna", card="10")
    assert msgspec.json.decode(encode_entry(entry, game)) == msgspec.json.decode(JOINT % b"Together")
