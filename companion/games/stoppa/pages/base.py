"""What the house reads off Stoppa's rules wherever its pages have nothing better yet."""

from __future__ import annotations

from companion.games.stoppa import rules, words
from companion.games.stoppa.rules import State
from companion.games.stoppa.story import told
from companion.table.language import Lang
from companion.table.log import Event, tag
from companion.table.plain import PlainPages


class StoppaPlain(PlainPages):
    """See `PlainPages`."""

    title = "Stoppa"

    def has(self, state: State, player: str, lang: Lang) -> str:
        return words.signed_sum(state.balances[state.table.names.index(player)], lang)

    def comment(self, before: State, event: Event, after: State, lang: Lang) -> str | None:
        n = len(before.hands) + (before.hand is not None)
        return told(before, event, after, n, lang) or tag(event)


PLAIN = StoppaPlain("stoppa", rules, most_players=6)
