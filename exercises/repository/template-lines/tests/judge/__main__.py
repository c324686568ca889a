"""Runs the tests beside this file and writes a JUnit report to the path in the first argument."""

import sys
import unittest
from xml.sax.saxutils import quoteattr


class Recorder(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.lines = []

    def _add(self, test, inner=""):
        kind, name = test.id().rsplit(".", 1)
        self.lines.append("<testcase classname=%s name=%s>%s</testcase>" % (quoteattr(kind), quoteattr(name), inner))

    def addSuccess(self, test):
        self._add(test)

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self._add(test, "<failure message=%s/>" % quoteattr(str(error[1])[:500]))

    def addError(self, test, error):
        super().addError(test, error)
        self._add(test, "<error message=%s/>" % quoteattr(str(error[1])[:500]))

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._add(test, "<skipped/>")


if __name__ == "__main__":
    recorder = Recorder()
    unittest.defaultTestLoader.discover("judge", top_level_dir=".").run(recorder)
    with open(sys.argv[1], "w", encoding="utf-8") as report:
        report.write("<testsuite name=\"judge\">%s</testsuite>\n" % "".join(recorder.lines))
    for _, trace in recorder.failures + recorder.errors:
        print(trace, file=sys.stderr)
    sys.exit(0 if recorder.wasSuccessful() else 1)
