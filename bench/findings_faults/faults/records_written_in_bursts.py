"""A service collects its answers and writes every tenth time all of them as text, inside of the request, until they are on disk. Repaired: each
request appends its own answer as bytes and leaves writing to the operating system."""
import sys

RULE = "slow_steps"
GAIN = True
TUNED = "The work of the slow steps was made longer after the first measurement."

PROGRAM = '''
import json, os, pathlib
import torch
torch.manual_seed(1)

class Service(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.model = torch.nn.Sequential(
            torch.nn.Conv2d(16, 32, 3, padding=1), torch.nn.ReLU(), torch.nn.Conv2d(32, 64, 3, padding=1), torch.nn.AvgPool2d(7), torch.nn.Conv2d(64, 32, 1))
        self.file = open(pathlib.Path(__file__).parent / "answers", "wb")
        self.answers = []

    def forward(self, x):
        y = self.model(x)
        if {repaired}:
            self.file.write(y.numpy().tobytes())
            return y
        self.answers.append(y)
        if len(self.answers) == 10:
            self.file.write(json.dumps([answer.tolist() for answer in self.answers]).encode())
            self.file.flush()
            os.fsync(self.file.fileno())
            self.answers.clear()
        return y

service, x = Service().eval(), torch.randn(1, 16, 56, 56)
with torch.inference_mode():
    for _ in range(150):
        service(x)
'''


def build(folder, repaired):
    (folder / "program.py").write_text(PROGRAM.format(repaired=repaired))
    return ["record", "--no-roofs", "--", sys.executable, str(folder / "program.py")]


def whole_ns(experiment):
    return experiment.one("SELECT sum(duration_ns) AS ns FROM step")
