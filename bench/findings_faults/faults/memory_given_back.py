"""Preparing a large image makes a new tensor in each step, and the C library gives each back to the operating system, which clears its pages
again for the next. Repaired: glibc keeps freed memory (MALLOC_MMAP_MAX_=0, a high MALLOC_TRIM_THRESHOLD_)."""
RULE = "operating_system_time"
GAIN = True
TUNED = "elementwise_chains leaves page faults out of its gain since it came first here."


def SETTINGS(repaired):
    kept = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "1000000000", "MALLOC_TOP_PAD_": "268435456"}
    return {"environment": kept if repaired else {}}


def build(folder, repaired):
    import torch

    class Prepare(torch.nn.Module):
        def forward(self, x):
            x = x / 255.0
            x = x - 0.45
            x = x / 0.225
            x = torch.clamp(x, -3.0, 3.0)
            return x * 0.5 + 0.5

    with torch.no_grad():
        torch.jit.trace(Prepare(), torch.rand(1, 3, 1792, 1792)).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "1x3x1792x1792", "--time-limit", "3",
            "--no-roofs"]
