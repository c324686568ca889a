"""Divides amounts among people."""

from .money import CENT, to_amount


def split_evenly(amount, people):
    """The shares of equal people, as a list in their order."""
    share = (to_amount(amount) / len(people)).quantize(CENT)
    return [share for _ in people]


def split_by_weight(amount, weights):
    """The shares by weight, as a dict in the order of the weights."""
    total = sum(to_amount(weight) for weight in weights.values())
    return {
        name: (to_amount(amount) * to_amount(weight) / total).quantize(CENT)
        for name, weight in weights.items()
    }
