#!/usr/bin/env python3
"""How long `xsp list` takes where a store has very many experiments: in a folder, and in object storage on a server that
others wrote (moto, of which only one process answers, in Python; or a running one with the keys `key` and `secret`). Prints the first list, and the median of --times later
ones, of all experiments and of those with a tag; of object storage also for how long the server computed its answers.

Usage: bench/store_list.py [--experiments 10000] [--times 5] [--no-objects | --server HOST:PORT]
Example: python3 bench/store_list.py
"""
import argparse
import json
import logging
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "bench")]
from serve_load import XSP, make_store  # noqa: E402  pylint: disable=wrong-import-position

class Answers:
    """Adds up the processor time that the server takes for its answers."""

    def __init__(self):
        self.seconds, self.lock = 0.0, threading.Lock()

    def watch(self, application):
        answer = application.__call__

        def timed(*arguments):
            start = time.thread_time()
            try:
                return answer(*arguments)
            finally:
                with self.lock:
                    self.seconds += time.thread_time() - start

        application.__call__ = timed


answers = Answers()


def measure(where, arguments, environment=None):
    """Prints the times of a list of the store at `arguments`."""
    def seconds(*options):
        start = time.monotonic()
        done = subprocess.run([str(XSP), *arguments, "list", *options, "--format", "json"], check=True, capture_output=True,
                              env={**os.environ, **(environment or {})})
        return time.monotonic() - start, len(json.loads(done.stdout))

    def later(*options):
        # In object storage, what was asked within five seconds is not asked again.
        taken = []
        answers.seconds = 0
        for _ in range(times):
            time.sleep(5.5 if environment else 0)
            taken.append(seconds(*options)[0])
        server = f", the server {answers.seconds / times:.2f} s of each" if answers.seconds else ""
        return f"{statistics.median(taken):.2f} s ({min(taken):.2f} to {max(taken):.2f}{server})"

    first, rows = seconds()
    print(f"{where}: {rows} experiments; first {first:.2f} s; later {later()}; with --tag {later('--tag', 'a1=b')}",
          flush=True)


def fill_bucket(server, folder, experiments):
    """One experiment as XSP publishes it, and copies of its index and description under other names."""
    import boto3
    environment = {"AWS_ENDPOINT_URL": f"http://{server}", "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
                   "AWS_REGION": "us-east-1", "XSP_MIRRORS": str(folder / "mirrors")}
    client = boto3.client("s3", endpoint_url=environment["AWS_ENDPOINT_URL"], region_name="us-east-1", aws_access_key_id="key",
                          aws_secret_access_key="secret")
    client.create_bucket(Bucket="bench")
    subprocess.run([str(XSP), "--store", "s3://bench/all", "import", str(folder / "trace.json"), "--name", "e0000"], check=True,
                   capture_output=True, env={**os.environ, **environment})
    index, description = (client.get_object(Bucket="bench", Key=f"all/{key}")["Body"].read()
                          for key in (".index/e0000.json", "e0000/experiment.json"))
    for i in range(1, experiments):
        client.put_object(Bucket="bench", Key=f"all/e{i:04}/experiment.json", Body=description)
        client.put_object(Bucket="bench", Key=f"all/.index/e{i:04}.json", Body=index)
    return environment


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--experiments", type=int, default=10000)
parser.add_argument("--times", type=int, default=5)
parser.add_argument("--no-objects", action="store_true")
parser.add_argument("--server", metavar="HOST:PORT")
options = parser.parse_args()
times = options.times
with tempfile.TemporaryDirectory() as temporary:
    base = pathlib.Path(temporary)
    (base / "store").mkdir()
    make_store(base / "store", options.experiments)
    measure("folder", ["--store", base / "store"])
    if options.no_objects:
        sys.exit()
    if options.server:
        measure("object storage", ["--store", "s3://bench/all"], fill_bucket(options.server, base, options.experiments))
        sys.exit()
    import moto.server
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    answers.watch(moto.server.DomainDispatcherApplication)
    server = moto.server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    address = f"127.0.0.1:{server.get_host_and_port()[1]}"
    measure("object storage", ["--store", "s3://bench/all"], fill_bucket(address, base, options.experiments))
    server.stop()
