"""The editions: one table of cards each; mechanisms that several editions share belong in the table or the rounds."""
