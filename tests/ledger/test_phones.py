"""Who may change something is kept, and nobody learns how to become one of them from the file."""

from pathlib import Path

import pytest

from companion.games import log_format
from companion.ledger import Ledger, Phones, phones


def test_a_paired_phone_is_known_by_its_token_also_after_a_restart(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "a.ledger", log_format) as ledger:
        phone, token = Phones(ledger).pair("Rina's phone")
        key = Phones(ledger).key()
    with Ledger.open(tmp_path / "a.ledger", log_format) as ledger:
        assert Phones(ledger).find(token) == phone
        assert Phones(ledger).find(token + "x") is None
        assert Phones(ledger).find("") is None
        assert (Phones(ledger).key(), len(key)) == (key, 32)


def test_the_file_does_not_hold_the_token(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "a.ledger", log_format) as ledger:
        token = Phones(ledger).pair("phone")[1]
    assert not [path for path in tmp_path.iterdir() if token.encode() in path.read_bytes()]


def test_a_withdrawn_phone_is_unknown_the_others_stay() -> None:
    with Ledger.in_memory(log_format) as ledger:
        (one, first), (two, second) = Phones(ledger).pair("one"), Phones(ledger).pair("two")
        assert Phones(ledger).all() == (two, one)
        assert Phones(ledger).withdraw(one.id)
        assert not Phones(ledger).withdraw(one.id)
        assert Phones(ledger).find(first) is None
        assert Phones(ledger).find(second) == two


def test_when_a_phone_was_last_heard_of_is_kept_to_the_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([1000.0, 1059.0, 1100.0])
    monkeypatch.setattr(phones.time, "time", lambda: next(clock))
    with Ledger.in_memory(log_format) as ledger:
        token = Phones(ledger).pair("phone")[1]
        for _ in range(2):
            Phones(ledger).find(token)
        assert [(phone.paired, phone.seen) for phone in Phones(ledger).all()] == [(1000.0, 1100.0)]


def test_the_machines_own_browser_is_told_from_the_phones_even_where_an_id_is_given_again() -> None:
    with Ledger.in_memory(log_format) as ledger:
        phones = Phones(ledger)
        own, token = phones.pair("this machine")
        phones.is_this_machine(token)
        assert not phones.another()
        phones.withdraw(own.id)
        phone, _ = phones.pair("phone")
        assert (phone.id, phones.another()) == (own.id, True)
