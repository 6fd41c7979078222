#!/usr/bin/env python3
"""The folder that XSP runs from: bin, lib and share/xsp. `cmake --install` and every kind of package take it from here.

Which programs, libraries and data there are is found: a new plug-in, worker or model needs no line here.

Usage: tools/package_tree.py --build FOLDER --prefix FOLDER [--strip]
  --build FOLDER   what tools/build built
  --prefix FOLDER  where it goes: PREFIX/lib/xsp, with a link to its program, PREFIX/bin/xsp
  --strip          without symbols: a tenth of the size
The files that were written are printed, one a line.
"""
import argparse
import pathlib
import shutil

import package_origin
from package_commands import ROOT, fail, run

DATA = ["analyses", "findings", "lake", "levels", "machine", "schema", "suites", "zoo", "web/dist"]
LEFT_OUT = shutil.ignore_patterns("golden", "__pycache__", "*.pyc", "test", "*.map")


class Part:
    """A program or library of the build."""

    def __init__(self, source, folder):
        self.source = source
        self.folder = folder  # "bin" or "lib"
        self.name = source.name

    @property
    def outside(self):
        """The libraries of a framework that it asks for."""
        return package_origin.outside(self.source)

    @property
    def worker(self):
        """The worker that this is, or is a part of, by name: "torch" of xsp-worker-torch and libxsp-worker-torch-cuda.so."""
        rest = self.name.removeprefix("lib").removeprefix("xsp-worker-")
        return rest.split("-")[0].split(".")[0] if "xsp-worker-" in self.name else None

    def copy(self, target, strip):
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)  # A program that runs goes on with its old file.
        if strip:
            run("strip", "-o", target, self.source)
        else:
            shutil.copy2(self.source, target)
        target.chmod(0o755 if self.folder == "bin" else 0o644)


def parts(build):
    """What `build` has of XSP, tests left out (their names have underscores). Ends the package where there is no program."""
    if not (build / "bin/xsp").exists():
        fail(f"there is no program {build / 'bin/xsp'}", "run tools/build release", 4)
    programs = [build / "bin/xsp", *sorted((build / "bin").glob("xsp-*"))]
    libraries = [*(build / "lib").glob("libxsp.so"), *sorted((build / "lib").glob("libxsp-*.so"))]
    return [Part(file, "bin") for file in programs] + [Part(file, "lib") for file in libraries]


def duckdb(build):
    library = package_origin.linked(build / "bin/xsp").get(package_origin.BUNDLED)
    if library is None:
        fail(f"{build / 'bin/xsp'} does not find {package_origin.BUNDLED}", "run tools/setup", 4)
    return Part(library, "lib")


def set_library_folder(file, folder, *, inherited=False, patchelf="patchelf"):
    """Where the loader looks for the libraries of `file`. Inherited: also for the libraries of these (RPATH)."""
    run(patchelf, *(["--force-rpath"] if inherited else []), "--set-rpath", folder, file)


def make(root, build, chosen, *, strip, patchelf="patchelf"):
    """Makes the folder `root` of the parts `chosen`, DuckDB, and data. A part that asks for libraries of a framework is still
    pointed to where these were when it was built."""
    for part in [*chosen, duckdb(build)]:
        target = root / part.folder / part.name
        part.copy(target, strip)
        if not part.outside and "(RUNPATH)" in run("readelf", "-d", target):
            set_library_folder(target, "$ORIGIN/../lib" if part.folder == "bin" else "$ORIGIN", patchelf=patchelf)
    hook = build / "lib/python_hook"
    if hook.is_dir():
        shutil.copytree(hook, root / "lib/python_hook", ignore=LEFT_OUT, dirs_exist_ok=True)
    for name in DATA:
        if not (ROOT / name).is_dir():
            fail(f"there is no folder {name}", "run tools/build release", 4)
        shutil.copytree(ROOT / name, root / "share/xsp" / name, ignore=LEFT_OUT, dirs_exist_ok=True)
    shutil.copy2(ROOT / "LICENSE", root / "share/xsp/LICENSE")


def install(prefix, build, chosen, *, strip):
    """Makes `prefix`/lib/xsp, and the command `prefix`/bin/xsp."""
    make(prefix / "lib/xsp", build, chosen, strip=strip)
    command = prefix / "bin/xsp"
    command.parent.mkdir(parents=True, exist_ok=True)
    command.unlink(missing_ok=True)
    command.symlink_to("../lib/xsp/bin/xsp")


def main():
    arguments = argparse.ArgumentParser(prog="tools/package_tree.py", description=__doc__,
                                        formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--build", type=pathlib.Path, required=True)
    arguments.add_argument("--prefix", type=pathlib.Path, required=True)
    arguments.add_argument("--strip", action="store_true")
    given = arguments.parse_args()
    build, prefix = given.build.resolve(), given.prefix.resolve()
    install(prefix, build, parts(build), strip=given.strip)
    for file in sorted([prefix / "bin/xsp", *(prefix / "lib/xsp").rglob("*")]):
        if file.is_symlink() or file.is_file():
            print(file)


if __name__ == "__main__":
    main()
