"""A notebook's first cell calls torch.set_num_threads(1), for a comparison of long ago, and a later cell predicts with a convolutional network.
Repaired: the call is removed."""
import os
import sys

RULE = "idle_cores"
GAIN = True
TUNED = "Long kernels of the framework count as parallel since this fault was measured."
SETTINGS = {"environment": {"OMP_NUM_THREADS": str(len(os.sched_getaffinity(0)))}}

PROGRAM = """
CELLS = ['''
import torch
torch.manual_seed(1)
{threads}
''', '''
def block(inputs, outputs):
    return torch.nn.Sequential(torch.nn.Conv2d(inputs, outputs, 3, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2))

network = torch.nn.Sequential(block(3, 32), block(32, 64), block(64, 96), torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(),
                              torch.nn.Linear(96, 10)).eval()
''', '''
images = torch.rand(8, 3, 96, 96)
with torch.no_grad():
    answers = [network(images).argmax(1) for _ in range(120)]
''']
names = dict(__name__="__main__")
for cell in CELLS:
    exec(compile(cell, "<cell>", "exec"), names)
"""


def build(folder, repaired):
    script = folder / "program.py"
    script.write_text(PROGRAM.format(threads="" if repaired else "torch.set_num_threads(1)"))
    return ["record", "--no-roofs", "--", sys.executable, str(script)]
