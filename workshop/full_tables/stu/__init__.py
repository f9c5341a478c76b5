"""The bench of full tables of Lu Stù: people who sit all around, filmed from several sides at once."""
