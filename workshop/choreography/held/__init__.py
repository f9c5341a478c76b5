"""What games have in common in which cards are held in the hand and money is put in the middle."""
