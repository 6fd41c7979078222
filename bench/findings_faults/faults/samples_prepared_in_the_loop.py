"""A loop over a data loader whose data set decompresses and resizes each sample when it is asked for, in the program's own thread. Repaired: the
samples are prepared once, ahead of time, and the data set hands out ready tensors."""
import sys

RULE = "time_between_calls"
GAIN = True
TUNED = "The gain without a data loader was changed since this fault was measured; with one it was not."

PROGRAM = '''
import zlib
import torch
torch.set_num_threads(1)
torch.manual_seed(1)
REPAIRED = {repaired}

class Images(torch.utils.data.Dataset):
    def __init__(self, count):
        self.data = [zlib.compress(torch.randint(0, 16, (3, 384, 384), dtype=torch.uint8).numpy().tobytes(), 1) for _ in range(4)]
        self.count = count
        self.ready = [self.prepared(index) for index in range(4)] if REPAIRED else None

    def __len__(self):
        return self.count

    def prepared(self, index):
        image = torch.frombuffer(bytearray(zlib.decompress(self.data[index % 4])), dtype=torch.uint8).view(1, 3, 384, 384).float() / 255
        return torch.nn.functional.interpolate(image, size=(112, 112), mode="bicubic", antialias=True)[0]

    def __getitem__(self, index):
        return self.ready[index % 4] if REPAIRED else self.prepared(index)

model = torch.nn.Sequential(torch.nn.Conv2d(3, 16, 3, padding=1, stride=2), torch.nn.ReLU(), torch.nn.Conv2d(16, 32, 3, padding=1),
                            torch.nn.ReLU(), torch.nn.Conv2d(32, 32, 3, padding=1)).eval()
loader = torch.utils.data.DataLoader(Images(80), batch_size=2)
with torch.inference_mode():
    for batch in loader:
        model(batch)
'''


def build(folder, repaired):
    (folder / "program.py").write_text(PROGRAM.format(repaired=repaired))
    return ["record", "--no-roofs", "--", sys.executable, str(folder / "program.py")]


def whole_ns(experiment):
    return experiment.loop_ns()
