"""Divides amounts among people."""

from decimal import ROUND_DOWN, Decimal
from fractions import Fraction

from .money import CENT, to_amount


def split_evenly(amount, people):
    """The shares of equal people, as a list in their order."""
    return _split(amount, [Decimal(1) for _ in people])


def split_by_weight(amount, weights):
    """The shares by weight, as a dict in the order of the weights."""
    return dict(zip(weights, _split(amount, [to_amount(weight) for weight in weights.values()])))


def _split(amount, weights):
    amount = to_amount(amount)
    cents = amount / CENT
    if cents != cents.to_integral_value():
        raise ValueError("%s has parts of cents" % amount)
    total = sum(weights)
    if total == 0 or any(weight < 0 for weight in weights):
        raise ValueError("the weights must not be negative, and not all zero")
    exact = [Fraction(abs(int(cents))) * Fraction(weight) / Fraction(total) for weight in weights]
    shares = [int(share) for share in exact]
    left = abs(int(cents)) - sum(shares)
    order = sorted(range(len(weights)), key=lambda at: shares[at] - exact[at])
    for at in [at for at in order if weights[at] > 0][:left]:
        shares[at] += 1
    sign = -1 if cents < 0 else 1
    return [(Decimal(sign * share) * CENT).quantize(CENT, ROUND_DOWN) for share in shares]
