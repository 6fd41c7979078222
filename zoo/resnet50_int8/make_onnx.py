#!/usr/bin/env python3
"""Makes ResNet-50 in 8-bit integers as an ONNX file: zoo/resnet50 with its weights, quantised. No network needed.

Usage: make_onnx.py OUTPUT
"""
# needs: onnx, onnxruntime, numpy, yaml
# imports: ../resnet50/model.py, ../resnet50/manifest.yaml, ../makers/onnx.py
import pathlib
import sys

ZOO = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ZOO / "makers" / "parts"))

import quantised

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    quantised.make(ZOO / "resnet50", sys.argv[1])
