"""Executes the example notebooks by a kernel of the Python with PyTorch that XSP_NOTEBOOK_PYTHON names."""
import json
import os
import pathlib
import tempfile
import unittest

import nbclient
import nbformat

EXAMPLES = pathlib.Path(os.environ["XSP_TEST_TREE"]) / "python/examples"


class NotebookTest(unittest.TestCase):
    def test_notebooks_run_and_show_what_they_say(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        notebooks = sorted(EXAMPLES.glob("*.ipynb"))
        self.assertTrue(notebooks)
        for path in notebooks:
            with self.subTest(path.name):
                notebook = nbformat.read(path, as_version=4)
                nbformat.validate(notebook)
                client = nbclient.NotebookClient(notebook, timeout=900, kernel_name=self.kernel(folder.name),
                                                 resources={"metadata": {"path": folder.name}})
                client.execute()
                shown = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
                self.assertFalse([one for one in shown if one.output_type == "error"])
                html = "".join(one.data.get("text/html", "") for one in shown if "data" in one)
                for piece in ("<table>", "latency_ns", "aten::conv2d", "Findings"):
                    self.assertIn(piece, html)

    def kernel(self, folder):
        """A kernel whose packages are those of both Pythons: ipykernel's of this one, PyTorch and the wheel of the other."""
        import ipykernel

        place = pathlib.Path(folder) / "jupyter/kernels/torch"
        place.mkdir(parents=True, exist_ok=True)
        python = os.environ["XSP_NOTEBOOK_PYTHON"]
        beside = str(pathlib.Path(ipykernel.__file__).parent.parent)
        start = f"import sys; sys.path.append({beside!r}); from ipykernel.kernelapp import launch_new_instance; launch_new_instance()"
        environment = {"PYTHONPATH": "", "PYTHONDONTWRITEBYTECODE": "1"}
        (place / "kernel.json").write_text(json.dumps({"argv": [python, "-c", start, "-f", "{connection_file}"], "display_name": "torch",
                                                       "language": "python", "env": environment}))
        os.environ["JUPYTER_PATH"] = str(pathlib.Path(folder) / "jupyter")
        return "torch"


if __name__ == "__main__":
    unittest.main()
