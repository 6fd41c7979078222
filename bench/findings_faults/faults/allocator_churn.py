"""Tensors of 42 MB, above the largest size that malloc keeps, so that each temporary is fetched from the operating system page by page and given
back. Repaired: MALLOC_MMAP_MAX_=0 and MALLOC_TRIM_THRESHOLD_ in the environment, so that malloc keeps the memory."""
RULE = "operating_system_time"
GAIN = True
TUNED = "The gain leaves out waiting for cores since these faults were first measured."


def SETTINGS(repaired):
    return {"environment": {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(1 << 32)} if repaired else {}}


def build(folder, repaired):
    import torch

    class Tone(torch.nn.Module):
        """Corrects the tones of a photograph."""

        def forward(self, image):
            light = image * 0.8 + 0.1
            return torch.clamp(light * (2.0 - light), 0.0, 1.0)

    shape = (1, 3, 1536, 2304)
    torch.jit.trace(Tone().eval(), torch.rand(shape)).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", "x".join(map(str, shape)),
            "--time-limit", "3", "--no-roofs"]
