"""A game in the terminal over plain HTTP: it knows the contract and no rules, as any other client would."""
