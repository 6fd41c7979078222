#!/usr/bin/env python3
"""How long `xsp publish` takes: a store of many experiments at once, again without a change, with one experiment more, and
with one removed. Prints seconds, seconds of processors (which a busy machine changes little), bytes and files. The
experiments are copies of a small imported trace of each of 40 models, each with a name, a date and files of its own.

Reports, whose analyses and findings take seconds of one core each, are written for so many of the newest experiments
(--reports); the line "report" is the mean of one.

Usage: bench/publish.py [--experiments 2000] [--reports 20]
Example: python3 bench/publish.py --experiments 200
"""
import argparse
import json
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
MODELS = 40
TRACE = {"traceEvents": [{"ph": "X", "name": f"operator {i % 7}", "pid": 1, "tid": 1, "ts": 10 * i, "dur": 9}
                         for i in range(200)]}


def make_store(store, experiments):
    trace = store.parent / "trace.json"
    trace.write_text(json.dumps(TRACE), encoding="utf-8")
    for i in range(min(MODELS, experiments)):
        subprocess.run([str(XSP), "--store", str(store), "import", str(trace), "--model", f"model-{i}", "--name", f"e{i:05}"],
                       check=True, capture_output=True)
    for i in range(MODELS, experiments):
        add(store, i)


def add(store, number):
    """A copy of the first experiment of a model, with a date of its own."""
    folder = store / f"e{number:05}"
    shutil.copytree(store / f"e{number % MODELS:05}", folder)
    file = folder / "experiment.json"
    document = json.loads(file.read_text(encoding="utf-8"))
    document["created"] = f"2026-{1 + number // 28 % 12:02}-{1 + number % 28:02}T00:{number // 336 % 60:02}:00Z"
    file.write_text(json.dumps(document), encoding="utf-8")


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def publish(store, site, reports):
    begin, before = time.monotonic(), processor_seconds()
    done = subprocess.run([str(XSP), "--store", str(store), "publish", str(site), "--reports", str(reports),
                           "--format", "json"], check=True, capture_output=True, text=True)
    return time.monotonic() - begin, processor_seconds() - before, json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--experiments", type=int, default=2000)
    parser.add_argument("--reports", type=int, default=20)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store, site = pathlib.Path(folder) / "store", pathlib.Path(folder) / "site"
        make_store(store, arguments.experiments)

        def line(name, reports=0):
            seconds, processors, document = publish(store, site, reports)
            print(f"{name:22} {seconds:8.2f} s {processors:8.2f} s of processors   {document['changed']} experiments, {document['removed']} removed, "
                  f"{document['reports']} reports", flush=True)
            return seconds

        line(f"{arguments.experiments} experiments")
        unchanged = line("unchanged")
        add(store, arguments.experiments)
        line("one more")
        shutil.rmtree(store / "e00001")
        line("one removed")
        if arguments.reports > 0:
            seconds = line("reports", arguments.reports)
            print(f"{'report':22} {(seconds - unchanged) / arguments.reports:8.2f} s")
        files = [file for file in site.rglob("*") if file.is_file()]
        print(f"site: {len(files)} files, {sum(file.stat().st_size for file in files) / 1e6:.0f} MB; "
              f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
