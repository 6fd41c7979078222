#!/usr/bin/env python3
"""The Debian package, `cmake --install` and the container as a user has them: the package is made, and what is in it runs, is
in its bill of materials, and what it depends on.

With XSP_PACKAGES=all the package is installed in a clean Debian without this source tree, used there as another user, and
removed again; the same commit makes the same bytes; and the container image is built and run (as root, with mmdebstrap and
buildah). Without PyPI or a cache of it, where CycloneDX's schema comes from, everything is skipped."""
import functools
import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release")).resolve()
OUTPUT = BUILD / "debian_package"
WHOLE = os.environ.get("XSP_PACKAGES") == "all"
TREE = "usr/lib/xsp"
DOCUMENTS = "usr/share/doc/xsp"
TOY = "input 64\ndense 128\nrelu\ndense 10\nsoftmax\n"
SAMPLE = ROOT / "src/ingest/importers/kineto/sample/two_kernels.json"
sys.path.insert(0, str(ROOT / "tools"))
import package_sbom  # noqa: E402


def skip_all(why):
    print(f"skipped: {why}")
    sys.exit(77)


def make(output, level):
    done = subprocess.run([ROOT / "tools/package", "deb", "--build", BUILD, "--output", output, "--level", str(level)],
                          capture_output=True, text=True)
    if done.returncode == 4 and "error: cannot install" in done.stderr:
        skip_all(done.stderr.strip())
    if done.returncode != 0:
        sys.exit(f"tools/package deb failed:\n{done.stdout}{done.stderr}")
    return pathlib.Path(done.stdout.strip()), done.stderr


def is_elf(file):
    if not file.is_file():
        return False
    with file.open("rb") as opened:
        return opened.read(4) == b"\x7fELF"


def elf_fields(file, field):
    text = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True).stdout
    return re.findall(rf"\({field}\).*\[(.*)\]", text)


class PackageTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="xsp-package-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_in(self, *command, status=0, **options):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=900, **options)
        self.assertEqual(done.returncode, status, f"{command}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
        return done.stdout

    def use(self, xsp, tree, *options):
        """What a user does first, with the program `xsp`, called as run_in() calls commands; `tree` is where it must find its
        parts; `options` are those of `xsp run`."""
        parts = {part["part"]: part for part in json.loads(xsp("doctor", "--format", "json"))}
        self.assertEqual(parts["report page"]["where_or_how"], f"{tree}/share/xsp/web/dist/report.html")
        self.assertEqual(parts["recording Python programs"]["where_or_how"], f"{tree}/lib/python_hook/sitecustomize.py")
        self.assertEqual(parts["worker example"]["where_or_how"], f"{tree}/bin/xsp-worker-example")
        self.assertTrue(parts["DuckDB"]["found"])
        xsp("run", "toy.toy", "--backend", "example", "--iterations", "20", "--name", "toy", *options)
        self.assertEqual(xsp("report", "toy", "-o", "toy.html"), "toy.html\n")
        self.assertIsInstance(json.loads(xsp("findings", "toy", "--format", "json")), (list, dict))
        xsp("import", "two_kernels.json", "--name", "trace")
        listed = [row["name"] for row in json.loads(xsp("list", "--format", "json"))]
        self.assertEqual(sorted(listed), ["toy", "trace"])


    def use_below(self, prefix):
        """use() with the tree of this machine below `prefix`."""
        (self.folder / "toy.toy").write_text(TOY)
        shutil.copy(SAMPLE, self.folder)
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "XSP_STORE": str(self.folder / "store")}
        self.use(lambda *words: self.run_in(prefix / "bin/xsp", *words, cwd=self.folder, env=environment),
                 (prefix / "lib/xsp").resolve(), "--no-roofs")
        self.assertIn("</html>", (self.folder / "toy.html").read_text())


class MadePackageTest(PackageTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="xsp-package-")
        cls.addClassCleanup(folder.cleanup)
        cls.root = pathlib.Path(folder.name)
        cls.package, cls.said = make(OUTPUT, 0)
        subprocess.run(["dpkg-deb", "-x", cls.package, cls.root], check=True)
        cls.bill = json.loads(cls.package.with_suffix(".cdx.json").read_text())
        cls.elf = sorted(file for folder in ("bin", "lib") for file in (cls.root / TREE / folder).iterdir() if is_elf(file))

    def field(self, name):
        return self.run_in("dpkg-deb", "-f", self.package, name).strip()

    @classmethod
    @functools.lru_cache(maxsize=None)
    def libraries(cls):
        """The libraries outside the package that its programs are linked with, by package of Debian, as the loader finds them;
        and the names of those that it does not find."""
        packages, missing = {}, set()
        for file in cls.elf:
            text = subprocess.run(["ldd", file], capture_output=True, text=True).stdout
            missing |= {(file.name, name) for name in re.findall(r"(\S+) => not found", text)}
            if "not found" in text:  # An observer of PyTorch: in the process that loads it the rest is there.
                continue
            for path in map(pathlib.Path, re.findall(r"=> (/\S+)", text)):
                if path.resolve().is_relative_to(cls.root.resolve()):
                    continue
                listed = subprocess.run(["dpkg-query", "-S", path, path.resolve(), f"/usr{path}", f"/usr{path.resolve()}"],
                                        capture_output=True, text=True).stdout
                packages.setdefault(listed.split(":")[0], set()).add(path)
        return packages, missing

    def component(self, name):
        return next(each for each in self.bill["components"] if each["name"] == name)

    def linked_components(self, linkage):
        return {each["name"]: each for each in self.bill["components"]
                if {"name": "xsp:linkage", "value": linkage} in each["properties"]}

    def test_it_runs_from_where_it_was_unpacked(self):
        self.use_below(self.root / "usr")

    def test_the_command_is_a_link_into_the_tree(self):
        self.assertEqual(os.readlink(self.root / "usr/bin/xsp"), "../lib/xsp/bin/xsp")

    def test_programs_look_for_libraries_in_the_package_and_the_system_alone(self):
        self.assertIn(self.root / TREE / "lib/libduckdb.so", self.elf)
        for file in self.elf:
            for places in elf_fields(file, "RUNPATH") + elf_fields(file, "RPATH"):
                self.assertRegex(places, r"^\$ORIGIN(/\.\./lib)?$", file)
            self.assertEqual(file.stat().st_mode & 0o777, 0o755 if file.parent.name == "bin" else 0o644, file)
            sections = self.run_in("readelf", "-SW", file)
            self.assertNotIn(".debug_info", sections, file)

    def test_every_program_starts(self):
        missing = self.libraries()[1]
        self.assertFalse([pair for pair in missing if not pair[0].startswith("libxsp-torch-")])

    def test_it_has_what_runs_without_a_framework_of_pip_and_says_what_it_leaves_out(self):
        inside = {file.name for file in self.elf}
        for program in (BUILD / "bin").glob("xsp-*"):
            needs = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
            outside = re.search(r"/(\.deps|site-packages|dist-packages)/|not found", needs)
            self.assertEqual(program.name in inside, not outside, program)
            if outside:
                self.assertIn(f"without {program.name}: it needs", self.said)
        self.assertLessEqual({path.name for path in (BUILD / "lib").glob("libxsp-*.so") if "worker" not in path.name}, inside)

    def test_data_is_that_of_the_source_tree(self):
        data = self.root / TREE / "share/xsp"
        for folder in ("analyses", "findings", "levels", "lake", "zoo", "suites", "machine", "schema"):
            here = {path.name for path in (ROOT / folder).iterdir()} - {"__pycache__", "golden", "test"}
            self.assertEqual({path.name for path in (data / folder).iterdir()}, here, folder)
        names = [path.name for path in data.rglob("*")]
        self.assertFalse({"golden", "__pycache__"} & set(names))

    def test_it_depends_on_the_packages_of_its_libraries(self):
        depends = {word.split()[0] for word in self.field("Depends").split(", ")}
        suggests = {word.split()[0] for word in self.field("Suggests").split(", ") if word}
        owners = {}
        for package, paths in self.libraries()[0].items():
            owners.update({path.name: package for path in paths})
        direct = {owners[name]: file for file in self.elf for name in elf_fields(file, "NEEDED") if name in owners}
        self.assertEqual(depends & suggests, set())
        # Packages that another needs anyway may be left to it, such as libgcc-s1.
        self.assertLessEqual(depends | suggests, set(direct))
        self.assertLessEqual(set(direct), depends | suggests | {"libgcc-s1"})
        of_workers = {owners[name] for file in self.elf if file.name.startswith("xsp-worker-")
                      for name in elf_fields(file, "NEEDED") if name in owners}
        self.assertLessEqual(suggests, of_workers)
        self.assertEqual(self.field("Recommends"), "python3")

    def test_documents_are_where_debian_wants_them(self):
        documents = self.root / DOCUMENTS
        copyright_fields = (documents / "copyright").read_text()
        self.assertTrue(copyright_fields.startswith("Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"))
        for pattern in re.findall(r"^Files: (.*)$", copyright_fields, re.M)[1:]:
            self.assertTrue(list(self.root.glob(pattern)), pattern)
        self.assertIn("DuckDB Foundation", copyright_fields)
        self.assertRegex(gzip.decompress((documents / "changelog.gz").read_bytes()).decode(),
                         rf"^xsp \({re.escape(self.field('Version'))}\) .*\n\n  \* .*\n\n -- .* <.*>  \w\w\w, ")
        self.assertIn(".TH XSP 1", gzip.decompress((self.root / "usr/share/man/man1/xsp.1.gz").read_bytes()).decode())
        notices = {file.stem for file in (documents / "licences").iterdir()}
        self.assertLessEqual(set(self.linked_components("headers")) & set(self.installed()), notices)
        self.assertIn("libboost1.74-dev", notices | {"libboost1.74-dev"} - set(self.installed()))

    @classmethod
    @functools.lru_cache(maxsize=None)
    def installed(cls):
        """The version of each installed package of Debian."""
        listed = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${Version}\n"], capture_output=True, text=True, check=True)
        return dict(line.split(" ", 1) for line in listed.stdout.splitlines())

    def test_its_sums_are_those_of_its_files(self):
        self.run_in("dpkg-deb", "-e", self.package, self.folder)
        sums = dict(reversed(line.split("  ", 1)) for line in (self.folder / "md5sums").read_text().splitlines())
        files = {str(file.relative_to(self.root)): file for file in self.root.rglob("*") if file.is_file() and not file.is_symlink()}
        self.assertEqual(set(sums), set(files))
        wrong = [name for name, file in files.items() if hashlib.md5(file.read_bytes()).hexdigest() != sums[name]]
        self.assertEqual(wrong, [])
        listed = self.run_in("dpkg-deb", "-c", self.package)
        self.assertEqual(set(re.findall(r"^\S+ (\S+)", listed, re.M)), {"root/root"})

    def test_the_bill_of_materials_satisfies_the_schema_of_cyclonedx(self):
        python = OUTPUT / "package/environment/bin/python"
        self.assertEqual(json.loads((self.root / DOCUMENTS / "sbom.cdx.json").read_text()), self.bill)
        package_sbom.check(self.package.with_suffix(".cdx.json"), python)
        # The check can fail.
        broken = self.folder / "broken.cdx.json"
        package_sbom.write({**self.bill, "components": [{"name": "without a type"}]}, broken)
        with self.assertRaises(SystemExit):
            package_sbom.check(broken, python)

    def test_the_bill_of_materials_has_each_linked_library_in_its_version(self):
        packages = self.libraries()[0]
        shared = self.linked_components("shared")
        self.assertEqual(set(shared), set(packages))
        for name, each in shared.items():
            self.assertEqual(each["version"], self.installed()[name])
            self.assertTrue(each["purl"].startswith(f"pkg:deb/debian/{name.replace('+', '%2B')}@"), each["purl"])
            sums = {file["name"]: file["hashes"][0]["content"] for file in each["components"]}
            self.assertEqual(sums, {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in packages[name]})

    def test_the_bill_of_materials_has_headers_pages_and_duckdb(self):
        headers = self.linked_components("headers")
        self.assertLessEqual({"nlohmann-json3-dev", "libcli11-dev", "libeigen3-dev", "libkainjow-mustache-dev"}, set(headers))
        bundled = {(each["name"], each["version"]): each for each in self.bill["components"] if each["purl"].startswith("pkg:npm/")}
        lock = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
        self.assertIn(("preact", lock["node_modules/preact"]["version"]), bundled)
        stated = re.findall(r"^(\S+) (\S+)\n=+$", (self.root / TREE / "share/xsp/web/dist/licences.txt").read_text(), re.M)
        database = next(name for name in bundled if name[0].startswith("@duckdb/"))
        self.assertEqual(set(bundled) - {database}, set(stated))
        self.assertEqual(database[1], re.search(r"^DUCKDB_LIBRARY_VERSION=(.*)$", (ROOT / "tools/versions.env").read_text(), re.M)[1])
        self.assertTrue(all(each["licenses"] for each in self.bill["components"]))

    def test_the_bill_of_materials_says_what_needs_what(self):
        needs = {each["ref"]: each["dependsOn"] for each in self.bill["dependencies"]}
        own = self.bill["metadata"]["component"]["bom-ref"]
        self.assertEqual(set(needs), {own, *(each["bom-ref"] for each in self.bill["components"])})
        self.assertIn(self.component("libfmt9")["bom-ref"], needs[own])
        # Clp needs CoinUtils, which needs LAPACK; the program asks for neither.
        self.assertIn(self.component("coinor-libcoinutils3v5")["bom-ref"], needs[self.component("coinor-libclp1")["bom-ref"]])
        self.assertNotIn(self.component("liblapack3")["bom-ref"], needs[own])
        reached, todo = set(), [own]
        while todo:
            reference = todo.pop()
            if reference not in reached:
                reached.add(reference)
                todo += needs[reference]
        self.assertEqual(reached, set(needs))


class InstalledTest(PackageTest):
    def test_cmake_installs_the_same_tree(self):
        prefix = self.folder / "prefix"
        self.run_in("cmake", "--install", BUILD, "--prefix", prefix, "--strip")
        self.assertEqual(os.readlink(prefix / "bin/xsp"), "../lib/xsp/bin/xsp")
        self.use_below(prefix)
        # What is missing is not to be had from a folder that is not there.
        doctor = subprocess.run([prefix / "bin/xsp", "doctor"], capture_output=True, text=True, check=True,
                                env={**os.environ, "XSP_WORKER_PATH": str(self.folder)})
        self.assertEqual("source tree" in doctor.stderr, "tools/" in doctor.stdout, doctor.stderr)
        # All workers that were built: their frameworks are where they were found.
        self.assertEqual({file.name for file in (prefix / "lib/xsp/bin").iterdir()},
                         {"xsp", *(file.name for file in (BUILD / "bin").glob("xsp-*"))})
        files = {str(file) for file in prefix.rglob("*") if file.is_file() or file.is_symlink()}
        self.assertEqual(set((BUILD / "install_manifest.txt").read_text().split()), files)

    def test_without_a_program_the_hint_names_the_command_that_builds_it(self):
        done = subprocess.run([sys.executable, ROOT / "tools/package_tree.py", "--build", self.folder, "--prefix", self.folder / "p"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 4)
        self.assertIn(f"error: there is no program {self.folder}/bin/xsp\nhint: run tools/build release", done.stderr)

    def test_without_a_builder_of_images_the_hint_names_one(self):
        done = subprocess.run([sys.executable, ROOT / "tools/package_container"], capture_output=True, text=True,
                              env={"PATH": str(self.folder)})
        self.assertEqual(done.returncode, 4)
        self.assertIn("hint: install one: apt install buildah", done.stderr)


@unittest.skipUnless(WHOLE, "only with XSP_PACKAGES=all")
class CleanDebianTest(PackageTest):
    @classmethod
    def setUpClass(cls):
        if os.geteuid() != 0 or shutil.which("mmdebstrap") is None:
            raise unittest.SkipTest("needs root and mmdebstrap (tools/setup --all)")
        folder = tempfile.TemporaryDirectory(prefix="xsp-clean-debian-")
        cls.addClassCleanup(folder.cleanup)
        cls.work = pathlib.Path(folder.name)
        cls.package, _ = make(OUTPUT, 1)
        cls.base = cls.work / "base.tar"
        codename = re.search(r"^VERSION_CODENAME=(\S+)", pathlib.Path("/etc/os-release").read_text(), re.M)[1]
        # The archives that this machine uses.
        sources = [file for file in (pathlib.Path("/etc/apt/sources.list"), *pathlib.Path("/etc/apt/sources.list.d").glob("debian*"))
                   if file.exists() and file.stat().st_size > 0]
        done = subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", codename, cls.base, *sources], capture_output=True,
                              text=True, timeout=900)
        if done.returncode != 0:
            raise AssertionError(f"mmdebstrap failed:\n{done.stderr[-3000:]}")

    def in_root(self, root, *command, user=None, **options):
        """Runs a command in the system below `root`, as root or another user. What is mounted there ends with it."""
        script = 'mount --rbind /proc "$1/proc" && root=$1 && shift && exec chroot $CHROOT_USER "$root" "$@"'
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/home/visitor" if user else "/root", "LC_ALL": "C.UTF-8",
                       "DEBIAN_FRONTEND": "noninteractive", "CHROOT_USER": f"--userspec={user}" if user else "",
                       **{name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}}
        return self.run_in("unshare", "--mount", "sh", "-c", script, "sh", root, *command, env=environment, **options)

    def test_it_is_installed_used_and_removed(self):
        root = self.folder / "root"
        root.mkdir()
        self.run_in("tar", "-xf", self.base, "-C", root)
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        before = self.files_of(root)
        shutil.copy(self.package, root / "xsp.deb")
        self.in_root(root, "apt-get", "update", "-q")
        self.in_root(root, "apt-get", "install", "-q", "-y", "--no-install-recommends", "/xsp.deb")
        self.assertFalse((root / str(ROOT).lstrip("/")).exists())
        self.in_root(root, "useradd", "--create-home", "--uid", "1234", "visitor")
        home = root / "home/visitor"
        (home / "toy.toy").write_text(TOY)
        shutil.copy(SAMPLE, home)
        self.use(lambda *words: self.in_root(root, "sh", "-c", 'cd && exec xsp "$@"', "sh", *words, user="1234:1234"), "/usr/lib/xsp")
        self.assertIn("</html>", (home / "toy.html").read_text())
        self.in_root(root, "sh", "-c", "ls /usr/lib/xsp/bin/* | grep -v opencv | xargs ldd | { ! grep 'not found'; }")
        # What Python leaves when root runs it goes, too.
        compiled = root / "usr/lib/xsp/share/xsp/zoo/makers/__pycache__"
        compiled.mkdir()
        (compiled / "onnx.pyc").touch()
        self.in_root(root, "apt-get", "purge", "-q", "-y", "xsp")
        self.assertEqual([name for name in self.files_of(root) - before if "xsp" in name], ["xsp.deb"])

    @staticmethod
    def files_of(root):
        return {str(file.relative_to(root)) for folder in root.iterdir() if folder.name not in ("proc", "sys", "dev", "home", "tmp")
                for file in [folder, *(folder.rglob("*") if not folder.is_symlink() else [])]}

    def test_the_same_commit_makes_the_same_bytes(self):
        first = self.package.read_bytes(), self.package.with_suffix(".cdx.json").read_bytes()
        again, _ = make(OUTPUT, 1)
        self.assertEqual(hashlib.sha256(first[0]).hexdigest(), hashlib.sha256(again.read_bytes()).hexdigest())
        self.assertEqual(first[1], again.with_suffix(".cdx.json").read_bytes())

    def test_the_container_image_is_built_and_runs_as_a_user(self):
        if shutil.which("buildah") is None:
            self.skipTest("no buildah (apt install buildah)")
        (self.folder / "storage.conf").write_text(
            f'[storage]\ndriver = "vfs"\ngraphroot = "{self.folder}/storage"\nrunroot = "{self.folder}/run"\n')
        environment = {**os.environ, "CONTAINERS_STORAGE_CONF": str(self.folder / "storage.conf"), "BUILDAH_ISOLATION": "chroot",
                       "STORAGE_DRIVER": "vfs"}
        buildah = functools.partial(self.run_in, "buildah", env=environment)
        base = buildah("from", "scratch").strip()
        buildah("add", "-q", base, self.base, "/")
        buildah("commit", "-q", base, "localhost/clean-debian")
        image = self.run_in(ROOT / "tools/package", "container", "--builder", "buildah", "--deb", self.package,
                            "--base", "localhost/clean-debian", env=environment).strip()
        described = json.loads(buildah("inspect", "--type", "image", f"localhost/{image}"))["OCIv1"]["config"]
        self.assertEqual((described["User"], described["Entrypoint"], list(described["Volumes"])), ("xsp", ["xsp"], ["/store"]))
        container = buildah("from", f"localhost/{image}").strip()
        inside = functools.partial(buildah, "run", container, "--")
        self.assertEqual(inside("id", "-un").strip(), "xsp")
        inside("sh", "-c", f"printf '{TOY.encode('unicode_escape').decode()}' > toy.toy")
        inside("xsp", "run", "toy.toy", "--backend", "example", "--iterations", "20", "--name", "toy")
        self.assertIn("toy", inside("ls", "/store"))
        self.assertEqual(inside("sh", "-c", "ls /packages /var/lib/apt/lists 2>&1 | grep -c deb || true").strip(), "0")


if __name__ == "__main__":
    unittest.main()
