"""The front: who gets a connection, a place at the stream and a turn, before Flask is asked."""
