"""What games with bets have in common, beside their rules: base classes with defaults, from which such a game derives its parts.

A state of such a game has ``table.names``, the ``hand`` in progress, the one that ``ended`` last, the books of all ``hands``, the
``settings`` that the table has made between them, and says whether it is ``over``.
"""
