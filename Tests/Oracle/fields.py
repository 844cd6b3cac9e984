#!/usr/bin/env python3
"""fields.py BTSCRIBE [--generated] CAPTURE…: compares every filter field in every frame between `tshark -T fields` and `btscribe fields`. With
--generated also for captures that the scripts in `generated` make, in which nearly all fields occur; `generated/open.txt` must list exactly the
fields that are not equal there yet. Prints, for each field, in how many frames of how many captures tshark has it, and the frames whose values
differ. Status 1 if known-differences.md does not explain all of them."""
import collections
import concurrent.futures
import fnmatch
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from opened import opened

here = pathlib.Path(__file__).resolve().parent
CELL = re.compile(r"[^\t]+")
CONTROL = re.compile("[\x00-\x1f\x7f]")
GUID = re.compile("^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$")


def known():
    """Rows of the table: capture pattern, field pattern, set of frames, None for all, or a display filter that they pass."""
    rows = []
    for line in (here.parent / "known-differences.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) < 4 or cells[0] in ("capture", "---"):
            continue
        frames = None
        if cells[2].startswith("`"):
            frames = cells[2].strip("`")
        elif cells[2] != "*":
            frames = set()
            for part in cells[2].replace(" ", "").split(","):
                low, _, high = part.partition("-")
                frames |= set(range(int(low), int(high or low) + 1))
        rows.append((cells[0], [what.strip() for what in cells[1].split(",")], frames))
    return rows


@functools.lru_cache(None)
def passed(expression, path):
    """The frames of a capture that pass a display filter."""
    done = subprocess.run(["tshark", "-n", "-r", path, "-Y", expression, "-T", "fields", "-e", "frame.number"], capture_output=True, text=True)
    return {int(number) for number in done.stdout.split()}


def frames_of(frames, path):
    return passed(frames, path) if isinstance(frames, str) else frames


def explained(rows, path, field, frame):
    """Whether a row explains a difference; a display filter is only evaluated if the row's field pattern matches."""
    capture = os.path.basename(path)
    for pattern, fields, frames in rows:
        if not fnmatch.fnmatch(capture, pattern) or not any(fnmatch.fnmatch(field, one) for one in fields):
            continue
        frames = frames_of(frames, path)
        if frames is None or frame in frames:
            return True
    return False


def table(command):
    """For each frame the columns of its line that are not empty, since few of the thousand fields occur in a frame."""
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    frames = {}
    for line in done.stdout.split("\n"):
        number, _, rest = line.partition("\t")
        if number.isdigit():
            cells, column, end = {}, 0, 0
            for cell in CELL.finditer(rest):
                # Empty cells show as further tabs before this cell.
                column += cell.start() - end
                end = cell.end()
                # tshark's word for a field without bytes.
                if cell[0] != "<MISSING>":
                    cells[column] = cell[0]
            frames[int(number)] = cells
    return frames


def normal(text):
    """Values in a normal form: True and False, colons of bytes, leading zeros, control characters, order. A text may contain commas
    itself."""
    values = []
    for value in text.split(",") if text else []:
        if value in ("True", "False"):
            value = "1" if value == "True" else "0"
        try:
            # btscribe prints nine decimals.
            number = int(value, 16) if value.startswith("0x") else round(float(value), 9) if "." in value else int(value)
            # A number without decimals equals the same number with a decimal point.
            value = str(int(number) if isinstance(number, float) and number.is_integer() else number)
        except ValueError:
            # tshark writes some UUIDs with dashes.
            value = GUID.sub(r"\1\2\3\4\5", CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", value)).replace(":", "").lower()
        values.append(value)
    return sorted(values)


def main():
    program, captures = sys.argv[1], sys.argv[2:]
    unsettled, made = set(), set()
    if "--generated" in captures:
        unsettled = set((here / "generated/open.txt").read_text().split())
        captures.remove("--generated")
        folder = tempfile.TemporaryDirectory()
        for script in sorted((here / "generated").glob("*.py")):
            subprocess.run([sys.executable, script, folder.name], check=True)
        made = {path.name for path in pathlib.Path(folder.name).iterdir() if path.suffix != ".json"}
        captures += sorted(os.path.join(folder.name, name) for name in made)
    names = [line.split()[0] for line in subprocess.run([program, "fields"], capture_output=True, text=True).stdout.splitlines()
             if line.startswith("  ")]
    # tshark prints a field that is named twice only once: the frame number is in every line anyway.
    names = [name for name in names if not name.startswith("btscribe.") and name != "frame.number"]
    rows = known()
    seen, places, wrong = collections.Counter(), collections.defaultdict(set), collections.defaultdict(list)
    differ = set()
    # All fields at once: tshark takes longer to dissect a capture than to print it.
    wanted = ["frame.number"] + names
    arguments = [word for name in wanted for word in ("-e", name)]
    # One argument may have 128 KiB.
    few = [word for at in range(0, len(wanted), 1000) for word in ("-e", ",".join(wanted[at:at + 1000]))]

    def both(capture):
        # Options for both programs may be in a JSON file beside the capture.
        beside = pathlib.Path(capture + ".json")
        options = json.loads(beside.read_text()) if beside.exists() else {"tshark": [], "btscribe": []}
        with tempfile.TemporaryDirectory() as folder:
            path = opened(program, capture, folder)
            return (table(["tshark", "-n", "-r", path, *options["tshark"], "-T", "fields"] + arguments),
                    table([program, "fields", *options["btscribe"], *few, path]))

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for capture, (theirs, ours) in zip(captures, pool.map(both, captures)):
            base = os.path.basename(capture)
            for frame, cells in theirs.items():
                mine = ours.get(frame, {})
                for column in cells.keys() | mine.keys():
                    name, a, b = names[column], cells.get(column, ""), mine.get(column, "")
                    if a:
                        seen[name] += 1
                        places[name].add(base)
                    if a == b:
                        continue
                    x, y = normal(a), normal(b)
                    if "." not in name or name == "frame.time":
                        x, y = [""] * bool(a), [""] * bool(b)
                    elif a and not any(x) and y:
                        x, y = [""], [""]
                    if x != y and not explained(rows, capture, name, frame):
                        differ.add(name)
                        if base not in made or name not in unsettled:
                            wrong[name].append((base, frame, a[:60], b[:60]))
    for name in names:
        if wrong[name]:
            where = collections.Counter(base for base, _, _, _ in wrong[name])
            print(f"{name}: {len(wrong[name])} of {seen[name]} frames in {len(places[name])} captures differ")
            for base, count in where.most_common(3):
                examples = [f"#{frame} {a!r} / {b!r}" for one, frame, a, b in wrong[name] if one == base][:3]
                print(f"    {base[:40]} {count}: {'; '.join(examples)}")
    settled = sorted(unsettled - differ)
    if settled:
        print("equal now, no longer open:", *settled)
    right = [name for name in names if name not in differ and seen[name]]
    print(f"{len(right)} fields equal wherever they are, {sum(seen[name] for name in right)} values; "
          f"{sum(bool(wrong[name]) for name in names)} with differences; {sum(not seen[name] for name in names)} in none of the captures")
    if unsettled:
        print(f"{len(unsettled)} fields are open")
    sys.exit(1 if any(wrong.values()) or settled else 0)


if __name__ == "__main__":
    main()
