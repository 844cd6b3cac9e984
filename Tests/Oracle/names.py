#!/usr/bin/env python3
"""names.py BTSCRIBE: checks that every field name of tshark's Bluetooth protocols is a filter of btscribe, or that known-differences.md has the
reason under "Names that btscribe does not have". Status 1 if a name is neither, or if a row of that table matches no name."""
import fnmatch
import pathlib
import re
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
# The first word of a name. Those of BitTorrent and of roadside radio (BTP) begin with the same letters.
PROTOCOL = re.compile(r"^(bt(?!-|p[ab]\b)[a-z0-9_]*|bluetooth|beacon|provisioning|pbadv|obex|hci_[a-z0-9]+|bthci_[a-z]+|nordic_ble|sbc|aptx|ldac|6lowpan|"
                      r"usbhid|packetlogger|ubertooth)\.")


def names(command):
    return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()


def main():
    theirs = {line.split("\t")[2] for line in names(["tshark", "-G", "fields"]) if line.startswith("F\t")}
    theirs = {name for name in theirs if PROTOCOL.match(name)}
    ours = {line.split()[0] for line in names([sys.argv[1], "fields"]) if line.startswith("  ")}
    section = (here.parent / "known-differences.md").read_text().partition("## Names that btscribe does not have")[2]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| ") and not line.startswith("| names")]
    patterns = {pattern.strip(): 0 for cells in rows for pattern in cells[0].split(",")}
    missing = []
    for name in sorted(theirs - ours):
        found = [pattern for pattern in patterns if fnmatch.fnmatchcase(name, pattern)]
        for pattern in found:
            patterns[pattern] += 1
        if not found:
            missing.append(name)
    for name in missing:
        print(name)
    unused = [pattern for pattern, count in patterns.items() if count == 0]
    if unused:
        print("explained although btscribe has them, or tshark has not:", *unused)
    print(f"{len(theirs & ours)} of {len(theirs)} names are btscribe's, {len(theirs - ours) - len(missing)} are explained, {len(missing)} are not")
    sys.exit(1 if missing or unused else 0)


if __name__ == "__main__":
    main()
