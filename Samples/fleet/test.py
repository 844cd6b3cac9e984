#!/usr/bin/env python3
"""Makes the fleet's logs, reads them by Spark (local[2]) and by DuckDB, and compares tables and answers with what the program says directly
and with what was put into the logs: test.py [--program btscribe] [--without-spark]

Needs what requirements-test.txt names, and Java; takes some minutes.
"""
import argparse
import collections
import contextlib
import html.parser
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import btscribe_rows
import dashboard
import fleet_duckdb
import storages

here = pathlib.Path(__file__).resolve().parent
ON_PURPOSE = {19, 20, 21, 22}
failures = []


def check(what, got, wanted):
    if got != wanted:
        failures.append(what)
        print(f"FAILED {what}\n  got    {str(got)[:2000]}\n  wanted {str(wanted)[:2000]}")
    else:
        print(f"ok     {what}")


def percentile(values, part):
    values = sorted(values)
    place = (len(values) - 1) * part
    low = int(place)
    return values[low] + (values[min(low + 1, len(values) - 1)] - values[low]) * (place - low)


def direct(program, folder, truth):
    """The program's results for each log, from runs that are independent of the tables: many captures at once for undamaged ones."""
    found = {log["file"]: {"operations": [], "messages": [], "findings": []} for log in truth}

    def take(rows, file=None):
        for line in rows.splitlines():
            row = json.loads(line)
            table = {"operation": "operations", "message": "messages", "warning": "findings"}.get(row["kind"])
            if table:
                found[file or named[row["file"]]][table].append(row)

    whole = [log["file"] for log in truth if "sample" in log]
    named = {pathlib.Path(file).name: file for file in whole}
    for command in ("operations", "timeline"):
        many = [program, command, "--format", "ndjson"]
        take(subprocess.run(many + [str(folder / file) for file in whole], check=True, capture_output=True).stdout)
        for log in truth:
            if "sample" not in log:
                take(subprocess.run(many + [str(folder / log["file"])], capture_output=True).stdout, log["file"])
    return found


def devices(program, file):
    """The devices of a capture, from its summary."""
    told = subprocess.run([program, "summary", "--format", "json", str(file)], capture_output=True).stdout
    return json.loads(told)["devices"] if told else []


def sessions(rows):
    """Connections by their operations: from the end of connecting to the disconnection, with their messages and values."""
    made = []
    current = {}
    events = [("operation", row) for row in rows["operations"]] + [("message", row) for row in rows["messages"]]
    # A connection begins at the end of its connect operation.
    us = btscribe_rows.microseconds
    events.sort(key=lambda event: us(event[1]["end_time"] if event[1].get("operation") == "connect" else event[1]["time"]))
    for kind, row in events:
        handle = row.get("connection")
        if kind == "operation" and row["operation"] == "connect" and row["ending"] == "done":
            current[handle] = {"start": us(row["end_time"]), "messages": [], "first": None, "reason": None}
            made.append(current[handle])
        elif handle in current:
            session = current[handle]
            if kind == "message":
                session["messages"].append(row)
            elif row["operation"] in ("notify", "indicate") and session["first"] is None:
                session["first"] = us(row["time"]) - session["start"]
            elif row["operation"] == "disconnect" and "reason" in row:
                session["reason"] = row["reason"]
                del current[handle]
    return made


def expected(truth, found):
    """The expected answer of each query, computed without SQL."""
    model = {log["file"]: btscribe_rows.key("/" + log["file"], btscribe_rows.Options()) for log in truth}
    answers = {}
    asked, failed = collections.Counter(), collections.Counter()
    for log in truth:
        place = (model[log["file"]]["model"], model[log["file"]]["firmware"])
        asked[place] += sum(row["operation"] == "connect" and row["ending"] != "open" for row in found[log["file"]]["operations"])
        failed[place] += log.get("failed_connections", 0)
    answers["connection-failures"] = sorted((*place, asked[place], failed[place]) for place in asked if asked[place])

    first, levels, messages = collections.defaultdict(list), collections.Counter(), collections.defaultdict(list)
    for log in truth:
        for session in sessions(found[log["file"]]):
            if session["first"] is not None:
                first[model[log["file"]]["model"]].append(session["first"])
            if session["reason"] is None:
                continue
            lost = session["reason"] not in ON_PURPOSE
            told = [row["fields"]["value"] for row in session["messages"] if row.get("message") == "battery_level" and row["profile"] == "bluetooth-sig"]
            if told:
                levels[f"{10 * min(told[-1] // 10, 9)} %", lost] += 1
            for name in {(row["profile"], row["message"], row["characteristic"]) for row in session["messages"] if "message" in row}:
                messages[name].append(lost)
    answers["first-notification"] = sorted(
        (name, len(all), *(percentile(all, part) / 1000 for part in (0.5, 0.95, 0.99))) for name, all in first.items())
    answers["battery-at-failure"] = sorted({(percent, levels[percent, True], levels[percent, False]) for percent, _ in levels})
    answers["only-failing"] = sorted((*name, len(all)) for name, all in messages.items() if all and all.count(True) == len(all))

    took = collections.defaultdict(list)
    for rows in found.values():
        for row in rows["operations"]:
            if row["operation"] in ("read", "write") and "latency_us" in row:
                name = row.get("characteristic") or row.get("uuid_name") or row.get("uuid") or "unknown"
                took[name, row["operation"]].append(row["latency_us"])
    answers["latency"] = sorted((*name, len(all), *(percentile(all, part) / 1000 for part in (0.5, 0.95, 0.99))) for name, all in took.items())

    # The changes in the logs, and the results of the few logs that were not made by changes.
    reasons = collections.Counter(reason for log in truth for reason in log.get("reasons", []))
    for log in truth:
        if "sample" not in log:
            reasons.update(session["reason"] for session in sessions(found[log["file"]]) if session["reason"] is not None)
    answers["disconnects"] = sorted(reasons.values())
    answers["outliers"] = sorted(log["file"] for log in truth if log.get("late"))
    return answers


def told(query, columns, rows):
    """The answer of a query in the form of `expected`."""
    rows = [dict(zip(columns, row)) for row in rows]
    pick = {
        "connection-failures": ("model", "firmware", "connections", "failed"),
        "first-notification": ("model", "connections", "p50_ms", "p95_ms", "p99_ms"),
        "latency": ("characteristic", "operation", "times", "p50_ms", "p95_ms", "p99_ms"),
        "battery-at-failure": ("percent", "failed", "ended_well"),
        "only-failing": ("profile", "message", "characteristic", "sessions"),
    }
    if query == "disconnects":
        return sorted(row["connections"] for row in rows)
    if query == "outliers":
        return sorted({shlex.split(row["command"])[1].split("/logs/")[1] for row in rows})
    return sorted(tuple(row[name] for name in pick[query]) for row in rows)


def same(got, wanted):
    """Equal except for the last decimal of a rounded number."""
    return len(got) == len(wanted) and all(
        len(one) == len(other) and all(abs(a - b) <= 0.0501 if isinstance(b, float) else a == b for a, b in zip(one, other))
        if isinstance(other, tuple) else one == other for one, other in zip(got, wanted))


class Tags(html.parser.HTMLParser):
    """A page's elements, whether each is closed, and what it would load."""
    VOID = {"meta", "rect", "line", "br"}

    def __init__(self):
        super().__init__()
        self.open, self.counts, self.faults = [], collections.Counter(), []

    def handle_starttag(self, tag, attributes):
        self.counts[tag] += 1
        self.faults += [f"{tag} {name}={value}" for name, value in attributes if name in ("src", "srcset", "data", "action") or name.startswith("on")]
        self.faults += [f"link to {value}" for name, value in attributes if name == "href" and not value.startswith("#")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.counts[tag] += 1

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}>")


def manual(program, folder):
    """The manual's command for Parquet gives the program's rows."""
    page = here.parent.parent / "man" / "btscribe.1.tail"
    if not page.exists():
        print("       left out: the manual's way to Parquet, for its source is not here")
        return
    lines = page.read_text().replace("\\-", "-").splitlines()
    at = next(place for place, line in enumerate(lines) if line.startswith("btscribe operations --format ndjson -o"))
    command = shlex.split(lines[at])[1:]
    command[command.index("phone.log")] = str(here.parent / "gopro.btsnoop")
    subprocess.run([program, *command], cwd=folder, check=True, capture_output=True)
    sql = shlex.split(lines[at + 1])
    check("the manual's command line of DuckDB", sql[:2], ["duckdb", "-c"])
    with contextlib.chdir(folder):
        fleet_duckdb.duckdb.sql(sql[2])
        got = fleet_duckdb.duckdb.sql("SELECT frame, operation, latency_us FROM 'operations.parquet' ORDER BY 1, 2").fetchall()
    rows = [json.loads(line) for line in (folder / "operations.ndjson").read_text().splitlines()]
    wanted = [(row["frame"], row["operation"], row.get("latency_us")) for row in rows if row["kind"] == "operation"]
    check("the manual's Parquet", got, sorted(wanted, key=lambda row: row[:2]))


def limits(program, folder):
    """Captures that take too long or too much memory have a row that says so."""
    good = (here.parent / "gopro.btsnoop").read_bytes()

    def outcome(content=good, **given):
        rows = list(btscribe_rows.rows("file:/x/model=A%20B/y/firmware=1/a.log", content, btscribe_rows.Options(**{"program": program, **given})))
        last = json.loads(rows[-1][1])
        return rows[-1][0], last["outcome"], last["model"], last["firmware"], last["rows_left_out"], len(rows)

    endless = folder / "endless"
    endless.write_text("#!/bin/sh\nwhile :; do echo '{\"kind\":\"packet\"}'; done\n")
    greedy = folder / "greedy"
    greedy.write_text(f"#!/bin/sh\nexec {sys.executable} -c 'bytearray(1 << 33)'\n")
    for program_file in (endless, greedy):
        program_file.chmod(0o755)
    check("a program that does not end", outcome(program=str(endless), seconds=0.5), ("captures", "timeout", "A B", "1", 0, 1))
    check("a program that wants too much memory", outcome(program=str(greedy), megabytes=512), ("captures", "failed", "A B", "1", 0, 1))
    check("a program that is not there", outcome(program="/nonexistent")[:2], ("captures", "failed"))
    check("a capture that is too large", outcome(largest=100)[:2], ("captures", "unread"))
    table, kind, _, _, left, count = outcome(rows=5)
    check("a capture with too many rows", (table, kind, left > 0, count < 40), ("captures", "ok", True, True))


def rows_of(database, few):
    """All rows of all tables of these logs, without values that differ in each run: as text, sorted."""
    found = {}
    for table in btscribe_rows.TABLES:
        names, kinds, *_ = zip(*database.execute(f"DESCRIBE {table}").fetchall())
        # Spark writes times with their zone, which is UTC.
        columns = [f'CAST("{name}" AS TIMESTAMP)' if kind.startswith("TIMESTAMP") else f'"{name}"' for name, kind in zip(names, kinds)]
        result = database.execute(f"SELECT {', '.join(columns)} FROM {table}")
        made = []
        for row in result.fetchall():
            row = dict(zip(names, row))
            file = row.pop("path").split("/logs/")[1]
            if file in few:
                # The hash of a path; the duration; the reader's text for an empty file.
                for name in ("capture", "milliseconds") + (("outcome", "problem", "size") if file.endswith("broken-0.log") else ()):
                    row.pop(name, None)
                made.append(str((file, sorted(row.items()))))
        found[table] = sorted(made)
    return found


def remote(program, logs, truth, scratch, wanted, spark, client):
    """The same logs in S3 and behind WebHDFS give the same rows. All damaged and hostile ones are among `few`."""
    few = [log["file"] for place, log in enumerate(truth) if "sample" not in log or place % 40 == 3]
    options = btscribe_rows.Options(program=program)
    database_of_all, wanted = wanted, rows_of(wanted, few)

    def compare(what, folder):
        database = fleet_duckdb.opened(folder, program)
        got = rows_of(database, few)
        for table in btscribe_rows.TABLES:
            different = set(got[table]) ^ set(wanted[table]) or len(got[table]) - len(wanted[table])
            check(f"{what}: {table}, {len(wanted[table])} rows", different, 0)
        return database

    for file in few:
        client.put_object(Bucket="fleet", Key=f"2026/logs/{file}", Body=(logs / file).read_bytes())
    fleet_duckdb.run("s3://fleet/2026/logs", "s3://fleet/tables", options)
    database = compare("DuckDB, from S3 to S3", "s3://fleet/tables")
    check("the dashboard of tables in S3", "".join(dashboard.page(database)).count("<svg") > 0, True)
    check("what S3 does not give", btscribe_rows.fetched("s3://fleet/2026/logs/not-there", 1, options), "could not be read: FileNotFoundError")
    if spark:
        import btscribe_fleet
        btscribe_fleet.run(spark, "s3://fleet/2026/logs/", str(scratch / "spark-s3"), options, by_fsspec=True)
        compare("Spark, from S3 by fsspec", scratch / "spark-s3")
    served = scratch / "served"
    few = [log["file"] for place, log in enumerate(truth) if "sample" in log and place % 40 == 3] + [truth[-1]["file"]]
    wanted = rows_of(database_of_all, few)
    for file in few:
        place = served / "2026" / "logs" / file
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(logs / file, place)
    with storages.webhdfs(served) as url:
        fleet_duckdb.run(f"{url}/2026/logs", f"{url}/tables", options)
        compare("DuckDB, from WebHDFS to WebHDFS", f"{url}/tables")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="btscribe")
    parser.add_argument("--without-spark", action="store_true")
    arguments = parser.parse_args()
    program = shutil.which(arguments.program)
    if not program:
        raise SystemExit(f"{arguments.program} is not there")
    program = str(pathlib.Path(program).absolute())
    # Spark passes on its initial environment, so the storage is started first.
    with tempfile.TemporaryDirectory(prefix="fleet-") as scratch, storages.s3("fleet") as client:
        scratch = pathlib.Path(scratch)
        subprocess.run([sys.executable, str(here / "generate.py"), str(scratch / "a")], check=True)
        logs, truth = scratch / "a" / "logs", json.loads((scratch / "a" / "truth.json").read_text())
        check("500 logs", sum(file.is_file() for file in logs.rglob("*")), 500)
        limits(program, scratch)
        manual(program, scratch)

        found = direct(program, logs, truth)
        answers = expected(truth, found)
        options = btscribe_rows.Options(program=program)
        start = time.monotonic()
        fleet_duckdb.run(logs, scratch / "duckdb", options)
        print(f"       DuckDB: {500 / (time.monotonic() - start):.1f} logs/s")
        folders = {"DuckDB": scratch / "duckdb"}
        if not arguments.without_spark:
            # Executors use this Python with its packages.
            os.environ["PYSPARK_PYTHON"] = sys.executable
            from pyspark.sql import SparkSession
            import btscribe_fleet
            spark = SparkSession.builder.master("local[2]").appName("fleet").config("spark.ui.enabled", "false").config(
                "spark.sql.shuffle.partitions", "4").config("spark.sql.sources.partitionColumnTypeInference.enabled", "false").getOrCreate()
            spark.sparkContext.setLogLevel("ERROR")
            spark.sparkContext.addPyFile(str(here / "btscribe_rows.py"))
            start = time.monotonic()
            btscribe_fleet.run(spark, str(logs), str(scratch / "spark"), options)
            print(f"       Spark, local[2]: {500 / (time.monotonic() - start):.1f} logs/s")
            folders["Spark"] = scratch / "spark"
            # One unreadable file, and one that is too large.
            few = scratch / "few"
            few.mkdir()
            shutil.copy(here.parent / "gopro.btsnoop", few / "large.log")
            shutil.copy(here.parent / "heart-rate.btsnoop", few / "small.log")
            btscribe_fleet.run(spark, str(few), str(scratch / "spark-few"), btscribe_rows.Options(program=program, largest=12_000))
            rows = spark.read.parquet(str(scratch / "spark-few" / "captures")).select("path", "outcome").collect()
            check("Spark: a capture that is too large", sorted((pathlib.Path(row.path).name, row.outcome) for row in rows),
                  [("large.log", "unread"), ("small.log", "ok")])

        counts = {}
        for engine, folder in folders.items():
            database = fleet_duckdb.opened(folder, program)
            for table in ("operations", "messages", "findings"):
                wanted = {file: len(rows[table]) for file, rows in found.items() if rows[table]}
                got = {path.split("/logs/")[1]: count for path, count in database.execute(f"SELECT path, count(*) FROM {table} GROUP BY 1").fetchall()}
                check(f"{engine}: rows of {table} of each log", got, wanted)
            captures = {path.split("/logs/")[1]: rest for path, *rest in database.execute(
                "SELECT path, outcome, packets, model, firmware, day FROM captures").fetchall()}
            check(f"{engine}: a row for each log", sorted(captures), sorted(log["file"] for log in truth))
            # Spark does not return empty files; their row says so.
            wanted = {log["file"]: "unread" if engine == "Spark" and log["file"].endswith("broken-0.log") else log["outcome"] for log in truth}
            check(f"{engine}: outcomes", {file: captures[file][0] for file, outcome in wanted.items() if outcome},
                  {file: outcome for file, outcome in wanted.items() if outcome})
            check(f"{engine}: packets", {log["file"]: captures[log["file"]][1] for log in truth if "packets" in log},
                  {log["file"]: log["packets"] for log in truth if "packets" in log})
            check(f"{engine}: days", len({row[4] for log in truth for row in [captures[log["file"]]] if "sample" in log}) >= 7, True)
            counts[engine] = [database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in btscribe_rows.TABLES]
            # Noise has connections that only a summary reports.
            got = {path.split("/logs/")[1]: count for path, count in database.execute("SELECT path, count(*) FROM connections GROUP BY 1").fetchall()}
            wanted = {log["file"]: len(sessions(found[log["file"]])) for log in truth if "sample" in log}
            check(f"{engine}: connections", {file: got.get(file, 0) for file in wanted}, wanted)
            heard = {path.split("/logs/")[1]: names for path, names in database.execute(
                "SELECT path, list_sort(list(address)) FROM devices GROUP BY 1").fetchall()}
            few = {log["file"] for log in truth if "sample" not in log} | {log["file"] for log in truth[:40]}
            wanted = {file: sorted(device["address"] for device in devices(program, logs / file)) for file in few}
            check(f"{engine}: devices", {file: heard.get(file, []) for file in few}, wanted)

        check("all engines have as many rows", len({tuple(all_counts) for all_counts in counts.values()}), 1)
        print("       " + ", ".join(f"{count} {name}" for name, count in zip(btscribe_rows.TABLES, next(iter(counts.values())))))
        for query in sorted((here / "queries").glob("*.sql")):
            for engine, folder in folders.items():
                result = fleet_duckdb.opened(folder, program).execute(query.read_text())
                columns, rows = [column[0] for column in result.description], result.fetchall()
                got = told(query.stem, columns, rows)
                if not same(got, answers[query.stem]):
                    check(f"{query.stem}: DuckDB, of the tables by {engine}", got, answers[query.stem])
                else:
                    print(f"ok     {query.stem}: DuckDB, of the tables by {engine}: {len(rows)} rows")
                if query.stem == "outliers" and engine == "DuckDB":
                    place = columns.index("command")
                    # Each command opens its log, even that with special characters of the shell in its name.
                    commands = sorted({row[place] for row in rows}, key=lambda command: "owned" not in command)[:3]
                    opened = [subprocess.run(command.replace("btscribe", shlex.quote(program), 1), shell=True, cwd=scratch, capture_output=True)
                              for command in commands]
                    check("the commands of outliers", ("owned" in commands[0], [run.returncode for run in opened], all(run.stdout for run in opened)),
                          (True, [0, 0, 0], True))
                if engine == "Spark":
                    for table in btscribe_rows.TABLES:
                        spark.read.option("mergeSchema", "true").parquet(f"{folder}/{table}").createOrReplaceTempView(table)
                    frame = spark.sql(query.read_text())
                    theirs = [tuple(row) for row in frame.collect()]
                    same_rows = same([tuple(map(number, row)) for row in theirs], [tuple(map(number, row)) for row in rows])
                    check(f"{query.stem}: Spark SQL answers as DuckDB", (frame.columns, same_rows), (columns, True))

        for engine, folder in folders.items():
            page = "\n".join(dashboard.page(fleet_duckdb.opened(folder, program)))
            tags = Tags()
            tags.feed(page)
            tags.close()
            check(f"{engine}: the dashboard", (tags.counts["svg"], tags.counts["script"], tags.open, tags.faults), (len(answers), 0, [], []))
        remote(program, logs, truth, scratch, fleet_duckdb.opened(folders["DuckDB"], program), None if arguments.without_spark else spark, client)
        check("nothing was carried out or written elsewhere", [str(file) for file in scratch.rglob("owned*")] + [
            str(file) for file in pathlib.Path.cwd().glob("owned*")], [])
        if not arguments.without_spark:
            spark.stop()
    if failures:
        raise SystemExit(f"{len(failures)} failed")


def number(value):
    """Makes Spark's decimals and DuckDB's integers equal."""
    return value if isinstance(value, (str, type(None))) else float(value)


if __name__ == "__main__":
    main()
