#!/usr/bin/env python3
"""In what time and memory a run of many spans is listed, shown, queried, analysed and reported.

Makes the run with `large_run_bench` (kept in the cache folder), then prints wall time, CPU seconds and peak memory of each
command, each in a process of its own.

Usage: python3 bench/large_run.py [--spans N]
Example: python3 bench/large_run.py --spans 100000000
"""
import argparse
import os
import pathlib
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release")) / "bin"
CACHE = pathlib.Path(os.environ.get("XSP_CACHE", pathlib.Path.home() / ".cache" / "xsp")) / "bench" / "store"


def measure(*command):
    """Wall seconds, CPU seconds, peak MiB and exit status of a command."""
    start = time.monotonic()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spans", type=int, default=10_000_000)
    spans = parser.parse_args().spans
    name, page = f"spans-{spans}", CACHE / "report.html"
    if not (CACHE / name).exists():
        subprocess.run([BIN / "large_run_bench", CACHE, str(spans)], check=True)
    size = sum(file.stat().st_size for file in (CACHE / name).rglob("*") if file.is_file())
    print(f"{spans} spans, {size / 2**20:.0f} MiB on disk\n{'':<44}{'wall s':>8}{'CPU s':>8}{'peak MiB':>10}")
    xsp = (BIN / "xsp", "--store", CACHE)
    by_name = "SELECT name, count(*), sum(duration_ns) FROM span WHERE level = 'kernel' GROUP BY name ORDER BY 3 DESC LIMIT 20"
    for label, command in {
        "list": ("list",), "show": ("show", name), "query: count": ("query", name, "SELECT count(*) FROM span"),
        "query: kernels by name": ("query", name, by_name),
        "query: innermost layer of every kernel": ("query", name, "SELECT count(layer_id) FROM kernel_layer"),
        "analyze all": ("analyze", "all", name), "analyze all, as JSON": ("analyze", "all", name, "--format", "json"),
        "report": ("report", name, "-o", page),
    }.items():
        wall, cpu, peak, status = measure(*xsp, *command)
        print(f"{label:<44}{wall:>8.2f}{cpu:>8.2f}{peak:>10.0f}" + (f"  exit status {status}" if status else ""), flush=True)


if __name__ == "__main__":
    main()
