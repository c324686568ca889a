class TemplateError(ValueError):
    """A template that cannot be filled in; `line` is where, from 1."""

    def __init__(self, line, message):
        super().__init__("line %d: %s" % (line, message))
        self.line = line
