"""Drawn deck, stage, choreography, simulator, data sets, training, evaluation. Nothing at run time needs this part."""
