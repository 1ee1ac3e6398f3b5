"""The texts that players read, in every language: cards, actions, events, refusals."""
