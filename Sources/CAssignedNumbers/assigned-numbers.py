#!/usr/bin/env python3
"""Writes the tables beside this file from the PyPI packages bluetooth-numbers and bumble; those here are of bluetooth-numbers 1.1.2 and
bumble 0.0.236.

    pip install bluetooth-numbers bumble
    python3 Sources/CAssignedNumbers/assigned-numbers.py
"""

import pathlib
import re
from importlib.metadata import version

from bluetooth_numbers import characteristic, company, descriptor, service
from bumble.core import Appearance

here = pathlib.Path(__file__).resolve().parent

# What the packages lack or have only in the words of one vendor: declarations, protocols and service classes of BR/EDR (Core, Vol 3, Part B; Assigned Numbers 3.3 and 3.4).
BESIDES = {
    0x0001: "SDP", 0x0003: "RFCOMM", 0x0005: "TCS-BIN", 0x0007: "ATT", 0x0008: "OBEX", 0x000F: "BNEP", 0x0010: "UPnP", 0x0011: "HIDP",
    0x0012: "Hardcopy Control Channel", 0x0014: "Hardcopy Data Channel", 0x0016: "Hardcopy Notification", 0x0017: "AVCTP",
    0x0019: "AVDTP", 0x001B: "CMTP", 0x001E: "MCAP Control Channel", 0x001F: "MCAP Data Channel", 0x0100: "L2CAP",
    0x1000: "Service Discovery Server", 0x1001: "Browse Group Descriptor", 0x1002: "Public Browse Group", 0x1101: "Serial Port",
    0x1102: "LAN Access Using PPP", 0x1103: "Dial-up Networking", 0x1104: "IrMC Sync", 0x1105: "OBEX Object Push",
    0x1106: "OBEX File Transfer", 0x1107: "IrMC Sync Command", 0x1108: "Headset", 0x1109: "Cordless Telephony", 0x110A: "Audio Source",
    0x110B: "Audio Sink", 0x110C: "A/V Remote Control Target", 0x110D: "Advanced Audio Distribution", 0x110E: "A/V Remote Control",
    0x110F: "A/V Remote Control Controller", 0x1110: "Intercom", 0x1111: "Fax", 0x1112: "Headset Audio Gateway", 0x1115: "PANU",
    0x1116: "NAP", 0x1117: "GN", 0x1118: "Direct Printing", 0x1119: "Reference Printing", 0x111A: "Basic Imaging Profile",
    0x111B: "Imaging Responder", 0x111C: "Imaging Automatic Archive", 0x111D: "Imaging Referenced Objects", 0x111E: "Hands-Free",
    0x111F: "Hands-Free Audio Gateway", 0x1124: "Human Interface Device Service", 0x1125: "Hardcopy Cable Replacement",
    0x112D: "SIM Access", 0x112E: "Phonebook Access Client", 0x112F: "Phonebook Access Server", 0x1130: "Phonebook Access Profile",
    0x1131: "Headset HS", 0x1132: "Message Access Server", 0x1133: "Message Notification Server", 0x1134: "Message Access Profile",
    0x1135: "GNSS", 0x1136: "GNSS Server", 0x113A: "MPS Profile", 0x113B: "MPS Service Class", 0x113E: "Calendar, Tasks and Notes Profile",
    0x1200: "PnP Information", 0x1201: "Generic Networking", 0x1203: "Generic Audio", 0x1204: "Generic Telephony",
    0x1303: "Video Source", 0x1304: "Video Sink", 0x1305: "Video Distribution", 0x1400: "Health Device Profile",
    0x1401: "Health Device Source", 0x1402: "Health Device Sink",
    0x1856: "Public Broadcast Announcement", 0x1858: "Gaming Audio",
    0x2800: "Primary Service", 0x2801: "Secondary Service", 0x2802: "Include", 0x2803: "Characteristic",
}

SMALL_WORDS = {"And": "and", "Of": "of", "Pc": "PC", "Pda": "PDA", "Led": "LED", "Hvac": "HVAC", "Iot": "IoT", "Lan": "LAN", "Av": "AV", "Rgb": "RGB", "Cpap": "CPAP", "Hid": "HID"}


def decimal(key):
    """A part of bluetooth-numbers 1.1 has decimal numbers written behind 0x: 0x65534 means 65534."""
    return key if key <= 0xFFFF else int(f"{key:x}")


def words(name):
    return " ".join(SMALL_WORDS.get(word, word) for word in name.replace("_", " ").title().split())


def appearances():
    rows = {}
    for category in Appearance.Category:
        label = words(category.name)
        rows[category << 6] = label
        for sub in Appearance.SUBCATEGORY_CLASSES.get(category, []):
            if sub.value:
                # The package has a slip of the pen here.
                rows[category << 6 | sub.value] = f"{label}: {words(sub.name).replace('On Show', 'On Shoe')}"
    return rows


def write(name, rows, digits):
    lines = [f"{key:0{digits}x} " + re.sub(r"\s+", " ", rows[key]).strip() + "\n" for key in sorted(rows)]
    (here / "Tables" / f"{name}.txt").write_text("".join(lines), encoding="utf-8")


def main():
    short, long = {}, {}
    for table in (service, characteristic, descriptor):
        for key, name in table.items():
            if isinstance(key, int):
                short.setdefault(decimal(key), name)
            else:
                long.setdefault(key.int, name)
    short.update(BESIDES)
    # Assigned to Public Key Open Credential, long after modules and devices of many makers had taken it: the name is nearly always wrong.
    short.pop(0xFFF0, None)
    # Reserved for tests: no company's.
    company.pop(0xFFFF, None)
    write("companies", company, 4)
    write("uuids16", short, 4)
    write("uuids128", long, 32)
    write("appearances", appearances(), 4)
    print(f"bluetooth-numbers {version('bluetooth-numbers')}, bumble {version('bumble')}: "
          f"{len(company)} companies, {len(short)} + {len(long)} UUIDs, {len(appearances())} appearances")


if __name__ == "__main__":
    main()
