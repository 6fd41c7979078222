#!/usr/bin/env python3
"""`xsp export`: each format is opened by its own published reader, and has all the time of the run.

Readers: the protobuf classes of Perfetto and of OpenTelemetry (PyPI), speedscope's JSON Schema (tools/setup --test takes it
out of the npm package); Chrome trace events and collapsed stacks, which have none, are read strictly here. Sums are
compared with `xsp query`. Needs a Python with these packages (tests/requirements.txt): the one named by XSP_ORACLE_PYTHON,
else .deps/oracles/bin/python. Skipped without one.
"""
import base64
import collections
import decimal
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import oracle_python

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
IMPORTERS = ROOT / "src" / "ingest" / "importers"
SAMPLES = {"kineto": IMPORTERS / "kineto/sample/two_kernels.json", "chrome": IMPORTERS / "chrome/sample/two_threads.json",
           "span_list": IMPORTERS / "span_list/sample/two_layers.csv"}
BAD_INPUT = 3

oracle_python.require("jsonschema", "perfetto.protos.perfetto.trace.perfetto_trace_pb2",
                      "opentelemetry.proto.collector.trace.v1.trace_service_pb2")

import jsonschema  # noqa: E402
from google.protobuf import json_format  # noqa: E402
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2  # noqa: E402
from perfetto.protos.perfetto.trace import perfetto_trace_pb2  # noqa: E402


def hostile_trace():
    """Spans that overlap without nesting, one that never ends, and names that every format has to change."""
    names = ["a;b", 'quote " and \\', "line\nfeed\ttab", "nul \0 and \x1b", "näme ☃", "x" * 100_000, ""]
    events = [{"ph": "X", "name": name, "pid": 3, "tid": 4, "ts": 10 * index, "dur": 15.5} for index, name in enumerate(names)]
    events.append({"ph": "B", "name": "open", "pid": 3, "tid": 5, "ts": 1})
    events.append({"ph": "X", "name": "later", "pid": 3, "tid": 5, "ts": 7, "dur": 0.001})
    return json.dumps({"traceEvents": events})


def without_repeats(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError(f"repeated keys: {keys}")
    return dict(pairs)


def not_json(constant):
    raise ValueError(f"not JSON: {constant}")


def nanoseconds(microseconds):
    ns = microseconds * 1000
    assert ns == int(ns), microseconds
    return int(ns)


def each_run(test):
    """Runs `test` for each run as a subtest."""
    @functools.wraps(test)
    def on_all(self):
        for run in self.runs:
            with self.subTest(run):
                test(self, run)
    return on_all


def speedscope_schema():
    """None: it was not fetched."""
    found = sorted((ROOT / ".deps" / "speedscope").glob("*/file-format-schema.json"))
    return json.loads(found[-1].read_text()) if found else None


class ExportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = pathlib.Path(cls.temporary.name)
        (cls.folder / "hostile.json").write_text(hostile_trace())
        for name, path in [*SAMPLES.items(), ("hostile", cls.folder / "hostile.json")]:
            cls.xsp("import", path, "--name", name)
        cls.runs = [*SAMPLES, "hostile"]

    @classmethod
    def xsp(cls, *arguments, status=0):
        done = subprocess.run([str(XSP), *map(str, arguments)], capture_output=True, text=True, cwd=cls.folder,
                              env={**os.environ, "XSP_STORE": str(cls.folder / "store")})
        assert done.returncode == status, f"{arguments}\n{done.stdout}\n{done.stderr}"
        return done.stdout if status == 0 else done.stderr

    def query(self, run, sql):
        return json.loads(self.xsp("query", run, sql, "--format", "json"))

    def export(self, run, trace_format):
        path = self.folder / f"{run}.{trace_format}.out"
        self.xsp("export", run, "--format", trace_format, "-o", path)
        return path.read_bytes()

    def spans(self, run):
        return self.query(run, "SELECT id, parent_id, level, name, track_id, start_ns, duration_ns, correlation_id FROM span")

    def times_by_level(self, run):
        rows = self.query(run, "SELECT level, sum(duration_ns)::BIGINT AS ns FROM span WHERE duration_ns IS NOT NULL GROUP BY level")
        return {row["level"]: row["ns"] for row in rows}

    # Formats ------------------------------------------------------------------------------------

    def read_chrome(self, run):
        text = self.export(run, "chrome").decode("utf-8")
        document = json.loads(text, parse_float=decimal.Decimal, parse_constant=not_json, object_pairs_hook=without_repeats)
        self.assertEqual(document["writer"], "xsp")
        return document["traceEvents"]

    @each_run
    def test_chrome(self, run):
        times, ends, flows, named, threads = collections.Counter(), {}, collections.defaultdict(set), set(), set()
        spans = 0
        for event in self.read_chrome(run):
            phase, place = event["ph"], (event["pid"], event.get("tid"))
            self.assertTrue(isinstance(event["pid"], int) and event["pid"] > 0)
            if phase == "M":
                named.add(place)
                self.assertTrue(event["args"]["name"])
                continue
            threads.add(place)
            start = nanoseconds(event["ts"])
            self.assertGreaterEqual(start, 0)
            if phase in "sf":
                flows[event["id"]].add(phase)
            elif phase in "XB":
                spans += 1
                end = start + nanoseconds(event["dur"]) if phase == "X" else float("inf")
                times[event["cat"]] += end - start if phase == "X" else 0
                stack = ends.setdefault(place, [])
                while stack and stack[-1] <= start:
                    stack.pop()
                self.assertTrue(not stack or end <= stack[-1], "spans of a thread nest")
                stack.append(end)
            else:
                self.assertEqual(phase, "C")
        self.assertEqual(dict(times), self.times_by_level(run))
        self.assertEqual(spans, len(self.spans(run)))
        self.assertLessEqual(threads, named)
        self.assertTrue(all(ends == {"s", "f"} for ends in flows.values()), flows)
        if run == "kineto":
            self.assertEqual(len(flows), 2)

    @each_run
    def test_collapsed(self, run):
        self_times, roots = 0, collections.Counter()
        for line in self.export(run, "collapsed").decode("utf-8").split("\n")[:-1]:
            match = re.fullmatch(r"([^\x00-\x1f;]+(?:;[^\x00-\x1f;]+)+) ([1-9][0-9]*)", line)
            self.assertTrue(match, line[:200])
            roots[match[1].split(";")[0]] += int(match[2])
            self_times += int(match[2])
        if run == "hostile":
            return  # What overlaps counts in each of its tracks.
        by_track = collections.defaultdict(list)
        for span in self.spans(run):
            by_track[span["track_id"]].append((span["start_ns"], span["start_ns"] + span["duration_ns"]))
        expected = collections.Counter()
        for track, intervals in by_track.items():
            last = 0
            for start, end in sorted(intervals):
                expected[track] += max(0, end - max(start, last))
                last = max(last, end)
        self.assertEqual(sorted(roots.values()), sorted(value for value in expected.values() if value))
        self.assertEqual(self_times, sum(expected.values()))

    @each_run
    def test_speedscope(self, run):
        schema = speedscope_schema()
        if schema is None:
            self.skipTest("no schema of speedscope (tools/setup --test fetches it)")
        document = json.loads(self.export(run, "speedscope").decode("utf-8"), object_pairs_hook=without_repeats)
        jsonschema.validate(document, schema)
        frames, times = document["shared"]["frames"], collections.Counter()
        for profile in document["profiles"]:
            stack, last = [], profile["startValue"]
            for event in profile["events"]:
                self.assertGreaterEqual(event["at"], last)
                last = event["at"]
                if event["type"] == "O":
                    stack.append(event)
                    continue
                begin = stack.pop()
                self.assertEqual(begin["frame"], event["frame"])
                times[frames[event["frame"]]["name"]] += event["at"] - begin["at"]
            self.assertEqual(stack, [])
            self.assertLessEqual(last, profile["endValue"])
        expected = collections.Counter()
        for span in self.spans(run):
            expected[span["name"]] += span["duration_ns"] or 0
        times.pop("open", None)  # It never ended: it is closed where its track ends.
        expected.pop("open", None)
        self.assertEqual(times, expected)

    @each_run
    def test_otlp(self, run):
        text = self.export(run, "otlp").decode("utf-8")
        json.loads(text, parse_constant=not_json, object_pairs_hook=without_repeats)
        request = json_format.Parse(text, trace_service_pb2.ExportTraceServiceRequest())
        self.assertEqual(len(request.resource_spans), 1)
        spans = request.resource_spans[0].scope_spans[0].spans

        def identifier(value, digits):
            # OTLP writes ids in hexadecimal, where the JSON of protobuf has base64: the parser took them for that.
            found = base64.b64encode(value).decode()
            self.assertRegex(found, f"^[0-9a-f]{{{digits}}}$")
            return found

        stored = {span["id"]: span for span in self.spans(run)}
        times = collections.Counter()
        self.assertEqual(len({identifier(span.trace_id, 32) for span in spans}), 1)
        self.assertEqual({int(identifier(span.span_id, 16), 16) for span in spans}, set(stored))
        for span in spans:
            row = stored[int(identifier(span.span_id, 16), 16)]
            parent = int(identifier(span.parent_span_id, 16), 16) if span.parent_span_id else 0
            self.assertEqual(parent, row["parent_id"])
            attributes = {attribute.key: attribute.value for attribute in span.attributes}
            self.assertEqual(len(attributes), len(span.attributes))
            self.assertEqual(attributes["xsp.level"].string_value, row["level"])
            self.assertGreaterEqual(span.end_time_unix_nano, span.start_time_unix_nano)
            times[row["level"]] += span.end_time_unix_nano - span.start_time_unix_nano
            for link in span.links:
                self.assertIn(int(identifier(link.span_id, 16), 16), stored)
        self.assertEqual(dict(times), self.times_by_level(run))
        if run == "kineto":
            first = min(span.start_time_unix_nano for span in spans)
            self.assertEqual(first, 1_700_000_000_000_000_000 + 1_000_000)  # baseTimeNanoseconds, and its first ts.

    @each_run
    def test_perfetto(self, run):
        trace = perfetto_trace_pb2.Trace.FromString(self.export(run, "perfetto"))
        event_types = perfetto_trace_pb2.TrackEvent
        tracks, names, categories, specifications, contexts = {}, {}, {}, {}, set()
        open_slices, times, slices = collections.defaultdict(list), collections.Counter(), 0
        for packet in trace.packet:
            self.assertEqual(packet.trusted_packet_sequence_id, 1)
            for entry in packet.interned_data.event_names:
                self.assertNotIn(entry.iid, names)
                names[entry.iid] = entry.name
            for entry in packet.interned_data.event_categories:
                categories[entry.iid] = entry.name
            for entry in packet.interned_data.gpu_specifications:
                specifications[entry.iid] = entry
            contexts |= {entry.iid for entry in packet.interned_data.graphics_contexts}
            if packet.HasField("track_descriptor"):
                descriptor = packet.track_descriptor
                self.assertNotIn(descriptor.uuid, tracks)
                self.assertTrue(not descriptor.parent_uuid or descriptor.parent_uuid in tracks)
                tracks[descriptor.uuid] = descriptor
            elif packet.HasField("gpu_render_stage_event"):
                event = packet.gpu_render_stage_event
                slices += 1
                times["kernel"] += event.duration
                self.assertIn(event.hw_queue_iid, specifications)
                self.assertTrue(specifications[event.stage_iid].name)
                self.assertIn(event.context, contexts)
            elif packet.HasField("track_event"):
                event = packet.track_event
                self.assertIn(event.track_uuid, tracks)
                stack = open_slices[event.track_uuid]
                if event.type == event_types.TYPE_SLICE_BEGIN:
                    slices += 1
                    self.assertIn(event.name_iid, names)
                    stack.append((categories[event.category_iids[0]], packet.timestamp))
                elif event.type == event_types.TYPE_SLICE_END:
                    level, start = stack.pop()
                    self.assertGreaterEqual(packet.timestamp, start)
                    times[level] += packet.timestamp - start
                else:
                    self.assertEqual(event.type, event_types.TYPE_COUNTER)
                    self.assertTrue(tracks[event.track_uuid].HasField("counter"))
        self.assertEqual(dict(times), self.times_by_level(run))
        self.assertEqual(slices, len(self.spans(run)))
        never_ended = sum(span["duration_ns"] is None for span in self.spans(run))
        self.assertEqual(sum(map(len, open_slices.values())), never_ended)

    # The command --------------------------------------------------------------------------------

    def test_an_export_is_not_imported_as_a_trace_of_another_program(self):
        for run in ("kineto", "chrome"):
            path = self.folder / f"{run}.json"
            self.xsp("export", run, "--format", "chrome", "-o", path)
            self.assertIn("export of XSP", self.xsp("import", path, status=BAD_INPUT))

    def test_the_file_is_named_after_the_run(self):
        line = self.xsp("export", "kineto", "--format", "speedscope")
        self.assertEqual(len(line.splitlines()), 1)
        self.assertIn("kineto.speedscope.json", line)
        self.assertTrue((self.folder / "kineto.speedscope.json").exists())

    def test_help_lists_every_format(self):
        text = self.xsp("export", "--help")
        for name in ("csv", "json", "chrome", "collapsed", "otlp", "perfetto", "speedscope"):
            self.assertIn(name, text)


if __name__ == "__main__":
    if not XSP.exists():
        print(f"skipped: {XSP} is not built")
        sys.exit(77)
    unittest.main()
