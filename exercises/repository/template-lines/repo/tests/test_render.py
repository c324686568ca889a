import unittest

from plain import TemplateError, render


class RenderTest(unittest.TestCase):
    def test_fills_in(self):
        self.assertEqual(render("{{a.b}} {{ c.1 }}", {"a": {"b": 1}, "c": "xy" and [1, 2]}), "1 2")

    def test_refuses_what_is_missing(self):
        with self.assertRaises(TemplateError):
            render("{{ a }}", {})


if __name__ == "__main__":
    unittest.main()
