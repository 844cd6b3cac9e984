#!/usr/bin/env python3
"""live.py BTSCRIBE [SCENE…]: live capture in a machine with Bluetooth, beside btmon and tcpdump on the same traffic.

Each scene runs commands in the machine of vm.py and looks at the files that they wrote. Without a scene's name: all of them."""
import json
import os
import pathlib
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
    """The rows of an NDJSON output; a last line that was cut by a kill does not count."""
    out = []
    for line in pathlib.Path(path).read_text(errors="replace").splitlines():
        try:
            out.append(json.loads(line))
        except ValueError:
            break
    return out


class Failed(Exception):
    pass


def same(name, ours, reference, theirs):
    """Ours holds the same packets in the same order as the reference; raises what is different."""
    if ours == theirs:
        return f"{len(ours)} packets as {reference}"
    at = next((n for n, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
    shown = lambda side: side[at] if at < len(side) else "the end"
    raise Failed(f"{name} has {len(ours)} packets, {reference} {len(theirs)}; the first difference is packet {at}: {shown(ours)} and {shown(theirs)}")


def check(truth, words):
    if not truth:
        raise Failed(words)


# -- scenes ---------------------------------------------------------------------------------------------------------

# The kernel's default buffer loses packets of a reference that waits for the processor, and does not tell: it gets a larger one.
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
    """A folder that the machine shares, the program in it, and what came out."""

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


def tools(scene):
    """The bench itself: btmon and tcpdump see the same session."""
    scene.play(TOOLS + GO + END, "gatt")
    theirs = scene.packets("tcpdump.pcap")
    check(len(theirs) > 300, f"tcpdump saw {len(theirs)} packets: {scene.log[-400:]}")
    return same("btmon", scene.packets("btmon.btsnoop"), "tcpdump", theirs)


def live(options="", output="live.ndjson", binary="./btscribe"):
    return f"files=live.btsnoop\n{binary} live --format ndjson -w live.btsnoop {options} >{output} 2>live.err & live=$!\n"


STOP = "kill -INT $live; wait $live; echo status $?\n"


def session(scene):
    """A session with pairing and messages of many packets: the same packets as tcpdump's, and the messages by name."""
    scene.play(live() + TOOLS + GO + STOP + END, "gatt")
    check("status 0" in scene.out, f"live ended otherwise: {scene.out} {scene.path('live.err').read_text()[-300:]}")
    said = same("live", scene.packets("live.btsnoop"), "tcpdump", scene.packets("tcpdump.pcap"))
    messages = [row for row in scene.rows("live.ndjson") if row["kind"] == "message" and row["profile"] == "gopro"]
    long = [row for row in messages if len(row.get("frames", [])) > 4]
    check(len(messages) > 40, f"only {len(messages)} messages of the camera")
    broken = [row for row in messages if not row["complete"]]
    check(not broken, f"incomplete: {broken[:1]}")
    check(long, "no message of more than four packets")
    return f"{said}, {len(messages)} messages, the longest of {max(len(row['frames']) for row in messages)} packets"


def flood(scene):
    """Notifications at the link's full rate: none lost."""
    count = 20000
    scene.play(live() + TOOLS + GO + STOP + END, "flood", f"{count} 3000")
    ours = [row for row in scene.packets("live.btsnoop") if row[1] == 5]
    theirs = [row for row in scene.packets("btmon.btsnoop") if row[1] == 5]
    numbers = [struct.unpack_from(">I", row[2], 11)[0] for row in ours]
    check(numbers == list(range(count)), f"{len(numbers)} of {count} notifications are in live's file ({scene.log.splitlines()[-1]})")
    printed = sum(1 for row in scene.rows("live.ndjson") if row.get("layer") == "att")
    check(printed == count, f"{printed} of {count} notifications were printed")
    return f"{count} of {count}, btmon {len(theirs)}; {scene.log.splitlines()[-1].split(' ', 1)[1]}"


def unplug(scene):
    """An adapter is pulled out and another comes: all its packets are there, and both are told."""
    scene.play(live() + TOOLS + GO + STOP + END, "unplug", "2000 400")
    said = same("live", scene.packets("live.btsnoop"), "tcpdump", scene.packets("tcpdump.pcap"))
    names = [row.get("name", "") for row in scene.rows("live.ndjson")]
    check(any("Delete Index" in name for name in names), "the adapter that went was not told")
    return said


def slow_reader(scene):
    """Who reads the output reads slowly: the file is whole all the same."""
    scene.play("mkfifo slow; (exec <slow; while read -r line; do sleep 0.01; done) & reader=$!\n"
               + live(output="slow") + TOOLS + GO + "kill -INT $live; sleep 3; kill -9 $live 2>/dev/null; wait $live\n" + END, "flood", "6000 2000")
    ours = [row for row in scene.packets("live.btsnoop") if row[1] == 5]
    check(len(ours) == 6000, f"{len(ours)} of 6000 notifications are in the file")
    return "6000 of 6000"


def unprivileged(scene):
    """An ordinary user with the one capability sees everything, without it gets status 77 and the command that grants it."""
    script = ("files=/tmp/ours\n/run/bin/btscribe live --format ndjson >/tmp/ours 2>/tmp/err & live=$!\n" + GO +
              "kill -INT $live; wait $live; echo status $?; grep -c '\"layer\":\"att\"' /tmp/ours; cat /tmp/err >&2\n"
              "./btscribe live >/dev/null 2>/tmp/no; echo status $?; cat /tmp/no\n")
    scene.play(script, "replay", "/setup/gopro.btsnoop 300", user=True, capabilities=["cap_net_raw=/share/btscribe"])
    lines = scene.out.splitlines() + [""] * 3
    check(lines[0] == "status 0" and lines[1] == "202", f"with the capability: {lines[:2]} {scene.err[-300:]}")
    check(lines[2] == "status 77" and "cap_net_raw" in scene.out, f"without it: {lines[2:]}")
    return "202 ATT PDUs with CAP_NET_RAW alone; 77 without"


def killed(scene):
    """kill -9 in the flood: every packet that was printed is in the file."""
    scene.play(live() + GO.split("for i in $(seq 600)")[0] + "sleep 5; kill -9 $live; sync; sleep 0.5\n", "flood", "200000 2500")
    ours, printed = scene.packets("live.btsnoop"), [row for row in scene.rows("live.ndjson") if row.get("layer") == "att"]
    check(len(printed) > 1000, f"only {len(printed)} packets were printed")
    written = sum(1 for row in ours if row[1] == 5)
    check(written >= len(printed), f"{len(printed)} printed, {written} in the file")
    return f"{len(printed)} printed, {written} in the file"


SCENES = {f.__name__: f for f in (tools, session, flood, unplug, slow_reader, unprivileged, killed)}


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
            with tempfile.TemporaryDirectory(prefix=f"btscribe-{name}-") as folder:
                os.chmod(folder, 0o777)
                scene = Scene(program, folder)
                try:
                    verdict, said = "passed", SCENES[name](scene)
                except Failed as failure:
                    verdict, said = "failed", str(failure)
                except (RuntimeError, OSError, ValueError, KeyError, IndexError) as error:
                    verdict, said = "failed", f"{type(error).__name__}: {error}"
                if verdict == "failed" and "BTSCRIBE_KEEP" in os.environ:
                    shutil.copytree(folder, pathlib.Path(os.environ["BTSCRIBE_KEEP"]) / name, dirs_exist_ok=True)
        verdicts[verdict] += 1
        print(f"{verdict:8} {name:14} {time.time() - started:5.1f} s  {said}", flush=True)
    print(f"live: {verdicts['passed']} passed, {verdicts['failed']} failed, {verdicts['skipped']} skipped")
    return 1 if verdicts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
