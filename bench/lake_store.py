#!/usr/bin/env python3
"""Makes a store of many experiments by multiplying stored ones: the real layout, schema and names, for bench/lake.py.

Every experiment has one run, whose spans are those of a given experiment, repeated one after another. Durations vary by 3 % from
span to span, and one in fifty takes half as long again. Experiments differ in model, GPU, driver, framework version and time.
The raw tables span, kernel_layer, track and diagnostic are written, and all experiment tables; others are left out, which the
format allows. Needs the Python package duckdb.

Example: python3 bench/lake_store.py --from xsp-store/resnet50 --to /tmp/fleet --runs 1000 --spans 100000000
"""
import argparse
import datetime
import json
import multiprocessing
import os
import pathlib
import shutil
import sys
import time

# Name, compute capability, speed and roofs as a multiple of those of the experiment that is multiplied.
GPUS = [("NVIDIA V100-SXM2-16GB", "7.0", 1.0), ("NVIDIA A100-SXM4-80GB", "8.0", 1.9), ("NVIDIA H100 80GB HBM3", "9.0", 3.1),
        ("NVIDIA L4", "8.9", 0.8)]
MODELS = ["resnet50", "bert-base", "vit-b16", "llama-8b", "stable-diffusion"]
VERSIONS = ["PyTorch 2.9.0", "PyTorch 2.9.1"]
DRIVERS = ["570.86.15", "580.65.06", "590.48.01"]
NEWEST = datetime.datetime(2026, 11, 23, 8, tzinfo=datetime.timezone.utc)


def base_run(experiment):
    """The run of `experiment` with the most spans, and how many."""
    import duckdb
    runs = {file.parent: duckdb.sql(f"SELECT count(*) FROM '{file}'").fetchall()[0][0] for file in experiment.glob("*/span.parquet")}
    return max(runs.items(), key=lambda item: item[1])


def copy(connection, select, file):
    connection.execute(f"COPY ({select}) TO '{file}' (FORMAT parquet, COMPRESSION zstd)")


def write_tables(connection, base, run, folder, about):
    """The Parquet files of one experiment."""
    count, spans, scale = about["base_spans"], about["spans"], about["scale"]
    repeats = -(-spans // count)
    table = f"FROM '{run}/{{}}.parquet' CROSS JOIN (SELECT unnest(range({repeats})) AS repeat)"
    period = connection.execute(f"SELECT max(start_ns + coalesce(duration_ns, 0)) - min(start_ns) + 1000 FROM '{run}/span.parquet'").fetchone()[0]
    draw = f"(hash(id, repeat, {about['index']}) % 1000003) / 1000003.0"
    duration = f"duration_ns / {scale} * (0.97 + 0.06 * {draw}) * CASE WHEN hash(repeat, id) % 50 = 0 THEN 1.5 ELSE 1 END"
    copy(connection, f"SELECT * EXCLUDE (repeat) REPLACE (id + repeat * {count} AS id, "
         f"CASE WHEN parent_id = 0 THEN 0 ELSE parent_id + repeat * {count} END AS parent_id, "
         f"start_ns + repeat * {period} AS start_ns, CAST({duration} AS BIGINT) AS duration_ns) "
         f"{table.format('span')} ORDER BY repeat, id LIMIT {spans}", folder / "imported" / "span.parquet")
    layers = ", ".join(f"{name} + repeat * {count} AS {name}" for name in ("kernel_id", "layer_id", "outermost_layer_id"))
    copy(connection, f"SELECT * EXCLUDE (repeat) REPLACE ({layers}) {table.format('kernel_layer')} "
         f"WHERE kernel_id + repeat * {count} <= {spans} ORDER BY repeat, kernel_id", folder / "imported" / "kernel_layer.parquet")
    for name in ("track", "diagnostic"):
        shutil.copy(run / f"{name}.parquet", folder / "imported")
    slower = f"/ {scale} * {about['slower']}"
    for name, replaced in {
        "point": f"'{about['model']}' AS model, '{about['backend']}' AS backend, latency_ns {slower} AS latency_ns, "
                 f"latency_low_ns {slower} AS latency_low_ns, latency_high_ns {slower} AS latency_high_ns",
        "run": "'imported' AS path", "layer": f"latency_ns {slower} AS latency_ns", "kernel": f"duration_ns {slower} AS duration_ns",
        "roof": f"value * {scale} AS value",
    }.items():
        if (base / f"{name}.parquet").exists():
            limit = "WHERE run_id = 1" if name == "run" else ""
            copy(connection, f"SELECT * REPLACE ({replaced}) FROM '{base}/{name}.parquet' {limit}", folder / f"{name}.parquet")


def make(task):
    import duckdb
    base, run, folder, about = task
    connection = duckdb.connect(config={"threads": 1})
    made = folder.parent / f".{folder.name}.tmp-lake-{os.getpid()}"
    (made / "imported").mkdir(parents=True)
    write_tables(connection, base, run, made, about)
    of_run = json.loads((run / "run.json").read_text())
    of_run.pop("tables", None)  # The rows of the source's tables.
    of_run["facts"] = {"framework.name": "PyTorch", "cuda.device.0.name": about["gpu"], "cuda.device.0.compute_capability": about["capability"]}
    of_run["stack"] = {"system": {"kernel": "6.8.0-60-generic", "architecture": "x86_64"}, "cpu": {"model": "AMD EPYC 9654"},
                       "gpu": {"nvidia_driver": about["driver"], "models": about["gpu"]}}
    (made / "imported" / "run.json").write_text(json.dumps(of_run, indent=1))
    of_experiment = json.loads((base / "experiment.json").read_text())
    of_experiment.pop("tables", None)
    of_experiment |= {"name": folder.name, "created": about["created"], "model": about["model"], "backend": about["backend"]}
    (made / "experiment.json").write_text(json.dumps(of_experiment, indent=1))
    made.rename(folder)
    return sum(file.stat().st_size for file in folder.rglob("*.parquet"))


def tasks(options):
    bases = [pathlib.Path(path).resolve() for path in options.sources]
    found = [(base, *base_run(base)) for base in bases]
    for index in range(options.runs):
        base, run, count = found[index % len(MODELS) % len(found)]  # One for each model.
        gpu, capability, speed = GPUS[index // len(MODELS) % len(GPUS)]
        age = index / options.runs  # The newest first.
        driver = DRIVERS[-1 - int(age * len(DRIVERS))]
        model = MODELS[index % len(MODELS)]
        slower = 1.08 if driver == DRIVERS[-1] and model == "bert-base" else 1 + 0.01 * (index * 7919 % 100 - 50) / 50
        created = NEWEST - age * datetime.timedelta(weeks=options.weeks)
        yield base, run, options.to / f"run-{index:07}", {
            "index": index, "base_spans": count, "spans": options.spans // options.runs, "scale": speed, "slower": slower, "model": model,
            "gpu": gpu, "capability": capability, "driver": driver, "backend": VERSIONS[-1 - int(age * len(VERSIONS))],
            "created": created.isoformat(timespec="milliseconds").replace("+00:00", "Z")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="sources", action="append", required=True, metavar="EXPERIMENT", help="folder of a stored experiment; "
                        "with several, each model has one of them")
    parser.add_argument("--to", type=pathlib.Path, required=True, metavar="STORE", help="an empty or a new folder")
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--spans", type=int, default=100_000_000, help="of all runs together")
    parser.add_argument("--weeks", type=int, default=8, help="over which the experiments are spread")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    for source in options.sources:
        if not list(pathlib.Path(source).glob("*/span.parquet")):
            parser.error(f"no stored experiment with spans: {source}")
    if options.to.exists() and any(options.to.iterdir()):
        parser.error(f"the folder is not empty: {options.to}")
    options.to.mkdir(parents=True, exist_ok=True)
    options.to = options.to.resolve()
    begin, size = time.monotonic(), 0
    with multiprocessing.Pool(options.jobs) as pool:
        for number, written in enumerate(pool.imap_unordered(make, tasks(options)), 1):
            size += written
            if sys.stderr.isatty() and number % 10 == 0:
                print(f"\r{number} of {options.runs} runs", end="", file=sys.stderr)
    print(f"{options.runs} runs, {options.spans // options.runs * options.runs} spans, {size / 1e6:.0f} MB of Parquet, "
          f"{time.monotonic() - begin:.0f} s: {options.to}")


if __name__ == "__main__":
    main()
