"""What all games' watchers have in common: the cards that were found are followed from look to look. Needs no pictures."""
