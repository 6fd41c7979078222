"""The task of the two ResNets: tell ten patterns apart under noise."""
import loop
import torch
import torchvision
from torch.nn import functional as F

CLASSES = 10


def main(name, **defaults):
    chosen = loop.options(f"Trains {name} of torchvision to tell ten random patterns apart under noise.",
                          size=64, noise=1.0, learning_rate=0.01, **defaults)
    model = getattr(torchvision.models, name)(weights=None, num_classes=CLASSES)
    optimiser = torch.optim.SGD(model.parameters(), lr=chosen.learning_rate, momentum=0.9, weight_decay=1e-4)
    # Coarse patterns, which a convolution sees.
    patterns = F.interpolate(torch.randn(CLASSES, 3, 8, 8), size=chosen.size, mode="bilinear")

    def samples(count):
        labels = torch.randint(CLASSES, (count,))
        return patterns[labels] + chosen.noise * torch.randn(count, *patterns.shape[1:]), labels

    validation = samples(4 * chosen.batch)

    def loss_of_batch():
        images, labels = samples(chosen.batch)
        return F.cross_entropy(model(images), labels)

    def accuracy():
        images, labels = validation
        return (model(images).argmax(1) == labels).float().mean().item()

    loop.train(model, optimiser, loss_of_batch, "accuracy", accuracy, chosen)
