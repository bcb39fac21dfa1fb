"""Each case file is one test of pytest: `python3 -m pytest cases -k vary`, from the top folder.

pytest only drives: onus runs the case, and what it prints is what a failure shows. A case that onus skips is skipped
here with its reason; one that it could not judge is an error, not a failure.

    --onus PATH     the program (default: build/onus)
    --fault NAME    switch a fault of the SUT on
"""

import json
import os
import pathlib
import subprocess
import tempfile

import pytest

ENDINGS = (".json", ".jsonc")
SUITE = "suite.json"


def pytest_addoption(parser):
    group = parser.getgroup("onus")
    group.addoption("--onus", default=os.path.join("build", "onus"), help="the program (default: build/onus)")
    group.addoption("--fault", default=None, help="switch a fault of the SUT on, as `onus list faults` names them")


def pytest_collect_file(file_path, parent):
    if is_case(file_path.name) and has_suite(file_path):
        return CaseFile.from_parent(parent, path=file_path)
    return None


def is_case(name):
    """As onus finds them in a folder: `a.json` is a case, `suite.json`, `.a.json` and `a.accepted.json` are not."""
    stem, dot, ending = name.partition(".")
    return bool(stem and stem != "suite" and dot + ending in ENDINGS)


def has_suite(path):
    """JSON that belongs to no suite is none of ours."""
    return any((folder / SUITE).exists() for folder in path.parents)


def case_id(path):
    """The path below the folder of the suite, without its ending, as onus names cases."""
    suite = next(folder for folder in path.parents if (folder / SUITE).exists())
    return path.relative_to(suite).with_suffix("").as_posix()


class CaseFile(pytest.File):
    def collect(self):
        yield Case.from_parent(self, name=case_id(self.path))


class Case(pytest.Item):
    """Runs in setup, so that pytest tells what could not be judged (an error) from what did not hold (a failure)."""

    findings = None

    def setup(self):
        case, text = self.run_onus()
        if case is None or case["outcome"] == "error":
            pytest.fail(text, pytrace=False)
        if case["outcome"] == "skipped":
            pytest.skip(case["skip_reason"])
        if case["outcome"] == "failed":
            self.findings = text

    def runtest(self):
        if self.findings:
            pytest.fail(self.findings, pytrace=False)

    def run_onus(self):
        """The case's result, None where onus did not come so far, and all that it printed."""
        with tempfile.TemporaryDirectory() as folder:
            result = pathlib.Path(folder, "result.json")
            command = [self.config.getoption("onus"), "run", os.path.relpath(self.path), "--report", f"json={result}"]
            if self.config.getoption("fault"):
                command += ["--fault", self.config.getoption("fault")]
            try:
                done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
            except OSError as error:
                return None, f"{command[0]}: {error.strerror}: `make build/onus` builds it, --onus names another"
            text = done.stdout + done.stderr
            if not result.exists():
                return None, text or f"{command[0]} ended with {done.returncode} and said nothing"
            return json.loads(result.read_text(encoding="utf-8"))["cases"][0], text

    def reportinfo(self):
        return self.path, 0, self.name
