"""The table's side of a hall: it sends what its ledger records, and does what an organiser says in the hall. It needs no database
of the hall's."""
