"""The part of `ci/bench` about held streams: how many until a memory cap is full, and what each costs, in four ways."""

import re

from bench_common import WORK, onus

CAP = 96  # MiB
# The descriptors of a gateway, two a stream, are used up a little above.
UP_TO = 9800
CASE = """{
  "title": "Event streams until %(cap)d MiB are full: %(name)s",
  "requires": [{ "feature": "memory_cap" }],
  "sut": { "env": { "API_RATE_LIMIT": 0%(env)s }, "memory_max": "%(cap)dMiB" },
  "as": "alice",
  "steps": [
    { "hold": { "get": "/api/events", "headers": { "Accept-Encoding": null } }, "add": %(add)d, "up_to": %(up_to)d, "until": "oom", "within": "60s",
      "steps": [ { "post": "/api/jmap", "json": "${write_mail}" }, { "await": { "event": "state" }, "within": "30s" } ] },
  ],
}
"""
# Streams of each round: enough rounds for a slope, few enough that every one of them is a small part of what is held.
ROWS = (
    ("as it is", "", 700, []),
    ("RAW_PUSH_RELAY=0", ', "RAW_PUSH_RELAY": 0', 200, []),
    ("the fault stream-memory", "", 100, ["--fault", "stream-memory"]),
    ("over a TLS upstream leg", ', "UPSTREAM_URL": "${upstream.tls}", "UPSTREAM_CA": "${upstream.certificate}"', 50, []),
)
# Of the change that made the relay raw: a proxy in another language, under 256 MiB.
DOCUMENT = (
    ("before: upstream calls over TLS", 1665, 133, 81),
    ("upstream calls pinned to plain HTTP", 3400, 58, 8),
    ("and the raw push relay", 4979, 37, 10),
)


def kib(figures, name):
    text = figures.get(name)
    if text is None:
        return "-"
    number, unit = re.fullmatch(r"(-?[\d.]+) ?(\D+)", text).groups()
    return "%.1f" % (float(number) * {"B": 1, "kB": 1e3, "MB": 1e6}[unit] / 1024)


def held(name, env, add, more):
    """One run: its figures, and whether the cap was full in the end."""
    path = WORK / "hold/case.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(CASE % {"cap": CAP, "name": name, "env": env, "add": add, "up_to": UP_TO})
    # 3: the streams or the descriptors were used up, and not the cap.
    _, _, result = onus(["--suite", "cases/suite.json", *more, str(path)], (0, 3))
    case = result["cases"][0]
    return {figure["name"]: figure["value"] for figure in case["figures"]}, case["outcome"] == "passed"


def bench_hold():
    form = "%-40s %8s %10s %10s %10s   %s"
    print()
    print(form % ("streams held by the gateway under %d MiB" % CAP, "held", "resident", "of the cap", "kernel", "KiB a stream, by slope"))
    for name, env, add, more in ROWS:
        figures, full = held(name, env, add, more)
        each = [kib(figures, "streams.%s_each" % kind) for kind in ("memory", "cap", "kernel")]
        print(form % (name, figures.get("streams.held", "-"), *each, "" if full else "the cap was not full"), flush=True)
    print(form % ("the document's proxy, under 256 MiB", "held", "KiB each", "", "native", ""))
    for name, count, each, native in DOCUMENT:
        print(form % (name, count, each, "", native, ""))
    print()
