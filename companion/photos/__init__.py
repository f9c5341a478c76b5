"""Pictures that strangers hand in: what kind each is, what its head says, and the picture, decoded where that may fail."""
