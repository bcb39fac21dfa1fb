"""The mail side from outside: what is no verdict (exit 3 and 5), what findings say, and that secrets stay secret.

Run from the top folder: `python3 -m pytest cases/cli/test_mail.py`. Cases use cases/suite.json, or a copy of it that is changed.
"""

import base64
import email.utils
import json
import re
import subprocess
import time

import pytest

import relaxed
from peak import peak

SUITE = "cases/suite.json"
EVENTS = ["HTTP/1.1 200 OK", "Content-Type: text/event-stream", ""]
OK = ["HTTP/1.1 200 OK", "Content-Length: 2", "", {"text": "ok"}]


@pytest.fixture(name="onus")
def fixture_onus(request, tmp_path):
    """onus(CASE, OPTIONS…) writes the case, runs it to its end, and has returncode, stdout and stderr."""

    def run(case, *args, **changes):
        path = tmp_path / "case.json"
        path.write_text(json.dumps({"title": "t"} | case), encoding="utf-8")
        suite = tmp_path / "suite.json"
        suite.write_text(json.dumps(relaxed.load(SUITE) | changes), encoding="utf-8")
        command = [request.config.getoption("onus"), "run", path, "--suite", suite, "--run-dir", tmp_path / "run", *args]
        return subprocess.run(list(map(str, command)), capture_output=True, encoding="utf-8", timeout=60, check=False)

    return run


def script(answers):
    return {"profile": "script", "env": {"SCRIPT": answers}}


def budget(**options):
    return {"budget": "/", "limit": 1, "window": "300ms", "refused": {"status": 429}} | options


def refusal(*headers):
    return ["HTTP/1.1 429 Too Many Requests", *headers, "Content-Length: 0", ""]


# --- no verdict -------------------------------------------------------------------------------------------------------


def test_a_budget_that_does_not_fit_its_window(onus):
    done = onus({"sut": script({"/": [{"pause": "80ms"}, *OK]}), "steps": [budget(limit=10)]})
    assert done.returncode == 5, done.stdout + done.stderr
    assert "took longer than the window of 300 ms" in done.stdout


def upstream(tmp_path, text):
    """The embedded mail server, behind a shell that does something else to it beside."""
    wrapper = tmp_path / "upstream"
    wrapper.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    wrapper.chmod(0o755)
    return relaxed.load(SUITE)["upstream"] | {"command": [str(wrapper)]}


# The server may be gone before the first request, so that what comes first may also say so.
DIES = {"as": "alice", "steps": [{"stream": "/api/events", "steps": [{"pause": "1500ms", "why": "the upstream dies meanwhile"}]}]}


@pytest.mark.parametrize(
    "end, said",
    [
        pytest.param("kill -SEGV $$", "the upstream ended by itself: Segmentation fault", id="crashes"),
        pytest.param("kill -TERM $$", "the upstream ended by itself", id="ends"),
    ],
)
def test_an_upstream_that_dies_by_itself(onus, tmp_path, end, said):
    changed = upstream(tmp_path, f"(sleep 0.7; {end}) >/dev/null 2>&1 &\nLISTEN_PID=$$ exec build/upstream")
    done = onus(DIES, upstream=changed)
    assert done.returncode == 3, done.stdout + done.stderr
    assert said in done.stdout


def test_an_upstream_that_does_not_start(onus, tmp_path):
    changed = upstream(tmp_path, "echo no, thanks >&2; exit 3")
    done = onus({"as": "alice", "steps": [{"get": "/api/session", "expect": {"status": 200}}]}, upstream=changed)
    assert done.returncode == 3, done.stdout + done.stderr
    assert "no, thanks" in done.stdout


@pytest.mark.parametrize(
    "spoil, said",
    [
        pytest.param("rm {journal}", "No such file", id="missing"),
        pytest.param("truncate -s -3 {journal}", "its last line has no end", id="cut"),
        pytest.param("sed -i '2s/^./x/' {journal}", "journal line 2", id="garbled"),
    ],
)
def test_a_journal_that_is_spoilt(onus, tmp_path, spoil, said):
    command = spoil.format(journal=f"{tmp_path}/run/*/upstream/journal.ndjson")
    # Without requests in between the server writes no more.
    done = onus({"as": "alice", "steps": [{"exec": ["sh", "-c", command], "expect": {"exit": 0}}, {"journal": {"count": ">= 0"}}]})
    assert done.returncode == 3, done.stdout + done.stderr
    assert said in done.stdout


def test_no_upstream(onus):
    suite = relaxed.load(SUITE)
    sut = suite["profiles"]["script"] | {"env": {"SCRIPT": {"/": OK}}}
    done = onus({"steps": ["/", {"journal": {"count": 0}}, {"upstream": "stop"}]}, sut=sut, upstream=None, sessions=None, profiles={}, variables={})
    assert done.returncode == 2, done.stdout + done.stderr


# --- cases that are wrong ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "step, said",
    [
        pytest.param({"await": {"event": "state"}}, "steps of a stream", id="await without a stream"),
        pytest.param({"barrier": "a"}, "list of a parallel", id="barrier without a parallel"),
        pytest.param({"get": "/", "as": "alcie"}, 'did you mean "alice"', id="an unknown user"),
        pytest.param({"stream": "/", "steps": []}, "/steps/0/steps", id="a stream without steps"),
        pytest.param({"stream": "/", "steps": [{"await": {"evnet": "a"}}]}, 'did you mean "event"', id="an unknown part of an event"),
        pytest.param({"quiet": {}}, '"for"', id="quiet for how long"),
        pytest.param({"budget": "/", "limit": 3, "refused": {}}, '"window"', id="a budget without a window"),
        pytest.param({"upstream": "strat"}, "upstream", id="an unknown thing to do"),
        pytest.param({"journal": {"streams.opne": 1}}, 'did you mean "streams.open"', id="an unknown thing to count"),
        pytest.param({"get": "/", "expect": {"gap.max": "< 1"}}, "unit", id="a silence without unit"),
        pytest.param({"parallel": {"a": [{"parallel": {"b": ["/"]}}]}}, "cannot stand in a parallel", id="a parallel in a parallel"),
    ],
)
def test_wrong_steps(onus, step, said):
    done = onus({"steps": [step]})
    assert done.returncode == 2, done.stdout + done.stderr
    assert said in done.stdout + done.stderr


# --- what findings say ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer, said",
    [
        pytest.param(["HTTP/1.1 204 No Content", ""], "status 204, no Content-Type, no events", id="204"),
        pytest.param(["HTTP/1.1 200 OK", "Content-Type: text/html", "", {"text": "<html>"}, {"hang": True}], "Content-Type text/html, no events", id="HTML"),
        pytest.param([*EVENTS, {"hang": True}], "no event since then", id="no events"),
        pytest.param([*EVENTS, {"text": "data: "}, {"text": "0123456789", "repeat": 10000000}, {"hang": True}], "a line of the event stream has more than 1048576 bytes", id="a line of 100 MB"),
        pytest.param([*EVENTS, {"text": "data: "}, {"hex": "ff"}, {"text": "\n\n"}, {"hang": True}], "bytes that are not UTF-8, at byte 6", id="not UTF-8"),
        pytest.param([*EVENTS, {"text": "data: 1\n\ndata: 2\n"}, {"close": True}], "in the middle of another", id="cut in an event"),
        pytest.param([*EVENTS, {"text": "data: 1\n\n", "repeat": "forever"}], "more than 100000 events", id="without end"),
    ],
)
def test_what_is_said_of_streams(request, onus, tmp_path, answer, said):
    """Within the case's time, and in little memory."""
    case = {"sut": script({"/": answer}), "steps": [{"stream": "/", "steps": [{"await": {"event": "state"}, "within": "2s"}]}]}
    began = time.monotonic()
    done = onus(case)
    assert done.returncode == 1 and time.monotonic() - began < 8, done.stdout + done.stderr
    assert said in done.stdout, done.stdout
    command = [request.config.getoption("onus"), "run", tmp_path / "case.json", "--suite", tmp_path / "suite.json"]
    assert peak(command)[1] < 64 * 1024


@pytest.mark.parametrize("ahead, code", [(3, 0), (-5, 1), (600, 1)])
def test_retry_after_as_a_date(onus, ahead, code):
    """A date is read as such: it is waited for, where it is to come, and not longer than a window."""
    date = email.utils.formatdate(time.time() + 0.5 + ahead, usegmt=True)
    answers = {"/": {"turns": [OK, refusal(f"Retry-After: {date}"), refusal(f"Retry-After: {date}"), OK]}}
    done = onus({"sut": script(answers), "steps": [budget(window="1500ms", honours="Retry-After")]})
    assert done.returncode == code, done.stdout + done.stderr
    if code:
        assert "Retry-After" in done.stdout


@pytest.mark.parametrize("value", ["-1", "0", None, "soon"])
def test_retry_after_that_says_nothing(onus, value):
    answers = {"/": {"turns": [OK, refusal(*[f"Retry-After: {value}"] * (value is not None))]}}
    done = onus({"sut": script(answers), "steps": [budget(honours="Retry-After")]})
    assert done.returncode == 1, done.stdout + done.stderr
    assert re.search(r"Retry-After\n +expected +a number of seconds above 0, or a date to come\n", done.stdout), done.stdout


# --- secrets ----------------------------------------------------------------------------------------------------------


def test_tokens_and_passwords_are_masked(onus, tmp_path):
    """In every report and saved exchange, of sign-in too, and in the journal that stays beside them."""
    case = {"as": "alice", "steps": [
        {"get": "/api/session", "expect": {"status": 204}},
        {"post": "/api/signin", "json": {"user": "alice", "password": "wonder"}, "capture": {"own": {"json": "/token", "secret": True}}, "expect": {"status": 204}},
        {"stream": {"get": "/api/events", "expect": {"status": 204}}, "steps": [{"quiet": {}, "for": "10ms"}]}]}
    kinds = ["json", "junit", "tap", "markdown", "ndjson", "github"]
    reports = [word for kind in kinds for word in ("--report", f"{kind}={tmp_path / kind}")]
    done = onus(case, "--keep", "--report", "console", *reports)
    assert done.returncode == 1, done.stdout + done.stderr
    saved = [path.read_text(encoding="utf-8", errors="replace") for path in (tmp_path / "run").rglob("*.http")]
    assert len(saved) >= 3 and any("Authorization: Bearer ****" in text for text in saved)
    journals = [path.read_text(encoding="utf-8") for path in (tmp_path / "run").rglob("journal.ndjson")]
    assert "Basic ****" in journals[0], "what nobody could find proves nothing"
    basic = base64.b64encode(b"alice:wonder").decode()
    tokens = re.findall(r"[A-Za-z0-9_-]{32,}", "\n".join(saved))
    for text in [done.stdout, done.stderr, *saved, *journals, *[(tmp_path / kind).read_text(encoding="utf-8") for kind in kinds]]:
        assert "wonder" not in text and basic not in text and not re.search(r"Bearer [A-Za-z0-9]", text) and not re.search(r'"token":"[^*]', text), (text, tokens)


def test_sign_in_that_fails_is_told_where_it_stands(onus):
    done = onus({"sut": {"env": {"SIGNIN_RATE_LIMIT": 1}}, "steps": [{"get": "/api/session", "as": user, "expect": {"status": 200}} for user in ("alice", "bob")]})
    assert done.returncode == 1, done.stdout + done.stderr
    assert "suite.json:" in done.stdout and "429" in done.stdout


# --- others' mail servers ---------------------------------------------------------------------------------------------


def test_commands_instead_of_the_embedded_server(onus, tmp_path):
    """Where a suite has a server of its own, `stop` and `start` are what it says."""
    log = tmp_path / "log"
    commands = {word: ["sh", "-c", f"echo {word} >> {log}"] for word in ("stop", "start")}
    sut = relaxed.load(SUITE)["profiles"]["script"] | {"env": {"SCRIPT": {"/": OK}}}
    done = onus({"steps": [{"upstream": "stop"}, {"get": "/", "expect": {"body": "ok"}}, {"upstream": "start"}]},
                sut=sut, upstream=commands, profiles={}, sessions={"users": {}, "steps": ["/"], "adds": {"headers": {}}})
    assert done.returncode == 0, done.stdout + done.stderr
    assert log.read_text(encoding="utf-8").split() == ["stop", "start"]
    done = onus({"steps": [{"upstream": "stop"}]}, sut=sut, upstream={"stop": ["false"]}, profiles={}, sessions={"users": {}, "steps": ["/"], "adds": {"headers": {}}})
    assert done.returncode == 3, done.stdout + done.stderr
