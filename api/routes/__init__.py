"""The operations, one blueprint per tag of the document; reading bodies and writing errors do not belong here."""
