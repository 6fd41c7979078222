"""OMP_NUM_THREADS=1 is left in the environment, as batch systems and launchers set it, so that convolutions run on one of all cores. Repaired:
as many threads as cores."""
import os

RULE = "idle_cores"
GAIN = True


def SETTINGS(repaired):
    return {"environment": {"OMP_NUM_THREADS": str(len(os.sched_getaffinity(0)) if repaired else 1)}}


def build(folder, repaired):
    import torch

    torch.manual_seed(1)
    layers = [torch.nn.Conv2d(3, 64, 3, padding=1)]
    for _ in range(6):
        layers += [torch.nn.Conv2d(64, 64, 3, padding=1), torch.nn.ReLU(inplace=True)]
    model = torch.nn.Sequential(*layers).eval()
    with torch.no_grad():
        torch.jit.trace(model, torch.randn(1, 3, 56, 56)).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--input", "1x3x56x56", "--time-limit", "3", "--no-roofs"]
