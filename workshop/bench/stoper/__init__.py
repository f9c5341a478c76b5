"""The bench of Stoper: hands of its logs, taken apart to be scored."""
