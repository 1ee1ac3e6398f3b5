"""The shapes of requests and answers, one small file per subject; nothing that handles a request belongs here."""
