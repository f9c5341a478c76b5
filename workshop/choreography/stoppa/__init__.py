"""How Stoppa is played at the table: cards in the hand, money and a pile in the middle."""
