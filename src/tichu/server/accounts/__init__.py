"""Accounts: names that belong to somebody, and the ways to prove that one is that somebody.

Imports the store and the players; the lobby and the requests import it.  What is dear to import (argon2, webauthn) is
imported by whoever needs it first.
"""
