"""Codes, addresses and keys: what is needed to join a hall, and what is refused."""

from __future__ import annotations

import pytest

from companion.dashboard.network import certificate
from companion.hall.seats import CODE_SECONDS, KEY_LENGTH, MAX_WRONG, PairingCode
from companion.hall.table.call import Call
from companion.hall.table.link import key_of_pem
from companion.hall.table.membership import HallError, Membership, checked_url, keep, kept, key_letters, parts_of
from companion.ledger import Ledger
from companion.ledger.outbox import belongs


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("https://192.168.1.10:8101", "https://192.168.1.10:8101"),
        ("192.168.1.10:8101", "https://192.168.1.10:8101"),
        ("https://hall.example/organiser?x=1", "https://hall.example"),
        ("http://127.0.0.1:8100/", "http://127.0.0.1:8100"),
        ("http://localhost:8100", "http://localhost:8100"),
        ("http://[::1]:8100", "http://[::1]:8100"),
    ],
)
def test_a_halls_address(given: str, found: str) -> None:
    assert checked_url(given) == found


@pytest.mark.parametrize("given", ["", "ftp://192.168.1.10", "https://", "http://192.168.1.10:8100", "https://a:b", "http://hall.example"])
def test_what_is_no_address_of_a_hall_or_could_be_read_on_the_way_is_refused(given: str) -> None:
    with pytest.raises(HallError, match="https"):
        checked_url(given)


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_code_lets_tables_join_for_ten_minutes() -> None:
    clock = Clock()
    code = PairingCode(clock=clock)
    secret, key = parts_of(code.text().lower().replace("-", " "))
    assert (len(secret), key) == (8, "")
    assert not code.opens("")
    assert not code.opens(secret[:-1])
    assert code.opens(secret)
    assert code.opens(secret)
    clock.now += CODE_SECONDS - 1
    assert code.opens(secret)
    shown = parts_of(code.text())[0]  # what is shown can still be typed
    assert shown != secret
    clock.now += 2
    assert not code.opens(secret)
    assert code.opens(shown)


def test_after_many_wrong_codes_nobody_joins_until_the_next_one() -> None:
    clock = Clock()
    code = PairingCode(clock=clock)
    secret, _ = parts_of(code.text())
    for _ in range(MAX_WRONG):
        assert not code.opens("AAAAAAAA" if secret != "AAAAAAAA" else "BBBBBBBB")
    assert not code.opens(secret)
    clock.now += CODE_SECONDS
    assert code.opens(parts_of(code.text())[0])


@pytest.mark.parametrize("given", ["", "ABCD", "ABCD-EFG!", "OOOO-IIII"])
def test_what_is_no_code_is_refused(given: str) -> None:
    with pytest.raises(HallError, match="code"):
        parts_of(given)


def test_a_code_tells_the_halls_key(tmp_path) -> None:
    key = key_of_pem(certificate(tmp_path / "a.pem", ["192.168.1.10"]))
    other = key_of_pem(certificate(tmp_path / "b.pem", ["192.168.1.10"]))
    code = PairingCode(key)
    assert parts_of(code.text())[1] == key_letters(key, KEY_LENGTH) != key_letters(other, KEY_LENGTH)


def test_which_hall_a_table_has_joined_is_kept_in_its_ledger(ledger: Ledger) -> None:
    assert kept(ledger) is None
    assert not belongs(ledger)
    member = Membership("https://192.168.1.10:8101", "token", "ab", "Portico", 7)
    keep(ledger, member)
    assert kept(ledger) == member
    assert belongs(ledger)
    keep(ledger, None)
    assert not belongs(ledger)


def test_a_hall_at_another_address_has_the_same_key_unless_others_could_have_read_it(tmp_path) -> None:
    pem = tmp_path / "hall.pem"
    key = key_of_pem(certificate(pem, ["192.168.1.10"], one_key=True))
    was = pem.read_bytes()
    assert key_of_pem(certificate(pem, ["10.0.0.7"], one_key=True)) == key
    assert pem.read_bytes() != was
    pem.chmod(0o644)
    assert key_of_pem(certificate(pem, ["10.0.0.7"], one_key=True)) != key
    pem.write_text("no key")
    pem.chmod(0o600)
    assert key_of_pem(certificate(pem, ["10.0.0.7"], one_key=True)) != key


def test_a_call_of_the_referee_stays_until_it_was_dealt_with_and_another_one_is_another_call() -> None:
    call = Call()
    call.acknowledge("", True)
    assert (call.token, call.heard) == ("", False)
    call.make()
    first = call.token
    call.make()  # tapped twice
    call.acknowledge("another", False)
    assert (call.token, call.heard) == (first, False)
    call.acknowledge(first, True)
    assert (call.token, call.heard) == (first, True)
    call.acknowledge(first, False)
    assert (call.token, call.heard) == ("", False)
    call.make()
    call.acknowledge(first, False)  # what came late of the one before
    assert call.token not in ("", first)
    call.withdraw()
    assert call.token == ""
