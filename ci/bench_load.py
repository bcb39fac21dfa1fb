#!/usr/bin/python3
"""The part of `ci/bench` about load: what a request costs the generator, beside wrk, h2load, ab and hey, and what holds for onus alone.

nginx answers on one core, the generators run on another, one after the other in each round. A peer that is not
installed is named and left out: `ci/deps --bench` installs them.
"""

import base64
import contextlib
import json
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

from bench_common import TOP, WORK, CannotRun, onus, server, show

SECONDS = 2
FOLDER = WORK / "load"
NGINX = """daemon off;
master_process off;
pid %(folder)s/nginx.pid;
error_log stderr;
events { worker_connections 12000; }
http {
	access_log off;
	keepalive_requests 1000000000;
	keepalive_timeout 1h;
	client_body_temp_path %(folder)s/body;
	proxy_temp_path %(folder)s/proxy;
	fastcgi_temp_path %(folder)s/fastcgi;
	uwsgi_temp_path %(folder)s/uwsgi;
	scgi_temp_path %(folder)s/scgi;
	server {
		listen 127.0.0.1:%(port)d backlog=4096;
		listen 127.0.0.1:%(port2)d http2 backlog=4096;
		location / { default_type text/plain; return 200 "hello\\n"; }
	}
}
"""
# By name: the command for so many connections, what its output says of the requests, and Debian's package.
PEERS = {
    "wrk": (lambda url, n: ["wrk", "-t", "1", "-c", n, "-d", SECONDS, url], r"(\d+) requests in", "wrk"),
    "h2load": (lambda url, n: ["h2load", "--h1", "-t", 1, "-c", n, "-D", SECONDS, url], r"(\d+) done", "nghttp2-client"),
    "ab": (
        lambda url, n: ["ab", "-q", "-k", "-c", n, "-t", SECONDS, "-n", 100000000, url],
        r"Complete requests:\s+(\d+)",
        "apache2-utils",
    ),
    "hey": (lambda url, n: ["hey", "-c", n, "-z", "%ds" % SECONDS, url], r"\[200\]\s+(\d+) responses", "hey"),
}
STREAMS = 8
H2LOAD = (lambda url, n: ["h2load", "-t", 1, "-c", n // STREAMS, "-m", STREAMS, "-D", SECONDS, url], r"(\d+) done", "nghttp2-client")
LOAD = ["build/onus", "load", "--no-calibration", "--warm-up", "0"]
EVENTS = "/jmap/eventsource/?types=*&closeafter=no&ping=0"
HOLD = """{
  "title": "%(count)d event streams of the mail server itself",
  "steps": [
    { "hold": { "get": "%(target)s", "headers": { "Authorization": "Basic %(credentials)s" }, "expect": { "status": 200 } },
      "add": 1000, "up_to": %(count)d, "within": "60s", "expect": { "streams.held": ">= %(count)d" } },
  ],
}
"""


def cores():
    """The generator's and the server's; the same where there is only one."""
    allowed = sorted(os.sched_getaffinity(0))
    return allowed[0], allowed[-1]


def spent(command, core, what):
    """Processor time of a command on that core, user and system, in seconds; and what it printed on standard output."""
    with open(FOLDER / "errors", "w+") as errors:
        process = subprocess.Popen(
            [str(word) for word in command],
            cwd=TOP,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            preexec_fn=lambda: os.sched_setaffinity(0, {core}),
        )
        with process.stdout:
            output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            errors.seek(0)
            raise CannotRun("%s: exit status %d\n%s" % (what, process.returncode, output + errors.read()))
    return usage.ru_utime + usage.ru_stime, output


def peer_us(row, url, connections, core):
    command, pattern, _ = row
    words = command(url, connections)
    seconds, output = spent(words, core, words[0])
    found = re.search(pattern, output)
    if not found or not int(found[1]):
        raise CannotRun("%s: no number of requests in\n%s" % (words[0], output))
    return seconds * 1e6 / int(found[1])


def onus_us(arguments, core):
    seconds, output = spent([*LOAD, "-d", SECONDS, "--report", "json=-", *arguments], core, "onus load")
    counts = json.loads(output)["arms"][0]["all"]
    if not counts["add_up"] or counts["answered"] != counts["sent"]:
        raise CannotRun("onus load: %s" % counts)
    return seconds * 1e6 / counts["answered"]


@contextlib.contextmanager
def nginx(core):
    ports = []
    with contextlib.ExitStack() as stack:
        for _ in range(2):  # free ones, and free again when nginx takes them
            ports.append(stack.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1])
    (FOLDER / "nginx.conf").write_text(NGINX % {"folder": FOLDER, "port": ports[0], "port2": ports[1]})
    with open(FOLDER / "nginx.log", "w") as log:
        process = subprocess.Popen(
            ["nginx", "-e", "stderr", "-c", str(FOLDER / "nginx.conf")],
            stderr=log,
            preexec_fn=lambda: os.sched_setaffinity(0, {core}),
            env={**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin"},
        )
    try:
        url = "http://127.0.0.1:%d/" % ports[0]
        for _ in range(100):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(url, timeout=1).read()
                break
            time.sleep(0.05)
        else:
            raise CannotRun("nginx did not start\n" + (FOLDER / "nginx.log").read_text())
        yield url, "http://127.0.0.1:%d/" % ports[1]
    finally:
        process.terminate()
        process.wait()


def show_beside(title, measured, unit, budgets):
    """Rows of what was measured in the same rounds; behind onus's own, how many times each other it is, round by round."""
    for name, numbers in measured.items():
        show("%s: %s" % (title, name), numbers, unit, None)
    for name, numbers in measured.items():
        if name != "onus":
            ratios = [own / other for own, other in zip(measured["onus"], numbers)]
            show("  onus, times %s" % name, ratios, "x", budgets.get(name), digits=2)


def bench_requests(runs, peers, url, core):
    own = {}
    for connections in (64, 1000):
        measured = {name: [] for name in ("onus", *peers)}
        for _ in range(runs):
            measured["onus"].append(onus_us(["-c", connections, url], core))
            for name in peers:
                measured[name].append(peer_us(PEERS[name], url, connections, core))
        show_beside("CPU a request, %d connections" % connections, measured, "us", {"wrk": 1.6} if connections == 64 else {})
        own[connections] = measured["onus"]
    show("  onus at 1,000, times itself at 64", [many / few for many, few in zip(own[1000], own[64])], "x", 1.5, digits=2)


def bench_http2(runs, url, core):
    measured = {"onus": [], "h2load": []}
    for _ in range(runs):
        measured["onus"].append(onus_us(["-c", 64, "--http2c", "--streams", STREAMS, url], core))
        measured["h2load"].append(peer_us(H2LOAD, url, 64, core))
    show_beside("CPU a request, HTTP/2, 8 connections of %d streams" % STREAMS, measured, "us", {})


def bench_calls(runs, url, core):
    """By strace, as a slope between two numbers of requests, so that the start and the 64 connections are in none."""
    numbers, few, many = [], 2000, 12000
    for _ in range(runs):
        calls = {}
        for count in (few, many):
            spent(["strace", "-f", "-c", "-o", FOLDER / "calls", *LOAD, "-n", count, "-c", 64, "--report", "json=-", url], core, "strace")
            total = re.search(r"^100\.00\s+\S+\s+(?:\d+\s+)?(\d+).*total$", (FOLDER / "calls").read_text(), re.MULTILINE)
            calls[count] = int(total[1])
        numbers.append((calls[many] - calls[few]) / (many - few))
    show("system calls a request, 64 connections", numbers, "", 4.1, digits=2)


def bench_lag(runs, url, core):
    lags = []
    for _ in range(runs):
        _, output = spent([*LOAD, "-r", 2000, "-d", 5, "--report", "json=-", url], core, "onus load")
        lags.append(json.loads(output)["arms"][0]["times"]["send_lag"]["p99_ns"] / 1e3)
    show("send lag p99 at 2,000 requests a second", lags, "us", 300)


def bench_self_test(runs):
    """The largest of what differs; exit status 1 tells that it is too much."""
    worst = []
    for _ in range(runs):
        done = subprocess.run(["build/onus", "load", "--self-test"], cwd=TOP, capture_output=True, text=True)
        found = [abs(float(number)) for number in re.findall(r"([+-][\d.]+)%", done.stdout)]
        if done.returncode not in (0, 1) or not found:
            raise CannotRun("onus load --self-test: exit status %d\n%s" % (done.returncode, done.stdout + done.stderr))
        worst.append(max(found))
    show("percentiles behind a stop of 2 s: most beside the computed", worst, "%", 2)


def printed(test, arguments, pattern):
    done = subprocess.run(["build/tests/harness/" + test, *arguments], cwd=TOP, capture_output=True, text=True)
    found = re.search(pattern, done.stdout)
    if not found:  # a test that judges its own number may fail on a busy machine, and has printed it
        raise CannotRun("%s: exit status %d\n%s" % (test, done.returncode, done.stdout + done.stderr))
    return float(found[1])


def bench_hold(runs, core):
    """What one more stream costs onus: by `onus load --hold`, as a slope over its rounds; by a step, whose streams
    have their events read, as its largest resident size with 9,000 held less that with 1,000."""
    (FOLDER / "hold").mkdir(exist_ok=True)
    credentials = base64.b64encode(b"alice:wonder").decode()
    sizes = {}
    with server("upstream", ACCOUNTS='{"alice": "wonder"}') as (_, port):
        url = "http://127.0.0.1:%d" % port
        each = []
        for _ in range(runs):
            words = ["--hold", 9000, "--add", 1000, "--every", "10ms", "--duration", "100ms"]
            words += ["-H", "Authorization: Basic " + credentials, "--report", "json=-", url + EVENTS]
            _, output = spent(["build/onus", "load", *words], core, "onus load --hold")
            numbers = json.loads(output)["numbers"]
            if numbers["streams.held"] != "9000":
                raise CannotRun("onus load --hold: %s" % numbers)
            each.append(float(numbers["streams.onus_each"].removesuffix("B")) / 1024)
        show("a stream held by `onus load --hold`, resident size of onus", each, "KiB", 13)
        for count in (1000, 9000):
            case = FOLDER / ("hold/%d.json" % count)
            case.write_text(HOLD % {"count": count, "target": EVENTS, "credentials": credentials})
            _, sizes[count], _ = onus(["--target", url, str(case)])
    show("a stream held by a step (1,000 to 9,000)", [(sizes[9000] - sizes[1000]) * 1024 / 8000], "KiB", 16)
    show("9,000 streams held by a step, resident size of onus", [sizes[9000]], "MiB", None)


def bench_load(runs):
    generator, other = cores()
    FOLDER.mkdir(parents=True, exist_ok=True)
    missing = {name: row[2] for name, row in PEERS.items() if not shutil.which(name)}
    for name, package in missing.items():
        print("%s is missing (Debian: %s), its rows are left out" % (name, package))
    peers = [name for name in PEERS if name not in missing]
    if generator == other:
        print("only one core: generators and server share it")
    with nginx(other) as (url, url2):
        bench_requests(runs, peers, url, generator)
        if "h2load" in peers:
            bench_http2(runs, url2, generator)
        if shutil.which("strace"):
            bench_calls(min(runs, 3), url, generator)
        else:
            print("strace is missing, system calls are not counted")
        bench_lag(runs, url, generator)
    bench_self_test(min(runs, 3))
    show("recording one latency", [printed("stats/hist_test", ["bench", "20000000"], r"recording: ([\d.]+) ns") for _ in range(runs)], "ns", 20)
    show("the sampler of a SUT", [printed("sut/sample_test", [], r"the sampler took ([\d.]+)% of a core") for _ in range(runs)], "%", 1)
    bench_hold(min(runs, 3), generator)


def main():
    """This part alone: `ci/bench_load.py [RUNS]`."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print("%-64s %14s %18s  %4s   %s" % ("", "median", "smallest..largest", "runs", "budget"))
    try:
        bench_load(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
    except (CannotRun, OSError) as error:
        print("bench: %s" % error, file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
