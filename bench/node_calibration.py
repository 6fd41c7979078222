#!/usr/bin/env python3
"""How often `xsp compare` is right about modules and operators of two experiments.

Each trial is two `xsp run` of --processes processes and one `xsp compare`; with --alternate one `xsp run --against`, whose processes alternate.
The model has six modules of 100 operators each; in the second experiment one of them, drawn anew, has 3, 5 or 10 operators more: its time is
longer by that share, and nothing else is. A/A trials run the same file twice. For each size it prints

  whole       trials in which the whole is called faster or slower
  false       trials in which a node is called faster or slower that did not change: the module that did and what lies in it are left out
  found       trials in which the module that changed is called slower
  inconclusive  trials in which that module, or (A/A) any node, is called inconclusive, mostly because the machine was busy
  SD          standard deviation of the level of a module from process to process, median over modules and trials, from the intervals of
              the A/A trials: of its times, and relative to the rest of the model

`xsp compare` calls nothing faster between two experiments if the machine was busy during one of them. --ignore-busy takes that mark from the
experiments before they are compared, to show what the rule prevents. Nothing is gated by time; the exit status is 1 where more A/A trials
have a false node, or a whole that is called different, than --most allows.

Usage: python3 bench/node_calibration.py [--backend onnxruntime|torch] [--planted 0,3,5,10] [--trials N | --all-pairs N] [--processes N] [--loads N]
                                         [--iterations N] [--alternate] [--busy N] [--ignore-busy] [--seed N] [--folder DIR] [--format table|json]
Example: python3 bench/node_calibration.py --trials 200 --planted 0
Example: python3 bench/node_calibration.py --alternate --trials 20 --processes 20 --only
"""
import argparse
import json
import math
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release")) / "bin"
PYTHON = os.environ.get("XSP_PYTHON", sys.executable)
MODULES, OPERATORS, ROWS, COLUMNS = 6, 100, 64, 64

MAKE_TORCH = f"""
import sys, torch
class Part(torch.nn.Module):
    def __init__(self, operators, kind):
        super().__init__()
        self.operators, self.kind = operators, kind
        self.weight = torch.nn.Parameter(torch.randn({COLUMNS}, {COLUMNS}) * 0.1)
    def forward(self, x):
        for _ in range(self.operators):
            x = [torch.tanh, lambda x: x @ self.weight, torch.sigmoid][self.kind](x)
        return x
counts = [int(text) for text in sys.argv[2:]]
torch.manual_seed(1)
model = torch.nn.Sequential(*[Part(count, i % 3) for i, count in enumerate(counts)]).eval()
with torch.no_grad():
    torch.jit.trace(model, torch.randn({ROWS}, {COLUMNS})).save(sys.argv[1])
"""

MAKE_ONNX = f"""
import sys, numpy, onnx
from onnx import helper, numpy_helper
weight = numpy_helper.from_array(numpy.random.default_rng(1).normal(0, 0.1, ({COLUMNS}, {COLUMNS})).astype("float32"), "weight")
nodes, last = [], "x"
for module, count in enumerate(int(text) for text in sys.argv[2:]):
    kind = ["Tanh", "MatMul", "Sigmoid"][module % 3]
    for i in range(count):
        name = f"/part{{module}}/{{kind}}_{{i}}"
        nodes.append(helper.make_node(kind, [last] + (["weight"] if kind == "MatMul" else []), [name], name=name))
        last = name
value = lambda name: helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [{ROWS}, {COLUMNS}])
graph = helper.make_graph(nodes, "parts", [value("x")], [value(last)], [weight])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), sys.argv[1])
"""

MAKERS = {"torch": (MAKE_TORCH, "pt"), "onnxruntime": (MAKE_ONNX, "onnx")}


def make_model(arguments, folder, module, percent):
    script, suffix = MAKERS[arguments.backend]
    path = folder / f"parts-{module}-{percent}.{suffix}"
    if not path.exists():
        counts = [OPERATORS + (percent * OPERATORS // 100 if i == module else 0) for i in range(MODULES)]
        subprocess.run([PYTHON, "-W", "ignore", "-c", script, path, *map(str, counts)], check=True, stderr=subprocess.DEVNULL)
    return path


def measure(arguments, folder, model, name, against=None):
    # ONNX Runtime's graph names the modules; of a TorchScript file the details pass does.
    depth = ["--depth", "layer"] + (["--only"] if arguments.backend == "onnxruntime" and arguments.only else [])
    subprocess.run([BIN / "xsp", "--store", folder / "store", "run", model, "--backend", arguments.backend, "--processes", str(arguments.processes),
                    "--loads", str(arguments.loads), "--iterations", str(arguments.iterations), "--threads", "1", "--input", f"{ROWS}x{COLUMNS}", "--monitor-rate", "0", "--no-roofs",
                    "--name", name, *(["--against", against] if against else []), *depth], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    was_busy = False
    for path in (folder / "store" / name).glob("*/run.json"):
        run = json.loads(path.read_text())
        was_busy |= bool(run.get("disturbance", {}).get("busy"))
        if arguments.ignore_busy and run.get("disturbance", {}).get("busy"):
            run["disturbance"]["busy"] = False
            path.write_text(json.dumps(run))
    return was_busy


def modules_of(rows):
    """The modules by their number; a framework may have put one more around them."""
    modules = [row for row in rows if row["kind"] == "module" and row["path"].split("/")[-1].removeprefix("part").isdigit()]
    return {int(row["path"].split("/")[-1].removeprefix("part")): row for row in modules}


def compare(folder, base, other, module):
    done = subprocess.run([BIN / "xsp", "--store", folder / "store", "compare", base, other, "--format", "json"], check=True, capture_output=True)
    document = json.loads(done.stdout)
    rows, modules = document["rows"], modules_of(document["rows"])
    if len(modules) != MODULES:
        sys.exit(f"modules are not in the comparison: {sorted(modules)}")
    changed = modules[module]["path"] if module is not None else None

    def belongs(row):
        # What encloses the changed module changed, too; so did the time between layers, of which there are more.
        path = row["path"] + "/"
        return changed is not None and (path.startswith(changed + "/") or (changed + "/").startswith(path) or row["kind"] == "between")

    claimed = [row for row in rows if row["verdict"] in ("faster", "slower")]
    concerned = rows if module is None else [modules[module]]
    return {"whole": document["verdict"], "false": [row["path"] for row in claimed if not belongs(row)],
            "found": module is not None and modules[module]["verdict"] == "slower",
            "inconclusive": any(row["verdict"] == "inconclusive" for row in concerned),
            "modules": [{key: row.get(key) for key in ("ratio", "low", "high", "relative")} for row in modules.values()]}


def measure_changed(arguments, folder, percent, name, against=None):
    """An experiment of a model that is slower by `percent` in a module that is drawn: the module, and whether the machine was busy."""
    module = random.randrange(MODULES) if percent else None
    model = make_model(arguments, folder, module or 0, percent)
    return module, measure(arguments, folder, model, name, against)


def drop(folder, name):
    shutil.rmtree(folder / "store" / name)


def independent_trials(arguments, folder, percent):
    for _ in range(arguments.trials):
        _, was_busy = measure_changed(arguments, folder, 0, "before")
        module, is_busy = measure_changed(arguments, folder, percent, "after")
        yield dict(compare(folder, "before", "after", module), busy=was_busy or is_busy)
        drop(folder, "before")
        drop(folder, "after")


def alternating_trials(arguments, folder, percent):
    for _ in range(arguments.trials):
        module, is_busy = measure_changed(arguments, folder, percent, "after", make_model(arguments, folder, 0, 0))
        yield dict(compare(folder, "after-against", "after", module), busy=is_busy)
        drop(folder, "after-against")
        drop(folder, "after")


def shown(arguments, percent, trials):
    """The same trials, each with a line about it."""
    for number, trial in enumerate(trials, 1):
        deviation = deviations([trial], arguments.processes, "relative")
        print(f"trial {number} of {arguments.trials}, +{percent} %: {'found' if trial['found'] else 'missed' if percent else 'equal'}, "
              f"{len(trial['false'])} false" + (f", SD relative {100 * deviation:.2f} %" if deviation else ""), file=sys.stderr, flush=True)
        yield trial


def all_pairs(arguments, folder):
    """Of --all-pairs experiments of each size, measured in turns: each of the unchanged model with each later one and each changed one."""
    made = []
    for number in range(arguments.all_pairs):
        for percent in map(int, arguments.planted.split(",")):
            name = f"e{number}-{percent}"
            made.append((percent, name, *measure_changed(arguments, folder, percent, name)))
            print(f"measured {name}", file=sys.stderr, flush=True)
    trials = {percent: [] for percent, *_ in made}
    for base in range(len(made)):
        for other in range(len(made)):
            percent, name, module, is_busy = made[other]
            if made[base][0] == 0 and base != other and (percent or other > base):
                trials[percent].append(dict(compare(folder, made[base][1], name, module), busy=made[base][3] or is_busy))
    return trials


def deviations(trials, processes, key):
    """Of a module's level from process to process: what the width of its interval rests on (Welch, equal sides)."""
    degrees = 2 * processes - 2
    quantile = statistics.NormalDist().inv_cdf(0.975)
    quantile *= 1 + (quantile ** 2 + 1) / (4 * degrees)  # Student's, to within 1 % above 6 degrees of freedom.
    widths = []
    for trial in trials:
        for row in trial["modules"]:
            ratio = row if key == "times" else row.get("relative")
            if ratio and ratio.get("low"):
                widths.append(math.log(ratio["high"] / ratio["low"]) / 2)
    return statistics.median(widths) / quantile / math.sqrt(2 / processes) if widths else None


def summarise(arguments, percent, trials):
    return {"backend": arguments.backend, "planted": percent, "trials": len(trials), "processes": arguments.processes,
            "busy": sum(trial["busy"] for trial in trials), "whole": sum(trial["whole"] in ("faster", "slower") for trial in trials),
            "false": sum(bool(trial["false"]) for trial in trials),
            "any": sum(bool(trial["false"]) or trial["whole"] in ("faster", "slower") for trial in trials),
            "found": sum(trial["found"] for trial in trials), "inconclusive": sum(trial["inconclusive"] for trial in trials),
            "sd_times": deviations(trials, arguments.processes, "times"), "sd_relative": deviations(trials, arguments.processes, "relative")}


def line_of(row):
    def share(value):
        return "-" if value is None else f"{100 * value:.2f} %"
    return (f"{row['backend']:12} +{row['planted']} %  {row['trials']} trials ({row['busy']} busy)  whole {row['whole']}  false {row['false']}"
            f"  found {row['found'] if row['planted'] else '-'}  inconclusive {row['inconclusive']}"
            f"  SD {share(row['sd_times'])}, relative {share(row['sd_relative'])}")


def report(arguments, summaries, percent, trials):
    summaries.append(summarise(arguments, percent, trials))
    if arguments.format == "table":
        print(line_of(summaries[-1]), flush=True)
        for path in sorted({path for trial in trials for path in trial["false"]})[:20]:
            print(f"  false: {path}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--backend", choices=sorted(MAKERS), default="onnxruntime")
    parser.add_argument("--planted", default="0,3,5,10", help="percent, each a whole number")
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--all-pairs", type=int, default=0, metavar="N",
                        help="instead of --trials: N experiments of each size, compared each with each; fewer runs, but trials that are not "
                             "independent")
    parser.add_argument("--alternate", action="store_true", help="measure both sides of a trial alternately")
    parser.add_argument("--processes", type=int, default=10)
    parser.add_argument("--loads", type=int, default=1, help="times that each process loads the model")
    parser.add_argument("--iterations", type=int, default=30)
    parser.add_argument("--busy", type=int, default=0, help="busy loops beside it")
    parser.add_argument("--ignore-busy", action="store_true")
    parser.add_argument("--only", action="store_true", help="without the rung model: in half the time, but without a verdict on the whole")
    parser.add_argument("--most", type=float, default=0.075, help="share of A/A trials that may have a false claim")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", help="for models and experiments (default: a temporary one)")
    parser.add_argument("--format", choices=["table", "json"], default="table")
    arguments = parser.parse_args()
    if arguments.alternate and arguments.all_pairs:
        parser.error("--alternate measures pairs: --all-pairs has nothing to pair")
    random.seed(arguments.seed)
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(arguments.busy)]
    summaries = []
    try:
        with tempfile.TemporaryDirectory(prefix="xsp-node-calibration-", dir=arguments.folder) as folder:
            if arguments.all_pairs:
                for percent, trials in all_pairs(arguments, pathlib.Path(folder)).items():
                    report(arguments, summaries, percent, trials)
            else:
                trials = alternating_trials if arguments.alternate else independent_trials
                for percent in map(int, arguments.planted.split(",")):
                    report(arguments, summaries, percent, list(shown(arguments, percent, trials(arguments, pathlib.Path(folder), percent))))
    finally:
        for loop in loops:
            loop.kill()
    if arguments.format == "json":
        print(json.dumps(summaries, indent=1))
    return 1 if any(row["planted"] == 0 and row["any"] > arguments.most * row["trials"] for row in summaries) else 0


if __name__ == "__main__":
    sys.exit(main())
