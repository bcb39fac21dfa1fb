"""load and hold from outside: what is no verdict (exit 3 and 5), a signal in the middle, who may be driven how.

Run from the top folder: `python3 -m pytest cases/cli/test_load_step.py`. Cases use cases/suite.json.
"""

import json
import re
import signal
import subprocess
import time

import pytest

SUITE = "cases/suite.json"
OK = ["HTTP/1.1 200 OK", "Content-Length: 2", "", {"text": "ok"}]
OPEN = ["HTTP/1.1 200 OK", "Content-Type: text/event-stream", "", {"text": "event: a\ndata: 1\n\n"}, {"pause": "60s"}]


@pytest.fixture(name="start")
def fixture_start(request, tmp_path):
    """start(STEPS, OPTIONS…, KEY=VALUE…) writes a case of a scripted server and begins to run it."""
    started = []

    def run(steps, *args, preexec_fn=None, **more):
        path = tmp_path / "case.json"
        sut = {"profile": "script", "env": {"SCRIPT": {"/ok": OK, "/open": OPEN}}} | more
        path.write_text(json.dumps({"title": "t", "sut": sut, "steps": steps}), encoding="utf-8")
        command = [request.config.getoption("onus"), "run", path, "--suite", SUITE, "--run-dir", tmp_path / "run",
                   "--report", f"json={tmp_path}/result.json", *args]
        started.append(subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", preexec_fn=preexec_fn))
        return started[-1]

    yield run
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture(name="onus")
def fixture_onus(start):
    """The same to its end: exit status, and everything that was printed."""

    def run(steps, *args, **more):
        process = start(steps, *args, **more)
        said = "".join(process.communicate(timeout=90))
        return process.returncode, said

    return run


def figures(tmp_path):
    case = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))["cases"][0]
    return {figure["name"]: figure for figure in case["figures"]}


def hold_up(process):
    """onus itself stands still for a third of the time."""
    while process.poll() is None:
        time.sleep(0.2)
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.1)
        process.send_signal(signal.SIGCONT)
    return process.returncode, "".join(process.communicate(timeout=90))


def test_a_latency_that_onus_has_spoiled_is_no_verdict(start):
    code, said = hold_up(start([{"load": "/ok", "rate": "100/s", "for": "1s", "expect": {"response.p99": "<= 1us"}}]))
    assert code == 5
    assert "response.p99 may not be judged: requests were sent late: send lag p99" in said


def test_what_is_spoiled_and_not_expected_is_told_and_no_more(start, tmp_path):
    code, said = hold_up(start([{"load": "/ok", "rate": "100/s", "for": "1s", "expect": {"errors": 0}}]))
    assert code == 0, said
    assert figures(tmp_path)["response.min"]["note"].startswith("not to be used: requests were sent late")


def test_on_one_core_with_others_latency_is_no_verdict_and_the_cost_of_the_server_is(onus, tmp_path, crowded):
    """onus and the server it starts are there both."""
    load = {"load": "/ok", "rate": "300/s", "max_in_flight": 1000, "for": "1s"}
    code, said = onus([load | {"expect": {"response.p99": "<= 60min"}}], preexec_fn=crowded)
    assert code == 5, said
    assert "response.p99 may not be judged: " in said
    code, said = onus([load | {"expect": {"sut.cpu_per_request": "> 0us", "errors": 0}}], preexec_fn=crowded)
    assert code == 0, said
    notes = [figure["note"] for figure in figures(tmp_path).values() if figure["name"].startswith("response.")]
    assert [note for note in notes if note and note.startswith("not to be used: ")]


def test_on_one_core_with_others_users_keep_what_they_keep_and_break_nothing(onus, crowded):
    users = {"load": "/ok", "users": 4, "for": "1s"}
    code, said = onus([users | {"expect": {"service.p50": "<= 1us"}}], preexec_fn=crowded)
    assert code == 5, said
    assert "service.p50 may not be judged: onus waited for a processor for" in said
    code, said = onus([users | {"expect": {"service.p50": "<= 60min", "rate": ">= 1/s", "errors": 0}}], preexec_fn=crowded)
    assert code == 0, said


def test_what_onus_can_do_at_most_stands_beside_a_load(onus, tmp_path):
    code, said = onus([{"load": "/ok", "users": 1, "think": "5ms", "for": "300ms", "expect": {"errors": 0}}], "-v")
    assert code == 0, said
    assert re.search(r"null_server.rate +\S+/s   what onus itself can do at most here", said)
    assert figures(tmp_path)["null_server.p50"]["value"].endswith("ns") or "us" in figures(tmp_path)["null_server.p50"]["value"]


def test_asked_for_a_coding_and_got_none(onus, tmp_path):
    load = {"get": "/ok", "headers": {"Accept-Encoding": "${accept}"}}
    for accept, warned in (("br;q=0, gzip;q=0.5", True), ("gzip;q=0", False), ("identity", False)):
        code, said = onus([{"load": load, "matrix": {"accept": [accept]}, "users": 1, "think": "5ms", "for": "200ms", "expect": {"errors": 0}}])
        assert code == 0, said
        assert (figures(tmp_path)["coded_share"]["note"] == "a content coding was asked for, and no answer had one") == warned


def test_a_share_of_what_was_sent_may_fail(onus):
    mix = [{"request": "/ok", "weight": 3}, {"request": {"get": "/gone"}}]
    load = {"load": mix, "users": 4, "think": "2ms", "for": "1s"}
    code, said = onus([load | {"expect": {"errors": "5%..60%", "errors.status": "5%..60%", "errors.timeout": "<= 0%", "statuses.4xx": "5%..60%"}}])
    assert code == 0, said
    code, said = onus([load | {"expect": {"errors": "<= 1%"}}])
    assert code == 1, said
    assert re.search(r"errors\n +expected +<= 1%\n +found +\d[\d.]*% \(\d+ of another status\)", said)


def test_a_signal_ends_a_load_at_once(start, tmp_path):
    process = start([{"load": "/ok", "users": 2, "think": "5ms", "for": "60s", "warm_up": "0s"}], "-v")
    time.sleep(2.5)
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    said = "".join(process.communicate(timeout=20))
    assert time.monotonic() - begun < 10
    assert process.returncode == 3
    assert "signal" in said
    # What was found until then, marked as such.
    found = figures(tmp_path)
    assert found["sent"]["note"] == "partial: it was interrupted"
    assert int(found["sent"]["value"]) > 0 and "service.p50" in found
    assert re.search(r"sent +\d+ +partial: it was interrupted", said)


def test_weights_are_shares(onus, tmp_path):
    mix = [{"request": "/ok", "weight": 3}, {"request": {"get": "/gone"}}]
    code, said = onus([{"load": mix, "users": 4, "think": "2ms", "for": "2s", "expect": {"errors": ">= 1"}}])
    assert code == 0, said
    found = figures(tmp_path)
    # A quarter of hundreds of picks, within five standard deviations of 400 of them.
    assert 0.14 < int(found["errors"]["value"]) / int(found["sent"]["value"]) < 0.36
    assert "of another status" in found["errors"]["note"]


def test_a_load_is_work_that_a_probe_may_stand_beside(onus):
    load = {"load": "/ok", "users": 2, "think": "5ms", "for": "500ms"}
    code, said = onus([{"probe": "/ok", "idle": "200ms", "while": [load], "expect": {"probe.count": ">= 20"}}])
    assert code == 0, said


def test_a_cap_that_is_not_full_is_the_environment(onus):
    code, said = onus([{"hold": "/open", "add": 5, "up_to": 15, "until": "oom", "expect": {"streams.held": ">= 1"}}], memory_max="512MiB")
    assert code == 3
    assert "15 streams were held and the memory cap was not full" in said or "memory cgroup" in said


def test_without_a_cap_nothing_ends_it(onus):
    code, said = onus([{"hold": "/open", "add": 5, "up_to": 15, "until": "oom"}])
    assert code == 2
    assert "expected memory_max" in said


@pytest.mark.parametrize("step, words", [
    ({"load": "/ok", "for": "1s"}, "expected users or rate"),
    ({"load": "/ok", "users": 1, "for": "1s", "expect": {"response.p50": "<= 1s"}}, "only a load with `rate` has response.p50"),
    ({"load": "/ok", "rate": "5", "for": "1s"}, 'expected a rate such as "500/s", found "5"'),
    ({"load": "/ok", "rate": "5/s", "think": "1s", "for": "1s"}, "users think"),
    ({"load": "/ok", "users": 1}, "expected for, requests or stages"),
    ({"load": "/ok", "users": 1, "for": "1s", "arrival": "poisson"}, "only a load with `rate` has `arrival`"),
    ({"load": "/ok", "rate": "5/s", "for": "1s", "arrival": "posson"}, "poisson"),
    ({"load": "/ok", "rate": "5/s", "for": "1s", "ramp": "1s", "arrival": "poisson"}, "beside `ramp`"),
    ({"load": "/ok", "rate": "5/s", "for": "1s", "users": 1, "max_in_flight": 1}, "both say the same"),
    ({"load": "/ok", "rate": "5/s", "for": "1s", "burst": {"size": 1, "every": "1s"}}, "`burst` and `rate` don't go together"),
    ({"load": "/ok", "stages": [{"for": "1s", "users": 1}, {"for": "1s", "rate": "1/s"}]}, "expected `rate` in every stage, or `users` in every one"),
    ({"load": "/ok", "stages": [{"for": "1s", "users": 1}], "for": "1s"}, "`stages` and `for` don't go together"),
    ({"load": "/ok", "stages": [{"for": "1s", "users": 1}], "rate": "1/s"}, "expected `users` beside stages of users"),
    ({"load": "/ok", "users": 1, "for": "1s", "expect": {"bytes.decoded": "> 1B"}}, "only a load with `decode` has bytes.decoded"),
    ({"load": "/ok", "users": 1, "for": "1s", "expect": {"errors.rset": 0}}, 'did you mean "errors.reset"?'),
    ({"load": "/ok", "users": 1, "for": "1s", "expect": {"errors": "<= 1ms"}}, "or a share"),
    ({"load": {"get": "/ok", "expect": {"body": "ok"}}, "users": 1, "for": "1s"}, 'expected status or coding, found "body"'),
    ({"load": {"get": "/ok", "capture": {"x": {"body": True}}}, "users": 1, "for": "1s"}, "a load's request takes no `capture`"),
    ({"load": [], "users": 1, "for": "1s"}, "load"),
    ({"stream": "/open", "steps": [{"load": "/ok", "users": 1, "for": "1s"}]}, "does not stand in the steps of a stream"),
    # 285 years: near the end of what a time can be, so that two of them together are no time at all.
    ({"load": "/ok", "users": 1, "for": "150000000min"}, "for: expected at most 24 hours"),
    ({"load": "/ok", "users": 1, "for": "1s", "warm_up": "150000000min"}, "warm_up: expected at most 24 hours"),
    ({"load": "/ok", "users": 1, "for": "1s", "ramp": "150000000min"}, "ramp: expected at most 24 hours"),
    ({"load": "/ok", "users": 1, "for": "1s", "think": "150000000min"}, "think: expected at most 24 hours"),
    ({"load": "/ok", "users": 1, "for": "1s", "within": "150000000min"}, "within: expected at most 24 hours"),
    ({"load": "/ok", "stages": [{"for": "150000000min", "users": 1}] * 3}, "stages: expected at most 24 hours"),
    ({"load": "/ok", "stages": [{"for": "1000min", "rate": "1/s"}] * 2}, "stages: expected at most 24 hours"),
    ({"hold": "/open", "add": 0, "up_to": 5}, "at least 1"),
    ({"hold": "/open", "add": 1, "up_to": 5, "until": "then"}, "oom"),
])
def test_what_cannot_be_is_said_before_anything_starts(onus, step, words):
    code, said = onus([step])
    assert code == 2
    assert words in said
