"""A speech model computes its mel spectrogram with matrices that NumPy made, which are float64, so that the whole front
end computes in double precision. Repaired: the matrices are float32."""
import numpy as np
import torch
from torch import nn

RULE = "double_precision"
GAIN = True

FRAMES, SAMPLES, MELS = 400, 512, 80


class FrontEnd(nn.Module):
    """Window, Fourier transform as two products, power, mel bands, logarithm."""

    def __init__(self, dtype):
        super().__init__()
        frequencies = np.arange(SAMPLES // 2 + 1)
        angles = 2 * np.pi * np.outer(np.arange(SAMPLES), frequencies) / SAMPLES
        centres = np.linspace(0, SAMPLES // 2, MELS + 2)[1:-1]
        bands = np.maximum(0, 1 - np.abs(frequencies[:, None] - centres[None]) / (SAMPLES / 2 / (MELS + 1)))
        for name, array in {"window": np.hanning(SAMPLES), "cosine": np.cos(angles), "sine": np.sin(angles),
                            "bands": bands}.items():
            self.register_buffer(name, torch.from_numpy(array).to(dtype))

    def forward(self, frames):
        frames = frames * self.window
        power = torch.matmul(frames, self.cosine) ** 2 + torch.matmul(frames, self.sine) ** 2
        return torch.log(torch.matmul(power, self.bands) + 1e-6).float()


class Model(nn.Module):
    def __init__(self, dtype):
        super().__init__()
        self.front_end = FrontEnd(dtype)
        self.encoder = nn.Sequential(
            nn.Linear(MELS, 384), nn.ReLU(), nn.Linear(384, 384), nn.ReLU(), nn.Linear(384, 384), nn.ReLU(),
            nn.Linear(384, 40))

    def forward(self, frames):
        return self.encoder(self.front_end(frames))


def build(folder, repaired):
    torch.manual_seed(0)
    model = Model(torch.float32 if repaired else torch.float64).eval()
    with torch.no_grad():
        torch.jit.trace(model, torch.randn(1, FRAMES, SAMPLES)).save(folder / "model.pt")
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input",
            f"1x{FRAMES}x{SAMPLES}", "--time-limit", "3", "--no-roofs"]
