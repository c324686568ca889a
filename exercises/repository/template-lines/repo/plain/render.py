"""Fills values into a text."""

import re

from .errors import TemplateError
from .paths import MISSING, find

FIELD = re.compile(r"\{\{\s*([\w.]+)\s*\}\}")


def render(text, values):
    def fill(match):
        value = find(values, match.group(1))
        if value is MISSING:
            raise TemplateError("there is no value %s" % match.group(1))
        return str(value)

    return FIELD.sub(fill, text)
