"""Files of other programs, read into records and written from them.

Imports the core alone; the command line, the environments and the server import it.
"""
