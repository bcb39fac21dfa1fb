"""The part of `ci/bench` about heavy requests: probes, the list of 200,000 names, many ids, OpenAPI documents."""

import contextlib
import json
import re
import statistics
import subprocess
import time

from bench_common import TOP, WORK, CannotRun, gateway, onus, show

GALLERY = "build/gallery.db"
LIST = "/api/v1/gallery/item_names"
IDLE_PROBE = """{
  "title": "A probe while next to nothing is asked",
  "steps": [ { "probe": "/api/health", "every": "5ms", "idle": "3s", "while": [ "/api/health" ], "expect": { "probe.count": ">= 0" } } ],
}
"""
# The header is expected to be another one, so that the finding tells what it was.
STALLED_PROBE = """{
  "title": "A search, how long nobody else was answered, and how long the server says that it took",
  "as": "alice",
  "steps": [ { "probe": "/api/health", "every": "5ms", "idle": "200ms",
               "while": [ { "get": "/api/v1/gallery/item_names?search=zebra", "expect": { "headers": { "Server-Timing": "told" } } } ],
               "expect": { "probe.silence": "<= 1us" } } ],
}
"""
# Of the change that made the level a setting: 8.48 MB of names, milliseconds and share of the input.
DOCUMENT = {1: (16.4, 6.1), 9: (90.2, 5.7)}


def figures(result):
    return {figure["name"]: figure["value"] for case in result["cases"] for figure in case["figures"]}


def in_ms(text):
    number, unit = re.fullmatch(r"([\d.]+)(\D+)", text).groups()
    return float(number) * {"us": 1e-3, "ms": 1, "s": 1e3, "min": 6e4}[unit]


def bench_probe(runs):
    (WORK / "probe").mkdir(parents=True, exist_ok=True)
    (WORK / "probe/idle.json").write_text(IDLE_PROBE)
    lags = [figures(onus(["build/bench/probe/idle.json"])[2]) for _ in range(runs)]
    for name, budget in (("p50", None), ("p99", 1), ("max", None)):
        show("a probe every 5 ms: how late it is sent, " + name, [in_ms(lag["send_lag." + name]) for lag in lags], "ms", budget)


def timing(answer, phase):
    return float(re.search(phase + r";dur=([\d.]+)", answer.getheader("Server-Timing"))[1])


def bench_levels(runs):
    """Level by level in turn, so that whatever else the machine does falls on all of them."""
    levels = (0, 1, 6, 9)
    measured = {level: [] for level in levels}
    with contextlib.ExitStack() as stack:
        browsers = {
            level: stack.enter_context(gateway(GALLERY_DB=GALLERY, HTTP_COMPRESSION_LEVEL=str(level)))[1] for level in levels
        }
        for browser in browsers.values():
            browser.get(LIST)
        for _ in range(runs):
            for level, browser in browsers.items():
                measured[level].append(browser.get(LIST, **{"Accept-Encoding": "gzip"}))
    plain = len(measured[0][0][1])
    for level, answers in measured.items():
        share = 100 * len(answers[0][1]) / plain
        beside = "" if level not in DOCUMENT else "   (the document, of other names: %g ms, %g%%)" % DOCUMENT[level]
        print("200,000 names at level %d: %d bytes, %.1f%% of %d%s" % (level, len(answers[0][1]), share, plain, beside))
        show("  compressed in", [timing(answer, "compress") for answer, _, _ in answers], "ms", None)
        show("  answered in", [took for _, _, took in answers], "ms", None)
    fast, best = (statistics.median(timing(answer, "compress") for answer, _, _ in measured[level]) for level in (1, 9))
    print("level 9 takes %.1f times as long as level 1 for %.1f%% of its bytes (the document: 5.5 times for 93.4%%)" % (
        best / fast, 100 * len(measured[9][0][1]) / len(measured[1][0][1])))


def bench_ids(runs):
    with gateway(GALLERY_DB=GALLERY) as (_, browser):
        known = json.loads(browser.get("/api/v1/queue/ids")[1])["item_ids"]
        ids = (known + known[:10000])[:40000]
        times = []
        for _ in range(runs):
            start = time.monotonic()
            found = browser.post("/api/v1/queue/items_by_ids", {"item_ids": ids})
            times.append((time.monotonic() - start) * 1e3)
            if [item["item_id"] for item in found] != ids:
                raise CannotRun("40,000 ids are not answered one for one")
    show("items_by_ids with 40,000 ids, as Python sees it", times, "ms", None)
    cases = [onus(["cases/availability/many-ids.json"])[2]["cases"][0]["duration_ns"] / 1e6 for _ in range(runs)]
    show("the same as a case, server start and sign-in and all", cases, "ms", None)


def stall(arguments):
    """The longest silence of a probe while a search runs, and the search's query as the server tells it, in ms."""
    result = onus([*arguments, "--suite", "cases/suite.json", "build/bench/probe/stall.json"], statuses=(1,))[2]
    found = {finding["what"]: finding["found"] for finding in result["cases"][0]["findings"]}
    query = float(re.search(r"query;dur=([\d.]+)", found["header Server-Timing"])[1])
    return in_ms(found["probe.silence"].split(" (")[0].replace(" ", "")), query


def bench_stall(runs):
    (WORK / "probe/stall.json").write_text(STALLED_PROBE)
    for arguments, name in ((["--fault", "blocking-query"], "a search on the loop"), ([], "a search on a worker")):
        measured = [stall(arguments) for _ in range(runs)]
        show(name + ": the longest silence of a probe", [silence for silence, _ in measured], "ms", None)
        show("  as a share of the query by Server-Timing", [100 * silence / query for silence, query in measured], "%", None)


def bench_gallery(runs):
    bench_levels(runs)
    bench_ids(runs)
    bench_stall(runs)


def bench_openapi(runs):
    """Processor time, which the test prints itself."""
    pattern = r"read in (\d+) ms of processor time, compared in (\d+) ms.*?memory at most (\d+) MiB read, (\d+) MiB compared"
    measured = []
    for _ in range(runs):
        done = subprocess.run(["build/tests/harness/openapi/compare_large_test", "bench"], cwd=TOP, capture_output=True, text=True)
        found = re.search(pattern, done.stdout)
        if done.returncode != 0 or not found:
            raise CannotRun("compare_large_test bench: exit status %d\n%s" % (done.returncode, done.stdout + done.stderr))
        measured.append([int(number) for number in found.groups()])
    show("two OpenAPI documents of 5.6 MB: compared", [row[1] for row in measured], "ms", 1000)
    show("  read before that, both", [row[0] for row in measured], "ms", None)
    show("  peak memory", [row[3] for row in measured], "MiB", None)
