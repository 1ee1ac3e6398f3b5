"""People and programs that play over HTTP, and the ledger of what they were answered."""
