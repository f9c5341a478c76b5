"""How Stoper is played at the table: three cards in the hand, chips in the middle, one exchange, hands laid open as fans."""
