"""The operations, one blueprint per tag of the document."""
