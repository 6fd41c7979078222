"""A server makes its model anew and reads its weights from the disk for each request. Repaired: the model is made once, for the same requests."""
import sys

RULE = "time_between_calls"
GAIN = True
TUNED = "The rule knows a gain here since this fault was measured."
SETTINGS = {"environment": {"OMP_NUM_THREADS": "1"}}

PROGRAM = """
import torch

torch.manual_seed(1)
PATH = {path!r}


def make():
    return torch.nn.Sequential(*[torch.nn.Sequential(torch.nn.Linear(768, 3072), torch.nn.GELU(), torch.nn.Linear(3072, 768))
                                 for _ in range(4)])


torch.save(make().state_dict(), PATH)


def ready():
    model = make()
    model.load_state_dict(torch.load(PATH))
    return model.eval()


model = None
request = torch.randn(64, 768)
for _ in range(40):
    {condition}
        model = ready()
    with torch.inference_mode():
        model(request)
"""


def build(folder, repaired):
    script = folder / "program.py"
    script.write_text(PROGRAM.format(path=str(folder / "weights.pt"), condition="if model is None:" if repaired else "if True:"))
    return ["record", "--no-roofs", "--", sys.executable, str(script)]


def whole_ns(experiment):
    return experiment.loop_ns()
