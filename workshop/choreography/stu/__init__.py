"""How Lu Stù is played at the table: a card in each place, passed, exchanged and shown; pedine beside it."""
