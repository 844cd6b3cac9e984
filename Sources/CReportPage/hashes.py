#!/usr/bin/env python3
"""Writes the hashes by which the HTML report allows its style and its script: run it after every change of one of them. --check only looks."""
import base64
import hashlib
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
TARGET = HERE / "hashes.h"

lines = ["// Written by hashes.py.", ""]
for name in ("style", "script"):
    file = HERE / {"style": "report.css", "script": "report.js"}[name]
    digest = base64.b64encode(hashlib.sha256(file.read_bytes()).digest()).decode()
    lines.append('#define REPORT_%s_HASH "%s"' % (name.upper(), digest))
text = "\n".join(lines) + "\n"
if "--check" in sys.argv:
    if TARGET.read_text() != text:
        sys.exit("the report's style or script has changed: run Sources/CReportPage/hashes.py")
else:
    TARGET.write_text(text)
