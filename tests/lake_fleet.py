"""For tests/lake_test.py: a fleet of experiments with random rows, and the questions of lake/ answered in plain Python."""
import collections
import json
import pathlib
import random
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tools"))
sys.path.append(str(ROOT / "lake"))

import catalogue  # noqa: E402
import pyarrow  # noqa: E402
import pyarrow.parquet  # noqa: E402

TYPES = {"BIGINT": pyarrow.int64(), "DOUBLE": pyarrow.float64(), "VARCHAR": pyarrow.string(), "BOOLEAN": pyarrow.bool_()}
SCHEMA = catalogue.schema()
NEWEST_S = 1_760_000_000
DEVICES = [("cuda:0", "Big GPU", "9.0"), ("cuda:0", "Small GPU", "7.5"), ("cpu", "Some CPU", None)]


def write(file, table, rows, lacks=(), extra=False):
    """The rows as the product writes them; `lacks`: columns that an older version had not; `extra`: a newer one has more."""
    columns = [(column.name, TYPES[column.type]) for column in SCHEMA[table].columns if column.name not in lacks]
    if extra:
        columns.insert(1, ("of_the_future", pyarrow.int64()))
    filled = [{"of_the_future": 7, **row} for row in rows]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(filled, schema=pyarrow.schema(columns)), file, compression="zstd")


def some(rng, value, share=0.1):
    """`value`, or NULL in this share of the cases."""
    return None if rng.random() < share else value


class Fleet:
    """Experiments of three weeks, on three devices, with two drivers; every third is of an older version, every fourth of a
    newer one."""

    def __init__(self, store, count, seed):
        self.rng = random.Random(seed)
        self.store = pathlib.Path(store)
        for index in range(count):
            self.add(index)

    def add(self, index):
        rng = self.rng
        folder = self.store / f"fleet {index} + ü%20"
        runs = [("b1-details", "details"), ("b1-kernel", "kernel"), ("b1-model", "model")]
        for path, _ in runs:
            (folder / path).mkdir(parents=True)
        old, new = index % 3 == 0, index % 4 == 1
        device, name, capability = DEVICES[index % len(DEVICES)]
        driver = rng.choice(["590.1", "600.2"])
        made = NEWEST_S - (0 if index == 0 else rng.randrange(20 * 86400))
        about = {"name": folder.name, "created": catalogue.text_of(made), "kind": "run", "status": "done",
                 "format_version": rng.choice([2, 3]) if old else 4}
        (folder / "experiment.json").write_text(json.dumps(about))
        stack = {"cpu": {"model": "Some CPU"}, "system": {"kernel": f"6.1.{driver[0]}", "architecture": "x86_64"},
                 "gpu": {"nvidia_driver": None if device == "cpu" else driver, "models": None}}
        facts = {} if device == "cpu" else {"cuda.device.0.name": name, "cuda.device.0.compute_capability": capability}
        for path, rung in runs:  # Only the run of kernels knows the GPU's architecture.
            (folder / path / "run.json").write_text(json.dumps(
                {"facts": facts if rung == "kernel" else {}, "stack": stack, "status": "done"}))
        self.write_experiment(folder, runs, device, old, new)
        for path, _ in runs:
            self.write_run(folder / path, old, new)

    def write_experiment(self, folder, runs, device, old, new):
        rng = self.rng
        points = range(1, 3)
        model = rng.choice(["bert", "resnet50"])
        backends = [rng.choice(["PyTorch 2.8", "PyTorch 2.9"]) for _ in points]
        latency = [rng.uniform(1e6, 1.2e6) for _ in points]
        noise = rng.choice([0.001, 0.3])
        write(folder / "point.parquet", "point", [
            {"point_id": point, "model": model, "backend": backends[point - 1], "device": device, "precision": rng.choice(["float32", "float16"]),
             "batch": some(rng, point), "settings": "{}", "latency_ns": some(rng, latency[point - 1]),
             "latency_low_ns": some(rng, latency[point - 1] * (1 - noise)), "latency_high_ns": some(rng, latency[point - 1] * (1 + noise)),
             "model_bytes": 1, "cores": 4, "status": "done"} for point in points], extra=new)
        write(folder / "run.parquet", "run", [
            {"run_id": number, "point_id": 2 if rung == "model" else 1, "rung": rung, "status": "done", "path": path}
            for number, (path, rung) in enumerate(runs, 1)], lacks=("overhead_basis", "overhead_units") if old else (), extra=new)
        write(folder / "layer.parquet", "layer", [
            {"point_id": point, "layer_index": index, "name": f"layer {index}", "type": rng.choice(["conv", "gemm"]),
             "latency_ns": some(rng, rng.uniform(0, 1e5)), "matched": "all"} for point in points for index in range(9)],
            lacks=("path", "node") if old else (), extra=new)
        write(folder / "kernel.parquet", "kernel", [
            {"point_id": point, "kernel_index": index, "name": f"kernel {index}", "type": "kernel",
             "dtype": some(rng, rng.choice(["float32", "float16"])), "unit": some(rng, "vector"), "duration_ns": some(rng, rng.uniform(0, 1e5)),
             "flops": some(rng, rng.choice([0.0, 1e3, 1e6, 1e9])), "read_bytes": some(rng, rng.choice([0.0, 1e3, 1e6])),
             "write_bytes": some(rng, rng.choice([0.0, 1e3])), "matched": "all"} for point in points for index in range(20)], extra=new)
        if not old:  # An older version wrote no roofs.
            write(folder / "roof.parquet", "roof", [
                {"kind": kind, "name": "a roof", "dtype": dtype, "unit": dtype and "vector", "value": rng.uniform(0.5, 2) * value,
                 "provenance": "data_sheet", "how": "", "used": used}
                for kind, dtype, value in [("flops", "float32", 1e13), ("flops", "float16", 2e13), ("bandwidth", None, 1e12)]
                for used in (True, False, True)], extra=new)

    def write_run(self, folder, old, new):
        rng = self.rng
        scale = rng.choice([10, 1e3, 1e5, 1e8, 1e10])
        write(folder / "span.parquet", "span", [
            {"id": number, "parent_id": 0, "level": rng.choice(["kernel", "kernel", "layer"]), "type": "kernel",
             "name": f"kernel {rng.randrange(6)}", "track_id": 1, "start_ns": number, "duration_ns": some(rng, int(rng.expovariate(1 / scale))),
             "placed_by": "id", "lane": 0} for number in range(1, 200)], lacks=("lane",) if old else (), extra=new)
        if rng.random() < 0.7:
            write(folder / "diagnostic.parquet", "diagnostic", [
                {"name": f"diagnostic {rng.randrange(3)}", "count": rng.randrange(1, 9), "example": "", "hint": "", "kind": rng.choice(["loss", "note"])}
                for _ in range(rng.randrange(4))], lacks=("kind",) if old else (), extra=new)


class Rows:
    """All rows of a store as dictionaries with every column of the schema."""

    def __init__(self, store, until_s):
        self.store = pathlib.Path(store)
        self.experiments = {}
        for file in sorted(self.store.glob("*/experiment.json")):
            machine = {}
            for run in sorted(file.parent.glob("*/run.json")):
                for key, value in catalogue.machine_of(json.loads(run.read_text())).items():
                    machine[key] = machine.get(key) or value
            made = int(catalogue.seconds_of(json.loads(file.read_text())["created"]))
            self.experiments[file.parent.name] = {**machine, "created_s": made, "week": (until_s - made) // (7 * 86400)}

    def of(self, table):
        pattern = f"*/*/{table}.parquet" if SCHEMA[table].is_raw else f"*/{table}.parquet"
        for file in self.store.glob(pattern):
            folders = file.relative_to(self.store).parts
            labels = {"experiment": folders[0], **({"path": folders[1]} if SCHEMA[table].is_raw else {})}
            if folders[0] in self.experiments:
                for row in pyarrow.parquet.ParquetFile(file).read().to_pylist():
                    yield {**{column.name: None for column in SCHEMA[table].columns}, **row, **labels}

    def points(self):
        return {(row["experiment"], row["point_id"]): row for row in self.of("point")}

    def device(self, point):
        machine = self.experiments[point["experiment"]]
        return machine["cpu_model" if point["device"].startswith("cpu") else "gpu_model"] or point["device"]


def three_digits(value):
    unit = 10 ** min(max(len(str(value)) - 3, 0), 7)
    return (value + unit // 2) // unit * unit


def kernels_by_device(rows, top):
    points, weekly = rows.points(), collections.defaultdict(list)
    runs = {(run["experiment"], run["path"]): run for run in rows.of("run") if run["rung"] in ("kernel", "imported", "recorded")}
    for span in rows.of("span"):
        run = runs.get((span["experiment"], span["path"]))
        if run and span["level"] == "kernel" and span["duration_ns"] is not None:
            point = points[run["experiment"], run["point_id"]]
            weekly[point["model"], rows.device(point), rows.experiments[run["experiment"]]["week"], span["name"]].append(span["duration_ns"])

    def p95(durations):
        return sorted(map(three_digits, durations))[(95 * len(durations) + 99) // 100 - 1]

    answer = []
    for model, device in sorted({key[:2] for key in weekly}):
        now = sorted((-sum(durations), key[3], durations) for key, durations in weekly.items() if key[:3] == (model, device, 0))
        for position, (negative, kernel, durations) in enumerate(now[:top], 1):
            earlier = weekly.get((model, device, 1, kernel))
            before = p95(earlier) if earlier else None
            answer.append((model, device, kernel, position, len(durations), -negative, p95(durations), before,
                           p95(durations) / before - 1 if before else None))
    return answer


def memory_bound_by_architecture(rows):
    points, peaks, bandwidths = rows.points(), {}, {}
    for roof in rows.of("roof"):
        if roof["used"] and roof["kind"] == "flops":
            key = (roof["experiment"], roof["dtype"], roof["unit"])
            peaks[key] = max(peaks.get(key, 0), roof["value"])
        elif roof["used"]:
            bandwidths[roof["experiment"]] = max(bandwidths.get(roof["experiment"], 0), roof["value"])
    sums, seen = collections.defaultdict(lambda: [0.0, 0.0, 0.0]), collections.defaultdict(set)
    for kernel in rows.of("kernel"):
        if not kernel["duration_ns"]:
            continue
        experiment, point = kernel["experiment"], points[kernel["experiment"], kernel["point_id"]]
        machine = rows.experiments[experiment]
        architecture = (machine["cpu_architecture"] or "unknown CPU") if point["device"].startswith("cpu") else (
            machine["gpu_architecture"] or machine["gpu_model"] or "unknown GPU")
        seen[architecture].add((experiment, kernel["point_id"]))
        sums[architecture][0] += kernel["duration_ns"]
        if None in (kernel["flops"], kernel["read_bytes"], kernel["write_bytes"]) or not kernel["read_bytes"] + kernel["write_bytes"]:
            continue
        intensity = kernel["flops"] / (kernel["read_bytes"] + kernel["write_bytes"])
        peak, bandwidth = peaks.get((experiment, kernel["dtype"], kernel["unit"])), bandwidths.get(experiment)
        if intensity == 0 or (peak and bandwidth and intensity < peak / bandwidth):
            sums[architecture][1] += kernel["duration_ns"]
        elif peak and bandwidth:
            sums[architecture][2] += kernel["duration_ns"]
    return [(architecture, len(seen[architecture]), whole, memory, compute, whole - memory - compute,
             memory / (memory + compute) if memory + compute else None)
            for architecture, (whole, memory, compute) in sorted(sums.items(), key=lambda item: (-item[1][0], item[0]))]


def slowest_layers_by_framework(rows, top):
    points, whole, groups = rows.points(), collections.Counter(), collections.defaultdict(list)
    layers = [layer for layer in rows.of("layer") if layer["latency_ns"] is not None]
    for layer in layers:
        whole[layer["experiment"], layer["point_id"]] += layer["latency_ns"]
    for layer in layers:
        key = (layer["experiment"], layer["point_id"])
        point = points[key]
        groups[point["backend"], point["model"], point["batch"], point["precision"], rows.device(point), layer["name"], layer["type"]].append(
            (layer["latency_ns"], whole[key], layer["experiment"]))
    answer = []
    for backend in sorted({key[0] for key in groups}):
        found = []
        for (_, model, batch, precision, device, name, kind), layers in ((key, value) for key, value in groups.items() if key[0] == backend):
            latency, all_layers = sum(layer[0] for layer in layers), sum(layer[1] for layer in layers)
            found.append((-latency / len(layers), model, -1 if batch is None else batch, precision, device, name, kind,
                          len({layer[2] for layer in layers}), latency / all_layers if all_layers else None))
        for position, (negative, model, batch, *rest) in enumerate(sorted(found, key=lambda row: row[:7])[:top], 1):
            precision, device, name, kind, count, share = rest
            answer.append((backend, position, model, None if batch == -1 else batch, precision, device, name, kind, count, -negative, share))
    return answer


def regressions_by_driver(rows, least):
    groups = collections.defaultdict(lambda: collections.defaultdict(list))
    for point in rows.points().values():
        machine = rows.experiments[point["experiment"]]
        driver = machine["os_kernel" if point["device"].startswith("cpu") else "gpu_driver"]
        if driver and point["latency_ns"]:
            key = (point["model"], point["backend"], rows.device(point), point["batch"], point["precision"], point["settings"], point["cores"])
            groups[key][driver].append((machine["created_s"], point))
    answer = []
    for (model, backend, device, batch, *_), drivers in groups.items():
        order = sorted(drivers, key=lambda driver: (min(made for made, _ in drivers[driver]), driver))
        for before, driver in zip(order, order[1:], strict=False):
            earlier, later = ([point for _, point in drivers[name]] for name in (before, driver))
            mean, mean_before = (sum(point["latency_ns"] for point in group) / len(group) for group in (later, earlier))

            def ends(group):
                return (min(point["latency_low_ns"] or point["latency_ns"] for point in group),
                        max(point["latency_high_ns"] or point["latency_ns"] for point in group))
            (low, high), (low_before, high_before) = ends(later), ends(earlier)
            verdict = "slower" if low > high_before else "faster" if high < low_before else "no difference found"
            if abs(mean / mean_before - 1) >= least:
                answer.append((model, backend, device, batch, driver, before, len(later), mean, mean_before, mean / mean_before - 1, verdict))
    return sorted(answer, key=lambda row: (-row[9], row[0], row[1], row[2], -1 if row[3] is None else row[3], row[4]))


def losses_by_backend(rows):
    times, experiments = collections.Counter(), collections.defaultdict(set)
    points = {(point["experiment"], point["point_id"]): point["backend"] for point in rows.of("point")}
    backends = {(run["experiment"], run["path"]): points.get((run["experiment"], run["point_id"])) for run in rows.of("run")}
    for row in rows.of("diagnostic"):
        backend = backends.get((row["experiment"], row["path"]))
        if backend is not None:
            key = (backend, row["name"], row["kind"] or "unknown")
            times[key] += row["count"]
            experiments[key].add(row["experiment"])
    return sorted(((*key, len(experiments[key]), count) for key, count in times.items()), key=lambda row: (-row[4], row[:3]))


# Each question: its answer in plain Python, and the parameters with which it is asked.
REFERENCES = {
    "kernels_by_device": (kernels_by_device, {"top": 4}),
    "memory_bound_by_architecture": (memory_bound_by_architecture, {}),
    "slowest_layers_by_framework": (slowest_layers_by_framework, {"top": 5}),
    "regressions_by_driver": (regressions_by_driver, {"least": 0.001}),
    "losses_by_backend": (losses_by_backend, {}),
}
