"""Shows that the CI templates gate: their own commands, run in a project as a user would have it, end with
0 on a good configuration of nginx and with 1 on one where a single word has changed.

What only the CI can do is left out: checkout, upload, and the before_script that prepares GitLab's image.
"""

import os
import re
import shutil
import subprocess
import xml.etree.ElementTree
from pathlib import Path

import pytest
import yaml

TOP = Path(__file__).resolve().parents[1]


def github_commands():
    (job,) = yaml.safe_load((TOP / "ci/github.yml").read_text())["jobs"].values()
    return [step["run"] for step in job["steps"] if "run" in step]


def gitlab_commands():
    (job,) = yaml.safe_load((TOP / "ci/gitlab.yml").read_text()).values()
    return job["script"]


def jenkins_commands():
    return re.findall(r"^\s*sh '(.*)'$", (TOP / "ci/Jenkinsfile").read_text(), re.MULTILINE)


TEMPLATES = {"github.yml": github_commands, "gitlab.yml": gitlab_commands, "Jenkinsfile": jenkins_commands}


@pytest.fixture(params=TEMPLATES)
def template(request):
    return request.param


@pytest.fixture
def project(tmp_path):
    """The nginx suite as somebody's own: cases/, a site, and onus beside them, so that nothing is fetched."""
    shutil.copytree(TOP / "fixtures/static/webapp", tmp_path / "site")
    shutil.copytree(TOP / "fixtures/nginx", tmp_path / "cases", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    suite = (tmp_path / "cases/suite.json").read_text()
    suite = suite.replace("fixtures/nginx", "cases").replace("fixtures/static/webapp", "site")
    (tmp_path / "cases/suite.json").write_text(suite)
    (tmp_path / "onus").symlink_to(TOP)
    return tmp_path


def run(template, project):
    """The exit status of the first command that fails, as a CI has it, or 0; and all that was printed."""
    commands = TEMPLATES[template]()
    assert any("onus run" in command for command in commands), "%s runs no contracts" % template
    environment = {**os.environ, "GITHUB_STEP_SUMMARY": str(project / "summary.md")}
    environment.pop("MAKEFLAGS", None)
    printed = ""
    for command in commands:
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command]
        done = subprocess.run(shell, cwd=project, env=environment, text=True, timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        printed += done.stdout
        if done.returncode:
            return done.returncode, printed
    return 0, printed


def junit(project):
    suite = xml.etree.ElementTree.parse(project / "results/junit.xml").getroot()
    return [len(list(suite.iter(name))) for name in ("testcase", "failure", "error", "skipped")]


def summary(template, project):
    return (project / ("summary.md" if template == "github.yml" else "results/summary.md")).read_text()


def test_a_good_change_passes(template, project):
    code, printed = run(template, project)
    assert code == 0, printed
    assert junit(project) == [2, 0, 0, 0]
    assert "2 passed" in summary(template, project)
    assert "::error" not in printed


def test_one_fault_is_stopped(template, project):
    config = project / "cases/nginx.conf"
    good = config.read_text()
    assert good.count("gzip_vary on;") == 1
    config.write_text(good.replace("gzip_vary on;", "gzip_vary off;"))
    code, printed = run(template, project)
    assert code == 1, printed
    assert junit(project)[1] > 0
    assert "text-is-gzipped" in summary(template, project)
    assert list((project / "results/text-is-gzipped").glob("*.http")), "no exchange was kept for the artifact"
    if template == "github.yml":
        assert re.search(r"^::error file=cases/text-is-gzipped.json,line=\d+,col=\d+,", printed, re.MULTILINE)


def test_what_is_kept_is_what_was_written():
    """The paths in the parts that only the CI runs."""
    (github,) = yaml.safe_load((TOP / "ci/github.yml").read_text())["jobs"].values()
    upload = [step for step in github["steps"] if step.get("uses", "").startswith("actions/upload-artifact@")]
    assert [(step["if"], step["with"]["path"]) for step in upload] == [("always()", "results")]
    (gitlab,) = yaml.safe_load((TOP / "ci/gitlab.yml").read_text()).values()
    assert gitlab["artifacts"]["when"] == "always"
    assert gitlab["artifacts"]["reports"]["junit"] == "results/junit.xml"
    assert "junit 'results/junit.xml'" in (TOP / "ci/Jenkinsfile").read_text()
