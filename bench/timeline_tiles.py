#!/usr/bin/env python3
"""How fast `xsp serve` answers with tiles of a timeline: a run of so many spans, tiles at random places and all widths that
the page asks for (1024 buckets of 2^k ns), each asked for once, by one client after the other. Prints for each quarter of
the widths, and for all, the 50th and 95th percentile and the maximum of the time from request to last byte and the size
of the answers; the server's CPU time for a tile; the time of the first request of the page; the size of the levels of detail against the table of spans.

Makes the run with `large_run_bench` (kept in the cache folder, as bench/large_run.py does).

Usage: bench/timeline_tiles.py [--spans N] [--tiles 400]
Example: python3 bench/timeline_tiles.py --spans 100000000
"""
import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from served import BUILD, Server  # noqa: E402  pylint: disable=wrong-import-position

CACHE = pathlib.Path(os.environ.get("XSP_CACHE", pathlib.Path.home() / ".cache" / "xsp")) / "bench" / "timeline"
BUCKETS = 1024
GROUPS = 4


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def print_row(label, times, sizes):
    print(f"{label:<28}{len(times):>7}{percentile(times, 0.5) * 1e3:>9.1f}{percentile(times, 0.95) * 1e3:>9.1f}"
          f"{max(times) * 1e3:>9.1f}{percentile(sizes, 0.5) / 1024:>10.0f}{max(sizes) / 1024:>9.0f}")


def ask(server, connection, path):
    start = time.perf_counter()
    status, _, content = server.ask("GET", path, headers={"Accept-Encoding": "gzip"}, connection=connection)
    elapsed = time.perf_counter() - start
    if status != 200:
        raise RuntimeError(f"{path}: {status} {content[:300]!r}")
    return elapsed, len(content)


def cpu_seconds(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(server, name, tiles):
    connection = server.connection()
    elapsed, _ = ask(server, connection, f"/api/v1/timeline?run={name}&parts=tracks")
    print(f"tracks and extent of the run: {elapsed * 1e3:.0f} ms")
    duration = server.get(f"/api/v1/timeline?run={name}&parts=none")["duration_ns"]
    exponents = range(max(1, (duration // BUCKETS).bit_length()))
    generator = random.Random(1)
    groups = [([], []) for _ in range(GROUPS)]
    before = cpu_seconds(server.process)
    for number in range(tiles):
        exponent = exponents[number % len(exponents)]
        length = BUCKETS << exponent
        index = generator.randrange(max(1, duration // length))
        elapsed, size = ask(server, connection, f"/api/v1/timeline?run={name}&parts=blocks&width={BUCKETS}"
                                                f"&from_ns={index * length}&to_ns={(index + 1) * length}")
        times, sizes = groups[exponent * GROUPS // len(exponents)]
        times.append(elapsed)
        sizes.append(size)
    print(f"{(cpu_seconds(server.process) - before) / tiles * 1e3:.1f} ms of CPU time of the server for a tile")
    print(f"{'bucket':<28}{'tiles':>7}{'p50 ms':>9}{'p95 ms':>9}{'max ms':>9}{'p50 KiB':>10}{'max KiB':>9}")
    for group, (times, sizes) in enumerate(groups):
        of_group = [exponent for exponent in exponents if exponent * GROUPS // len(exponents) == group]
        if times:
            print_row(f"2^{of_group[0]} to 2^{of_group[-1]} ns", times, sizes)
    print_row("all", sum((times for times, _ in groups), []), sum((sizes for _, sizes in groups), []))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spans", type=int, default=10_000_000)
    parser.add_argument("--tiles", type=int, default=400)
    arguments = parser.parse_args()
    name = f"spans-{arguments.spans}"
    if not (CACHE / name).exists():
        subprocess.run([BUILD / "bin" / "large_run_bench", CACHE, str(arguments.spans)], check=True)
    run = CACHE / name / "imported"
    spans, levels = ((run / f"{table}.parquet").stat().st_size for table in ("span", "timeline_block"))
    print(f"{arguments.spans} spans: {spans / 2**20:.0f} MiB, levels of detail {levels / 2**20:.1f} MiB ({levels / spans:.1%})")
    with tempfile.TemporaryDirectory() as folder:
        server = Server(CACHE, pathlib.Path(folder) / "log")
        try:
            measure(server, name, arguments.tiles)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
