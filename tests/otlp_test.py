#!/usr/bin/env python3
"""OpenTelemetry and XSP, with OpenTelemetry's own Python packages: its SDK sends spans to a real `xsp serve`, its protobuf
classes decode the replies, and an export of XSP is imported again. Needs a Python with these packages
(tests/requirements.txt): the one named by XSP_ORACLE_PYTHON, else .deps/oracles/bin/python. Skipped without one.
"""
import gzip
import json
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

import oracle_python
from served import Server, XSP

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINETO_SAMPLE = ROOT / "src/ingest/importers/kineto/sample/two_kernels.json"
PROTOBUF, JSON = "application/x-protobuf", "application/json"
LARGEST = 16 << 20

oracle_python.require("google.rpc.status_pb2", "opentelemetry.sdk.trace", "opentelemetry.exporter.otlp.proto.http.trace_exporter")

from google.rpc import status_pb2  # noqa: E402
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: E402
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2  # noqa: E402
from opentelemetry.sdk.resources import Resource  # noqa: E402
from opentelemetry.sdk.trace import TracerProvider  # noqa: E402
from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: E402


def xsp(store, *arguments):
    done = subprocess.run([str(XSP), "--store", str(store), *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return done.stdout


def rows(store, run, sql):
    return json.loads(xsp(store, "query", run, sql, "--format", "json"))


def request(*spans, service="direct"):
    """A request; each span: (trace id, span id, start)."""
    message = trace_service_pb2.ExportTraceServiceRequest()
    of_resource = message.resource_spans.add()
    attribute = of_resource.resource.attributes.add(key="service.name")
    attribute.value.string_value = service
    scope = of_resource.scope_spans.add()
    for trace_id, span_id, start in spans:
        scope.spans.add(trace_id=trace_id, span_id=span_id, name="direct", start_time_unix_nano=start,
                        end_time_unix_nano=start + 5)
    return message.SerializeToString()


GOOD = (b"t" * 16, b"s" * 8, 1_700_000_000_000_000_000)


class OtlpTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.store = self.folder / "store"
        self.servers = []
        self.addCleanup(lambda: [server.stop(signal.SIGKILL) for server in self.servers if server.process.poll() is None])

    def serve(self, *options):
        server = Server(self.store, self.folder / "log", *options, environment={"XSP_CACHE": str(self.folder / "cache")})
        self.servers.append(server)
        return server

    def send(self, server, body, content_type=PROTOBUF, **headers):
        return server.ask("POST", "/v1/traces", body,
                          {"Content-Type": content_type, **{k.replace("_", "-"): v for k, v in headers.items()}})

    def imported(self, server, count=1, seconds=60):
        """The names of experiments, once `count` imports have ended."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            jobs = server.get("/api/v1/jobs")["jobs"]
            if len(jobs) >= count:
                ended = [server.ended(job["id"]) for job in jobs]
                self.assertEqual({job["state"] for job in ended}, {"done"}, ended)
                return sorted(job["experiment"] for job in ended)
            time.sleep(0.05)
        raise RuntimeError(f"no import: {(self.folder / 'log').read_text()}")

    def test_what_the_sdk_sends_becomes_an_experiment(self):
        server = self.serve("--otlp-silence", "1")
        exporter = OTLPSpanExporter(endpoint=f"http://127.0.0.1:{server.port}/v1/traces",
                                    headers={"Authorization": f"Bearer {server.token}"})
        provider = TracerProvider(resource=Resource.create({"service.name": "trip agent"}))
        provider.add_span_processor(BatchSpanProcessor(exporter, max_export_batch_size=2))
        tracer = provider.get_tracer("agent", "1.2")
        with tracer.start_as_current_span("plan") as plan:
            plan.set_attribute("cities", ["Ulm", "Köln"])
            with tracer.start_as_current_span("chat tiny") as chat:
                chat.set_attribute("gen_ai.operation.name", "chat")
                chat.set_attribute("gen_ai.usage.input_tokens", 12)
                chat.add_event("first token")
            for index in range(5):
                with tracer.start_as_current_span(f"seat {index}"):
                    pass
        self.assertTrue(provider.force_flush())
        provider.shutdown()
        self.assertEqual(self.imported(server), ["trip-agent"])
        spans = rows(self.store, "trip-agent", "SELECT c.name, c.level, c.duration_ns, p.name AS parent FROM span c "
                     "LEFT JOIN span p ON c.parent_id = p.id ORDER BY c.name")
        self.assertEqual([(s["name"], s["level"], s["parent"]) for s in spans],
                         [("chat tiny", "model", "plan"), ("plan", "application", None)] +
                         [(f"seat {i}", "application", "plan") for i in range(5)])
        self.assertEqual(spans[0]["duration_ns"], chat.end_time - chat.start_time)
        tokens = rows(self.store, "trip-agent", "SELECT value, unit FROM metric WHERE name = 'gen_ai.usage.input_tokens'")
        self.assertEqual(tokens, [{"value": 12, "unit": "token"}])

    def test_a_server_that_is_killed_loses_nothing(self):
        server = self.serve()
        self.assertEqual(self.send(server, request(GOOD))[0], 200)
        server.stop(signal.SIGKILL)
        again = self.serve("--otlp-silence", "0.5")
        self.assertEqual(self.imported(again), ["direct"])
        self.assertEqual(rows(self.store, "direct", "SELECT count(*) AS n FROM span"), [{"n": 1}])
        self.assertEqual(list((self.store / ".serve" / "otlp").iterdir()), [])

    def test_replies_are_what_the_specification_demands(self):
        server = self.serve("--otlp-silence", "1000")
        response = trace_service_pb2.ExportTraceServiceResponse
        status, headers, body = self.send(server, gzip.compress(request(GOOD)), Content_Encoding="gzip")
        self.assertEqual((status, headers["Content-Type"], body), (200, PROTOBUF, b""))
        status, _, body = self.send(server, request(GOOD, (b"short", b"s" * 8, 1), (b"t" * 16, b"z" * 8, 0)))
        partial = response.FromString(body).partial_success
        self.assertEqual((status, partial.rejected_spans), (200, 2))
        self.assertIn("trace id of 16 bytes", partial.error_message)
        as_json = {"resourceSpans": [{"scopeSpans": [{"spans": [
            {"traceId": "7" * 32, "spanId": "8" * 16, "name": "a", "startTimeUnixNano": "5", "endTimeUnixNano": "7"},
            {"traceId": "7", "spanId": "8" * 16, "name": "b", "startTimeUnixNano": "5", "endTimeUnixNano": "7"}]}]}]}
        status, _, body = self.send(server, json.dumps(as_json).encode(), JSON)
        self.assertEqual((status, json.loads(body)["partialSuccess"]["rejectedSpans"]), (200, "1"))
        self.assertEqual(self.send(server, b"")[0], 200)
        for empty in (b"{}", b" { }\n", b'{"resourceSpans": []}', b'{"unknown": [1, {"a": null}]}'):
            self.assertEqual(self.send(server, empty, JSON)[::2], (200, b"{}"), empty)

    def test_refusals_are_statuses_in_the_encoding_of_the_request(self):
        server = self.serve("--otlp-silence", "1000")
        for token, host, expected, what in (("", "127.0.0.1", 401, "not logged in"),
                                            ("wrong", "127.0.0.1", 401, "not logged in"),
                                            (None, "elsewhere.example", 421, "another name")):
            for content_type in (PROTOBUF, JSON):
                status, headers, body = server.ask("POST", "/v1/traces", b"{}",
                                                   {"Content-Type": content_type, "Host": host}, token=token)
                self.assertEqual((status, headers["Content-Type"]), (expected, content_type))
                message = (status_pb2.Status.FromString(body).message if content_type == PROTOBUF
                           else json.loads(body)["message"])
                self.assertIn(what, message)

    def test_who_may_only_read_gets_a_status(self):
        server = self.serve("--otlp-silence", "1000", "--read-only")
        status, headers, body = self.send(server, request(GOOD))
        self.assertEqual((status, headers["Content-Type"]), (403, PROTOBUF))
        self.assertIn("role", status_pb2.Status.FromString(body).message)

    def test_refuses_what_it_cannot_read(self):
        server = self.serve("--upload-limit", "0.0000005", "--otlp-silence", "1000")
        whole = request(GOOD)
        packed = gzip.compress(whole)
        self.assertEqual(self.send(server, whole, "text/plain")[0], 415)
        self.assertEqual(self.send(server, whole, Content_Encoding="br")[0], 415)
        self.assertEqual(self.send(server, whole[:-3])[0], 400)
        self.assertEqual(self.send(server, whole, JSON)[0], 400)
        for broken in (b"{", b"{}{", b"[]", b"null", b'{"resourceSpans": [{]}'):
            self.assertEqual(self.send(server, broken, JSON)[0], 400, broken)
        self.assertEqual(self.send(server, packed[:-12], Content_Encoding="gzip")[0], 400)
        self.assertEqual(self.send(server, b"\0" * (LARGEST + 1))[0], 413)
        self.assertEqual(self.send(server, gzip.compress(b"\0" * (256 << 20)), Content_Encoding="gzip")[0], 413)
        self.assertEqual(server.ask("POST", "/v1/traces", whole, {"Content-Type": PROTOBUF}, token="")[0], 401)
        status, headers, _ = self.send(server, request(*[GOOD] * 20))
        self.assertEqual((status, headers["Retry-After"]), (503, "30"))
        self.assertFalse(list(self.store.glob(".serve/otlp/*/*.batch")))

    def test_an_export_comes_back(self):
        xsp(self.store, "import", KINETO_SAMPLE, "--name", "first")
        export = self.folder / "first.otlp.json"
        xsp(self.store, "export", "first", "--format", "otlp", "-o", export)
        xsp(self.store, "import", export, "--name", "second")
        sql = ("SELECT s.name, s.level, s.type, s.start_ns - min(s.start_ns) OVER () AS start, s.duration_ns, "
               "p.name AS parent, t.name AS track, t.device, t.process_id, t.thread_id FROM span s "
               "LEFT JOIN span p ON s.parent_id = p.id JOIN track t ON s.track_id = t.id "
               "ORDER BY start, s.duration_ns, s.level, s.name")
        first, second = rows(self.store, "first", sql), rows(self.store, "second", sql)
        self.assertGreater(len(first), 3)
        self.assertEqual(first, second)


if __name__ == "__main__":
    unittest.main()
