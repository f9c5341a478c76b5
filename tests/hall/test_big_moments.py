"""What fills the big screen: the moments of every table, the winner's among them."""

from __future__ import annotations

from serving import until
from tables import Running, table


def test_the_winner_of_a_table_fills_the_big_screen_though_its_game_is_over(hall: Running, lang: str) -> None:
    with table(hall) as one:
        one.play(hands=200, every=40)
        won = next(told for told in one.says(lang)["announced"] if told["kind"] == "won")
        until(lambda: hall.tables()[0]["state"] == "over")
        [tile] = hall.client.get(f"/api/hall/now?lang={lang}").json["view"]["tiles"]
    assert tile["state"] == "over"
    assert tile["big"] == f"{won['title']} {won['names'][0]}"
    assert tile["mark"]
