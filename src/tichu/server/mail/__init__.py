"""Mail that a server sends if its operator has named an SMTP server.

Knows neither accounts nor a store.  What is dear to import (smtplib, email) is imported by whoever needs it first.
"""
