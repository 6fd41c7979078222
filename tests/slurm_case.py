"""What tests of XSP on a real Slurm (slurm_cluster.py) have in common: a store, a worker that can be held, the queue."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import slurm_cluster

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
WORKERS = [pathlib.Path(folder) for folder in (os.environ.get("XSP_WORKER_PATH"), BUILD / "bin", BUILD / "test-workers") if folder]
EXAMPLE = next((folder / "xsp-worker-example" for folder in WORKERS if (folder / "xsp-worker-example").exists()), None)
USAGE, BAD_INPUT, NOT_POSSIBLE, ENVIRONMENT, INTERRUPTED = 2, 3, 4, 5, 130


class SlurmCase(unittest.TestCase):
    """A class of tests says which cluster it wants."""
    nodes = [[], []]
    partitions = settings = ""

    @classmethod
    def setUpClass(cls):
        cls.cluster = slurm_cluster.Cluster(cls.nodes, partitions=cls.partitions, settings=cls.settings)
        cls.addClassCleanup(cls.cluster.stop)
        cls.cluster.start()

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.addCleanup(self.cluster.empty)
        self.folder = pathlib.Path(temporary.name)
        self.before = {row[0] for row in self.cluster.queue()}  # Slurm shows jobs for minutes after their end.
        # A path as nobody should choose it: what reads it quotes it.
        self.store = self.folder / "the store's 100% 'a' $b"
        self.write("m.toy", (ROOT / "workers" / "example" / "sample.toy").read_text())
        (self.folder / "workers").mkdir()
        self.worker("")
        self.environment = {**os.environ, **self.cluster.environment, "XSP_STORE": str(self.store), "XSP_CACHE": str(self.folder / "cache"),
                            "XSP_WORKER_PATH": str(self.folder / "workers")}

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def worker(self, before):
        """Each start that measures is noted; `before` comes first."""
        file = self.folder / "workers" / "xsp-worker-example"
        file.write_text(f'#!/bin/sh\ncd {self.folder}\nif [ "$1" != describe ]; then\n  echo start >> starts\n  {before or ":"}\nfi\n'
                        f'exec {EXAMPLE} "$@"\n')
        file.chmod(0o755)

    def hold(self):
        self.worker("while [ ! -e released ]; do sleep 0.05; done")

    def release(self):
        self.write("released", "")

    def starts(self):
        file = self.folder / "starts"
        return len(file.read_text().split()) if file.exists() else 0

    def xsp(self, *arguments, status=0, **environment):
        done = subprocess.run([str(XSP), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900,
                              env={**self.environment, **environment}, cwd=self.folder)
        self.assertEqual(done.returncode, status, f"{arguments}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}\n{self.logs()}")
        return done.stdout, done.stderr

    def popen(self, *arguments):
        return subprocess.Popen([str(XSP), *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, env=self.environment, cwd=self.folder)

    def end(self, process, status=0):
        out, err = process.communicate(timeout=900)
        self.assertEqual(process.returncode, status, f"{out[-3000:]}\n{err[-3000:]}\n{self.logs()}")
        return json.loads(out), err

    def logs(self):
        logs = sorted([*self.store.glob(".sweep-jobs/*/*/*.log"), *self.store.glob(".slurm-jobs/*/log")])
        return "\n".join(f"{log}:\n{log.read_text()[-500:]}" for log in logs)

    def wait_until(self, holds, process=None):
        until = time.monotonic() + 900
        while not holds():
            self.assertLess(time.monotonic(), until, f"it never came: {self.queue()}\n{self.logs()}")
            if process is not None:
                self.assertIsNone(process.poll(), "the command ended too early")
            time.sleep(0.05)

    def experiments(self):
        """Their status by name."""
        found = {}
        for file in sorted(self.store.glob("[!.]*/experiment.json")):
            found[file.parent.name] = json.loads(file.read_text())["status"]
        return found

    def queue(self):
        return [row for row in self.cluster.queue() if row[0] not in self.before]

    def states(self):
        return [state for _, _, state, _ in self.queue()]


def main():
    """Runs the tests of the program that calls this; where they cannot run it says why and ends with 77."""
    for reason in (f"{XSP} is not built" if not XSP.exists() else "", "the example worker is not built here" if not EXAMPLE else "",
                   slurm_cluster.why_not()):
        if reason:
            print(f"skipped: {reason}")
            sys.exit(77)
    unittest.main(verbosity=2)
