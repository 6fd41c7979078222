"""What depends on where the package lies: the version, and whether the program is beside it (`tools/package wheel`)."""
import pathlib
import re

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel

HERE = pathlib.Path(__file__).resolve().parent
HAS_PROGRAM = (HERE / "xsp" / "program").is_dir()


def version():
    project = next(path for path in (HERE / "CMakeLists.txt", HERE.parent / "CMakeLists.txt") if path.exists())
    return re.search(r"^project\(xsp VERSION (\S+)", project.read_text(encoding="utf-8"), re.M)[1]


class PlatformDistribution(Distribution):
    def has_ext_modules(self):
        return HAS_PROGRAM


class AnyPython(bdist_wheel):
    """Programs of one architecture fit every Python 3."""

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


setup(version=version(), license_files=["LICENSE", "licenses/*"] if HAS_PROGRAM else [], distclass=PlatformDistribution,
      cmdclass={"bdist_wheel": AnyPython})
