#!/usr/bin/env python3
"""Are the layer times that XSP measures those that PyTorch's own profiler sees on the same model and
input? Prints, per operator type, both times per call with 95 % intervals and their ratio.

Both are measured in turns: a block of XSP (its layer rung), a block of PyTorch's profiler, and so on,
so that a drift of the machine hits both.

Usage: XSP_PYTHON bench/operators_against_torch_profiler.py [--batch N] [--blocks N] [--iterations N]
Example: . .deps/environment && $XSP_PYTHON bench/operators_against_torch_profiler.py
"""
import argparse
import collections
import json
import os
import pathlib
import random
import subprocess
import tempfile

import torch

ROOT = pathlib.Path(__file__).resolve().parent.parent
XSP = ROOT / "build" / "release" / "bin" / "xsp"

# Sums per call of the outermost operators of each type, one row per measured call.
CALLS = """
WITH RECURSIVE below(call, id) AS (
  SELECT id, id FROM span WHERE level = 'model' AND id IN (SELECT span_id FROM metric WHERE name = 'iteration' AND value >= 0)
  UNION ALL SELECT b.call, s.id FROM span s JOIN below b ON s.parent_id = b.id
    WHERE NOT EXISTS (SELECT 1 FROM span p WHERE p.id = b.id AND p.level = 'layer' AND p.type NOT IN ('module', 'function')))
SELECT call, s.type, sum(s.duration_ns) AS ns FROM below b JOIN span s USING (id)
WHERE s.level = 'layer' AND s.type NOT IN ('module', 'function') GROUP BY ALL
"""


def xsp(*arguments, store):
    return json.loads(subprocess.run([str(XSP), *arguments, "--format", "json"], check=True, capture_output=True, text=True,
                                     env={**os.environ, "XSP_STORE": store}).stdout)


def measure_xsp(arguments, store):
    document = xsp("run", "resnet50", "--backend", "torch", "--batch", str(arguments.batch), "--depth", "layer", "--only",
                   "--iterations", str(arguments.iterations), store=store)
    calls = collections.defaultdict(dict)
    for row in xsp("query", document["runs"][0], CALLS, store=store):
        calls[row["call"]][row["type"]] = row["ns"]
    return list(calls.values())


def measure_profiler(module, image, iterations):
    calls = []
    with torch.inference_mode():
        for _ in range(10):
            module(image)
        for _ in range(iterations):
            with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
                module(image)
            sums = collections.Counter()
            for event in profile.events():
                parent = event.cpu_parent
                inside = False
                while parent is not None:
                    inside |= parent.name.startswith("aten::")
                    parent = parent.cpu_parent
                if event.name.startswith("aten::") and not inside:
                    sums[event.name] += event.cpu_time_total * 1000
            calls.append(sums)
    return calls


def trimmed(values):
    values = sorted(values)
    cut = len(values) // 5
    kept = values[cut:len(values) - cut]
    return sum(kept) / len(kept)


def interval(values, resamples=2000):
    chance = random.Random(1)
    means = sorted(trimmed(chance.choices(values, k=len(values))) for _ in range(resamples))
    return means[int(0.025 * resamples)], means[int(0.975 * resamples)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--iterations", type=int, default=30, help="calls of each block")
    arguments = parser.parse_args()
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as store:
        for block in range(arguments.blocks):
            ours += measure_xsp(arguments, store)
            if block == 0:
                cache = pathlib.Path(os.environ.get("XSP_CACHE", pathlib.Path.home() / ".cache" / "xsp"))
                path = max(cache.glob("zoo/resnet50*/**/*.pt"), key=lambda p: p.stat().st_mtime)
                module = torch.jit.load(str(path)).eval()
                image = torch.randn(arguments.batch, 3, 224, 224, generator=torch.Generator().manual_seed(1))
            theirs += measure_profiler(module, image, arguments.iterations)
    types = sorted({t for call in ours for t in call}, key=lambda t: -sum(call.get(t, 0) for call in ours))
    print(f"ResNet-50, batch {arguments.batch}, {len(ours)} calls each, ms per call [95 % interval]")
    print(f"{'operator':<28}{'XSP':>26}{'PyTorch profiler':>28}{'ratio':>8}  intervals")
    for name in types:
        a = [call.get(name, 0) / 1e6 for call in ours]
        b = [call.get(name, 0) / 1e6 for call in theirs]
        (al, ah), (bl, bh) = interval(a), interval(b)
        overlap = "overlap" if al <= bh and bl <= ah else "apart"
        ratio = trimmed(a) / trimmed(b) if trimmed(b) else float("nan")
        print(f"{name:<28}{trimmed(a):9.3f} [{al:7.3f}, {ah:7.3f}]{trimmed(b):10.3f} [{bl:7.3f}, {bh:7.3f}]{ratio:8.3f}  {overlap}")


if __name__ == "__main__":
    main()
