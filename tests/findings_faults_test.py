#!/usr/bin/env python3
"""The benchmark of findings (bench/findings_faults) with a program in place of xsp that answers from what the faults wrote: arithmetic of its
table, faults that fail, and its results as a file. Every fault of bench/findings_faults/faults loads and builds both of its versions; those
whose framework is missing are skipped by name.
"""
import contextlib
import datetime
import importlib.util
import io
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BENCH = ROOT / "bench" / "findings_faults"
sys.dont_write_bytecode = True
sys.path.insert(0, str(BENCH))
import experiment  # noqa: E402
import fault  # noqa: E402
import results  # noqa: E402

_spec = importlib.util.spec_from_file_location("driver", BENCH / "__main__.py")
driver = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(driver)

# Answers from planted.json of the model's folder: {"findings": [...], "latency_ns": ...}.
FAKE = """#!{python}
import json, pathlib, sys
store, command, *rest = sys.argv[2:]
store = pathlib.Path(store)
store.mkdir(exist_ok=True)
def planted(name):
    return json.loads((store / name).read_text())
if command in ("run", "record"):
    name = rest[rest.index("-o" if command == "record" else "--name") + 1]
    folder = pathlib.Path(rest[rest.index(name) + 1]) if command == "run" else pathlib.Path(rest[-1]).parent
    (store / name).write_text(json.dumps(dict(json.loads((folder / "planted.json").read_text()), arguments=rest)))
    with open(store / "log", "a") as log: print(*sys.argv[3:], file=log)
elif command == "findings":
    print(json.dumps({{"findings": planted(rest[0])["findings"]}}))
elif command == "show":
    print(json.dumps({{"points": [{{"batch": 1, "latency_ns": planted(rest[0])["latency_ns"]}}]}}))
elif command == "query":
    print(json.dumps([planted(rest[0]).get("calls", {{"calls": 0}})]))
elif command == "remove":
    (store / rest[0]).unlink()
elif command == "doctor":
    print(json.dumps([{{"part": "worker absent", "found": False, "where_or_how": "tools/setup"}}]))
"""

FAULT = '''"""A planted fault. Its repair."""
import json
RULE = "layout_reorders"
GAIN = True
def build(folder, repaired):
    (folder / "planted.json").write_text(json.dumps(
        {{"findings": {repaired} if repaired else {faulty}, "latency_ns": {repaired_ns} if repaired else 10e6}}))
    return ["run", folder, "--backend", "torch", "--time-limit", "3"]
'''


def finding(identity, share=None, severity="notice"):
    return {"id": identity, "severity": severity, "gain_share": share,
            "gain_ns": None if share is None else [share * 5e6, share * 10e6, share * 12e6], "gain": share and {"whole_ns": 10e6}}


class Bench:
    """The benchmark with faults of its own and the program in place of xsp."""

    def __init__(self, test, **faults):
        folder = tempfile.TemporaryDirectory()
        test.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "bin").mkdir()
        (self.folder / "faults").mkdir()
        (self.folder / "bin" / "xsp").write_text(FAKE.format(python=sys.executable))
        (self.folder / "bin" / "xsp").chmod(0o755)
        for name, text in faults.items():
            (self.folder / "faults" / f"{name}.py").write_text(text)

    def run(self, *arguments):
        return subprocess.run(
            [sys.executable, str(BENCH), "--faults", self.folder / "faults", "--store", self.folder / "store", "--rounds", "2", *arguments],
            capture_output=True, text=True, env={**os.environ, "XSP_BUILD": str(self.folder), "XSP_PYTHON": sys.executable})

    def rows(self):
        self.run("--write", "--results", self.folder / "results.csv")
        return {row["fault"]: row for row in results.read_csv(self.folder / "results.csv")[1]}


def planted(faulty, repaired=(), repaired_ns=8e6):
    return FAULT.format(faulty=list(faulty), repaired=list(repaired), repaired_ns=repaired_ns)


class DriverTest(unittest.TestCase):
    def test_a_fault_that_is_found_with_the_right_gain_and_gone_after_the_repair(self):
        bench = Bench(self, plain=planted([finding("interference"), finding("top_layers", 0.9, "info"), finding("layout_reorders", 0.25)]))
        done = bench.run("--tries", "1")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        row = bench.rows()["plain"]
        self.assertEqual((row["top"], row["is_right"], row["within"], row["repaired"], row["still_found"], row["busy"]),
                         ("layout_reorders", True, True, "silent", False, True))
        for name, value in (("predicted", 0.25), ("predicted_low", 0.125), ("predicted_high", 0.3), ("measured", 0.2)):
            self.assertAlmostEqual(row[name], value, 6, name)
        self.assertIn("first finding right: 1 of 1 (100 %)", done.stdout)

    def test_a_fault_that_is_not_first_whose_gain_is_wrong_and_that_stays(self):
        bench = Bench(self, wrong=planted([finding("outlier_layers", 0.5), finding("layout_reorders", 0.3)], [finding("layout_reorders", 0.04)]))
        row = bench.rows()["wrong"]
        self.assertEqual((row["top"], row["is_right"], row["within"], row["still_found"]), ("outlier_layers", False, False, True))

    def test_a_fault_that_is_not_found_has_no_predicted_gain_and_counts_as_wrong(self):
        row = Bench(self, silent=planted([])).rows()["silent"]
        self.assertEqual((row["top"], row["is_right"], row["predicted"], row["within"]), ("", False, None, False))

    def test_faults_that_are_no_independent_test_are_marked_and_counted_apart(self):
        good = planted([finding("layout_reorders", 0.2)])
        bench = Bench(self, tuned=good + 'TUNED = "The limit was chosen with it in view."\n',
                      wrong=planted([finding("outlier_layers", 0.5), finding("layout_reorders", 0.9)]))
        self.assertEqual({name: row["is_tuned"] for name, row in bench.rows().items()}, {"tuned": True, "wrong": False})
        text = bench.run().stdout
        self.assertIn("first finding right: 1 of 2 (50 %); without those marked *: 0 of 1 (0 %)", text)
        self.assertIn("within 30 % of the measured one: 1 of 2 (50 %); without those marked *: 0 of 1 (0 %)", text)
        self.assertRegex(text, r"(?m)^tuned \* +layout_reorders")
        self.assertNotIn("without those", Bench(self, one=good).run().stdout)

    def test_faults_that_fail_cost_no_other_its_result(self):
        good = planted([finding("layout_reorders", 0.2)])
        bench = Bench(self, a_good=good, b_crash=good.replace("def build", "import os\ndef build").replace("    (folder", "    os.abort()\n    (folder"),
                      c_rule=good.replace("RULE =", "OTHER ="), d_syntax="def", e_run=good.replace('"run"', '"run", "missing"'), f_good=good)
        changes = results.changes_file(bench.folder / "results.csv")
        changes.write_text("What changed since the results before.")
        done = bench.run("--write", "--results", bench.folder / "results.csv")
        self.assertFalse(changes.exists())
        self.assertEqual(done.returncode, 1)
        self.assertIn("FAILED: b_crash, c_rule, d_syntax, e_run\n", done.stdout)
        self.assertIn("c_rule.py has no RULE", done.stdout)
        self.assertEqual([row["fault"] for row in results.read_csv(bench.folder / "results.csv")[1]], ["a_good", "f_good"])

    def test_results_of_some_faults_leave_those_of_others_in_the_file(self):
        good = planted([finding("layout_reorders", 0.2)])
        bench = Bench(self, a=good, b=good, c=good)
        self.assertEqual(set(bench.rows()), {"a", "b", "c"})
        file = bench.folder / "results.csv"
        today = datetime.date.today().isoformat()
        file.write_text(file.read_text().replace(today, "2026-01-02"))
        results.changes_file(file).write_text("What changed since.")
        (bench.folder / "faults" / "a.py").unlink()
        (bench.folder / "faults" / "b.py").write_text(good + 'TUNED = "Why."\n')
        (bench.folder / "faults" / "c.py").write_text(planted([finding("top_layers", 0.2)]))
        bench.run("--only", "c", "--write", "--results", file)
        rows = results.read_csv(file)[1]
        self.assertEqual([(row["fault"], row["is_tuned"], row["is_right"], row["date"]) for row in rows],
                         [("b", True, True, "2026-01-02"), ("c", False, False, today)])
        self.assertEqual(results.measured_on(rows), f"from 2026-01-02 to {today}")
        self.assertTrue(results.changes_file(file).exists())

    def test_faults_whose_backend_module_or_program_is_missing_are_left_out(self):
        good = planted([finding("layout_reorders", 0.2)])
        done = Bench(self, backend=good.replace('"torch"', '"absent"'), module=good.replace("import json", "import json, no_such_module"),
                     program=good + 'NEEDS = ["no_such_program"]\n').run()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("left out: backend, module, program\n", done.stdout)

    def test_short_runs_alternate_and_measure_the_latency_only(self):
        bench = Bench(self, plain=planted([finding("layout_reorders", 0.2)]))
        bench.run()
        log = (bench.folder / "store" / "log").read_text().splitlines()
        self.assertEqual([line.split()[2] for line in log], ["plain-faulty", "plain-repaired", "plain-faulty-0", "plain-repaired-0",
                                                             "plain-repaired-1", "plain-faulty-1"])
        self.assertTrue(log[0].endswith("--backend torch --time-limit 3"), log[0])
        self.assertTrue(log[2].endswith("--backend torch --depth model --only --time-limit 2 --no-roofs"), log[2])

    def test_a_machine_that_other_programs_use_is_tried_again(self):
        bench = Bench(self, plain=planted([finding("interference"), finding("layout_reorders", 0.2)]))
        bench.run("--rounds", "0", "--tries", "2")
        log = (bench.folder / "store" / "log").read_text().splitlines()
        self.assertEqual([line.split()[2] for line in log], ["plain-faulty", "plain-faulty", "plain-repaired"])

    def test_waiting_for_a_core_is_left_out_where_most_calls_of_one_thread_were_disturbed(self):
        text = planted([finding("layout_reorders", 0.2)]).replace('"torch"', '"torch", "--threads", "1"').replace(
            '"latency_ns"', '"calls": {"calls": 9, "disturbed": DISTURBED, "ns": 3e6 if repaired else 5e6}, "latency_ns"')
        bench = Bench(self, much=text.replace("DISTURBED", "5"), little=text.replace("DISTURBED", "4"),
                      threads=text.replace("DISTURBED", "5").replace('"1"', '"16"'))
        rows = bench.rows()
        self.assertEqual({name: round(row["measured"], 6) for name, row in rows.items()}, {"much": 0.4, "little": 0.2, "threads": 0.2})

    def test_only_names_faults_that_exist(self):
        bench = Bench(self, one=planted([]), two=planted([]))
        self.assertNotEqual(bench.run("--only", "three").returncode, 0)
        self.assertNotIn("two", bench.run("--only", "one", "--rounds", "0").stdout)


class ResultsTest(unittest.TestCase):
    def test_a_measured_gain_is_the_median_of_the_rounds(self):
        median, smallest, largest = results.measured_gain([(10, 8), (10, 5), (20, 14)])
        self.assertAlmostEqual(median, 0.3)
        self.assertAlmostEqual(smallest, 0.2)
        self.assertAlmostEqual(largest, 0.5)
        self.assertIsNone(results.measured_gain([]))

    def test_the_interval_of_a_measured_gain_covers_nine_tenths(self):
        for rounds, left_out in ((1, 0), (5, 0), (7, 0), (8, 1), (10, 1), (11, 2), (13, 3), (15, 3)):
            median, low, high = results.measured_gain([(rounds, rounds - at) for at in range(rounds)])
            self.assertAlmostEqual(low, left_out / rounds)
            self.assertAlmostEqual(high, (rounds - 1 - left_out) / rounds)
            missed = sum(math.comb(rounds, k) for k in range(left_out + 1)) / 2 ** rounds
            self.assertTrue(2 * missed <= 0.1 or left_out == 0)

    def test_rounds_are_added_until_the_gain_is_known(self):
        asked = []

        class Planted:
            name = "planted"

            def run(self, repaired, name, short):
                asked.append(name)
                return types.SimpleNamespace(ns=(5e6 if repaired else 10e6) + (4e6 if name.endswith(("-0", "-1")) and repaired else 0),
                                             remove=lambda: None)

            def whole_ns(self, made):
                return made.ns

        with contextlib.redirect_stdout(io.StringIO()):
            median, low, high = driver.measure_gain(Planted(), 3, 20)
            self.assertEqual((median, low, high), (0.5, 0.5, 0.5))
            self.assertEqual(len(asked), 2 * 11)  # Of eleven rounds two may lie at either end.
            asked.clear()
            driver.measure_gain(Planted(), 3, 5)
            self.assertEqual(len(asked), 2 * 5)

    def test_a_gain_is_right_within_thirty_per_cent_of_the_measured_one(self):
        self.assertTrue(results.is_within(0.26, 0.2) and results.is_within(0.1401, 0.2))
        self.assertFalse(results.is_within(0.2601, 0.2) or results.is_within(0.1399, 0.2) or results.is_within(None, 0.2))
        self.assertFalse(results.is_within(0.0, -0.1))

    def test_faults_whose_repair_may_save_nothing_are_left_out_of_figures_of_their_own(self):
        rows = [{"is_tuned": False, "is_right": right, "within": within, "still_found": False, "measured_low": low}
                for right, within, low in ((True, True, 0.1), (False, None, 0.2), (False, False, -0.1), (False, False, None))]
        self.assertEqual(results.figures(rows)[-1], "of the faults whose repair saves time (interval above 0): first finding right 1 of 2 (50 %), "
                                                    "predicted gain 1 of 1 (100 %)")
        self.assertEqual(len(results.figures(rows[:2])), 3)

    def test_a_rule_that_is_found_without_a_gain_is_still_found(self):
        self.assertTrue(results.left_finding("a", [finding("a")], set())["still_found"])
        self.assertTrue(results.left_finding("a", [finding("a", 0.03)], set())["still_found"])
        self.assertFalse(results.left_finding("a", [finding("a", 0.029)], set())["still_found"])
        self.assertEqual(results.left_finding("a", [finding("b")], set())["repaired"], "other: b")

    def test_findings_about_trust_are_those_of_the_rules_that_come_first(self):
        self.assertIn("interference", experiment.rules_about_trust(ROOT / "findings"))
        self.assertNotIn("layout_reorders", experiment.rules_about_trust(ROOT / "findings"))

    def test_a_recording_is_named_before_its_program(self):
        self.assertEqual(experiment.named(["record", "--", "python3", "a.py"], "n"), ["record", "-o", "n", "--", "python3", "a.py"])
        self.assertEqual(experiment.shortened(["record", "--", "a", "--depth", "2"]), ["record", "--", "a", "--depth", "2"])


class FaultsTest(unittest.TestCase):
    def test_every_fault_loads_and_builds_both_versions(self):
        names = fault.names(BENCH / "faults")
        self.assertTrue(names)
        with tempfile.TemporaryDirectory() as folder:
            answers = fault.build_all(BENCH / "faults", folder, names)
        for name in names:
            with self.subTest(fault=name):
                for version in ("faulty", "repaired"):
                    answer = answers[name, version]
                    self.assertNotIn("error", answer)
                    if "missing" in answer:
                        self.skipTest(f"{name}: {answer['missing']}")
                    self.assertIn(answer["arguments"][0], ("run", "record"))
                    json.dumps(answer)

    def test_every_fault_names_a_rule_and_is_described(self):
        for name in fault.names(BENCH / "faults"):
            with self.subTest(fault=name):
                try:
                    module = fault.load(BENCH / "faults", name)
                except ModuleNotFoundError as error:
                    self.skipTest(f"{name}: {error}")
                self.assertTrue((ROOT / "findings" / module.RULE / "finding.yaml").exists(), module.RULE)
                if module.GAIN:
                    self.assertTrue((ROOT / "findings" / module.RULE / "gain.sql").exists(), f"{module.RULE} estimates no gain")


if __name__ == "__main__":
    # Faults are made with the frameworks of that Python.
    if os.path.abspath(sys.executable) != os.path.abspath(fault.python()) and "XSP_FAULTS_INSIDE" not in os.environ:
        os.execve(fault.python(), [fault.python(), *sys.argv], {**os.environ, "XSP_FAULTS_INSIDE": "1"})
    unittest.main()
