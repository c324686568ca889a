class TemplateError(ValueError):
    """A template that cannot be filled in."""
