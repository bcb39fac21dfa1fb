"""What several of the tests here need."""

import os
import subprocess

import pytest


@pytest.fixture(name="crowded")
def fixture_crowded():
    """For preexec_fn: on a core that somebody else uses up, and who comes first."""
    core = min(os.sched_getaffinity(0))

    def settle():
        os.sched_setaffinity(0, {core})
        os.nice(15)

    with subprocess.Popen(["sh", "-c", "while :; do :; done"], preexec_fn=lambda: os.sched_setaffinity(0, {core})) as spin:
        yield settle
        spin.kill()
