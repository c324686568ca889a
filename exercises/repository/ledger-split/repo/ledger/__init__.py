from .book import Ledger
from .money import to_amount
from .split import split_by_weight, split_evenly

__all__ = ["Ledger", "split_by_weight", "split_evenly", "to_amount"]
