"""DLRM (Naumov et al. 2019, arXiv:1906.00091) in the paper's size for the Criteo Ad Kaggle data: 13 numbers and 26
categories, embeddings 16 wide, layers 512-256-64-16 below and 512-256-1 above, interaction by dot products.

The tables of the categories together have 33.8 million rows (2.2 GB); here each is cut to its first
100 000, as the reference program does with --max-ind-range. The arithmetic is the same.
"""
import torch
from torch import nn

NUMBERS, WIDTH = 13, 16
BELOW, ABOVE = [512, 256, 64, WIDTH], [512, 256, 1]
# Categories of each column of the Criteo Ad Kaggle data.
CATEGORIES = [1460, 583, 10131227, 2202608, 305, 24, 12517, 633, 3, 93145, 5683, 8351593, 3194, 27, 14992, 5461306,
              10, 5652, 2173, 4, 7046547, 18, 15, 286181, 105, 142572]
MOST_ROWS = 100_000


class Dlrm(nn.Module):
    """From numbers float32 [batch, 13] and categories int64 [batch, 26] to the probability of a click [batch, 1]. A
    category's number is taken modulo the rows of its table."""

    def __init__(self, most_rows):
        super().__init__()
        rows = [min(n, most_rows) for n in CATEGORIES]
        self.tables = nn.ModuleList(nn.EmbeddingBag(n, WIDTH, mode="sum") for n in rows)
        self.rows = rows
        self.below = perceptron([NUMBERS, *BELOW], last=nn.ReLU())
        features = len(CATEGORIES) + 1
        self.above = perceptron([WIDTH + features * (features - 1) // 2, *ABOVE], last=nn.Sigmoid())
        pairs = torch.tril_indices(features, features, offset=-1)
        self.register_buffer("pairs", pairs[0] * features + pairs[1], persistent=False)

    def forward(self, numbers, categories):
        x = self.below(numbers)
        features = [x]
        for i, table in enumerate(self.tables):
            features.append(table(categories[:, i:i + 1] % self.rows[i]))
        stacked = torch.stack(features, 1)
        products = torch.bmm(stacked, stacked.transpose(1, 2)).flatten(1)
        return self.above(torch.cat([x, products.index_select(1, self.pairs)], 1))


def perceptron(widths, last):
    layers = []
    for before, after in zip(widths, widths[1:]):
        layers += [nn.Linear(before, after), nn.ReLU()]
    return nn.Sequential(*layers[:-1], last)


def build(most_rows=MOST_ROWS):
    return Dlrm(most_rows)
