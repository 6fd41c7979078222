"""A training loop that keeps its data set as Python objects calls gc.collect() every twelve steps, against memory that it never leaked. Repaired:
without the call; reference counts free the tensors of a step."""
import sys

RULE = "slow_steps"
GAIN = True

PROGRAM = '''
import gc
import torch
torch.manual_seed(1)
samples = [dict(number=number, tags=[str(number), str(number + 1)], box=[float(number), 1.0]) for number in range(60000)]
model = torch.nn.Sequential(torch.nn.Linear(256, 512), torch.nn.ReLU(), torch.nn.Linear(512, 512), torch.nn.ReLU(), torch.nn.Linear(512, 16))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
data, target = torch.randn(64, 256), torch.randint(0, 16, (64,))

for step in range(144):
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(model(data), target).backward()
    if step % 12 == 11 and not {repaired}:
        gc.collect()
    optimizer.step()
'''


def build(folder, repaired):
    (folder / "program.py").write_text(PROGRAM.format(repaired=repaired))
    return ["record", "--no-roofs", "--", sys.executable, str(folder / "program.py")]


def whole_ns(experiment):
    return experiment.one("SELECT sum(duration_ns) AS ns FROM step")
