"""Pictures to learn from: seeded recipes, random rendered scenes with exact labels, and real photographs."""
