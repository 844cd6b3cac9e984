#!/usr/bin/env python3
"""Encrypted advertisements of sensors, with bytes and keys from public documents and tests of open-source programs, and a list of these keys.
The last sensor has a wrong key. sensors.py FILE.btsnoop FILE.keys"""
import struct
import sys

KEYS = """\
# bthome.io/encryption
bthome.bindkey=231d39c1d7cc1ab1aee224cd096db932@54:48:e6:8f:80:a5
# xiaomi-ble, tests/test_parser.py
mibeacon.bindkey=872ea1bb02ba9713e885cb054c537368@58:2d:34:87:94:0c
mibeacon.bindkey=e9ea895fac7cca6d30532432a516f3a8@a4:c1:38:02:83:f4
# ble_monitor, test_atc_parser.py
xiaomi-thermometer-atc.bindkey=b9ea895fac7eea6d30532432a516f3a3@a4:c1:38:8d:18:b2
# victron-ble, tests/test_solar_charger.py and test_battery_monitor.py
victron-energy.advertisement=adeccb947395801a4dd45a2eaa44bf17@c0:ff:ee:00:00:01
victron-energy.advertisement=ffffffffffffffffffffffffffffffff@c0:ff:ee:00:00:02
"""


def service(uuid, data):
    return bytes([len(data) // 2 + 3, 0x16]) + struct.pack("<H", uuid) + bytes.fromhex(data)


def company(number, data):
    return bytes([len(data) // 2 + 3, 0xFF]) + struct.pack("<H", number) + bytes.fromhex(data)


BTHOME = "54:48:e6:8f:80:a5", service(0xFCD2, "41a47266c95f730011223378237214")
HEARD = [
    BTHOME,
    ("58:2d:34:87:94:0c", service(0xFE95, "4858594fef546f0e7450729321010038d74333")),
    ("a4:c1:38:02:83:f4", service(0xFE95, "58585b0550f4830238c1a495ef58763c26000097e2abb5")),
    ("a4:c1:38:8d:18:b2", service(0x181A, "11d603fbfa7b6dfb1e26fd")),
    ("c0:ff:ee:00:00:01", company(0x02E1, "100242a0016207adceb37b605d7e0ee21b24df5c")),
    ("c0:ff:ee:00:00:02", company(0x02E1, "100289a302bb01af129087600b9b97bc2c32867c8238da")),
    BTHOME,
]


def make():
    whole = b"btsnoop\0" + struct.pack(">II", 1, 1002)
    for number, (address, data) in enumerate(HEARD):
        data = bytes([2, 1, 6]) + data
        report = bytes([2, 1, 0, 0]) + bytes.fromhex(address.replace(":", ""))[::-1] + bytes([len(data)]) + data + bytes([0xC8])
        packet = bytes([4, 0x3E, len(report)]) + report
        whole += struct.pack(">IIIIq", len(packet), len(packet), 3, 0, 0x00DCDDB30F2F8000 + 1_795_167_000_000_000 + number * 100_000) + packet
    return whole


if __name__ == "__main__":
    open(sys.argv[1], "wb").write(make())
    open(sys.argv[2], "w").write(KEYS)
