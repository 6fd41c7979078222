"""The licences of what is linked or bundled, as the packages of it state them."""
import pathlib
import re
import shutil

import package_notice
from package_commands import ROOT

COMMON = pathlib.Path("/usr/share/common-licenses")

DUCKDB_LICENCE = """DuckDB

Copyright 2018-2026 Stichting DuckDB Foundation

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""


def duckdb_holder():
    return re.search(r"^Copyright (.*)$", DUCKDB_LICENCE, re.M)[1]


def copy(packages, target):
    """Copies the licences of Debian packages, of DuckDB and of what is in the pages to the folder `target`, and the common ones
    that they refer to."""
    target.mkdir(parents=True, exist_ok=True)
    referred = set()
    for package in sorted(packages):
        text = package_notice.shortened(package)
        (target / f"{package}.txt").write_text(text)
        referred |= set(re.findall(rf"{COMMON}/([\w.+-]*[\w+])", text))
    for name in sorted(referred):
        if (COMMON / name).exists():
            shutil.copyfile((COMMON / name).resolve(), target / f"common-{name}.txt")
    (target / "duckdb.txt").write_text(DUCKDB_LICENCE)
    shutil.copyfile(ROOT / "web/dist/licences.txt", target / "pages.txt")
