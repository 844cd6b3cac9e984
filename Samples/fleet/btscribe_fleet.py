#!/usr/bin/env python3
"""Captures of a fleet as tables, by Apache Spark: captures, devices, connections, operations, messages, findings.

    spark-submit --py-files btscribe_rows.py btscribe_fleet.py s3a://logs/2026/ s3a://tables/ --program /opt/btscribe

Reads every file below a path (captures of any kind, bug reports and other archives), by Spark or, with --fsspec, by the client that fsspec
has for the storage (s3://logs/2026/ by the package s3fs, without Java's clients). It runs btscribe on it where the executor is, and
writes Parquet partitioned by day and model. The program must lie at the same place on every executor (--files, or the machines' image).
"""
import json
import urllib.parse

from pyspark import StorageLevel
from pyspark.sql import SparkSession, functions, types

import btscribe_rows

RAW = types.StructType([types.StructField("table", types.StringType()), types.StructField("row", types.StringType())])


def columns(fields):
    """Columns as Spark's type. All are nullable: a missing JSON key must not end a job."""
    return types.StructType.fromJson({
        "type": "struct", "fields": [{"name": name, "type": kind, "nullable": True, "metadata": {}} for name, kind in fields]
    })


def run(spark, source, target, options, by_fsspec=False):
    """Reads the captures below `source`, writes the tables below `target`, always by Spark."""
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    spark.conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
    schemas = {name: columns(fields) for name, fields in btscribe_rows.schema(options.program).items()}

    def table(name, rows):
        return rows.where(rows.table == name).select(functions.from_json("row", schemas[name]).alias("row")).select("row.*")

    def write(name, rows, mode):
        rows.repartition("day", "model").write.mode(mode).partitionBy("day", "model").parquet(f"{target.rstrip('/')}/{name}")

    if by_fsspec:
        files = btscribe_rows.listed(source)
        # A task gets eight small logs, or one large log.
        parts = max(1, len(files) // 8, sum(size for _, size in files) >> 25)
        rows = spark.sparkContext.parallelize(files, parts).flatMap(
            lambda file: btscribe_rows.rows(file[0], btscribe_rows.fetched(*file, options), options))
        made = spark.createDataFrame(rows, RAW).persist(StorageLevel.DISK_ONLY)
        for name in btscribe_rows.TABLES:
            write(name, table(name, made), "overwrite")
        made.unpersist()
        return
    # A file that is deleted or fails while it is read is reported below as not read.
    spark.conf.set("spark.sql.files.ignoreCorruptFiles", "true")
    spark.conf.set("spark.sql.files.ignoreMissingFiles", "true")
    # A file counts 4 MB more than its size: a task gets eight small logs, or a few large ones.
    spark.conf.set("spark.sql.files.maxPartitionBytes", str(32 << 20))
    # Without this Spark would read model=… in paths as columns.
    files = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(source)
    read = files.where(functions.col("length") <= options.largest).select("path", "content")

    def rows(file):
        return btscribe_rows.rows(file.path, file.content, options)

    made = spark.createDataFrame(read.rdd.flatMap(rows), RAW).persist(StorageLevel.DISK_ONLY)
    for name in btscribe_rows.TABLES:
        write(name, table(name, made), "overwrite")
    # Files without a row are reported. Spark leaves out empty files, so that the list of files is used, in which names are URIs.
    large = files.where(functions.col("length") > options.largest).select("path")
    done = made.where(made.table == "captures").select(functions.get_json_object("row", "$.capture")).rdd.map(lambda row: (row[0], None))

    def named(path):
        return btscribe_rows.key(path, options)["capture"], path

    def unread(why):
        return lambda file: btscribe_rows.rows(file[1], why, options)

    large = large.rdd.map(lambda row: named(row.path))
    names = spark.sparkContext.parallelize(files.inputFiles()).map(lambda name: named(urllib.parse.unquote(name)))
    lost = names.subtractByKey(done).subtractByKey(large).flatMap(unread("empty, or could not be read"))
    lost = lost.union(large.flatMap(unread(f"larger than {options.largest} bytes")))
    lost = spark.createDataFrame(lost, RAW).persist(StorageLevel.DISK_ONLY)
    if not lost.isEmpty():
        write("captures", table("captures", lost), "append")
    lost.unpersist()
    made.unpersist()


def main():
    parser = btscribe_rows.parser(__doc__)
    parser.add_argument("--fsspec", action="store_true", help="read the captures by fsspec instead of Spark")
    arguments = parser.parse_args()
    spark = SparkSession.builder.appName("btscribe").getOrCreate()
    run(spark, arguments.source, arguments.target, btscribe_rows.options(arguments), arguments.fsspec)
    for row in spark.read.parquet(arguments.target.rstrip("/") + "/captures").groupBy("outcome").count().orderBy("outcome").collect():
        print(json.dumps(row.asDict()))
    spark.stop()


if __name__ == "__main__":
    main()
