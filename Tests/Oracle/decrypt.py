#!/usr/bin/env python3
"""Decrypts sniffers' captures with known keys, and compares them with tshark.

decrypt.py BTSCRIBE CAPTURE…   for each given capture that is listed below: how many encrypted packets were decrypted (all but one in a thousand, of
                               those that were received without errors), and of the file that `convert --decrypt` writes: no CRC is wrong, no packet is
                               malformed unless it was sent so, and every ATT PDU is what tshark shows (compared as in att.py). A retransmission
                               of the sender's previous packet is one PDU; tshark decodes it twice.

Status 1 if anything differs, or no listed capture was given.
"""
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

import att

here = pathlib.Path(__file__).resolve().parent
# The end of a capture's name, the options that decrypt it, and the least number of decrypted packets. Keys are from file names and crackle's README.
KNOWN = [
    ("bonding-ltk-0F241772AC270CAFEE654186F0A65D5F.pcap", ["--crack", "--key", "ltk=0F241772AC270CAFEE654186F0A65D5F"], 110),
    ("sc-justworks-fragments-assembly-ltk-BD27012E93C195F13B8F176FE84A2DED.pcap", ["--key", "ltk=BD27012E93C195F13B8F176FE84A2DED"], 11),
    ("lp-passkeyentry-123456-initiator-inputs-responder-displays.pcap", ["--key", "passkey=123456"], 13),
    ("lp-justworks.pcap", ["--crack"], 13),
    ("crackle__known_ltk.pcap", ["--key", "ltk=7f62c053f104a5bbe68b1d896a2ed49c"], 7),
    ("crackle__numeric_pin.pcap", ["--crack"], 56),
    ("whad-client__ble_pairing.pcap", ["--crack"], 82),
    ("Samples/encrypted.pcapng", ["--crack"], 28),
    ("Samples/both-air.pcapng", ["--keys", str(here.parent.parent / "Samples/both-phone.btsnoop")], 164),
]
# The key of one connection of the sample is unknown; WHAD's capture has a PDU that was sent malformed, also in its own decrypted file.
CLOSED = {"Samples/encrypted.pcapng"}
MALFORMED = {"whad-client__ble_pairing.pcap": ["1494"]}
# The sniffer missed the requests; tshark matches the responses with earlier requests, see known-differences.md. Ubertooth does not check
# CRCs: that of #26, computed from the CONNECT_IND, is wrong, and btscribe does not decode the packet.
MISSED = {"whad-client__ble_pairing.pcap": {1494, 1520}, "crackle__numeric_pin.pcap": {26}}


def repetitions(path):
    """Frames of a pcapng of link type 256 that repeat one of the last four packets of their sender: sequence bit, kind and bytes."""
    data, at, frame, before, found = pathlib.Path(path).read_bytes(), 0, 0, {}, set()
    while at + 12 <= len(data):
        kind, size = struct.unpack_from("<II", data, at)
        if kind == 6:
            frame += 1
            packet = data[at + 28:at + 28 + struct.unpack_from("<I", data, at + 20)[0]]
            sender = packet[10:14], struct.unpack_from("<H", packet, 8)[0] >> 7 & 7
            content = packet[14] & 0x0B, packet[16:-3]
            if content[1] and content in before.get(sender, []):
                found.add(frame)
            before[sender] = (before.get(sender, []) + [content])[-4:]
        at += size
    return found


def differences(program, path, missed):
    """The differences from tshark, and the number of ATT PDUs that were compared."""
    rows, again, seen, found = att.scribe_rows(program, path), repetitions(path), set(), []
    for said in att.shark_rows(path):
        if "att" not in said or said["frame"] in again or said["frame"] in missed:
            seen.add(said["frame"])
            continue
        seen.add(said["frame"])
        found += [(said["frame"], *one) for one in att.compare(said, rows.get(said["frame"]))]
    found += [(frame, "only here", "", row.get("name")) for frame, row in rows.items() if row.get("layer") == "att" and frame not in seen]
    return found, len(seen)


def main(program, captures):
    faults, opened, left, compared = [], 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        converted = []
        for capture in captures:
            known = next((one for one in KNOWN if capture.endswith(one[0])), None)
            if known is None:
                continue
            name, options, least = known
            told = subprocess.run([program, "keys", capture, *options], capture_output=True, text=True).stdout
            good = sum(map(int, re.findall(r"opens [^;]*?, (\d+) packets", told)))
            bad = sum(map(int, re.findall(r" packets, (\d+) not", told)))
            opened, left = opened + good, left + bad
            if good < least or bad * 1000 > good:
                faults.append(f"{name}: {good} packets opened, {bad} not; at least {least} should open")
            if ("\n# " in told) != (name in CLOSED):
                faults.append(f"{name}: connections stay closed:\n{told}")
            path = str(pathlib.Path(folder, f"{len(converted)}.pcapng"))
            done = subprocess.run([program, "convert", "--decrypt", capture, "-o", path, *options], capture_output=True, text=True)
            if done.returncode:
                faults.append(f"{name}: {done.stderr}")
                continue
            converted.append(path)
            shark = ["tshark", "-n", "-r", path, "-T", "fields", "-e", "frame.number", "-Y"]
            for what, wanted in (("_ws.malformed", MALFORMED.get(name, [])), ("btle.crc.incorrect", [])):
                frames = subprocess.run([*shark, what], capture_output=True, text=True).stdout.split()
                if frames != wanted:
                    faults.append(f"{name}: {what} in {frames}, and not in {wanted}")
            others, count = differences(program, path, MISSED.get(name, set()))
            compared += count
            faults += [f"{name}: #{one}" for one in others]
        if not converted:
            sys.exit("no capture whose key is known")
    print(f"{len(converted)} captures, {opened} packets opened, {left} not: {100 * opened / max(1, opened + left):.2f} %; "
          f"{compared} ATT PDUs compared, {len(faults)} differences")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
