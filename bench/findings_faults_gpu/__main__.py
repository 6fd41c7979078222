#!/usr/bin/env python3
"""How often `xsp findings` is right about programs on a GPU: bench/findings_faults with faults of its own, in three stages.

  --record STORE      records both versions of each fault with `xsp record`, as NAME-faulty and NAME-repaired; prints the seconds of each
  --gain FILE         runs both versions by turns in one process for each fault and writes FILE (JSON): the pairs of step times, and the gain
                      1 - repaired/faulty of each fault, the median over the pairs, with its 90 % interval by the sign test
  --judge STORE FILE  asks `xsp findings` for what was recorded and compares it with FILE: is RULE first among the findings that are not
                      informative and not about trust in the numbers, is its gain within 30 % of the measured one, does the repaired version
                      still have the finding. Needs no GPU. Prints a table and three figures; --write stores them in results.csv, from which
                      tools/generate writes a section of docs/findings.md

A fault that fails is named, the others go on, and the exit status is 1. The program is $XSP_BUILD/bin/xsp (default: build/release), the
Python of the faults $XSP_PYTHON (default: .deps/python, else the one that runs this). For a CPU: XSP_FAULTS_DEVICE=cpu XSP_FAULTS_SMALL=1.

Usage: python3 bench/findings_faults_gpu --record STORE | --gain FILE | --judge STORE FILE [--write] | --list
       [--only NAME,...] [--within SECONDS]
Example: python3 bench/findings_faults_gpu --record store --within 400
Example: python3 bench/findings_faults_gpu --gain gains.json --only written_attention
Example: python3 bench/findings_faults_gpu --judge store gains.json --write
"""
import argparse
import ast
import datetime
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.append(str(HERE.parent / "findings_faults"))
import experiment  # noqa: E402
import fault  # noqa: E402
import results  # noqa: E402

# Of one process.
LIMIT_S = 60
# A program whose kernels are measured runs twice, the second time with each kernel replayed.
METRICS_STEPS = ["--warm-up", "1", "--steps", "3"]
VERSIONS = ("faulty", "repaired")


def about(name, folder=HERE / "faults"):
    """The constants of a fault and its docstring, without running it: what judges needs no PyTorch."""
    tree = ast.parse((folder / f"{name}.py").read_text())
    values = {node.targets[0].id: node.value.value for node in tree.body if isinstance(node, ast.Assign)
              and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Constant)}
    return {"doc": " ".join((ast.get_docstring(tree) or "").split()), **values}


def program_of(name, *arguments):
    return [fault.python(), str(HERE / "program.py"), name, *arguments]


def finished(command, environment=None):
    """What the command wrote; experiment.Failure if it failed or ran past the limit."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True)
    try:
        out, err = process.communicate(timeout=LIMIT_S)
    except subprocess.TimeoutExpired as error:
        # xsp and the program that it records, which would keep the device and the pipes.
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise experiment.Failure(f"not done after {LIMIT_S} s") from error
    if process.returncode != 0:
        raise experiment.Failure(f"status {process.returncode}: {err.strip()[-1500:]}")
    return out


def each(jobs, within, work):
    """Calls work(*job) of each; returns the names of jobs that failed or were not begun in time."""
    start, missing = time.monotonic(), []
    for job in jobs:
        label = "-".join(job)
        begun = time.monotonic()
        if within is not None and begun - start >= within:
            missing.append(label)
            continue
        try:
            work(*job)
            print(f"{label}: {time.monotonic() - begun:.1f} s", flush=True)
        except (experiment.Failure, OSError, ValueError) as error:
            missing.append(label)
            print(f"{label}: FAILED after {time.monotonic() - begun:.1f} s: {error}", flush=True)
    if missing:
        print(f"failed, or not begun within the time: {', '.join(missing)}")
    return missing


def record(arguments, names):
    xsp = experiment.Xsp(arguments.record, ROOT)

    def one(name, version):
        metrics = about(name).get("METRICS")
        finished([str(xsp.program), "--store", xsp.store, "record", "-o", f"{name}-{version}",
                  *(["--cuda-metrics", metrics] if metrics else []), "--",
                  *program_of(name, version, *(METRICS_STEPS if metrics else []))], xsp.environment)
    return each([(name, version) for name in names for version in VERSIONS], arguments.within, one)


def measure(arguments, names):
    path = arguments.gain
    known = json.loads(path.read_text()) if path.exists() else {"faults": {}}

    def one(name):
        answer = json.loads(finished(program_of(name, "gain")).splitlines()[-1])
        median, low, high = results.measured_gain(answer["pairs"])
        known["faults"][name] = {"pairs": answer["pairs"], "median": median, "low": low, "high": high}
        known.update(date=datetime.date.today().isoformat(), machine=f"{answer['device']}, PyTorch {answer['torch']}")
        # After each, so that a stop loses only the one that runs.
        path.write_text(json.dumps(known, indent=1) + "\n")
        print(f"  {results.percent(median)} ({100 * low:.1f} to {100 * high:.1f})", flush=True)
    return each([(name,) for name in names], arguments.within, one)


def findings_of(xsp, name):
    return json.loads(xsp.call(["findings", name, "--format", "json"]))["findings"]


def row_of(name, xsp, gains, date, trusted):
    """The row of a fault; experiment.Failure where a version was not recorded."""
    facts = about(name)
    rule, has_gain = facts["RULE"], facts["GAIN"]
    found, left = (findings_of(xsp, f"{name}-{version}") for version in VERSIONS)
    row = {"fault": name, "rule": rule, "is_tuned": "TUNED" in facts, "has_gain": has_gain, **results.first_finding(rule, found, trusted),
           "busy": "interference" in [one["id"] for one in found]}
    # Of the whole that the finding itself states: a step, or the time of the loop.
    shares = results.predicted_gain(rule, found, lambda: None) if has_gain else None
    row.update(zip(("predicted", "predicted_low", "predicted_high"), shares or (None,) * 3))
    row.update(results.left_finding(rule, left, trusted))
    measured = gains.get(name)
    row.update(zip(("measured", "measured_low", "measured_high"),
                   (measured[key] for key in ("median", "low", "high")) if measured else (None,) * 3))
    row["within"] = results.is_within(row["predicted"], row["measured"]) if has_gain else None
    row["date"] = date
    return row


def judge(arguments, names):
    store, file = arguments.judge
    try:
        measured = json.loads(pathlib.Path(file).read_text())
        gains, machine, date = measured["faults"], measured["machine"], measured["date"]
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"{file} is not what --gain writes: {error}")
    xsp, trusted, rows = experiment.Xsp(store, ROOT), experiment.rules_about_trust(ROOT / "findings"), []
    missing = each([(name,) for name in names], None, lambda name: rows.append(row_of(name, xsp, gains, date, trusted)))
    print()
    print("\n".join(results.table(rows)))
    print("\n".join(results.figures(rows)))
    if arguments.write and rows:
        command = "python3 bench/findings_faults_gpu --judge store gains.json" + (f" --only {arguments.only}" if arguments.only else "")
        results.write_csv(arguments.results, rows, {"machine": machine, "command": command})
        print(f"written: {arguments.results}")
    return missing


def wanted_faults(only):
    names = fault.names(HERE / "faults")
    wanted = names if only is None else only.split(",")
    if unknown := sorted(set(wanted) - set(names)):
        sys.exit(f"no such fault: {', '.join(unknown)}; there are {', '.join(names)}")
    return wanted


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    stage = parser.add_mutually_exclusive_group(required=True)
    stage.add_argument("--record", metavar="STORE", help="folder of the experiments")
    stage.add_argument("--gain", metavar="FILE", type=pathlib.Path, help="file of the measured gains; what it has of other faults stays")
    stage.add_argument("--judge", nargs=2, metavar=("STORE", "FILE"))
    stage.add_argument("--list", action="store_true", help="names the faults, runs nothing")
    parser.add_argument("--only", metavar="NAME,...")
    parser.add_argument("--within", type=float, metavar="SECONDS", help="begin no other program after so long")
    parser.add_argument("--write", action="store_true", help="of --judge: write the results to --results")
    parser.add_argument("--results", type=pathlib.Path, default=HERE / "results.csv")
    return parser.parse_args()


def main():
    arguments = parse()
    names = wanted_faults(arguments.only)
    if arguments.list:
        for name in names:
            facts = about(name)
            print(f"{name:30} {facts['RULE']:30} {facts['doc']}")
        return 0
    stage = record if arguments.record else measure if arguments.gain else judge
    return 1 if stage(arguments, names) else 0


if __name__ == "__main__":
    sys.exit(main())
