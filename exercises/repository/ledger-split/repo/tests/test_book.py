import unittest
from decimal import Decimal

from ledger import Ledger


class BookTest(unittest.TestCase):
    def test_even_amounts(self):
        book = Ledger(["ann", "ben"])
        book.pay("ann", "10")
        self.assertEqual(book.balances(), {"ann": Decimal("5"), "ben": Decimal("-5")})
        book.check()

    def test_strangers_cannot_pay(self):
        with self.assertRaises(KeyError):
            Ledger(["ann"]).pay("zoe", 1)


if __name__ == "__main__":
    unittest.main()
