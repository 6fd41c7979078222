#!/usr/bin/env python3
"""Counts the cases of a test run and groups what was skipped by reason.

Usage: tools/test_summary.py STAGE JUNIT_FILE
JUNIT_FILE is what `ctest --output-junit` wrote. Prints, each on a line:
  counts STAGE PROGRAMS PASSED FAILED SKIPPED SECONDS
  skipped STAGE: N tests of PROGRAM, ...: REASON
  failed STAGE: PROGRAM: CASE
  slowest STAGE: PROGRAM N s, ...
A program that fails without naming a failed case (it crashed, or ran out of time) counts as one failed case.
Example: tools/test_summary.py release build/release/tests.xml
"""
import collections
import pathlib
import re
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHOWN_AS_SLOWEST = 12
# unittest writes what a test prints between its name and its result.
SKIPPED_CASE = re.compile(r"\.\.\. (?:.*\n)??skipped ['\"](.*)['\"]$", re.M)


class Program:
    """What one test program printed: numbers of cases, names of failed ones, {reason: skipped cases}."""

    def __init__(self, case):
        self.name = case.get("name")
        self.seconds = float(case.get("time") or 0)
        self.failed_cases, self.reasons = [], collections.Counter()
        self.passed = self.failed = self.skipped = 0
        output = case.findtext("system-out") or ""
        status = case.get("status")
        if "[==========]" in output:
            self.read_googletest(output)
        elif re.search(r"^Ran \d+ tests? in ", output, re.M):
            self.read_unittest(output)
        elif case.find("skipped") is not None or status == "notrun":
            reason = re.search(r"^skipped: (.*)", output, re.M)
            self.skipped = 1
            self.reasons[reason[1] if reason else "no reason given"] += 1
        elif status == "run":
            self.passed = 1
        if case.find("failure") is not None or status == "fail" or (status == "notrun" and "skipped:" not in output):
            # Not every failure has a name: a crash, a leak found at the end, a test program that was never built.
            self.failed_cases = self.failed_cases or ["(the whole program: crashed, timed out or could not be started)"]
            self.failed = len(self.failed_cases)
            if status == "notrun":
                self.skipped = 0
                self.reasons.clear()
        else:
            self.failed_cases = []

    def read_googletest(self, output):
        found = re.search(r"^\[  PASSED  \] (\d+) test", output, re.M)
        self.passed = int(found[1]) if found else len(re.findall(r"^\[       OK \]", output, re.M))
        # A failed case is written twice, when it ends and in the list at the end.
        self.failed_cases = sorted(set(re.findall(r"^\[  FAILED  \] (\S+\.[^\s,]+)", output, re.M)))
        for count, reason in re.findall(r"^skipped: (\d+) tests?: (.*)$", output, re.M):
            self.reasons[reason] += int(count)
        self.skipped = sum(self.reasons.values())

    def read_unittest(self, output):
        ran = int(re.findall(r"^Ran (\d+) tests? in ", output, re.M)[-1])
        self.failed_cases = re.findall(r"^(?:FAIL|ERROR): (.*)$", output, re.M)
        for reason in SKIPPED_CASE.findall(output):
            self.reasons[reason] += 1
        told = re.findall(r"skipped=(\d+)", output)
        self.skipped = int(told[-1]) if told else 0
        if self.skipped > sum(self.reasons.values()):
            self.reasons["no reason given"] += self.skipped - sum(self.reasons.values())
        self.passed = max(0, ran - self.skipped - len(set(self.failed_cases)))


def short(reason):
    """Without what differs from one checkout to the next."""
    return reason.replace(f"{ROOT}/", "").strip()


def main(stage, junit):
    programs = [Program(case) for case in xml.etree.ElementTree.parse(junit).getroot().iter("testcase")]
    by_reason = collections.defaultdict(collections.Counter)
    for program in programs:
        for reason, count in program.reasons.items():
            by_reason[short(reason)][program.name] += count
    print("counts", stage, len(programs), sum(p.passed for p in programs), sum(p.failed for p in programs),
          sum(p.skipped for p in programs), round(sum(p.seconds for p in programs)))
    for reason, where in sorted(by_reason.items()):
        count = sum(where.values())
        print(f"skipped {stage}: {count} test{'s' * (count != 1)} of {', '.join(sorted(where))}: {reason}")
    for program in programs:
        for case in program.failed_cases:
            print(f"failed {stage}: {program.name}: {case}")
    slowest = sorted(programs, key=lambda program: -program.seconds)[:SHOWN_AS_SLOWEST]
    print(f"slowest {stage}:", ", ".join(f"{program.name} {program.seconds:.0f} s" for program in slowest))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
