"""What a new document takes away from those who wrote clients against an older one; the policy is in `README.md`.

Nothing here knows this interface: documents come in as plain data, findings go out as sentences.
"""
