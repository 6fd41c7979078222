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
block = lambda: torch.nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True, norm_first=True)
model = torch.nn.Sequential(*[block() for _ in range(4)]).eval()
sentences = torch.randn(8, 128, 512)
# With gradients recorded, so that the layers take their usual operators.
for _ in range({calls}):
    model(sentences)
"""


def build(folder, repaired):
    script = folder / "program.py"
    script.write_text(PROGRAM.format(threads="" if repaired else "torch.set_num_threads(1)", calls=60))
    return ["record", "--", sys.executable, str(script)]
