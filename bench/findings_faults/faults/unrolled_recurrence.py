"""A tagger writes the cell of its LSTM in Python and loops over the words. Repaired: `torch.nn.LSTM` with the same weights."""
import torch
from torch import nn

RULE = "many_small_operators"
GAIN = True
INPUTS, STATE, WORDS = 64, 64, 48


class Recurrence(nn.Module):
    def __init__(self, is_library):
        super().__init__()
        self.is_library = is_library
        self.lstm = nn.LSTM(INPUTS, STATE)

    def forward(self, words):
        hidden = cell = torch.zeros(words.size(1), STATE)
        if self.is_library:
            return self.lstm(words, (hidden.unsqueeze(0), cell.unsqueeze(0)))[0]
        hiddens = []
        for word in words.unbind(0):
            gates = (nn.functional.linear(word, self.lstm.weight_ih_l0, self.lstm.bias_ih_l0)
                     + nn.functional.linear(hidden, self.lstm.weight_hh_l0, self.lstm.bias_hh_l0))
            take, forget, new, give = gates.chunk(4, 1)
            cell = torch.sigmoid(forget) * cell + torch.sigmoid(take) * torch.tanh(new)
            hidden = torch.sigmoid(give) * torch.tanh(cell)
            hiddens.append(hidden)
        return torch.stack(hiddens)


class Tagger(nn.Module):
    def __init__(self, is_library):
        super().__init__()
        self.recurrence = Recurrence(is_library)
        self.tags = nn.Linear(STATE, 20)

    def forward(self, words):
        return self.tags(self.recurrence(words))


def build(folder, repaired):
    torch.manual_seed(1)
    model = Tagger(repaired).eval()
    with torch.no_grad():
        torch.jit.trace(model, torch.randn(WORDS, 1, INPUTS)).save(str(folder / "model.pt"))
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", f"{WORDS}x1x{INPUTS}", "--time-limit", "3",
            "--no-roofs"]
