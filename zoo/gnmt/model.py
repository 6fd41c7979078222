"""GNMT (Wu et al. 2016, arXiv:1609.08144) in the size of MLPerf Inference v0.5: four encoder and four decoder
layers of LSTMs 1024 wide, the first encoder layer in both directions, residual connections from the third
layer on, normalised additive attention from the bottom decoder layer (Bahdanau et al. 2015,
arXiv:1409.0473), whose result goes into every decoder layer above.

One forward pass over a given target sentence; the beam search around it is not part of the model.
"""
import torch
from torch import nn

WIDTH, LAYERS = 1024, 4
VOCABULARY = 36548  # Lines of MLPerf's vocabulary of WMT16 English and German.


class Attention(nn.Module):
    """Additive attention with a normalised score vector (Luong et al. 2017, TensorFlow NMT: normed_bahdanau)."""

    def __init__(self):
        super().__init__()
        self.query = nn.Linear(WIDTH, WIDTH, bias=False)
        self.memory = nn.Linear(WIDTH, WIDTH, bias=False)
        self.score = nn.Parameter(torch.empty(WIDTH).uniform_(-0.1, 0.1))
        self.length = nn.Parameter(torch.tensor(WIDTH ** -0.5))
        self.bias = nn.Parameter(torch.zeros(WIDTH))

    def forward(self, queries, memory):
        # [batch, target, 1, width] + [batch, 1, source, width]
        sums = self.query(queries).unsqueeze(2) + self.memory(memory).unsqueeze(1) + self.bias
        scores = torch.matmul(torch.tanh(sums), self.score * (self.length / torch.sqrt((self.score ** 2).sum())))
        return torch.matmul(torch.softmax(scores, 2), memory)


class Gnmt(nn.Module):
    """From source and target token numbers, int64 [batch, length], to the logits of each target position's next
    token [batch, length, vocabulary]."""

    def __init__(self):
        super().__init__()
        self.source_tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.target_tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.both_ways = nn.LSTM(WIDTH, WIDTH, batch_first=True, bidirectional=True)
        self.encoder = nn.ModuleList(nn.LSTM(2 * WIDTH if i == 1 else WIDTH, WIDTH, batch_first=True)
                                     for i in range(1, LAYERS))
        self.attention = Attention()
        self.bottom = nn.LSTM(WIDTH, WIDTH, batch_first=True)
        self.decoder = nn.ModuleList(nn.LSTM(2 * WIDTH, WIDTH, batch_first=True) for _ in range(1, LAYERS))
        self.output = nn.Linear(WIDTH, VOCABULARY, bias=False)

    def forward(self, source, target):
        x = self.both_ways(self.source_tokens(source))[0]
        for i, layer in enumerate(self.encoder):
            y = layer(x)[0]
            x = y if i == 0 else x + y
        memory = x
        x = self.bottom(self.target_tokens(target))[0]
        context = self.attention(x, memory)
        for i, layer in enumerate(self.decoder):
            y = layer(torch.cat([x, context], 2))[0]
            x = y if i == 0 else x + y
        return self.output(x)


def build():
    return Gnmt()
