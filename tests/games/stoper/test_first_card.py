"""Once the first card is out no blind can follow (rule 4 of Stoper): the TV, the phone and the rules say the same."""

from __future__ import annotations

from typing import Any

import pytest
import stoper_cases
from phones import Phone

from companion.dashboard import create_app
from companion.games import GAMES
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder

HAND = {"e": "hand", "cip": 50, "invito": 50}
BLIND = {"e": "buio", "by": "Bice"}
DEALT: dict[str, tuple[dict[str, Any], bool]] = {
    "a card that nobody has counted": ({"e": "deal", "to": "Bice"}, False),
    "a card that was counted": ({"e": "deal", "to": "Bice", "cards": 1}, False),
    "a card that one phone knows": ({"e": "deal", "to": "Bice", "faces": ["coppe-1"]}, False),
    "no card at all": ({"e": "deal", "to": "Bice", "cards": 0}, True),
}


@pytest.mark.parametrize("what", DEALT)
def test_tv_and_phone_offer_a_blind_just_where_it_is_taken(ledger: Ledger, what: str) -> None:
    dealt, open_ = DEALT[what]
    EveningRecorder.begin(ledger, GAMES["stoper"].rules.LOG.event(stoper_cases.first_line("")))
    app = create_app(ledger)
    phone, tv = Phone(app), app.test_client()
    phone.say(HAND)
    assert "buio" in tv.get("/api/game?lang=it").json["message"]
    phone.say(dealt)
    offered = [one["events"] for doer in phone.look()["next"]["doers"] for one in doer["offers"]]
    shown = tv.get("/api/game?lang=it").json
    assert ([BLIND] in offered, "buio" in shown["message"], "buio" in shown["centre"]["title"]) == (open_, open_, open_)
    assert phone.send({"what": "say", "events": [BLIND]}).status_code == (200 if open_ else 422)
