"""The front: everything between the TCP connection and the call to the Flask application."""
