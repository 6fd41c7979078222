"""What the kinds of packages share: messages, commands, the version, and a Python with tools that make and check packages."""
import datetime
import os
import pathlib
import re
import shutil
import subprocess
import sys
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEPS = ROOT / ".deps"


def say(text):
    print(f"\033[1m==>\033[0m {text}", file=sys.stderr)


def fail(what, hint, status=5):
    print(f"error: {what}\nhint: {hint}", file=sys.stderr)
    sys.exit(status)


def run(*command, **options):
    """Runs a command; returns what it printed. Where it fails, the package fails."""
    words = [str(word) for word in command]
    if shutil.which(words[0]) is None:
        fail(f"there is no program {words[0]}", "run tools/setup", 4)
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if done.returncode != 0:
        print((done.stdout + done.stderr)[-4000:], file=sys.stderr)
        fail(f"failed: {' '.join(words)}", "its output is above")
    return done.stdout


def version():
    """XSP's own, as CMake has it."""
    return re.search(r"^project\(xsp VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), re.M)[1]


def pinned(name, file="tools/versions.env"):
    """The value of NAME=VALUE in a file of versions; None: it has none."""
    path = ROOT / file
    found = re.search(rf'^{name}="?([^"\n]+)', path.read_text(encoding="utf-8"), re.M) if path.exists() else None
    return found[1].strip() if found else None


def source_time():
    """When the packaged commit was made, in seconds: SOURCE_DATE_EPOCH, else Git's word, else (no repository) CHANGELOG.md's
    time. Packages of one commit then are the same bytes."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given:
        return int(given)
    done = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%ct"], capture_output=True, text=True)
    return int(done.stdout) if done.returncode == 0 else int((ROOT / "CHANGELOG.md").stat().st_mtime)


def source_date():
    return datetime.datetime.fromtimestamp(source_time(), datetime.timezone.utc)


def environment(folder):
    """A Python with what packages are made and checked with; made once, again when the requirements change."""
    wanted = ROOT / "tools/package_requirements.txt"
    stamp = folder / "requirements.txt"
    python = folder / "bin/python"
    if not python.exists() or not stamp.exists() or stamp.read_text() != wanted.read_text():
        say(f"installing {wanted.name}")
        shutil.rmtree(folder, ignore_errors=True)
        venv.create(folder, with_pip=True)
        done = subprocess.run([python, "-m", "pip", "install", "-q", "-r", wanted], capture_output=True, text=True)
        if done.returncode != 0:
            shutil.rmtree(folder)
            fail(f"cannot install {wanted.name}: {(done.stderr.strip().splitlines() or ['pip failed'])[-1]}",
                 "it needs a package index", 4)
        shutil.copy(wanted, stamp)
    return python
