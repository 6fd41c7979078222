"""The attention of a translation decoder (Bahdanau et al. 2015) repeats its state for each word, joins it with the encoder's output, and projects
both again in each step. Repaired: the encoder's output is projected once, the state once a step, and the sum broadcasts."""
import torch
from torch import nn

RULE = "copied_tensors"
GAIN = True
ENCODED, STATE, SCORED, WORDS, STEPS = 256, 256, 16, 192, 12


class Decoder(nn.Module):
    def __init__(self, is_projected_once):
        super().__init__()
        self.is_projected_once = is_projected_once
        self.attention = nn.Linear(ENCODED + STATE, SCORED)
        self.score = nn.Linear(SCORED, 1, bias=False)
        self.step = nn.GRUCell(ENCODED, STATE)

    def forward(self, encoded, state):
        of_encoded, of_state = self.attention.weight[:, :ENCODED], self.attention.weight[:, ENCODED:]
        if self.is_projected_once:
            projected = nn.functional.linear(encoded, of_encoded, self.attention.bias)
        for _ in range(STEPS):
            if self.is_projected_once:
                hidden = projected + nn.functional.linear(state, of_state).unsqueeze(1)
            else:
                hidden = self.attention(torch.cat([encoded, state.unsqueeze(1).repeat(1, WORDS, 1)], 2))
            weights = torch.softmax(self.score(torch.tanh(hidden)), 1)
            state = self.step(torch.bmm(weights.transpose(1, 2), encoded).squeeze(1), state)
        return state


def build(folder, repaired):
    torch.manual_seed(0)
    model = Decoder(repaired).eval()
    with torch.no_grad():
        torch.jit.trace(model, (torch.randn(4, WORDS, ENCODED), torch.randn(4, STATE))).save(folder / "model.pt")
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", f"encoded=4x{WORDS}x{ENCODED}", "--input",
            f"state=4x{STATE}", "--time-limit", "3", "--no-roofs"]
