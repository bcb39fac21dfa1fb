"""Holds README.md to what is there: the files it quotes, the commands it gives, the tables it prints; and the others,
to what their folders hold."""

import fnmatch
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
    parts = re.search(r"the parts of `check`: (.*) \|", README)[1]
    named = set(re.findall(r"`(\w+)`", parts)) | set(re.findall(r"\bmake (?:[A-Z]+=\S+ )?([a-z0-9]+)", README))
    assert named >= {"demo", "check", "lint", "bench", "e2e", "fuzz", "units"}
    made = set(re.findall(r"^([a-z0-9-]+):", (TOP / "Makefile").read_text(), re.MULTILINE))
    assert named <= made


FOLDERS = [path for top in ("harness", "fixtures") for path in sorted((TOP / top).iterdir()) if path.is_dir()]


def names(readme, name):
    """Is it in the text as a word, or by a pattern such as `step_*`?"""
    words = set(re.findall(r"[\w.-]+\*?", readme))
    stems = words | {word.rsplit(".", 1)[0] for word in words}
    return name in stems or any(fnmatch.fnmatchcase(name, word) for word in stems if re.fullmatch(r"\w{4,}\*", word))


@pytest.mark.parametrize("parent", ["harness", "fixtures", "cases"])
def test_every_folder_is_named(parent):
    readme = (TOP / parent / "README.md").read_text()
    folders = {Path(path).relative_to(parent).parts[0] for path in tracked(parent) if len(Path(path).relative_to(parent).parts) > 1}
    assert folders
    assert [name for name in sorted(folders) if not re.search(r"[(`]%s/" % name, readme)] == []


def tracked(folder):
    """What belongs to the repository, without what lies about; all of it where there is no git."""
    done = subprocess.run(["git", "ls-files", "--", folder], cwd=TOP, capture_output=True, text=True)
    if done.returncode == 0:
        return done.stdout.splitlines()
    return [str(path.relative_to(TOP)) for path in (TOP / folder).rglob("*") if path.is_file()]


def test_every_script_of_ci_is_named():
    readme = (TOP / "ci/README.md").read_text()
    scripts = [Path(path).name for path in tracked("ci")]
    assert scripts
    assert [name for name in scripts if name != "README.md" and "`%s`" % name not in readme] == []


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_every_source_file_is_named(folder):
    readme = (folder / "README.md").read_text()
    stems = [path.stem for path in sorted(folder.glob("*.c")) if not re.search(r"_(test|fuzz)$", path.stem)]
    assert [stem for stem in stems if not names(readme, stem)] == []


def test_a_pattern_names_what_it_matches_and_nothing_else():
    assert names("| `step_*` | a step |", "step_raw") and names("bytes by `buf.c`", "buf")
    assert not names("| `step_*` | a step |", "stem") and not names("nothing `*` of it", "buf")


def test_the_first_case_of_the_manual_does_what_the_manual_says(tmp_path):
    """Its files as they are printed, run, and the checks it is said to make."""
    manual = (TOP / "cases/README.md").read_text()
    first = manual.split("\n## A first case\n")[1].split("\n## ")[0]
    files = re.findall(r"^`(onus/[^`]+)`\n\n```\w+\n(.*?)^```$", first, re.MULTILINE | re.DOTALL)
    assert len(files) == 3
    (tmp_path / "onus").mkdir()
    (tmp_path / "public").mkdir()
    shutil.copy(TOP / "fixtures/static/webapp/assets/app.css", tmp_path / "public")
    for path, text in files:
        (tmp_path / path).write_text(text)
    done = onus("run", "onus/css.json", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    said = re.search(r"sends (\w+) requests, .* makes (\w+) checks", first).groups()
    ran = re.search(r"(\d+) cells +(\d+) checks", done.stdout).groups()
    assert said == tuple({"3": "three", "12": "twelve"}.get(number, number) for number in ran)


def test_every_step_has_two_selftests():
    """As cases/README.md says; what only sends a request has verbs.json and status-fails.json."""
    steps = [line.split()[0] for line in onus("list", "steps").stdout.splitlines()]
    requests = {"get", "head", "post", "put", "patch", "delete", "options", "request"}
    assert requests < set(steps)
    wanted = [name + end for name in {*steps} - requests for end in (".json", "-fails.json")] + ["verbs.json", "status-fails.json"]
    assert [name for name in sorted(wanted) if not (TOP / "cases/selftest" / name).exists()] == []
