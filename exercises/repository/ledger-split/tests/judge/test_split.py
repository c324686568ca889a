import unittest
from decimal import Decimal

from ledger import Ledger, split_by_weight, split_evenly


def cents(*values):
    return [Decimal(value) for value in values]


class EvenTest(unittest.TestCase):
    def test_cents_left_over_go_to_the_first(self):
        self.assertEqual(split_evenly("100.00", "abc"), cents("33.34", "33.33", "33.33"))
        self.assertEqual(split_evenly("0.02", "abc"), cents("0.01", "0.01", "0.00"))

    def test_shares_have_two_digits(self):
        self.assertEqual([str(share) for share in split_evenly(10, "ab")], ["5.00", "5.00"])

    def test_refunds_are_the_same_with_the_sign_turned(self):
        self.assertEqual(split_evenly("-100", "abc"), cents("-33.34", "-33.33", "-33.33"))

    def test_always_adds_up(self):
        for amount in range(-300, 300, 7):
            for people in range(1, 12):
                shares = split_evenly(Decimal(amount) / 100, range(people))
                self.assertEqual(sum(shares), Decimal(amount) / 100)

    def test_refuses_nobody_and_parts_of_cents(self):
        for amount, people in (("1", []), ("0.001", "ab"), ("1.005", "ab")):
            with self.assertRaises(ValueError):
                split_evenly(amount, people)

    def test_refuses_floats(self):
        with self.assertRaises(TypeError):
            split_evenly(1.5, "ab")


class WeightTest(unittest.TestCase):
    def test_largest_remainder_first(self):
        shares = split_by_weight("10.00", {"a": 1, "b": 1, "c": 4})
        self.assertEqual(list(shares.items()), list(zip("abc", cents("1.67", "1.67", "6.66"))))
        shares = split_by_weight("0.05", {"a": 3, "b": 7})
        self.assertEqual(list(shares.values()), cents("0.02", "0.03"))
        shares = split_by_weight("1.00", {"a": 1, "b": 2, "c": 4})
        self.assertEqual(list(shares.values()), cents("0.14", "0.29", "0.57"))

    def test_weights_may_be_texts(self):
        shares = split_by_weight(9, {"a": "1.5", "b": Decimal(3)})
        self.assertEqual(list(shares.values()), cents("3.00", "6.00"))

    def test_a_weight_of_zero_gets_nothing(self):
        shares = split_by_weight("0.01", {"a": 0, "b": 1, "c": 1})
        self.assertEqual(list(shares.values()), cents("0.00", "0.01", "0.00"))

    def test_refuses_bad_weights(self):
        for weights in ({}, {"a": 0}, {"a": -1, "b": 3}):
            with self.assertRaises(ValueError):
                split_by_weight(1, weights)
        with self.assertRaises(TypeError):
            split_by_weight(1, {"a": 1.5})


class LedgerTest(unittest.TestCase):
    def test_never_drifts(self):
        book = Ledger(["ann", "ben", "cem"])
        for day in range(1, 60):
            book.pay("ann", Decimal(day * 37) / 100)
            book.pay("cem", "7.77", {"ann": day, "ben": 2, "cem": "0.5"})
            book.check()
