#!/usr/bin/env python3
"""Makes 500 logs of a fleet of phones from the samples beside this folder: generate.py FOLDER

Each log is a sample with changes: another day and second, slower or faster responses, a connection that failed,
another reason of disconnection, a weaker battery, one very late response. Ten are damaged, five are hostile. Nothing is random:
the result is the same each time. FOLDER/truth.json has the changes, for checking results.
"""
import io
import json
import pathlib
import random
import struct
import sys
import zipfile

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent))
sys.dont_write_bytecode = True
from make_broken import read, whole  # noqa: E402

# Model and firmware versions, the rates of failed and lost connections, and a factor for response times.
PHONES = [
    ("Pixel 8", ["AP3A.241105", "AP4A.250105"], [0.02, 0.05], 1.0),
    ("Pixel 9", ["AP4A.250105", "BP1A.250305"], [0.03, 0.03], 0.8),
    ("Galaxy S24", ["S921BXXU3", "S921BXXU5"], [0.05, 0.20], 1.3),
    ("moto g54", ["U1TD34.94", "U1TD34.98"], [0.10, 0.30], 2.0),
    ("Redmi Note 13", ["TKQ1.221114"], [0.15], 1.6),
]
SAMPLES = ["heart-rate", "gopro", "heart-rate", "two-cameras"]
DAY = 86_400_000_000
REASONS = {8: "connection timeout", 19: "remote user terminated connection", 22: "connection terminated by local host", 0x3D: "mic failure"}
LOGS, BROKEN, HOSTILE = 500, 10, 5


def is_event(record, *start):
    return record.data[:1] == b"\4" and record.data[1:1 + len(start)] == bytes(start)


def made_connection(record):
    """The offset of the status in an event for a new connection; None for others."""
    return 4 if is_event(record, 0x3E) and record.data[3] in (0x01, 0x0A, 0x29) else None


def changed(record, at, byte):
    data = bytearray(record.data)
    data[at] = byte
    record.data = bytes(data)


def vary(name, number, chance, factor, log):
    """One log: a sample's records with changes, which are entered in `log`."""
    records = [record.copy() for record in read(name + ".btsnoop")]
    ends = [at for at, record in enumerate(records) if is_event(record, 0x05)]
    if chance.random() < log["risk"] / 2:
        # The last attempt fails, and the app gives up.
        at = [at for at, record in enumerate(records) if made_connection(record)][-1]
        changed(records[at], made_connection(records[at]), 0x3E)
        records = records[:at + 1]
        log["failed_connections"] = 1
    elif ends:
        lost = chance.random() < log["risk"]
        reason = chance.choice([8, 8, 8, 0x3D]) if lost else chance.choice([19, 19, 22])
        changed(records[ends[0]], 6, reason)
    log["reasons"] = [record.data[6] for record in records if is_event(record, 0x05)]
    # Lost connections correlate with a weak battery.
    level = chance.randrange(3, 30) if 8 in log["reasons"] else chance.randrange(25, 100)
    for record in records:
        att = record.att
        if record.data[:1] == b"\2" and att[:1] == b"\x0b" and len(att) == 2 and att[1] in (0x5F, 0x48):
            record.data = record.data[:-1] + bytes([level])
        elif name == "heart-rate" and att[:3] == b"\x1b\x18\0" and len(att) == 4:
            record.data = record.data[:-1] + bytes([max(0, level - 1)])
    # Without errors the app does not read the sensor's body location.
    if name == "heart-rate" and not set(log["reasons"]) & {8, 0x3D}:
        places = [at for at, record in enumerate(records) if record.att[:1] == b"\x0a" and record.handle == 0x13]
        for at in reversed(places):
            del records[at:at + 3]
    # Another day, and other delays; one log in forty has one very late response.
    first = records[0].time
    start = first + log["day"] * DAY + chance.randrange(0, 10 * 3600 * 1_000_000)
    late = len(records) * 2 // 5 if number % 40 == 7 else len(records)
    while late < len(records) and records[late].att[:1] not in (b"\x0b", b"\x13"):
        late += 1
    log["late"] = late < len(records)
    for at, record in enumerate(records):
        record.time = start + int((record.time - first) * factor) + (2_500_000 if at >= late else 0)
    return records


def broken(number, good):
    """A damaged log, and the expected outcome."""
    return [
        (b"", "unreadable"), (good[:7], "unreadable"), (good[:len(good) // 2], "damaged"), (good[:-3], "damaged"),
        (b"\xff\xd8\xff\xe0" + good[16:400], "unreadable"), (b"The log could not be uploaded.\n" * 9, "unreadable"),
        (good[:12] + b"\0\0\xff\xff" + good[16:], "unreadable"), (good[:16 + 4] + b"\x7f\xff\xff\xff" + good[16 + 8:], "damaged"),
        (archive({"FS/data/log/bt/btsnoop_hci.log": good})[:-200], "damaged"), (bytes(4096), "unreadable"),
    ][number]


def archive(files):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in files.items():
            out.writestr(zipfile.ZipInfo(name, (2026, 11, 20, 9, 30, 0)), data, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def hostile(number, chance):
    """A hostile log: model, firmware, name, bytes."""
    evil = (here.parent / "hostile-name.btsnoop").read_bytes()
    good = (here.parent / "gopro.btsnoop").read_bytes()
    noise = good[:16] + b"".join(
        struct.pack(">IIIIq", 40, 40, number & 3, 0, 0x00E03AB44A676000 + place) + chance.randbytes(40) for place in range(3000))
    return [
        ("%3Cscript%3Ealert(1)%3C%2Fscript%3E", "%22onload=alert(2)", "hostile.log", evil),
        ("Pixel 8", "AP3A.241105", "it's $(touch owned); `touch owned`.log", evil),
        ("Pixel 8", "AP3A.241105", "noise.log", noise),
        # A quarter of a gigabyte of zeros, compressed to a quarter of a megabyte; a member whose name leads out of the folder.
        ("Pixel 8", "..%2F..%2F..%2Fowned", "bugreport.zip", archive({"FS/data/log/bt/btsnoop_hci.log": good[:16] + bytes(1 << 28)})),
        ("..", "%00", "bugreport.zip", archive({"../../../owned": b"x", "FS/data/misc/bluetooth/logs/btsnoop_hci.log": evil})),
    ][number]


def main():
    folder = pathlib.Path(sys.argv[1])
    truth = []
    for number in range(LOGS - BROKEN - HOSTILE):
        chance = random.Random(number)
        model, firmwares, risks, factor = PHONES[number % len(PHONES)]
        place = number // len(PHONES) % len(firmwares)
        name = SAMPLES[chance.randrange(len(SAMPLES))]
        log = {"model": model, "firmware": firmwares[place], "risk": risks[place], "sample": name, "day": number % 7, "failed_connections": 0}
        records = vary(name, number, chance, factor * chance.uniform(0.8, 1.25), log)
        data = whole(records)
        kind = "log"
        if number % 25 == 3:
            data, kind = archive({"FS/data/log/bt/btsnoop_hci.log": data, "main_entry.txt": b"bugreport.txt"}), "zip"
        # One of the good logs has a name with special characters of the shell.
        more = " it's $(touch owned);" if number == 47 else ""
        log.update(file=f"model={model}/firmware={firmwares[place]}/{number:03}{more}.{kind}", packets=len(records), outcome="ok")
        truth.append((log, data))
    good = (here.parent / "gopro.btsnoop").read_bytes()
    for number in range(BROKEN):
        data, outcome = broken(number, good)
        truth.append(({"file": f"model=Pixel 9/firmware=BP1A.250305/broken-{number}.log", "outcome": outcome}, data))
    for number in range(HOSTILE):
        model, firmware, name, data = hostile(number, random.Random(1000 + number))
        truth.append(({"file": f"model={model}/firmware={firmware}/hostile-{number}/{name}", "outcome": None}, data))
    for log, data in truth:
        file = folder / "logs" / log["file"]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    (folder / "truth.json").write_text(json.dumps([log for log, _ in truth], indent=1) + "\n")


if __name__ == "__main__":
    main()
