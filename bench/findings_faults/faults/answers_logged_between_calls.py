"""A service writes each answer as a line of JSON before it takes the next request. Repaired: a thread writes them while the next call runs."""
import sys

RULE = "time_between_calls"
GAIN = True

PROGRAM = '''
import concurrent.futures, json, pathlib
import torch
torch.set_num_threads(1)
torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Conv2d(3, 32, 3, padding=1), torch.nn.ReLU(), torch.nn.Conv2d(32, 32, 3, padding=1), torch.nn.ReLU(),
                            torch.nn.Conv2d(32, 32, 3, padding=1), torch.nn.ReLU(), torch.nn.Conv2d(32, 4, 1), torch.nn.AvgPool2d(2)).eval()
image = torch.randn(1, 3, 96, 96)
log = open(pathlib.Path(__file__).parent / "answers.jsonl", "w")

def write(index, answer):
    log.write(json.dumps(dict(request=index, answer=answer.tolist())) + "\\n")
    log.flush()

with torch.inference_mode(), concurrent.futures.ThreadPoolExecutor(1) as writer:
    for index in range(150):
        answer = model(image)
        if {repaired}:
            writer.submit(write, index, answer)
        else:
            write(index, answer)
'''


def build(folder, repaired):
    (folder / "program.py").write_text(PROGRAM.format(repaired=repaired))
    return ["record", "--no-roofs", "--", sys.executable, str(folder / "program.py")]


def whole_ns(experiment):
    return experiment.loop_ns()
