"""The running service held against its document by requests that schemathesis makes up from the document alone."""
