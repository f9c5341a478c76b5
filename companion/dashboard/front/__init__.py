"""The front of the server: it decides who gets a connection, a place at the stream, and a turn, before Flask handles a
request."""
