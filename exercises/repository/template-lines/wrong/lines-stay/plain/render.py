"""Fills values into a text, with loops and conditions."""

import re

from .errors import TemplateError
from .paths import MISSING, find

# A block tag alone on its line takes the line with it.
TOKEN = re.compile(
    r"(?P<alone>(?!))"
    r"|\{%(?P<tag>(?:(?!%\})[^\n])*)%\}"
    r"|\{\{\s*(?P<field>[\w.]+)\s*\}\}",
    re.MULTILINE,
)
FOR = re.compile(r"for\s+([A-Za-z_]\w*)\s+in\s+([\w.]+)$")
IF = re.compile(r"if\s+(not\s+)?([\w.]+)$")


class _Block:
    def __init__(self, kind, line, about=None):
        self.kind = kind
        self.line = line
        self.about = about
        self.body = []
        self.otherwise = None

    def add(self, part):
        (self.body if self.otherwise is None else self.otherwise).append(part)


def render(text, values):
    return "".join(_fill(_parse(text).body, [values]))


def _parse(text):
    open_blocks = [_Block("all", 1)]
    end = 0
    for match in TOKEN.finditer(text):
        open_blocks[-1].add(text[end : match.start()])
        end = match.end()
        line = text.count("\n", 0, match.start()) + 1
        field = match.group("field")
        if field is not None:
            open_blocks[-1].add(("field", line, field))
        else:
            tag = match.group("tag") if match.group("alone") is None else match.group("alone")
            _read_tag(tag.strip(), line, open_blocks)
    open_blocks[-1].add(text[end:])
    if len(open_blocks) > 1:
        raise TemplateError(open_blocks[-1].line, "the block is never closed")
    return open_blocks[0]


def _read_tag(tag, line, open_blocks):
    top = open_blocks[-1]
    if tag == "end":
        if len(open_blocks) == 1:
            raise TemplateError(line, "there is no block to end")
        open_blocks.pop()
        return
    if tag == "else":
        if top.kind != "if" or top.otherwise is not None:
            raise TemplateError(line, "else belongs to no if")
        top.otherwise = []
        return
    loop, condition = FOR.match(tag), IF.match(tag)
    if not loop and not condition:
        raise TemplateError(line, "unknown tag %s" % tag)
    block = _Block("for" if loop else "if", line, (loop or condition).groups())
    top.add(block)
    open_blocks.append(block)


def _fill(parts, scopes):
    for part in parts:
        if isinstance(part, str):
            yield part
        elif isinstance(part, tuple):
            yield str(_require(scopes, part[2], part[1]))
        elif part.kind == "for":
            yield from _repeat(part, scopes)
        else:
            negated, path = part.about
            value = _look_up(scopes, path)
            holds = value is not MISSING and bool(value)
            yield from _fill(part.body if holds != bool(negated) else part.otherwise or [], scopes)


def _repeat(block, scopes):
    name, path = block.about
    found = _require(scopes, path, block.line)
    if not isinstance(found, (list, tuple)):
        raise TemplateError(block.line, "%s is no list" % path)
    for index, value in enumerate(found):
        yield from _fill(block.body, [{name: value, name + "_index": index}] + scopes)


def _require(scopes, path, line):
    value = _look_up(scopes, path)
    if value is MISSING:
        raise TemplateError(line, "there is no value %s" % path)
    return value


def _look_up(scopes, path):
    first = path.split(".")[0]
    for scope in scopes:
        if isinstance(scope, dict) and first in scope:
            return find(scope, path)
    return MISSING
