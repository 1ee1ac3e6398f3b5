"""The shapes of requests and responses, one small file per subject."""
