"""The wheel has programs of one architecture, and fits every Python 3."""
import pathlib

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel

HAS_PROGRAM = (pathlib.Path(__file__).resolve().parent / "xsp" / "program").is_dir()


class PlatformDistribution(Distribution):
    def has_ext_modules(self):
        return HAS_PROGRAM


class AnyPython(bdist_wheel):
    def get_tag(self):
        platform = super().get_tag()[2]
        return "py3", "none", platform


setup(distclass=PlatformDistribution, cmdclass={"bdist_wheel": AnyPython})
