"""Amounts of money as decimals."""

from decimal import Decimal, InvalidOperation

CENT = Decimal("0.01")


def to_amount(value):
    """An int, Decimal or text as a Decimal; a float has lost its cents already."""
    if isinstance(value, bool) or isinstance(value, float):
        raise TypeError("use an int, a Decimal or a text, not %r" % (value,))
    try:
        amount = Decimal(value)
    except InvalidOperation:
        raise ValueError("%r is not an amount" % (value,)) from None
    if not amount.is_finite():
        raise ValueError("%r is not an amount" % (value,))
    return amount
