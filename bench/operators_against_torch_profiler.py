#!/usr/bin/env python3
"""Are the layer times that XSP measures those that PyTorch's own profiler sees on the same model and
input? Prints, per operator type, both times per call with 95 % intervals and their ratio.

Two processes that do the same differ for as long as they live (docs/adr/0009), so a run is one process, and
the intervals are over runs: fresh processes of XSP (its layer rung) and of PyTorch's profiler take turns.

Usage: XSP_PYTHON bench/operators_against_torch_profiler.py [--batch N] [--runs N] [--iterations N]
Example: . .deps/environment && $XSP_PYTHON bench/operators_against_torch_profiler.py
"""
import argparse
import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
XSP = ROOT / "build" / "release" / "bin" / "xsp"

# Sums per call of the outermost operators of each type, one row per measured call and type.
CALLS = """
WITH RECURSIVE below(call, id) AS (
  SELECT id, id FROM span WHERE level = 'model' AND id IN (SELECT span_id FROM metric WHERE name = 'iteration' AND value >= 0)
  UNION ALL SELECT b.call, s.id FROM span s JOIN below b ON s.parent_id = b.id
    WHERE NOT EXISTS (SELECT 1 FROM span p WHERE p.id = b.id AND p.level = 'layer' AND p.type NOT IN ('module', 'function')))
SELECT call, s.type, sum(s.duration_ns) AS ns FROM below b JOIN span s USING (id)
WHERE s.level = 'layer' AND s.type NOT IN ('module', 'function') GROUP BY ALL
"""


def run(command, store):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env={**os.environ, "XSP_STORE": store})
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed:\n{done.stderr}")
    return json.loads(done.stdout)


def measure_xsp(arguments, store):
    """The calls of one run of XSP: time of each operator type, ns."""
    document = run([XSP, "run", "resnet50", "--backend", "torch", "--batch", arguments.batch, "--depth", "layer", "--only",
                    "--iterations", arguments.iterations, "--format", "json"], store)
    calls = collections.defaultdict(dict)
    for row in run([XSP, "query", document["runs"][0], CALLS, "--format", "json"], store):
        calls[row["call"]][row["type"]] = row["ns"]
    return list(calls.values())


def profile(path, batch, iterations):
    """The same with PyTorch's profiler, in this process; prints the calls as JSON."""
    import torch

    module = torch.jit.load(path).eval()
    image = torch.randn(batch, 3, 224, 224, generator=torch.Generator().manual_seed(1))
    with torch.inference_mode():
        for _ in range(20):
            module(image)
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profiler:
            for _ in range(iterations + 1):  # The first finds the profiler cold.
                with torch.profiler.record_function("one call"):
                    module(image)
    calls = collections.defaultdict(collections.Counter)
    for event in profiler.events():
        parent = event.cpu_parent
        while event.name.startswith("aten::") and parent is not None and not parent.name.startswith("aten::"):
            if parent.name == "one call":
                calls[parent.id][event.name] += event.cpu_time_total * 1000
            parent = parent.cpu_parent
    print(json.dumps([calls[call] for call in sorted(calls)][1:]))


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
    parser.add_argument("--runs", type=int, default=10, help="processes of each")
    parser.add_argument("--iterations", type=int, default=20, help="calls of each process")
    parser.add_argument("--profile", metavar="MODEL", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.profile:
        profile(arguments.profile, arguments.batch, arguments.iterations)
        return
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as store:
        for index in range(arguments.runs):
            print(f"run {index + 1} of {arguments.runs}", file=sys.stderr)
            ours.append(measure_xsp(arguments, store))
            cache = pathlib.Path(os.environ.get("XSP_CACHE", pathlib.Path.home() / ".cache" / "xsp"))
            path = max(cache.glob("zoo/resnet50*/**/*.pt"), key=lambda p: p.stat().st_mtime)
            theirs.append(run([sys.executable, __file__, "--profile", path, "--batch", arguments.batch,
                               "--iterations", arguments.iterations], store))

    def of_runs(runs, name):
        return [trimmed([call.get(name, 0) / 1e6 for call in calls]) for calls in runs]

    types = {name for calls in ours for call in calls for name in call}
    print(f"ResNet-50, batch {arguments.batch}, {arguments.runs} processes of {arguments.iterations} calls each, "
          "ms per call [95 % interval over processes]")
    print(f"{'operator':<28}{'XSP':>26}{'PyTorch profiler':>28}{'ratio':>8}  intervals")
    for name in sorted(types, key=lambda name: -trimmed(of_runs(ours, name))):
        a, b = of_runs(ours, name), of_runs(theirs, name)
        (al, ah), (bl, bh) = interval(a), interval(b)
        overlap = "overlap" if al <= bh and bl <= ah else "apart"
        ratio = trimmed(a) / trimmed(b) if trimmed(b) else float("nan")
        print(f"{name:<28}{trimmed(a):9.3f} [{al:7.3f}, {ah:7.3f}]{trimmed(b):10.3f} [{bl:7.3f}, {bh:7.3f}]{ratio:8.3f}  {overlap}")


if __name__ == "__main__":
    main()
