"""The table's side of a hall: it sends what its ledger records, and does what an organiser says there. No database."""
