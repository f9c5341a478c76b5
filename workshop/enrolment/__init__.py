"""How well decks are read that were enrolled from one or two photos a card: photos and play are drawn, and the truth is known."""
