"""A recurrent network calls an LSTM cell for each of 100 time steps in a Python loop. Repaired: nn.LSTM, which gives the
whole sequence to cuDNN."""
import torch
from torch import nn

from setting import size

RULE = "idle_device"
GAIN = True
TUNED = "device_step, time_between_calls and double_precision were changed after this recording had been judged"


class Tagger(nn.Module):
    def __init__(self, width, is_whole):
        super().__init__()
        self.is_whole = is_whole
        self.whole = nn.LSTM(width, width, batch_first=True)
        self.cell = nn.LSTMCell(width, width)
        self.output = nn.Linear(width, 16)
        for name, value in self.cell.named_parameters():
            value.data.copy_(getattr(self.whole, f"{name}_l0").data)

    def forward(self, x):
        if self.is_whole:
            return self.output(self.whole(x)[0])
        state, states = None, []
        for time in range(x.size(1)):
            state = self.cell(x[:, time], state)
            states.append(state[0])
        return self.output(torch.stack(states, 1))


def make(device, repaired):
    width = size(256, 16)
    model = Tagger(width, repaired).eval().to(device)
    words = torch.randn(size(32, 2), size(100, 6), width, device=device)

    @torch.no_grad()
    def step():
        return model(words)
    return step
