"""What the parts of `ci/bench` share: runs of onus, servers, and the form of a row."""

import contextlib
import http.client
import json
import re
import shutil
import socket
import statistics
import subprocess
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
WORK = TOP / "build/bench"
MIB = 1024 * 1024
JMAP = {"using": ["urn:ietf:params:jmap:core", "urn:ietf:params:jmap:mail"]}


class CannotRun(Exception):
    pass


def onus(arguments, statuses=(0,)):
    """Runs onus; its wall time in seconds, the largest resident size of its own process, and its JSON result.

    The size is the kernel's high-water mark, read every 2 ms until the process has ended: what the parent
    gets told at the end would count this Python before exec() and the server as well.
    """
    folder = WORK / "run"
    shutil.rmtree(folder, ignore_errors=True)
    report = WORK / "result.json"
    command = ["build/onus", "run", "--run-dir", str(folder), "--report", "json=%s" % report, *arguments]
    printed = open(WORK / "output", "w+")
    start = time.monotonic()
    process = subprocess.Popen(command, cwd=TOP, stdout=printed, stderr=subprocess.STDOUT)
    (WORK / "pid").write_text(str(process.pid))
    peak_kib = 0
    while process.poll() is None:
        with open("/proc/%d/status" % process.pid) as status:
            peak_kib = max([peak_kib] + [int(line.split()[1]) for line in status if line.startswith("VmHWM:")])
        time.sleep(0.002)
    seconds = time.monotonic() - start
    printed.seek(0)
    with printed:
        if process.returncode not in statuses:
            raise CannotRun("%s: exit status %d\n%s" % (" ".join(command), process.returncode, printed.read()))
    return seconds, peak_kib * 1024 / MIB, json.loads(report.read_text())


def show(name, numbers, unit, budget, at_least=False, digits=1):
    median = statistics.median(numbers)
    state = "" if budget is None else "at %s %g %s" % ("least" if at_least else "most", budget, unit)
    if budget is not None and (median < budget if at_least else median > budget):
        state += "   UNDER" if at_least else "   OVER"
    row = "%-64s %9.*f %-4s %8.*f ..%8.*f  %4d   %s"
    print(row % (name, digits, median, unit, digits, min(numbers), digits, max(numbers), len(numbers), state), flush=True)


def rss_kib(status):
    return int(re.search(r"^VmRSS:\s+(\d+) kB$", status, re.MULTILINE)[1])


@contextlib.contextmanager
def server(program, **settings):
    """Starts a server on a free port; its process and port."""
    process = subprocess.Popen(
        [TOP / "build" / program], cwd=TOP, env={"LISTEN": "127.0.0.1:0", **settings}, stdout=subprocess.PIPE, text=True
    )
    try:
        said = process.stdout.readline()
        if not said:
            raise CannotRun("%s did not start" % program)
        yield process, int(said.rsplit(":", 1)[1])
    finally:
        process.terminate()
        process.communicate()


class Browser:
    """Signed in at the gateway: writes mail, and holds event streams."""

    def __init__(self, port):
        self.port = port
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.headers = {}
        self.headers = {"Authorization": "Bearer " + self.post("/api/signin", {"user": "alice", "password": "wonder"})["token"]}
        found = self.post("/api/jmap", {**JMAP, "methodCalls": [["Mailbox/get", {"accountId": "a1", "ids": None}, "0"]]})
        self.inbox = found["methodResponses"][0][1]["list"][0]["id"]

    def send(self, target, body):
        self.connection.request("POST", target, json.dumps(body), {"Content-Type": "application/json", **self.headers})

    def receive(self):
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise CannotRun("the gateway answers %d: %s" % (answer.status, body.decode(errors="replace")))
        return json.loads(body)

    def post(self, target, body):
        self.send(target, body)
        return self.receive()

    def get(self, target, **headers):
        """A whole answer: its header fields, its bytes as they came without chunks, and how long that took in ms."""
        start = time.monotonic()
        self.connection.request("GET", target, headers={**self.headers, **headers})
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise CannotRun("the gateway answers %d to %s" % (answer.status, target))
        return answer, body, (time.monotonic() - start) * 1e3

    def send_write(self):
        mail = {"mailboxIds": {self.inbox: True}, "subject": "bench"}
        self.send("/api/jmap", {**JMAP, "methodCalls": [["Email/set", {"accountId": "a1", "create": {"m": mail}}, "0"]]})

    def open_stream(self):
        stream = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        lines = ["GET /api/events HTTP/1.1", "Host: bench", *("%s: %s" % field for field in self.headers.items()), "", ""]
        stream.sendall("\r\n".join(lines).encode())
        read_until(stream, b"\r\n\r\n")
        return stream


def read_until(stream, end):
    got = b""
    while end not in got:
        more = stream.recv(65536)
        if not more:
            raise CannotRun("the gateway ended a stream: %r" % got)
        got += more


@contextlib.contextmanager
def gateway(**settings):
    """The gateway with the mail server behind it and without budgets; its process, and somebody signed in."""
    with server("upstream", ACCOUNTS='{"alice": "wonder"}') as (_, port):
        usual = {"STATIC_DIR": "fixtures/static/webapp", "UPSTREAM_URL": "http://127.0.0.1:%d" % port, "API_RATE_LIMIT": "0"}
        with server("gateway", **usual, **settings) as (process, own_port):
            yield process, Browser(own_port)
