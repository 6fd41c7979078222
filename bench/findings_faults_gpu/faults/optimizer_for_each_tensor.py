"""AdamW updates each of some 290 parameters of an encoder with kernels of its own (foreach=False). Repaired: fused=True."""
import torch
from torch import nn

from setting import size

RULE = "idle_device"
GAIN = True
TUNED = "device_step, time_between_calls and double_precision were changed after this recording had been judged"


def make(device, repaired):
    width, layers = size(256, 32), size(24, 2)
    layer = nn.TransformerEncoderLayer(width, 4, 4 * width, dropout=0.0, batch_first=True)
    model = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, **({"fused": True} if repaired else {"foreach": False}))
    tokens = torch.randn(8, size(64, 8), width, device=device)

    def step():
        optimizer.zero_grad()
        loss = model(tokens).square().mean()
        loss.backward()
        optimizer.step()
        return loss.detach()
    return step
