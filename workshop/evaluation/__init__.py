"""How good the models are: figures on pictures with known truth, and the report of them."""
