"""Drawn deck, rendered clips, data sets, training, evaluation. Nothing that runs in a bar needs this part."""
