#!/usr/bin/env python3
"""What tools/gpu_check makes of its steps: the result of each, whether it passed, and OUT/results.json and OUT/results.md over all
commands that wrote into OUT. Usage: gpu_check_results.py note STEP STATUS SECONDS LIMIT OUTPUT, overhead TIMES,
worker KERNELS DIAGNOSTICS, import WAYS IMPORT STEP, or write STEPS OUT (tools/gpu_check says what each file is)."""
import json
import pathlib
import statistics
import sys

# Something was not recorded, or not as it should be (docs/cuda.md, Diagnostics). What else the recording says is normal: work
# that had not finished at the end has no time (cuda_untimed), and waits of contexts that are not known no place (cuda_placeless).
FAILURES = {"cuda_activity_refused", "cuda_dropped_records", "cuda_cut_records", "cuda_subscribe_failed", "cuda_no_driver",
            "cuda_no_cupti", "cuda_no_graph_nodes", "cuda_no_thread", "cuda_other_profiler", "cuda_cupti_unfit", "cuda_thread_numbers",
            "cuda_end_too_slow", "xsp_recording_dropped"}
LEAST_TIED = 0.99
MOST_WHOLE = 0.05
WITHOUT_LAYERS = ("program", "kept")


def problems_of(diagnostics):
    wrong = sorted(FAILURES & diagnostics.keys())
    return ["CUPTI had trouble: " + ", ".join(wrong)] if wrong else []


def share_of(rows, total, is_meant):
    return sum(row["ns"] or 0 for row in rows if is_meant(row)) / total if total else None


def judge_import(ways, diagnostics, step):
    """The result of an import and what is wrong with it. A way is the kernels that were placed alike: `tied` to a layer or not, and
    `whole` where that layer is a graph's replay as a whole."""
    total = sum(row["ns"] or 0 for row in ways)
    tied = share_of(ways, total, lambda row: row["tied"])
    whole = share_of(ways, total, lambda row: row["whole"])
    result = {"kernels": sum(row["kernels"] for row in ways), "tied_share": tied, "tied_to_whole_replays_share": whole, "ways": ways,
              "diagnostics": diagnostics}
    if not total:
        return result, ["no kernels were recorded"] + problems_of(diagnostics)
    problems = problems_of(diagnostics)
    if step not in WITHOUT_LAYERS and tied < LEAST_TIED:
        problems.append(f"kernel time tied to layers is below 99 %: {100 * tied:.2f} %")
    if whole > MOST_WHOLE:
        problems.append(f"kernel time tied to no more than a replay as a whole is above 5 %: {100 * whole:.2f} %")
    return result, problems


def judge_worker(row, diagnostics):
    tied = (row["tied_ns"] or 0) / row["ns"] if row["ns"] else None
    result = {"kernels": row["kernels"], "kernel_ns_a_call": row["ns"], "tied_share": tied, "diagnostics": diagnostics}
    problems = problems_of(diagnostics)
    if tied is None or tied < LEAST_TIED:
        problems.append("the worker's kernels were not all recorded and tied to layers")
    return result, problems


def counts_of(entries):
    return {entry["name"]: entry["count"] for entry in entries}


def tell(result, problems):
    """Prints the result, and beside it what was reported and is no failure."""
    print(json.dumps(result))
    for name, count in sorted(result["diagnostics"].items()):
        if name not in FAILURES:
            print(f"said, and no failure: {name} ({count})", file=sys.stderr)
    if problems:
        sys.exit("; ".join(problems))


def overhead(path):
    times = {"bare": [], "recorded": [], "torch.profiler": []}
    for line in open(path):
        kind, text = line.split(" ", 1)
        times[kind].append(json.loads(text)["median_ns"])
    bare, recorded, profiler = (statistics.median(times[kind]) for kind in times)
    print(json.dumps({"bare_ns": bare, "recorded_ns": recorded, "torch_profiler_ns": profiler, "overhead": recorded / bare - 1,
                      "torch_profiler_overhead": profiler / bare - 1, "rounds": len(times["bare"])}))


def note(step, status, seconds, limit, output):
    """A line for OUT/steps.jsonl. What the step printed last, if that is JSON, is its result."""
    lines = pathlib.Path(output).read_text(errors="replace").strip().splitlines()
    try:
        result = json.loads(lines[-1])
    except (IndexError, ValueError):
        result = None
    entry = {"step": step, "status": int(status), "seconds": int(seconds), "result": result}
    if entry["status"] in (124, 137) and entry["seconds"] >= int(limit):
        entry["why"] = f"past its limit of {limit} s"
    print(json.dumps(entry))


def write(path, out):
    steps = {}
    for line in open(path):
        entry = json.loads(line)
        steps[entry["step"]] = entry  # The last time counts.
    (out / "results.json").write_text(json.dumps(list(steps.values()), indent=1) + "\n")
    rows = ["| step | | seconds | result |", "| --- | --- | --- | --- |"]
    for entry in steps.values():
        result = json.dumps(entry["result"]) if entry["result"] is not None else ""
        state = "ok" if entry["status"] == 0 else f"failed: {entry.get('why', entry['status'])}"
        rows.append(f"| {entry['step']} | {state} | {entry['seconds']} | {result} |")
    (out / "results.md").write_text("\n".join(rows) + "\n")
    passed = sum(entry["status"] == 0 for entry in steps.values())
    print(f"{passed} of the {len(steps)} steps run so far passed: {out / 'results.md'}", file=sys.stderr)


def main():
    what, *arguments = sys.argv[1:]
    if what == "note":
        note(*arguments)
    elif what == "overhead":
        overhead(*arguments)
    elif what == "worker":
        (row,), entries = (json.load(open(path)) for path in arguments)
        tell(*judge_worker(row, counts_of(entries)))
    elif what == "import":
        ways, document = (json.load(open(path)) for path in arguments[:2])
        tell(*judge_import(ways, counts_of(document["diagnostics"]), arguments[2]))
    elif what == "write":
        write(arguments[0], pathlib.Path(arguments[1]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
