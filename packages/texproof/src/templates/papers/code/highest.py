"""The highest water of each day, from lines such as `2026-03-01T04:12 3.42`."""

import sys


def highest(lines):
    days = {}
    for line in lines:
        moment, height = line.split()
        day = moment[:10]
        days[day] = max(days.get(day, float("-inf")), float(height))
    return days


if __name__ == "__main__":
    for day, height in sorted(highest(sys.stdin).items()):
        print(day, height)
