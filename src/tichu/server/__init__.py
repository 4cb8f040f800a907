"""The table server: everything between the rules core and a browser, a bot or a file."""
