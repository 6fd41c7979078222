"""What a store holds: its experiments with their machines, and the files of every table.

Reads experiment.json and one run.json of each experiment, through pyarrow, from a folder or from s3://BUCKET/PREFIX.
"""
import datetime
import json
import pathlib
import sys
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tools"))
from schema_tables import Table, read_schema  # noqa: E402

FORMAT_VERSION = 4
WEEK_S = 7 * 86400
PATTERN_CHARACTERS = set("*?[]{}\\")  # What engines take as a pattern of file names.

# The columns of the table `experiment`, which is made from the JSON files. Names begin a comment in docs/lake.md.
EXPERIMENT_COLUMNS = [
    ("experiment", "VARCHAR"), ("created", "VARCHAR"), ("created_s", "BIGINT"), ("week", "BIGINT"), ("kind", "VARCHAR"),
    ("status", "VARCHAR"), ("cpu_model", "VARCHAR"), ("cpu_architecture", "VARCHAR"), ("os_kernel", "VARCHAR"),
    ("gpu_model", "VARCHAR"), ("gpu_architecture", "VARCHAR"), ("gpu_driver", "VARCHAR")]

# Where each fact of a machine stands: in the stack that XSP captured, else in the facts of the recording or trace. The
# first that has a value counts.
MACHINE = {
    "cpu_model": ["stack.cpu.model"],
    "cpu_architecture": ["stack.system.architecture"],
    "os_kernel": ["stack.system.kernel"],
    "gpu_model": ["facts.cuda.device.0.name", "facts.deviceProperties.0.name", "stack.gpu.models"],
    "gpu_architecture": ["facts.cuda.device.0.compute_capability"],
    "gpu_driver": ["stack.gpu.nvidia_driver", "stack.gpu.amd_driver", "facts.cuda_driver_version"],
}


class StoreError(Exception):
    """The store cannot be read; the message says why and what to do."""


class Experiment(NamedTuple):
    name: str
    row: dict  # Of the table `experiment`, without `week`.
    files: dict  # Table: its Parquet files, one for experiment tables, one a run for raw tables.


class BoundTable(NamedTuple):
    """A table as an engine registers it."""
    name: str
    columns: list  # (name, type) as in schema/schema.sql.
    files: list  # Full paths or s3:// addresses.
    labels: list  # Columns that come from the path, innermost folder last: experiment, path.


def look_up(document, dotted):
    """The value of `stack.cpu.model`: nested; of `facts.a.b`: the key "a.b" of `facts`. None: there is none."""
    part, _, rest = dotted.partition(".")
    value = document.get(part) or {}
    for key in [rest] if part == "facts" else rest.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value or None


def machine_of(run):
    """The facts of the machine in one run.json."""
    found = {name: next((str(value) for place in places if (value := look_up(run, place))), None) for name, places in MACHINE.items()}
    major, minor = (look_up(run, f"facts.deviceProperties.0.compute{part}") for part in ("Major", "Minor"))
    capability = found["gpu_architecture"] or (major and f"{major}.{minor or 0}")
    # "NVIDIA H200, NVIDIA H200": one name for each device.
    found["gpu_model"] = found["gpu_model"] and found["gpu_model"].split(", ")[0]
    is_amd = any(word in (found["gpu_model"] or "") for word in ("AMD", "Radeon", "Instinct"))
    found["gpu_architecture"] = capability and f"{'AMD gfx' if is_amd else 'compute capability'} {capability}"
    return found


def seconds_of(text):
    """Seconds since 1970 of an ISO date or time; without a zone: UTC."""
    time = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return (time if time.tzinfo else time.replace(tzinfo=datetime.timezone.utc)).timestamp()


def text_of(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def schema():
    """Every table of the schema by name, and `experiment`."""
    return {table.name: table for table in read_schema(ROOT / "schema" / "schema.sql")}


class Catalogue:
    """The experiments of a store between two times, each with its files."""

    def __init__(self, store, since=None, until=None, note=print):
        """`since` and `until`: seconds since 1970; None: from the first, up to the newest. `note`: told of each experiment
        that is left out, and why."""
        self.tables = schema()
        self.store = store.rstrip("/")
        self.note_ = note
        self.files_, self.prefix_, root = open_store(self.store)
        all_experiments = [found for name, paths in sorted(self.list_folders(root).items()) if (found := self.read(root, name, paths))]
        if not all_experiments:
            raise StoreError(f"the store has no experiments; `xsp import FILE --store {store}` makes one: {store}")
        self.count = len(all_experiments)
        self.until = until if until is not None else max(found.row["created_s"] for found in all_experiments)
        self.experiments = [found for found in all_experiments
                            if found.row["created_s"] <= self.until and (since is None or found.row["created_s"] >= since)]
        if not self.experiments:
            raise StoreError(f"none of the {self.count} experiments of the store is of that time; the last is of "
                             f"{text_of(max(found.row['created_s'] for found in all_experiments))}")

    def list_folders(self, root):
        """Experiment: its files, relative to it."""
        from pyarrow import fs
        folders = {}
        for info in self.files_.get_file_info(fs.FileSelector(root, recursive=True)):
            name, _, rest = info.path[len(root):].lstrip("/").partition("/")
            # What a writer has not published yet is hidden.
            if rest and info.type == fs.FileType.File and not name.startswith("."):
                folders.setdefault(name, []).append(rest)
        return folders

    def read(self, root, name, paths):
        if "experiment.json" not in paths:
            return None  # Not an experiment: a folder of the user's, or one whose writer has not finished.
        try:
            if PATTERN_CHARACTERS & set(name + "".join(path for path in paths if path.endswith(".parquet"))):
                raise ValueError("its name has a character that engines take as a pattern (one of *?[]{}\\)")
            about = self.json_of(f"{root}/{name}/experiment.json")
            if about.get("format_version", 1) > FORMAT_VERSION:
                raise ValueError(f"it is of format version {about['format_version']}, newer than this program's {FORMAT_VERSION}")
            row = {"experiment": name, "created": about["created"], "created_s": int(seconds_of(about["created"])),
                   "kind": about.get("kind"), "status": about.get("status"), **self.machine(f"{root}/{name}", paths)}
        except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
            self.note_(f"left out: experiment {name}: {error if not isinstance(error, KeyError) else f'it has no {error}'}")
            return None
        files = {}
        for path in sorted(paths):
            *folders, file = path.split("/")
            table = self.tables.get(file.removesuffix(".parquet"))
            if file.endswith(".parquet") and table and len(folders) == table.is_raw:
                files.setdefault(table.name, []).append(f"{self.prefix_}{root}/{name}/{path}")
        return Experiment(name, row, files)

    def machine(self, folder, paths):
        """Of the runs' files, up to one with a captured stack and what is known of the GPU."""
        machine = dict.fromkeys(MACHINE)
        # The runs of kernels first: they know the GPU.
        runs = (path for path in paths if path.endswith("/run.json") and path.count("/") == 1)
        for path in sorted(runs, key=lambda path: ("kernel" not in path, path)):
            run = self.json_of(f"{folder}/{path}")
            machine = {name: machine[name] or value for name, value in machine_of(run).items()}
            if run.get("stack") and (machine["gpu_architecture"] or "kernel" in path):
                break
        return machine

    def json_of(self, path):
        with self.files_.open_input_stream(path) as stream:
            return json.loads(stream.read())

    def week_of(self, experiment):
        return int((self.until - experiment.row["created_s"]) // WEEK_S)

    def bound_table(self, name, folder, weeks=None):
        """The table `name` with its files, of the last `weeks` (None: of all experiments); `experiment` is written into `folder`."""
        if name == "experiment":
            return BoundTable(name, EXPERIMENT_COLUMNS, [str(self.write_experiments(folder))], [])
        table: Table = self.tables[name]
        files = [file for found in self.experiments if weeks is None or self.week_of(found) < weeks for file in found.files.get(name, [])]
        return BoundTable(name, [(column.name, column.type) for column in table.columns], files,
                          ["experiment", "path"] if table.is_raw else ["experiment"])

    def check_files(self, tables):
        """Raises StoreError if a file of these tables is not a whole Parquet file."""
        import pyarrow
        import pyarrow.parquet
        for file in (file for table in tables if table.labels for file in table.files):
            try:
                with self.files_.open_input_file(file.removeprefix(self.prefix_)) as opened:
                    pyarrow.parquet.read_metadata(opened)
            except (pyarrow.ArrowInvalid, OSError) as error:
                raise StoreError(f"this is not a whole Parquet file; store its experiment again, or move it out of the store: {file}: "
                                 f"{str(error).splitlines()[0]}") from error

    def write_experiments(self, folder):
        import pyarrow
        import pyarrow.parquet
        rows = [{**found.row, "week": self.week_of(found)} for found in self.experiments]
        types = {"VARCHAR": pyarrow.string(), "BIGINT": pyarrow.int64()}
        columns = pyarrow.schema([(name, types[kind]) for name, kind in EXPERIMENT_COLUMNS])
        path = pathlib.Path(folder) / "experiment.parquet"
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, schema=columns), path)
        return path


def open_store(store):
    """The file system of a store, what stands before its paths in an address, and the store's path in it."""
    from pyarrow import fs
    try:
        if store.startswith("s3://"):
            files, root = fs.FileSystem.from_uri(store)
            return files, "s3://", root.rstrip("/")
        path = pathlib.Path(store).resolve()
        if not path.is_dir():
            raise StoreError(f"there is no such folder: {store}")
        if PATTERN_CHARACTERS & set(str(path)):
            raise StoreError(f"engines take a character of this path as a pattern (one of *?[]{{}}\\): {path}")
        return fs.LocalFileSystem(), "", str(path)
    except OSError as error:
        raise StoreError(f"the store cannot be opened: {error}") from error
