"""The bench of Stoppa: clips followed with the money told as by a phone, ruled, scored and reported."""
