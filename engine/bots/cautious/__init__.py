"""The bot that counts cards and looks one action ahead; `judging` is its entry point."""
