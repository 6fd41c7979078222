#!/usr/bin/env python3
"""How fast `xsp serve` answers under load: so many requests in a second, sent at fixed times whatever the answers do, over
a store of many experiments. Prints, for each kind of request, the number, the 50th, 95th and 99th percentile and the
maximum of the time from the moment when it was due to the last byte; and the server's memory.

The mix: a list of all and documents of experiments (0.7 of all) and lists by tag (0.1), with entity tags; tiles of timelines
(0.15); analyses (0.05). All but the tiles were asked for once before: of 1,440 tiles of 20 experiments each is computed when
it is first asked for. SQL apart, so many in a second (--sql). The client runs on the same machine and takes its share of it.

With --changes, so many times in a second an experiment that nobody asks about is tagged, and every tenth time another one
appears in the store: what the server does not have to compute again, it must not. The server's memory is printed each minute.

Usage: bench/serve_load.py [--experiments 2000] [--rate 500] [--seconds 30] [--sql 1] [--changes 0] [--store DIR]
Examples: python3 bench/serve_load.py --seconds 60
          python3 bench/serve_load.py --seconds 60 --changes 1
          python3 bench/serve_load.py --seconds 2100 --rate 100
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from served import Server, XSP  # noqa: E402  pylint: disable=wrong-import-position

CONNECTIONS = 16
TILES = 20 * 72
TRACE = {"traceEvents": [{"ph": "X", "name": f"operator {i % 7}", "pid": 1, "tid": 1, "ts": 10 * i, "dur": 9}
                         for i in range(200)]}


def make_store(store, experiments):
    """One imported experiment, and links of its files under many names."""
    if len(list(store.glob("*"))) >= experiments:
        return
    trace = store.parent / "trace.json"
    trace.write_text(json.dumps(TRACE))
    subprocess.run([str(XSP), "--store", str(store), "import", str(trace), "--name", "e0000"], check=True,
                   capture_output=True)
    for i in range(1, experiments):
        folder = store / f"e{i:04}"
        if not folder.exists():
            shutil.copytree(store / "e0000", folder, copy_function=os.link)


def tile(number):
    """One of the tiles that a timeline asks for: of 20 experiments, 8 that show all of it and 64 of its beginning."""
    run, place = divmod(number % TILES, 72)
    length = 1 << 18 if place < 8 else 1 << 14
    begin = length * (place if place < 8 else place - 8)
    return f"/api/v1/timeline?run=e{run:04}&parts=blocks&from_ns={begin}&to_ns={begin + length}&width=1024"


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def peak_memory(process):
    """MiB of the server: now, and at most."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    return [int(fields[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM")]


class Load:
    """Sends requests at their times over several connections."""

    def __init__(self, server, arguments):
        self.server, self.arguments = server, arguments
        self.times = {"stored": [], "list": [], "tile": [], "analysis": [], "sql": []}
        self.failures = []
        self.tags = {}
        self.lock = threading.Lock()

    @staticmethod
    def path(kind, number):
        return {"stored": f"/api/v1/show?run=e{number % 50:04}" if number % 2 else "/api/v1/list?limit=100",
                "list": f"/api/v1/list?limit=100&tag=a{number % 20}=b",
                "tile": tile(number),
                "analysis": f"/api/v1/analyze?id=all&run=e{number % 5:04}"}.get(kind)

    def warm_up(self):
        """Asks for everything once; returns the number of addresses."""
        paths = {self.path(kind, number) for kind in ("stored", "list", "analysis") for number in range(100)}
        for path in sorted(paths):
            status, _, content = self.server.ask("GET", path)
            if status != 200:
                self.failures.append(f"{path}: {status} {content[:200]!r}")
        return len(paths)

    def request(self, kind, connection, chance):
        number = chance.randrange(TILES if kind == "tile" else self.arguments.experiments)
        path = self.path(kind, number)
        if kind == "sql":
            return self.server.ask("POST", "/api/v1/query", {
                "run": f"e{number:04}", "sql": "SELECT name, count(*), sum(duration_ns) FROM span GROUP BY name"},
                connection=connection)
        tag = self.tags.get(path)
        status, headers, content = self.server.ask("GET", path, connection=connection,
                                                   headers={"If-None-Match": tag} if tag else {})
        self.tags[path] = headers.get("ETag", "")
        return status, headers, content

    def worker(self, number, begin, kinds, rate, connections):
        chance = random.Random(number)
        connection = self.server.connection()
        due = begin + number / rate
        while due < begin + self.arguments.seconds:
            time.sleep(max(0, due - time.monotonic()))
            kind = chance.choices(*zip(*kinds.items()))[0]
            try:
                status, _, content = self.request(kind, connection, chance)
                taken = time.monotonic() - due
                with self.lock:
                    self.times[kind].append(taken)
                    if status not in (200, 304):
                        self.failures.append(f"{kind}: {status} {content[:200]!r}")
            except OSError as error:
                self.failures.append(f"{kind}: {error}")
                connection = self.server.connection()
            due += connections / rate

    def change(self, begin):
        """Changes the store while the requests come."""
        store, last = self.server.store, self.arguments.experiments - 1
        for number in range(int(self.arguments.changes * self.arguments.seconds)):
            time.sleep(max(0, begin + number / self.arguments.changes - time.monotonic()))
            status, _, content = self.server.ask("POST", "/api/v1/tag", {"name": f"e{last:04}", "tags": [f"change={number}"]})
            if status != 200:
                self.failures.append(f"change: {status} {content[:200]!r}")
            if number % 10 == 9:
                staging = store.parent / "staging"
                shutil.copytree(store / "e0000", staging, copy_function=os.link)
                staging.rename(store / f"new{number}")

    def watch_memory(self, begin):
        while (left := begin + self.arguments.seconds - time.monotonic()) > 60:
            time.sleep(min(60, left))
            with self.lock:
                count = sum(len(times) for times in self.times.values())
            print(f"after {time.monotonic() - begin:5.0f} s: {peak_memory(self.server.process)[0]:.1f} MiB, {count} requests, "
                  f"{len(self.failures)} failed", flush=True)

    def run(self):
        begin = time.monotonic() + 0.2
        mix = {"stored": 0.7, "list": 0.1, "tile": 0.15, "analysis": 0.05}
        threads = [threading.Thread(target=self.worker, args=(i, begin, mix, self.arguments.rate, CONNECTIONS))
                   for i in range(CONNECTIONS)]
        if self.arguments.sql > 0:
            threads.append(threading.Thread(target=self.worker, args=(0, begin, {"sql": 1}, self.arguments.sql, 1)))
        if self.arguments.changes > 0:
            threads.append(threading.Thread(target=self.change, args=(begin,)))
        threads.append(threading.Thread(target=self.watch_memory, args=(begin,)))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def report(load, seconds, before, after):
    print(f"{'kind':10} {'number':>8} {'50 %':>9} {'95 %':>9} {'99 %':>9} {'max':>9}   ms")
    every = [taken for kind, times in load.times.items() if kind != "sql" for taken in times]
    for kind, times in [*load.times.items(), ("all but sql", every)]:
        if times:
            figures = [percentile(times, share) for share in (0.5, 0.95, 0.99)] + [max(times)]
            print(f"{kind:10} {len(times):8} " + " ".join(f"{1000 * figure:9.2f}" for figure in figures))
    print(f"{len(every) / seconds:.0f} requests/s, {len(load.failures)} failed")
    for failure in load.failures[:5]:
        print("  " + failure)
    print(f"memory of the server: {before[0]:.0f} MiB before, {after[0]:.0f} MiB after, {after[1]:.0f} MiB at most")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--experiments", type=int, default=2000)
    parser.add_argument("--rate", type=float, default=500)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--sql", type=float, default=1)
    parser.add_argument("--changes", type=float, default=0)
    parser.add_argument("--store", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = arguments.store or pathlib.Path(folder) / "store"
        store.mkdir(parents=True, exist_ok=True)
        make_store(store, arguments.experiments)
        server = Server(store, pathlib.Path(folder) / "log")
        server.store = store
        try:
            first = time.monotonic()
            count = len(server.get("/api/v1/list"))
            print(f"{count} experiments; the first list took {1000 * (time.monotonic() - first):.0f} ms; "
                  f"{os.cpu_count()} processors, the client's among them")
            load = Load(server, arguments)
            begin = time.monotonic()
            count = load.warm_up()
            print(f"{count} addresses asked for once before: {time.monotonic() - begin:.1f} s")
            before = peak_memory(server.process)
            load.run()
            report(load, arguments.seconds, before, peak_memory(server.process))
        finally:
            server.stop()
    return 1 if load.failures else 0


if __name__ == "__main__":
    sys.exit(main())
