"""`billet match`: a match of a service that runs anywhere, from the command line."""
