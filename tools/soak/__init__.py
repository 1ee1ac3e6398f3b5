"""Random play by the thousand, in memory and over HTTP: too long for `make test`, run by `make soak`."""
