"""What somebody hostile would try, against a server on the loopback address, bounded in number and time."""
