"""What is typed on the organiser's phone: sums as the server reads them, shares exact to their digits."""

from __future__ import annotations

from contextlib import suppress

import pytest
from flask import Flask
from journey import Screens

from companion.dashboard.serve import Server
from companion.table.money import minor_units

pytestmark = pytest.mark.browser

SUMS = (
    "2", "2,5", "2.50", "2,", "€2", "€ 2,50", "2 €", "1.234,50", "1,234.50", "1.234", "1,234,567", "1 234,5", "10.000.000,00 €",
    ",5", ".05", ",", ",500",
    "2€50", "1€5", "€", "€2€", "2 50", "1,234", "0.500", "1.234.50", "12.34.56", "1.2345", "1.23.456", "-2", "²", "",
)  # fmt: skip
SHARES = {
    "29": 0.29, "33,3333": 0.333333, "66.67": 0.6667, "12,5 %": 0.125, "100": 1, "0": 0, "0,5": 0.005, "33,": 0.33,
    "100,1": None, "101": None, "": None, "un terzo": None, "-1": None, "3 3": None,
    "1/3": 0.333333333334, "2/3": 0.666666666667, " 1 / 4 ": 0.25, "3/3": 1, "0/3": 0, "4/3": None, "1/0": None, "1/": None,
    "1/3 %": None,
}  # fmt: skip
PERCENTS = {
    "0.29": "29", "0.57": "57", "0.333333": "33,3333", "0.3333333333333": "33,33333333333", "1": "100", "0.005": "0,5", "": "",
}  # fmt: skip


def test_sums_and_shares_are_read_and_written_as_they_were_typed(app: Flask, server: Server, screens: Screens, game: int) -> None:
    phone = screens.paired(server.url, app.extensions["pairing"].pin.digits, "/organiser")
    found = phone.evaluate(
        """async ([sums, shares, percents]) => {
          const typed = await import("/static/organiser-amount.js");
          return [sums.map((text) => typed.minor(text)).map((sum) => (Number.isNaN(sum) ? null : sum)), shares.map(typed.shareOf),
            percents.map((text) => typed.percentText(text)), ["33,3333", "1/3", "5/4", ""].map(typed.rest),
            typed.together([1 / 3, 2 / 3, 0].map((share) => Math.ceil(share * 1e12) / 1e12)), typed.together([0.5, 0.6]),
            typed.together([1 / 3, 1 / 3, 1 / 3].map((share) => Math.ceil(share * 1e12) / 1e12), 0),
            typed.sum(123456789, false)];
        }""",
        [SUMS, list(SHARES), list(PERCENTS)],
    )
    read = dict.fromkeys(SUMS)
    for text in SUMS:
        with suppress(ValueError):
            read[text] = minor_units(text)
    assert found == [list(read.values()), list(SHARES.values()), list(PERCENTS.values()), ["66,6667", "2/3", None, None],
                     [0.333333333334, 0.666666666666, 0], [0.5, 0.6],
                     [0.333333333332, 0.333333333334, 0.333333333334], "1.234.567,89 €"]  # fmt: skip
