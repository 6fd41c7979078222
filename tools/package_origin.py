"""Where the code of a program comes from: the libraries that it is linked with, the headers that were compiled into it, and
the Debian packages of both."""
import functools
import os
import pathlib
import re
import subprocess

from package_commands import ROOT, fail, run

BUNDLED = "libduckdb.so"  # The one library of programs that no package of the distribution has (tools/setup).
# The interface to Linux: declarations, no code.
NO_CODE = {"linux-libc-dev"}


@functools.lru_cache(maxsize=None)
def linked(file):
    """Every library that the loader opens with `file`, by the name under which it is asked for; None: it is not found."""
    text = subprocess.run(["ldd", file], capture_output=True, text=True).stdout
    found = {name: pathlib.Path(path) for name, path in re.findall(r"(\S+) => (/\S+)", text)}
    return {**found, **{name: None for name in re.findall(r"(\S+) => not found", text)}}


@functools.lru_cache(maxsize=None)
def needed(file):
    """The names of the libraries that `file` itself asks for."""
    return re.findall(r"\(NEEDED\).*\[(.+)\]", run("readelf", "-d", file))


@functools.lru_cache(maxsize=None)
def libraries():
    """The Debian package of each installed shared library, by the paths under which packages list them. Each look goes through the
    files of all packages: one for all libraries."""
    listed = (line.rpartition(": ") for line in run("dpkg-query", "-S", "*.so*").splitlines() if not line.startswith("diversion by "))
    return {path: packages.split(",")[0].split(":")[0] for packages, _, path in listed}


def package_of(library):
    """The Debian package that a shared library is from; None: no package has it."""
    # Where /lib is a link to /usr/lib a package lists the file under one of the two.
    resolved = library.resolve()
    places = [resolved, library, pathlib.Path("/usr") / str(resolved).lstrip("/")]
    if resolved.is_relative_to("/usr"):
        places.append(pathlib.Path("/") / resolved.relative_to("/usr"))
    return next((libraries()[str(place)] for place in places if str(place) in libraries()), None)


def packages_of(file):
    """The Debian packages of the libraries that the loader opens with `file`, each with these libraries' paths; what is
    bundled, XSP's own and what is not found is left out. A library of somewhere else, beside `file`'s own framework, is too:
    see outside()."""
    packages = {}
    for name, path in sorted(linked(file).items()):
        package = package_of(path) if path else None
        if package:
            packages.setdefault(package, []).append(path)
    return packages


@functools.lru_cache(maxsize=None)
def outside(file):
    """The libraries that `file` asks for and that come neither from a Debian package nor with XSP: of a framework."""
    found = linked(file)
    return [name for name in needed(file)
            if name != BUNDLED and not name.startswith("libxsp") and not name.startswith("ld-linux")
            and (found.get(name) is None or package_of(found[name]) is None)]


@functools.lru_cache(maxsize=None)
def read_for(build):
    """The files that the compiler read for each object of a build folder, as absolute paths. Ninja knows."""
    if not (build / ".ninja_deps").exists():
        fail(f"{build} does not know what was compiled", "run tools/build release (it uses Ninja)", 4)
    read = {}
    for line in run("ninja", "-C", build, "-t", "deps").splitlines():
        if line.startswith(" "):
            files.append(os.path.normpath(os.path.join(build, line.strip())))
        elif line:
            files = read.setdefault(line.split(":")[0], [])
    return read


def compiled_files(build, targets):
    """Every file that the compiler read for these targets of a build folder."""
    objects = [name for name in run("ninja", "-C", build, "-t", "inputs", *targets).splitlines() if name.endswith(".o")]
    return {pathlib.Path(file) for file in {file for name in objects for file in read_for(build).get(name, [])}}


def header_packages(files):
    """The Debian packages whose headers are among `files`."""
    system = sorted(str(file) for file in files if file.is_relative_to("/usr"))
    if not system:
        return set()
    listed = subprocess.run(["dpkg-query", "-S", *system], capture_output=True, text=True).stdout
    return {line.split(":")[0] for line in listed.splitlines()} - NO_CODE


@functools.lru_cache(maxsize=None)
def installed():
    """(version, architecture, source package) of each Debian package that is known here, by its name."""
    lines = run("dpkg-query", "-W", "-f", "${Package}\t${Version}\t${Architecture}\t${source:Package}\n").splitlines()
    # Of a name with several architectures the first, as dpkg-query lists them.
    return {name: rest for name, *rest in (line.split("\t") for line in reversed(lines))}


def source_of(package):
    """The source package of an installed Debian package."""
    return installed()[package][2]


def only_headers(headers, packages):
    """Of `headers`, packages of headers, those of which no library is among `packages`: their code is in the program alone."""
    sources = {source_of(package) for package in packages}
    return {header for header in headers if source_of(header) not in sources}


@functools.lru_cache(maxsize=None)
def targets_of(build):
    """The targets of a build folder that are files of programs and libraries, as Ninja names them, by the absolute path."""
    listed = re.findall(r"^(\S+): C(?:XX)?_(?:EXECUTABLE|SHARED_LIBRARY)_LINKER", run("ninja", "-C", build, "-t", "targets", "all"), re.M)
    return {(build / name).resolve(): name for name in listed}


def compiled_into(build, files):
    """Every file that the compiler read for these programs and libraries of `build`. Workers are builds of their own, in folders
    of it (tools/build)."""
    wanted = {file.resolve() for file in files}
    found = set()
    for folder in [build, *sorted(path.parent for path in build.glob("*/*/build.ninja"))]:
        targets = targets_of(folder)
        here = wanted & targets.keys()
        if here:
            found |= compiled_files(folder, [targets[file] for file in sorted(here)])
            wanted -= here
    if wanted:
        fail(f"nothing says of what it was compiled: {sorted(wanted)[0]}", "run tools/build release")
    return found


def below_deps(files):
    """What tools/setup unpacked and `files` has headers of: the first folder below .deps."""
    deps = (ROOT / ".deps").resolve()
    return {file.resolve().relative_to(deps).parts[0] for file in files if file.resolve().is_relative_to(deps)}
