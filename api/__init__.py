"""The HTTP interface: parsing, one service call, an answer; no rules and no storage belong here."""
