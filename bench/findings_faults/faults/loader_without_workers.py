"""A loop over a data loader with num_workers=0, so that the model waits while its own thread decompresses each sample. Repaired: num_workers=1
prepares samples beside the model, on a core of its own."""
import sys

RULE = "time_between_calls"
GAIN = True
TUNED = "Its loop was made longer, because starting the worker took longer than it saved."

PROGRAM = '''
import zlib
import torch
torch.set_num_threads(1)
torch.manual_seed(1)

class Recordings(torch.utils.data.Dataset):
    def __init__(self, count):
        self.data = [zlib.compress(torch.randint(0, 64, (64, 112, 112), dtype=torch.uint8).numpy().tobytes(), 1) for _ in range(4)]
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        samples = torch.frombuffer(bytearray(zlib.decompress(self.data[index % 4])), dtype=torch.uint8)
        return samples.view(64, 112, 112)[:, ::2, ::2].float() / 64

if __name__ == "__main__":
    model = torch.nn.Sequential(*[torch.nn.Conv2d(64, 64, 3, padding=1) for _ in range(2)]).eval()
    loader = torch.utils.data.DataLoader(Recordings(800), batch_size=2, num_workers={workers})
    with torch.inference_mode():
        for batch in loader:
            model(batch)
'''


def build(folder, repaired):
    (folder / "program.py").write_text(PROGRAM.format(workers=1 if repaired else 0))
    return ["record", "--no-roofs", "--", sys.executable, str(folder / "program.py")]


def whole_ns(experiment):
    return experiment.loop_ns()
