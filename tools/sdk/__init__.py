"""Generates clients from the published document, with the tools that users of the interface would take.

`clients` is the table of clients and the only place for the options of their generators; `tools` runs the generators.
Hand-written code on top of a generated client belongs in `clients/`.
"""
