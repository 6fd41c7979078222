"""A copy of the tree with one new member of every family, made by tools/new: what tools_new_test.py and
adding_plugins_test.py look at."""
import os
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(*command, cwd, **environment):
    """What the command prints. Raises AssertionError where it fails."""
    done = subprocess.run([str(c) for c in command], cwd=cwd, env={**os.environ, **environment},
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: status {done.returncode}\n"
                             f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return done.stdout


def kinds():
    """Every KIND of tools/new, by its help."""
    return re.findall(r"^  (\w+) .*\(example: ", run("tools/new", "--help", cwd=ROOT), re.M)


def make(tree):
    """Copies the working tree to `tree`, a git repository whose index has all of it, and adds `zz_added_KIND` for each: the last
    of its family, so that the files joined before it are compiled as in this tree."""
    files = run("git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=ROOT).splitlines()
    for name in files:
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)
    run("git", "init", "-q", cwd=tree)
    run("git", "add", "-A", cwd=tree)
    for kind in kinds():
        run("tools/new", kind, f"zz_added_{kind}", cwd=tree)
