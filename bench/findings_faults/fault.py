"""A fault: a module of faults/, and its two versions as built.

    '''One sentence: what is planted. One sentence: how it is repaired.'''
    RULE = "id_of_the_rule_that_should_come_first"
    GAIN = True                              # False: the rule estimates no gain
    def build(folder, repaired):             # pathlib.Path of an empty folder; bool
        '''Writes what is needed into folder; returns the arguments of xsp without the name of the experiment.'''
        return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "1x64x56x56"]

`build` runs in a process of its own (both versions one after the other, random.seed(1), torch.manual_seed(1) before each), so sys.executable
is the Python that has the frameworks: ["record", "--", sys.executable, str(folder / "program.py")]. Optional names of a module:

    TUNED = "why"                            # this fault or the gain of its rule was changed after it had been measured: no independent test
    NEEDS = ["taskset"]                      # programs without which the fault is left out; so is one whose backend or module is missing
    SETTINGS = {"environment": {...}}        # variables of the run; or a function of `repaired` that returns such a dict
    def BESIDE(folder[, repaired]):          # arguments of a program that runs beside each run; None: none
    def whole_ns(experiment):                # the time of which the gain is a share, where it is not as below

`experiment` is an experiment.Experiment: the document of `xsp show --format json` (a dict) with query(sql), latency_ns(), program_ns() and
loop_ns(). Default: of a gain of the program, the time that the system monitor saw of it, else the latency of the point (with one thread on
a machine that disturbs most calls: without the time that they waited for a core).
"""
import importlib.util
import inspect
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD_SECONDS = 300


class Missing(Exception):
    """What the fault needs is not here."""


def python():
    """The Python that has the frameworks."""
    given = os.environ.get("XSP_PYTHON") or ROOT / ".deps" / "python" / "bin" / "python3"
    return str(given) if pathlib.Path(given).exists() else sys.executable


def names(folder):
    return sorted(path.stem for path in pathlib.Path(folder).glob("*.py") if not path.stem.startswith("_"))


def says_tuned(folder, name):
    """Whether the module has TUNED, from its text: without what it imports."""
    return re.search(r"^TUNED = ", (pathlib.Path(folder) / f"{name}.py").read_text(), re.M) is not None


def load(folder, name):
    """The module; an exception if it breaks the contract."""
    spec = importlib.util.spec_from_file_location(f"fault_{name}", pathlib.Path(folder) / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for wanted, kind in (("RULE", str), ("GAIN", bool), ("build", None)):
        value = getattr(module, wanted, None)
        if not (callable(value) if kind is None else isinstance(value, kind)):
            raise ValueError(f"{name}.py has no {wanted} as fault.py states")
    if not isinstance(getattr(module, "TUNED", "why"), str):
        raise ValueError(f"{name}.py has a TUNED that is no sentence")
    if not (module.__doc__ or "").strip():
        raise ValueError(f"{name}.py has no docstring")
    return module


def build_all(folder, into, wanted):
    """Builds both versions of each fault in another process; by name and version: {"arguments": ...}, {"missing": ...} or {"error": ...}."""
    made = pathlib.Path(into)
    made.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([python(), HERE / "build.py", folder, made, *wanted], capture_output=True, text=True,
                          timeout=BUILD_SECONDS * len(wanted))
    answers = {}
    for name in wanted:
        for version in ("faulty", "repaired"):
            file = made / f"{name}-{version}.json"
            # A crash (a signal, exit()) leaves no answer.
            answers[name, version] = json.loads(file.read_text()) if file.exists() else {
                "error": f"building ended with status {done.returncode}: {done.stderr[-2000:]}"}
    return answers


class Planted:
    """Both versions of a fault, built, and ready to run."""

    def __init__(self, folder, name, into, xsp):
        self.name, self.xsp, self.into = name, xsp, pathlib.Path(into)
        try:
            self.module = load(folder, name)
        except ModuleNotFoundError as error:
            raise Missing(str(error)) from error
        self.RULE, self.GAIN = self.module.RULE, self.module.GAIN
        self.is_tuned = hasattr(self.module, "TUNED")
        for program in getattr(self.module, "NEEDS", []):
            if shutil.which(program) is None:
                raise Missing(f"{program} is not here")
        self.arguments = {}
        for (_, version), answer in build_all(folder, into, [name]).items():
            if "missing" in answer:
                raise Missing(answer["missing"])
            if "error" in answer:
                raise ValueError(answer["error"])
            self.arguments[version == "repaired"] = answer["arguments"]
        if reason := xsp.missing_backend(self.arguments[False]):
            raise Missing(reason)

    def settings(self, repaired):
        settings = getattr(self.module, "SETTINGS", {})
        return settings(repaired) if callable(settings) else settings

    def beside(self, repaired):
        program = getattr(self.module, "BESIDE", None)
        if program is None:
            return None
        folder = self.into / self.name / ("repaired" if repaired else "faulty")
        return program(folder, repaired) if len(inspect.signature(program).parameters) > 1 else program(folder)

    def run(self, repaired, name, short=False):
        """Runs a version and returns its experiment."""
        beside = self.beside(repaired)
        process = subprocess.Popen(beside, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) if beside else None
        try:
            return self.xsp.run(self.arguments[repaired], name, self.settings(repaired).get("environment", {}), short)
        finally:
            if process:
                process.kill()
                process.wait()

    def whole_ns(self, made):
        """The time of which the gain is a share."""
        if hasattr(self.module, "whole_ns"):
            return self.module.whole_ns(made)
        if self.xsp.is_of_program(self.RULE):
            return made.program_ns()
        text = " ".join(self.arguments[False])
        return made.running_ns() if text.startswith("run ") and "--threads 1 " in text + " " else made.latency_ns()

    def gain_whole_ns(self, made):
        """The time that the finding's gain is divided by; nothing: its own whole, the call in which profiling showed it."""
        return self.whole_ns(made) if hasattr(self.module, "whole_ns") or self.xsp.is_of_program(self.RULE) else None
