"""JSON with comments and trailing commas, read independently of onus: what the schema is tested with."""

import json
import pathlib
import re

# A string is kept as it is; a comment becomes a space.
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
COMMA = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[\]}])', re.DOTALL)


def keep_strings(match):
    return match.group() if match.group().startswith('"') else " "


def loads(text):
    return json.loads(COMMA.sub(keep_strings, TOKEN.sub(keep_strings, text)))


def load(path):
    return loads(pathlib.Path(path).read_text(encoding="utf-8"))
