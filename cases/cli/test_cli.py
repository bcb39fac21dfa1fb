"""The program from outside: exit codes, bad input, what is left behind, and that schema and manual tell the truth.

Run from the top folder: `python3 -m pytest cases/cli`. Cases are written to a temporary folder; they use cases/suite.json.
"""

import http.server
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree

import pytest

import relaxed
from peak import peak

HELLO = ["HTTP/1.1 200 OK", "Content-Length: 5", "", {"text": "hello"}]
SMALL = "cases/compression/small-files.json"
NGINX = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")


@pytest.fixture(name="onus")
def fixture_onus(request):
    """Runs the program to its end: onus("run", PATH) has returncode, stdout and stderr."""

    def run(*args, **kwargs):
        command = [request.config.getoption("onus"), *map(str, args)]
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 60, "check": False}
        return subprocess.run(command, encoding="utf-8", **(options | kwargs))

    return run


@pytest.fixture(name="start")
def fixture_start(request):
    """The same without waiting; what a test leaves running is ended with it."""
    started = []

    def run(*args):
        command = [request.config.getoption("onus"), *map(str, args)]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"))
        return started[-1]

    yield run
    for process in started:
        process.kill()
        process.communicate()


def script(answers, **env):
    return {"profile": "script", "env": {"SCRIPT": answers, **env}}


def write(path, case):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(case if isinstance(case, str) else json.dumps(case), encoding="utf-8")
    return path


def has_open(process, marker):
    """Does it have a file below `marker` open, or the text in its environment?"""
    try:
        links = [os.readlink(link) for link in (process / "fd").iterdir()]
        return any(marker in link for link in links) or marker in (process / "environ").read_text(errors="replace")
    except OSError:
        return False


def processes_of(marker):
    """Processes that a run started: what they print goes to files below its run directory, and so do logs."""
    everybody = [path for path in pathlib.Path("/proc").iterdir() if path.name.isdigit() and int(path.name) != os.getpid()]
    return [int(path.name) for path in everybody if has_open(path, str(marker))]


def wait_until(holds, within=10):
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.02)
    return False


# --- exit codes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "closed, code",
    [("0<&-", 0), ("2>&-", 0), ("0<&- 2>&-", 0), (">&-", 3), ("0<&- >&- 2>&-", 3)],
)
def test_standard_descriptors_that_are_closed(request, closed, code):
    program = os.path.abspath(request.config.getoption("onus"))
    done = subprocess.run(["sh", "-c", f'"$0" run {SMALL} {closed}', program], stdout=subprocess.DEVNULL, timeout=60, check=False)
    assert done.returncode == code


def test_a_limit_of_file_sizes_is_told(request, tmp_path):
    program = os.path.abspath(request.config.getoption("onus"))
    limited = f'ulimit -f 1; "$0" run {SMALL} --report json={tmp_path / "result.json"} --report console'
    done = subprocess.run(["sh", "-c", limited, program], capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 3, done
    assert "File too large" in done.stdout + done.stderr


@pytest.mark.parametrize("step", [{"exec": ["sh", "-c", "touch mark; exec sleep 50"], "within": "50s"}, {"get": "/"}])
def test_an_interrupt_ends_what_waits_for_a_process(start, tmp_path, step):
    mark = str(tmp_path / "mark")
    step = json.loads(json.dumps(step).replace("mark", mark))
    sut = {"command": ["sh", "-c", f"touch {mark}; exec sleep 50"], "ready": {"output": "never", "within": "50s"}}
    suite = write(tmp_path / "suite.json", {"sut": sut})
    case = write(tmp_path / "case.json", {"title": "t", "steps": [step]})
    process = start("run", case, "--suite", suite, "--run-dir", tmp_path / "run")
    assert wait_until(lambda: os.path.exists(mark))
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=40)
    assert process.returncode == 3, out + err
    assert time.monotonic() - begun < 10
    assert "interrupted before it" in out


@pytest.fixture(name="server")
def fixture_server():
    class Hello(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format, *args):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hello) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def test_resolve_is_checked_and_said_again(onus, tmp_path, server):
    case = write(tmp_path / "case.json", {"title": "t", "steps": [{"get": "/", "expect": {"status": 404}}]})
    target = ("--target", f"http://sut.example:{server}")
    pair = f"sut.example:{server}:127.0.0.1"
    for options, said in [
        ((*target, "--resolve", "x"), "--resolve: expected HOST:PORT:ADDRESS, found \"x\""),
        (("--suite", "cases/suite.json", "--resolve", pair), "--resolve: needs --target"),
        ((*target, "--resolve", pair, "--insecure"), "--insecure: expected an https URL"),
    ]:
        done = onus("run", case, *options)
        assert (done.returncode, done.stderr) == (2, f"onus: {said}\n")
    done = onus("run", case, *target, "--resolve", pair)
    assert done.returncode == 1, done.stdout + done.stderr
    again = f"onus run {case} --target http://sut.example:{server} --resolve {pair}"
    assert again in done.stdout


PIPES = {
    "a case file": (None, []),
    "a suite": ({}, ["--suite", "PIPE"]),
    "a request's file": ({"steps": [{"post": "/", "file": "pipe", "expect": {"status": 200}}]}, []),
    "a template": ({"sut": script({"*": HELLO}) | {"files": {"x": "PIPE"}}}, []),
    "what a body must be the same as": (
        {"steps": [{"get": "/", "expect": {"body": {"same_as": "file:${name}"}}}], "variables": {"name": "pipe"}}, []),
    "certificates": ({}, ["--cacert", "PIPE"]),
}


@pytest.mark.parametrize("case, options", PIPES.values(), ids=PIPES.keys())
def test_a_named_pipe_is_not_waited_for(onus, tmp_path, case, options):
    os.mkfifo(tmp_path / "pipe")
    path = tmp_path / "case.json"
    if case is None:
        os.mkfifo(path)
    else:
        rest = {"title": "t", "sut": script({"*": HELLO}), "steps": [{"get": "/", "expect": {"status": 200}}]}
        write(path, json.dumps(rest | case).replace("PIPE", str(tmp_path / "pipe")))
    options = [option.replace("PIPE", str(tmp_path / "pipe")) for option in options]
    if "--suite" not in options:
        options += ["--suite", "cases/suite.json"]
    done = onus("run", path, *options, timeout=20)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "is not a file" in done.stdout + done.stderr


def test_what_a_case_says_drives_no_terminal(onus, tmp_path):
    write(tmp_path / "wrong.json", {"title": "t", "steps": [{"get": "/", "x\x1b[2J\ny": 1}]})
    done = onus("lint", tmp_path / "wrong.json", "--suite", "cases/suite.json")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and r"x\x1b[2J\ny" in done.stderr
    write(tmp_path / "right.json", {"title": "a\x1b[2J\u202eb", "steps": [{"get": "/", "expect": {"status": 200}}]})
    done = onus("list", "cases", tmp_path / "right.json", "--suite", "cases/suite.json")
    assert done.returncode == 0
    assert done.stdout.endswith(r"a\x1b[2J\xe2\x80\xaeb" + "\n")


def test_out_of_memory_is_the_environment(request, tmp_path):
    path = write(tmp_path / "case.json", {"title": "t" * 10_000_000, "steps": ["/"]})
    program = os.path.abspath(request.config.getoption("onus"))
    command = ["sh", "-c", 'ulimit -v 48000; exec "$0" "$@"', program, "lint", path, "--suite", "cases/suite.json"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert (done.returncode, done.stderr) == (3, "onus: out of memory\n")


def test_held(onus):
    done = onus("run", SMALL)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout


@pytest.mark.parametrize(
    "case, said",
    [
        pytest.param(None, "no case was found", id="an empty folder"),
        pytest.param({"title": "t", "steps": ["/"]}, "no check was made", id="no check"),
        pytest.param(
            {"title": "t", "steps": [{"get": "/", "matrix": {"a": [1, 2]}, "expect": [
                {"when": {"a": 3}, "status": 200}, {"when": "otherwise", "status": 200}]}]},
            "matches no cell", id="a when that matches no cell"),
        pytest.param(
            {"title": "t", "steps": [{"get": "/", "matrix": {"a": [1, 2]}, "expect": [{"when": {"a": 1}, "status": 200}]}]},
            "no `when` matches this cell", id="a cell that no when matches"),
        pytest.param(
            {"title": "t", "floor": {"requests": 2}, "steps": [{"get": "/", "expect": {"status": 200}}]},
            "expected at least 2 requests, found 1", id="a floor of the case"),
        pytest.param(
            {"title": "t", "floor": {"events": 1}, "steps": [{"get": "/", "expect": {"status": 200}}]},
            "expected at least 1 event, found 0", id="a floor of one"),
    ],
)
def test_never_green_for_nothing(onus, tmp_path, case, said):
    if case:
        write(tmp_path / "case.json", case)
    done = onus("run", tmp_path)
    assert done.returncode == 4, done.stdout + done.stderr
    assert said in done.stdout + done.stderr


@pytest.mark.parametrize(
    "options, said",
    [
        (["--filter", "zzz*"], "--filter: no case matches zzz*, of 1"),
        (["--filter", "small", "--tag", "fsat", "--tag", "slow"], "--tag: no case has the tag fsat, slow, of 1"),
        (["--skip-tag", "here"], "--skip-tag: every case has the tag here, of 1"),
    ],
)
@pytest.mark.parametrize("command", ["run", "lint", "prove"])
def test_what_leaves_no_case_is_named(onus, tmp_path, command, options, said):
    case = write(tmp_path / "small.json", {"title": "t", "tags": ["here"], "steps": [{"get": "/", "expect": {"status": 200}}]})
    done = onus(command, *options, case)
    assert done.returncode == 4, done.stdout + done.stderr
    assert said in done.stdout + done.stderr


def test_floors_of_the_command_line(onus, tmp_path):
    skipped = write(tmp_path / "skipped.json", {"title": "t", "requires": [{"command": "no-such-program"}], "steps": [{"get": "/", "expect": {"status": 200}}]})
    assert onus("run", SMALL, "--min", 2).returncode == 4
    assert onus("run", SMALL, skipped).returncode == 0
    assert onus("run", SMALL, skipped, "--max-skips", 0).returncode == 4


def test_everything_skipped(onus, tmp_path):
    write(tmp_path / "case.json", {"title": "t", "requires": [{"command": "no-such-program"}], "steps": [{"get": "/", "expect": {"status": 200}}]})
    done = onus("run", tmp_path)
    assert done.returncode == 77
    assert "no-such-program not found" in done.stdout


def test_proving_names_what_is_wrong(onus, tmp_path):
    typo = write(tmp_path / "typo.json", {"title": "t", "catches": ["compress-smal"], "steps": [{"get": "/", "expect": {"status": 200}}]})
    done = onus("prove", typo)
    assert done.returncode == 2, done.stdout + done.stderr
    assert re.search(r'typo\.json:\d+:\d+: unknown fault "compress-smal"; did you mean "compress-small"\?', done.stdout), done.stdout
    assert "1 case ·" in done.stdout and "not green" not in done.stdout


def test_proving_what_is_skipped(onus, tmp_path):
    case = {"title": "t", "why": "w", "catches": [], "requires": [{"command": "no-such-program"}], "steps": [{"get": "/", "expect": {"status": 200}}]}
    assert onus("prove", write(tmp_path / "skipped.json", case)).returncode == 77


def test_broken(onus):
    done = onus("run", SMALL, "--fault", "compress-small")
    assert done.returncode == 1
    assert re.search(r"small-files\.json:\d+:\d+ .*\n +coding\n +expected .*\n +found +.*gzip", done.stdout), done.stdout
    assert "onus run cases/compression/small-files.json --cell file=tiny.css --fault compress-small" in done.stdout


@pytest.mark.parametrize(
    "args, said",
    [
        (["rum"], 'did you mean "run"'),
        (["run", "--fail-fats"], "did you mean --fail-fast"),
        (["run", "--jobs"], "needs a value"),
        (["run", "--jobs", "many"], "whole number"),
        (["run", "--seed", "x"], "--seed"),
        (["run", "--report", "jnit"], "jnit"),
        (["run", SMALL, "--fault", "compress-smal"], 'did you mean "compress-small"'),
        (["run", SMALL, "--cell", "file=tiny.cs"], "no matrix has the cell file=tiny.cs"),
        (["run", SMALL, "--cell", "file"], "NAME=VALUE"),
        (["run", "cases/no-such-case.json"], "no-such-case.json"),
        (["run", "--suite", "cases/no-such-suite.json"], "no-such-suite.json"),
        (["run", "--target", "ftp://127.0.0.1/", SMALL], "ftp"),
        (["list", "expectation"], "expectations"),
    ],
)
def test_usage(onus, args, said):
    done = onus(*args)
    assert done.returncode == 2, done.stdout + done.stderr
    assert said in done.stdout + done.stderr


def test_chosen_cells(onus):
    done = onus("run", SMALL, "--cell", "file=tiny.css", "--report", "json=-")
    assert done.returncode == 0
    assert json.loads(done.stdout)["totals"]["cells"] == 1


# --- case files that are wrong ----------------------------------------------------------------------------------------

# Name, text, place, pointer, and what is said of it.
WRONG = [
    ("not-json", '{ "title": "t",\n  "steps": ["/"]', "2:17", "", "expected a comma"),
    ("unknown-key", '{ "title": "t",\n  "stpes": ["/"],\n  "steps": ["/"] }', "2:3", "/stpes", 'did you mean "steps"'),
    ("duplicate-key", '{ "title": "t",\n  "title": "u",\n  "steps": ["/"] }', "2:3", "/title", "line 1, column 3"),
    ("wrong-type", '{ "title": "t",\n  "steps": [{ "get": "/", "repeat": "often" }] }', "2:37", "/steps/0/repeat", 'expected a count such as 3, found "often"'),
    ("unknown-variable", '{ "title": "t",\n  "variables": { "accept": "gzip" },\n  "steps": [{ "get": "/${acept}" }] }', "3:24", "/steps/0/get", 'unknown variable "acept"; did you mean "accept"'),
    ("bad-pattern", '{ "title": "t",\n  "steps": [{ "get": "/", "expect": { "body": { "matches": "(" } } }] }', "2:60", "/steps/0/expect/body/matches", "missing closing parenthesis"),
    ("missing-fixture", '{ "title": "t",\n  "steps": [{ "get": "/", "expect": { "body": { "same_as": "file:no.txt" } } }] }', "2:60", "/steps/0/expect/body/same_as", "No such file"),
    ("two-verbs", '{ "title": "t",\n  "steps": [{ "get": "/", "head": "/" }] }', "2:13", "/steps/0", 'found "get" and "head"'),
    ("no-verb", '{ "title": "t",\n  "steps": [{ "expect": { "status": 200 } }] }', "2:13", "/steps/0", "expected one verb"),
    ("unknown-expectation", '{ "title": "t",\n  "steps": [{ "get": "/", "expect": { "statsu": 200 } }] }', "2:39", "/steps/0/expect/statsu", 'did you mean "status"'),
    ("unknown-operator", '{ "title": "t",\n  "steps": [{ "get": "/", "expect": { "headers": { "A": { "contain": "b" } } } }] }', "2:59", "/steps/0/expect/headers/A/contain", 'did you mean "contains"'),
    ("no-unit", '{ "title": "t",\n  "steps": [{ "get": "/", "expect": { "bytes.wire": "< 5" } }] }', "2:53", "/steps/0/expect/bytes.wire", "expected a size with its unit"),
    ("unknown-profile", '{ "title": "t",\n  "sut": { "profile": "scrip" },\n  "steps": ["/"] }', "2:23", "/sut/profile", 'did you mean "script"'),
    ("unknown-root", '{ "title": "t",\n  "sut": { "root": "webap" },\n  "steps": ["/"] }', "2:20", "/sut/root", 'did you mean "webapp"'),
    ("malformed-requires", '{ "title": "t",\n  "requires": [{ "comand": "nginx" }],\n  "steps": ["/"] }', "2:16", "/requires/0", "command"),
    ("nul", '{ "title": "t\\u0000",\n  "steps": ["/"] }', "1:14", "/title", "u0000"),
    ("shadowed", '{ "title": "t",\n  "variables": { "a": 1 },\n  "steps": [{ "get": "/", "matrix": { "a": [1] } }] }', "3:39", "/steps/0/matrix/a", "already a variable"),
    ("empty-catches", '{ "title": "t",\n  "catches": [],\n  "steps": ["/"] }', "2:14", "/catches", "why"),
]


def test_all_errors_at_once(onus, tmp_path):
    for name, text, *_ in WRONG:
        write(tmp_path / f"{name}.json", text)
    done = onus("run", tmp_path)
    assert done.returncode == 2
    for name, _, place, pointer, said in WRONG:
        lines = [line for line in done.stderr.splitlines() if line.startswith(f"{tmp_path}/{name}.json:")]
        assert lines, f"nothing is said of {name}"
        assert lines[0].startswith(f"{tmp_path}/{name}.json:{place}: {pointer}"), lines[0]
        assert said in lines[0], lines[0]


def test_several_errors_of_one_file(onus, tmp_path):
    case = write(tmp_path / "case.json", '{ "title": "t", "tages": [],\n "steps": [{ "get": "/", "expect": { "coding": "gzpi" } },\n  { "head": "/", "reties": "1s" }] }')
    done = onus("lint", case)
    assert done.returncode == 2
    assert [line.split(":")[1] for line in done.stderr.splitlines()] == ["1", "2", "3"], done.stderr


def test_suite_that_is_wrong(onus, tmp_path):
    suite = write(tmp_path / "suite.json", '{ "sut": { "command": [],\n "listn": "fd" } }')
    done = onus("run", "--suite", suite, SMALL)
    assert done.returncode == 2
    assert f"{suite}:2:2: /sut/listn: " in done.stderr and 'did you mean "listen"' in done.stderr


# --- a SUT or a machine that does not do its part ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "sut, said",
    [
        pytest.param({"command": ["build/no-such-program"]}, "build/no-such-program", id="no program"),
        pytest.param({"command": ["false"]}, "exit", id="ends at once"),
        pytest.param({"command": ["sh", "-c", "kill -SEGV $$"]}, "signal", id="crashes at once"),
        pytest.param({"command": ["sleep", "60"], "ready": {"get": "/", "within": "200ms"}}, "GET /", id="never answers"),
        pytest.param({"command": ["sleep", "60"], "ready": {"output": "listening", "within": "200ms"}}, "listening", id="never says so"),
        pytest.param({"command": ["sleep", "60"], "ready": {"notify": True, "within": "200ms"}}, "READY=1", id="never notifies"),
        pytest.param({"command": ["sh", "-c", "echo 'bind: Address already in use' >&2; exit 1"]}, "already in use", id="no port"),
        pytest.param(
            {"command": ["build/script"], "listen": "fd", "env": {"BEHAVE": "die-at-start", "SCRIPT": "{\"/\": []}"},
             "ready": {"notify": True}}, "exit", id="gives a reason"),
        pytest.param(
            {"command": ["build/script"], "listen": "fd", "env": {"BEHAVE": "never-ready", "SCRIPT": "{\"/\": []}"},
             "ready": {"get": "/", "within": "200ms"}}, "GET /", id="accepts, and no more"),
    ],
)
def test_no_sut(onus, tmp_path, sut, said):
    suite = write(tmp_path / "suite.json", {"sut": sut})
    case = write(tmp_path / "case.json", {"title": "t", "steps": [{"get": "/", "expect": {"status": 200}}]})
    done = onus("run", case, "--suite", suite, "--run-dir", tmp_path / "run")
    assert done.returncode == 3, done.stdout + done.stderr
    assert said in done.stdout + done.stderr
    assert not processes_of(tmp_path / "run")


@pytest.mark.parametrize("report", ["json=/dev/full", "junit=/no/such/folder/junit.xml", "ndjson=/dev/full", "github=/dev/full"])
def test_unwritable_report(onus, report):
    done = onus("run", SMALL, "--report", report)
    assert done.returncode == 3
    assert "ok    compression/small-files" in done.stdout and report.split("=")[1] in done.stdout


def test_unwritable_output(onus):
    with open("/dev/full", "wb") as full:
        assert onus("run", SMALL, stdout=full).returncode == 3


def test_unwritable_run_directory(onus, tmp_path):
    blocked = write(tmp_path / "file", "not a folder")
    assert onus("run", SMALL, "--run-dir", blocked / "run").returncode == 3


# --- nothing is left, and nothing is disturbed ------------------------------------------------------------------------


def test_two_runs_at_once(start):
    runs = [start("run", "cases/compression", "cases/static") for _ in range(2)]
    for run in runs:
        stdout, stderr = run.communicate(timeout=60)
        assert run.returncode == 0, stdout + stderr


def long_case(tmp_path, **sut):
    steps = [{"get": "/", "expect": {"body": "hello"}}, {"get": "/never", "within": "60s", "expect": {"status": 200}}]
    return write(tmp_path / "long.json", {"title": "t", "sut": script({"/": HELLO, "/never": [{"hang": True}]}, **sut), "steps": steps})


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted(start, tmp_path, number):
    quick = write(tmp_path / "a.json", {"title": "t", "sut": script({"/": HELLO}), "steps": [{"get": "/", "expect": {"body": "hello"}}]})
    pause = {"pause": "60s", "why": "until the signal comes"}
    case = write(tmp_path / "b.json", {"title": "t", "sut": script({"/": HELLO}), "steps": [{"get": "/", "expect": {"body": "hello"}}, pause]})
    run_dir, stored = tmp_path / "run", tmp_path / "result.json"
    run = start("run", quick, case, "-j", 1, "--run-dir", run_dir, "--report", f"json={stored}", "--report", "console")
    assert wait_until(lambda: (run_dir.exists() and any(path.name.endswith("b") for path in run_dir.iterdir())))
    assert wait_until(lambda: processes_of(run_dir))
    time.sleep(0.2)
    run.send_signal(number)
    began = time.monotonic()
    stdout, stderr = run.communicate(timeout=30)
    assert run.returncode == 3 and time.monotonic() - began < 10, stdout + stderr
    assert "1 passed" in stdout and "interrupted" in stdout
    assert json.loads(stored.read_text(encoding="utf-8"))["totals"]["passed"] == 1
    assert not processes_of(run_dir)


def nginx_suite(tmp_path):
    write(tmp_path / "nginx.conf", """
        daemon ${daemon};
        worker_processes 2;
        pid ${files}/nginx.pid;
        error_log ${files}/error.log;
        events { }
        http {
            access_log ${files}/access.log;
            client_body_temp_path ${files}/body; proxy_temp_path ${files}/proxy; fastcgi_temp_path ${files}/fastcgi;
            uwsgi_temp_path ${files}/uwsgi; scgi_temp_path ${files}/scgi;
            server { listen 127.0.0.1:${sut.port}; root ${root}; }
        }""")
    return write(tmp_path / "suite.json", {
        "sut": {"command": [NGINX, "-e", "stderr", "-p", "${files}", "-c", "${files}/nginx.conf"], "root": "webapp",
                "files": {"nginx.conf": str(tmp_path / "nginx.conf")}, "ready": {"get": "/"}},
        "roots": {"webapp": "fixtures/static/webapp"},
        "variables": {"daemon": "off"},
    })


@pytest.mark.skipif(not NGINX, reason="nginx is not installed")
@pytest.mark.parametrize("daemon", ["off", "on"])
def test_killed_at_random_moments(start, tmp_path, daemon):
    """Not even nginx with its workers, or gone into the background, outlives a killed onus."""
    suite = nginx_suite(tmp_path)
    write(suite, suite.read_text(encoding="utf-8").replace('"off"', json.dumps(daemon)))
    steps = [{"get": "/", "repeat": 1000000, "expect": {"status": 200}}]
    case = write(tmp_path / "case.json", {"title": "t", "steps": steps})
    served = 0
    for turn in range(3):
        run_dir = tmp_path / f"run-{turn}"
        run = start("run", case, "--suite", suite, "--run-dir", run_dir)
        if turn:
            time.sleep(random.uniform(0, 0.3))
        else:
            assert wait_until(lambda d=run_dir: len(processes_of(d)) >= 4), "onus, its keeper, nginx and a worker"
        served += len(processes_of(run_dir)) > 1
        run.kill()
        run.communicate(timeout=10)
        assert wait_until(lambda d=run_dir: not processes_of(d), 5), [
            pathlib.Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8") for pid in processes_of(run_dir)]
    assert served


def test_killed_with_a_daemon(start, tmp_path):
    case = long_case(tmp_path, BEHAVE="fork-daemon,ignore-term", MARK=str(tmp_path / "run"))
    run_dir = tmp_path / "run"
    run = start("run", case, "--run-dir", run_dir)
    assert wait_until(lambda: len(processes_of(run_dir)) >= 3)
    run.kill()
    run.communicate(timeout=10)
    assert wait_until(lambda: not processes_of(run_dir), 5)


@pytest.mark.skipif(not NGINX, reason="nginx is not installed")
def test_nginx_as_the_sut(onus, tmp_path):
    """A server that nobody here wrote: found by port, configured from a template, stopped cleanly."""
    suite = nginx_suite(tmp_path)
    case = write(tmp_path / "case.json", {"title": "t", "steps": [
        {"get": "/assets/app.css", "name": "css", "expect": {"length": "exact", "coding": "none", "body": {"same_as": "root:assets/app.css"}}},
        {"head": "/assets/app.css", "expect": {"headers": {"*": {"same_as": "css", "except": ["Date"]}}}},
        {"get": "/assets/app.css", "headers": {"If-None-Match": "${css.headers.etag}"}, "expect": {"status": 304}}]})
    done = onus("run", case, "--suite", suite, "--run-dir", tmp_path / "run")
    assert done.returncode == 0, done.stdout + done.stderr
    assert not processes_of(tmp_path / "run")


def test_memory_stays_small(request, tmp_path):
    """100 MB, twice, are compared while they come: what is kept of a body is capped."""
    body = ["HTTP/1.1 200 OK", "Content-Length: 100000000", "", {"text": "0123456789", "repeat": 10000000}]
    case = write(tmp_path / "case.json", {"title": "t", "sut": script({"/big": body}), "steps": [
        {"get": "/big", "name": "big", "within": "30s", "expect": {"length": "exact"}},
        {"get": "/big", "within": "30s", "expect": {"body": {"same_as": "big"}, "bytes.wire": "== 100MB"}}]})
    code, kib = peak([request.config.getoption("onus"), "run", case])
    assert code == 0 and kib < 64 * 1024


# --- reports ----------------------------------------------------------------------------------------------------------


def test_a_report_says_where_it_went(onus, tmp_path):
    done = onus("run", SMALL, "--report", "junit", "--run-dir", tmp_path)
    assert done.returncode == 0
    assert done.stderr == f"onus: the junit report is {tmp_path}/junit.xml\n"
    assert (tmp_path / "junit.xml").exists()
    assert onus("run", SMALL, "--report", f"junit={tmp_path}/other.xml").stderr == ""


def test_junit(onus, tmp_path):
    """Counts that agree with what stands below them, as GitLab and Jenkins read it."""
    bad = write(tmp_path / "bad.json", {"title": "<&>", "sut": script({"/": ["HTTP/1.1 200 OK", "A: \u00e9]]>", "Content-Length: 5", "", {"hex": "00 ff 1b 5d 5d"}]}),
                                        "steps": [{"get": "/", "expect": {"body": "hello", "headers": {"A": "b"}}}]})
    skipped = write(tmp_path / "skipped.json", {"title": "t", "requires": [{"command": "no-such-program"}], "steps": [{"get": "/", "expect": {"status": 200}}]})
    error = write(tmp_path / "error.json", {"title": "t", "sut": script({"/": HELLO}, BEHAVE="die-at-start"), "steps": [{"get": "/", "expect": {"status": 200}}]})
    junit = tmp_path / "junit.xml"
    done = onus("run", SMALL, bad, skipped, error, "--report", f"junit={junit}")
    assert done.returncode == 3
    top = xml.etree.ElementTree.parse(junit).getroot()
    suites = [top] if top.tag == "testsuite" else top.findall("testsuite")
    cases = [case for suite in suites for case in suite.findall("testcase")]
    kinds = {kind: sum(1 for case in cases if case.find(kind) is not None) for kind in ("failure", "error", "skipped")}
    assert (len(cases), kinds) == (4, {"failure": 1, "error": 1, "skipped": 1})
    for attribute, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        assert sum(int(suite.get(attribute)) for suite in suites) == kinds[kind]
    assert sum(int(suite.get("tests")) for suite in suites) == 4
    assert all(case.get("name") and case.get("classname") and float(case.get("time")) >= 0 for case in cases)


def test_every_report(onus, tmp_path):
    """Each kind is written, and one document tells what the lines of another do."""
    kinds = [line.split()[0] for line in onus("list", "reports").stdout.splitlines()]
    reports = [word for kind in kinds for word in ("--report", f"{kind}={tmp_path / kind}")]
    done = onus("run", SMALL, "cases/compression/q-zero.json", "--fault", "compress-small", *reports)
    assert done.returncode == 1
    texts = {kind: (tmp_path / kind).read_text(encoding="utf-8") for kind in kinds}
    assert all("small-files" in text for text in texts.values())
    whole = json.loads(texts["json"])
    lines = [json.loads(line) for line in texts["ndjson"].splitlines()]
    assert [line for line in lines if line["type"] == "case"] == [{"type": "case", **case} for case in whole["cases"]]
    assert whole["exit"] == 1 and whole["totals"]["failed"] == 1
    again = onus("report", tmp_path / "json", "--report", "markdown=-")
    assert again.stdout == texts["markdown"]


def test_same_seed_same_case(onus, tmp_path):
    case = write(tmp_path / "case.json", {
        "title": "t", "sut": script({"*": HELLO}),
        "variables": {"text": {"generate": "text", "length": 20}, "id": {"generate": "uuid"}, "order": {"generate": "pick", "from": [1, 2, 3, 4, 5, 6, 7, 8], "count": 8}},
        "steps": [{"get": "/${text}/${id}/${order.0}${order.1}${order.2}${order.3}", "expect": {"body": "other"}}]})
    targets = [re.search(r"GET (\S+)", onus("run", case, "--seed", seed).stdout).group(1) for seed in (7, 7, 8)]
    assert targets[0] == targets[1] != targets[2]


def test_secrets_are_masked(onus, tmp_path):
    token = "t0ken-that-nobody-may-see"
    case = write(tmp_path / "case.json", {
        "title": "t", "sut": script({"/token": ["HTTP/1.1 200 OK", f"Content-Length: {len(token)}", "", {"text": token}], "*": HELLO}),
        "steps": [{"get": "/token", "capture": {"token": {"body": True, "secret": True}}},
                  {"get": "/?token=${token}", "headers": {"Authorization": "Bearer ${token}"}, "expect": {"body": "${token}"}}]})
    run_dir = tmp_path / "run"
    done = onus("run", case, "--run-dir", run_dir, "--report", f"json={tmp_path / 'result.json'}", "--keep")
    assert done.returncode == 1 and "****" in done.stdout
    saved = [path.read_text(encoding="utf-8", errors="replace") for path in run_dir.rglob("*.http")]
    assert saved
    assert not [text for text in [done.stdout, done.stderr, (tmp_path / "result.json").read_text(encoding="utf-8"), *saved] if token in text]


# --- pytest as the driver ---------------------------------------------------------------------------------------------


def pytest_says(*args):
    done = subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *args], capture_output=True, encoding="utf-8", timeout=60, check=False)
    return done.returncode, done.stdout


def test_pytest_shows_what_onus_says(request):
    options = ["cases", "-k", "small-files", "--onus", request.config.getoption("onus")]
    code, text = pytest_says(*options)
    assert code == 0 and "1 passed" in text, text
    code, text = pytest_says(*options, "--fault", "compress-small")
    assert code == 1 and "1 failed" in text, text
    assert "found      Content-Encoding" in text and "--cell file=tiny.css --fault compress-small" in text and "Traceback" not in text, text
    code, text = pytest_says(*options, "--fault", "compress-smal")
    assert code == 1 and "1 error" in text and 'did you mean "compress-small"' in text and "Traceback" not in text, text


def test_pytest_skips_what_onus_skips(request, tmp_path):
    for name in ("conftest.py", "suite.json"):
        shutil.copy(f"cases/{name}", tmp_path / name)
    write(tmp_path / "skipped.json", {"title": "t", "requires": [{"command": "no-such-program"}], "steps": [{"get": "/", "expect": {"status": 200}}]})
    write(tmp_path / "no-case.accepted.json", "{}")
    code, text = pytest_says(str(tmp_path), "-rs", "--onus", os.path.abspath(request.config.getoption("onus")))
    assert code == 0 and "1 skipped" in text and "no-such-program not found" in text, text


# --- schema and manual ------------------------------------------------------------------------------------------------


def schema_of(onus, what):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(onus("schema", what).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def case_files():
    """`NAME.accepted.json` is a document that a case is held to, and no case."""
    return [path for path in sorted(pathlib.Path("cases").rglob("*.json*")) if path.name != "suite.json" and "." not in path.stem]


def test_schema_takes_every_case(onus):
    validator = schema_of(onus, "case")
    files = case_files()
    assert len(files) > 50
    for path in files:
        errors = [f"{path}: {error.json_path}: {error.message}" for error in validator.iter_errors(relaxed.load(path))]
        assert not errors, errors[0]


def test_schema_takes_the_suite(onus):
    assert not list(schema_of(onus, "suite").iter_errors(relaxed.load("cases/suite.json")))


@pytest.mark.parametrize(
    "case",
    [
        pytest.param({"steps": ["/"]}, id="no title"),
        pytest.param({"title": "t", "steps": []}, id="no step"),
        pytest.param({"title": "t", "steps": ["/"], "stpes": []}, id="an unknown key"),
        pytest.param({"title": "t", "steps": [{"get": "/", "expect": {"statsu": 200}}]}, id="an unknown expectation"),
        pytest.param({"title": "t", "steps": [{"get": "/", "repeat": "often"}]}, id="a wrong type"),
        pytest.param({"title": "t", "steps": [{"get": "/", "within": "5"}]}, id="a duration without unit"),
        pytest.param({"title": "t", "steps": [{"get": "/", "head": "/"}]}, id="two verbs"),
        pytest.param({"title": "t", "steps": [{"expect": {"status": 200}}]}, id="no verb"),
        pytest.param({"title": "t", "steps": [{"get": "/", "expect": {"coding": "gzpi"}}]}, id="an unknown word"),
    ],
)
def test_schema_refuses(onus, case):
    assert list(schema_of(onus, "case").iter_errors(case))


@pytest.mark.parametrize("what", ["expectations", "steps", "reports", "violations"])
def test_manual_names_everything(onus, what):
    manual = pathlib.Path("cases/README.md").read_text(encoding="utf-8")
    names = [line.split()[0] for line in onus("list", what).stdout.splitlines()]
    assert names and not [name for name in names if f"`{name}`" not in manual]


def test_manual_names_every_key(onus):
    """What the schema takes, the manual explains: keys of cases, steps, matchers, captures and suites."""
    manual = pathlib.Path("cases/README.md").read_text(encoding="utf-8")

    def keys(node):
        if isinstance(node, dict):
            yield from node.get("properties", {}) if isinstance(node.get("properties"), dict) else ()
        for part in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
            yield from keys(part)

    names = set(keys(json.loads(onus("schema", "case").stdout))) | set(keys(json.loads(onus("schema", "suite").stdout)))
    assert len(names) > 60
    assert not sorted(name for name in names if f"`{name}`" not in manual)


def test_framing_cases_know_every_violation(onus):
    """Each word of the table is asserted by a case against a server that does just that."""
    texts = [path.read_text(encoding="utf-8") for path in pathlib.Path("cases/framing").glob("*.json")]
    words = [line.split()[0] for line in onus("list", "violations").stdout.splitlines()]
    assert words and not [word for word in words if not any(f'"{word}"' in text for text in texts)]


def manual_examples():
    text = pathlib.Path("cases/README.md").read_text(encoding="utf-8")
    return re.findall(r"^```json\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_manual_examples_are_cases(onus, tmp_path):
    """Every whole case that the manual shows is well formed."""
    cases = [text for text in manual_examples() if re.search(r'^\s*"steps"', text, re.MULTILINE) and '"title"' in text]
    assert len(cases) >= 3
    for index, text in enumerate(cases):
        write(tmp_path / f"{index}.json", text)
    shutil.copy("cases/api/openapi.accepted.json", tmp_path)
    done = onus("lint", tmp_path)
    assert done.returncode == 0, done.stderr
