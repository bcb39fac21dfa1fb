"""`onus load URL --hold N` from outside: streams of the mail server and of the server of odd answers, and what a SUT costs.

Run from the top folder: `python3 -m pytest cases/cli/test_hold.py`. Nothing is judged by how long it takes.
"""

import base64
import csv
import io
import json
import os
import pathlib
import re
import signal
import socket
import subprocess

import pytest

BUILD = pathlib.Path("build")
STREAM = ["HTTP/1.1 200 OK", "Content-Type: text/event-stream", "", {"text": ": hello\n\n"}, {"pause": "60s"}]
WHOLE = ["HTTP/1.1 200 OK", "Content-Length: 2", "", {"text": "ok"}]
BUSY = ["HTTP/1.1 503 Service Unavailable", "", {"pause": "60s"}]
SLOW_HEAD = ["HTTP/1.1 200 OK", {"pause": "60s"}]
ANSWERS = {"/stream": STREAM, "/whole": WHOLE, "/busy": BUSY, "/slow-head": SLOW_HEAD}
# Of this run alone.
CONTAINER = "%012d" % os.getpid()
CREDENTIALS = "Authorization: Basic " + base64.b64encode(b"alice:wonder").decode()


@pytest.fixture(name="hold")
def fixture_hold(request):
    """onus load --hold, to its end; in quick rounds."""

    def run(url, count, *args, **kwargs):
        command = [request.config.getoption("onus"), "load", url, "--hold", count, "--every", "10ms", *args]
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 120, "check": False, "encoding": "utf-8"}
        return subprocess.run(list(map(str, command)), **(options | kwargs))

    return run


@pytest.fixture(name="found")
def fixture_found(hold):
    """Its JSON, with counts that add up, once it has ended with the code."""

    def run(url, count, *args, code=0, **kwargs):
        done = hold(url, count, *args, "--report", "json=-", **kwargs)
        assert done.returncode == code, done.stdout + done.stderr
        result = json.loads(done.stdout)
        assert result["exit"] == code
        for one in (result["hold"], *result["points"]):
            failures = dict(one["failures"])
            failures.pop("status", None)
            assert one["opened"] == one["open"] + one["late"] + sum(failures.values())
        return result

    return run


@pytest.fixture(name="serve")
def fixture_serve():
    """Starts a program of build/ that says where it listens; its URL and process."""
    processes = []

    def start(program, prefix=(), **env):
        env = {"LISTEN": "127.0.0.1:0", "STATIC_DIR": "fixtures/static/webapp", "PATH": os.environ["PATH"], **env}
        processes.append(subprocess.Popen([*prefix, BUILD / program], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True))
        return "http://" + processes[-1].stdout.readline().split()[-1], processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.communicate()


@pytest.fixture(name="script")
def fixture_script(serve):
    return serve("script", SCRIPT=json.dumps(ANSWERS))[0]


@pytest.fixture(name="mail")
def fixture_mail(serve):
    """The mail server's event streams, its API, and its process."""
    url, process = serve("upstream", ACCOUNTS='{"alice": "wonder"}')
    return url + "/jmap/eventsource/?types=*&closeafter=no&ping=0", url + "/jmap/api", process


def number(result, name):
    """A size in bytes, or a count."""
    return float(re.fullmatch(r"(-?[\d.]+)[A-Za-z%]*", result["numbers"][name])[1])


def test_streams_are_held_and_each_costs_what_it_costs(found, mail):
    """The figure that onus is held to: at most 13 KiB of its own memory a stream."""
    url, _, process = mail
    result = found(url, 2000, "--add", 200, "-H", CREDENTIALS, "--pid", process.pid)
    assert result["hold"]["end"] == "reached" and result["hold"]["open"] == 2000
    assert number(result, "streams.held") == 2000
    assert [point["open"] for point in result["points"]] == list(range(200, 2001, 200))
    assert 4 * 1024 < number(result, "streams.onus_each") <= 13 * 1024
    assert 512 < number(result, "streams.memory_each") <= 16 * 1024
    assert number(result, "sut.descriptors") >= 2000
    assert number(result, "streams.bytes") >= 2000 * len("HTTP/1.1 200 OK\r\n\r\n")
    # Both are in one memory cgroup, which so says nothing of the mail server.
    assert "streams.cap_each" not in result["numbers"] and "cap_bytes" not in result["points"][0]


def test_its_page(hold, mail, tmp_path):
    """A curve where somebody looked at the server, and each round. What every page must be: test_html.py."""
    url, _, process = mail
    page = tmp_path / "hold.html"
    hold(url, 60, "--add", 20, "-H", CREDENTIALS, "--pid", process.pid, "--threshold", "streams.held >= 61", "--report", f"html={page}")
    text = page.read_text()
    assert text.count("<svg") == text.count("</svg>") == 2 and "<script" not in text
    rounds = text[text.index("<caption>Rounds</caption>") :]
    assert re.findall(r'<tr><td class="number">(\d+)</td>', rounds) == ["1", "2", "3"]
    assert "a threshold is broken" in text and "streams.held &gt;= 61" in text
    hold(url, 20, "-H", CREDENTIALS, "--report", f"html={page}")
    assert "<svg" not in page.read_text() and "every threshold held" not in page.read_text()


def test_without_a_process_the_sut_is_absent(found, script):
    result = found(script + "/stream", 30)
    assert not [name for name in result["numbers"] if name.startswith("sut.") or name == "streams.memory_each"]
    assert "sut_bytes" not in result["points"][0]


def write_mail(api):
    """A command of this Python that writes a mail, which each stream must hear of."""
    body = {"using": ["urn:ietf:params:jmap:core", "urn:ietf:params:jmap:mail"],
            "methodCalls": [["Email/set", {"accountId": "a1", "create": {"m": {"mailboxIds": {"b1": True}, "subject": "x"}}}, "0"]]}
    code = ("import json, urllib.request as u; name, value = %r.split(': '); "
            "u.urlopen(u.Request(%r, json.dumps(%r).encode(), {name: value, 'Content-Type': 'application/json'})).read()")
    return "/usr/bin/python3 -c \"%s\"" % (code % (CREDENTIALS, api, body)).replace('"', '\\"')


def test_each_stream_hears_of_the_trigger(found, mail):
    url, api, _ = mail
    result = found(url, 60, "--add", 20, "-H", CREDENTIALS, "--trigger", write_mail(api), "--timeout", "30s")
    assert [point["heard"] for point in result["points"]] == [20, 40, 60]


def test_a_trigger_that_nobody_hears_of(found, mail):
    result = found(mail[0], 5, "-H", CREDENTIALS, "--trigger", "true", "--timeout", "300ms", code=1)
    assert result["hold"]["end"] == "unheard" and result["hold"]["why"] == "1 of 1 streams have brought nothing since the trigger"


@pytest.mark.parametrize("command, why", [
    ("exit 3", "expected exit status 0, found exit status 3"),
    ("sleep 60", "expected to end within --timeout"),
    ("kill -9 $$", "found ended by signal 9"),
])
def test_a_trigger_that_fails(hold, script, command, why):
    done = hold(script + "/stream", 5, "--trigger", command, "--timeout", "300ms")
    assert done.returncode == 3 and why in done.stderr, done.stderr


@pytest.mark.parametrize("target, failures", [
    ("/whole", {"ended": 2}),
    ("/busy", {"refused_by_status": 2, "status": 503}),
    ("/slow-head", {"timeout-head": 2}),
    ("/no-such", None),
])
def test_what_is_not_held_has_its_kind(found, script, target, failures):
    """Nothing at all was held: that is no verdict."""
    result = found(script + target, 2, "--add", 2, "--timeout", "1s", "-d", "1s", code=3)
    assert number(result, "streams.held") in (0, 2)
    if failures:
        assert result["hold"]["failures"] == failures


def test_nobody_listens(found):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        result = found("http://127.0.0.1:%d/" % taken.getsockname()[1], 10, code=3)
    assert result["hold"]["failures"] == {"refused": 1}
    assert "nothing listens" in result["problem"] or "refused" in result["problem"]


def test_fewer_than_wanted_is_a_broken_contract(found, serve):
    """A gateway with descriptors for a few: the rest is refused or waits in vain."""
    url, _ = serve("gateway", prefix=("sh", "-c", 'ulimit -n 64 && exec "$0"'))
    result = found(url + "/api/health", 200, "--until", 1, "--timeout", "1s", code=3)
    assert result["hold"]["failures"]["ended"]


def test_so_many_are_enough(found, script):
    assert found(script + "/stream", 40, "--until", 20)["hold"]["end"] == "reached"


def test_the_sut_is_killed_in_the_middle(request, mail):
    """It was not its memory: the SUT has broken its contract."""
    url, _, process = mail
    command = [request.config.getoption("onus"), "load", url, "--hold", 20, "--add", 10, "--every", "60s", "-H", CREDENTIALS,
               "--pid", process.pid, "--report", "json=-"]
    with subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as onus:
        assert "time" in onus.stderr.readline() and onus.stderr.readline().split()[3] == "10"
        process.kill()  # nobody waits for it
        out, _ = onus.communicate(timeout=60)
    result = json.loads(out)
    assert onus.returncode == 1 and result["hold"]["end"] == "ended"
    assert result["hold"]["why"] == "the SUT has ended, and its memory cap was not full"


def test_a_signal_in_the_middle(request, script):
    command = [request.config.getoption("onus"), "load", script + "/stream", "--hold", "20", "--every", "60s", "--report", "json=-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as onus:
        onus.stderr.readline(), onus.stderr.readline()
        onus.send_signal(signal.SIGINT)
        out, err = onus.communicate(timeout=60)
    result = json.loads(out)
    assert onus.returncode == 3 and "interrupted" in err
    assert result["hold"]["end"] == "interrupted" and number(result, "streams.held") == 2


@pytest.fixture(name="capped")
def fixture_capped(tmp_path):
    """A memory cgroup of v1 or v2 with a cap, for a process that enters it by itself; else the test is skipped."""
    places = [pathlib.Path("/sys/fs/cgroup/memory"), pathlib.Path("/sys/fs/cgroup")]
    names = {"memory.limit_in_bytes": 0, "memory.max": 1}
    made = []

    def make(size):
        for place in places:
            folder = place / ("onus-test-%d" % os.getpid()) / (CONTAINER + "0123")
            try:
                folder.mkdir(parents=True, exist_ok=True)
                made.append(folder)
                for name in names:
                    if (folder / name).exists():
                        (folder / name).write_text(str(size))
                        return folder
            except OSError:
                continue
        pytest.skip("no memory cgroup can be made here")

    yield make
    for folder in made:
        for _ in range(200):
            try:
                for pid in (folder / "cgroup.procs").read_text().split():
                    os.kill(int(pid), signal.SIGKILL)
                folder.rmdir()
                folder.parent.rmdir()
                break
            except OSError:
                subprocess.run(["sleep", "0.05"], check=False)


def enter(folder):
    return ("sh", "-c", 'echo 0 > "%s/cgroup.procs" && exec "$0"' % folder)


def test_until_its_memory_cap_is_full(found, serve, capped):
    """The mail server in a container's cgroup of 8 MiB: killed by the kernel, and that is what was asked for."""
    folder = capped(8 << 20)
    url, _ = serve("upstream", prefix=enter(folder), ACCOUNTS='{"alice": "wonder"}')
    url += "/jmap/eventsource/?types=*&closeafter=no&ping=0"
    result = found(url, 9000, "--add", 50, "--until", "oom", "-H", CREDENTIALS, "--container", CONTAINER,
                   "--threshold", "streams.held >= 50", "--threshold", "streams.cap_each >= 1KiB")
    assert result["hold"]["end"] == "killed" and result["hold"]["cap_limit_bytes"] == 8 << 20
    assert number(result, "streams.kernel_each") < number(result, "streams.cap_each")


def test_the_cap_was_not_full(found, serve, capped):
    url, process = serve("upstream", prefix=enter(capped(64 << 20)), ACCOUNTS='{"alice": "wonder"}')
    url += "/jmap/eventsource/?types=*&closeafter=no&ping=0"
    result = found(url, 20, "--until", "oom", "-H", CREDENTIALS, "--pid", process.pid, code=3)
    assert "20 streams were held and the memory cap was not full" in result["problem"]


@pytest.mark.parametrize("words, part", [
    (["--hold", "0"], "--hold: expected a whole number from 1"),
    (["--hold", "5", "-c", "3"], "--users: what is held has no such thing"),
    (["--hold", "5", "--rate", "3"], "--rate: what is held"),
    (["--hold", "5", "--stages", "10s:50"], "--stages: what is held"),
    (["--hold", "5", "--burst", "1s:5"], "--burst: what is held"),
    (["--hold", "5", "--until", "oom"], "--until: oom needs the SUT to be known"),
    (["--hold", "5", "--until", "6"], "--until: expected a whole number from 1 to 5"),
    (["--hold", "5", "--accept", "both"], "--accept: both are two loads"),
    (["--hold", "5", "--threshold", "streams.hold >= 5"], 'did you mean "streams.held"'),
    (["--hold", "5", "--threshold", "streams.held >= 5KiB"], "expected a number without a unit, found a size"),
    (["--hold", "5", "--hlog", "x"], "--hlog: what is held"),
    (["--add", "5"], "--add: expected --hold beside it"),
    (["--trigger", "true"], "--trigger: expected --hold beside it"),
    (["--pid", "0"], "--pid: expected a process id"),
    (["--pid", "1", "--container", "c" * 12], "--container: expected one of"),
    (["--container", "abc"], "--container: expected an id of at least 12"),
])
def test_bad_words(request, words, part):
    done = subprocess.run([request.config.getoption("onus"), "load", "http://127.0.0.1:1/", *words],
                          capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 2 and part in done.stderr, done.stderr


@pytest.mark.parametrize("words, part", [
    (["--pid", str(2**31 - 1)], "expected a process 2147483647, found none"),
    (["--container", "f" * 64], "found none in /sys/fs/cgroup"),
])
def test_no_such_sut(request, script, words, part):
    for more in (["--hold", "1"], ["-n", "1", "--no-calibration"]):
        done = subprocess.run([request.config.getoption("onus"), "load", script + "/whole", *more, *words],
                              capture_output=True, encoding="utf-8", timeout=60, check=False)
        assert done.returncode == 3 and part in done.stderr, done.stderr


def test_more_than_there_are_descriptors(hold, script):
    done = hold(script + "/stream", 1000, preexec_fn=lambda: __import__("resource").setrlimit(__import__("resource").RLIMIT_NOFILE, (200, 200)))
    assert done.returncode == 3 and re.search(r"at most \d+ in flight are possible", done.stderr), done.stderr


def test_thresholds_and_reports(hold, script, tmp_path):
    reports = ["--report", "console", "--report", f"csv={tmp_path}/c", "--report", f"prometheus={tmp_path}/p"]
    done = hold(script + "/stream", 30, "--threshold", "streams.held >= 30", "--threshold", "streams.failed >= 1",
                "--threshold", "sut.memory <= 1GiB", *reports)
    assert done.returncode == 1, done.stderr
    assert re.search(r"ok +streams.held >= 30 +found 30\n", done.stdout)
    assert re.search(r"FAIL +streams.failed >= 1 +found 0\n", done.stdout)
    assert re.search(r"INVALID +sut.memory <= 1GiB +found nothing: there was nothing to take it from\n", done.stdout)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "c").read_text())))
    assert [row["open"] for row in rows] == [str(3 * i) for i in range(1, 11)] and rows[0]["sut_bytes"] == ""
    lines = [line for line in (tmp_path / "p").read_text().splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r'onus_hold_\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? -?[\d.e+-]+', line) for line in lines), lines
    assert any(line.startswith("onus_hold_streams_held{") and line.endswith(" 30") for line in lines)
    assert hold(script + "/stream", 3, "--threshold", "sut.memory <= 1GiB").returncode == 5


def test_what_a_load_costs_the_sut(request, serve, tmp_path):
    url, process = serve("gateway")
    command = [request.config.getoption("onus"), "load", url + "/api/health", "-d", "2s", "--no-calibration", "--pid", process.pid,
               "--threshold", "sut.cpu_per_request <= 100ms", "--threshold", "sut.memory <= 1MiB", "--threshold", "sut.threads >= 1",
               "--report", "json=-", "--report", f"csv={tmp_path}/c", "--report", f"prometheus={tmp_path}/p"]
    done = subprocess.run(list(map(str, command)), capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 1, done.stderr
    result = json.loads(done.stdout)
    assert [one["verdict"] for one in result["thresholds"]] == ["held", "broken", "held"]
    numbers = result["arms"][0]["numbers"]
    assert {"sut.cpu", "sut.cpu_per_request", "sut.memory", "sut.descriptors", "sut.threads"} <= set(numbers)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "c").read_text())))
    assert int(rows[0]["sut_memory_bytes"]) > 1 << 20
    assert "onus_load_sut_resident_memory_bytes{" in (tmp_path / "p").read_text()


@pytest.mark.parametrize("known", [False, True])
def test_what_a_step_costs_a_target(request, serve, tmp_path, known):
    """Of a target whose process is named the quantities are there; else they are absent, which no bound can hold."""
    url, process = serve("gateway")
    path = tmp_path / "case.json"
    steps = [{"load": "/api/health", "users": 2, "for": "500ms", "expect": {"sut.memory": ">= 1MiB", "sut.threads": ">= 1"}}]
    path.write_text(json.dumps({"title": "t", "steps": steps}), encoding="utf-8")
    command = [request.config.getoption("onus"), "run", "--target", url, "--run-dir", tmp_path / "run", path]
    done = subprocess.run(list(map(str, command + (["--pid", process.pid] if known else []))),
                          capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert (done.returncode == 0) == known, done.stdout + done.stderr


def test_a_pid_is_of_a_target(request):
    done = subprocess.run([request.config.getoption("onus"), "run", "--pid", "1", "cases/static"],
                          capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 2 and "--pid: needs --target" in done.stderr
