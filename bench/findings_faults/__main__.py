#!/usr/bin/env python3
"""How often `xsp findings` is right: known faults are planted, and what it says is compared with what their repair saves.

For each module in bench/findings_faults/faults/ (fault.py states what it contains) it runs the faulty program and asks `xsp findings` for the
first finding and its gain, runs the repaired program and asks whether the finding is gone, then alternates short runs of both: the measured
gain is 1 - repaired/faulty, the median over the rounds with its 90 % interval by the sign test. Rounds are added until that is within 15 % of the
gain to either side, whatever was predicted, or until --most-rounds are done.

A fault is right ("top 1") if the first finding that is not informative and not about trust in the numbers is the module's RULE. A predicted
gain is right if its expected value differs from the measured gain by at most 30 % of the measured one. A repaired version has the finding if
the rule still holds with a gain that is not known, or of 3 % or more.

Prints a table and three figures: top-1 share, share of the faults with a gain whose gain is right, repaired versions with the finding. Each
is also printed without the faults that say of themselves that they, or the gain of their rule, were changed after a first measurement; the
first two also of the faults whose interval lies above 0, for the others may be none on this machine.
--write stores each result in bench/findings_faults/results.csv as soon as it is known, with its date, in the place of what the file has of the
same fault; tools/generate writes a section of docs/findings.md from it. Missed targets do not change the exit status; it is 1 where a fault
failed. A fault whose backend or tool is missing is named and left out. The program is $XSP_BUILD/bin/xsp (default: build/release) with the
rules of this source tree, models are built by $XSP_PYTHON (default: .deps/python).

Usage: python3 bench/findings_faults [--only NAME,...] [--rounds N] [--most-rounds N] [--store DIR] [--faults DIR] [--tries N] [--list] [--write]
Example: python3 bench/findings_faults --only layout_reorders --rounds 3
Example: python3 bench/findings_faults --write
"""
import argparse
import datetime
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import traceback

sys.dont_write_bytecode = True
import experiment  # noqa: E402
import fault  # noqa: E402
import results  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def measure_gain(planted, rounds, most_rounds):
    """(gain, low, high) of short runs of both versions by turns; nothing without rounds."""
    times = []
    while len(times) < rounds or (0 < rounds <= len(times) < most_rounds and not results.is_known(results.measured_gain(times))):
        number = len(times)
        pair = {}
        for repaired in (False, True) if number % 2 == 0 else (True, False):
            version = "repaired" if repaired else "faulty"
            made = planted.run(repaired, f"{planted.name}-{version}-{number}", short=True)
            pair[repaired] = planted.whole_ns(made)
            made.remove()
        times.append((pair[False], pair[True]))
        print(f"  round {number + 1}: {times[-1][0] / 1e6:.3g} ms faulty, {times[-1][1] / 1e6:.3g} ms repaired", flush=True)
    return results.measured_gain(times)


def run_quietly(planted, repaired, tries):
    """The experiment of a version, again where other programs took most of the time (the machine is not this benchmark's alone)."""
    name = f"{planted.name}-{'repaired' if repaired else 'faulty'}"
    for number in range(tries):
        made = planted.run(repaired, name)
        found = made.findings()
        if planted.RULE == "interference" or "interference" not in [one["id"] for one in found] or number + 1 == tries:
            return made, found
        print(f"  {name}: other programs took most of the time; once more", flush=True)
        made.remove()


def examine(planted, arguments, trusted):
    """The row of one fault."""
    faulty, found = run_quietly(planted, False, arguments.tries)
    row = {"fault": planted.name, "rule": planted.RULE, "is_tuned": planted.is_tuned, "has_gain": planted.GAIN,
           **results.first_finding(planted.RULE, found, trusted)}
    row["busy"] = "interference" in [one["id"] for one in found]
    shares = results.predicted_gain(planted.RULE, found, lambda: planted.gain_whole_ns(faulty)) if planted.GAIN else None
    row.update(zip(("predicted", "predicted_low", "predicted_high"), shares or (None,) * 3))
    print(f"  first: {row['top'] or 'nothing'}; expected: {planted.RULE}, predicted gain {results.percent(row['predicted'])}", flush=True)
    _, left = run_quietly(planted, True, arguments.tries)
    row.update(results.left_finding(planted.RULE, left, trusted))
    print(f"  repaired: {row['repaired']}", flush=True)
    row.update(zip(("measured", "measured_low", "measured_high"), measure_gain(planted, arguments.rounds, arguments.most_rounds) or (None,) * 3))
    row["within"] = results.is_within(row["predicted"], row["measured"]) if planted.GAIN else None
    row["date"] = datetime.date.today().isoformat()
    return row


def machine():
    cpus = [line.split(":")[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    return f"{cpus[0] if cpus else platform.machine()}, {os.cpu_count()} CPUs, {platform.system()} {platform.release()}"


def write(rows, arguments):
    """All results so far, with those that the file has of other faults."""
    path, names = arguments.results, fault.names(arguments.faults)
    is_tuned = {name: fault.says_tuned(arguments.faults, name) for name in names}
    old = results.read_csv(path)[0] if path.exists() else {}
    machines = [*dict.fromkeys([*old.get("machine", machine()).split("; "), machine()])]
    command = f"python3 bench/findings_faults --rounds {arguments.rounds} --write"
    comments = {**old, "machine": "; ".join(machines), "command": command}
    results.write_csv(path, results.merged(path, rows, is_tuned), comments)


def wanted_faults(arguments):
    names = fault.names(arguments.faults)
    if arguments.only is None:
        return names
    wanted = arguments.only.split(",")
    if unknown := sorted(set(wanted) - set(names)):
        sys.exit(f"no such fault: {', '.join(unknown)}; there are {', '.join(names)}")
    return wanted


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="NAME,...")
    parser.add_argument("--rounds", type=int, default=5, help="pairs of short runs that measure the gain; 0: none (default: 5)")
    parser.add_argument("--most-rounds", type=int, default=15, help="where the gain is not yet known to 15 %% of itself (default: 15)")
    parser.add_argument("--store", help="folder of the experiments, kept (default: a temporary one)")
    parser.add_argument("--faults", type=pathlib.Path, default=HERE / "faults", help="folder of the modules")
    parser.add_argument("--tries", type=int, default=3, help="runs of a version until other programs do not take most of the time (default: 3)")
    parser.add_argument("--list", action="store_true", help="names the faults, runs nothing")
    parser.add_argument("--write", action="store_true", help="write the results to --results")
    parser.add_argument("--results", type=pathlib.Path, default=HERE / "results.csv")
    return parser.parse_args()


def main():
    arguments = parse()
    names = wanted_faults(arguments)
    if arguments.list:
        for name in names:
            planted = fault.load(arguments.faults, name)
            print(f"{name:30} {planted.RULE:30} {' '.join((planted.__doc__ or '').split())}")
        return 0
    rows, left_out, failed = [], [], []
    trusted = experiment.rules_about_trust(ROOT / "findings")
    with tempfile.TemporaryDirectory(prefix="xsp-findings-faults-") as scratch:
        xsp = experiment.Xsp(arguments.store or f"{scratch}/store", ROOT)
        for number, name in enumerate(names):
            print(f"{name} ({number + 1} of {len(names)})", flush=True)
            try:
                planted = fault.Planted(arguments.faults, name, pathlib.Path(scratch) / name, xsp)
                rows.append(examine(planted, arguments, trusted))
                if arguments.write:
                    write(rows, arguments)
            except fault.Missing as missing:
                left_out.append(name)
                print(f"  left out: {missing}", flush=True)
            except Exception as error:  # One fault's failure must not take the others' results.
                failed.append(name)
                detail = error if isinstance(error, experiment.Failure) else traceback.format_exc()
                print(f"  FAILED: {detail}", flush=True)
    print()
    print("\n".join(results.table(rows)))
    print("\n".join(results.figures(rows)))
    if any(row["is_tuned"] for row in rows):
        print(results.TUNED)
    for what, which in (("left out", left_out), ("FAILED", failed)):
        if which:
            print(f"{what}: {', '.join(which)}")
    if arguments.write and rows:
        print(f"written: {arguments.results}")
    return 1 if failed else 0


if __name__ == "__main__":
    python = fault.python()
    if os.path.abspath(sys.executable) != os.path.abspath(python) and not os.environ.get("XSP_FAULTS_INSIDE"):
        os.execve(python, [python, *sys.argv], {**os.environ, "XSP_FAULTS_INSIDE": "1"})
    sys.exit(main())
