#!/usr/bin/env python3
"""Stores in object storage from end to end, on an S3 server that others wrote (moto) and through a line that fails: two
machines, which see one store; writers at once; a server that is away, busy or slow.

XSP_S3_SERVER=HOST:PORT names a running server to test against instead, on this machine, whose keys are `key` and
`secret` (docs/object-storage.md)."""
import http.client
import http.server
import json
import logging
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import unittest

import oracle_python

oracle_python.require("moto", "flask", "boto3")
import boto3  # noqa: E402
import moto.s3.responses  # noqa: E402
import moto.server  # noqa: E402

logging.getLogger("werkzeug").setLevel(logging.ERROR)
ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
TRACE = ROOT / "src/ingest/importers/kineto/sample/two_kernels.json"
USAGE, BAD_INPUT, NOT_POSSIBLE, ENVIRONMENT = 2, 3, 4, 5


class Line(http.server.ThreadingHTTPServer):
    """Passes requests on to the server, but for some, which it spoils: an answer 503, no answer, half an answer."""

    def __init__(self, server_port, share, seed):
        super().__init__(("127.0.0.1", 0), _Passing)
        self.server_port_behind, self.share, self.random, self.spoilt = server_port, share, random.Random(seed), 0
        threading.Thread(target=self.serve_forever, daemon=True).start()


class _Passing(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        spoil = self.server.random.choice(["busy", "before", "after", "half"]) if self.server.random.random() < self.server.share else ""
        self.server.spoilt += bool(spoil)
        if spoil == "busy":
            self.send_response(503)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if spoil == "before":
            self.close_connection = True
            return
        behind = http.client.HTTPConnection("127.0.0.1", self.server.server_port_behind, timeout=900)
        behind.request(self.command, self.path, body, dict(self.headers.items()))
        answer = behind.getresponse()
        content = answer.read()
        behind.close()
        if spoil == "after":
            self.close_connection = True
            return
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                self.send_header(name, value)
        if answer.status not in (204, 304):
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[:len(content) // 2] if spoil == "half" else content)
        self.close_connection = spoil == "half"

    do_PUT = do_POST = do_DELETE = do_HEAD = do_GET

    def log_message(self, *arguments):
        pass


def one_at_a_time(function):
    lock = threading.Lock()

    def call(*arguments):
        with lock:
            return function(*arguments)
    return call


class S3StoreTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        running = os.environ.get("XSP_S3_SERVER")
        if running:
            cls.port = int(running.rpartition(":")[2])
            return
        # moto looks whether the condition of a write holds, then writes: of two writes at once both could be the first.
        response = moto.s3.responses.S3Response
        response.put_object = one_at_a_time(response.put_object)
        server = moto.server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        server.start()
        cls.addClassCleanup(server.stop)
        cls.port = server.get_host_and_port()[1]

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.bucket = "b-" + self.id().rsplit(".", 1)[1].replace("_", "-")[:50].rstrip("-")
        self.store = f"s3://{self.bucket}/of/ours"
        boto3.client("s3", endpoint_url=f"http://127.0.0.1:{self.port}", region_name="us-east-1", aws_access_key_id="key",
                     aws_secret_access_key="secret").create_bucket(Bucket=self.bucket)

    def environment(self, machine, port=None):
        return {**os.environ, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port or self.port}", "AWS_ACCESS_KEY_ID": "key",
                "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true",
                "XSP_MIRRORS": str(self.folder / machine), "XSP_CACHE": str(self.folder / "cache")}

    def xsp(self, *arguments, machine="ours", port=None, status=0):
        done = subprocess.run([str(XSP), "--store", self.store, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=900, env=self.environment(machine, port), cwd=self.folder)
        self.assertEqual(done.returncode, status, f"{arguments}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        return done.stdout if status == 0 else done.stderr

    def names(self, machine="ours", port=None):
        return [row["name"] for row in json.loads(self.xsp("list", "--format", "json", machine=machine, port=port))]

    def add(self, name, **where):
        return self.xsp("import", TRACE, "--name", name, **where)

    def test_two_machines_share_a_store(self):
        self.assertEqual(self.names(), [])
        self.add("first")
        self.assertEqual(self.names("theirs"), ["first"])
        ours = self.xsp("show", "first").replace(str(self.folder / "ours"), "")
        self.assertEqual(self.xsp("show", "first", machine="theirs").replace(str(self.folder / "theirs"), ""), ours)
        kernels = json.loads(self.xsp("query", "first", "SELECT name FROM span WHERE level = 'kernel'", "--format", "json", machine="theirs"))
        self.assertEqual(len(kernels), 2)
        self.xsp("report", "first", "--output", "page.html", machine="theirs")
        self.assertGreater((self.folder / "page.html").stat().st_size, 100_000)
        self.xsp("tag", "first", "gpu=a100", machine="theirs")
        self.assertIn("a100", self.xsp("list"))
        self.add("second", machine="theirs")
        compared = json.loads(self.xsp("compare", "first", "second", "--format", "json"))
        self.assertEqual(compared["residual_ns"], 0)
        self.xsp("baseline", "set", "main", "first")
        self.assertIn("main", self.xsp("baseline", "list", machine="theirs"))
        self.xsp("rename", "second", "third")
        self.xsp("remove", "first", machine="theirs", status=BAD_INPUT)  # It is a baseline.
        self.xsp("baseline", "remove", "main", machine="theirs")
        self.xsp("remove", "first", machine="theirs")
        self.assertEqual((self.names(), self.names("theirs")), (["third"], ["third"]))
        self.xsp("publish", "site", machine="third")
        self.assertTrue((self.folder / "site/index.html").exists())

    def test_writers_at_once_lose_nothing(self):
        writers = [subprocess.Popen([str(XSP), "--store", self.store, "import", str(TRACE), "--name", "same"], cwd=self.folder,
                                    env=self.environment(f"machine{i // 2}"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                   for i in range(6)]
        for writer in writers:
            output, _ = writer.communicate(timeout=900)
            self.assertEqual(writer.returncode, 0, output)
        self.assertEqual(len(self.names("another")), 6)
        for name in self.names("another"):
            self.xsp("show", name, machine="another")

    def test_a_line_that_fails_costs_time_only(self):
        line = Line(self.port, 0.15, seed=7)
        self.addCleanup(line.server_close)
        self.addCleanup(line.shutdown)
        for i in range(3):
            self.add(f"e{i}", port=line.server_address[1])
        self.assertEqual(self.names("theirs", port=line.server_address[1]), ["e0", "e1", "e2"])
        for i in range(3):
            self.xsp("show", f"e{i}", machine="theirs", port=line.server_address[1])
        self.assertGreater(line.spoilt, 5)

    def test_what_cannot_be_published_is_kept(self):
        self.add("first")
        line = Line(self.port, 0, seed=1)
        self.addCleanup(line.server_close)
        port = line.server_address[1]
        self.add("second", machine="other", port=port)
        line.share = 1  # From now on nothing comes through.
        said = self.add("third", machine="other", port=port, status=ENVIRONMENT)
        self.assertIn("store push", said)
        line.share = 0
        self.assertIn("published in s3://", self.xsp("store", "push", machine="other", port=port))
        self.assertIn("has everything", self.xsp("store", "push", machine="other", port=port))
        line.shutdown()
        self.assertEqual(self.names(), ["first", "second", "third"])

    def test_what_was_compacted_is_published_again(self):
        events = [{"ph": "X", "cat": "cpu_op", "name": f"aten::op{i % 7}", "pid": 1, "tid": 1, "ts": 10 * i, "dur": 5 + i % 3}
                  for i in range(20000)]
        trace = self.folder / "long.json"
        trace.write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}))
        self.xsp("import", trace, "--name", "long")
        question = ("query", "long", "SELECT count(*), sum(duration_ns), count(DISTINCT name) FROM span", "--format", "json")

        def table(machine):
            return next((self.folder / machine).rglob("span.parquet")).stat().st_size

        before = self.xsp(*question, machine="theirs")
        size = table("theirs")
        done = json.loads(self.xsp("store", "compact", "long", "--format", "json"))
        self.assertGreater(done[0]["saved_bytes"], 1000)
        self.assertLess(table("ours"), size)
        # One that had the older files, and one that had none.
        for machine in ("theirs", "third"):
            self.xsp("list", machine=machine)
            self.assertEqual(self.xsp(*question, machine=machine), before)
            self.assertEqual(table(machine), table("ours"))
        self.assertIn("no problems", self.xsp("store", "check", "--data", machine="theirs"))

    def test_experiments_go_between_stores(self):
        self.add("first")
        self.add("second")
        folder = self.folder / "local"
        self.xsp("store", "copy", "first", "--to", folder)
        ours = subprocess.run([str(XSP), "--store", str(folder), "show", "first"], capture_output=True, text=True, timeout=900, check=True)
        self.assertIn("first", ours.stdout)
        said = json.loads(self.xsp("store", "copy", "--all", "--to", folder, "--format", "json"))
        self.assertEqual([row["done"] for row in said], ["was there", "copied"])
        # To another place of the bucket, seen by another machine there.
        self.xsp("store", "move", "second", "--to", f"s3://{self.bucket}/archive")
        self.assertEqual(self.names("theirs"), ["first"])
        moved = self.store
        self.store = f"s3://{self.bucket}/archive"
        self.assertEqual(self.names("theirs"), ["second"])
        self.xsp("show", "second", machine="theirs")
        # Out of a bucket into a file, and back into one.
        self.xsp("store", "export", "--all", "-o", "all.zip", machine="theirs")
        self.store = moved
        self.xsp("store", "import", self.folder / "all.zip")
        self.assertEqual(self.names("another"), ["first", "second"])
        self.xsp("show", "second", machine="another")
        self.xsp("store", "prune", "--keep-last", "1")
        self.assertEqual(len(self.names("theirs")), 1)

    def test_errors_say_what_to_do(self):
        for address, status, what in (("s3://", USAGE, "not an address"), ("s3://no-such-bucket-here/x", BAD_INPUT, "no such bucket")):
            done = subprocess.run([str(XSP), "--store", address, "list"], capture_output=True, text=True, env=self.environment("ours"), timeout=900)
            self.assertEqual((done.returncode, what in done.stderr), (status, True), done.stderr)
        no_keys = {name: value for name, value in self.environment("ours").items() if name != "AWS_ACCESS_KEY_ID"}
        no_keys["HOME"] = str(self.folder)
        done = subprocess.run([str(XSP), "--store", self.store, "list"], capture_output=True, text=True, env=no_keys, timeout=900)
        self.assertEqual((done.returncode, "AWS_ACCESS_KEY_ID" in done.stderr), (NOT_POSSIBLE, True), done.stderr)
        self.assertIn("no such run", self.xsp("show", "nothing", status=BAD_INPUT))
        self.xsp("store", "push")
        done = subprocess.run([str(XSP), "--store", str(self.folder / "local"), "store", "push"], capture_output=True, text=True, timeout=900)
        self.assertEqual(done.returncode, USAGE)


if __name__ == "__main__":
    unittest.main()
