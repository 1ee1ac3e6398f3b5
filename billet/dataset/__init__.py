"""Decisions as a table: one row for each action that a seat took, with what it knew, for those who study games.

`decisions` walks a log, `columns` says what is told of a decision, `table` makes Parquet of them, and `work` reads
files of logs beside each other. It needs the extra `dataset`.
"""
