"""A Python that has imported modules once and runs scripts in forks of itself: `import torch` takes two seconds of a processor.

As a program: warm_python.py MODULE...  reads commands from its standard input, one a line, and answers each with a line: its
exit status, -N where signal N ended it. A command is JSON: {"argv": [SCRIPT, ARGUMENT...], "out": FILE, "err": FILE}.
"""
import atexit
import json
import os
import pathlib
import runpy
import subprocess
import sys
import tempfile
import traceback


class WarmPython:
    """Starts `python` when it first runs a script; close() ends it. One script at a time."""

    def __init__(self, python, *modules):
        self.command = [str(python), __file__, *modules]
        self.process = None

    def run(self, script, *arguments):
        """(exit status, standard output, standard error) of the script."""
        if self.process is None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        with tempfile.TemporaryDirectory(prefix="xsp-warm-") as folder:
            out, err = pathlib.Path(folder) / "out", pathlib.Path(folder) / "err"
            command = {"argv": [str(script), *map(str, arguments)], "out": str(out), "err": str(err)}
            self.process.stdin.write(json.dumps(command) + "\n")
            self.process.stdin.flush()
            status = self.process.stdout.readline()
            if not status:
                raise AssertionError(f"{self.command}: ended with status {self.process.wait()}")
            return int(status), out.read_text(encoding="utf-8"), err.read_text(encoding="utf-8")

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()
            self.process.stdout.close()


def run_script(argv, out, err):
    """In a fork: the script as Python would run it. Does not return."""
    for descriptor, path in ((0, os.devnull), (1, out), (2, err)):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), descriptor)
    sys.argv, sys.path[0] = argv, str(pathlib.Path(argv[0]).resolve().parent)
    status = 0
    try:
        runpy.run_path(argv[0], run_name="__main__")
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        if status and not isinstance(end.code, int):
            print(end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
        status = 1
    atexit._run_exitfuncs()  # Frameworks remove their temporary files there; os._exit() calls none.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def main(modules):
    for module in modules:
        __import__(module)
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        command = json.loads(line)
        child = os.fork()
        if child == 0:
            run_script(command["argv"], command["out"], command["err"])
        answers.write(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n")
        answers.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
