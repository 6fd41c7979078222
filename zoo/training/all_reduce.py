#!/usr/bin/env python3
"""DeepBench's all-reduce between processes of this machine, with torch.distributed over gloo.

Sizes are those of its list (all_reduce_problems.h), in float32 numbers. Every result is checked. Prints, for each
size, the median time of a call and the bus bandwidth: 2 (n - 1) / n x bytes / time, which does not depend on the
number of processes n if the links are used fully.

Usage: all_reduce.py [--processes N] [--repeat N] [--most NUMBERS] [--seed N]
"""
import argparse
import os
import pathlib
import statistics
import sys
import tempfile
import time

import torch
import torch.distributed
import torch.multiprocessing

SIZES = [100_000, 3_097_600, 4_194_304, 6_553_600, 16_777_217, 38_360_000, 64_500_000]


def reduce_all(rank, chosen, meeting):
    torch.distributed.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank,
                                         world_size=chosen.processes)
    torch.set_num_threads(1)
    for size in [size for size in SIZES if size <= chosen.most]:
        start = torch.randn(size, generator=torch.Generator().manual_seed(chosen.seed))
        durations = []
        for _ in range(chosen.repeat):
            tensor = start * (rank + 1)
            torch.distributed.barrier()
            begin = time.perf_counter()
            torch.distributed.all_reduce(tensor)
            durations.append(time.perf_counter() - begin)
        torch.testing.assert_close(tensor, start * (chosen.processes * (chosen.processes + 1) // 2))
        if rank == 0:
            seconds = statistics.median(durations)
            bus = 2 * (chosen.processes - 1) / chosen.processes * size * 4 / seconds
            print(f"all_reduce {size} float32, {chosen.processes} processes: {seconds * 1e3:.3f} ms, "
                  f"bus bandwidth {bus / 1e9:.3f} GB/s", flush=True)
    torch.distributed.destroy_process_group()
    # gloo's threads now and then abort while Python unloads them: all that counts is done.
    sys.stdout.flush()
    os._exit(0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=10, help="calls of each size")
    parser.add_argument("--most", type=int, default=16_777_217, help="leave larger sizes out")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    if chosen.processes < 2 or chosen.repeat < 1 or chosen.most < SIZES[0]:
        parser.error("at least 2 processes, 1 repetition and 100000 numbers")
    # All processes are here: gloo must not look for a host name that may not resolve.
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    with tempfile.TemporaryDirectory() as folder:
        meeting = pathlib.Path(folder) / "meeting"
        torch.multiprocessing.spawn(reduce_all, args=(chosen, meeting), nprocs=chosen.processes)


if __name__ == "__main__":
    main()
