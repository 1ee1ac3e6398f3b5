"""The words that players read, in every language: cards, actions, events, refusals; nothing is decided here."""
