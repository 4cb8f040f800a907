"""The learned bot: a network that has played against itself (``docs/training.md``).

Matrices this small gain nothing from several threads, which would only get in the way of the other processes of an
arena or a server: numpy is loaded with one, unless it is here already or the environment says otherwise.
"""

import os
from typing import Final

_THREADS: Final = "OPENBLAS_NUM_THREADS"

if _THREADS not in os.environ:
    # It is read once, when the library is loaded; programs that are started later must not find it.
    os.environ[_THREADS] = "1"
    import numpy as np

    del os.environ[_THREADS]
    del np
