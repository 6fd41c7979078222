#!/usr/bin/env python3
"""Makes the TorchScript file of a model of the zoo. No network needed.

Usage: torchscript.py ZOO_FOLDER OUTPUT
"""
# needs: torch
# imports: model.py
import pathlib
import sys
import warnings

# A maker has the name of its format, which may be that of a package: its folder must not be searched.
MAKERS = pathlib.Path(__file__).resolve().parent
sys.path[:] = [str(MAKERS / "parts")] + [p for p in sys.path if pathlib.Path(p).resolve() != MAKERS]

import torch
import zoo_model


def main(folder, output):
    # PyTorch announces that TorchScript will be replaced; this file is about TorchScript.
    warnings.simplefilter("ignore", FutureWarning)
    # Scripted, not traced: the operators keep the names that a Python user sees (aten::conv2d, where
    # a trace has aten::_convolution). What cannot be scripted is traced.
    model = zoo_model.load(folder)
    try:
        script = torch.jit.script(model)
    except Exception as why:
        print(f"traced, since it cannot be scripted: {str(why).splitlines()[0]}", file=sys.stderr)
        script = torch.jit.trace(model, zoo_model.example(zoo_model.inputs(folder), 2))
    script.save(output)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
