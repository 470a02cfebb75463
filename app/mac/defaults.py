"""Where are the preferences kept on a Mac? In NSUserDefaults, where `defaults read` finds them."""

from Foundation import NSUserDefaults

from app.preferences import Value


class DefaultsBackend:
    """Values in the app's own domain."""

    def __init__(self) -> None:
        self._defaults = NSUserDefaults.standardUserDefaults()

    def read(self, name: str) -> object:
        """The kept value, as a plain Python one; None when never set."""
        value = self._defaults.objectForKey_(name)
        # PyObjC hands out subclasses of str and int; preferences ask for the exact type.
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int):
            return int(value)
        return str(value) if isinstance(value, str) else None

    def write(self, name: str, value: Value | None) -> None:
        """Keeps `value`; None forgets it."""
        if value is None:
            self._defaults.removeObjectForKey_(name)
        else:
            self._defaults.setObject_forKey_(value, name)
