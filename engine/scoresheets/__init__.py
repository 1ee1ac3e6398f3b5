"""Whole games as text: the notation of moves, the sheet, and its replay."""
