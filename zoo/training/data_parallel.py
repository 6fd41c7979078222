#!/usr/bin/env python3
"""Trains a small network in several processes of this machine that share its gradients over gloo.

The batch is divided among the processes (strong scaling), each of which computes on one thread; PyTorch's
DistributedDataParallel adds up the gradients. Prints the median time of a step, of the slowest process, and checks
that all processes end with the same weights.

Usage: data_parallel.py [--processes N] [--steps N] [--batch N] [--seed N]
Under torchrun each process that it starts, on whatever node, is one of them, and --processes has no effect:
torchrun --nproc-per-node=2 data_parallel.py
"""
import argparse
import os
import pathlib
import statistics
import sys
import tempfile
import time

try:
    import torch
    import torch.distributed
    import torch.multiprocessing
except ImportError as error:
    print(f"this Python has no PyTorch: {error}", file=sys.stderr)
    sys.exit(4)

WARM_UP = 5


def train(rank, chosen, meeting):
    """meeting: a URL at which the processes find each other."""
    torch.set_num_threads(1)
    torch.distributed.init_process_group("gloo", init_method=meeting, rank=rank, world_size=chosen.processes)
    torch.manual_seed(chosen.seed)
    network = torch.nn.Sequential(torch.nn.Conv2d(3, 32, 3, padding=1), torch.nn.ReLU(), torch.nn.Conv2d(32, 64, 3, 2),
                                  torch.nn.ReLU(), torch.nn.AdaptiveAvgPool2d(4), torch.nn.Flatten(),
                                  torch.nn.Linear(1024, 256), torch.nn.ReLU(), torch.nn.Linear(256, 10))
    shared = torch.nn.parallel.DistributedDataParallel(network)
    optimiser = torch.optim.SGD(shared.parameters(), lr=0.01)
    share = chosen.batch // chosen.processes
    generator = torch.Generator().manual_seed(chosen.seed + 1 + rank)
    durations = []
    for _ in range(WARM_UP + chosen.steps):
        images = torch.randn(share, 3, 64, 64, generator=generator)
        labels = torch.randint(10, (share,), generator=generator)
        torch.distributed.barrier()
        begin = time.perf_counter()
        optimiser.zero_grad(set_to_none=True)
        torch.nn.functional.cross_entropy(shared(images), labels).backward()
        optimiser.step()
        durations.append(time.perf_counter() - begin)
    weights = torch.cat([parameter.detach().flatten() for parameter in network.parameters()])
    mine = weights.clone()
    torch.distributed.broadcast(weights, 0)
    torch.testing.assert_close(mine, weights)
    median = torch.tensor([statistics.median(durations[WARM_UP:])], dtype=torch.float64)
    torch.distributed.all_reduce(median, torch.distributed.ReduceOp.MAX)
    if rank == 0:
        print(f"processes {chosen.processes} batch {chosen.batch} seconds_per_step {median.item():.9f}", flush=True)
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()
    # gloo's threads now and then abort while Python unloads them: all that counts is done.
    sys.stdout.flush()
    os._exit(0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--steps", type=int, default=30, help="after 5 that warm up")
    parser.add_argument("--batch", type=int, default=32, help="samples of a step, of all processes together")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    is_one_of_many = torch.distributed.is_torchelastic_launched()
    if is_one_of_many:
        chosen.processes = int(os.environ["WORLD_SIZE"])
    if chosen.processes < 1 or chosen.steps < 1 or chosen.batch < 1 or chosen.batch % chosen.processes:
        parser.error("at least 1 process and 1 step, and a batch that the processes divide")
    if is_one_of_many:
        train(int(os.environ["RANK"]), chosen, "env://")
    # All processes are here: gloo must not look for a host name that may not resolve.
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    with tempfile.TemporaryDirectory() as folder:
        meeting = pathlib.Path(folder) / "meeting"
        torch.multiprocessing.spawn(train, args=(chosen, f"file://{meeting}"), nprocs=chosen.processes)


if __name__ == "__main__":
    main()
