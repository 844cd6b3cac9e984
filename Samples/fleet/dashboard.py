#!/usr/bin/env python3
"""What a fleet's tables say, as one HTML file: dashboard.py TABLES FILE.html [--program btscribe]

TABLES is a folder, or a URL that fsspec reads: s3://bucket/tables.

Each query of queries/ is a section: its picture, its rows, its SQL. The file loads nothing and runs nothing; open it wherever you like.
"""
import argparse
import html
import pathlib
import re

import fleet_duckdb

here = pathlib.Path(__file__).resolve().parent
# A chart shows at most this number of rows; the table below it has all of them.
SHOWN = 24
ORDER = ("connection-failures", "disconnects", "first-notification", "latency", "battery-at-failure", "only-failing", "outliers")
COLOURS = ("#2f6690", "#d98324", "#a23b3b")
STYLE = """
:root { color-scheme: light dark; --ink: #1d2329; --soft: #5b6670; --line: #d6dbe0; --page: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ec; --soft: #9aa5af; --line: #3a434b; --page: #15191d; } }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem 4rem; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.1rem; margin: 2.5rem 0 .25rem; }
p { margin: .25rem 0 .75rem; color: var(--soft); } nav a { margin-right: 1rem; }
svg { width: 100%; min-width: 38rem; height: auto; } svg text { fill: var(--ink); font: 12px system-ui, sans-serif; } svg .axis { stroke: var(--line); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .2rem .75rem .2rem 0; border-bottom: 1px solid var(--line); white-space: nowrap; } .n { text-align: right; }
details { margin-top: .5rem; } summary { cursor: pointer; color: var(--soft); } pre { overflow-x: auto; font-size: 12px; }
.key i { display: inline-block; width: .75em; height: .75em; margin: 0 .3em 0 1em; }
"""


def safe(value):
    """A value as HTML text; control characters and direction marks are shown as text."""
    text = "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
    return html.escape("".join(
        c if c.isprintable() and not "\u200b" <= c <= "\u200f" and not "\u202a" <= c <= "\u202e" and not "\u2066" <= c <= "\u2069"
        else f"\\u{{{ord(c):x}}}" for c in text))


class Query:
    """An SQL file: its first line is a title, its second describes the chart, further lines describe what is counted."""

    def __init__(self, file):
        self.name = file.stem
        self.sql = file.read_text()
        comments = [line[3:] for line in self.sql.splitlines() if line.startswith("-- ")]
        self.title, self.note = comments[0], " ".join(comments[2:])
        picture = re.fullmatch(r"picture: bars of (.+) by (.+)", comments[1])
        if not picture:
            raise SystemExit(f"{file}: the second line is no picture: {comments[1]}")
        self.values, self.labels = (part.split(", ") for part in picture.groups())

    def section(self, database):
        result = database.execute(self.sql)
        names, rows = [column[0] for column in result.description], result.fetchall()
        where = {name: place for place, name in enumerate(names)}
        for name in self.values + self.labels:
            if name not in where:
                raise SystemExit(f"queries/{self.name}.sql has no column {name}")
        yield f'<section id="{safe(self.name)}"><h2>{safe(self.title)}</h2><p>{safe(self.note)}</p>'
        if rows:
            yield from self.picture(rows, where)
            yield from self.table(rows, names)
        else:
            yield "<p>Nothing of the kind is in these tables.</p>"
        yield f"<details><summary>the question in SQL</summary><pre>{safe_lines(self.sql)}</pre></details></section>"

    def picture(self, rows, where):
        shown = rows[:SHOWN]
        bar, gap, left, right, width = 14, 10, 300, 70, 900
        step = bar * len(self.values) + gap
        most = max((float(row[where[name]] or 0) for row in shown for name in self.values), default=0) or 1
        height = step * len(shown) + 4
        yield f'<div class="scroll"><svg viewBox="0 0 {width} {height}" role="img" aria-label="{safe(self.title)}">'
        for number, row in enumerate(shown):
            top = number * step + 4
            label = " · ".join(safe(row[where[name]]) for name in self.labels if row[where[name]] not in (None, ""))
            # A long label is truncated in its text, not within an HTML escape.
            plain = html.unescape(label)
            label = html.escape(plain if len(plain) <= 44 else plain[:43] + "…")
            yield f'<text x="{left - 8}" y="{top + (step - gap) / 2 + 4:g}" text-anchor="end">{label}</text>'
            for place, name in enumerate(self.values):
                value = float(row[where[name]] or 0)
                y, long = top + place * bar, max(0.0, value) / most * (width - left - right)
                yield f'<rect x="{left}" y="{y}" width="{long:.1f}" height="{bar - 2}" fill="{COLOURS[place]}"/>'
                yield f'<text x="{left + long + 5:.1f}" y="{y + bar - 3}">{value:,.10g}</text>'
        yield f'<line class="axis" x1="{left}" x2="{left}" y1="0" y2="{height}"/></svg></div>'
        if len(self.values) > 1:
            keys = "".join(f'<i style="background:{COLOURS[place]}"></i>{safe(name)}' for place, name in enumerate(self.values))
            yield f'<p class="key">{keys}</p>'
        if len(rows) > len(shown):
            yield f"<p>The first {len(shown)} of {len(rows)} rows.</p>"

    def table(self, rows, names):
        # A list of commands is shown open.
        yield f'<details{" open" if self.name == "outliers" else ""}><summary>{len(rows)} rows</summary><div class="scroll"><table><tr>'
        yield "".join(f"<th>{safe(name)}</th>" for name in names) + "</tr>"
        for row in rows:
            cells = ((value, ' class="n"' if isinstance(value, (int, float)) else "") for value in row)
            yield "<tr>" + "".join(f"<td{kind}>{safe(value)}</td>" for value, kind in cells) + "</tr>"
        yield "</table></div></details>"


def safe_lines(text):
    return "\n".join(safe(line) for line in text.splitlines())


def page(database):
    queries = {query.name: query for query in map(Query, sorted((here / "queries").glob("*.sql")))}
    order = [queries.pop(name) for name in ORDER if name in queries] + list(queries.values())
    counts = {name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in fleet_duckdb.btscribe_rows.TABLES}
    outcomes = database.execute("SELECT outcome, count(*) FROM captures GROUP BY 1 ORDER BY 2 DESC, 1").fetchall()
    yield '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    yield '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">'
    yield f"<title>Bluetooth logs of a fleet</title><style>{STYLE}</style></head><body><h1>Bluetooth logs of a fleet</h1>"
    yield "<p>" + ", ".join(f"{count:,} {name}" for name, count in counts.items()) + ". Captures: "
    yield ", ".join(f"{count:,} {safe(outcome)}" for outcome, count in outcomes) + ".</p><nav>"
    yield " ".join(f'<a href="#{safe(query.name)}">{safe(query.title)}</a>' for query in order) + "</nav>"
    for query in order:
        yield from query.section(database)
    problems = database.execute("SELECT outcome, problem, path FROM captures WHERE outcome <> 'ok' ORDER BY 1, 3 LIMIT 500").fetchall()
    yield '<section id="problems"><h2>Captures that are broken</h2>'
    yield '<div class="scroll"><table><tr><th>outcome</th><th>problem</th><th>path</th></tr>'
    for row in problems:
        yield "<tr>" + "".join(f"<td>{safe(value)}</td>" for value in row) + "</tr>"
    yield "</table></div></section></body></html>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables")
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--program", default="btscribe", help="btscribe, for the columns of tables without a row")
    arguments = parser.parse_args()
    # A surrogate of an invalid file name cannot be encoded.
    arguments.file.write_text("\n".join(page(fleet_duckdb.opened(arguments.tables, arguments.program))), "utf-8", errors="replace")


if __name__ == "__main__":
    main()
