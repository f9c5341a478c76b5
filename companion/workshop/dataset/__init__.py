"""Training pictures with exact corners: seeded recipes, random scenes on the stage, labels."""
