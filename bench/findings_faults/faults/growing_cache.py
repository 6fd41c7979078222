"""A decoder appends the key and the value of each token to its cache with cat, which copies the whole cache each time.
Repaired: the cache is allocated once, and each token is written into its place."""
import torch
from torch import nn

RULE = "copied_tensors"
GAIN = True

WIDTH, HEADS, PROMPT, STEPS = 256, 8, 448, 16


class Layer(nn.Module):
    """One layer of a decoder: a step takes the cache and returns it with one more token."""

    def __init__(self, in_place):
        super().__init__()
        self.in_place = in_place
        self.norm = nn.LayerNorm(WIDTH)
        self.projection = nn.Linear(WIDTH, 3 * WIDTH)
        self.output = nn.Linear(WIDTH, WIDTH)

    def forward(self, x, keys, values, position: int):
        query, key, value = self.projection(self.norm(x)).view(x.size(0), 1, 3 * HEADS, -1).transpose(1, 2).chunk(3, 1)
        if self.in_place:
            keys[:, :, position:position + 1] = key
            values[:, :, position:position + 1] = value
            all_keys, all_values = keys[:, :, :position + 1], values[:, :, :position + 1]
        else:
            keys = all_keys = torch.cat([keys, key], 2)
            values = all_values = torch.cat([values, value], 2)
        mixed = nn.functional.scaled_dot_product_attention(query, all_keys, all_values)
        return x + self.output(mixed.transpose(1, 2).reshape(x.size(0), 1, WIDTH)), keys, values


class Decoder(nn.Module):
    """Generates tokens after a prompt whose keys and values are given."""

    def __init__(self, in_place):
        super().__init__()
        self.in_place = in_place
        self.layer = Layer(in_place)

    def forward(self, x, prompt):
        keys, values = prompt, prompt * 0.5
        if self.in_place:
            room = torch.zeros(x.size(0), HEADS, STEPS, WIDTH // HEADS)
            keys, values = torch.cat([keys, room], 2), torch.cat([values, room], 2)
        for step in range(STEPS):
            x, keys, values = self.layer(x, keys, values, PROMPT + step)
        return x


def build(folder, repaired):
    torch.manual_seed(0)
    model = Decoder(repaired).eval()
    inputs = torch.randn(4, 1, WIDTH), torch.randn(4, HEADS, PROMPT, WIDTH // HEADS)
    with torch.no_grad():
        torch.jit.trace(model, inputs, check_trace=False).save(folder / "model.pt")
    return ["run", str(folder / "model.pt"), "--backend", "torch", "--threads", "1", "--input", f"x=4x1x{WIDTH}",
            "--input", f"prompt=4x{HEADS}x{PROMPT}x{WIDTH // HEADS}", "--time-limit", "3", "--no-roofs"]
