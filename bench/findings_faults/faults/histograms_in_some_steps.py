"""Every tenth training step writes histograms of all weights and gradients, as TensorBoard's writer makes them, before the optimizer goes on.
Repaired: these steps write the gradients' norms only."""
import sys

RULE = "slow_steps"
GAIN = True
TUNED = "Its slow steps were made longer, and steps that waited for cores are left out, since it was first measured."

PROGRAM = '''
import json, pathlib
import numpy, torch
torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(512, 1024), torch.nn.ReLU(), torch.nn.Linear(1024, 512), torch.nn.ReLU(), torch.nn.Linear(512, 64))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
data, target = torch.randn(32, 512), torch.randint(0, 64, (32,))
log = open(pathlib.Path(__file__).parent / "log.jsonl", "w")

def histograms(parameter):
    return [numpy.histogram(values.detach().numpy().ravel(), 512)[0].tolist() for values in (parameter, parameter.grad)]

for step in range(120):
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(model(data), target).backward()
    if step % 10 == 9:
        for name, parameter in model.named_parameters():
            value = parameter.grad.norm().item() if {repaired} else histograms(parameter)
            log.write(json.dumps(dict(step=step, name=name, value=value)) + "\\n")
        log.flush()
    optimizer.step()
'''


def build(folder, repaired):
    (folder / "program.py").write_text(PROGRAM.format(repaired=repaired))
    return ["record", "--no-roofs", "--", sys.executable, str(folder / "program.py")]


def whole_ns(experiment):
    return experiment.one("SELECT sum(duration_ns) AS ns FROM step")
