"""A training loop writes a checkpoint of model and optimizer every fifteen steps and waits until it is on the disk. Repaired: one checkpoint after
the last step."""
import sys

RULE = "slow_steps"
GAIN = True
TUNED = "The gain leaves out steps that waited for cores since this fault was measured."

PROGRAM = '''
import os, pathlib
import torch
torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Conv2d(3, 32, 3, stride=2), torch.nn.ReLU(), torch.nn.Conv2d(32, 64, 3, stride=2), torch.nn.ReLU(),
                            torch.nn.AdaptiveAvgPool2d(8), torch.nn.Flatten(), torch.nn.Linear(4096, 512), torch.nn.ReLU(), torch.nn.Linear(512, 10))
optimizer = torch.optim.Adam(model.parameters())
images, labels = torch.randn(8, 3, 64, 64), torch.randint(0, 10, (8,))

def save():
    with open(pathlib.Path(__file__).parent / "checkpoint.pt", "wb") as file:
        torch.save(dict(model=model.state_dict(), optimizer=optimizer.state_dict()), file)
        file.flush()
        os.fsync(file.fileno())

for step in range(90):
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(model(images), labels).backward()
    optimizer.step()
    if step % 15 == 14 and not {repaired}:
        save()
save()
'''


def build(folder, repaired):
    (folder / "program.py").write_text(PROGRAM.format(repaired=repaired))
    return ["record", "--no-roofs", "--", sys.executable, str(folder / "program.py")]


def whole_ns(experiment):
    return experiment.one("SELECT sum(duration_ns) AS ns FROM step")
