"""How contenders are timed: piece by piece, in a random order, the least of several rounds for each piece.

A slow spell of a shared machine is shorter than a run and longer than a page, so that the sum of each page's
own best is steadier than the best of whole rounds.
"""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable, Mapping, Sequence

Work = Callable[[], object]


def seconds(work: Work) -> float:
    """Processor seconds, without those of the garbage collector."""
    gc.collect(0)
    gc.disable()
    start = time.process_time_ns()
    work()
    spent = time.process_time_ns() - start
    gc.enable()
    return spent / 1e9


def best(contenders: Mapping[str, Sequence[Work]], rounds: int) -> dict[str, float]:
    """For each contender, the sum of the least seconds that each of its pieces took in *rounds*."""
    found = {name: [float("inf")] * len(pieces) for name, pieces in contenders.items()}
    order = [(name, place) for name, pieces in contenders.items() for place in range(len(pieces))]
    for _ in range(rounds):
        random.shuffle(order)
        for name, place in order:
            found[name][place] = min(found[name][place], seconds(contenders[name][place]))
    return {name: sum(pieces) for name, pieces in found.items()}
