"""Generates clients from the published document, by the tools that users of the interface would take.

`clients` is the table of them and the only place for the options of their generators; `tools` runs the generators. What
people write by hand on top of a generated client belongs into `openapi/clients/`.
"""
