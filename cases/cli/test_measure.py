"""probe and openapi from outside: what is no verdict (exit 3 and 5), silences against the server's own clock, documents that
are none.

Run from the top folder: `python3 -m pytest cases/cli/test_measure.py`. Cases use cases/suite.json.
"""

import json
import os
import signal
import subprocess
import time

import pytest

SUITE = "cases/suite.json"
OK = ["HTTP/1.1 200 OK", "Content-Length: 2", "", {"text": "ok"}]


@pytest.fixture(name="start")
def fixture_start(request, tmp_path):
    """start(CASE, OPTIONS…) writes the case and begins to run it."""
    started = []

    def run(case, *args):
        path = tmp_path / "case.json"
        path.write_text(json.dumps({"title": "t"} | case), encoding="utf-8")
        command = [request.config.getoption("onus"), "run", path, "--suite", SUITE, "--run-dir", tmp_path / "run", *args]
        started.append(subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"))
        return started[-1]

    yield run
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture(name="onus")
def fixture_onus(start):
    """The same to its end: exit status, and everything that was printed."""

    def run(case, *args):
        process = start(case, *args)
        said = "".join(process.communicate(timeout=60))
        return process.returncode, said

    return run


def script(answers):
    return {"profile": "script", "env": {"SCRIPT": answers}}


def probe(**options):
    return {"probe": "/light", "idle": "200ms", "within": "1s", "while": ["/slow"], "expect": {"probe.silence_share": "<= 25%"}} | options


# --- no verdict -------------------------------------------------------------------------------------------------------


def test_a_probe_that_never_answers_idle_is_the_environment(onus):
    code, said = onus({"sut": script({"/light": [{"hang": True}], "/slow": OK}), "steps": [probe()]})
    assert code == 3, said
    assert "the probe was not answered once in 200 ms of idle time" in said


def test_a_stall_of_onus_itself_proves_nothing(start):
    """It is stopped again and again: the silence is its own, and no finding."""
    process = start({"sut": script({"/light": OK, "/slow": [{"pause": "300ms"}, *OK]}), "steps": [probe()]})
    ends = time.monotonic() + 30
    while process.poll() is None and time.monotonic() < ends:
        os.kill(process.pid, signal.SIGSTOP)
        time.sleep(0.1)
        os.kill(process.pid, signal.SIGCONT)
        time.sleep(0.1)
    said = "".join(process.communicate(timeout=30))
    assert process.returncode == 5, said
    assert "3 times in a row: the machine is too busy" in said
    assert "silence_share" not in said


# --- verdicts ---------------------------------------------------------------------------------------------------------


def search(tmp_path):
    """A probe beside searches, each of which leaves its query's time, in ms, in a file."""
    steps = [
        {"get": "/api/v1/gallery/item_names?search=zebra", "as": "alice",
         "capture": {"query": {"header": "Server-Timing", "matches": "query;dur=([0-9.]+)"}}},
        {"exec": ["sh", "-c", 'echo "$0" >>"$1"', "${query}", str(tmp_path / "queries")]},
    ]
    return {"steps": [{"probe": "/api/health", "idle": "200ms", "while": [{"group": steps, "repeat": 3}], "expect": {"probe.count": ">= 1"}}]}


def silence_and_query(onus, tmp_path, *args):
    """The longest silence as onus has it, the longest query as the server has it, in ms."""
    code, said = onus(search(tmp_path), "--report", f"json={tmp_path}/report.json", *args)
    assert code == 0, said
    figures = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["cases"][0]["figures"]
    (silence,) = (figure["value"] for figure in figures if figure["name"] == "probe.silence")
    queries = [float(line) for line in (tmp_path / "queries").read_text(encoding="utf-8").split()]
    (tmp_path / "queries").unlink()
    assert len(queries) == 3 and silence.endswith("us")
    return float(silence[:-2]) / 1000, max(queries)


def comes_true(onus, tmp_path, holds, *args):
    """Once in five: a machine that is busy with something else makes silences of its own, but not each time."""
    seen = []
    while len(seen) < 5 and not (seen and holds(*seen[-1])):
        seen.append(silence_and_query(onus, tmp_path, *args))
    assert holds(*seen[-1]), seen


def test_a_silence_is_as_long_as_the_query_that_made_it(onus, tmp_path):
    """The server's clock is the independent one. A probe is sent every 5 ms, so that much more may be missed."""
    comes_true(onus, tmp_path, lambda silence, query: abs(silence - query) <= 0.1 * query + 5, "--fault", "blocking-query")


def test_without_the_fault_there_is_no_such_silence(onus, tmp_path):
    comes_true(onus, tmp_path, lambda silence, query: silence < query / 4)


def document(*body, status="200 OK"):
    return {"/openapi.json": [f"HTTP/1.1 {status}", "Transfer-Encoding: chunked", "", {"chunked": list(body)}]}


def text(value):
    return {"text": value if isinstance(value, str) else json.dumps(value)}


@pytest.mark.parametrize(
    "answer, said",
    [
        pytest.param(document(text("openapi: 3.1.0\ninfo:\n  title: x\n")), "YAML", id="YAML"),
        pytest.param(document(text({"swagger": "2.0", "paths": {"/x": {"get": {}}}})), "2.0", id="Swagger 2.0"),
        pytest.param(document(text("<!doctype html><title>x</title>")), "HTML", id="HTML behind a 200"),
        pytest.param({"/openapi.json": ["HTTP/1.1 200 OK", "Content-Length: 0", ""]}, "nothing, 0 bytes", id="empty"),
        pytest.param(document(text({"openapi": "3.1.0", "info": {}})), "paths", id="no paths"),
        pytest.param(document(text({"openapi": "3.1.0", "info": {}, "paths": {}})), "no path", id="empty paths"),
        pytest.param(document(text({"openapi": "3.1.0", "paths": {"/x": {"get": {"responses": {"200": {"$ref": "#/components/x"}}}}}})), "#/components/x", id="a $ref that dangles"),
        pytest.param(document(text({"openapi": "3.1.0", "paths": {"/x": {"get": {"responses": {"200": {"$ref": "http://127.0.0.1:1/x.json"}}}}}})), "http://127.0.0.1:1/x.json", id="a remote $ref"),
        pytest.param(document(text('{"openapi":"3.1.0","x":"'), {"text": "x", "repeat": 50000000}, text('"}')), "at most", id="50 MB"),
        pytest.param(document(text({}), status="404 Not Found"), "404", id="not there"),
    ],
)
def test_a_document_that_is_none_is_a_finding(onus, answer, said):
    code, output = onus({"sut": script(answer), "steps": [{"openapi": "/openapi.json", "expect": {"routes.total": ">= 0"}}]})
    assert code == 1, output
    assert said in output, output
