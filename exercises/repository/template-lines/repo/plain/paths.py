"""Looks up values by path: `user.name`, `items.0`."""

MISSING = object()


def find(values, path):
    """The value, or MISSING."""
    found = values
    for part in path.split("."):
        if isinstance(found, dict) and part in found:
            found = found[part]
        elif isinstance(found, (list, tuple)) and part.isdigit() and int(part) < len(found):
            found = found[int(part)]
        else:
            return MISSING
    return found
