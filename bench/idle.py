"""Whether the machine is idle enough to judge speed: the share of its processors that nobody uses."""
import time

ENOUGH = 0.85


def times(text):
    """Processor time since the start: idle, and all, from the first line of /proc/stat."""
    numbers = [int(word) for word in text.splitlines()[0].split()[1:9]]
    return numbers[3] + numbers[4], sum(numbers)


def idle_share(seconds=2.0):
    def now():
        with open("/proc/stat") as file:
            return times(file.read())
    before = now()
    time.sleep(seconds)
    after = now()
    return (after[0] - before[0]) / max(1, after[1] - before[1])
