"""Programs for other processors, which QEMU runs: what they record is read here and is what a program of this processor
records; the loops that measure roofs are the instructions that they say; big-endian processors are refused.

Needs `tools/setup --cross NAME` and `cmake --preset NAME && ninja -C build/NAME` for each processor; one that is not built
is skipped by name. `tools/test --architecture NAME` does all of it."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
TRIPLETS = {"aarch64": "aarch64-linux-gnu", "ppc64le": "powerpc64le-linux-gnu"}
TOY = "input 64\ndense 128\nrelu\ndense 10\nsoftmax\n"

# Two threads that record all that xsp.h has; each of the spans named sleep takes 20 ms.
PROGRAM = r"""
#include <pthread.h>
#include <string.h>
#include <time.h>
#include "xsp.h"

static xsp_string Text(const char* text) { return xsp_intern(text, strlen(text)); }
static void* Record(void* name) {
  const xsp_span outer = xsp_begin(XSP_LEVEL_MODEL, Text("predict"), Text(name));
  for (int i = 0; i < 5; ++i) {
    const xsp_span inner = xsp_begin(XSP_LEVEL_LAYER, Text("wait"), Text("sleep"));
    const struct timespec pause = {0, 20000000};
    nanosleep(&pause, 0);
    xsp_metric(inner, Text("flops"), 1e15 / 3 * i, Text("FLOP"), Text("computed"));
    xsp_attribute(inner, Text("text"), "Gr\xc3\xb6\xc3\x9f" "e", 7);
    xsp_end(inner);
  }
  /* In the middle of a pause: it is on another clock than what begins and ends around it. */
  const uint64_t now_ns = xsp_now_ns();
  const struct timespec pause = {0, 3000000};
  nanosleep(&pause, 0);
  xsp_complete(XSP_LEVEL_KERNEL, Text("sgemm"), Text("by hand"), now_ns + 1000000, 1000000);
  xsp_mark(Text("done"));
  xsp_counter(Text("queue"), -2.5, Text("1"));
  xsp_end(outer);
  return 0;
}
int main(int count, char** arguments) {
  if (count != 2 || xsp_open(arguments[1], 0) != 0) return 1;
  pthread_t other;
  pthread_create(&other, 0, Record, "second");
  pthread_join(other, 0);
  Record("first");
  xsp_close();
  return 0;
}
"""

# What must be the same whatever processor recorded it. Times are compared by themselves.
SAME = {
    "spans": "SELECT s.level, s.type, s.name, p.name AS inside, count(*) AS n FROM span s LEFT JOIN span p ON p.id = s.parent_id "
             "GROUP BY ALL ORDER BY ALL",
    "metrics": "SELECT s.name AS span, m.name, m.unit, m.provenance, count(*) AS n FROM metric m JOIN span s ON s.id = m.span_id "
               "GROUP BY ALL ORDER BY ALL",
    "computed values": "SELECT s.name AS span, m.name, m.value FROM metric m JOIN span s ON s.id = m.span_id "
                       "WHERE m.name IN ('flops', 'bytes', 'iteration') ORDER BY ALL",
    "attributes": "SELECT s.name AS span, a.key, count(*) AS n, max(CASE WHEN a.key = 'text' THEN a.value END) AS text "
                  "FROM attribute a JOIN span s ON s.id = a.span_id GROUP BY ALL ORDER BY ALL",
    "marks": "SELECT name, count(*) AS n FROM mark GROUP BY ALL ORDER BY ALL",
    "counters": "SELECT name, unit, value FROM counter ORDER BY ALL",
    "diagnostics": "SELECT name, count FROM diagnostic ORDER BY ALL",
}
OUTSIDE_THEIR_PARENT = """SELECT s.name FROM span s JOIN span p ON p.id = s.parent_id
  WHERE s.start_ns < p.start_ns OR s.start_ns + s.duration_ns > p.start_ns + p.duration_ns"""


def is_built(name):
    return (ROOT / "build" / name / "test-workers" / "xsp-worker-example").exists()


def checked(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=900, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}: status {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return done.stdout


class Machine:
    """A processor: how its programs are made and started. None is this one."""

    def __init__(self, name=None):
        self.build = ROOT / "build" / name if name else BUILD
        self.compiler = f"{TRIPLETS[name]}-gcc" if name else "cc"
        self.sysroot = [f"--sysroot={ROOT}/.deps/cross/{name}/sysroot"] if name else []
        self.prefix = [ROOT / "tools" / "emulate", name] if name else []

    def run(self, *command, **options):
        return checked(*self.prefix, *command, **options)

    def compile(self, source, program):
        checked(self.compiler, *self.sysroot, "-O1", "-o", program, source, "-I", ROOT / "src/capture/wire",
                "-L", self.build / "lib", "-lxsp", "-lpthread", f"-Wl,-rpath,{self.build}/lib")


class Recordings:
    """The tests of one processor; `name` is set by its class."""
    name = ""

    @classmethod
    def setUpClass(cls):
        if not is_built(cls.name):
            raise unittest.SkipTest(f"{cls.name} is not built (tools/test --architecture {cls.name})")
        cls.here, cls.there = Machine(), Machine(cls.name)

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.environment = {**os.environ, "XSP_STORE": str(self.folder / "store"), "XSP_CACHE": str(self.folder / "cache")}

    def query(self, run, sql):
        return json.loads(checked(XSP, "query", run, sql, "--format", "json", env=self.environment))

    def import_and_read(self, recording):
        """What is the same for every processor, and the durations of spans by name."""
        checked(XSP, "import", recording, "--name", recording.stem, env=self.environment)
        self.assertEqual(self.query(recording.stem, OUTSIDE_THEIR_PARENT), [])
        durations = {}
        for row in self.query(recording.stem, "SELECT name, duration_ns FROM span"):
            durations.setdefault(row["name"], []).append(row["duration_ns"])
        return {what: self.query(recording.stem, sql) for what, sql in SAME.items()}, durations

    def test_what_a_program_records_is_the_same(self):
        source = self.folder / "program.c"
        source.write_text(PROGRAM)
        read = {}
        for key, machine in (("here", self.here), ("there", self.there)):
            program, recording = self.folder / f"program_{key}", self.folder / f"{key}.xspr"
            machine.compile(source, program)
            started_ns = time.time_ns()
            machine.run(program, recording)
            ended_ns = time.time_ns()
            read[key], durations = self.import_and_read(recording)
            times = self.query(key, "SELECT min(start_ns) AS first, max(start_ns + duration_ns) AS last FROM span")[0]
            self.assertLess(started_ns, times["first"])
            self.assertLess(times["last"], ended_ns)
            self.assertEqual(len(durations["sleep"]), 10)
            for duration_ns in durations["sleep"]:
                self.assertGreaterEqual(duration_ns, 20e6)
            self.assertGreaterEqual(sum(durations["first"]), 100e6)
            self.assertEqual([round(duration_ns, -3) for duration_ns in durations["by hand"]], [1e6, 1e6])
        self.assertEqual(read["here"], read["there"])
        self.assertEqual([row["value"] for row in read["there"]["counters"]], [-2.5, -2.5])

    def test_what_a_worker_records_is_the_same(self):
        (self.folder / "toy.toy").write_text(TOY)
        job = self.folder / "job.json"
        job.write_text(json.dumps({
            "version": 1, "model": {"name": "toy", "path": str(self.folder / "toy.toy")}, "rung": "layer", "batch": 3,
            "iterations": 5, "seed": 7, "warmup": {"max_calls": 4}}))
        read = {}
        for key, machine in (("here", self.here), ("there", self.there)):
            recording = self.folder / f"{key}.xspr"
            machine.run(machine.build / "test-workers/xsp-worker-example", "predict", "--job", job, "--recording", recording)
            read[key], durations = self.import_and_read(recording)
            self.assertEqual(len(durations["toy"]), 4 + 5)
            self.assertGreater(min(durations["toy"]), 0)
        self.assertEqual(read["here"], read["there"])

    def test_a_worker_is_measured_by_this_processors_xsp(self):
        (self.folder / "toy.toy").write_text(TOY)
        read = {}
        for key, machine in (("here", self.here), ("there", self.there)):
            environment = {**self.environment, "XSP_WORKER_PATH": str(machine.build / "test-workers")}
            machine.run(XSP, "run", self.folder / "toy.toy", "--backend", "example", "--batch", "1,2", "--iterations", "5",
                        "--name", key, env=environment)
            read[key] = {what: self.query(key, sql) for what, sql in {
                "points": "SELECT point_id, model, backend, batch, status FROM point ORDER BY ALL",
                "layers": "SELECT point_id, layer_index, type, name, shape, flops, dtype FROM layer ORDER BY ALL",
                "runs": "SELECT point_id, rung FROM run ORDER BY ALL"}.items()}
        self.assertEqual(read["here"], read["there"])
        self.assertEqual(len(read["there"]["layers"]), 2 * 4)

    def test_roof_loops_are_the_instructions_that_they_say(self):
        loops = {"aarch64": ("peak_neon.cc", {"fmla.*v.*4s": 24, "fmla.*v.*2d": 24, "fmla.*v.*8h": 24, "bfdot": 24, "sdot": 24}),
                 "ppc64le": ("peak_vsx.cc", {"xvmadd.sp": 24, "xvmadd.dp": 24, "vmsummbm": 24})}
        source, expected = loops[self.name]
        made = self.there.build / f"CMakeFiles/xsp_roof_loops.dir/src/measure/roof_loops/{source}.o"
        listing = checked(f"{TRIPLETS[self.name]}-objdump", "-d", "--no-show-raw-insn", made)
        self.assertEqual({pattern: len(re.findall(rf"\t{pattern}", listing)) for pattern in expected}, expected)


class AArch64Test(Recordings, unittest.TestCase):
    name = "aarch64"

    def test_its_xsp_reads_what_was_recorded_here(self):
        recording = ROOT / "src/ingest/importers/xsp_recording/sample/two_calls.xspr"
        if not (self.there.build / "bin" / "xsp").exists():
            self.skipTest("of aarch64 only the recorders are built")
        read = {}
        for key, machine in (("here", self.here), ("there", self.there)):
            xsp = machine.build / "bin" / "xsp"
            machine.run(xsp, "import", recording, "--name", key, env=self.environment)
            read[key] = {what: json.loads(machine.run(xsp, "query", key, sql, "--format", "json", env=self.environment))
                         for what, sql in SAME.items()}
        self.assertEqual(read["here"], read["there"])


class Ppc64leTest(Recordings, unittest.TestCase):
    name = "ppc64le"


class BigEndianTest(unittest.TestCase):
    SENTENCE = "XSP cannot be built for a big-endian processor: its recordings are little-endian"

    def test_cmake_refuses_it(self):
        done = subprocess.run(["cmake", "-DCMAKE_CXX_BYTE_ORDER=BIG_ENDIAN", "-P", ROOT / "cmake/RefuseBigEndian.cmake"],
                              capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(self.SENTENCE, " ".join(done.stderr.split()))
        checked("cmake", "-DCMAKE_CXX_BYTE_ORDER=LITTLE_ENDIAN", "-P", ROOT / "cmake/RefuseBigEndian.cmake")

    def test_the_compiler_refuses_it(self):
        for order, is_refused in (("-mbig", True), ("-mlittle", False)):
            try:
                done = subprocess.run([f"{TRIPLETS['ppc64le']}-g++", order, "-std=c++20", "-fsyntax-only", "-x", "c++", "-I",
                                       ROOT / "src", ROOT / "src/capture/wire/format.h"], capture_output=True, text=True)
            except FileNotFoundError:
                self.skipTest("no compiler that knows a big-endian processor (tools/setup --cross ppc64le)")
            self.assertEqual(done.returncode != 0, is_refused, done.stderr)
            self.assertEqual(self.SENTENCE in done.stderr, is_refused, done.stderr)


class LeftOutTest(unittest.TestCase):
    def test_every_test_that_is_left_out_exists_and_has_a_reason(self):
        sources = "\n".join(path.read_text() for folder in ("src", "workers", "roofs") for path in (ROOT / folder).rglob("*_test.cc"))
        tests = set(re.findall(r"^\s*(?:TYPED_)?TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)", sources, re.M))
        suites = {suite for suite, _ in tests}
        for line in (ROOT / "tests/not_under_emulation.txt").read_text().splitlines():
            if not line or line.startswith("#"):
                continue
            suite, case, reason = re.fullmatch(r"(\w+)\.(\w+|\*): (.+)", line).groups()
            self.assertTrue(suite in suites if case == "*" else (suite, case) in tests, line)
            self.assertGreater(len(reason), 10, line)


if __name__ == "__main__":
    unittest.main()
