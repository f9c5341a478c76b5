"""How good the models are, measured on pictures with known truth."""
