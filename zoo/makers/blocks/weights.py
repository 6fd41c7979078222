"""Random weights that let a network without batch normalisation statistics compute sensible values.

With the usual ones, values grow or fade by orders of magnitude from layer to layer: results then overflow in
half precision, or depend on biases only, and comparing backends by them would prove nothing.
"""
import math

from torch import nn


def keep_size(model, gain=2.0):
    """Weights of convolutions and linear layers by He et al. 2015 (arXiv:1502.01852, eq. 10), so that values have
    the same variance after every layer. gain: 1 / E[f(x)^2] for the activation f and normal x; 2 for ReLU."""
    for part in model.modules():
        if isinstance(part, (nn.Conv2d, nn.Linear)):
            fan_in = part.weight[0].numel()
            nn.init.normal_(part.weight, std=math.sqrt(gain / fan_in))
            if part.bias is not None:
                nn.init.zeros_(part.bias)
    return model


def quiet_residuals(norms, scale=0.2):
    """Scales what each residual block adds, given its last normalisation: 50 blocks then multiply the variance by
    7 instead of 2^50."""
    for norm in norms:
        nn.init.constant_(norm.weight, scale)
