"""Takes the pictures of the README."""
