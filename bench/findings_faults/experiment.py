"""The program xsp, and the experiments that it makes."""
import json
import os
import pathlib
import re
import subprocess

RUN_SECONDS = 300
# Short runs: only the rung that gives the latency.
SHORT_LIMIT_S = "2"


class Failure(Exception):
    """A command of xsp failed."""


def rules_about_trust(folder):
    """Ids of the rules whose findings come before all others because they are about trust in the numbers."""
    return {path.parent.name for path in pathlib.Path(folder).glob("*/finding.yaml") if re.search(r"^first:\s*true", path.read_text(), re.M)}


def shortened(arguments):
    """The arguments of a run that only measures the latency."""
    if arguments[0] != "run":
        return arguments
    kept, skip = [], False
    for argument in arguments:
        if not skip and argument not in ("--depth", "--time-limit", "--only", "--no-roofs"):
            kept.append(argument)
        skip = argument in ("--depth", "--time-limit")
    return [*kept, "--depth", "model", "--only", "--time-limit", SHORT_LIMIT_S, "--no-roofs"]


def named(arguments, name):
    """The arguments with the experiment's name; of a recorded program it stands before what is the program's."""
    return [arguments[0], "-o" if arguments[0] == "record" else "--name", name, *arguments[1:]]


class Xsp:
    def __init__(self, store, root):
        self.store, self.root = str(store), pathlib.Path(root)
        self.program = pathlib.Path(os.environ.get("XSP_BUILD", self.root / "build" / "release")) / "bin" / "xsp"
        self.environment = {"XSP_HOME": str(root), **os.environ}
        self.backends = None

    def call(self, arguments, environment=None):
        done = subprocess.run([self.program, "--store", self.store, *arguments], capture_output=True, text=True,
                              env={**self.environment, **(environment or {})}, timeout=RUN_SECONDS)
        if done.returncode != 0:
            raise Failure(f"xsp {' '.join(arguments)}: status {done.returncode}\n{done.stderr.strip()[-1500:]}")
        return done.stdout

    def run(self, arguments, name, environment, short):
        self.call(named(shortened(arguments) if short else arguments, name), environment)
        return Experiment(self, name)

    def missing_backend(self, arguments):
        """Why the backend that the arguments name cannot run here; nothing where it can."""
        if "--backend" not in arguments:
            return None
        if self.backends is None:
            parts = json.loads(self.call(["doctor", "--format", "json"]))
            self.backends = {part["part"]: part for part in parts}
        for backend in arguments[arguments.index("--backend") + 1].split(","):
            part = self.backends.get(f"worker {backend}")
            if part is not None and not part["found"]:
                return f"the worker {backend} is missing: {part['where_or_how']}"
        return None

    def is_of_program(self, rule):
        file = self.root / "findings" / rule / "finding.yaml"
        return file.exists() and re.search(r"^  of:\s*program", file.read_text(), re.M) is not None


class Experiment(dict):
    """An experiment in the store: the document of `xsp show`, with questions to it."""

    def __init__(self, xsp, name):
        super().__init__(json.loads(xsp.call(["show", name, "--format", "json"])))
        self.xsp, self.name = xsp, name

    def query(self, sql):
        """The rows of a SELECT over the experiment tables, as dicts."""
        return json.loads(self.xsp.call(["query", self.name, sql, "--format", "json"]))

    def findings(self):
        return json.loads(self.xsp.call(["findings", self.name, "--format", "json"]))["findings"]

    def remove(self):
        self.xsp.call(["remove", self.name])

    def latency_ns(self):
        """Of the point with the highest throughput, which the findings are about."""
        points = [point for point in self["points"] if point["latency_ns"]]
        if not points:
            raise Failure(f"{self.name} has no latency")
        return max(points, key=lambda point: (point["batch"] or 1) / point["latency_ns"])["latency_ns"]

    def running_ns(self):
        """Latency of the point; on a machine that disturbed most calls the median of them without the time that they waited for a core."""
        rows = self.query("SELECT count(*) AS calls, count(*) FILTER (s.disturbed) AS disturbed, "
                          "median(s.latency_ns - least(coalesce(s.waited_ns, 0), s.latency_ns)) AS ns "
                          "FROM sample s JOIN run r USING (run_id) WHERE r.rung = 'model' AND coalesce(s.rung, r.rung) = r.rung")
        row = rows[0] if rows else {"calls": 0}
        return row["ns"] if row["calls"] and 2 * row["disturbed"] > row["calls"] and row["ns"] else self.latency_ns()

    def program_ns(self):
        """Time of a recorded program, as the system monitor saw it."""
        return self.one("SELECT max(until_ns) - min(time_ns) AS ns FROM system_series")

    def loop_ns(self):
        """Time of a recorded program from the start of its first model call to the end of its last."""
        return self.one("SELECT max(start_ns + duration_ns) - min(start_ns) AS ns FROM span WHERE level = 'model' AND parent_id = 0")

    def one(self, sql):
        rows = self.query(sql)
        if not rows or not rows[0]["ns"]:
            raise Failure(f"{self.name} has no such time: {sql}")
        return rows[0]["ns"]
