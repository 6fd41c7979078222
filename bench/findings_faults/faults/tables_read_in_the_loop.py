"""A recommender reads its table of items from a CSV file for each request. Repaired: the table is read once, before the first request."""
import sys

RULE = "time_between_calls"
GAIN = True

PROGRAM = '''
import csv, pathlib
import torch
torch.set_num_threads(1)
torch.manual_seed(1)
PATH = pathlib.Path(__file__).parent / "items.csv"
with open(PATH, "w", newline="") as file:
    csv.writer(file).writerows([number, f"item {{number}}", *(f"{{value:.4f}}" for value in row)]
                               for number, row in enumerate(torch.randn(300, 24).tolist()))

def items():
    with open(PATH, newline="") as file:
        return torch.tensor([[float(value) for value in row[2:]] for row in csv.reader(file)])

model = torch.nn.Sequential(torch.nn.Linear(48, 512), torch.nn.ReLU(), torch.nn.Linear(512, 512), torch.nn.ReLU(), torch.nn.Linear(512, 1)).eval()
user = torch.randn(1, 24)
table = items()
with torch.inference_mode():
    for _ in range(200):
        if not {repaired}:
            table = items()
        model(torch.cat([table, user.expand(len(table), 24)], 1))
'''


def build(folder, repaired):
    (folder / "program.py").write_text(PROGRAM.format(repaired=repaired))
    return ["record", "--no-roofs", "--", sys.executable, str(folder / "program.py")]


def whole_ns(experiment):
    return experiment.loop_ns()
