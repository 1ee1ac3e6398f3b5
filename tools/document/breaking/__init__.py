"""Finds what a new document breaks for clients written against an older one; the policy is in `README.md`.

Nothing here knows this interface: documents come in as plain data, findings go out as sentences.
"""
