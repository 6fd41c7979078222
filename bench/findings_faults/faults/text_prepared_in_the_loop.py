"""A classifier of texts splits and hashes each of them in plain Python between the model calls. Repaired: the numbers of the words were stored
with the texts."""
import sys

RULE = "time_between_calls"
GAIN = True
TUNED = "The gain counts what overlapping hides since this fault was measured."

PROGRAM = '''
import random, zlib
import torch
REPAIRED = {repaired}
random.seed(1)
torch.manual_seed(1)
WORDS = ["".join(random.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(random.randint(2, 10))) for _ in range(5000)]
TEXTS = [" ".join(random.choice(WORDS) for _ in range(4000)) for _ in range(50)]

def numbers(text):
    words = ["".join(letter for letter in word if letter.isalpha()).lower() for word in text.split()]
    return torch.tensor([[zlib.crc32(word.encode()) % 20000 for word in words]])

class Classifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Embedding(20000, 128)
        self.layers = torch.nn.Sequential(torch.nn.Conv1d(128, 128, 5), torch.nn.ReLU(), torch.nn.AdaptiveMaxPool1d(1), torch.nn.Flatten(),
                                          torch.nn.Linear(128, 10))

    def forward(self, words):
        return self.layers(self.embedding(words).transpose(1, 2))

stored = [numbers(text) for text in TEXTS] if REPAIRED else None
model = Classifier().eval()
with torch.inference_mode():
    for index, text in enumerate(TEXTS * 2):
        model(stored[index % 50] if REPAIRED else numbers(text))
'''


def build(folder, repaired):
    (folder / "program.py").write_text(PROGRAM.format(repaired=repaired))
    return ["record", "--no-roofs", "--", sys.executable, str(folder / "program.py")]


def whole_ns(experiment):
    return experiment.loop_ns()
