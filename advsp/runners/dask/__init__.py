"""Running on a cluster of Dask workers (``advsp[dask]``): jobs, and the shards of full batches.

Everything a worker holds is a function of files in the run folder, which all workers see: what a lost worker
held is made again, bit for bit.  Only functions that need it import ``distributed``.
"""

from __future__ import annotations

#: How a user installs what a cluster needs.
INSTALL = 'pip install "advsp[dask]"'
