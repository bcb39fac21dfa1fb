"""`onus load` from outside, against the reference server, the server of odd answers, and nobody at all.

Run from the top folder: `python3 -m pytest cases/cli/test_load.py`. Times are judged where the server's own pauses are
much longer than what a busy machine adds.
"""

import contextlib
import json
import os
import pathlib
import pty
import re
import resource
import select
import signal
import socket
import subprocess
import threading
import time

import pytest

OK = ["HTTP/1.1 200 OK", "Content-Length: 2", "", {"text": "ok"}]
BUILD = pathlib.Path("build")


@pytest.fixture(name="load")
def fixture_load(request):
    """onus load, to its end; without the null server, which has tests of its own."""

    def run(*args, **kwargs):
        command = [request.config.getoption("onus"), "load", "--no-calibration", *map(str, args)]
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 60, "check": False}
        return subprocess.run(command, encoding="utf-8", **(options | kwargs))

    return run


@pytest.fixture(name="found")
def fixture_found(load):
    """The JSON of a load that ends with the code, with counts that add up."""

    def run(*args, code=0, **kwargs):
        done = load(*args, "--report", "json=-", **kwargs)
        assert done.returncode == code, done.stdout + done.stderr
        result = json.loads(done.stdout)
        assert result["exit"] == code
        for arm in result["arms"]:
            for counts in (arm["all"], arm["measured"]):
                assert counts["add_up"]
                assert counts["sent"] == counts["answered"] + counts["failed"] + counts["unanswered"]
                assert counts["failed"] == sum(counts["failures"].values())
                assert counts["answered"] == sum(counts["statuses"].values())
            assert sum(second["answered"] for second in arm["seconds"]) == arm["all"]["answered"]
        return result

    return run


@pytest.fixture(name="processes")
def fixture_processes():
    """Those that `serve` has started, in order; they are killed behind the test."""
    started = []
    yield started
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture(name="serve")
def fixture_serve(processes):
    """Starts a program of build/ that says where it listens; its URL."""

    def start(program, **env):
        env = {"LISTEN": "127.0.0.1:0", "STATIC_DIR": "fixtures/static/webapp", **env}
        processes.append(subprocess.Popen([BUILD / program], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True))
        return "http://" + processes[-1].stdout.readline().split()[-1]

    return start


@pytest.fixture(name="script")
def fixture_script(serve):
    return lambda answers: serve("script", SCRIPT=json.dumps(answers))


@pytest.fixture(name="closed_port")
def fixture_closed_port():
    """A port that is taken, and that nobody listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


def is_about(found_ns, expected_ms):
    """Within 2%, but that a busy machine may be late by as much as 100 ms; it is never early."""
    return 0.98 * expected_ms <= found_ns / 1e6 <= 1.02 * expected_ms + 100


# --- what is counted and measured -------------------------------------------------------------------------------------


def test_exactly_so_many_requests(serve, found):
    result = found(serve("gateway") + "/api/health", "-n", 321, "-c", 7)
    (arm,) = result["arms"]
    assert arm["all"]["sent"] == arm["measured"]["sent"] == 321
    assert arm["all"]["statuses"] == {"2xx": 321}
    assert arm["connections_opened"] <= 7
    assert arm["times"]["service"]["count"] == 321 - arm["connections_opened"]
    assert result["libcurl"]


def test_percentiles_are_those_of_the_server(script, found):
    """Of ten answers, in turn, one has 200 ms of pause and two have 100 ms; one user sends 50."""
    slow = ["HTTP/1.1 200 OK", "Content-Length: 2", "", {"pause": "200ms"}, {"text": "ok"}]
    late = [{"pause": "100ms"}, *OK]
    turns = [OK, OK, OK, late, OK, OK, late, OK, OK, slow]
    url = script({"/": {"turns": turns * 5}})
    (arm,) = found(url + "/", "-n", 50, "-c", 1)["arms"]
    times = arm["times"]["service"]
    assert times["count"] == 49
    assert times["p50_ns"] < 100e6
    assert 100e6 <= times["p90_ns"] < 1e9  # 5 of 49 are slow: the 45th is not among them, or just
    assert 200e6 <= times["p99_ns"] <= times["max_ns"]
    assert 200e6 <= times["max_ns"] < 1e9
    # The pauses of 100 ms are before the head, those of 200 ms behind it.
    assert 100e6 <= arm["times"]["first_byte"]["max_ns"] < 1e9
    assert 200e6 <= arm["times"]["last_byte"]["max_ns"] < 1e9
    assert arm["ran_ns"] >= 5 * (200e6 + 2 * 100e6)


def test_percentiles_of_a_schedule_are_the_computed_ones(script, found):
    """Of each 100 answers 88 take 100 ms, 10 take 300 ms and 2 take 900 ms; 400 are due, 100 a second, and none waits for
    another. Sorted, the 1st to the 352nd are of 100 ms, those to the 392nd of 300 ms, the rest of 900 ms: p50 is the 200th,
    p90 the 360th, p99 the 396th. Where onus says that it was late itself, there is nothing to compare."""
    pattern = [[{"pause": f"{ms}ms"}, *OK] for ms in [*[100] * 44, *[300] * 5, 900] * 2]
    for _ in range(4):
        (arm,) = found(script({"/": {"turns": pattern * 4}}) + "/", "-r", 100, "-d", "4s", "--warm-up", 0)["arms"]
        if not [reason for reason in arm["reasons"] if reason["spoils"]]:
            break
    else:
        pytest.skip("this machine is too busy: onus itself was late, and said so")
    response = arm["times"]["response"]
    assert response["count"] == 400
    # A pause is never shorter; 50 ms are the machine's, and far less than what lies between the three.
    for name, expected_ms in (("p50_ns", 100), ("p90_ns", 300), ("p99_ns", 900), ("max_ns", 900)):
        assert expected_ms * 1e6 <= response[name] <= (expected_ms + 50) * 1e6, name
    assert arm["times"]["send_lag"]["p99_ns"] <= response["p50_ns"] / 10


def test_a_stall_is_seen_by_an_open_loop_and_hidden_by_a_closed_one(script, found):
    """Of each 100 answers one holds the whole server for 400 ms. At 100 a second 40 are due meanwhile, and wait 400, 390 ...
    10 ms: of 500 requests 5 wait for each of these, so that the 50 slowest wait for more than 300 ms, which is p90, and the
    5 slowest for more than 390 ms, which is p99. One user, who waits for each answer, meets the same server 5 times in 500:
    its p90 and even its p98 are those of an idle server. That is why its time is called service time, at one user."""
    turns = {"turns": ([OK] * 49 + [[{"stall": "400ms"}, *OK]] + [OK] * 50) * 6}
    (arm,) = found(script({"/": turns}) + "/", "-r", 100, "-d", "5s", "--warm-up", 0)["arms"]
    response = arm["times"]["response"]
    assert response["count"] == 500
    assert is_about(response["p90_ns"], 300)
    assert is_about(response["p99_ns"], 390)
    assert is_about(response["max_ns"], 400)
    result = found(script({"/": turns}) + "/", "-n", 500, "-c", 1, "--threshold", "service.p98 <= 300ms", "--threshold", "service.max >= 400ms")
    service = result["arms"][0]["times"]["service"]
    assert service["count"] == 499
    assert is_about(service["max_ns"], 400)
    assert "response" not in {name for name, spread in result["arms"][0]["times"].items() if spread["count"]}
    assert result["load"] == "closed loop, 1 user"


def test_a_bound_that_is_hit_makes_requests_wait(script, found):
    """Every answer takes 200 ms, one is in flight at a time, 40/s are due: the wait grows by 175 ms with each."""
    url = script({"/": [{"pause": "200ms"}, *OK]})
    (arm,) = found(url + "/", "-r", 40, "-d", "1s", "--warm-up", 0, "--max-in-flight", 1)["arms"]
    assert arm["in_flight_max"] == 1
    assert arm["bound_hits"] > 0
    assert arm["bound_hits_own"] == 0
    assert arm["times"]["response"]["max_ns"] >= 4 * arm["times"]["service"]["p50_ns"]
    assert arm["times"]["send_lag"]["max_ns"] >= 1e9
    assert not [reason for reason in arm["reasons"] if reason["spoils"]]


@pytest.mark.parametrize("args, least, most", [
    (["--burst", "100ms:20", "-d", "1s", "--warm-up", 0], 200, 200),
    # In a line from 0 to 100/s, a second of that, and down again: areas of 50, 100 and 50.
    (["--stages", "1s:100/s,1s:100/s,1s:0/s"], 199, 201),
    # Poisson's number has its square root as deviation: five of them.
    (["-r", 100, "--arrival", "poisson", "-d", "1s", "--warm-up", 0], 50, 150),
    (["-r", 100, "--ramp", "1s", "-d", "1s", "--warm-up", 0], 99, 101),
    # Two users, then none: each thinks for 50 ms.
    (["--stages", "0s:2,1s:2,0s:0,500ms:0", "--think", "50ms"], 4, 44),
])
def test_every_way_in_which_requests_can_be_due(script, found, args, least, most):
    (arm,) = found(script({"/": OK}) + "/", *args)["arms"]
    assert least <= arm["measured"]["sent"] <= most
    assert arm["all"]["failed"] == 0


def test_a_mix_by_weight(script, found):
    url = script({"/a": ["HTTP/1.1 200 OK", "Content-Length: 0", ""], "/b": ["HTTP/1.1 503 No", "Content-Length: 0", ""]})
    result = found("-", "-n", 400, "--seed", 7, input=f"# two\n3*{url}/a\n{url}/b\n")
    statuses = result["arms"][0]["all"]["statuses"]
    # 400 draws of a quarter: 100, give or take four deviations of 8.7.
    assert statuses["2xx"] + statuses["5xx"] == 400
    assert 65 <= statuses["5xx"] <= 135


@pytest.mark.parametrize("accept, share", [("none", "0%"), ("gzip", "100%")])
def test_codings_are_asked_for_or_not(serve, found, accept, share):
    result = found(serve("gateway") + "/assets/app.css", "-n", 20, "--accept", accept)
    assert result["arms"][0]["numbers"]["coded_share"] == share
    assert result["arms"][0].get("accept_encoding") == (None if accept == "none" else "gzip")


def test_both_side_by_side(serve, load):
    done = load(serve("gateway") + "/assets/app.css", "-n", 20, "--accept", "both", "--decode")
    assert done.returncode == 0, done.stderr
    assert re.search(r"\n +none +gzip +difference\n", done.stdout)
    assert re.search(r"\ncoded_share +0% +100%\n", done.stdout)
    wire = re.search(r"\nbytes.wire .* -(\d+\.\d)%\n", done.stdout)
    assert wire and float(wire[1]) > 50
    decoded = re.search(r"\nbytes.decoded +(\S+ \S+) +(\S+ \S+) +\+0.0%\n", done.stdout)
    assert decoded and decoded[1] == decoded[2]


def test_asked_for_gzip_and_got_none(script, load):
    done = load(script({"*": OK}) + "/", "-n", 5, "--accept", "gzip")
    assert done.returncode == 0
    assert "warning      a content coding was asked for, and no answer had one" in done.stdout


# --- thresholds and exit codes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "threshold, code",
    [("errors == 0", 0), ("errors <= 1%", 0), ("errors.timeout == 0", 0), ("statuses.2xx >= 99%", 0), ("statuses.5xx > 0", 1),
     ("first_byte.p50 >= 30ms", 0), ("bytes.wire > 40B", 1), ("sent == 20", 0), ("errors > 0", 1), ("service.p99 >= 30ms", 0), ("service.p50 <= 10ms", 1), ("bytes.wire == 40B", 0), ("tls.max < 1s", 5)],
)
def test_thresholds(script, found, threshold, code):
    url = script({"/": [{"pause": "30ms"}, *OK]})
    result = found(url + "/", "-n", 20, "-c", 2, "--threshold", threshold, code=code)
    assert result["thresholds"][0]["verdict"] == {0: "held", 1: "broken", 5: "invalid"}[code]


def test_a_generator_without_a_core_of_its_own_is_invalid(serve, found, crowded):
    """Every request that is due fits in flight, so that it is onus alone that is late."""
    url = serve("gateway") + "/api/health"
    result = found(
        url, "-r", 300, "-d", "2s", "--max-in-flight", 1000, "--threshold", "response.p99 <= 60min", "--threshold", "errors == 0",
        code=5, preexec_fn=crowded,
    )  # fmt: skip
    latency, errors = result["thresholds"]
    assert (latency["verdict"], errors["verdict"]) == ("invalid", "held")
    assert "late" in latency["reason"] or "missed" in latency["reason"]
    assert result["arms"][0]["bound_hits"] == 0


def test_users_that_wait_for_a_processor_break_no_threshold_and_keep_what_they_keep(serve, found, crowded):
    """Their times are longer and their rate is lower than the server's: a bound that they keep all the same is kept."""
    result = found(
        serve("gateway") + "/api/health", "-c", 4, "-d", "2s", "--threshold", "service.p50 <= 1us", "--threshold", "service.p50 <= 60min",
        "--threshold", "service.p50 >= 1us", "--threshold", "rate >= 1/s", "--threshold", "rate >= 10000000/s", "--threshold", "errors == 0",
        code=5, preexec_fn=crowded,
    )  # fmt: skip
    assert [row["verdict"] for row in result["thresholds"]] == ["invalid", "held", "invalid", "held", "invalid", "held"]
    assert "onus waited for a processor for" in result["thresholds"][0]["reason"]
    assert "kept-waiting" in [reason["word"] for reason in result["arms"][0]["reasons"]]


def test_users_on_one_core_with_their_server_are_told_from_it(serve, found):
    """Neither has 80% of the core: that onus waits for its turn is what tells."""
    core = min(os.sched_getaffinity(0))
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        result = found(serve("gateway") + "/api/health", "-c", 50, "-t", 1, "-d", "2s", "--threshold", "service.p99 <= 1us", code=5)
    finally:
        os.sched_setaffinity(0, allowed)
    assert [row["verdict"] for row in result["thresholds"]] == ["invalid"]
    words = [reason["word"] for reason in result["arms"][0]["reasons"]]
    assert "kept-waiting" in words and "busy-generator" not in words


def test_a_bound_that_is_full_since_onus_stood_still_is_no_verdict(request, script):
    """The server answers after 50 ms, onus is stopped for 1.5 s: 150 requests are due when it goes on, 40 may be in flight."""
    url = script({"/": [{"pause": "50ms"}, *OK]}) + "/"
    command = [request.config.getoption("onus"), "load", "--no-calibration", url, "-r", "100", "-d", "5s", "--warm-up", "0",
               "--max-in-flight", "40", "--threshold", "response.p99 <= 60min", "--threshold", "errors == 0", "--report", "json=-"]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for _ in range(2):
            process.stderr.readline()
        process.send_signal(signal.SIGSTOP)
        time.sleep(1.5)
        process.send_signal(signal.SIGCONT)
        output, _ = process.communicate(timeout=40)
    result = json.loads(output)
    (arm,) = result["arms"]
    assert arm["bound_hits_own"] >= 50
    assert process.returncode == 5, output
    assert [row["verdict"] for row in result["thresholds"]] == ["invalid", "held"]
    assert "own-bound" in [reason["word"] for reason in arm["reasons"]]


@pytest.mark.parametrize(
    "args, code, text",
    [
        ([], 2, "expected a URL such as http://127.0.0.1:8080/"),
        (["127.0.0.1:8080"], 2, "did you mean http://127.0.0.1:8080?"),
        (["http://h:x/"], 2, "expected a URL"),
        (["http://h/", "--treshold", "x"], 2, "did you mean --threshold?"),
        (["http://h/", "--threshold", "servce.p99 < 1s"], 2, 'did you mean "service.p99"?'),
        (["http://h/", "--threshold", "response.p99 < 1s"], 2, "only an open loop (--rate) has response"),
        (["http://h/", "--threshold", "errors.rset == 0"], 2, 'did you mean "errors.reset"?'),
        (["http://h/", "--burst", "5"], 2, "expected a burst such as 500ms:100"),
        (["http://h/", "--report", "jsn"], 2, 'did you mean "json"?'),
        (["http://h/", "-d", "soon"], 2, "expected a time such as 500ms or 10s"),
        (["http://no-such-host.invalid/"], 3, "no-such-host.invalid"),
        (["http://127.0.0.1:9/", "-c", "1000000"], 3, "are possible"),
        (["http://127.0.0.1:9/", "--report", "json=/no/such/file"], 3, "/no/such/file"),
        (["https://127.0.0.1:9/", "--cacert", "/no/such/file"], 3, "/no/such/file"),
    ],
)
def test_what_cannot_be(load, args, code, text):
    done = load(*args)
    assert done.returncode == code, done
    assert text in done.stderr and done.stderr.count("\n") == 1
    assert done.stdout == ""


@pytest.mark.parametrize(
    "answer, failure",
    [
        (["garbage"], "framing"),
        ([{"close": True}], "closed"),
        ([{"reset": True}], "reset"),
        ([{"hang": True}], "timeout-head"),
        (["HTTP/1.1 200 OK", "Content-Length: 9", "", {"text": "ok"}, {"hang": True}], "timeout-body"),
        (["HTTP/1.1 200 OK", "Content-Length: 9", "", {"text": "ok"}, {"close": True}], "closed"),
        (["HTTP/1.1 200 OK", "Content-Length: x", "", {"text": "ok"}], "framing"),
    ],
)
def test_a_server_that_never_answers_well(script, found, answer, failure):
    result = found(script({"*": answer}) + "/", "-d", "500ms", "-c", 3, "--timeout", "200ms", code=3)
    counts = result["arms"][0]["all"]
    assert counts["answered"] == 0 and counts["sent"] > 0
    assert set(counts["failures"]) == {failure}
    assert "nothing was answered" in result["problem"]


@pytest.fixture(name="odd_server")
def fixture_odd_server():
    """A server that calls talk(socket) for each connection, on a thread of its own; its URL."""
    listeners = []

    def start(talk):
        def serve(connection):
            with contextlib.suppress(OSError), connection:
                talk(connection)

        def accept(listener):
            with contextlib.suppress(OSError):
                while True:
                    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

        listeners.append(socket.create_server(("127.0.0.1", 0)))
        threading.Thread(target=accept, args=(listeners[-1],), daemon=True).start()
        return "http://127.0.0.1:%d/" % listeners[-1].getsockname()[1]

    yield start
    for listener in listeners:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


def drip_head(connection):
    connection.recv(4096)
    for byte in b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok":
        connection.sendall(bytes([byte]))
        time.sleep(1)


def drip_body(connection):
    connection.recv(4096)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
    for _ in range(100):
        connection.sendall(b"x")
        time.sleep(1)


def endless_head(connection):
    connection.recv(4096)
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    for _ in range(1000):
        connection.sendall(b"X: " + 4000 * b"y" + b"\r\n")


def endless_continue(connection):
    connection.recv(4096)
    while True:
        connection.sendall(1000 * b"HTTP/1.1 100 Continue\r\n\r\n")


def never_reads(connection):
    time.sleep(60)


@pytest.mark.parametrize(
    "talk, failures",
    [
        (drip_head, {"timeout-head"}),
        (drip_body, {"timeout-body"}),
        (endless_head, {"framing"}),
        # Whether it is too much of a head or takes too long is for libcurl to say.
        (endless_continue, {"timeout-body", "framing"}),
        (never_reads, {"timeout-head"}),
    ],
)
def test_a_hostile_server_ends_nothing_but_requests(odd_server, found, talk, failures):
    result = found(odd_server(talk), "-d", "500ms", "-c", 3, "--timeout", "500ms", code=3)
    counts = result["arms"][0]["all"]
    assert counts["answered"] == 0 and counts["sent"] >= 3
    assert set(counts["failures"]) <= failures
    assert "nothing was answered" in result["problem"]


def test_a_server_that_stands_still(request, serve, processes):
    """Stopped for good while it is loaded: what was in flight times out, the run ends by itself."""
    url = serve("gateway")
    command = [request.config.getoption("onus"), "load", "--no-calibration", url + "/api/health", "-d", "3s", "-c", "5", "--timeout", "1s", "--report", "json=-"]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for _ in range(2):
            process.stderr.readline()
        processes[-1].send_signal(signal.SIGSTOP)
        output, _ = process.communicate(timeout=40)
    counts = json.loads(output)["arms"][0]["all"]
    assert process.returncode == 0, output
    assert counts["answered"] > 0 and counts["add_up"] and counts["failed"] >= 5
    assert set(counts["failures"]) <= {"timeout-head", "timeout-body", "timeout-connect"}


NGINX_GOAWAY = """daemon off; master_process off; pid %(folder)s/pid; error_log stderr;
events {}
http { access_log off; keepalive_requests 50;
client_body_temp_path %(folder)s/b; proxy_temp_path %(folder)s/p; fastcgi_temp_path %(folder)s/f;
uwsgi_temp_path %(folder)s/u; scgi_temp_path %(folder)s/s;
server { listen unix:%(folder)s/socket http2; location / { return 200 "ok"; } } }
"""


def test_goaway_in_the_middle(found, tmp_path):
    """nginx says GOAWAY on every 50th request of a connection: what follows goes over another, by HTTP/2 as well."""
    (tmp_path / "nginx.conf").write_text(NGINX_GOAWAY % {"folder": tmp_path})
    command = ["nginx", "-e", "stderr", "-c", tmp_path / "nginx.conf"]
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, env=os.environ | {"PATH": path}) as nginx:
        for _ in range(1000):
            if (tmp_path / "socket").exists():
                break
            time.sleep(0.02)
        (arm,) = found("http://h/", "--unix-socket", tmp_path / "socket", "--http2c", "--streams", 4, "-c", 16, "-n", 2000)["arms"]
        nginx.terminate()
    # 50 requests a connection, so 40 at least; a request that nginx saw no more may be lost with its connection.
    assert arm["connections_opened"] >= 40
    assert arm["all"]["answered"] >= 1800
    assert set(arm["all"]["failures"]) <= {"closed", "reset"}


def test_more_connections_than_descriptors(load):
    """It says how many are possible, and that many are."""
    def few():
        resource.setrlimit(resource.RLIMIT_NOFILE, (300, 300))

    done = load("http://127.0.0.1:9/", "-c", "1000", preexec_fn=few)
    assert done.returncode == 3
    possible = re.search(r"found 300 \(ulimit -Hn\): at most (\d+) in flight are possible", done.stderr)
    assert 100 < int(possible[1]) < 300
    assert "are possible" not in load("http://127.0.0.1:9/", "-c", possible[1], "-n", 1, preexec_fn=few).stderr
    assert "are possible" in load("http://127.0.0.1:9/", "-c", int(possible[1]) + 1, "-n", 1, preexec_fn=few).stderr


def test_nobody_listens(load, found, closed_port):
    url = f"http://127.0.0.1:{closed_port}/"
    assert set(found(url, "-d", "500ms", code=3)["arms"][0]["all"]["failures"]) == {"refused"}
    done = load(url, "-d", "500ms", "--threshold", "errors == 0")
    assert done.returncode == 3
    assert "met SC: the connection was refused" in done.stderr


def test_a_server_that_closes_every_connection(script, found):
    url = script({"/": ["HTTP/1.1 200 OK", "Content-Length: 2", "Connection: close", "", {"text": "ok"}, {"close": True}]})
    (arm,) = found(url + "/", "-n", 30, "-c", 2)["arms"]
    assert arm["all"]["answered"] == 30
    assert arm["connections_opened"] == 30
    assert arm["times"]["service"]["count"] == 0 and arm["times"]["first"]["count"] == 30


def test_a_server_that_stops_answering(script, found):
    url = script({"/": {"turns": [OK] * 20 + [[{"hang": True}]]}})
    (arm,) = found(url + "/", "-d", "500ms", "-c", 4, "--timeout", "300ms", "--threshold", "errors == 0", code=1)["arms"]
    assert arm["all"]["answered"] == 20
    assert set(arm["all"]["failures"]) == {"timeout-head"}
    assert arm["censored"] > 0


def test_redirects_are_answers(script, load):
    url = script({"/": ["HTTP/1.1 302 Found", "Location: /elsewhere", "Content-Length: 0", ""]})
    done = load(url + "/", "-n", 5, "--threshold", "errors == 0")
    assert done.returncode == 0
    assert "statuses     3xx 5" in done.stdout and "they are not followed" in done.stdout


# --- interrupted, and shown -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_gives_what_was_found(request, serve, number):
    url = serve("gateway") + "/api/health"
    command = [request.config.getoption("onus"), "load", "--no-calibration", url, "-d", "50s", "--report", "json=-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for _ in range(3):
            process.stderr.readline()
        process.send_signal(number)
        began = time.monotonic()
        output, _ = process.communicate(timeout=20)
    assert time.monotonic() - began < 5
    assert process.returncode == 3
    result = json.loads(output)
    (arm,) = result["arms"]
    assert result["partial"] and arm["partial"] and arm["all"]["add_up"]
    assert arm["all"]["answered"] > 0 and arm["times"]["service"]["count"] > 0
    assert arm["measured_ns"] < 10e9


def test_an_interrupt_is_told_in_the_table(request, serve):
    command = [request.config.getoption("onus"), "load", serve("gateway") + "/api/health", "-d", "50s", "--accept", "both"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for _ in range(4):
            process.stderr.readline()
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=20)
    assert process.returncode == 3
    assert "partial      it was interrupted: this is what was found until then" in output
    assert "Accept-Encoding: (none)" in output and "Accept-Encoding: gzip" not in output


def test_columns_where_there_is_no_terminal(serve, load):
    done = load(serve("gateway") + "/api/health", "-r", 100, "-d", "2s", "--warm-up", "500ms", "--report", "csv=-")
    assert done.returncode == 0
    head, *lines = done.stderr.splitlines()
    assert head.lstrip("# ").split() == "time conns tot_conn tot_req tot_bytes err cps rps bps ttfb".split()
    assert [line.split()[0] for line in lines] == [str(i + 1) for i in range(len(lines))]
    assert all(len(line.split()) == 10 for line in lines) and len(lines) >= 2
    names, *rows = [row.split(",") for row in done.stdout.splitlines()]
    assert len(rows) == len(lines)
    assert [row[names.index("measured")] for row in rows[:2]] == ["0", "1"]
    assert int(lines[-1].split()[3]) == sum(int(row[names.index("answered")]) for row in rows)


def read_terminal(leader, process):
    shown = b""
    while process.poll() is None or select.select([leader], [], [], 0)[0]:
        if select.select([leader], [], [], 0.1)[0]:
            try:
                shown += os.read(leader, 65536)
            except OSError:
                break
    return shown.decode()


@pytest.mark.parametrize("env, live", [({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"TERM": "xterm", "NO_COLOR": "1"}, True)])
def test_a_live_line_on_a_terminal(request, serve, env, live):
    url = serve("gateway") + "/api/health"
    leader, follower = pty.openpty()
    command = [request.config.getoption("onus"), "load", "--no-calibration", url, "-d", "2s", "--threshold", "errors == 0"]
    with subprocess.Popen(command, stdout=follower, stderr=follower, env=env) as process:
        os.close(follower)
        shown = read_terminal(leader, process)
    os.close(leader)
    assert process.returncode == 0, shown
    assert ("left" in shown and "\r\x1b[K" in shown) == live
    assert ("tot_conn" in shown) == (not live)
    assert ("\x1b[32m" in shown) == (env == {"TERM": "xterm"})


# --- the null server --------------------------------------------------------------------------------------------------


def test_the_null_server_is_driven_first(request, serve):
    command = [request.config.getoption("onus"), "load", serve("gateway") + "/api/health", "-n", "10", "--report", "json=-"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    null = json.loads(done.stdout)["null_server"]
    assert null["ceiling_per_s"] > 500 and 1000 < null["floor_ns"] < 20e6


def test_the_stop_of_a_server_is_seen(request):
    """Exact, or refused since the machine kept onus waiting: never wrong."""
    for _ in range(4):
        done = subprocess.run([request.config.getoption("onus"), "load", "--self-test"], capture_output=True, text=True, timeout=60, check=False)
        if done.returncode != 5:
            break
        assert "refused: this machine let onus or the server wait" in done.stdout
    else:
        pytest.skip("this machine is too busy, and onus said so")
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(re.findall(r"^  ok +p99 +computed", done.stdout, re.MULTILINE)) == 2


def test_logs_of_three_runs_add_up(request, serve, load, tmp_path):
    url = serve("gateway") + "/api/health"
    paths = [tmp_path / f"{i}.hlog" for i in range(3)]
    counts = []
    for path in paths:
        done = load(url, "-n", 50, "-c", 2, "--hlog", path, "--report", "json=-")
        counts.append(json.loads(done.stdout)["arms"][0]["times"]["service"]["count"])
    command = [request.config.getoption("onus"), "report", "--merge", *paths, "--hlog", tmp_path / "all.hlog"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search(rf"^service +{sum(counts)} ", done.stdout, re.MULTILINE)
    whole = (tmp_path / "all.hlog").read_text()
    assert "merged from 3 files" in whole
    # Cut at the end of a line, and in the middle of one.
    for size in (whole.rindex("Tag="), len(whole) - 20):
        paths[1].write_text(whole[:size])
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
        assert done.returncode == 2
        assert re.search(rf"{paths[1]}:\d+: expected", done.stderr)


def test_histograms_as_a_log(serve, load, tmp_path):
    done = load(serve("gateway") + "/api/health", "-n", 100, "--accept", "both", "--hlog", tmp_path / "a.hlog")
    assert done.returncode == 0
    text = (tmp_path / "a.hlog").read_text()
    assert text.startswith("#[Histogram log format version 1.3]")
    assert {"none.service", "gzip.service"} <= set(re.findall(r"^Tag=([^,]+),", text, re.MULTILINE))
