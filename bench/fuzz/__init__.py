"""A server to which everything is said that is nearly right: recorded sessions, mutated.  Loopback only.

:mod:`.seeds` is what was recorded, :mod:`.mutations` makes cases of it, :mod:`.talk` says them to a server and waits
for answers; ``python -m bench.fuzz`` does so a million times.
"""
