"""A step of the wall clock must not change what is measured: who asks for it, and who asks the monotonic one.

Run from the top folder: `python3 -m pytest ci/test_clock.py`.
"""

import pathlib
import re

HARNESS = pathlib.Path("harness")
WALL = re.compile(r"CLOCK_REALTIME|gettimeofday|\btime\(NULL\)|std::chrono|\bftime\(")
# For people and headers: when a run began, and dates in Retry-After.
MAY = {"base/clock.c", "cli/cmd_load.c", "drive/step_budget.c"}


def test_the_wall_clock_is_asked_for_dates_alone():
    asks = {
        path.relative_to(HARNESS).as_posix()
        for path in HARNESS.rglob("*.[ch]")
        if not re.search(r"_(test|testing|fuzz)\.[ch]$", path.name) and WALL.search(path.read_text(encoding="utf-8"))
    }
    assert asks == MAY


def test_what_is_measured_has_one_clock_which_never_steps():
    text = (HARNESS / "base" / "clock.c").read_text(encoding="utf-8")
    now = text[text.index("clock_now_ns(void)") :]
    assert "CLOCK_MONOTONIC" in now[: now.index("\n}")]
    others = [path for path in HARNESS.rglob("*.c") if not path.stem.endswith("_test") and re.search(r"clock_gettime\((?!CLOCK_MONOTONIC|CLOCK_THREAD_CPUTIME_ID|\w*[cC]lock\b)", path.read_text(encoding="utf-8"))]
    assert not others, others
