#!/usr/bin/env python3
"""Holds the measured FLOP/s roofs against PyTorch's best matrix product per data type.

Usage: roof_against_torch.py ROOF_BENCH      (the program built from src/measure/roof_loops/roof_bench.cc)
Needs a Python with PyTorch. Measures the roofs anew, then the products, for one core and for all
that this process may use. PyTorch multiplies float32 and float64 with MKL, the others with oneDNN.
A ratio above 1 means that the roof was measured too low; well below 1, that the library does not
reach the instructions' peak, or that others held the CPUs (the printed conditions say so).
"""
import json
import os
import subprocess
import sys
import time

import torch

TYPES = {"float32": torch.float32, "float64": torch.float64,
         "bfloat16": torch.bfloat16, "float16": torch.float16}
SIZES = (512, 1024, 2048)
SECONDS_PER_SIZE = 1.0


def best_flops_per_s(dtype, n):
    a, b = (torch.rand(n, n).to(dtype) for _ in range(2))
    out = torch.empty_like(a)
    torch.mm(a, b, out=out)
    best, end = float("inf"), time.perf_counter() + SECONDS_PER_SIZE
    while time.perf_counter() < end:
        start = time.perf_counter()
        torch.mm(a, b, out=out)
        best = min(best, time.perf_counter() - start)
    return 2 * n**3 / best


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    report = json.loads(subprocess.run([sys.argv[1], "json"], check=True, capture_output=True,
                                       text=True).stdout)
    print(report["machine"], report["measured_at"], report["conditions"], sep="\n")
    print(f"PyTorch {torch.__version__}")
    for cores in sorted({1, len(os.sched_getaffinity(0))}):
        torch.set_num_threads(cores)
        for name, dtype in TYPES.items():
            roofs = [roof["value"] for roof in report["roofs"]
                     if roof["dtype"] == name and roof["cores"] == cores]
            if not roofs:
                continue
            rate, n = max((best_flops_per_s(dtype, n), n) for n in SIZES)
            print(f"{name:9} {cores} cores: roof {max(roofs) / 1e9:8.1f} GFLOP/s, "
                  f"best product {rate / 1e9:8.1f} (n = {n}), ratio {rate / max(roofs):.3f}")


if __name__ == "__main__":
    main()
