"""Clients as they are generated from the published document: their types are checked, and whole games played on them.

What a program does at the table is the same for all clients. It uses nothing but what is generated; where that would
need a way around, the document or the options of the generator are mended instead.
"""
