"""Notices of Debian packages (/usr/share/doc/PACKAGE/copyright): their text, and their licences in SPDX's words. Most are in
Debian's machine-readable format,
https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"""
import pathlib
import re

from package_commands import fail

NOTICES = pathlib.Path("/usr/share/doc")
LONG_BYTES = 100_000
# Debian's short names of licences where SPDX's differ; versions are handled by spdx().
SHORT_NAMES = {"expat": "MIT", "mit": "MIT", "bsd-2-clause": "BSD-2-Clause", "bsd-3-clause": "BSD-3-Clause", "bsl-1.0": "BSL-1.0",
               "zlib": "Zlib", "x11": "X11", "cc0-1.0": "CC0-1.0", "apache-2.0": "Apache-2.0", "isc": "ISC", "artistic": "Artistic-1.0"}
VERSIONED = {"gpl": ("GPL", True), "lgpl": ("LGPL", True), "epl": ("EPL", False), "mpl": ("MPL", False)}


def read(package):
    """The notice of an installed package."""
    file = NOTICES / package / "copyright"
    if not file.exists():
        fail(f"there is no {file}", f"install the package {package} with its documentation")
    return file.read_text(errors="replace")


def paragraphs(text):
    """The paragraphs of a machine-readable notice, each as text and as its fields; none: it is in another format."""
    if not re.match(r"Format(-Specification)?:", text):
        return []
    blocks = [block for block in re.split(r"\n[ \t]*\n", text) if block.strip()]
    return [(block, {key.lower(): value.strip() for key, value in re.findall(r"^([\w-]+):((?:.*)(?:\n[ \t].*)*)", block, re.M)})
            for block in blocks]


def spdx(name):
    """SPDX's identifier of one licence that Debian names; None: not known here."""
    known = SHORT_NAMES.get(name.lower())
    found = re.fullmatch(r"(L?GPL|EPL|MPL)-(\d+)(?:\.(\d+))?(\+?)", name, re.I)
    if known or not found:
        return known
    family, either = VERSIONED[found[1].lower()]
    later = ("-or-later" if found[4] else "-only") if either else ""
    return f"{family}-{found[2]}.{found[3] or 0}{later}"


def licence(package):
    """The licence that a package states for its files as a whole, as CycloneDX writes it: an identifier of SPDX, else
    Debian's words."""
    stated = [fields["license"].splitlines()[0].strip() for _, fields in paragraphs(read(package))
              if fields.get("files", "").split()[:1] == ["*"] and fields.get("license")]
    if not stated:
        return {"license": {"name": f"see the notice of {package}"}}
    words = re.split(r" (and|or) ", stated[0], flags=re.I)
    names = [spdx(word) if index % 2 == 0 else word.upper() for index, word in enumerate(words)]
    if None in names:
        return {"license": {"name": stated[0]}}
    return {"license": {"id": names[0]}} if len(names) == 1 else {"expression": " ".join(names)}


def shortened(package):
    """The notice of a package; of one that is longer than a book (Boost's: 2 MB, one paragraph for each author) what it says
    about the files as a whole, the texts of their licence, and where the rest is."""
    text = read(package)
    if len(text) < LONG_BYTES:
        return text
    whole = [(block, fields) for block, fields in paragraphs(text) if fields.get("files") == "*"]
    if not whole:
        return text
    named = {fields["license"].splitlines()[0].strip() for _, fields in whole}
    texts = [block for block, fields in paragraphs(text)
             if "files" not in fields and fields.get("license", "").splitlines()[:1] and fields["license"].splitlines()[0].strip() in named]
    rest = f"Shortened. The whole notice is {NOTICES / package / 'copyright'} of the Debian package {package}."
    return "\n\n".join([rest, *(block for block, _ in whole), *texts]) + "\n"
