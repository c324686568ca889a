"""Balances of a group."""

from decimal import Decimal

from .money import to_amount
from .split import split_by_weight, split_evenly


class Ledger:
    def __init__(self, people):
        self._balances = {name: Decimal("0.00") for name in people}

    def pay(self, payer, amount, weights=None):
        """Somebody paid for all, or for those with a weight."""
        if payer not in self._balances:
            raise KeyError(payer)
        if weights is None:
            people = list(self._balances)
            shares = dict(zip(people, split_evenly(amount, people)))
        else:
            shares = split_by_weight(amount, weights)
        self._balances[payer] += to_amount(amount)
        for name, share in shares.items():
            self._balances[name] -= share

    def balances(self):
        return dict(self._balances)

    def check(self):
        """Raises when money came from nowhere, or went there."""
        total = sum(self._balances.values())
        if total != 0:
            raise AssertionError("the balances add up to %s" % total)
