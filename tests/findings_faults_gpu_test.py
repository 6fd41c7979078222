#!/usr/bin/env python3
"""The benchmark of findings on a GPU (bench/findings_faults_gpu), without one: what each fault must contain, both versions of each on a CPU,
which must compute the same, and the judgement of recordings that a program in place of xsp answers for. The versions are skipped by name
where PyTorch or torchvision is missing.
"""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import python_modules

ROOT = pathlib.Path(__file__).resolve().parent.parent
BENCH = ROOT / "bench" / "findings_faults_gpu"
sys.dont_write_bytecode = True
sys.path[:0] = [str(BENCH), str(BENCH.parent / "findings_faults")]
import fault  # noqa: E402
import program  # noqa: E402
import results  # noqa: E402

spec = importlib.util.spec_from_file_location("findings_faults_gpu", BENCH / "__main__.py")
bench = importlib.util.module_from_spec(spec)
spec.loader.exec_module(bench)

NAMES = fault.names(BENCH / "faults")

# In the Python of the frameworks: the largest difference of both versions' results, relative to the largest value, by fault.
BOTH = """
import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import torch
import program, setting
torch.set_num_threads(1)
for name in sys.argv[2:]:
    try:
        module = program.load(name)
    except ModuleNotFoundError as error:
        print(json.dumps([name, "missing", str(error)]), flush=True)
        continue
    answers = []
    for repaired in (False, True):
        step = program.made(module, setting.device(), repaired)
        step()
        answers.append(step().double())
    same = getattr(module, "SAME", True)
    difference = (answers[0] - answers[1]).abs().max() / answers[0].abs().max().clamp_min(1e-30)
    print(json.dumps([name, "ran", float(difference), same, answers[0].shape == answers[1].shape, bool(answers[0].isfinite().all())]), flush=True)
"""

FAKE = """#!{python}
import json, sys
if sys.argv[3] != "findings" or sys.argv[4] not in {answers}: sys.exit("no experiment " + sys.argv[4])
print(json.dumps({{"findings": {answers}[sys.argv[4]]}}))
"""


def finding(identity, share=None, severity="notice"):
    return {"id": identity, "severity": severity, "gain_share": share,
            "gain_ns": None if share is None else [share * 5e6, share * 10e6, share * 12e6], "gain": share and {"whole_ns": 10e6}}


class Faults(unittest.TestCase):
    def test_each_names_a_rule_and_says_what_is_planted_and_how_it_is_repaired(self):
        self.assertGreaterEqual(len(NAMES), 14)
        for name in NAMES:
            with self.subTest(name):
                facts = bench.about(name)
                self.assertTrue((ROOT / "findings" / facts["RULE"] / "finding.yaml").exists(), facts["RULE"])
                self.assertEqual(facts["GAIN"], (ROOT / "findings" / facts["RULE"] / "gain.sql").exists())
                self.assertIn("Repaired: ", facts["doc"])

    def test_both_versions_compute_the_same_on_a_cpu(self):
        if python_modules.missing(fault.python(), "torch"):
            self.skipTest("PyTorch is not here")
        done = subprocess.run([fault.python(), "-c", BOTH, BENCH, *NAMES], capture_output=True, text=True, timeout=600,
                              env={**os.environ, "XSP_FAULTS_DEVICE": "cpu", "XSP_FAULTS_SMALL": "1"})
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        answers = {answer[0]: answer[1:] for answer in map(json.loads, done.stdout.splitlines())}
        self.assertEqual(sorted(answers), NAMES)
        for name, (what, *rest) in answers.items():
            with self.subTest(name):
                if what == "missing":
                    self.skipTest(f"{name}: {rest[0]}")
                difference, same, is_alike, is_finite = rest
                self.assertTrue(is_alike and is_finite)
                self.assertTrue(difference < 1e-3 or not same, difference)


class Program(unittest.TestCase):
    def test_alternates_whole_blocks_of_both_versions(self):
        calls = []
        pairs = program.alternate([lambda: calls.append("faulty"), lambda: calls.append("repaired")], lambda: None, 2, 1)
        self.assertEqual(len(pairs), 2)
        self.assertTrue(all(time > 0 for pair in pairs for time in pair))
        self.assertEqual(set(calls), {"faulty", "repaired"})

    def test_refuses_a_module_that_breaks_the_contract(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "broken.py").write_text('"""A fault."""\nRULE = "idle_device"\n')
            with self.assertRaisesRegex(ValueError, "GAIN"):
                program.load("broken", folder)
            with self.assertRaisesRegex(ValueError, "there are broken"):
                program.load("absent", folder)


class Limit(unittest.TestCase):
    def test_ends_a_program_and_its_children(self):
        usual, bench.LIMIT_S = bench.LIMIT_S, 0.5
        self.addCleanup(setattr, bench, "LIMIT_S", usual)
        begun = time.monotonic()
        missing = bench.each([("slow",), ("quick",)], None, lambda name: bench.finished(["sh", "-c", f"sleep {60 if name == 'slow' else 0} & wait"]))
        self.assertEqual(missing, ["slow"])
        self.assertLess(time.monotonic() - begun, 30)


class Judge(unittest.TestCase):
    def judge(self, answers, gains, *arguments):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            (folder / "bin").mkdir()
            (folder / "bin" / "xsp").write_text(FAKE.format(python=sys.executable, answers=answers))
            (folder / "bin" / "xsp").chmod(0o755)
            if gains is not None:
                (folder / "gains.json").write_text(json.dumps({"faults": gains, "machine": "a GPU", "date": "2026-01-02"}))
            done = subprocess.run([sys.executable, BENCH, "--judge", folder / "store", folder / "gains.json", "--write", "--results",
                                   folder / "results.csv", *arguments], capture_output=True, text=True,
                                  env={**os.environ, "XSP_BUILD": scratch})
            written = results.read_csv(folder / "results.csv") if (folder / "results.csv").exists() else None
        return done, written

    def test_compares_findings_with_what_was_measured(self):
        done, (comments, rows) = self.judge(
            {"batch_of_one-faulty": [finding("busy_gpus", severity="info"), finding("idle_device", 0.5)], "batch_of_one-repaired": [],
             "written_attention-faulty": [finding("idle_device", 0.2), finding("unfused_attention", 0.1)],
             "written_attention-repaired": [finding("unfused_attention", 0.2)]},
            {"batch_of_one": {"median": 0.6, "low": 0.5, "high": 0.7}, "written_attention": {"median": 0.4, "low": 0.3, "high": 0.5}},
            "--only", "batch_of_one,written_attention")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        first, second = rows
        self.assertEqual((comments["machine"], first["date"]), ("a GPU", "2026-01-02"))
        self.assertEqual((first["is_right"], first["predicted"], first["measured"], first["within"], first["still_found"]),
                         (True, 0.5, 0.6, True, False))
        self.assertEqual((second["top"], second["is_right"], second["within"], second["still_found"]), ("idle_device", False, False, True))
        self.assertIn("first finding right: 1 of 2 (50 %)", done.stdout)

    def test_names_what_was_not_recorded_and_judges_the_others(self):
        done, (_, rows) = self.judge({"batch_of_one-faulty": [], "batch_of_one-repaired": []}, {}, "--only", "batch_of_one,written_attention")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no experiment written_attention-faulty", done.stdout)
        self.assertEqual([(row["fault"], row["measured"], row["within"]) for row in rows], [("batch_of_one", None, None)])

    def test_says_what_is_wrong_with_its_arguments(self):
        done, _ = self.judge({}, None)
        self.assertIn("is not what --gain writes", done.stderr)
        done, _ = self.judge({}, {}, "--only", "no_such")
        self.assertIn("no such fault: no_such; there are active_dropout", done.stderr)


if __name__ == "__main__":
    unittest.main()
