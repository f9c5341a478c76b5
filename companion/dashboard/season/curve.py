"""A player's running total, evening by evening, as a curve. Pure: it makes SVG from numbers; the page gives the colours."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

from companion.dashboard.season.columns import shown, text_of
from companion.dashboard.season.view import PlayerView
from companion.table.language import Lang, catalogue

WIDTH, HEIGHT = 420, 180
_LEFT, _RIGHT, _TOP, _LOW = 12, 12, 26, 26
_MAX_DOTS = 60
"""Number of evenings up to which each has a dot: more of them would be a band."""


def drawing(player: PlayerView, lang: Lang) -> str:
    """The curve as an `<svg>` element; "" where there is nothing to draw."""
    totals = [0, *(night.total for night in reversed(player.nights))]
    if len(totals) < 2:
        return ""
    low, high = min(totals), max(totals)
    room, step = HEIGHT - _TOP - _LOW, (WIDTH - _LEFT - _RIGHT) / (len(totals) - 1)

    def level(total: int) -> float:
        share = (total - low) * 1000 // (high - low) / 1000 if high > low else 0.5  # sums may be too long for a float
        return HEIGHT - _LOW - room * share

    at = [(_LEFT + step * number, level(total)) for number, total in enumerate(totals)]
    path = "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in at)
    dots = [f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4"/>' for x, y in at[1:]] if len(at) <= _MAX_DOTS else []

    def in_words(total: int) -> str:
        return text_of(shown(total, player.curve.kind, lang, balance=True))

    label = catalogue(lang).gettext("{what}, evening by evening: {now} after {n}")
    label = label.format(what=player.curve.label, now=in_words(totals[-1]), n=len(totals) - 1)
    marks = [(high, _TOP - 10), (low, HEIGHT - 6)] if high > low else [(high, _TOP - 10)]
    return "\n".join(
        [
            f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label={quoteattr(label)}>',
            f'<line class="ground" x1="0" x2="{WIDTH}" y1="{level(0):.1f}" y2="{level(0):.1f}"/>',
            f'<path class="curve" d="{path}"/>',
            *dots,
            *(f'<text class="mark" x="{_LEFT}" y="{y}">{in_words(total)}</text>' for total, y in marks),
            "</svg>",
        ]
    )
