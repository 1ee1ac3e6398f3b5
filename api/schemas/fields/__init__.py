"""The building blocks of schemas: fields, checks, enumerations."""
