"""Probes from outside: what nothing can be said of, what a signal cuts off, and few descriptors.

Run from the top folder: `python3 -m pytest cases/cli/test_probe.py`. Cases use cases/suite.json.
"""

import json
import signal
import subprocess
import time

import pytest

SUITE = "cases/suite.json"
OK = ["HTTP/1.1 200 OK", "Content-Length: 2", "", {"text": "ok"}]
ANSWERS = {
    "/light": OK,
    "/late": [{"pause": "100ms"}, *OK],
    "/never": [{"hang": True}],
    "/reset": [{"reset": True}],
    # Answered while nothing else is asked; the later ones are on their way for long.
    "/hangs": {"turns": [OK] * 3 + [[{"pause": "30s"}, *OK]]},
    "/slow": [{"pause": "300ms"}, *OK],
    "/stall": [{"stall": "300ms"}, *OK],
    "/events": ["HTTP/1.1 200 OK", "Content-Type: text/event-stream", "", {"pause": "200ms"}, {"text": "event: e\ndata: 1\n\n"}, {"hang": True}],
}
FLOW = [{"stream": "/events", "steps": [{"await": {"event": "e"}, "within": "5s"}]}]
INNER = [{"probe": "/light", "idle": "50ms", "while": ["/slow"], "expect": {"probe.count": ">= 1"}}]
FEW = "ulimit -n 64; exec \"$@\""


@pytest.fixture(name="command")
def fixture_command(request, tmp_path):
    """The command that runs a case of one probe."""

    def write(probe):
        step = {"probe": "/light", "every": "5ms", "idle": "100ms", "while": ["/slow"], "expect": {"probe.silence_share": "<= 25%"}}
        case = {"title": "t", "tags": ["time"], "sut": {"profile": "script", "env": {"SCRIPT": ANSWERS}}, "steps": [step | probe]}
        path = tmp_path / "case.json"
        path.write_text(json.dumps(case), encoding="utf-8")
        return [request.config.getoption("onus"), "run", path, "--suite", SUITE, "--run-dir", tmp_path / "run"]

    return write


@pytest.mark.parametrize(
    "probe, code, text",
    [
        ({}, 0, "1 passed"),
        ({"probe": "/never", "within": "1s"}, 3, "was not answered once in 100 ms of idle time"),
        ({"probe": "/reset"}, 3, "was not answered once in 100 ms of idle time"),
        ({"while": [{"pause": "50ms", "why": "nothing is asked"}]}, 4, "no request of `while` was in flight"),
        ({"while": [{"exec": ["true"]}]}, 4, "no request of `while` was in flight"),
        ({"every": "30s"}, 4, "no probe was in flight together with a request of `while`"),
        # A stream and what an inner probe is beside are requests as well.
        ({"while": FLOW}, 0, "1 passed"),
        ({"while": INNER}, 0, "1 passed"),
        ({"while": [{"probe": "/light", "idle": "50ms", "while": ["/stall"], "expect": {"probe.count": ">= 1"}}]}, 1, "silent for"),
    ],
)
def test_what_was_probed(command, probe, code, text):
    done = subprocess.run(command(probe), capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == code and text in done.stdout, done


@pytest.mark.parametrize("every", ["1us", "0.001us"])
def test_a_schedule_that_nobody_can_keep_ends(command, every):
    done = subprocess.run(command({"every": every, "within": "5s"}), capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode in (0, 1, 3, 5), done


def test_probes_leave_descriptors_for_what_they_are_beside(command):
    probe = command({"probe": "/late", "every": "1ms", "idle": "300ms", "expect": {"probe.count": ">= 1"}})
    done = subprocess.run(["sh", "-c", FEW, "sh", *probe], capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 0, done


@pytest.mark.parametrize(
    "probe",
    [
        {"idle": "30s"},
        {"while": [{"get": "/never", "within": "30s"}]},
        {"probe": "/hangs", "within": "30s", "every": "50ms"},
    ],
)
def test_a_signal_is_no_finding(command, probe):
    process = subprocess.Popen(command(probe), stdout=subprocess.PIPE, encoding="utf-8")
    time.sleep(1.5)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    out = process.communicate(timeout=30)[0]
    assert process.returncode == 3 and time.monotonic() - began < 5, out
    assert "interrupted" in out and "1 failed" not in out and "expected" not in out
