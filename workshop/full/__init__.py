"""The bench of full tables: people who sit all around, filmed from several sides at once."""
