"""Three nodes, one database and a balancer on this machine: under load, under faults, while they are replaced.

:mod:`.audit` has the database copy every entry and every change of an owner; :mod:`.journals` is what the clients were
told; :mod:`.checker` compares the two and needs neither a database nor a server.  :mod:`.nodes` and :mod:`.balancer`
run the processes, :mod:`.crowd` the honest tables, :mod:`.phases` what happens to them, :mod:`.report` tells.
Loopback only.
"""
