"""What the pages of any game are made of: its moments, views, the phone, charts, seasons; and what they ask of a game."""
