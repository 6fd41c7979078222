"""A program calls torch.set_num_threads(1), as advice for servers with many processes says, but is the only process of the machine. Repaired:
the call is removed."""
import os
import sys

RULE = "idle_cores"
GAIN = True
SETTINGS = {"environment": {"OMP_NUM_THREADS": str(len(os.sched_getaffinity(0)))}}

PROGRAM = """
import torch

{threads}
torch.manual_seed(1)
model = torch.nn.Sequential(*[torch.nn.Sequential(torch.nn.Linear(768, 3072), torch.nn.ReLU(), torch.nn.Linear(3072, 768))
                              for _ in range(4)]).eval()
request = torch.randn(64, 768)
with torch.inference_mode():
    for _ in range(120):
        model(request)
"""


def build(folder, repaired):
    script = folder / "program.py"
    script.write_text(PROGRAM.format(threads="" if repaired else "torch.set_num_threads(1)"))
    return ["record", "--no-roofs", "--", sys.executable, str(script)]
