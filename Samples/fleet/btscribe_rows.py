"""btscribe's rows for one capture, sorted into tables. The Spark job and the local script use it; it needs only Python.

A capture never stops the others: if it cannot be read, takes too long or too much memory, its row in `captures` says so.
"""
import argparse
import dataclasses
import datetime
import hashlib
import json
import pathlib
import re
import shlex
import subprocess
import tempfile
import threading
import time
import urllib.parse

TABLES = ("captures", "devices", "connections", "operations", "messages", "findings")

# The first columns of every table, and the columns of the three tables that are not rows of the program: parts of its summary, as Spark types.
KEY = [("capture", "string"), ("path", "string"), ("model", "string"), ("firmware", "string"), ("day", "string")]
OWN = {
    "captures": [
        ("outcome", "string"), ("problem", "string"), ("format", "string"), ("size", "long"), ("packets", "long"), ("first", "timestamp"),
        ("last", "timestamp"), ("truncated", "long"), ("dropped", "long"), ("damage_frame", "long"), ("damage_offset", "long"),
        ("damage", "string"), ("rows_left_out", "long"), ("milliseconds", "long"),
    ],
    "devices": [
        ("address", "string"), ("address_type", "string"), ("name", "string"), ("reports", "long"), ("first", "timestamp"),
        ("last", "timestamp"), ("rssi", "long"), ("rssi_median", "long"), ("connectable", "boolean"), ("company", "long"),
        ("company_name", "string"), ("services", {"type": "array", "elementType": "string", "containsNull": False}),
    ],
    "connections": [
        ("number", "long"), ("adapter", "long"), ("handle", "long"), ("peer", "string"), ("peer_name", "string"), ("start", "timestamp"),
        ("end", "timestamp"), ("start_us", "long"), ("end_us", "long"), ("start_frame", "long"), ("end_frame", "long"), ("reason", "long"),
        ("reason_name", "string"), ("mtu", "long"), ("packets", "long"),
    ],
}


@dataclasses.dataclass(frozen=True)
class Options:
    """Options for reading captures."""
    program: str = "btscribe"
    arguments: tuple = ()          # more options for the program: ("--join",), ("--keys", FILE), ("--profile", FILE)
    seconds: float = 120           # for each run of the program
    megabytes: int = 1024          # of address space
    rows: int = 1_000_000          # of one table and one capture; the number of further rows is in rows_left_out
    largest: int = 256 << 20       # bytes of a capture
    path_pattern: str = r"(?:^|/)model=(?P<model>[^/]*)/(?:.*/)?firmware=(?P<firmware>[^/]*)/"


def parser(description):
    """The options of both scripts."""
    defaults = Options()
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("source", help="folder of captures")
    made.add_argument("target", help="folder of the tables")
    made.add_argument("--program", default=defaults.program, help="btscribe")
    made.add_argument("--options", default="", help="more options for it, as in a shell: --options='--join --keys keys.txt'")
    made.add_argument("--seconds", type=float, default=defaults.seconds, help="for each run of the program")
    made.add_argument("--megabytes", type=int, default=defaults.megabytes, help="of address space")
    made.add_argument("--rows", type=int, default=defaults.rows, help="of one table and one capture")
    made.add_argument("--largest", type=int, default=defaults.largest, help="bytes of a capture")
    made.add_argument("--path-pattern", default=defaults.path_pattern, help="finds model and firmware in a path")
    return made


def options(arguments):
    """The options from the command line."""
    given = {field.name: getattr(arguments, field.name) for field in dataclasses.fields(Options) if field.name != "arguments"}
    return Options(arguments=tuple(shlex.split(arguments.options)), **given)


def schema(program):
    """The columns of all tables: name and type, in the JSON form of Spark's types. Those of operations, messages and findings are the program's."""
    def printed(*arguments):
        return json.loads(subprocess.run([program, "schema", *arguments], check=True, capture_output=True).stdout)

    def columns(rows, only=None):
        fields = printed(rows, "--format", "spark")["fields"]
        return [(field["name"], field["type"]) for field in fields if only is None or field["name"] in only]

    message = next(kind for kind in printed("ndjson")["oneOf"] if kind["properties"]["kind"].get("const") == "message")
    rows = {
        "operations": columns("operations"),
        "messages": columns("ndjson", message["properties"]),
        "findings": columns("findings"),
    }
    tables = dict(OWN)
    for name, fields in rows.items():
        # Integers can be subtracted in both SQL dialects: microseconds since 1970.
        tables[name] = [("time_us", "long")] + [field for field in fields if field[0] not in ("kind", "file")]
    return {name: KEY + tables[name] for name in TABLES}


def is_url(place):
    """Whether a path is not on this machine: s3://bucket/logs, hdfs://name/logs."""
    return re.match(r"[a-z][a-z0-9+.-]*://", str(place)) is not None


def listed(source):
    """URL and size of every file below a URL, on any storage for which fsspec has a client."""
    import fsspec
    source = str(source).rstrip("/")
    system, root = fsspec.core.url_to_fs(source)
    # Names without the storage's prefix are appended to `source`.
    return [(source + name[len(root.rstrip("/")):], facts["size"]) for name, facts in sorted(system.find(root, detail=True).items())]


def fetched(url, size, options):
    """The bytes of a file that `listed` returned, or the reason why it was not read."""
    import fsspec
    if size > options.largest:
        return f"larger than {options.largest} bytes"
    try:
        system, name = fsspec.core.url_to_fs(url)
        return system.cat_file(name)
    except Exception as error:  # Each storage's client has its own errors; none may end the job.
        return f"could not be read: {type(error).__name__}"


def microseconds(text):
    """Microseconds since 1970 of a time in the program's output: 2026-11-20T09:30:00.008029Z. None for years that Python does not support."""
    try:
        moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    except (ValueError, AttributeError):
        return None
    return (moment - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)) // datetime.timedelta(microseconds=1)


def key(path, options):
    """The first columns of a capture's rows, without the day: model and firmware are in the path."""
    plain = path[5:] if path.startswith("file:") else path
    plain = re.sub(r"^//(?=/)", "", plain)
    found = re.search(options.path_pattern, plain)
    parts = {name: urllib.parse.unquote(text) for name, text in (found.groupdict() if found else {}).items() if text}
    name = hashlib.sha256(plain.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return {
        "capture": name, "path": plain.encode("utf-8", "replace").decode(), "model": parts.get("model", "unknown"),
        "firmware": parts.get("firmware", "unknown"),
    }


class Run:
    """One run of the program on a file, within its limits. Iterating gives lines; then `problem` is None, or the reason why it stopped."""

    def __init__(self, arguments, file, options):
        self.problem, self.status, self.outcome = None, None, "ok"
        self.arguments, self.file, self.options = arguments, file, options

    def __iter__(self):
        # The shell sets the limit, which macOS does not have, and execs the program.
        limited = 'ulimit -c 0; ulimit -v "$0" || [ "$(uname -s)" = Darwin ] || exit 71; exec "$@"'
        command = ["/bin/sh", "-c", limited, str(self.options.megabytes * 1024), self.options.program]
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(command + self.arguments + [self.file], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors)
            expired = threading.Event()

            def expire():
                expired.set()
                process.kill()

            timer = threading.Timer(self.options.seconds, expire)
            timer.start()
            try:
                # A line of a hostile capture may be long, but not longer than the program's memory limit.
                yield from process.stdout
            finally:
                # If the reader stops early, the closed pipe ends the program.
                process.stdout.close()
                self.status = process.wait()
                timer.cancel()
            errors.seek(0)
            said = [line for line in errors.read(1 << 16).decode("utf-8", "replace").splitlines() if ": reading " not in line]
        said = said[-1].removeprefix("btscribe: ").replace(self.file + ": ", "").replace(self.file, "the file") if said else ""
        said = said.removeprefix(pathlib.Path(self.file).name + ": ")
        if expired.is_set():
            self.outcome, self.problem = "timeout", f"stopped after {self.options.seconds:g} s"
        elif self.status == 65:
            self.outcome, self.problem = "damaged", said or "malformed"
        elif self.status != 0:
            self.outcome = "failed"
            self.problem = said or (f"ended by signal {-self.status}" if self.status < 0 else f"ended with status {self.status}")


def rows(path, content, options):
    """All rows of a capture, as (table, JSON text), the row of `captures` last. `content` is its bytes, or the reason why there are none."""
    started = time.monotonic()
    start = key(path, options)
    capture = {"outcome": "ok", "rows_left_out": 0, "size": len(content) if isinstance(content, (bytes, bytearray)) else None}
    summary = {}

    def made(table, row):
        return table, json.dumps({**start, "day": day, **row}, ensure_ascii=False)

    def fault(run):
        if run.problem and capture["outcome"] in ("ok", "damaged"):
            capture.update(outcome=run.outcome, problem=run.problem)

    day = "unknown"
    if isinstance(content, str):
        capture.update(outcome="unread", problem=content)
    elif len(content) > options.largest:
        capture.update(outcome="unread", problem=f"larger than {options.largest} bytes")
    else:
        with tempfile.TemporaryDirectory(prefix="btscribe-") as folder:
            # The name does not matter: the program recognizes captures and archives by their content.
            file = str(pathlib.Path(folder) / "capture")
            with open(file, "wb") as copy:
                copy.write(content)
            more = list(options.arguments)
            run = Run(["summary", "--format", "json", *more], file, options)
            text = b"".join(run)
            fault(run)
            try:
                summary = json.loads(text) if text else {}
            except ValueError:
                summary = {}
            if microseconds(summary.get("first")) is not None:
                day = summary["first"][:10]
            if not text and capture["outcome"] == "damaged":
                capture["outcome"] = "unreadable"
            for device in summary.get("devices", []):
                yield made("devices", device)
            for number, connection in enumerate(summary.get("connections", [])):
                ends = {"start_us": microseconds(connection.get("start")), "end_us": microseconds(connection.get("end"))}
                yield made("connections", {"number": number, **connection, **ends})
            if text and capture["outcome"] in ("ok", "damaged"):
                tables = {b"operation": "operations", b"message": "messages", b"warning": "findings"}
                counts = dict.fromkeys(TABLES, 0)
                for command in ("operations", "timeline"):
                    run = Run([command, "--format", "ndjson", *more], file, options)
                    for line in run:
                        table = tables.get(line[9:line.find(b'"', 9)])
                        if table is None:
                            continue
                        counts[table] += 1
                        if counts[table] > options.rows:
                            capture["rows_left_out"] += 1
                            continue
                        try:
                            row = json.loads(line)
                        except ValueError:
                            # The last line of a run that was stopped may be incomplete.
                            continue
                        yield made(table, {"time_us": microseconds(row.get("time")), **row})
                    fault(run)
    damage = summary.get("damage") or {}
    capture.update(
        {name: summary.get(name) for name in ("format", "packets", "first", "last", "truncated", "dropped")},
        damage=damage.get("what"), damage_frame=damage.get("frame"), damage_offset=damage.get("offset"),
        milliseconds=int((time.monotonic() - started) * 1000))
    yield made("captures", capture)
