"""The html reports as a whole: well-formed, complete in themselves, with texts that stay texts.

Run from the top folder: `python3 -m pytest cases/cli/test_html.py`.
"""

import html.parser
import json
import pathlib
import re
import subprocess
import xml.etree.ElementTree

import pytest

VOID = {"meta", "br", "link", "img", "hr", "input", "wbr", "col", "source", "embed", "area", "base", "track"}
LOADS = {"src", "srcset", "data", "action", "formaction", "poster", "background", "cite", "ping", "manifest"}
RESULT = pathlib.Path("harness/report/golden/json.txt")
HOSTILE = "</title></style></svg></td><script>alert(1)</script><img src=//h/x onerror=alert(1)>&amp;\"'"


class Page(html.parser.HTMLParser):
    """What stands in a page; elements that don't close in order are an error, as in XML."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.ids, self.texts = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), tag
        self.elements.append((tag, dict(attrs)))
        self.ids += [value for name, value in attrs if name == "id"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append((tuple(self.open), data))

    def words(self, tag):
        return [text.strip() for path, text in self.texts if path and path[-1] == tag and text.strip()]


def check(text):
    """The laws of every page; it, parsed."""
    assert text.startswith("<!DOCTYPE html>")
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", text)
    page = Page(text)
    for tag, attrs in page.elements:
        assert tag not in {"script", "iframe", "object", "embed", "link", "base", "img", "form", "foreignobject", "use"}
        for name, value in attrs.items():
            assert not name.startswith("on") and name not in LOADS and name != "style"
            if name == "href":
                assert value.startswith("#") and value[1:] in page.ids
            assert not re.search(r"https?:|javascript:|url\(", value or "") or name in {"aria-label"}
    (css,) = [text for path, text in page.texts if path[-1:] == ("style",)]
    assert not re.search(r"url\(|@import|https?:|expression", css)
    assert len(page.ids) == len(set(page.ids))
    assert "prefers-color-scheme:dark" in css and "@media print" in css and "max-width" in css
    svgs = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    for svg in svgs:
        check_svg(xml.etree.ElementTree.fromstring(svg))
    assert len(svgs) % 2 == 0
    return page


def check_svg(svg):
    assert svg.get("role") == "img"
    named = {element.get("id"): element.text for element in svg.iter() if element.get("id")}
    for one in svg.get("aria-labelledby").split():
        assert named[one].strip()
    _, _, width, height = map(float, svg.get("viewBox").split())
    for element in svg.iter():
        for name, value in element.attrib.items():
            if name in {"x", "x1", "x2", "cx"}:
                assert 0 <= float(value) <= width
            if name in {"y", "y1", "y2", "cy"}:
                assert 0 <= float(value) <= height
        if element.tag == "path":
            numbers = list(map(float, re.findall(r"-?\d+(?:\.\d+)?", element.get("d").replace("h0", ""))))
            assert len(numbers) % 2 == 0 and all(0 <= x <= width for x in numbers[::2])
            assert all(0 <= y <= height for y in numbers[1::2])
    # Both axes have titles, and ticks whose labels say the unit but for counts and 0.
    assert [text for text in svg.iter("text") if "title" in text.get("class").split() and text.text]
    assert [text for text in svg.iter("text") if text.get("class") == "tick x"]


@pytest.fixture(name="onus")
def fixture_onus(request):
    def run(*arguments, codes=(0,)):
        command = [request.config.getoption("onus"), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, check=False)
        assert done.returncode in codes, done.stdout + done.stderr
        return done

    return run


@pytest.fixture(name="rendered")
def fixture_rendered(onus, tmp_path):
    """The page of a stored result."""

    def render(result):
        stored, page = tmp_path / "result.json", tmp_path / "page.html"
        stored.write_text(json.dumps(result))
        onus("report", stored, "--report", f"html={page}")
        return check(page.read_text())

    return render


def test_a_stored_result(rendered):
    result = json.loads(RESULT.read_text())
    page = rendered(result)
    texts = "".join(text for _, text in page.texts)
    for case in result["cases"]:
        assert case["id"] in texts
        assert (case["skip_reason"] or "") in texts and (case["why"] or "") in texts
        for finding in case["findings"]:
            for name in ("what", "request", "expected", "again"):
                printable = re.sub("[\x00-\x08\x0b-\x1f]", "", finding[name] or "")
                assert printable.replace("\r", "") in texts
        for figure in case["figures"]:
            assert figure["name"] in page.words("td")
    charts = [chart for case in result["cases"] for chart in case["charts"]]
    assert len([tag for tag, _ in page.elements if tag == "svg"]) == 2 * len(charts) == 4


def hostile(value):
    """The same with every text but those that are words of the schema."""
    if isinstance(value, dict):
        words = {"schema", "outcome", "kind", "unit", "scale", "seed"}
        return {name: item if name in words else hostile(item) for name, item in value.items()}
    if isinstance(value, list):
        return [hostile(item) for item in value]
    return HOSTILE if isinstance(value, str) else value


def test_texts_stay_texts(rendered):
    page = rendered(hostile(json.loads(RESULT.read_text())))
    assert page.words("title") and HOSTILE in page.words("caption")
    assert page.words("summary").count("The data as tables") == 2


def test_data_beside_the_picture(rendered):
    result = json.loads(RESULT.read_text())
    points = [[second * 1e9, second] for second in range(3000)]
    (case,) = [case for case in result["cases"] if case["charts"]]
    chart = case["charts"][0]
    chart["panels"], chart["marks"], case["charts"] = chart["panels"][:1], [], [chart]
    chart["panels"][0]["series"] = [{"name": "a", "points": points[:3]}, {"name": "b", "points": [[1e9, None]]}]
    page = rendered(result)
    cells = page.words("td")
    start = cells.index("1 s") - 3
    assert cells[start : start + 9] == ["0", "0", "–", "1 s", "1/s", "–", "2 s", "2/s", "–"]
    chart["panels"][0]["series"] = [{"name": "a", "points": points}]
    assert "The rest is in the json report." in rendered(result).words("p")


@pytest.mark.parametrize("broken", ['[[1, 2, 3]]', '[[2, 1], [1, 1]]', '[["1", 1]]', "[[1e19, 1]]", "[[null, 1]]", "[1]", "{}"])
def test_points_that_are_none(request, tmp_path, broken):
    result = json.loads(RESULT.read_text())
    (case,) = [case for case in result["cases"] if case["charts"]]
    case["charts"][0]["panels"][0]["series"][0]["points"] = json.loads(broken)
    stored = tmp_path / "result.json"
    stored.write_text(json.dumps(result))
    done = subprocess.run([request.config.getoption("onus"), "report", stored], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2 and "/charts/0/panels/0/series/0/points" in done.stderr
