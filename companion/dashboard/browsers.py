"""The oldest browsers that a page comes up in, and what one that is older says (`web/static/came-up.js`)."""

from __future__ import annotations

from companion.table.language import LANGS, catalogue

SPECTATORS = "Chrome 63, Firefox 60, Safari 12"
"""What TV, overlay, charts and the season need: `tools/older_browsers.py` holds their scripts and sheets to it. Televisions: LG's
webOS 5 (2020), Samsung's Tizen 5.0 (2019)."""

ORGANISERS = "Chrome 88, Firefox 98, Safari 15.4"
"""What the organiser's page, setup, decks and the phone's camera need: `??=`, `dialog`, `inset`."""


def sentences() -> dict[str, str]:
    """What came-up.js says, by the name of its attribute. It fills in `{found}` and `{needed}`, or `{why}`."""
    texts = {}
    for lang in LANGS:
        _ = catalogue(lang).gettext
        texts[f"old-{lang}"] = _("This browser is too old for this page: it is {found}. The page needs {needed}, or newer.")
        texts[f"not-{lang}"] = _("This page did not come up: please load it again. ({why})")
    return texts
