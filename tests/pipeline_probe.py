"""What the two tests of pipelines share: the probe (src/pipeline/steps/pipeline_probe_main.cc) as a process to ask, and the Pythons that
have what they compare with."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import python_modules

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
PROBE = BUILD / "bin" / "pipeline_probe"
SAMPLES = ROOT / "src" / "pipeline" / "sample"
INSIDE = "XSP_PIPELINE_TEST_INSIDE"
BITS_OF_BFLOAT16 = "uint16"


def enter_python(candidates, imports, missing):
    """Runs this script again in the first of the candidates that has all; skips it by name when there is none."""
    if os.environ.get(INSIDE):
        return
    tried = []
    for python in filter(None, candidates):
        if not pathlib.Path(python).exists():
            tried.append(f"{python} does not exist")
            continue
        lacks = python_modules.missing(python, *imports)
        if not lacks:
            os.execve(python, [str(python), *sys.argv], {**os.environ, INSIDE: "1"})
        tried.append(f"{python} lacks {', '.join(lacks)}")
    print(f"skipped: {missing}: {'; '.join(tried)}")
    sys.exit(77)


class Probe:
    """Asks the probe; tensors go through files in a folder of its own."""

    def __init__(self, folder=SAMPLES):
        self.scratch = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.scratch.name)
        self.process = subprocess.Popen([str(PROBE), str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.scratch.cleanup()

    def ask(self, request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"the probe ended at: {request}")
        return json.loads(line)

    def prepare(self, steps, **source):
        """The tensors that the steps make, and the placement."""
        import numpy
        answer = self.ask({"prepare": steps, "out": str(self.path / "tensor"), **source})
        if "error" in answer:
            raise AssertionError(answer["error"])
        tensors = []
        for tensor in answer["tensors"]:
            dtype = BITS_OF_BFLOAT16 if tensor["dtype"] == "bfloat16" else tensor["dtype"]
            tensors.append(numpy.fromfile(tensor["file"], dtype=dtype).reshape(tensor["shape"]))
        return tensors, answer["placement"]

    def post(self, steps, outputs, placements):
        """The predictions that the steps make of arrays by name."""
        described = []
        for number, (name, array) in enumerate(outputs.items()):
            path = self.path / f"output{number}"
            path.write_bytes(array.tobytes())
            described.append({"name": name, "dtype": str(array.dtype), "shape": list(array.shape), "file": str(path)})
        answer = self.ask({"post": steps, "outputs": described, "placements": placements})
        if "error" in answer:
            raise AssertionError(answer["error"])
        return answer["predictions"]


def photograph(numpy, width, height, seed):
    """Pixels with smooth parts, edges and noise."""
    rng = numpy.random.default_rng(seed)
    y, x = numpy.mgrid[0:height, 0:width]
    smooth = 127 + 60 * numpy.sin(x / 17 + seed) + 60 * numpy.cos(y / 11)
    pixels = numpy.stack([smooth, numpy.roll(smooth, 9, 1), 255 - smooth], axis=2) + rng.normal(0, 6, (height, width, 3))
    pixels[height // 3: height // 2, width // 4: width // 2] = rng.integers(0, 256, 3)
    return numpy.clip(pixels, 0, 255).astype(numpy.uint8)
