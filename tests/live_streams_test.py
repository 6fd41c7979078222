#!/usr/bin/env python3
"""What `xsp record --otlp` and `--stream` deliver while a program runs, with OpenTelemetry's own protobuf classes as the
decoder of requests and DuckDB and PyArrow as readers of the Parquet tables: spans arrive before the program ends, a server that
is slow, refuses or goes away costs the program nothing and is counted, a full disk costs the tables only.
"""
import gzip
import http.server
import json
import os
import pathlib
import socket
import subprocess
import tempfile
import threading
import time
import unittest

import oracle_python

oracle_python.require("opentelemetry.proto.collector.trace.v1.trace_service_pb2")

from opentelemetry.proto.collector.trace.v1 import trace_service_pb2  # noqa: E402

try:
    import duckdb
    import pyarrow.dataset
except ImportError:
    duckdb = None

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
LINE = (r"onednn_verbose,v1,primitive,exec,cpu,matmul,jit,undef,src:f32::blocked:ab::f0 wei:f32::blocked:ab::f0 dst:f32::blocked:ab::f0"
        r",,,64x64:64x64,0.25\n")
STATUS = 7  # With which the program ends.
# For each number on its input it announces as many primitives, and says so when it has.
PROGRAM = f"""
#include <stdio.h>
int main(void) {{
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (int count; scanf("%d", &count) == 1;) {{
    for (int i = 0; i < count; ++i) printf("{LINE}");
    printf("done %d\\n", count);
  }}
  return {STATUS};
}}
"""


class Collector:
    """An OTLP server. `answer`: what a request gets, by its number from 1: a status, or None for 200."""

    def __init__(self, answer=lambda number: None, reply=b""):
        collector = self
        self.requests, self.headers, self.arrived = [], [], threading.Condition()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                with collector.arrived:
                    number = len(collector.headers) + 1
                    status = answer(number) or 200
                    collector.headers.append((self.path, dict(self.headers)))
                    if status == 200:
                        collector.requests.append(trace_service_pb2.ExportTraceServiceRequest.FromString(body))
                    collector.arrived.notify_all()
                self.send_response(status)
                self.send_header("Content-Type", "application/x-protobuf")
                self.send_header("Content-Length", str(len(reply)))
                self.send_header("Connection", "close")  # A server that is stopped answers nobody.
                self.end_headers()
                self.wfile.write(reply)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = False  # server_close() waits for what was begun.
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def spans(self):
        with self.arrived:
            return [span for request in self.requests for resource in request.resource_spans
                    for scope in resource.scope_spans for span in scope.spans]

    def wait(self, condition, seconds=60):
        with self.arrived:
            return self.arrived.wait_for(condition, seconds)

    def stop(self):
        if self.thread.is_alive():
            self.server.shutdown()
            self.thread.join()
            self.server.server_close()


def attributes(owner):
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in owner.attributes}


class LiveStreamsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        built = tempfile.TemporaryDirectory()
        cls.addClassCleanup(built.cleanup)
        cls.program = pathlib.Path(built.name) / "announcer"
        source = cls.program.with_suffix(".c")
        source.write_text(PROGRAM)
        subprocess.run(["cc", "-O1", "-o", cls.program, source], check=True)

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.store = self.folder / "store"

    def collector(self, *arguments, **named):
        collector = Collector(*arguments, **named)
        self.addCleanup(collector.stop)
        return collector

    def start(self, *options, **variables):
        environment = {**os.environ, "XSP_STORE": str(self.store), "XSP_CACHE": str(self.folder / "cache")}
        for name in [name for name in environment if name.startswith("OTEL_")]:
            del environment[name]
        process = subprocess.Popen(
            [str(XSP), "record", "--name", "live", "--no-roofs", "--monitor-rate", "0", "--summary", "summary", *map(str, options), "--",
             str(self.program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder,
            env={**environment, **variables})
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def announce(self, process, count):
        process.stdin.write(f"{count}\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), f"done {count}\n")

    def finish(self, process, status=STATUS):
        out, err = process.communicate(timeout=900)
        self.assertEqual((out, process.returncode), ("", status), err)
        return err

    def query(self, sql):
        done = subprocess.run([str(XSP), "--store", str(self.store), "query", "live", sql, "--format", "json"], capture_output=True,
                              text=True, check=True)
        return json.loads(done.stdout)

    def summary(self):
        return (self.folder / "summary").read_text()

    def diagnostic(self, name):
        rows = self.query(f"SELECT count, example, hint FROM diagnostic WHERE name = '{name}'")
        return rows[0] if rows else None

    def test_spans_arrive_while_the_program_runs(self):
        collector = self.collector()
        process = self.start("--otlp", collector.url, OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20x",
                             OTEL_EXPORTER_OTLP_COMPRESSION="gzip")
        self.announce(process, 10)
        self.assertTrue(collector.wait(lambda: collector.requests), "nothing came while the program ran")
        self.assertIsNone(process.poll())
        self.announce(process, 1500)
        process.stdin.close()
        process.stdin = None
        self.finish(process)
        path, headers = collector.headers[0]
        self.assertEqual((path, headers["Authorization"], headers["Content-Type"], headers["Content-Encoding"]),
                         ("/v1/traces", "Bearer x", "application/x-protobuf", "gzip"))
        spans = collector.spans()
        stored = self.query("SELECT span.name, level, type, start_ns, duration_ns, process_id, thread_id FROM span "
                            "JOIN track ON track.id = track_id WHERE type = 'primitive' ORDER BY start_ns")
        self.assertEqual(len(spans), 1510)
        self.assertEqual(len({span.span_id for span in spans}), len(spans))
        self.assertEqual(len(stored), len(spans))
        # The stored run and what was sent are the same, but for ids; times but for what is extrapolated.
        spans.sort(key=lambda span: span.start_time_unix_nano)
        for sent, kept in zip(spans, stored):
            said = attributes(sent)
            self.assertEqual((sent.name, said["xsp.level"], said["xsp.type"], said["process.pid"], said["thread.id"]),
                             (kept["name"], kept["level"], kept["type"], kept["process_id"], kept["thread_id"]))
            self.assertAlmostEqual(sent.start_time_unix_nano, kept["start_ns"], delta=20_000)
            self.assertAlmostEqual(sent.end_time_unix_nano - sent.start_time_unix_nano, kept["duration_ns"], delta=20_000)
            self.assertTrue(said["xsp.raw"].startswith("onednn_verbose"))
        run = json.loads((self.store / "live" / "recorded" / "run.json").read_text())
        self.assertEqual({span.trace_id.hex() for span in spans}, {run["otlp_trace_id"]})
        resource = collector.requests[0].resource_spans[0]
        self.assertEqual(attributes(resource.resource)["service.name"], "live/recorded")
        self.assertIn(f"1510 spans were sent to {collector.url}/v1/traces", self.summary())
        self.assertIsNone(self.diagnostic("otlp_dropped_spans"))
        # What was sent can be imported again.
        (self.folder / "sent.otlp").write_bytes(b"".join(request.SerializeToString() for request in collector.requests))
        subprocess.run([str(XSP), "--store", str(self.store), "import", str(self.folder / "sent.otlp"), "--name", "back"], check=True,
                       capture_output=True)

    def test_a_server_that_goes_away_is_counted(self):
        collector = self.collector()
        process = self.start("--otlp", collector.url, OTEL_EXPORTER_OTLP_TIMEOUT="1000")
        self.announce(process, 10)
        self.assertTrue(collector.wait(lambda: len(collector.requests) == 1))
        collector.stop()
        sent = len(collector.spans())
        self.announce(process, 2000)
        process.stdin.close()
        process.stdin = None
        self.finish(process)
        dropped = self.diagnostic("otlp_dropped_spans")
        self.assertEqual(dropped["count"], 2010 - sent)
        self.assertIn("OTEL_EXPORTER_OTLP_TIMEOUT", dropped["hint"])
        self.assertIn(f"; {2010 - sent} dropped", self.summary())
        self.assertEqual(self.query("SELECT count(*) AS n FROM span WHERE type = 'primitive'"), [{"n": 2010}])

    def test_a_server_that_is_never_there_costs_the_program_nothing(self):
        away = socket.socket()  # Bound and not listened to: nobody else gets the port meanwhile.
        self.addCleanup(away.close)
        away.bind(("127.0.0.1", 0))
        process = self.start("--otlp", f"http://127.0.0.1:{away.getsockname()[1]}", OTEL_EXPORTER_OTLP_TIMEOUT="500")
        start = time.monotonic()
        self.announce(process, 5)  # It does not wait for the server.
        process.stdin.close()
        process.stdin = None
        self.finish(process)
        self.assertLess(time.monotonic() - start, 120)
        self.assertEqual(self.diagnostic("otlp_dropped_spans")["count"], 5)

    def test_a_server_that_is_busy_is_tried_again(self):
        collector = self.collector(lambda number: 503 if number == 1 else None)
        process = self.start("--otlp", collector.url)
        self.announce(process, 5)
        self.assertTrue(collector.wait(lambda: collector.requests))
        process.stdin.close()
        process.stdin = None
        self.finish(process)
        self.assertEqual(len(collector.spans()), 5)
        self.assertIsNone(self.diagnostic("otlp_dropped_spans"))

    def test_what_is_no_url_is_an_error_before_the_program_runs(self):
        for url, variables in (("localhost:4318", {}), ("http://user:secret@localhost", {}),
                               ("http://localhost", {"OTEL_EXPORTER_OTLP_HEADERS": "secret"})):
            process = self.start("--otlp", url, **variables)
            err = self.finish(process, 2)
            self.assertNotIn("secret", err.replace(url, ""))
            self.assertIn("OTEL_EXPORTER_OTLP_HEADERS" if "localhost:4318" not in url else "--otlp", err)
        self.assertFalse((self.store / "live").exists())

    @unittest.skipIf(duckdb is None, "needs duckdb and pyarrow")
    def test_tables_can_be_read_while_the_program_runs(self):
        tables = self.folder / "tables"
        process = self.start("--stream", tables)
        self.announce(process, 100)

        def count(table):
            return duckdb.sql(f"SELECT count(*) FROM '{tables}/{table}/*.parquet'").fetchall()[0][0]

        end = time.monotonic() + 900
        while count("span") == 0:
            self.assertLess(time.monotonic(), end, "no rows while the program ran")
            time.sleep(0.05)
        self.assertIsNone(process.poll())
        self.assertEqual(count("span"), 100)
        self.announce(process, 50)
        process.stdin.close()
        process.stdin = None
        self.finish(process)
        self.assertEqual([count(table) for table in ("span", "track", "attribute", "metric")], [150, 1, 150, 0])
        live = duckdb.sql("SELECT experiment, run, s.name, level, type, start_ns, duration_ns, process_id, thread_id, value "
                          f"FROM '{tables}/span/*.parquet' s JOIN '{tables}/track/*.parquet' t USING (experiment, run) "
                          f"JOIN '{tables}/attribute/*.parquet' a USING (experiment, run) "
                          "WHERE t.id = track_id AND a.span_id = s.id AND key = 'raw' ORDER BY start_ns").fetchall()
        stored = self.query("SELECT name, level, type, start_ns, duration_ns FROM span WHERE type = 'primitive' ORDER BY start_ns")
        self.assertEqual(len(live), len(stored))
        for row, kept in zip(live, stored):
            self.assertEqual(row[:5], ("live", "recorded", kept["name"], kept["level"], kept["type"]))
            self.assertAlmostEqual(row[5], kept["start_ns"], delta=20_000)
            self.assertAlmostEqual(row[6], kept["duration_ns"], delta=20_000)
        arrow = pyarrow.dataset.dataset(str(tables / "span"), format="parquet").to_table()
        self.assertEqual(arrow.num_rows, 150)
        self.assertEqual(set(arrow["run"].to_pylist()), {"recorded"})
        self.assertIn("150 spans were appended", self.summary())
        self.assertEqual([path for path in tables.rglob("*") if path.name.startswith(".")], [])

    def test_a_full_disk_costs_the_tables_only(self):
        disk = self.folder / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32k", "tmpfs", str(disk)], capture_output=True).returncode != 0:
            self.skipTest("cannot mount a small file system")
        self.addCleanup(lambda: subprocess.run(["umount", str(disk)], check=True))
        process = self.start("--stream", disk)
        self.announce(process, 20000)
        process.stdin.close()
        process.stdin = None
        self.finish(process)
        dropped = self.diagnostic("stream_dropped_rows")
        self.assertGreaterEqual(dropped["count"], 20000)
        self.assertIn("cannot write", dropped["example"])
        self.assertIn("Free disk space", dropped["hint"])
        self.assertEqual(self.query("SELECT count(*) AS n FROM span WHERE type = 'primitive'"), [{"n": 20000}])

    def test_a_folder_that_cannot_be_made_is_an_error_before_the_program_runs(self):
        (self.folder / "file").write_text("x")
        self.assertIn("cannot create", self.finish(self.start("--stream", self.folder / "file" / "tables"), 5))


if __name__ == "__main__":
    unittest.main()
