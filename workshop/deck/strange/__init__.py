"""Strange decks: invented cards of many kinds and their backs, drawn in pixels, so that the eyes learn what any card looks like.

`decks` names the families and makes whole decks; the other modules draw.
"""
