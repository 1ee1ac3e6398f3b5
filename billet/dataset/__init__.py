"""Exports decisions as a table for research: one row for each action of a seat, with what the seat knew.

`decisions` walks a log, `columns` defines the columns, `table` writes Parquet, and `work` reads log files in parallel.
It needs the extra `dataset`.
"""
