"""Which job is next: jobs that hold much memory do not run at a time while there is anything else to do."""

from __future__ import annotations

from collections.abc import Collection, Sequence

#: A job is large that holds more than this part of what the largest one holds.
_LARGE = 0.5


class Waiting:
    """Jobs that have not begun, in order; but a large one waits for another while small ones are left.

    Large ones begin as early as that allows: later nothing would be left to run beside them.

    Parameters
    ----------
    sizes: memory of every job, in any unit; jobs of about one size are taken as they come.
    """

    def __init__(self, sizes: Sequence[float]) -> None:
        self._large = _large(sizes)
        self._left = list(range(len(sizes)))

    def __len__(self) -> int:
        return len(self._left)

    def take(self, running: Collection[int]) -> int:
        """Index of the next job, which waits no longer.

        Parameters
        ----------
        running: indices of jobs that have begun and not ended.
        """
        wanted = self._large.isdisjoint(running)
        job = next((job for job in self._left if (job in self._large) is wanted), self._left[0])
        self._left.remove(job)
        return job


def held_together(sizes: Sequence[float], at_a_time: int) -> float:
    """Memory of the jobs that run at a time, at worst: one large job beside small ones.

    Where there are more large jobs than small ones, as many large ones as there can be.
    """
    large = _large(sizes)
    descending = sorted(range(len(sizes)), key=lambda job: -sizes[job])
    small = [job for job in descending if job not in large]
    together = descending if len(small) < len(large) else [*descending[:1], *small]
    return sum(sizes[job] for job in together[:at_a_time])


def _large(sizes: Sequence[float]) -> set[int]:
    """Indices of the large jobs; none are where all are."""
    least = _LARGE * max(sizes, default=0.0)
    large = {job for job, size in enumerate(sizes) if size > least}
    return large if len(large) < len(sizes) else set()
