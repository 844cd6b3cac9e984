#!/usr/bin/env python3
"""What `btscribe redact` leaves of a capture, according to tshark.

redact.py BTSCRIBE CAPTURE…   every address, name and key that tshark shows of a capture is searched in the redacted one, in both byte orders
                              and in hex; tshark shows the same protocols in the same frames with the same lengths, and no more malformed
                              packets; CRCs that were right are right; btscribe finds nothing more to redact.

Every difference is printed. Status 1 if there is any.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# tshark's fields with keys and the like, and with names; addresses are all fields of that type.
KEYS = """btcommon.eir_ad.entry.hash_c btcommon.eir_ad.entry.randomizer_r btcommon.eir_ad.entry.le_secure_confirmation_value
btcommon.eir_ad.entry.le_secure_random_value bthci_cmd.link_key bthci_cmd.pin_code bthci_cmd.hash_c bthci_cmd.randomizer_r
bthci_cmd.le_key bthci_cmd.le_plaintext bthci_cmd.le_random_number bthci_cmd.le_long_term_key bthci_cmd.le_remote_p_256_public_key
bthci_cmd.le_peer_irk bthci_cmd.le_local_irk bthci_evt.link_key bthci_evt.le_local_p_256_public_key bthci_evt.dhkey bthci_evt.hash_c
bthci_evt.randomizer_r bthci_evt.le_random_number bthci_evt.le_encrypted_data btsmp.cfm_value btsmp.random_value btsmp.long_term_key
btsmp.id_resolving_key btsmp.signature_key btsmp.public_key_x btsmp.public_key_y btsmp.dhkey_check btsmp.random""".split()
NAMES = "btcommon.eir_ad.entry.device_name bthci_cmd.device_name bthci_evt.device_name bthci_evt.remote_name btatt.device_name".split()
SHAPE = ["frame.number", "frame.len", "frame.cap_len", "frame.protocols", "btatt.opcode", "btsmp.opcode", "bthci_cmd.opcode", "bthci_evt.code",
         "bthci_acl.chandle", "btl2cap.cid", "btle.access_address", "btle.length", "btrfcomm.frame_type", "btsdp.pdu", "_ws.malformed",
         "btle.crc.incorrect", "btrfcomm.fcs.incorrect", "btl2cap.fcs.incorrect"]


def known_fields():
    listing = subprocess.run(["tshark", "-G", "fields"], capture_output=True, text=True).stdout
    rows = [line.split("\t") for line in listing.splitlines()]
    names = {row[2]: row[3] for row in rows if row[0] == "F"}
    addresses = [name for name, kind in names.items() if kind == "FT_ETHER" and re.match(r"(bt|bluetooth|hci)", name)]
    return names, addresses


def rows(capture, fields, only=""):
    command = ["tshark", "-n", "-r", capture, "-T", "fields", "-E", "separator=/t", "-E", "occurrence=a", "-E", "aggregator=\x1f"]
    command += ["-Y", only] if only else []
    for field in fields:
        command += ["-e", field]
    return [line.split("\t") for line in subprocess.run(command, capture_output=True, text=True, errors="replace").stdout.splitlines()]


# tshark's values in packets that the sniffer marks as damaged are wrong; the bytes of such packets are all removed.
WHOLE = "!(nordic_ble.crcok == 0 || btle_rf.flags.crc_checked == 1 && btle_rf.flags.crc_valid == 0)"


def values(capture, fields):
    """For each field its values in undamaged frames, and the numbers of these frames."""
    found, whole = {name: set() for name in fields}, set()
    for number, *cells in rows(capture, ["frame.number"] + fields, WHOLE):
        whole.add(number)
        for name, cell in zip(fields, cells):
            if cell:
                found[name].update(cell.split("\x1f"))
    return found, whole


def forms(secret):
    """The forms in which a secret may occur in a file."""
    for order in (secret, secret[::-1]):
        yield order
        for between in ("", ":", "-", " "):
            for text in (order.hex(between) if between else order.hex(),):
                yield text.encode()
                yield text.upper().encode()


def secrets(found, addresses):
    secret = {}
    for address in {value for name in addresses for value in found[name]}:
        octets = bytes.fromhex(address.replace(":", ""))
        if len(set(octets) - {0}) >= 4 and octets != b"\xff" * 6:
            secret[octets] = "address " + address
    for key in {value for name in KEYS for value in found.get(name, ())}:
        try:
            octets = bytes.fromhex(key.replace(":", "").removeprefix("0x"))
        except ValueError:
            octets = key.encode()
        if len(octets) >= 4 and len(set(octets) - {0}) >= 4:
            secret[octets] = "key " + key
    return secret


def names(found, patterns):
    for name in {value for name in NAMES for value in found.get(name, ())}:
        name = name.rstrip("\0")
        # Names that profiles match stay; so do names too short to be searched everywhere, and those that tshark escapes.
        if len(name.encode()) >= 4 and len(set(name)) >= 3 and "\\" not in name and not any(re.match(p, name) for p in patterns):
            yield name.encode(), "name " + name


def patterns(btscribe):
    """The patterns of device names in profiles, as regular expressions."""
    found = []
    listed = json.loads(subprocess.run([btscribe, "profiles", "list", "--format", "json"], capture_output=True, text=True).stdout)
    for profile in listed:
        text = subprocess.run([btscribe, "profiles", "show", profile["profile"]], capture_output=True, text=True).stdout
        for line in re.findall(r"names:\s*\[(.*?)\]", text):
            for name in re.findall(r'"([^"]*)"|([^,\s"]+)', line):
                glob = name[0] or name[1]
                found.append(re.escape(glob).replace(r"\*", ".*").replace(r"\?", ".") + "$")
    return found


REPLACED = {"peer", "peer_name", "peer_identity", "value", "text", "payload", "sdu", "fields", "file", "problem"}


def timeline(btscribe, capture):
    """The row of each packet and message, without replaced parts; and the frames of ATT values that are shown as text."""
    # Under another file name: keys in a capture's name would decrypt packets, which redaction replaces in encrypted form.
    with tempfile.TemporaryDirectory() as folder:
        plain = pathlib.Path(folder, "capture")
        plain.symlink_to(pathlib.Path(capture).resolve())
        done = subprocess.run([btscribe, "timeline", "--format", "ndjson", plain], capture_output=True, text=True)
    if done.returncode not in (0, 65):
        raise RuntimeError(f"btscribe timeline of {capture} ended with {done.returncode}: {done.stderr[-300:]}")
    lines = done.stdout.splitlines()
    found, texts = [], set()
    for line in lines:
        row = json.loads(line)
        if "text" in row and row.get("layer") == "att":
            texts.add(row["frame"])
        # Reported once for each device, from a table in which devices may replace each other.
        if row.get("name") == "advertising-length-lies":
            continue
        said = {key: value for key, value in row.items() if key not in REPLACED}
        # A request's row has its response only if it can still be changed then, which depends on where parts of the file end; the response's row
        # always has its request, and the latency.
        if "request_frame" not in row:
            said.pop("response_frame", None)
            said.pop("latency_us", None)
        # Values that look like text are shown as text, which others do by chance; that a text stays a text is checked below.
        said["has"] = sorted(key for key in row if key in REPLACED - {"text"})
        # The lengths of values, and the names of fields.
        said["length"] = sum(len(row.get(key, "")) for key in ("value", "payload", "sdu"))
        said["fields"] = sorted(row.get("fields", {})) if row["kind"] != "warning" else []
        found.append(said)
    return found, texts


def differences(btscribe, capture, addresses, known, shape, products):
    """The errors in a redacted capture, and the number of secrets that were searched."""
    name = pathlib.Path(capture).name
    wrong, checked = [], 0
    with tempfile.TemporaryDirectory() as folder:
        result = str(pathlib.Path(folder, "redacted" + pathlib.Path(capture).suffix))
        done = subprocess.run([btscribe, "redact", "-q", "--seed", name, capture, result], capture_output=True, text=True)
        if done.returncode not in (0, 65):
            return [f"{name}: status {done.returncode}: {done.stderr}"], 0
        left = subprocess.run([btscribe, "redact", "--check", result], capture_output=True, text=True)
        if left.returncode not in (0, 65) or "no sensitive data" not in left.stdout:
            wrong.append(f"{name}: still given away: {left.stdout}{left.stderr}")
        content = pathlib.Path(result).read_bytes()
        found, whole = values(capture, known)
        for secret, what in secrets(found, addresses).items():
            checked += 1
            # tshark computes some addresses (an IPv6 or MAC address from another one); they need not be in the capture.
            if any(form in content for form in forms(secret)):
                wrong.append(f"{name}: {what} is still there")
        for secret, what in names(found, products):
            checked += 1
            if secret in content:
                wrong.append(f"{name}: {what} is still there")
        (rows_before, texts_before), (rows_after, texts_after) = timeline(btscribe, capture), timeline(btscribe, result)
        # Packets that a key in the capture decrypted stay encrypted without that key, unless the sniffer decrypted them.
        opened = {row["frame"] for row in rows_before if row.get("decrypted")} - {row["frame"] for row in rows_after if row.get("decrypted")}
        closed = {row["frame"] for row in rows_after if row.get("encrypted")}
        if opened - closed:
            wrong.append(f"{name}: frames {sorted(opened - closed)[:5]} were decrypted, and are not encrypted any more")
        rows_before = [row for row in rows_before if row.get("frame") not in opened]
        rows_after = [row for row in rows_after if row.get("frame") not in opened]
        if len(rows_after) - len(rows_before) not in (0, 1):
            wrong.append(f"{name}: {len(rows_before)} rows before, {len(rows_after)} after")
        told = 0
        for a, b in zip(rows_before, rows_after):
            if a != b and told < 5:
                told += 1
                keys = [key for key in a.keys() | b.keys() if a.get(key) != b.get(key)]
                wrong.append(f"{name}: row of frame {a.get('frame')} {a.get('name')}: " + ", ".join(f"{key}: {a.get(key)} / {b.get(key)}" for key in keys))
        # Parts of a message that are surrounded by bytes of other kinds are replaced with these.
        parts = {frame for row in rows_before if row["kind"] == "message" for frame in row["frames"]}
        for frame in sorted(texts_before - texts_after - parts):
            wrong.append(f"{name}: frame {frame}: its value is no text any more")
        one, other = rows(capture, shape), rows(result, shape)
        # Redaction writes these in another format, so that lengths differ: sniffers' headers of PPI, and btsnoop without type bytes.
        for mark, target in (("ppi:", "pcap-256"), ("hci_h1", "btsnoop-h4")):
            if any(mark in row[3] for row in one):
                original = str(pathlib.Path(folder, "converted" + pathlib.Path(capture).suffix))
                subprocess.run([btscribe, "convert", "-q", "--to", target, capture, original], check=True)
                one = rows(original, shape)
                whole = {row[0] for row in rows(original, ["frame.number"], WHOLE)}
        # A note of the redaction may be added at the end.
        if len(other) - len(one) not in (0, 1):
            wrong.append(f"{name}: {len(one)} frames before, {len(other)} after")
        told = 0
        # Sniffers without CRC flags record damaged packets too; btscribe computes the CRC.
        damaged = {str(frame) for row in rows_before if row.get("name") == "bad-crc" for frame in row["frames"]}
        for a, b in zip(one, other):
            # tshark's result for noise is random.
            if a[0] not in whole or a[0] in damaged:
                a, b = a[:3], b[:3]
            # In a BR/EDR fragment whose start was missed, tshark decodes the data as an L2CAP header.
            elif a[3].endswith("btbredr_rf:btl2cap") and "_ws.malformed" in a:
                a, b = a[:4], b[:4]
            # Advertising data are replaced from the first inconsistent length on: tshark decodes the types that are there now, and may find no error.
            elif "btcommon" in a[3] and "btcommon" in b[3] and "_ws.malformed" in a[14]:
                a, b = ([*row[:3], row[3].split(":btcommon")[0], *row[4:14], *row[15:]] for row in (a, b))
            # Data carried by BNEP are replaced completely.
            elif "btbnep:ethertype:" in a[3]:
                a, b = a[:-4], b[:-4]
            # Qualcomm's debug data are no ACL data, though tshark decodes them as such.
            if a != b and told < 5 and "0x0edc" not in a:
                told += 1
                wrong.append(f"{name}: frame {a[0]}:\n  before {a[1:]}\n  after  {b[1:]}")
    return wrong, checked


def main():
    btscribe, captures = sys.argv[1], sys.argv[2:]
    fields, addresses = known_fields()
    products = patterns(btscribe)
    shape = [name for name in SHAPE if name in fields or name.startswith(("frame.", "_ws."))]
    known = addresses + [name for name in KEYS + NAMES if name in fields]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda capture: differences(btscribe, capture, addresses, known, shape, products), captures))
    wrong = [text for texts, _ in results for text in texts]
    for text in wrong:
        print(text)
    print(f"{sum(checked for _, checked in results)} addresses, names and keys of {len(captures)} captures: {len(wrong)} differences")
    sys.exit(1 if wrong else 0)


main()
