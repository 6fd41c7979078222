#!/usr/bin/env python3
"""Gates as a CI job uses them: a git repository whose second commit is slower, built and measured at both commits, a
baseline, the exit status, JUnit and Markdown. The program writes a trace of the work that it does, not of time: on a busy
virtual machine even CPU time was seen four times as long. A second class measures the toy model of workers/example."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
WORKERS = os.environ.get("XSP_WORKER_PATH") or str(ROOT / "build" / "release" / "bin")
PASS, USAGE, BAD_INPUT, REGRESSION, INCONCLUSIVE = 0, 2, 3, 6, 7
COMPILER = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")

# Five steps of two operators, of which the second works for kRounds. The clock is the program's own: it counts rounds, one
# nanosecond each, and every operator takes up to 4 % longer, each time another share.
PROGRAM = r"""
#include <cstdio>
#include <random>
#include "rounds.h"

static std::mt19937 random_source{std::random_device{}()};
static double now_us = 0;
static double NowUs() { return now_us; }
static void Work(long rounds) {
  now_us += rounds / 1e3 * std::uniform_real_distribution<double>(1.0, 1.04)(random_source);
}
static void Event(const char* category, const char* name, double from_us, double until_us, int id, const char* last) {
  std::printf("{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":1,\"tid\":1,\"ts\":%.3f,\"dur\":%.3f,"
              "\"args\":{\"External id\":%d}}%s\n", category, name, from_us, until_us - from_us, id, last);
}
int main() {
  std::printf("{\"schemaVersion\":1,\"traceEvents\":[\n");
  for (int step = 1; step <= 5; ++step) {
    char name[32];
    std::snprintf(name, sizeof name, "ProfilerStep#%d", step);
    const double start_us = NowUs();
    Work(200000);
    const double middle_us = NowUs();
    Work(kRounds);
    const double end_us = NowUs();
    Event("user_annotation", name, start_us, end_us + 1, 3 * step, ",");
    Event("cpu_op", "aten::embedding", start_us, middle_us, 3 * step + 1, ",");
    Event("cpu_op", "aten::linear", middle_us + 0.1, end_us + 0.5, 3 * step + 2, step == 5 ? "" : ",");
    now_us += 10;
  }
  std::printf("]}\n");
}
"""


def check_junit(test, text):
    """The rules that readers of JUnit reports share: elements, attributes, counts. Returns the cases by name."""
    root = ElementTree.fromstring(text)
    test.assertEqual(root.tag, "testsuites")
    totals = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    cases = {}
    for suite in root:
        test.assertEqual(suite.tag, "testsuite")
        test.assertTrue(suite.get("name"))
        counts = {"tests": len(suite), "failures": len(suite.findall("testcase/failure")),
                  "errors": len(suite.findall("testcase/error")), "skipped": len(suite.findall("testcase/skipped"))}
        test.assertEqual({key: int(suite.get(key)) for key in counts}, counts)
        float(suite.get("time"))
        for key, count in counts.items():
            totals[key] += count
        for case in suite:
            test.assertEqual(case.tag, "testcase")
            test.assertTrue(case.get("name") and case.get("classname"))
            float(case.get("time"))
            test.assertLessEqual(len(case), 1)
            for problem in case:
                test.assertIn(problem.tag, ("failure", "error"))
                test.assertTrue(problem.get("message") and problem.get("type"))
            cases[case.get("name")] = case
    test.assertEqual({key: int(root.get(key)) for key in totals}, totals)
    return cases


class GateTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        cls.environment = {**os.environ, "XSP_STORE": str(cls.folder / "store"), "XSP_WORKER_PATH": WORKERS,
                           "XSP_CACHE": str(cls.folder / "cache")}

    @classmethod
    def call(cls, *arguments):
        return subprocess.run([str(XSP), *map(str, arguments)], capture_output=True, text=True, env=cls.environment,
                              cwd=cls.folder, timeout=600)

    @classmethod
    def done(cls, *arguments):
        process = cls.call(*arguments)
        if process.returncode != 0:
            raise AssertionError(f"{arguments}: status {process.returncode}\n{process.stdout[-2000:]}{process.stderr[-2000:]}")
        return process.stdout

    def gate(self, status, *arguments):
        """The document of a comparison that ends with this status."""
        process = self.call("compare", *arguments, "--format", "json")
        self.assertEqual(process.returncode, status, f"{arguments}\n{process.stdout[:3000]}{process.stderr[-2000:]}")
        return json.loads(process.stdout) if process.stdout else None


@unittest.skipUnless(COMPILER and shutil.which("git"), "no C++ compiler or no git here")
class RepositoryTest(GateTest):
    """Two commits of a small program, each built and run, the first one twice."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.repository = cls.folder / "repository"
        cls.repository.mkdir()
        cls.git("init", "--quiet")
        (cls.repository / "main.cc").write_text(PROGRAM)
        cls.commits = {}
        for name, rounds in (("fast", 1000000), ("slow", 8000000)):
            (cls.repository / "rounds.h").write_text(f"constexpr long kRounds = {rounds};\n")
            cls.git("add", "--all")
            cls.git("commit", "--quiet", "--message", name)
            cls.commits[name] = cls.git("rev-parse", "HEAD").strip()
        for name, commit in (("fast", "fast"), ("again", "fast"), ("slow", "slow")):
            cls.git("checkout", "--quiet", cls.commits[commit])
            subprocess.run([COMPILER, "-O1", "-o", "program", "main.cc"], check=True, cwd=cls.repository)
            trace = cls.folder / f"{name}.json"
            with open(trace, "w") as file:
                subprocess.run(["./program"], check=True, cwd=cls.repository, stdout=file)
            cls.done("import", trace, "--name", name)
            cls.done("tag", name, f"git={cls.commits[commit]}")
        cls.done("baseline", "set", "main", "fast")

    @classmethod
    def git(cls, *arguments):
        identity = ["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"]
        return subprocess.run(["git", *identity, *arguments], cwd=cls.repository, check=True, capture_output=True,
                              text=True, env={**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null"}).stdout

    def test_the_slow_commit_is_a_regression_of_the_operator_that_it_changed(self):
        pair = self.gate(REGRESSION, "--baseline", "main", "slow", "--gate", "latency=50%", "--gate-noise", "20%")
        self.assertEqual(pair["outcome"], "regression")
        gate = pair["gates"][0]
        self.assertGreater(gate["low"], 1.5)
        self.assertEqual(gate["nodes"][0]["path"], "aten::linear")
        self.assertGreater(gate["nodes"][0]["share"], 0.8)
        self.assertEqual([side["name"] for side in pair["sides"]], ["fast", "slow"])
        self.assertIn("rows", pair)

    def test_the_same_build_passes_a_wide_gate(self):
        pair = self.gate(PASS, "--baseline", "main", "again", "--gate", "latency=150%,layer:aten::*=150%",
                         "--gate-noise", "20%")
        self.assertEqual([gate["outcome"] for gate in pair["gates"]], ["pass", "pass"])

    def test_a_gate_narrower_than_the_noise_is_inconclusive(self):
        pair = self.gate(INCONCLUSIVE, "--baseline", "main", "again", "--gate", "latency=3%", "--gate-noise", "1000%")
        self.assertIn("assumed noise", pair["gates"][0]["reason"])
        # Of one trace a side nothing is known of the noise.
        pair = self.gate(INCONCLUSIVE, "--baseline", "main", "slow", "--gate", "latency=3%")
        self.assertIn("--gate-noise", pair["gates"][0]["reason"])

    def test_gates_are_met_or_not_each_by_its_own_rows(self):
        pair = self.gate(REGRESSION, "--baseline", "main", "slow", "--gate", "layer:aten::linear=50%", "--gate",
                         "layer:aten::emb*=150%,memory=5%", "--gate-noise", "20%")
        self.assertEqual([gate["outcome"] for gate in pair["gates"]], ["regression", "pass", "inconclusive"])

    def test_the_baseline_passes_against_itself(self):
        pair = self.gate(PASS, "--baseline", "main", "fast", "--gate", "latency=0%")
        self.assertIn("same run", pair["gates"][0]["reason"])

    def test_several_sides_are_gated_together(self):
        document = self.gate(REGRESSION, "--baseline", "main", "again", "slow", "--gate", "latency=150%",
                             "--gate-noise", "20%")
        self.assertEqual([pair["gates"][0]["outcome"] for pair in document["pairs"]], ["pass", "regression"])
        self.assertEqual(document["outcome"], "regression")

    def test_ci_gets_junit_and_markdown(self):
        report = self.folder / "gates.xml"
        process = self.call("compare", "--baseline", "main", "slow", "--gate", "latency=50%,layer:<&\"none=1%",
                            "--gate", "layer:aten::emb*=150%", "--gate-noise", "20%", "--junit", report,
                            "--format", "markdown")
        self.assertEqual(process.returncode, REGRESSION, process.stderr)
        cases = check_junit(self, report.read_text())
        self.assertEqual({name: [problem.tag for problem in case] for name, case in cases.items()},
                         {"latency=50%": ["failure"], "layer:<&\"none=1%": ["error"], "layer:aten::emb*=150%": []})
        self.assertIn("aten::linear", cases["latency=50%"][0].text)
        self.assertTrue(process.stdout.startswith("**Gates: 1 regression, 1 inconclusive, 1 pass**\n"))
        self.assertIn("| **inconclusive** | layer:&lt;&amp;\"none=1% |", process.stdout)

    def test_mistakes_are_usage_errors_with_a_hint(self):
        for gate, said in (("latncy=3%", "Did you mean latency?"), ("latency=-3%", "share"), ("latency=3", "3% or 300%"),
                           ("latency=3%,latency=4%", "two limits"), ("layer=3%", "pattern")):
            with self.subTest(gate=gate):
                process = self.call("compare", "--baseline", "main", "slow", "--gate", gate)
                self.assertEqual(process.returncode, USAGE)
                self.assertIn(said, process.stderr)
                self.assertEqual(process.stdout, "")

    def test_a_baseline_is_in_the_store_and_protects_its_experiment(self):
        listed = json.loads(self.done("baseline", "list", "--format", "json"))
        self.assertEqual([(one["name"], one["experiment"], one["status"]) for one in listed], [("main", "fast", "ok")])
        self.assertEqual(len(json.loads(self.done("list", "--format", "json"))), 3)
        process = self.call("remove", "fast")
        self.assertEqual(process.returncode, BAD_INPUT)
        self.assertIn("xsp baseline remove main", process.stderr)
        # A copy of the store, as a CI cache restores it, has it, too.
        copy = self.folder / "copy"
        shutil.copytree(self.folder / "store", copy)
        self.assertIn("fast", self.done("--store", copy, "baseline", "list"))
        self.done("--store", copy, "rename", "fast", "renamed")
        self.done("--store", copy, "compare", "--baseline", "main", "again")
        self.done("--store", copy, "baseline", "remove", "main")
        self.done("--store", copy, "remove", "renamed")
        self.assertEqual(self.call("--store", copy, "compare", "--baseline", "main", "again").returncode, BAD_INPUT)

    def test_the_script_for_ci_measures_both_commits(self):
        """docs/ci/gate.sh in the working tree of the slow commit, then of the fast one against itself."""
        environment = {**self.environment, "XSP_STORE": str(self.folder / "ci-store"),
                       "PATH": f"{XSP.parent}:{os.environ['PATH']}", "BUILD": f"{COMPILER} -O1 -o program main.cc",
                       "MEASURE": './program > trace.json && xsp import trace.json --name "$NAME"',
                       "GATES": "latency=150%", "GIT_CONFIG_GLOBAL": "/dev/null"}

        def status(commit, options):
            self.git("checkout", "--quiet", self.commits[commit])
            process = subprocess.run(["sh", str(ROOT / "docs" / "ci" / "gate.sh"), self.commits["fast"]],
                                     cwd=self.repository, env={**environment, "OPTIONS": options}, capture_output=True,
                                     text=True, timeout=600)
            self.assertIn("**Gates: ", process.stdout, process.stderr)
            check_junit(self, (self.repository / "gates.xml").read_text())
            return process.returncode, process.stdout

        self.assertEqual(status("slow", "--gate-noise 20%")[0], REGRESSION)
        self.assertEqual(status("fast", "--gate-noise 20%")[0], PASS)
        # Without a known noise: measured again, and still not known.
        code, text = status("fast", "")
        self.assertEqual(code, INCONCLUSIVE)
        self.assertIn("measuring again, with 15 processes", text)
        self.assertEqual(self.git("worktree", "list").count("\n"), 1)

    def test_an_experiment_is_found_before_a_folder_of_its_name(self):
        (self.folder / "fast").mkdir(exist_ok=True)
        self.gate(PASS, "--baseline", "main", "fast", "--gate", "latency=0%")


@unittest.skipUnless((pathlib.Path(WORKERS.split(":")[0]) / "xsp-worker-example").exists(), "the toy worker is not built here")
class MeasuredTest(GateTest):
    """Measured by `xsp run`, in several processes: the interval is known, unless other programs use the machine."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name, width in (("fast", 16), ("again", 16), ("slow", 32768)):
            model = cls.folder / "net.toy"
            model.write_text(f"input 64\ndense {width}\nrelu\n")
            cls.done("run", model, "--backend", "example", "--processes", "4", "--iterations", "20", "--depth", "layer",
                     "--no-roofs", "--name", name)
        cls.done("baseline", "set", "main", "fast")

    def test_a_slower_model_is_a_regression(self):
        pair = self.gate(REGRESSION, "--baseline", "main", "slow", "--gate", "latency=100%,throughput=50%,memory=5%",
                         "--gate-noise", "50%")
        self.assertEqual(pair["gates"][0]["outcome"], "regression")
        self.assertEqual(pair["gates"][0]["nodes"][0]["path"], "dense")
        self.assertEqual(pair["gates"][1]["outcome"], "regression")
        self.assertLess(pair["gates"][1]["high"], 0.5)

    def test_the_same_model_passes_a_wide_gate(self):
        self.gate(PASS, "--baseline", "main", "again", "--gate", "latency=10000%,memory=100%", "--gate-noise", "50%")

    def test_without_several_processes_it_is_inconclusive(self):
        self.gate(INCONCLUSIVE, "fast/b1-layer", "slow/b1-layer", "--gate", "latency=1%")


if __name__ == "__main__":
    if not XSP.exists():
        print(f"skipped: not built: {XSP}")
        sys.exit(77)
    unittest.main()
