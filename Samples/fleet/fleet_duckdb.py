#!/usr/bin/env python3
"""Captures of a folder as tables on one machine, by DuckDB: the same tables as the Spark job's, without Spark.

    fleet_duckdb.py LOGS TABLES [--program btscribe]     reads the captures below LOGS, writes Parquet below TABLES
    fleet_duckdb.py --ask TABLES queries/latency.sql     asks tables, whoever wrote them

LOGS and TABLES are folders, or URLs of a storage that fsspec has a client for: s3://bucket/logs by the package s3fs.
"""
import argparse
import concurrent.futures
import contextlib
import csv
import multiprocessing
import os
import pathlib
import signal
import sys
import tempfile

import duckdb

import btscribe_rows

NAMES = {"string": "VARCHAR", "long": "BIGINT", "double": "DOUBLE", "boolean": "BOOLEAN", "timestamp": "TIMESTAMP"}


def quoted(text, mark="'"):
    return mark + str(text).replace(mark, mark * 2) + mark


def duck(kind):
    """DuckDB's name of a Spark type."""
    if isinstance(kind, str):
        return NAMES[kind]
    if kind["type"] == "array":
        return duck(kind["elementType"]) + "[]"
    return "STRUCT(" + ", ".join(f"{quoted(field['name'], chr(34))} {duck(field['type'])}" for field in kind["fields"]) + ")"


def read(file, options, folder):
    """Writes a capture's rows below `folder`, into one file per process and table. `file` is a path, or a URL and a size."""
    if isinstance(file, tuple):
        path, content = file[0], btscribe_rows.fetched(*file, options)
    else:
        path = os.fsdecode(file.absolute())
        try:
            content = file.read_bytes() if file.stat().st_size <= options.largest else f"larger than {options.largest} bytes"
        except OSError as error:
            content = f"could not be read: {error.strerror}"
    with contextlib.ExitStack() as stack:
        files = {}
        for table, row in btscribe_rows.rows(path, content, options):
            if table not in files:
                name = folder / f"{table}-{os.getpid()}.ndjson"
                files[table] = stack.enter_context(open(name, "a", encoding="utf-8", errors="replace"))
            files[table].write(row + "\n")


def connect():
    made = duckdb.connect()
    made.execute("SET TimeZone = 'UTC'; SET preserve_insertion_order = false")
    return made


def run(source, target, options, processes=None):
    """Reads the captures below `source`, writes the tables below `target`."""
    if btscribe_rows.is_url(source):
        files = btscribe_rows.listed(source)
    else:
        files = sorted(file for file in pathlib.Path(source).rglob("*") if file.is_file())
    with tempfile.TemporaryDirectory(prefix="btscribe-") as scratch:
        scratch = pathlib.Path(scratch)
        remote = str(target) if btscribe_rows.is_url(target) else None
        target = scratch / "tables" if remote else pathlib.Path(target)
        # Storage clients have threads, so that processes are spawned, not forked.
        start = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(processes or os.cpu_count(), mp_context=start) as pool:
            for done in [pool.submit(read, file, options, scratch) for file in files]:
                done.result()
        database = connect()
        for table, fields in btscribe_rows.schema(options.program).items():
            columns = "{" + ", ".join(f"{quoted(name)}: {quoted(duck(kind))}" for name, kind in fields) + "}"
            parts = sorted(str(part) for part in scratch.glob(f"{table}-*.ndjson"))
            (target / table).mkdir(parents=True, exist_ok=True)
            if not parts:
                continue
            rows = f"read_json([{', '.join(map(quoted, parts))}], format = 'newline_delimited', columns = {columns}, maximum_object_size = 1073741824)"
            database.execute(
                f"COPY (SELECT * FROM {rows}) TO {quoted(target / table)} (FORMAT parquet, PARTITION_BY (day, model), OVERWRITE_OR_IGNORE)")
        if remote:
            import fsspec
            system, root = fsspec.core.url_to_fs(remote)
            for part in sorted(target.rglob("*.parquet")):
                system.put_file(str(part), "/".join([root.rstrip("/"), *part.relative_to(target).parts]))


def tables(folder, database):
    """The Parquet files of each table below a folder or URL; DuckDB reads a URL's files through fsspec."""
    if not btscribe_rows.is_url(folder):
        return {table: sorted((pathlib.Path(folder) / table).rglob("*.parquet")) for table in btscribe_rows.TABLES}
    import fsspec
    folder = str(folder).rstrip("/")
    database.register_filesystem(fsspec.core.url_to_fs(folder)[0])
    names = [name for name, _ in btscribe_rows.listed(folder) if name.endswith(".parquet")]
    return {table: [name for name in names if name.startswith(f"{folder}/{table}/")] for table in btscribe_rows.TABLES}


def opened(folder, program=None):
    """A connection in which the tables below `folder` have their names. For tables without rows the program's schema is needed."""
    database = connect()
    parts = tables(folder, database)
    for table in btscribe_rows.TABLES:
        if parts[table]:
            # Among files written by Spark, older ones may lack columns of newer ones.
            database.execute(
                f"CREATE VIEW {table} AS SELECT * FROM read_parquet([{', '.join(map(quoted, parts[table]))}], hive_partitioning = true, "
                "hive_types_autocast = false, union_by_name = true)")
        else:
            fields = btscribe_rows.schema(program or "btscribe")[table]
            database.execute(f"CREATE TABLE {table} (" + ", ".join(f"{quoted(name, chr(34))} {duck(kind)}" for name, kind in fields) + ")")
    return database


def main():
    if sys.argv[1:2] == ["--ask"]:
        # The reader of a pipe may stop early.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        asking = argparse.ArgumentParser(prog="fleet_duckdb.py --ask")
        asking.add_argument("tables")
        asking.add_argument("query", type=argparse.FileType())
        asking.add_argument("--program", default="btscribe")
        arguments = asking.parse_args(sys.argv[2:])
        result = opened(arguments.tables, arguments.program).execute(arguments.query.read())
        rows = csv.writer(sys.stdout, lineterminator="\n")
        rows.writerow(column[0] for column in result.description)
        rows.writerows(result.fetchall())
        return
    parser = btscribe_rows.parser(__doc__)
    parser.add_argument("--processes", type=int, help="how many at once; else one for each core")
    arguments = parser.parse_args()
    run(arguments.source, arguments.target, btscribe_rows.options(arguments), arguments.processes)
    for outcome, count in opened(arguments.target, arguments.program).execute(
            "SELECT outcome, count(*) FROM captures GROUP BY 1 ORDER BY 1").fetchall():
        print(f"{outcome}: {count}")


if __name__ == "__main__":
    main()
