"""A server that runs already, spoken to as the command line says: HTTP/2, a certificate, PROXY protocol, a Unix socket. The
same options serve `onus run --target` and `onus load`."""

import contextlib
import json
import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
ONUS = TOP / "build/onus"
CASE = {"title": "t", "steps": [
    {"get": "/assets/app.css", "expect": {"status": 200, "length": "exact"}},
    {"get": "/assets/app.css", "expect": {"connection": "reused", "headers": {"content-type": "text/css"}}},
]}
HAPROXY = """
defaults
	mode http
	timeout connect 5s
	timeout client 30s
	timeout server 30s
frontend front
	bind 127.0.0.1:%d %s
	http-request return status 200 content-type text/css file %s if { path /assets/app.css }
	http-request return status 404
"""
NGINX = """
daemon off; master_process off; pid %(folder)s/pid; error_log stderr; events {}
http { types { text/css css; } access_log off; client_body_temp_path %(folder)s/b; proxy_temp_path %(folder)s/p;
fastcgi_temp_path %(folder)s/f; uwsgi_temp_path %(folder)s/u; scgi_temp_path %(folder)s/s;
server { listen unix:%(folder)s/socket; root %(root)s; } }
"""


def onus(*arguments):
    command = [str(argument) for argument in (ONUS, *arguments)]
    return subprocess.run(command, cwd=TOP, capture_output=True, text=True, timeout=120)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def accepts(address):
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    with socket.socket(family) as probe:
        return probe.connect_ex(address) == 0


@contextlib.contextmanager
def running(command, address):
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} not found in PATH")
    with subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            until = time.monotonic() + 60
            while not accepts(address):
                assert server.poll() is None and time.monotonic() < until, f"{command} does not listen"
                time.sleep(0.01)
            yield
        finally:
            server.kill()


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    subprocess.run([TOP / "fixtures/tls/with-certificates", folder, "true"], check=True, timeout=120)
    return folder


@pytest.fixture
def case(tmp_path):
    path = tmp_path / "case.json"
    path.write_text(json.dumps(CASE))
    return path


def both(case, url, *options):
    """Held by a contract run, and a load without an error."""
    done = onus("run", case, "--target", url, *options)
    assert done.returncode == 0, done.stdout + done.stderr
    load = onus("load", f"{url}/assets/app.css", *options, "-n", "40", "-c", "4", "--no-calibration",
                "--report", "json=-", "--threshold", "errors == 0")
    assert load.returncode == 0, load.stdout + load.stderr
    counts = json.loads(load.stdout)["arms"][0]["all"]
    assert counts["add_up"] and counts["sent"] == counts["answered"] >= 40, counts


ROOT = TOP / "fixtures/static/webapp"


def test_http2_by_alpn(case, certificates):
    port = free_port()
    with running(["nghttpd", "--address=127.0.0.1", f"--htdocs={ROOT}", port, certificates / "server.key",
                  certificates / "server.pem"], ("127.0.0.1", port)):
        both(case, f"https://127.0.0.1:{port}", "--http2", "--cacert", certificates / "ca.pem")


def test_http2_by_prior_knowledge(case, tmp_path):
    port = free_port()
    with running(["nghttpd", "--no-tls", "--address=127.0.0.1", f"--htdocs={ROOT}", port], ("127.0.0.1", port)):
        both(case, f"http://127.0.0.1:{port}", "--http2c")
        raw = tmp_path / "raw.json"
        raw.write_text(json.dumps({"title": "t", "steps": [{"raw": ["GET / HTTP/1.1", ""], "expect": {"status": 200}}]}))
        done = onus("run", raw, "--target", f"http://127.0.0.1:{port}", "--http2c")
        assert done.returncode == 77 and "`raw` sends bytes of HTTP/1.1" in done.stdout, done.stdout + done.stderr
        te = tmp_path / "te.json"
        te.write_text(json.dumps({"title": "t", "steps": [{"get": "/", "headers": {"Connection": "close"},
                                                           "expect": {"status": 200}}]}))
        done = onus("run", te, "--target", f"http://127.0.0.1:{port}", "--http2c")
        assert done.returncode == 2 and "RFC 9113 section 8.2.2" in done.stdout + done.stderr, done.stdout + done.stderr


def haproxy(tmp_path, port, how):
    (tmp_path / "app.css").write_text("p { margin: 0 }\n" * 100)  # it answers with no more than fits a buffer
    (tmp_path / "haproxy.cfg").write_text(HAPROXY % (port, how, tmp_path / "app.css"))
    return ["haproxy", "-db", "-f", tmp_path / "haproxy.cfg"]


def test_a_certificate_of_the_clients(case, certificates, tmp_path):
    port = free_port()
    how = f"ssl crt {certificates}/server-with-key.pem ca-file {certificates}/ca.pem verify required alpn h2,http/1.1"
    with running(haproxy(tmp_path, port, how), ("127.0.0.1", port)):
        url = f"https://127.0.0.1:{port}"
        trust = ["--cacert", certificates / "ca.pem"]
        mine = ["--cert", certificates / "client.pem", "--key", certificates / "client.key"]
        both(case, url, *trust, *mine)
        both(case, url, *trust, *mine, "--http2")
        done = onus("run", case, "--target", url, *trust)
        assert done.returncode == 1 and "certificate required" in done.stdout, done.stdout + done.stderr
        done = onus("load", f"{url}/", *trust, "-n", "4", "--no-calibration")
        assert done.returncode == 3 and "tls" in done.stdout + done.stderr, done.stdout + done.stderr


def test_proxy_protocol(case, tmp_path):
    port = free_port()
    with running(haproxy(tmp_path, port, "accept-proxy"), ("127.0.0.1", port)):
        both(case, f"http://127.0.0.1:{port}", "--proxy-protocol")
        done = onus("run", case, "--target", f"http://127.0.0.1:{port}")
        assert done.returncode == 1, done.stdout + done.stderr
        assert f"--target http://127.0.0.1:{port}" in done.stdout


def test_a_unix_socket(case, tmp_path):
    (tmp_path / "nginx.conf").write_text(NGINX % {"folder": tmp_path, "root": ROOT})
    path = str(tmp_path / "socket")
    with running(["nginx", "-e", "stderr", "-c", tmp_path / "nginx.conf"], path):
        both(case, "http://localhost", "--unix-socket", path)
        done = onus("run", case, "--target", "http://localhost", "--unix-socket", path + "x")
        assert done.returncode == 3 and "cannot be reached" in done.stderr, done.stdout + done.stderr


@pytest.mark.parametrize("options, said", [
    (["--http2"], "--http2: needs --target"),
    (["--http2", "--target", "http://127.0.0.1:1"], "--http2: expected an https URL; --http2c goes without TLS"),
    (["--http2c", "--target", "https://127.0.0.1:1"], "--http2c: expected an http URL; --http2 goes over TLS"),
    (["--key", "/dev/null", "--target", "https://127.0.0.1:1"], "--key: expected --cert beside it"),
    (["--unix-socket", "x"], "--unix-socket: needs --target"),
])
def test_what_does_not_go_together(case, options, said):
    done = onus("run", case, "--suite", "cases/suite.json", *options)
    assert (done.returncode, done.stderr) == (2, f"onus: {said}\n")
