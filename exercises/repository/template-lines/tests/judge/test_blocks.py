import unittest

from plain import TemplateError, render


class LoopTest(unittest.TestCase):
    def test_repeats_with_place(self):
        text = "{% for x in list %}{{ x_index }}={{ x }};{% end %}"
        self.assertEqual(render(text, {"list": ["a", "b"]}), "0=a;1=b;")
        self.assertEqual(render(text, {"list": ()}), "")

    def test_names_end_with_the_block(self):
        text = "{{ x }}{% for x in list %}{{ x }}{% end %}{{ x }}"
        self.assertEqual(render(text, {"x": "o", "list": [1, 2]}), "o12o")
        with self.assertRaises(TemplateError):
            render("{% for y in list %}{% end %}{{ y }}", {"list": [1]})

    def test_values_are_not_changed(self):
        values = {"list": [{"n": 1}]}
        render("{% for x in list %}{{ x.n }}{% end %}", values)
        self.assertEqual(values, {"list": [{"n": 1}]})

    def test_only_lists(self):
        for value in ("text", 3, {"a": 1}, None):
            with self.assertRaises(TemplateError):
                render("{% for x in v %}{% end %}", {"v": value})


class ConditionTest(unittest.TestCase):
    def test_what_is_false(self):
        text = "{% if v %}yes{% else %}no{% end %}"
        for value in (None, False, 0, "", [], (), {}):
            self.assertEqual(render(text, {"v": value}), "no")
        for value in (True, 1, "0", [0], {"a": None}):
            self.assertEqual(render(text, {"v": value}), "yes")
        self.assertEqual(render(text, {}), "no")

    def test_not(self):
        text = "{% if not a.b %}none{% end %}"
        self.assertEqual(render(text, {}), "none")
        self.assertEqual(render(text, {"a": {"b": 1}}), "")

    def test_branches_that_are_not_taken_are_not_filled_in(self):
        self.assertEqual(render("{% if a %}{{ missing }}{% end %}.", {"a": 0}), ".")


class NestingTest(unittest.TestCase):
    def test_any_depth(self):
        text = "{% for r in rows %}{% for c in r %}{% if c %}{{ c }}{% else %}-{% end %}{% end %}|{% end %}"
        self.assertEqual(render(text, {"rows": [[1, 0], [0, 2]]}), "1-|-2|")

    def test_values_are_never_templates(self):
        self.assertEqual(render("{{ a }}{{ b }}", {"a": "{{ b }}", "b": "{% end %}"}), "{{ b }}{% end %}")


class LineTest(unittest.TestCase):
    def test_tags_alone_leave_no_line(self):
        text = "Dear all,\n  {% for x in list %}  \n- {{ x }}\n\t{% end %}\nBye\n"
        self.assertEqual(render(text, {"list": [1, 2]}), "Dear all,\n- 1\n- 2\nBye\n")

    def test_tags_beside_text_keep_theirs(self):
        self.assertEqual(render("a {% if v %}\nb\n{% end %} c\n", {"v": 1}), "a \nb\n c\n")

    def test_a_tag_on_the_last_line_without_an_end(self):
        self.assertEqual(render("{% if v %}\nb\n{% end %}", {"v": 1}), "b\n")


class ErrorTest(unittest.TestCase):
    def check(self, text, line, values=None):
        with self.assertRaises(TemplateError) as caught:
            render(text, values or {})
        self.assertEqual(caught.exception.line, line)
        self.assertTrue(str(caught.exception).startswith("line %d: " % line), str(caught.exception))

    def test_lines(self):
        self.check("a\n\n{{ missing }}", 3)
        self.check("a\n{% end %}", 2)
        self.check("a\n{% else %}", 2)
        self.check("\n{% if a %}\n\n", 2)
        self.check("{% if a %}\n{% else %}\n{% else %}\n{% end %}", 3)
        self.check("\n\n{% while a %}", 3)
        self.check("x\n{% for x in list %}\n{{ y }}{% end %}", 3, {"list": [1]})
        self.check("x\n{% for x in list %}{% end %}", 2, {"list": 1})

    def test_else_of_a_loop(self):
        self.check("{% for x in list %}\n{% else %}\n{% end %}", 2, {"list": []})
