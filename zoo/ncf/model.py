"""Neural collaborative filtering, NeuMF (He et al. 2017, arXiv:1708.05031), in the size of MLPerf Training v0.5:
MovieLens 20M, 64 factors, layers of 256, 256, 128 and 64."""
import torch
from torch import nn

USERS, ITEMS = 138493, 26744
FACTORS, LAYERS = 64, [256, 256, 128, 64]


class NeuMf(nn.Module):
    """From user and item numbers, int64 [batch], to a score for each pair [batch, 1]; more is likelier."""

    def __init__(self, users=USERS, items=ITEMS, factors=FACTORS, layers=LAYERS):
        super().__init__()
        self.user_factors = nn.Embedding(users, factors)
        self.item_factors = nn.Embedding(items, factors)
        self.user_features = nn.Embedding(users, layers[0] // 2)
        self.item_features = nn.Embedding(items, layers[0] // 2)
        self.perceptron = nn.Sequential()
        for before, after in zip(layers, layers[1:]):
            self.perceptron.extend([nn.Linear(before, after), nn.ReLU()])
        self.output = nn.Linear(factors + layers[-1], 1)

    def forward(self, user, item):
        product = self.user_factors(user) * self.item_factors(item)
        mixed = self.perceptron(torch.cat([self.user_features(user), self.item_features(item)], 1))
        return self.output(torch.cat([product, mixed], 1))


def build(**sizes):
    model = NeuMf(**sizes)
    for part in model.modules():
        if isinstance(part, nn.Embedding):
            nn.init.normal_(part.weight, std=0.01)
        if isinstance(part, nn.Linear):
            nn.init.xavier_uniform_(part.weight)
    return model
