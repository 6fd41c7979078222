#!/usr/bin/env python3
"""Trains neural collaborative filtering (NeuMF of zoo/ncf, smaller) on made-up tastes until a hit rate is reached: how
often the one item that a user took is among the ten best of it and 99 others. No network or data needed.

Usage: ncf.py [--steps N] [--seed N] [--batch N] [--target HIT_RATE] [--users N] [--items N] ...
"""
import importlib.util
import pathlib

import loop
import torch
from torch.nn import functional as F

NEGATIVES = 4  # For each item taken, as in He et al. 2017.


def load_model():
    spec = importlib.util.spec_from_file_location("ncf_model", pathlib.Path(__file__).parents[1] / "ncf" / "model.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    chosen = loop.options("Trains NeuMF on made-up tastes.", steps=2000, epoch_steps=100, batch=512, target=0.6, users=500,
                          items=400, learning_rate=2e-3)
    model = load_model().build(users=chosen.users, items=chosen.items, factors=8, layers=[32, 32, 16, 8])
    optimiser = torch.optim.Adam(model.parameters(), lr=chosen.learning_rate)
    # A user takes the items that lie nearest to his taste; the last one taken is held back.
    likes = torch.randn(chosen.users, 4) @ torch.randn(4, chosen.items)
    order = likes.argsort(1, descending=True)
    mixed = order[:, :20].gather(1, torch.rand(chosen.users, 20).argsort(1))
    taken, held_back = mixed[:, :-1], mixed[:, -1:]
    others = order[:, 20:].gather(1, torch.rand(chosen.users, chosen.items - 20).argsort(1)[:, :99])
    candidates = torch.cat([held_back, others], 1)

    def loss_of_batch():
        user = torch.randint(chosen.users, (chosen.batch,))
        item = taken[user, torch.randint(taken.shape[1], (chosen.batch,))]
        users = user.repeat(1 + NEGATIVES)
        items = torch.cat([item, torch.randint(chosen.items, (chosen.batch * NEGATIVES,))])
        wanted = (torch.arange(len(users)) < chosen.batch).float()
        return F.binary_cross_entropy_with_logits(model(users, items).squeeze(1), wanted)

    def hit_rate():
        users = torch.arange(chosen.users).repeat_interleave(candidates.shape[1])
        scores = model(users, candidates.flatten()).view(candidates.shape)
        return ((scores[:, 1:] >= scores[:, :1]).sum(1) < 10).float().mean().item()

    loop.train(model, optimiser, loss_of_batch, "hit_rate_at_10", hit_rate, chosen)


if __name__ == "__main__":
    main()
