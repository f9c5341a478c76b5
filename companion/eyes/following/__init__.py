"""What all games' watchers share: they follow the cards that were found from picture to picture. Needs no pictures itself."""
