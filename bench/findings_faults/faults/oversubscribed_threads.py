"""A model runs with four threads for each core, as the setting of a larger machine. Repaired: one thread for each core."""
import os

RULE = "oversubscribed_threads"
GAIN = False


def build(folder, repaired):
    import torch

    torch.manual_seed(1)
    layers = [torch.nn.Conv2d(3, 32, 3, padding=1)]
    for _ in range(12):
        layers += [torch.nn.Conv2d(32, 32, 3, padding=1), torch.nn.ReLU(inplace=True)]
    model = torch.nn.Sequential(*layers).eval()
    with torch.no_grad():
        torch.jit.trace(model, torch.randn(1, 3, 56, 56)).save(str(folder / "model.pt"))
    cores = len(os.sched_getaffinity(0))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", str(cores if repaired else 4 * cores), "--input",
            "1x3x56x56", "--time-limit", "3", "--no-roofs"]
