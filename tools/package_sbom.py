"""The bill of materials of a package (SBOM), in CycloneDX 1.6: Debian packages of libraries that the programs are linked with, packages
whose headers are compiled in, DuckDB, and packages that are part of the pages; with versions, licences, hashes, and which needs
which. All of it is read from what is installed, from the build and from lock files."""
import base64
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import urllib.parse
import uuid

import package_notice
import package_origin
from package_commands import DEPS, ROOT, fail, pinned, run, source_date, version

# Headers that tools/setup unpacks without their packages' own description: kind, name, version, licence.
UNPACKED = {
    "nvtx": [("pypi", "nvidia-nvtx", "NVTX_VERSION", {"expression": "Apache-2.0 WITH LLVM-exception"})],
    "cuda": [("pypi", f"nvidia-cuda-{part}", f"CUDA_{part.upper()}_VERSION", {"license": {"name": "NVIDIA CUDA Toolkit EULA"}})
             for part in ("cupti", "runtime", "crt")],
}


def quoted(text):
    return urllib.parse.quote(text, safe="")


def purl(kind, name, number, **qualifiers):
    """A package URL (github.com/package-url/purl-spec)."""
    space, _, last = name.rpartition("/")
    words = f"pkg:{kind}/{quoted(space) + '/' if space else ''}{quoted(last)}@{quoted(number)}"
    return words + ("?" + "&".join(f"{key}={quoted(value)}" for key, value in sorted(qualifiers.items())) if qualifiers else "")


def component(reference, name, number, licence, linkage, **more):
    return {"type": "library", "bom-ref": reference, "name": name, "version": number, "licenses": [licence], "purl": reference,
            "properties": [{"name": "xsp:linkage", "value": linkage}], **more}


def sha256(file):
    return {"alg": "SHA-256", "content": hashlib.sha256(file.read_bytes()).hexdigest()}


def distribution():
    """The name and the release of this system: "debian", "12"."""
    fields = dict(re.findall(r"^(\w+)=(.*)$", pathlib.Path("/etc/os-release").read_text(), re.M))
    return fields["ID"].strip('"'), fields.get("VERSION_ID", "sid").strip('"')


def debian(package, linkage, files=()):
    """The component of an installed Debian package; `files`: its libraries that are loaded."""
    number, architecture, _ = package_origin.installed()[package]
    system, release = distribution()
    reference = purl("deb", f"{system}/{package}", number, arch=architecture, distro=f"{system}-{release}")
    parts = [{"type": "file", "bom-ref": f"{reference}#{file.name}", "name": file.name, "hashes": [sha256(file)]} for file in files]
    return component(reference, package, number, package_notice.licence(package), linkage, **({"components": parts} if parts else {}))


def duckdb(library):
    name = f"@duckdb/node-bindings-linux-{ {'x86_64': 'x64', 'aarch64': 'arm64'}[run('uname', '-m').strip()]}"
    number = pinned("DUCKDB_LIBRARY_VERSION")
    return component(purl("npm", name, number), name, number, {"license": {"id": "MIT"}}, "bundled", hashes=[sha256(library)])


def described(folder):
    """The description of the Python package that a folder is of, or holds; None: there is none."""
    for place, name in ((folder.parent, folder.name), (folder, folder.name)):
        for pattern in (f"{name}-*.dist-info/METADATA", f"{name}_cpu-*.dist-info/METADATA"):
            for file in sorted(place.glob(pattern)):
                return file
    return None


def of_a_wheel(folder):
    """The component of the Python package that a folder of headers is from; None: it is from none."""
    description = next(filter(None, map(described, (folder, *folder.parents))), None)
    if description is None:
        return None
    head = description.read_text(errors="replace").split("\n\n")[0]
    fields = dict(re.findall(r"^(Name|Version|License-Expression|License): (.*)$", head, re.M))
    stated = fields.get("License-Expression")
    licence = {"expression": stated} if stated else {"license": {"name": fields.get("License") or "see the package's description"}}
    number = fields["Version"].split("+")[0]
    return component(purl("pypi", fields["Name"].lower(), number), fields["Name"], number, licence, "headers")


def unpacked(files):
    """The components of headers among `files` that no Debian package has: unpacked by tools/setup, or a framework's."""
    deps, found = DEPS.resolve(), {}
    for folder in {file.resolve().parent for file in files if not file.is_relative_to("/usr")}:
        name = folder.relative_to(deps).parts[0] if folder.is_relative_to(deps) else ""
        for kind, package, variable, licence in UNPACKED.get(name, []):
            number = pinned(variable)
            found[package] = component(purl(kind, package, number), package, number, licence, "headers")
        made = of_a_wheel(folder) if name not in UNPACKED else None
        if made:
            found[made["name"]] = made
    return list(found.values())


def page_component(name, number, entry):
    algorithm, _, digest = entry["integrity"].partition("-")
    hashes = [{"alg": algorithm.upper().replace("SHA", "SHA-"), "content": base64.b64decode(digest).hex()}]
    words = entry.get("license") or "see web/dist/licences.txt"
    licence = {"expression": words} if " OR " in words or " AND " in words else {"license": {"name" if " " in words else "id": words}}
    return component(purl("npm", name, number), name, number, licence, "bundled", hashes=hashes)


def found_from(lock, path, name):
    """Where the package at `path` of a lock file finds the package `name`: in the nearest node_modules above; None: nowhere."""
    while True:
        place = f"{path}/node_modules/{name}".lstrip("/")
        if place in lock or not path:
            return place if place in lock else None
        path = path.rpartition("/node_modules/")[0] if "/node_modules/" in path else ""


def pages():
    """The components of the pages, and which needs which: web/dist/licences.txt has their names, the lock file the rest."""
    lock = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    places = {}
    for name, number in re.findall(r"^(\S+) (\S+)\n=+$", (ROOT / "web/dist/licences.txt").read_text(), re.M):
        here = [path for path, entry in lock.items() if path.endswith(f"node_modules/{name}") and entry.get("version") == number]
        if not here:
            fail(f"web/package-lock.json has no {name} {number}", "run tools/build release: the pages are older")
        made = page_component(name, number, lock[here[0]])
        places.update({path: made for path in here})
    needs = {}
    for path, made in places.items():
        found = {found_from(lock, path, name) for name in lock[path].get("dependencies", {})}
        needs.setdefault(made["bom-ref"], set()).update(places[place]["bom-ref"] for place in found if place in places)
    return list({made["bom-ref"]: made for made in places.values()}.values()), {own: sorted(found) for own, found in needs.items()}


def libraries(files):
    """Of programs and libraries: the component of each Debian package that they are linked with, the packages that each of these
    needs, and those that the files need themselves; all by package name."""
    packages = {}
    for file in files:
        for package, paths in package_origin.packages_of(file).items():
            packages.setdefault(package, set()).update(paths)
    owner = {path.name: package for package, paths in packages.items() for path in paths}
    needs = {package: {owner[name] for path in paths for name in package_origin.needed(path) if name in owner} - {package}
             for package, paths in packages.items()}
    direct = {owner[name] for file in files for name in package_origin.needed(file) if name in owner}
    return {package: debian(package, "shared", sorted(paths)) for package, paths in packages.items()}, needs, direct


def make(build, files):
    """The SBOM of a package with these programs and libraries of `build`, as CycloneDX's document. Libraries of frameworks, which
    no package has, are not part of it."""
    shared, needs, direct = libraries([file for file in files if not package_origin.outside(file)])
    sources = package_origin.compiled_into(build, files)
    headers = package_origin.only_headers(package_origin.header_packages(sources), shared)
    in_pages, page_needs = pages()
    database = duckdb(package_origin.linked(build / "bin/xsp")[package_origin.BUNDLED])
    others = [*(debian(package, "headers") for package in sorted(headers)), *unpacked(sources), database, *in_pages]
    components = sorted([*shared.values(), *others], key=lambda each: each["bom-ref"])
    own = purl("generic", "xsp", version())
    inner = {reference for references in page_needs.values() for reference in references}
    graph = {own: sorted({shared[package]["bom-ref"] for package in direct} | {each["bom-ref"] for each in others} - inner)}
    graph |= {shared[package]["bom-ref"]: sorted(shared[other]["bom-ref"] for other in needed) for package, needed in needs.items()}
    graph |= page_needs
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "metadata": {"timestamp": source_date().strftime("%Y-%m-%dT%H:%M:%SZ"),
                     "component": {"type": "application", "bom-ref": own, "name": "xsp", "version": version(), "purl": own,
                                   "licenses": [{"license": {"id": "Apache-2.0"}}]}},
        "components": components,
        "dependencies": [{"ref": each, "dependsOn": graph.get(each, [])} for each in [own, *(each["bom-ref"] for each in components)]],
    }
    return {**document, "serialNumber": uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(document, sort_keys=True)).urn}


CHECK = """import json, pathlib, sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(pathlib.Path(sys.argv[1]).read_text())
sys.exit(f"{error}"[:3000] if error else 0)
"""


def check(file, python):
    """Ends the package where `file` is not as CycloneDX's schema has it. `python`: one with package_requirements.txt."""
    done = subprocess.run([python, "-c", CHECK, file], capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stdout + done.stderr, file=sys.stderr)
        fail(f"{file.name} does not satisfy CycloneDX's schema", "the schema's message is above", 1)


def write(document, file):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
