"""The reports of `onus load` for other tools, read as these read them: pages, Prometheus' text format, CSV.

Run from the top folder: `python3 -m pytest cases/cli/test_load_reports.py`.
"""

import csv
import importlib.util
import io
import pathlib
import re
import subprocess

import pytest

GOLDEN = pathlib.Path("harness/cli/golden")
SPEC = importlib.util.spec_from_file_location("test_html", pathlib.Path(__file__).with_name("test_html.py"))
PAGES = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(PAGES)

# https://prometheus.io/docs/instrumenting/exposition_formats/: names, labels with \\, \" and \n escaped, a float.
NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? (\S+)")
UNITS = {"seconds", "bytes", "ratio", "total", "second", "errors", "status", "descriptors", "threads"}
ENDINGS = {"summary": ("", "_sum", "_count"), "counter": ("",), "gauge": ("",)}


def prometheus(text):
    """Samples by (name, labels), from text that keeps to the format."""
    assert text.endswith("\n") and "\r" not in text
    kinds, helped, samples, order = {}, set(), {}, []
    for line in text.splitlines():
        if line.startswith("# HELP "):
            name, words = line[7:].split(" ", 1)
            assert name not in helped and words.strip() and "\\" not in words
            helped.add(name)
        elif line.startswith("# TYPE "):
            name, kind = line[7:].split(" ")
            assert name in helped and name not in kinds and kind in ENDINGS
            kinds[name] = kind
        else:
            match = SAMPLE.fullmatch(line)
            assert match, line
            name, labels, value = match.groups()
            (family,) = [one for one, kind in kinds.items() if name in [one + ending for ending in ENDINGS[kind]]]
            key = (name, frozenset(re.findall(LABEL, labels or "")))
            assert key not in samples, line
            samples[key] = float(value)
            if order[-1:] != [family]:
                order.append(family)
    # All lines of a family stand together; names end in a unit, counters in _total and nothing else does.
    assert len(order) == len(set(order)) == len(kinds)
    for name, kind in kinds.items():
        assert name.split("_")[-1] in UNITS, name
        assert name.endswith("_total") == (kind == "counter"), name
    return samples


def test_prometheus():
    samples = prometheus((GOLDEN / "load-prometheus.txt").read_text())
    url, arm = 'url="http://127.0.0.1:8080"', 'arm="none"'
    assert samples["onus_load_requests_total", frozenset({url, arm, 'result="answered"'})] == 1200
    assert samples["onus_load_duration_seconds", frozenset({url, arm, 'kind="response"', 'quantile="1"'})] == 0.02
    assert samples["onus_load_sut_cpu_ratio", frozenset({url, arm})] == 0.5
    assert samples["onus_load_wire_bytes_total", frozenset({url, arm})] == 1200000


@pytest.mark.parametrize("line", ["a_total 1\n", "a 1", 'b{x="\\q"} 1\n', "# TYPE a gauge\na 1\n"])
def test_prometheus_can_fail(line):
    with pytest.raises((AssertionError, ValueError)):
        prometheus(line)


def test_csv():
    text = (GOLDEN / "load-csv.txt").read_bytes().decode()
    # RFC 4180: each line ends in CR LF, and all have as many fields as the header.
    assert text.count("\n") == text.count("\r\n") == text.count("\r") and text.endswith("\r\n")
    head, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    assert len(set(head)) == len(head) and all(len(row) == len(head) for row in rows)
    first = dict(zip(head, rows[0]))
    assert first["arm"] == "none" and first["p99_ns"] == "19800000" and first["answered"] == "496"
    # The SUT's samples; what nobody saw is empty.
    assert float(first["sut_cpu_percent"]) == 50 and first["sut_memory_bytes"] == "31000000"
    assert dict(zip(head, rows[1]))["sut_memory_bytes"] == "32000000" and first["sut_threads"] == ""
    assert dict(zip(head, rows[2]))["sut_cpu_percent"] == dict(zip(head, rows[2]))["sut_memory_bytes"] == ""


def test_page():
    page = PAGES.check((GOLDEN / "load-html.txt").read_text())
    assert len([tag for tag, _ in page.elements if tag == "svg"]) == 6
    assert {"held", "broken", "invalid"} <= set(page.words("span"))
    assert "memory of the SUT, resident" in page.words("caption")


def test_reports_of_a_load(request, tmp_path):
    """Nobody there: no number to show, and still reports that can be read."""
    page, text, table = tmp_path / "page.html", tmp_path / "text", tmp_path / "table"
    onus = request.config.getoption("onus")
    url = "http://127.0.0.1:1/<script>\"'&?a=b"
    reports = [f"--report=html={page}", f"--report=prometheus={text}", f"--report=csv={table}"]
    command = [onus, "load", "--no-calibration", url, "-d", "300ms", "-c", "2", *reports]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 3, done.stderr
    assert "it could not be measured" in "".join(PAGES.check(page.read_text()).words("h1"))
    assert any(name == "onus_load_exit_status" for name, _ in prometheus(text.read_text()))
    assert table.read_bytes().startswith(b"arm,start_s,")
