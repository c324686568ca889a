"""Derives the rate of each entry of a board from its episodes, and compares it with the board's own.

python3 derive_row.py http://localhost:3000 typescript
"""

import csv
import io
import sys
import urllib.error
import urllib.request
from collections import defaultdict

SCORED = {"solved", "unsolved", "out-of-budget", "subject-crashed", "tampered"}


def read(url):
    with urllib.request.urlopen(url) as answer:
        return list(csv.DictReader(io.StringIO(answer.read().decode("utf-8-sig"))))


def derive(episodes):
    """Returns the mean over tasks of the share of solved episodes, tasks and scored episodes."""
    tasks = defaultdict(list)
    for episode in episodes:
        if episode["outcome"] in SCORED:
            tasks[episode["task"]].append(episode["outcome"] == "solved")
    shares = [sum(ends) / len(ends) for ends in tasks.values()]
    rate = sum(shares) / len(shares) if shares else None
    return rate, len(tasks), sum(len(ends) for ends in tasks.values())


def main(origin, suite):
    api = f"{origin.rstrip('/')}/api/v1"
    differs = False
    for row in read(f"{api}/leaderboard/export?suite={suite}"):
        rate, tasks, episodes = derive(read(f"{api}/rows/{row['row_id']}/export?format=csv"))
        own = float(row["success_rate"]) if row["success_rate"] else None
        agrees = own == rate or (None not in (own, rate) and abs(own - rate) < 1e-9)
        differs = differs or not agrees
        shown = "unknown" if rate is None else f"{100 * rate:.1f} %"
        print(row["subject"], shown, f"{tasks} tasks", f"{episodes} episodes", "agrees" if agrees else "DIFFERS")
    return 1 if differs else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python3 derive_row.py <address of the board> <suite>")
    try:
        sys.exit(main(*sys.argv[1:]))
    except (urllib.error.URLError, ValueError) as error:
        sys.exit(f"cannot read suite {sys.argv[2]} of {sys.argv[1]}: {error}")
