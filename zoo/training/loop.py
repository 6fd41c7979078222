"""What the training programs share: their options, and a loop that trains until a quality is reached."""
import argparse
import math
import time

import torch


def options(description, **defaults):
    """The command line. defaults: steps, epoch_steps, batch, target, and more options that a program adds."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--seed", type=int, default=0, help="of weights and data")
    helps = {"steps": "the most steps", "epoch_steps": "steps between two measurements of quality",
             "batch": "samples of a step", "target": "quality at which training ends"}
    for name, value in defaults.items():
        parser.add_argument("--" + name.replace("_", "-"), type=type(value), default=value, help=helps.get(name, name))
    chosen = parser.parse_args()
    for name in ("steps", "epoch_steps", "batch"):
        if getattr(chosen, name) < 1:
            parser.error(f"--{name.replace('_', '-')} must be at least 1: {getattr(chosen, name)}")
    torch.manual_seed(chosen.seed)
    return chosen


def train(model, optimiser, loss_of_batch, metric, measure, chosen):
    """Forward, backward and optimiser, step by step; after every epoch a line with the quality.

    loss_of_batch(): the loss of the next batch. metric: the quality's name. measure(): its value, more is better.
    Ends at the target or after the most steps. Returns whether the target was reached.
    """
    begin, quality, step, epoch = time.monotonic(), -math.inf, 0, 0
    while step < chosen.steps and quality < chosen.target:
        epoch += 1
        model.train()
        total, first = 0.0, step
        while step < min(first + chosen.epoch_steps, chosen.steps):
            optimiser.zero_grad(set_to_none=True)
            loss = loss_of_batch()
            loss.backward()
            optimiser.step()
            total += loss.item()
            step += 1
        model.eval()
        with torch.inference_mode():
            quality = measure()
        print(f"epoch {epoch} step {step} loss {total / (step - first):.4f} quality {metric} {quality:.4f} "
              f"seconds {time.monotonic() - begin:.1f}", flush=True)
    reached = quality >= chosen.target
    print(f"target {metric} {chosen.target:g} {'reached' if reached else 'not reached'} after {step} steps", flush=True)
    return reached
