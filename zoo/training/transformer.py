#!/usr/bin/env python3
"""Trains a small encoder-decoder Transformer to translate a made-up language until an accuracy is reached: the words of
the other language, in reverse order. No network or data needed.

Usage: transformer.py [--steps N] [--seed N] [--batch N] [--target ACCURACY] [--length WORDS] ...
"""
import math

import loop
import torch
from torch import nn
from torch.nn import functional as F

WORDS, BEGIN = 64, 64  # Word 64 begins a sentence.


class Translator(nn.Module):
    def __init__(self, width, layers, length):
        super().__init__()
        self.source, self.target = nn.Embedding(WORDS, width), nn.Embedding(WORDS + 1, width)
        self.places = nn.Parameter(torch.randn(length, width) / math.sqrt(width))
        self.transformer = nn.Transformer(width, 4, layers, layers, 4 * width, dropout=0.0, batch_first=True)
        self.output = nn.Linear(width, WORDS)
        self.register_buffer("mask", nn.Transformer.generate_square_subsequent_mask(length), persistent=False)

    def forward(self, source, target):
        x = self.transformer(self.source(source) + self.places, self.target(target) + self.places,
                             tgt_mask=self.mask, tgt_is_causal=True)
        return self.output(x)


def main():
    chosen = loop.options("Trains a small Transformer to translate a made-up language.", steps=1000, epoch_steps=50,
                          batch=64, target=0.95, length=12, width=128, layers=2, learning_rate=1e-3)
    model = Translator(chosen.width, chosen.layers, chosen.length)
    optimiser = torch.optim.AdamW(model.parameters(), lr=chosen.learning_rate)
    dictionary = torch.randperm(WORDS)

    def sentences(count):
        source = torch.randint(WORDS, (count, chosen.length))
        translation = dictionary[source.flip(1)]
        begin = torch.full((count, 1), BEGIN)
        return source, torch.cat([begin, translation[:, :-1]], 1), translation

    validation = sentences(256)

    def loss_of_batch():
        source, before, translation = sentences(chosen.batch)
        return F.cross_entropy(model(source, before).flatten(0, 1), translation.flatten())

    def accuracy():
        source, before, translation = validation
        return (model(source, before).argmax(2) == translation).float().mean().item()

    loop.train(model, optimiser, loss_of_batch, "accuracy", accuracy, chosen)


if __name__ == "__main__":
    main()
