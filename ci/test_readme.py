"""Holds README.md to what is there: the files it quotes, the commands it gives, the tables it prints."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[1]
ONUS = TOP / "build/onus"
README = (TOP / "README.md").read_text()
BLOCK = re.compile(r"^(?:`(?P<path>[^`\n]+)`:\n\n)?```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = list(BLOCK.finditer(README))
QUOTED = {block["path"]: block["text"] for block in BLOCKS if block["path"]}


def block(kind, word):
    """The text of the one code block of that kind with the word in it."""
    (found,) = [b["text"] for b in BLOCKS if b["kind"] == kind and word in b["text"]]
    return found


def table(heading):
    """First cells of the table below a heading, without backticks."""
    below = README.split("\n## %s\n" % heading)[1].split("\n## ")[0]
    return [line.split("|")[1].strip().strip("`") for line in below.splitlines() if re.match(r"\| [^-|]+\|", line)]


def onus(*arguments, **options):
    return subprocess.run([ONUS, *arguments], capture_output=True, text=True, timeout=60, **options)


def test_quoted_files_are_the_files():
    assert {path for path in QUOTED if path.startswith("fixtures/nginx/")} == {
        "fixtures/nginx/" + name for name in ("suite.json", "nginx.conf", "start", "text-is-gzipped.json", "images-untouched.json")
    }
    assert any(path.startswith("cases/") for path in QUOTED), "no case is explained"
    for path, text in QUOTED.items():
        assert text == (TOP / path).read_text(), "README.md quotes another %s" % path


def test_links_lead_somewhere():
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    assert [link for link in links if not link.startswith("http") and not (TOP / link).exists()] == []


@pytest.fixture
def running_gateway():
    """Starts the reference gateway with a fault or none; its URL."""
    processes = []

    def start(fault):
        environment = {"STATIC_DIR": str(TOP / "fixtures/static/webapp"), "LISTEN": "127.0.0.1:0"}
        if fault:
            environment["FAULT"] = fault
        process = subprocess.Popen([TOP / "build/gateway"], env=environment, stdout=subprocess.PIPE, text=True)
        processes.append(process)
        return "http://" + process.stdout.readline().split()[-1]

    yield start
    for process in processes:
        process.terminate()
        process.communicate()


@pytest.mark.parametrize("fault, code", [(None, 0), ("vary-missing", 1)])
def test_the_case_for_a_running_server(running_gateway, tmp_path, fault, code):
    (tmp_path / "front-page.json").write_text(block("json", "front page"))
    done = onus("run", "--target", running_gateway(fault), "front-page.json", cwd=tmp_path)
    assert done.returncode == code, done.stdout + done.stderr


def test_the_nginx_suite_moves_into_a_project(tmp_path):
    """With the commands of README.md, word by word."""
    shutil.copytree(TOP / "fixtures/static/webapp", tmp_path / "public")
    commands = block("sh", "mkdir -p cases") + block("sh", '"$ONUS/build/onus" prove')
    shell = ["bash", "-euo", "pipefail", "-c", commands]
    done = subprocess.run(shell, cwd=tmp_path, env={**os.environ, "ONUS": str(TOP)}, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout and "2 caught" in done.stdout
    assert sorted(path.name for path in (tmp_path / "cases").iterdir()) == [
        "images-untouched.json", "nginx.conf", "start", "suite.json", "text-is-gzipped.json"
    ]


def test_tables_are_those_of_the_program():
    overview = onus("--help").stdout
    assert [row.split()[1] for row in table("Subcommands")] == re.findall(r"^  (\w+)  ", overview, re.MULTILINE)
    assert table("Reports") == re.findall(r"^(\w+) ", onus("list", "reports").stdout, re.MULTILINE)
    listed = re.findall(r"^\| `onus list WHAT` \| (.*) \|$", README, re.MULTILINE)[0]
    usage = onus("list", "--help").stdout.splitlines()[0]
    assert re.findall(r"`(\w+)`", listed) == re.search(r"(\S+\|\S+)", usage)[1].split("|")
    manual = onus("run", "--help").stdout.split("Exit status:")[1]
    assert table("Exit status") == re.findall(r"(?:^|;)\s*(\d+) ", manual)


def test_make_targets_exist():
    named = set(re.findall(r"\bmake (?:[A-Z]+=\S+ )?([a-z]+)", README))
    assert named >= {"demo", "check", "lint", "bench"}
    made = set(re.findall(r"^([a-z-]+):", (TOP / "Makefile").read_text(), re.MULTILINE))
    assert named <= made
