#!/usr/bin/env python3
"""live.py BTSCRIBE [SCENE…]: live capture in a virtual machine with Bluetooth, compared with btmon and tcpdump on the same traffic.

Each scene runs commands in the machine of vm.py and checks the files that they wrote. Without a name all scenes are run."""
import datetime
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

import vm

HCI = {2, 3, 4, 5, 6, 7, 18, 19}


# -- files ----------------------------------------------------------------------------------------------------------

def packets(path):
    """(adapter, opcode, payload) of every HCI packet of a monitor's log: btsnoop 2001, pcap or pcapng 254."""
    data = pathlib.Path(path).read_bytes()
    out = []
    if data[:8] == b"btsnoop\0":
        at = 16
        while at + 24 <= len(data):
            _, size, flags, _, _ = struct.unpack_from(">IIIIq", data, at)
            if at + 24 + size > len(data):
                break
            out.append((flags >> 16, flags & 0xFFFF, data[at + 24:at + 24 + size]))
            at += 24 + size
    elif data[:4] == b"\n\r\r\n":
        at = 0
        while at + 12 <= len(data):
            kind, size = struct.unpack_from("<II", data, at)
            if size < 12 or at + size > len(data):
                break
            if kind == 6:
                kept = struct.unpack_from("<I", data, at + 20)[0]
                packet = data[at + 28:at + 28 + kept]
                out.append((*struct.unpack_from(">HH", packet), packet[4:]))
            at += size
    else:
        at = 24
        while at + 16 <= len(data):
            kept = struct.unpack_from("<I", data, at + 8)[0]
            if at + 16 + kept > len(data):
                break
            packet = data[at + 16:at + 16 + kept]
            out.append((*struct.unpack_from(">HH", packet), packet[4:]))
            at += 16 + kept
    return [row for row in out if row[1] in HCI]


def rows(path):
    """The rows of an NDJSON output, without a last line that was truncated by a kill."""
    out = []
    for line in pathlib.Path(path).read_text(errors="replace").splitlines():
        try:
            out.append(json.loads(line))
        except ValueError:
            break
    return out


class Failed(Exception):
    pass


def whole(path):
    """Whether the file ends with a complete record: btsnoop or pcapng."""
    data = pathlib.Path(path).read_bytes()
    at = 16 if data[:8] == b"btsnoop\0" else 0
    while at < len(data):
        head = data[at:at + 24]
        at += 24 + int.from_bytes(head[4:8], "big") if data[:8] == b"btsnoop\0" else max(12, int.from_bytes(head[4:8], "little"))
    return at == len(data) > 16


def moment(text):
    """Seconds since 1970 of a row's time, 2026-01-31T09:30:00.123456Z."""
    day, clock = text.rstrip("Z").split("T")
    hours, minutes, seconds = clock.split(":")
    return datetime.date.fromisoformat(day).toordinal() * 86400 - 62135683200 + int(hours) * 3600 + int(minutes) * 60 + float(seconds)


def same(name, ours, reference, theirs):
    """Checks that ours holds the same packets in the same order as the reference; raises the difference."""
    if ours == theirs:
        return f"{len(ours)} packets as {reference}"
    at = next((n for n, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
    shown = lambda side: side[at] if at < len(side) else "the end"
    raise Failed(f"{name} has {len(ours)} packets, {reference} {len(theirs)}; the first difference is packet {at}: {shown(ours)} and {shown(theirs)}")


def check(truth, words):
    if not truth:
        raise Failed(words)


# -- scenes ---------------------------------------------------------------------------------------------------------

# With the kernel's default buffer a reference program that waits for the processor loses packets without a report: it gets a larger one.
TOOLS = """
echo 16777216 >/proc/sys/net/core/rmem_max; echo 16777216 >/proc/sys/net/core/rmem_default
files="$files btmon.btsnoop tcpdump.pcap"
btmon -w btmon.btsnoop >btmon.txt 2>&1 & btmon=$!
tcpdump -Z root -i bluetooth-monitor -B 16384 -U -w tcpdump.pcap 2>tcpdump.txt & tcpdump=$!
"""
GO = """
# Everybody has attached when the notes that the kernel sends first are in the files.
for i in $(seq 300); do
  ready=1
  for file in $files; do [ "$(stat -c %s "$file" 2>/dev/null || echo 0)" -gt 60 ] || ready=0; done
  [ $ready = 1 ] && break
  sleep 0.1
done
touch /run/go
for i in $(seq 600); do [ -e /run/done ] && break; sleep 0.1; done
sleep 1.5
"""
END = """
kill -INT $btmon $tcpdump; wait $btmon; wait $tcpdump
"""


class Scene:
    """A folder shared with the virtual machine, the program in it, and the output."""

    def __init__(self, program, folder):
        self.folder = pathlib.Path(folder)
        self.program = program
        if program:
            subprocess.run(["strip", "-o", self.folder / "btscribe", program], check=True)

    def play(self, script, traffic, arguments="", **options):
        self.status, self.out, self.err, self.log = vm.run(script, self.folder, traffic, arguments, hold=True, limit=170, **options)
        return self

    def path(self, name):
        return self.folder / name

    def packets(self, name):
        return packets(self.path(name))

    def rows(self, name):
        return rows(self.path(name))


def live(options="", output="live.ndjson", binary="./btscribe"):
    return f"files=live.btsnoop\n{binary} live --format ndjson -w live.btsnoop {options} >{output} 2>live.err & live=$!\n"


STOP = "kill -INT $live; wait $live; echo status $?\n"


def tools(scene):
    """Other inputs and outputs of the same session: tcpdump and btmon through a pipe, a growing file, Wireshark's pipe, one adapter alone; and no
    Bluetooth at all. btmon and tcpdump, the references of the other scenes, record the same packets."""
    scene.play("""
files="piped.btsnoop extcap.pcap one.pcapng"
tcpdump -Z root -i bluetooth-monitor -B 16384 -U -w - 2>/dev/null | ./btscribe live - --format ndjson -w piped.btsnoop >piped.ndjson 2>piped.err & piped=$!
mkfifo /tmp/wires; ./btscribe --extcap-interface btscribe --capture --fifo /tmp/wires --extcap-version=4.0 2>extcap.err & extcap=$!
cat /tmp/wires >extcap.pcap & wires=$!
./btscribe live -i hci0 -w one.pcapng -q >one.txt 2>one.err & one=$!
""" + TOOLS + """
until [ -s btmon.btsnoop ]; do sleep 0.1; done
./btscribe live btmon.btsnoop --format ndjson >follow.ndjson 2>follow.err & follow=$!
""" + GO + END + """
kill -INT $follow $one; kill -TERM $extcap; kill $(pidof tcpdump)
wait $follow; echo follow $?; wait $one; echo one $?; wait $extcap; echo extcap $?; wait $wires $piped; echo piped $?
kill $(pidof python3); sleep 0.5; rmmod hci_vhci; rmmod bluetooth
./btscribe live 2>none.err; echo none $?; cat none.err
""", "gatt")
    theirs = scene.packets("tcpdump.pcap")
    check(len(theirs) > 300, f"tcpdump saw {len(theirs)} packets: {scene.log[-400:]}")
    said = same("btmon", scene.packets("btmon.btsnoop"), "tcpdump", theirs)
    for name in ("piped.btsnoop", "extcap.pcap", "one.pcapng"):
        same(name, scene.packets(name), "tcpdump", theirs)
    for name in ("piped.ndjson", "follow.ndjson"):
        messages = [row for row in scene.rows(name) if row["kind"] == "message" and row["profile"] == "gopro"]
        check(len(messages) > 40, f"{name}: only {len(messages)} messages of the camera")
    ended = dict(line.rsplit(" ", 1) for line in scene.out.splitlines() if line.count(" ") == 1)
    check({ended.get(name) for name in ("follow", "one", "extcap", "piped")} == {"0"}, f"ends: {scene.out} {scene.err[-300:]}")
    check(ended.get("none") == "69" and "no Bluetooth on this host" in scene.out, f"without Bluetooth: {scene.out}")
    return f"{said}, and btscribe's of a pipe, a growing file, Wireshark's pipe, one adapter; 69 without Bluetooth"


def session(scene):
    """A session with pairing and messages of many packets: the same packets as tcpdump's, and the messages by name."""
    scene.play("export SUDO_UID=1000 SUDO_GID=1000\n" + live() + TOOLS + "until [ -e live.btsnoop ]; do sleep 0.1; done; grep -E 'Uid|Gid|Groups|CapEff|CapPrm' /proc/$live/status\n"
               + GO + STOP + END, "gatt")
    check("status 0" in scene.out, f"live ended otherwise: {scene.out} {scene.path('live.err').read_text()[-300:]}")
    rights = dict(line.split(":", 1) for line in scene.out.splitlines() if ":" in line)
    check(rights["Uid"].split() == rights["Gid"].split() == ["1000"] * 4 and not rights["Groups"].split()
          and int(rights["CapEff"], 16) == int(rights["CapPrm"], 16) == 0, f"privileges are left: {rights}")
    said = same("live", scene.packets("live.btsnoop"), "tcpdump", scene.packets("tcpdump.pcap"))
    messages = [row for row in scene.rows("live.ndjson") if row["kind"] == "message" and row["profile"] == "gopro"]
    long = [row for row in messages if len(row.get("frames", [])) > 4]
    check(len(messages) > 40, f"only {len(messages)} messages of the camera")
    broken = [row for row in messages if not row["complete"]]
    check(not broken, f"incomplete: {broken[:1]}")
    check(long, "no message of more than four packets")
    return f"{said}, {len(messages)} messages, the longest of {max(len(row['frames']) for row in messages)} packets"


def flood(scene):
    """Notifications at the link's full rate: none is lost."""
    count = 20000
    # As on a disk: each write to the shared folder takes a millisecond in this machine.
    scene.play(live().replace("live.btsnoop", "/tmp/live.btsnoop") + TOOLS + GO + STOP + "cp /tmp/live.btsnoop .\n" + END, "flood", f"{count} 3000")
    ours = [row for row in scene.packets("live.btsnoop") if row[1] == 5]
    theirs = [row for row in scene.packets("btmon.btsnoop") if row[1] == 5]
    numbers = [struct.unpack_from(">I", row[2], 11)[0] for row in ours]
    check(numbers == list(range(count)), f"{len(numbers)} of {count} notifications are in live's file ({scene.log.splitlines()[-1]})")
    printed = sum(1 for row in scene.rows("live.ndjson") if row.get("layer") == "att")
    check(printed == count, f"{printed} of {count} notifications were printed")
    return f"{count} of {count}, btmon {len(theirs)}; {scene.log.splitlines()[-1].split(' ', 1)[1]}"


def unplug(scene):
    """An adapter is removed and another is added: all packets are recorded, and both events are reported."""
    scene.play(live() + TOOLS + GO + STOP + END, "unplug", "2000 400")
    said = same("live", scene.packets("live.btsnoop"), "tcpdump", scene.packets("tcpdump.pcap"))
    told = [(row["name"], row["adapter"]) for row in scene.rows("live.ndjson") if "Index" in row.get("name", "")]
    news = [one for one in told if one[0] != "Index Info"]
    check(news[0] == ("New Index", 0) and ("Delete Index", 0) in news and news[news.index(("Delete Index", 0)) + 1][0] == "New Index",
          f"adapters that were there, went and came: {told}")
    return f"{said}; {', '.join(f'hci{adapter} {name}' for name, adapter in news)}"


def slow_reader(scene):
    """The output is read slowly: the file is complete all the same, the program does not wait at its end, and rows that were not shown are counted."""
    scene.play("mkfifo /tmp/slow; (while read -r line; do echo \"$line\"; sleep 0.01; done </tmp/slow >read.ndjson) & reader=$!\n"
               + live(output="/tmp/slow") + TOOLS + GO + STOP + "cat live.err; wait $reader\n" + END, "flood", "3000 2000")
    ours = scene.packets("live.btsnoop")
    check(sum(row[1] == 5 for row in ours) == 3000, f"{sum(row[1] == 5 for row in ours)} of 3000 notifications are in the file")
    shown = sum(row["kind"] == "packet" and row["layer"] in ("att", "hci.event") for row in scene.rows("read.ndjson"))
    missed = [int(word.replace(" ", "")) for word in re.findall(r"kernel, ([0-9 ]+) not shown", scene.out)]
    check("status 0" in scene.out and 0 < shown < 3000, f"{shown} shown, {scene.out}")
    check(missed == [len(ours) - shown], f"{len(ours)} in the file, {shown} shown, {missed} said to be not shown")
    return f"3000 of 3000 in the file; of {len(ours)} packets {shown} were shown, {missed[0]} counted as not shown"


def unprivileged(scene):
    """An ordinary user with the one capability records everything; without it the status is 77, and the message has the command that grants it."""
    script = ("files=/tmp/ours\n/run/bin/btscribe live --format ndjson >/tmp/ours 2>/tmp/err & live=$!\n" + GO +
              "kill -INT $live; wait $live; echo status $?; grep -c '\"layer\":\"att\"' /tmp/ours; cat /tmp/err >&2\n"
              "./btscribe live >/dev/null 2>/tmp/no; echo status $?; cat /tmp/no\n")
    scene.play(script, "replay", "/setup/gopro.btsnoop 300", user=True, capabilities=["cap_net_raw=/share/btscribe"])
    lines = scene.out.splitlines() + [""] * 3
    check(lines[0] == "status 0" and lines[1] == "202", f"with the capability: {lines[:2]} {scene.err[-300:]}")
    check(lines[2] == "status 77" and "cap_net_raw" in scene.out, f"without it: {lines[2:]}")
    return "202 ATT PDUs with CAP_NET_RAW alone; 77 without"


STAMP = """import os, sys, time
out, rest = [], b""
reading, writing = os.pipe()
if os.fork() == 0:
    os.dup2(writing, 1)
    os.execv("/tmp/btscribe", ["btscribe", "live", "--format", "ndjson"])
os.close(writing)
while True:
    data = os.read(reading, 65536)
    now = time.time()
    if not data:
        break
    if not out:
        open("/tmp/shown", "wb").write(bytes(100))
    *lines, rest = (rest + data).split(b"\\n")
    out += [b"%.6f %s\\n" % (now, line) for line in lines]
open(sys.argv[1], "wb").writelines(out)
"""


def prompt(scene):
    """From the kernel's time of a packet until its line is output: 99 % within 5 ms, on a machine of 10⁹ instructions a second. Its clock counts the
    instructions that it runs, so that other programs on this host do not matter."""
    scene.path("stamp.py").write_text(STAMP)
    # In memory: pages of a program in the shared folder are loaded from the host when they are first used.
    scene.play("""
cp btscribe /tmp/btscribe
files=/tmp/shown
python3 stamp.py stamped & stamp=$!
""" + GO + "kill -INT $(pidof btscribe); wait $stamp\n", "replay", "/setup/gopro.btsnoop 60", counts=True)
    late = []
    for line in scene.path("stamped").read_text().splitlines():
        shown, row = line.split(" ", 1)
        row = json.loads(row)
        # The kernel's notes on existing adapters wait until the program has started.
        if row["kind"] == "packet" and row.get("adapter") == 0 and row["layer"] not in ("monitor", "mgmt"):
            late.append((float(shown) - moment(row["time"])) * 1000)
    late.sort()
    check(len(late) > 300, f"only {len(late)} rows: {scene.err[-300:]}")
    said = f"{len(late)} lines, the middle one after {late[len(late) // 2]:.1f} ms, 99 % within {late[len(late) * 99 // 100]:.1f} ms, the last {late[-1]:.1f} ms"
    check(late[len(late) * 99 // 100] <= 5, said)
    return said


def overrun(scene):
    """Without reads for seconds, and with an ordinary user's small buffer, packets are lost: their number is reported, in rows and at the end."""
    count = 20000
    script = """
files=/tmp/ours
/run/bin/btscribe live --format ndjson -w /tmp/ours.btsnoop >/tmp/ours 2>/tmp/err & live=$!
""" + GO.split("for i in $(seq 600)")[0] + "sleep 2; kill -STOP $live; sleep 3; kill -CONT $live\n" + "for i" + GO.split("for i")[2] + STOP + """
cp /tmp/ours /share/live.ndjson; cp /tmp/ours.btsnoop /share/live.btsnoop; cat /tmp/err >&2
"""
    scene.play(script, "flood", f"{count} 2000", user=True, capabilities=["cap_net_raw=/share/btscribe"])
    check("status 0" in scene.out, f"{scene.out} {scene.err[-300:]}")
    ours = [row for row in scene.packets("live.btsnoop") if row[1] == 5]
    numbers = [struct.unpack_from(">I", row[2], 11)[0] for row in ours]
    lost = count - len(numbers)
    check(lost > 0 and numbers == sorted(set(numbers)), f"{lost} lost")
    told = [int(row["fields"]["text"].split(" ")[0]) for row in scene.rows("live.ndjson") if row["kind"] == "warning" and row["name"] == "dropped-packets"]
    said = [int(word.replace(" ", "")) for word in re.findall(r"btscribe: ([0-9 ]+) packets dropped", scene.err)]
    check(sum(told) == lost and said == [lost], f"{lost} of {count} are missing, the rows tell of {told}, the end of {said}")
    data, at, drops = scene.path("live.btsnoop").read_bytes(), 16, 0
    while at < len(data):
        size, drops = struct.unpack_from(">I", data, at + 4)[0], struct.unpack_from(">I", data, at + 12)[0]
        at += 24 + size
    check(drops == lost, f"the file's counter says {drops}")
    return f"{lost} of {count} lost in a stop of 3 s; rows, end and file say {lost}"


BLUEZ = """
mkdir -p /run/dbus /var/lib/bluetooth
dbus-daemon --system --fork --nopidfile
/usr/libexec/bluetooth/bluetoothd -n >/dev/null 2>&1 &
sleep 2
say() { echo "$1"; sleep "$2"; }
wait_for() { for i in $(seq 300); do grep -q "$1" "$2" 2>/dev/null && break; sleep 0.1; done; }
{
  say "power on" 1.5; say "scan le" 2.5; say "scan off" 1
  echo "connect C0:FF:EE:00:00:01"; wait_for "^003a" cached; sleep 1
  touch connected; while [ ! -e attached ]; do sleep 0.1; done
  say "menu gatt" 0.5
  say "select-attribute b5f90073-aa8d-11e3-9046-0002a5d5c51b" 0.5; echo "notify on"; wait_for "Notify started" ctl.log
  say "select-attribute b5f90072-aa8d-11e3-9046-0002a5d5c51b" 0.5; echo 'write "0x01 0x3c" 0 request'
  for i in $(seq 300); do [ -e told ] && break; sleep 0.1; done
} | bluetoothctl >ctl.log 2>&1 & ctl=$!
(while sleep 0.3; do cat /var/lib/bluetooth/*/cache/* >cached 2>/dev/null; done) & cat=$!
"""


def known(scene):
    """A connection that BlueZ made before: its peer is known from the kernel, its attributes from BlueZ's cache or a file, each marked; and messages."""
    script = BLUEZ + """
while [ ! -e connected ]; do sleep 0.1; done
kill $cat
./btscribe live --format ndjson >live.ndjson 2>live.err & live=$!
./btscribe live -q >live.txt 2>text.err & text=$!
sleep 2; touch attached
for i in $(seq 300); do [ "$(grep -c '"kind":"message"' live.ndjson)" -ge 2 ] && break; sleep 0.1; done
touch told; wait $ctl; sleep 1
kill -INT $live $text; wait $live; echo status $?; wait $text
"""
    scene.play(script, "host")
    rows = [row for row in scene.rows("live.ndjson") if row["kind"] == "packet" and row["layer"] == "att"]
    check(rows and "status 0" in scene.out, f"no ATT rows: {scene.out} {scene.path('ctl.log').read_text(errors='replace')[-300:]}")
    strange = [row for row in rows if row.get("peer") != "c0:ff:ee:00:00:01" or row.get("peer_name") != "GoPro 4821"]
    check(not strange, f"the peer is not known: {strange[:1]}")
    sources = {row.get("uuid_source") for row in rows if "handle" in row}
    check(sources == {"cache"}, f"sources of the UUIDs: {sources}")
    messages = [row["message"] for row in scene.rows("live.ndjson") if row["kind"] == "message"]
    check(len(messages) >= 2, f"messages: {messages}")
    return f"{len(rows)} ATT rows of a connection that was there, {len(messages)} messages: {', '.join(messages)}"


# During the flood, once many rows are printed.
KILL = """
for i in $(seq 900); do [ "$(grep -c '"layer":"att"' live.ndjson)" -gt 1500 ] && break; sleep 0.1; done
kill -9 $live $other; sync; sleep 0.5
"""


def killed(scene):
    """kill -9 during the flood: every packet that was printed is in the file."""
    other = live(output="other.ndjson").replace("live.btsnoop", "other.pcapng").replace("live=", "other=").replace("live.err", "other.err")
    scene.play(live() + other + GO.split("for i in $(seq 600)")[0] + KILL, "flood", "200000 1500")
    check(whole(scene.path("live.btsnoop")) and whole(scene.path("other.pcapng")), "a file ends inside a packet")
    check(sum(1 for row in scene.packets("other.pcapng") if row[1] == 5) >= sum(row.get("layer") == "att" for row in scene.rows("other.ndjson")),
          "the pcapng has less than was printed")
    ours, printed = scene.packets("live.btsnoop"), [row for row in scene.rows("live.ndjson") if row.get("layer") == "att"]
    check(len(printed) > 1000, f"only {len(printed)} packets were printed")
    written = sum(1 for row in ours if row[1] == 5)
    check(written >= len(printed), f"{len(printed)} printed, {written} in the file")
    return f"{len(printed)} printed, {written} in the file"


SCENES = {f.__name__: f for f in (tools, session, prompt, known, flood, overrun, unplug, slow_reader, unprivileged, killed)}


def play(name, program):
    """Plays one scene: returns whether it passed, and its text."""
    with tempfile.TemporaryDirectory(prefix=f"btscribe-{name}-") as folder:
        os.chmod(folder, 0o777)
        scene = Scene(program, folder)
        try:
            return "passed", SCENES[name](scene)
        except Failed as failure:
            verdict, said = "failed", str(failure)
        except (RuntimeError, OSError, ValueError, KeyError, IndexError) as error:
            verdict, said = "failed", f"{type(error).__name__}: {error}"
        if "BTSCRIBE_KEEP" in os.environ:
            shutil.copytree(folder, pathlib.Path(os.environ["BTSCRIBE_KEEP"]) / name, dirs_exist_ok=True)
        return verdict, said


def main():
    program, wanted = sys.argv[1], sys.argv[2:] or list(SCENES)
    if shutil.which("qemu-system-x86_64") is None:
        print("0 passed, 0 failed, 1 skipped: no qemu-system-x86_64")
        return 0
    vm.build()
    has_live = "btscribe live" in subprocess.run([program, "live", "--help"], capture_output=True, text=True).stdout
    verdicts = {"passed": 0, "failed": 0, "skipped": 0}
    for name in wanted:
        started = time.time()
        if name != "tools" and not has_live:
            verdict, said = "skipped", "this btscribe has no live"
        else:
            verdict, said = play(name, program)
        verdicts[verdict] += 1
        print(f"{verdict:8} {name:14} {time.time() - started:5.1f} s  {said}", flush=True)
    print(f"live: {verdicts['passed']} passed, {verdicts['failed']} failed, {verdicts['skipped']} skipped")
    return 1 if verdicts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
